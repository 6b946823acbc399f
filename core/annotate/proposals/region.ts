import type { Rect } from '../../../schemas/events.ts';
import type { RgbImage } from '../../../schemas/picture.ts';
import type { Pixel } from '../picture.ts';
import { pixelAt } from './image.ts';

/** A flat (or gently shaded) area of the picture that hangs together. */
export type Region = {
  box: Rect;
  area: number;
  /** Its colour where the filling began, 0xRRGGBB. */
  colour: number;
  /** It went on when the limit was reached: nobody knows how large it is. */
  open: boolean;
};

/** Regions of one picture, filled as they are asked for; each pixel belongs to at most one. */
export type Regions = {
  /** The region of this pixel. */
  at(pixel: Pixel): Region;
  /** Whether the pixel at (x, y) is of this region. */
  has(region: Region, x: number, y: number): boolean;
};

/** Neighbours of one area differ by at most this in each channel: shading of buttons goes in steps of 1 or 2. */
const STEP = 2;
/** An area differs from where it began by at most this in each channel. */
const SPREAD = 36;
/** Larger areas are no element's: about a tenth of a full HD screen. */
const MOST_PIXELS = 220_000;

/** Regions of a picture by scan-line filling: a full area of 220,000 pixels takes a few ms. */
export function regionsOf(image: RgbImage): Regions {
  const { width, height, rgb } = image;
  // Sixteen bits: noise around the point makes a region of each pixel that is asked for.
  const labels = new Uint16Array(width * height);
  const regions: Region[] = [];
  /** Those without a known end: further pixels of their colour are taken for theirs and not filled again. */
  const endless = new Map<number, Region>();

  function fill(seed: Pixel): Region {
    const label = regions.length + 1;
    const start = (seed.y * width + seed.x) * 3;
    const [red, green, blue] = [rgb[start]!, rgb[start + 1]!, rgb[start + 2]!];
    const belongs = (at: number, from: number): boolean => {
      const i = at * 3;
      const j = from * 3;
      const r = rgb[i]!;
      const g = rgb[i + 1]!;
      const b = rgb[i + 2]!;
      const x = rgb[j]!;
      const y = rgb[j + 1]!;
      const z = rgb[j + 2]!;
      // Most of a user interface is of one colour.
      if (r === x && g === y && b === z) return true;
      return (
        Math.abs(r - x) <= STEP &&
        Math.abs(g - y) <= STEP &&
        Math.abs(b - z) <= STEP &&
        Math.abs(r - red) <= SPREAD &&
        Math.abs(g - green) <= SPREAD &&
        Math.abs(b - blue) <= SPREAD
      );
    };
    let [left, right, top, bottom, area, open] = [seed.x, seed.x, seed.y, seed.y, 0, false];
    const stack = [seed.y * width + seed.x];
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (labels[at] !== 0) continue;
      if (area > MOST_PIXELS) {
        open = true;
        break;
      }
      const y = Math.floor(at / width);
      const row = y * width;
      let [from, to] = [at, at];
      while (from > row && labels[from - 1] === 0 && belongs(from - 1, from)) from--;
      while (to < row + width - 1 && labels[to + 1] === 0 && belongs(to + 1, to)) to++;
      labels.fill(label, from, to + 1);
      area += to - from + 1;
      left = Math.min(left, from - row);
      right = Math.max(right, to - row);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      for (const shift of [-width, width]) {
        if (shift < 0 ? y === 0 : y === height - 1) continue;
        let inRun = false;
        for (let x = from; x <= to; x++) {
          const next = x + shift;
          if (labels[next] !== 0 || !belongs(next, x)) {
            inRun = false;
            continue;
          }
          // A run that does not hang together by itself needs a start for each part.
          if (!inRun || !belongs(next, next - 1)) stack.push(next);
          inRun = true;
        }
      }
    }
    const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
    const region = { box, area, colour: pixelAt(image, seed.x, seed.y), open };
    regions.push(region);
    if (open) endless.set(region.colour, region);
    return region;
  }

  return {
    at(pixel) {
      const label = labels[pixel.y * width + pixel.x]!;
      return regions[label - 1] ?? endless.get(pixelAt(image, pixel.x, pixel.y)) ?? fill(pixel);
    },
    has: (region, x, y) => regions[labels[y * width + x]! - 1] === region,
  };
}

/** Pixels at the corners that a rounded rectangle lacks. */
const ROUNDING = 6;

/** How much of its box's outline a region fills, its worst side (0 to 1): 1 for a rectangle, corners may be round. */
export function rectangularity(regions: Regions, region: Region): number {
  const { x, y, width, height } = region.box;
  const side = (length: number, has: (at: number) => boolean): number => {
    const skip = Math.min(ROUNDING, Math.floor(length / 4));
    let found = 0;
    for (let at = skip; at < length - skip; at++) if (has(at)) found++;
    return found / Math.max(1, length - 2 * skip);
  };
  return Math.min(
    side(width, (at) => regions.has(region, x + at, y)),
    side(width, (at) => regions.has(region, x + at, y + height - 1)),
    side(height, (at) => regions.has(region, x, y + at)),
    side(height, (at) => regions.has(region, x + width - 1, y + at)),
  );
}
