import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Pixel } from '../annotate/picture.ts';
import { lastUntil } from '../keyframes/choose.ts';
import { BLOCK, cornerOf, inside, isOther, NO_BLOCKS } from './likeness.ts';
import type { Piece } from './pieces.ts';
import type { Shift } from './player.ts';
import { blocksAround } from './sight.ts';

/**
 * The demonstration's screen before the pointer set off for a target: some programs paint marks that follow the pointer (the
 * outline of a brush, its place on a ruler), a moment late, and a play has its pointer elsewhere until it has found the target.
 */

/** A screen that has not changed for so long is at rest (K2), µs. */
const STILL_US = 300_000;
/** A pointer that is nearer to the target than this may have marks there, px. */
const NEAR = 96;
/** What the pointer changes around a target is compared so far each way, px, and must be the same in this part of the squares. */
const LIT = 48;
const SAME_MARKS = 0.75;

type Moving = Pick<Piece, 'events'>;

/** When the pointer set off for a step: its input begins with a move, µs; null: with something else. */
const setOffAt = ({ events: [first] }: Moving): number | null => (first?.type === 'move' ? first.t : null);

/**
 * The place of the frame that shows what a step did, before the pointer set off for the next (PL30); null: `shown`, the time of
 * its picture, is no later, or the screen had not changed since the step began, or was not at rest. `pixels`: so many must change.
 */
export function leftAt(
  frames: readonly Frame[],
  { began, shown }: { began: number; shown: number },
  next: Moving,
  { lead, pixels }: { lead: number; pixels: number },
): number | null {
  const setOff = setOffAt(next);
  if (setOff === null || shown <= setOff - lead) return null;
  const place = lastUntil(frames, setOff - lead);
  for (let at = place; at >= 0; at--) {
    const { t, changed } = frames[at]!;
    if (t <= began) return null;
    if (changed === undefined || changed >= pixels) return setOff - lead - t >= STILL_US ? place : null;
  }
  return null;
}

/**
 * The place of the frame before the pointer came near a target, px of the desktop (PL31); null: it was there before, or the
 * screen did not change until `shown`, the time of the picture before the step.
 */
export function awayAt(
  frames: readonly Frame[],
  shown: number,
  step: Moving,
  target: Pixel,
  lead: number,
): number | null {
  let came: number | null = null;
  let wasNear = false;
  for (const event of step.events) {
    if (event.type !== 'move') break;
    const isNear = Math.max(Math.abs(event.x - target.x), Math.abs(event.y - target.y)) < NEAR;
    if (isNear && !wasNear) came = event.t;
    wasNear = isNear;
  }
  const place = came === null ? -1 : lastUntil(frames, came - lead);
  return place >= 0 && frames[place]!.t < shown ? place : null;
}

/** A screen with the pointer elsewhere, and on a target. */
type Lit = { away: RgbImage; on: RgbImage };

/** Whether the pointer changes about the same around a target as in the demonstration, and something at all (PL31). */
export function isLitAlike(still: Lit, live: Lit, at: Pixel, shift: Shift, restless = NO_BLOCKS): boolean {
  const { width } = still.on;
  const around = [...blocksAround(still.on, at, LIT)].filter((block) => !restless.has(block));
  const was = new Set(around.filter((block) => changesIn(still, block, width)));
  const is = new Set(around.filter((block) => changesIn(live, block, width, shift)));
  return was.size > 0 && is.size > 0 && areNear(was, is, width) && areNear(is, was, width);
}

/** Whether most of the squares are among others, or beside one of them: what was late is a few pixels off. */
function areNear(blocks: ReadonlySet<number>, others: ReadonlySet<number>, width: number): boolean {
  const columns = Math.ceil(width / BLOCK);
  const beside = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => row * columns + column));
  const near = [...blocks].filter((block) => beside.some((by) => others.has(block + by)));
  return near.length >= blocks.size * SAME_MARKS;
}

/** Whether a square, of pictures of this width, is other with the pointer on the target, where it has moved by `shift`. */
function changesIn({ away, on }: Lit, block: number, width: number, shift: Shift = { x: 0, y: 0 }): boolean {
  const { x: left, y: top } = cornerOf(block, width);
  if (!inside({ x: left, y: top, width: BLOCK, height: BLOCK }, shift, on)) return false;
  for (let y = top + shift.y; y < top + shift.y + BLOCK; y++)
    for (let x = left + shift.x; x < left + shift.x + BLOCK; x++) if (isOther(away, x, y, on, x, y)) return true;
  return false;
}
