import type { Rect } from '../../../schemas/events.ts';
import type { RgbImage } from '../../../schemas/picture.ts';
import { append } from '../../lists.ts';
import { boxIou, holdsPoint } from '../../rect.ts';
import type { Pixel } from '../picture.ts';
import { contentAt, countParts, padded } from './content.ts';
import { type BoxCandidate, distance, pixelAt } from './image.ts';
import { type Region, type Regions, rectangularity, regionsOf } from './region.ts';

/** Smaller areas are holes of letters and parts of icons, px. */
const LEAST_SIDE = 10;
/** A side of which less is filled is no side. */
const LEAST_SIDE_FILLED = 0.7;
/** A region that fills more of the picture is the screen, not an element on it. */
const MOST_SHARE = 0.9;
/** Larger boxes of letters are pictures, px. */
const MOST_CONTENT = { width: 420, height: 120 };
const PADDING = 4;
/** Areas around areas: a button on a tool bar in a window. */
const MOST_DEPTH = 3;
/** Boxes that share so much of their area are one. */
const SAME = 0.85;
const MOST_CANDIDATES = 5;

/**
 * Boxes around `point` that look like an element of a user interface, best first: a click there grows to the first
 * (pattern 3). None when nothing encloses the point or it is outside.
 *
 * Two ways, by what elements look like: a flat area with straight sides (buttons with and without a border, highlighted
 * menu items, text fields, cells), found by filling it, its border line taken along; and letters or an icon on a
 * background without sides (flat tool buttons, menu titles, check boxes), found by what differs from the background.
 * Pure; looks at the surroundings of the point alone.
 */
export function candidateBoxes(image: RgbImage, point: Pixel): BoxCandidate[] {
  return candidatesIn(image, regionsOf(image), point);
}

/**
 * The same for many points of one picture: what was filled for one is there for the next. `mostContent`: larger boxes of
 * letters (px) are not looked for to their end.
 */
export function candidatesIn(
  image: RgbImage,
  regions: Regions,
  point: Pixel,
  mostContent = MOST_CONTENT,
): BoxCandidate[] {
  if (point.x < 0 || point.y < 0 || point.x >= image.width || point.y >= image.height) return [];
  const found = enclosingRegions(image, regions, point);
  const candidates = found.closed.map((region): BoxCandidate => areaCandidate(image, regions, region));
  const content = contentCandidate(image, point, found, mostContent);
  if (content) candidates.push(content);
  return distinct(candidates.sort((a, b) => b.confidence - a.confidence || size(a.box) - size(b.box))).slice(
    0,
    MOST_CANDIDATES,
  );
}

type Found = {
  /** Areas with straight sides around the point, smallest first. */
  closed: Region[];
  /** The colour that letters and icons at the point stand on. */
  background: number;
};

function enclosingRegions(image: RgbImage, regions: Regions, point: Pixel): Found {
  const closed = new Set<Region>();
  const seen = new Set<Region>();
  const add = (pixel: Pixel): Region | null => {
    const region = regions.at(pixel);
    if (seen.has(region)) return closed.has(region) ? region : null;
    seen.add(region);
    if (region.open || !holdsPoint(region.box, point.x, point.y)) return null;
    if (Math.min(region.box.width, region.box.height) < LEAST_SIDE) return null;
    if (size(region.box) > MOST_SHARE * image.width * image.height) return null;
    if (rectangularity(regions, region) < LEAST_SIDE_FILLED) return null;
    closed.add(region);
    return region;
  };
  const backgrounds = backgroundsAt(image, point);
  const seeds = [point, ...backgrounds.flatMap(({ pixels }) => largest(regions, pixels))];
  // A shaded face has no frequent colour: so look beside the letters too.
  append(seeds, largest(regions, beside(image, point)));
  let level = seeds.map(add).filter((region) => region !== null);
  for (let depth = 0; depth < MOST_DEPTH && level.length > 0; depth++) {
    level = level
      .flatMap(({ box }) => around(image, box))
      .map(add)
      .filter((region) => region !== null);
  }
  const sorted = [...closed].sort((a, b) => size(a.box) - size(b.box));
  const background = backgrounds[0]?.colour ?? pixelAt(image, point.x, point.y);
  return { closed: sorted, background };
}

