import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Pixel } from '../annotate/picture.ts';
import { isChange, lastUntil, SETTLE_MS } from '../keyframes/choose.ts';
import { BLOCK, NO_BLOCKS } from './likeness.ts';
import type { Piece } from './pieces.ts';
import type { Shift } from './player.ts';
import { blocksAround, blocksUnder, isOtherBlock, NOWHERE } from './sight.ts';

/**
 * The demonstration's screen before the pointer set off for a target: some programs paint marks that follow the pointer (the
 * outline of a brush, its place on a ruler), a moment late, and a play has its pointer elsewhere until it has found the target.
 */

/** A pointer that is nearer to the target than this may have marks there, px. */
const NEAR = 96;
/** The pointer's marks are compared so far around the target, px each way, and this part of their squares must agree. */
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
    const frame = frames[at]!;
    if (frame.t <= began) return null;
    if (isChange(frame, pixels)) return setOff - lead - frame.t >= SETTLE_MS * 1000 ? place : null;
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

/** A screen with the pointer elsewhere, and the same with the pointer on a target. */
type Lit = { away: RgbImage; on: RgbImage };

/** Whether the pointer changes about the same around a target as in the demonstration, and something at all (PL31). */
export function isLitAlike(still: Lit, live: Lit, at: Pixel, shift: Shift, restless = NO_BLOCKS): boolean {
  const { width } = still.on;
  const around = [...blocksAround(still.on, at, LIT)].filter((block) => !restless.has(block));
  const was = new Set(around.filter((block) => isOtherBlock(still.away, still.on, block)));
  const is = new Set(around.filter((block) => isOtherBlock(live.away, live.on, block, shift)));
  return was.size > 0 && is.size > 0 && areNear(was, is, width) && areNear(is, was, width);
}

/** Whether most of the squares are among others, or beside one of them: marks that are late are a few pixels off. */
function areNear(blocks: ReadonlySet<number>, others: ReadonlySet<number>, width: number): boolean {
  const columns = Math.ceil(width / BLOCK);
  const near = [...blocks].filter((block) => blocksUnder(block, NOWHERE, columns).some((one) => others.has(one)));
  return near.length >= blocks.size * SAME_MARKS;
}
