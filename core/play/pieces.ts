import type { Action } from '../../schemas/actions.ts';
import { type InputEvent, isInput, type RawEvent } from '../../schemas/events.ts';

/** The input of one step, in order, and what of it are the moves that lead to its first press. */
export type Piece = { action: string; events: readonly InputEvent[] };

/**
 * Cuts a recording's input into the steps it is played in: each action has everything from the end of the action before to
 * its own last event, in the order in which it was done, so that a modifier that was held across steps is held again. The
 * recorder's own shortcuts and what came in pauses are left out. `excluded`: raw indices, as `reduce` gives them.
 */
export function piecesOf(
  events: readonly RawEvent[],
  actions: readonly Pick<Action, 'id' | 'events'>[],
  excluded: readonly (readonly [number, number])[],
): Piece[] {
  const out = new Set<number>();
  for (const [first, last] of excluded) for (let index = first; index <= last; index++) out.add(index);
  const ends = actions.map(({ events: runs }) => runs.at(-1)?.[1] ?? -1);
  let from = 0;
  return actions.map(({ id }, n) => {
    // Actions may overlap (scrolls during a drag): the later end counts, and nothing is done twice.
    const to = Math.max(from, (ends[n] ?? -1) + 1);
    const own: InputEvent[] = [];
    for (let index = from; index < to; index++) {
      const event = events[index];
      if (event && isInput(event) && !out.has(index)) own.push(event);
    }
    from = to;
    return { action: id, events: own };
  });
}

/**
 * When to look at the screen on which a step is played, µs: before its first key, where that went down before its press (the Ctrl
 * of a shortcut, for which some programs change the screen), but not before `since`, the picture after the step before; `lead`:
 * so much before a key. Null: its picture before the press is that screen.
 */
export function beforeFirstKey(
  piece: Piece | undefined,
  press: number,
  { lead, since }: { lead: number; since: number },
): number | null {
  const first = piece?.events.find(({ type }) => type === 'keydown')?.t ?? press;
  return first < press ? Math.max(first - lead, since) : null;
}

/** How gaps are played when nothing needs to be waited for, at most, ms. */
const GAP = { key: 6, travel: 4, press: 60, other: 12 };
/** A pointer that rested so long on its way rests again, at most so long, ms: over a menu that opens by itself. */
const DWELL = { least: 150, most: 350 };

/**
 * How long to wait before an event, µs in and ms out. As recorded; or, with pace `ready`, as short as programs take it. While
 * a button is held everything keeps its time, since what is painted depends on it.
 */
export function gapBefore(
  previous: InputEvent | undefined,
  event: InputEvent,
  held: boolean,
  pace: 'recorded' | 'ready',
): number {
  if (!previous) return 0;
  const gap = Math.max(0, (event.t - previous.t) / 1000);
  if (pace === 'recorded' || held) return gap;
  if (event.type === 'move') return gap >= DWELL.least ? Math.min(gap, DWELL.most) : Math.min(gap, GAP.travel);
  if (event.type === 'down') return Math.min(gap, GAP.press);
  return Math.min(gap, event.type === 'keydown' || event.type === 'keyup' ? GAP.key : GAP.other);
}
