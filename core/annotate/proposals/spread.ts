import type { Rect } from '../../../schemas/events.ts';
import type { RgbImage } from '../../../schemas/picture.ts';
import { boxIou } from '../../rect.ts';
import type { Pixel } from '../picture.ts';
import { candidatesIn } from './grow.ts';
import { type BoxCandidate, pixelAt } from './image.ts';
import { type Region, regionsOf } from './region.ts';

/** Points that are looked at lie so far apart, px: about the height of a small button. */
const STEP = 16;
/** Less sure ones are panels and bars, mostly. */
const LEAST_CONFIDENCE = 0.4;
/** A box that fills more of the picture holds elements and is none. */
const MOST_SHARE = 0.05;
/** Boxes that share so much of their area show one element. */
const SAME = 0.5;
/** A box inside of another that fills so much of it is its label. */
const FILLED = 0.25;
/** Larger boxes may hold others, px. */
const INNERMOST = { width: 240, height: 40 };
/** Letters and icons that go on farther are parts of a picture, px. */
const MOST_CONTENT = { width: 300, height: 48 };
/** Letters and icons get so much free space around them, px (grow.ts). */
const MARGIN = 5;
/** A line of letters with its margin is at most so high, px: it is no button. */
const LETTERS = 26;
/** Content of a box no larger than this belongs to the box: a button's word, a field's text, px. */
const SMALL = { width: 240, height: 48 };
/** Fields of a grid over the picture that take turns, so that a page full of words does not take every place. */
const FIELDS = { columns: 8, rows: 6 };
/** Shares no divisor with their number. */
const STRIDE = 29;

/**
 * Boxes of a whole picture that look like elements, at most `most`: what a click anywhere would grow to (grow.ts), the
 * surest of each part of the picture first. In reading order, so that a place in the list tells nothing about how sure
 * it is. Pure: the picture alone decides.
 */
export function spreadBoxes(image: RgbImage, most: number): Rect[] {
  const regions = regionsOf(image);
  const kept: BoxCandidate[] = [];
  const found = new Map<string, BoxCandidate>();
  const flat = new Set<Region>();
  const columns = Math.ceil(image.width / STEP);
  const covered = new Uint8Array(columns * Math.ceil(image.height / STEP));
  for (let y = STEP >> 1; y < image.height; y += STEP) {
    for (let x = STEP >> 1; x < image.width; x += STEP) {
      if (covered[((y / STEP) | 0) * columns + ((x / STEP) | 0)]) continue;
      if (isFlat(image, { x, y })) {
        // Nothing is here: one look at each such area is enough.
        const region = regions.at({ x, y });
        if (flat.has(region)) continue;
        flat.add(region);
      }
      const candidates = candidatesIn(image, regions, { x, y }, MOST_CONTENT);
      cover(candidates, { x, y });
      for (const candidate of candidates) {
        const { box, confidence } = candidate;
        if (confidence < LEAST_CONFIDENCE || box.width * box.height > MOST_SHARE * image.width * image.height) continue;
        const key = `${box.x} ${box.y} ${box.width} ${box.height}`;
        if ((found.get(key)?.confidence ?? -1) < confidence) found.set(key, candidate);
      }
    }
  }
  /** Points in the innermost box find it again, and nothing else; not so beside it, in the space that was left around it. */
  function cover(candidates: readonly BoxCandidate[], point: Pixel): void {
    const boxes = candidates.map(({ box }) => box).sort((a, b) => a.width * a.height - b.width * b.height);
    const [inner] = boxes;
    if (!inner || inner.height > INNERMOST.height || inner.width > INNERMOST.width || !isWithin(inner, point)) return;
    const first = (at: number): number => Math.max(0, Math.ceil((at - (STEP >> 1)) / STEP));
    const last = (at: number): number => Math.floor((at - (STEP >> 1)) / STEP);
    for (let row = first(inner.y); row <= last(inner.y + inner.height - 1); row++) {
      covered.fill(1, row * columns + first(inner.x), row * columns + last(inner.x + inner.width - 1) + 1);
    }
  }
  const surest = [...found.values()].sort((a, b) => b.confidence - a.confidence || byPlace(a.box, b.box));
  for (const candidate of surest) {
    if (!kept.some(({ box }) => isSame(box, candidate.box))) kept.push(candidate);
  }
  return inTurns(kept, image, most)
    .map(({ box }) => box)
    .sort(byPlace);
}

/** Whether all pixels around the point, as far as half way to the next one, have its colour. */
function isFlat(image: RgbImage, { x, y }: Pixel): boolean {
  const colour = pixelAt(image, x, y);
  const far = STEP >> 1;
  for (let j = Math.max(0, y - far); j <= Math.min(image.height - 1, y + far); j++) {
    for (let i = Math.max(0, x - far); i <= Math.min(image.width - 1, x + far); i++) {
      if (pixelAt(image, i, j) !== colour) return false;
    }
  }
  return true;
}

/** Whether the point is in the box and not only in its margin. */
const isWithin = ({ x, y, width, height }: Rect, point: Pixel): boolean =>
  height <= LETTERS ||
  (point.x >= x + MARGIN && point.x < x + width - MARGIN && point.y >= y + MARGIN && point.y < y + height - MARGIN);

/** Boxes of one element: they share most of their area, or one is in the other and fills a good part of it. */
function isSame(a: Rect, b: Rect): boolean {
  const shared = boxIou(a, b);
  if (shared >= SAME) return true;
  const contains = (one: Rect, other: Rect): boolean =>
    other.x >= one.x &&
    other.y >= one.y &&
    other.x + other.width <= one.x + one.width &&
    other.y + other.height <= one.y + one.height;
  const outer = contains(a, b) ? a : contains(b, a) ? b : null;
  if (outer === null) return false;
  return shared >= FILLED || (outer.width <= SMALL.width && outer.height <= SMALL.height);
}

/** The surest of each field, then the second of each, and so on. */
function inTurns(candidates: readonly BoxCandidate[], { width, height }: RgbImage, most: number): BoxCandidate[] {
  if (candidates.length <= most) return [...candidates];
  const fieldOf = ({ box }: BoxCandidate): number => {
    const column = Math.floor(((box.x + box.width / 2) / width) * FIELDS.columns);
    const row = Math.floor(((box.y + box.height / 2) / height) * FIELDS.rows);
    return row * FIELDS.columns + column;
  };
  // Far apart ones after each other, so that a turn that is cut short is spread over the picture too.
  const all = FIELDS.columns * FIELDS.rows;
  const turnOf = (field: number): number => (field * STRIDE) % all;
  const fields = [...Map.groupBy(candidates, fieldOf).entries()]
    .sort(([a], [b]) => turnOf(a) - turnOf(b))
    .map(([, list]) => list);
  const taken: BoxCandidate[] = [];
  for (let turn = 0; taken.length < most; turn++) {
    for (const field of fields) {
      const next = field[turn];
      if (next && taken.length < most) taken.push(next);
    }
  }
  return taken;
}

/** From the top, then from the left. */
const byPlace = (a: Rect, b: Rect): number => a.y - b.y || a.x - b.x || a.height - b.height || a.width - b.width;