/** Pixels in growing distance to both sides, above and below, where a face shows between and beside letters. */
function beside(image: RgbImage, { x, y }: Pixel): Pixel[] {
  return [3, 6, 9, 12]
    .flatMap((far) => [-far, 0, far].flatMap((dx) => [-far, 0, far].map((dy): Pixel => ({ x: x + dx, y: y + dy }))))
    .filter((pixel) => pixel.x >= 0 && pixel.y >= 0 && pixel.x < image.width && pixel.y < image.height);
}

/** One of each of the nearest regions that hold these pixels, where it is larger than a hole of a letter. */
function largest(regions: Regions, pixels: readonly Pixel[]): Pixel[] {
  const met = new Set<Region>();
  const found: Pixel[] = [];
  for (const pixel of pixels) {
    const region = regions.at(pixel);
    if (met.has(region)) continue;
    met.add(region);
    if (Math.min(region.box.width, region.box.height) >= LEAST_SIDE) found.push(pixel);
    if (found.length >= MOST_OF_COLOUR || met.size >= MOST_HOLES) break;
  }
  return found;
}
const MOST_OF_COLOUR = 2;
const MOST_HOLES = 24;

/** How far colours are counted (px), and from which share of that square on they are a background. */
const VIEWS = [
  [16, 0.15],
  [7, 0.2],
] as const;

/** Colours that are frequent around a point, with their pixels, nearest first; the most frequent of the wider view first. */
function backgroundsAt(image: RgbImage, point: Pixel): { colour: number; pixels: Pixel[] }[] {
  const found = new Map<number, Pixel[]>();
  for (const [radius, share] of VIEWS) {
    const byColour = new Map<number, Pixel[]>();
    let all = 0;
    for (let y = Math.max(0, point.y - radius); y <= Math.min(image.height - 1, point.y + radius); y++) {
      for (let x = Math.max(0, point.x - radius); x <= Math.min(image.width - 1, point.x + radius); x++) {
        const colour = pixelAt(image, x, y);
        const pixels = byColour.get(colour);
        if (pixels) pixels.push({ x, y });
        else byColour.set(colour, [{ x, y }]);
        all++;
      }
    }
    const frequent = [...byColour].filter(([, { length }]) => length >= all * share);
    frequent.sort(([, a], [, b]) => b.length - a.length);
    for (const [colour, pixels] of frequent.slice(0, 3)) if (!found.has(colour)) found.set(colour, pixels);
  }
  const far = ({ x, y }: Pixel): number => (x - point.x) ** 2 + (y - point.y) ** 2;
  return [...found].map(([colour, pixels]) => ({ colour, pixels: pixels.sort((a, b) => far(a) - far(b)) }));
}

/** Pixels a little outside of the middle of each side, beyond a border line. */
function around(image: RgbImage, { x, y, width, height }: Rect): Pixel[] {
  const [middleX, middleY] = [x + (width >> 1), y + (height >> 1)];
  return [2, 4].flatMap((far) =>
    [
      { x: x - far, y: middleY },
      { x: x + width - 1 + far, y: middleY },
      { x: middleX, y: y - far },
      { x: middleX, y: y + height - 1 + far },
    ].filter((pixel) => pixel.x >= 0 && pixel.y >= 0 && pixel.x < image.width && pixel.y < image.height),
  );
}

/** A wider line of three parts is a bar with three things on it, not a menu item with icon, name and key, px. */
const MOST_ROW = 420;
/** Content of larger areas is not counted, px. */
const COUNTED = 120_000;

/** The answer for a region is given again at each of its points. */
const judged = new WeakMap<Region, BoxCandidate>();

function areaCandidate(image: RgbImage, regions: Regions, region: Region): BoxCandidate {
  const known = judged.get(region) ?? judgeArea(image, regions, region);
  judged.set(region, known);
  return known;
}

