import type { FullWindowInput } from '../../../../native/platform/stage.ts';
import { isInput, type RawEvent } from '../../../../schemas/events.ts';
import { alongside } from './steps.ts';

/** The person's inputs as our window received them, beside what was recorded. */
export type HandsProof = {
  exact: number;
  of: number;
  /** In words; of keys only that there was one, since a text may be in them. */
  wrong: string[];
};

/** A press or a release is at the same place when it is nearer than this, px: on a scaled display a place lies between two. */
const NEAR = 1;
const MOST_TOLD = 20;

/** Without what says the same twice: a held key's repeats, which a window is not told of, and the parts of one turn of a wheel. */
function plain(events: readonly FullWindowInput[]): FullWindowInput[] {
  const held = new Set<string>();
  const out: FullWindowInput[] = [];
  for (const event of events) {
    if (event.type === 'keydown' && held.has(event.code)) continue;
    if (event.type === 'keydown') held.add(event.code);
    if (event.type === 'keyup') held.delete(event.code);
    const before = out.at(-1);
    if (event.type === 'wheel' && before?.type === 'wheel' && before.way === event.way) continue;
    out.push(event);
  }
  return out;
}

/** The recording's lines in the same words. */
function recorded(events: readonly RawEvent[]): FullWindowInput[] {
  const sorted = events.filter(isInput).toSorted((a, b) => a.t - b.t);
  return sorted.flatMap((e): FullWindowInput[] => {
    if (e.type === 'down' || e.type === 'up') return [{ type: e.type, button: e.button, x: e.x, y: e.y }];
    if (e.type === 'keydown' || e.type === 'keyup') return [{ type: e.type, code: e.code }];
    if (e.type !== 'wheel') return [];
    const along = (axis: 'x' | 'y', notches: number): FullWindowInput[] =>
      notches === 0 ? [] : [{ type: 'wheel', way: `${axis}${notches > 0 ? '+' : '-'}` }];
    return [...along('y', e.dy), ...along('x', e.dx)];
  });
}

function isSame(a: FullWindowInput | undefined, b: FullWindowInput | undefined): boolean {
  if (!a || !b || a.type !== b.type) return false;
  if ('code' in a) return 'code' in b && a.code === b.code;
  if ('way' in a) return 'way' in b && a.way === b.way;
  return 'x' in b && a.button === b.button && Math.abs(a.x - b.x) <= NEAR && Math.abs(a.y - b.y) <= NEAR;
}

/**
 * Everything that the window was told of must be in the recording, in order. What the recording has besides is counted where
 * the window cannot know of it only: keys that the desktop keeps for itself are never told to a window.
 */
export function compareHands(told: readonly FullWindowInput[], events: readonly RawEvent[]): HandsProof {
  const wanted = plain(told);
  const found = plain(recorded(events));
  const { exact, wrong } = alongside(wanted, found, (i, j) => isSame(wanted[i], found[j]));
  const missing = wrong.filter((one) => one.wanted !== null);
  return {
    exact,
    of: wanted.length,
    wrong: missing
      .slice(0, MOST_TOLD)
      .map(({ index, wanted: one, found: other }) => `input ${index + 1}, ${words(one)}, came back as ${words(other)}`),
  };
}

function words(input: FullWindowInput | null): string {
  if (!input) return 'nothing';
  if ('code' in input) return input.type === 'keydown' ? 'a key that went down' : 'a key that was let go';
  if ('way' in input) return `a turn of the wheel (${input.way})`;
  const { x, y } = input;
  return `${input.button} ${input.type} at ${x.toFixed(1)},${y.toFixed(1)}`;
}
