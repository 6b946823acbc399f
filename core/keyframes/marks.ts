/**
 * K11: what changed between two pictures that is smaller than a region: a letter, a digit, a tick in a box. A caret that blinks
 * and a pointer that moves are as small, and say nothing. A pointer over a picture or a text is not always told from a letter: the
 * rule is for pictures without one, as our own recorder takes them. Pure.
 */

/** A grey picture as `width` x `height` bytes. */
type Grey = Uint8Array;

/** Ink on paper differs by more than compression, of 255. */
const INK = 40;
/** A mark of fewer pixels is noise. */
const LEAST_PIXELS = 3;
/** A caret is a thin line: at most so wide, px of the compared copy. What is one px high is an edge that compression moved. */
const CARET_WIDTH = 2;
/** Marks so near each other are one thing, px. */
const NEAR = 6;
/** No pointer is larger than this, px. */
const POINTER = { width: 24, height: 32 };
/** More marks than this are no small change; they are not looked at one by one. */
const MOST_MARKS = 400;

type Box = { left: number; top: number; right: number; bottom: number };

/** Px a side of a place that is watched. */
const PLACE = 8;
/** So long is it remembered that a place changed, ms; where it did so often within that, it is a clock or a counter. */
const MEMORY_MS = 5000;
const BUSY = 2.5;

/** Tells small changes that are something new from what changes again and again. */
export function markWatcher(width: number) {
  const columns = Math.ceil(width / PLACE);
  const heat = new Map<number, { heat: number; at: number }>();
  let last: { grey: Grey; at: number } | null = null;
  const heatOf = (place: number, now: number): number => {
    const known = heat.get(place);
    return known ? known.heat * Math.exp((known.at - now) / MEMORY_MS) : 0;
  };
  return {
    /** A picture stood still; its places that changed since the one before are remembered. */
    settled(grey: Grey, now: number): void {
      for (const box of last ? marksBetween(last.grey, grey, width) : [])
        for (const place of placesOf(box, columns)) heat.set(place, { heat: heatOf(place, now) + 1, at: now });
      last = { grey, at: now };
    },
    isOther(a: Grey, b: Grey): boolean {
      const now = last?.at ?? 0;
      const isNew = (box: Box): boolean => placesOf(box, columns).some((place) => heatOf(place, now) < BUSY);
      const news = marksBetween(a, b, width).filter(isNew);
      return news.length > 0 && !isPointerMoved(news);
    },
  };
}

function placesOf({ left, top, right, bottom }: Box, columns: number): number[] {
  const places: number[] = [];
  for (let y = Math.floor(top / PLACE); y <= Math.floor(bottom / PLACE); y++)
    for (let x = Math.floor(left / PLACE); x <= Math.floor(right / PLACE); x++) places.push(y * columns + x);
  return places;
}

/** Boxes of what changed, but for carets; things near each other are one. */
const marksBetween = (a: Grey, b: Grey, width: number): Box[] =>
  grouped(
    inkBetween(a, b, width).filter(({ left, top, right, bottom }) => right - left >= CARET_WIDTH && bottom > top),
  );

/** Where it was and where it is now: two things of about one size, and nothing else. */
function isPointerMoved(marks: readonly Box[]): boolean {
  if (marks.length !== 2) return false;
  const sizes = marks.map(({ left, top, right, bottom }) => ({ width: right - left + 1, height: bottom - top + 1 }));
  if (sizes.some(({ width, height }) => width > POINTER.width || height > POINTER.height)) return false;
  const [one = 0, other = 0] = sizes.map(({ width, height }) => width * height);
  return Math.min(one, other) * 2 >= Math.max(one, other);
}

/** Boxes of the pixels that touch, also by a corner, and differ by ink. */
function inkBetween(a: Grey, b: Grey, width: number): Box[] {
  const inked = new Set<number>();
  for (let at = 0; at < a.length; at++) {
    const by = a[at]! - b[at]!;
    if (by > INK || by < -INK) inked.add(at);
  }
  const boxes: Box[] = [];
  for (const first of inked) {
    const box: Box = { left: width, top: a.length, right: 0, bottom: 0 };
    const stack = [first];
    inked.delete(first);
    let pixels = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      pixels++;
      const x = at % width;
      const y = (at - x) / width;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        for (const other of [at - x - width + u, at - x + u, at - x + width + u])
          if (inked.delete(other)) stack.push(other);
      }
    }
    if (pixels >= LEAST_PIXELS) boxes.push(box);
    if (boxes.length >= MOST_MARKS) break;
  }
  return boxes;
}

function grouped(boxes: readonly Box[]): Box[] {
  let groups: Box[] = [];
  for (const box of boxes) {
    let whole = { ...box };
    for (let joined = true; joined; ) {
      const near = groups.filter((group) => isNear(group, whole));
      joined = near.length > 0;
      for (const group of near) whole = around(whole, group);
      if (joined) groups = groups.filter((group) => !near.includes(group));
    }
    groups.push(whole);
  }
  return groups;
}

const isNear = (a: Box, b: Box): boolean =>
  a.left <= b.right + NEAR && b.left <= a.right + NEAR && a.top <= b.bottom + NEAR && b.top <= a.bottom + NEAR;

const around = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});