function judgeArea(image: RgbImage, regions: Regions, region: Region): BoxCandidate {
  const box = withBorder(image, region.box);
  const { width, height } = region.box;
  const sides = rectangularity(regions, region);
  const inside = inset(region.box, 2);
  const { lines, parts } =
    size(region.box) <= COUNTED ? countParts(image, inside, region.colour) : { lines: 9, parts: 9 };
  // One line with at most a few parts is a control; many parts in a line a bar of them, many lines a panel.
  const few = parts <= 2 || (parts === 3 && width <= MOST_ROW) ? ([1, 1, 0.93, 0.85][parts] ?? 0.4) : 0.4;
  const sense = lines <= 1 ? few : lines === 2 && height <= 72 ? 0.75 : 0.45;
  const share = size(box) / (image.width * image.height);
  const large = share > 0.4 ? 0.3 : share > 0.1 ? 0.5 : height > 90 ? 0.8 : 1;
  const small = Math.min(width, height) < 14 ? 0.85 : 1;
  return { box, confidence: round(0.92 * sense * large * small * (0.6 + 0.4 * sides)) };
}

function contentCandidate(
  image: RgbImage,
  point: Pixel,
  { closed, background }: Found,
  most: { width: number; height: number },
): BoxCandidate | null {
  const around = closed.find(({ colour }) => distance(colour, background) <= 4);
  const within = around ? inset(around.box, 1) : { x: 0, y: 0, width: image.width, height: image.height };
  const content = contentAt(image, point, background, within, most);
  if (!content || content.width < 5 || content.height < 5) return null;
  const box = padded(image, content, background, within, PADDING);
  const likely = content.height <= 48 && content.width <= 320 ? 0.6 : 0.4;
  return { box, confidence: round(likely) };
}

/** Most px of a border line on a side. */
const MOST_BORDER = 2;
const BORDER_CONTRAST = 6;

/** The box with its border line: lines of one colour that differ from what lies beyond them. */
function withBorder(image: RgbImage, box: Rect): Rect {
  const grow = (length: number, pixel: (along: number, out: number) => number | null): number => {
    for (let out = MOST_BORDER; out >= 1; out--) {
      if (isBorder(length, out, pixel)) return out;
    }
    return 0;
  };
  const at = (x: number, y: number): number | null =>
    x < 0 || y < 0 || x >= image.width || y >= image.height ? null : pixelAt(image, x, y);
  const { x, y, width, height } = box;
  const left = grow(height, (along, out) => at(x - out, y + along));
  const right = grow(height, (along, out) => at(x + width - 1 + out, y + along));
  const top = grow(width, (along, out) => at(x + along, y - out));
  const bottom = grow(width, (along, out) => at(x + along, y + height - 1 + out));
  // A line on two sides alone is another's: a highlighted menu item lies between the menu's own.
  if ([left, right, top, bottom].filter((line) => line > 0).length < 3) return box;
  return { x: x - left, y: y - top, width: width + left + right, height: height + top + bottom };
}

/** Whether the line `out` px beyond a side is the outermost of a border: even along, and other than the next beyond. */
function isBorder(length: number, out: number, pixel: (along: number, out: number) => number | null): boolean {
  const middle = pixel(length >> 1, out);
  if (middle === null) return false;
  let [even, edge, counted] = [0, 0, 0];
  const skip = Math.min(6, length >> 2);
  for (let along = skip; along < length - skip; along += 1) {
    const own = pixel(along, out);
    const beyond = pixel(along, out + 1);
    if (own === null) return false;
    counted++;
    if (distance(own, middle) <= 8) even++;
    // At the picture's edge nothing lies beyond.
    if (beyond === null || distance(own, beyond) > BORDER_CONTRAST) edge++;
  }
  return even >= counted * 0.85 && edge >= counted * 0.85;
}

const size = ({ width, height }: Rect): number => width * height;

function inset({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x + by, y: y + by, width: Math.max(1, width - 2 * by), height: Math.max(1, height - 2 * by) };
}

function distinct(candidates: BoxCandidate[]): BoxCandidate[] {
  const kept: BoxCandidate[] = [];
  for (const candidate of candidates) {
    if (!kept.some(({ box }) => boxIou(box, candidate.box) >= SAME)) kept.push(candidate);
  }
  return kept;
}

const round = (value: number): number => Math.round(value * 100) / 100;
