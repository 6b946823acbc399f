import type { Rect } from '../../../schemas/events.ts';
import type { RgbImage } from '../../../schemas/picture.ts';
import { largestOf } from '../../lists.ts';
import { isSameRect } from '../../rect.ts';
import type { Pixel } from '../picture.ts';
import { COLUMN_BASE, type Crop, cropHash, ROW_BASE } from './crop.ts';
import { pixelAt } from './image.ts';

/** A crop that was named before, and how often so. */
export type KnownCrop = Crop & { name: string; count: number };

/** A named crop found again. `share`: of the namings of this crop, how many gave this name (0 to 1). */
type SeenCrop = { box: Rect; name: string; share: number };

/** Positions looked at in all, crops of the most frequent sizes first. A look is a few additions. */
const MOST_POSITIONS = 2_000_000;
/** Larger crops are only looked for where an edge box is (`boxes`), px. */
const MOST = { width: 800, height: 300 };
const MOST_FOUND = 3;

/**
 * Where, around `point`, the picture shows exactly a crop that was named before: its name and box again (pattern 4).
 * A crop that would fit at several places (an even stretch of a field) counts only where it is one of `boxes`.
 * Best first: those on an edge box, then those named most often.
 */
export function findSeen(
  image: RgbImage,
  point: Pixel,
  known: readonly KnownCrop[],
  boxes: readonly Rect[] = [],
): SeenCrop[] {
  const found = [...positionsOf(image, point, known, boxes)].flatMap(([hash, places]) => {
    const onEdge = places.find((place) => boxes.some((box) => isSameRect(box, place)));
    const box = onEdge ?? (places.length === 1 ? places[0] : undefined);
    if (!box) return [];
    const names = known.filter((crop) => crop.hash === hash);
    const total = names.reduce((sum, { count }) => sum + count, 0);
    return names.map(({ name, count }) => ({ box, name, share: count / total, count, edge: onEdge ? 1 : 0 }));
  });
  found.sort((a, b) => b.edge - a.edge || b.share - a.share || b.count - a.count || (a.name < b.name ? -1 : 1));
  return found.slice(0, MOST_FOUND).map(({ box, name, share }) => ({ box, name, share }));
}

/** Every place that holds the point and shows a known crop, by the crop's hash. */
function positionsOf(image: RgbImage, point: Pixel, known: readonly KnownCrop[], boxes: readonly Rect[]) {
  const found = new Map<string, Rect[]>();
  const hashes = new Set(known.map(({ hash }) => hash));
  const take = (box: Rect): void => {
    const hash = cropHash(image, box);
    if (!hashes.has(hash)) return;
    const places = found.get(hash) ?? [];
    if (!places.some((place) => isSameRect(place, box))) places.push(box);
    found.set(hash, places);
  };
  for (const box of boxes) if (known.some((crop) => crop.width === box.width && crop.height === box.height)) take(box);
  const sizes = [...Map.groupBy(known, ({ width, height }) => `${width}x${height}`).values()]
    .filter(([first]) => first!.width <= MOST.width && first!.height <= MOST.height)
    .sort((a, b) => total(b) - total(a));
  if (sizes.length === 0) return found;
  const reach = {
    width: largestOf(sizes.map(([c]) => c!.width)),
    height: largestOf(sizes.map(([c]) => c!.height)),
  };
  const sums = sumsAround(image, point, reach);
  let left = MOST_POSITIONS;
  for (const crops of sizes) {
    const { width, height } = crops[0]!;
    left -= width * height;
    if (left < 0) break;
    const quicks = new Set(crops.map(({ quick }) => quick));
    for (let y = Math.max(0, point.y - height + 1); y <= Math.min(point.y, image.height - height); y++) {
      for (let x = Math.max(0, point.x - width + 1); x <= Math.min(point.x, image.width - width); x++) {
        if (quicks.has(sums(x, y, width, height))) take({ x, y, width, height });
      }
    }
  }
  return found;
}

const total = (crops: readonly KnownCrop[]): number => crops.reduce((sum, { count }) => sum + count, 0);

/**
 * The quick sum (crop.ts) of every box that holds the point and is no larger than `reach`, each by four looks into a table
 * of sums over the surroundings, modulo 2^32: pixel (x, y) weighs COLUMN^x · ROW^y there, and a box's own sum follows by
 * dividing by the weight of its corner (odd numbers have an inverse).
 */
function sumsAround(image: RgbImage, point: Pixel, reach: { width: number; height: number }) {
  const left = Math.max(0, point.x - reach.width + 1);
  const top = Math.max(0, point.y - reach.height + 1);
  const width = Math.min(image.width, point.x + reach.width) - left;
  const height = Math.min(image.height, point.y + reach.height) - top;
  const stride = width + 1;
  const table = new Int32Array(stride * (height + 1));
  const columns = powers(COLUMN_BASE, width);
  let row = 1;
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = 0; x < width; x++) {
      sum = (sum + Math.imul(pixelAt(image, left + x, top + y) + 1, columns[x]!)) | 0;
      table[(y + 1) * stride + x + 1] = (table[y * stride + x + 1]! + Math.imul(sum, row)) | 0;
    }
    row = Math.imul(row, ROW_BASE);
  }
  const backColumns = powers(inverse(COLUMN_BASE), width);
  const backRows = powers(inverse(ROW_BASE), height);
  return (x: number, y: number, w: number, h: number): number => {
    const [x0, y0] = [x - left, y - top];
    const upper = y0 * stride + x0;
    const lower = (y0 + h) * stride + x0;
    const sum = (table[lower + w]! - table[lower]! - table[upper + w]! + table[upper]!) | 0;
    return Math.imul(Math.imul(sum, backColumns[x0]!), backRows[y0]!);
  };
}

function powers(base: number, count: number): Int32Array {
  const list = new Int32Array(Math.max(1, count));
  list[0] = 1;
  for (let at = 1; at < count; at++) list[at] = Math.imul(list[at - 1]!, base);
  return list;
}

/** The inverse of an odd number modulo 2^32, by Newton's steps, each of which doubles the bits that are right. */
function inverse(odd: number): number {
  let result = odd;
  for (let step = 0; step < 5; step++) result = Math.imul(result, 2 - Math.imul(odd, result));
  return result;
}
