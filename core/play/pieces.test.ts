import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InputEvent, RawEvent } from '../../schemas/events.ts';
import { beforeFirstKey, gapBefore, piecesOf } from './pieces.ts';

const move = (t: number): InputEvent => ({ type: 'move', t, x: 1, y: 1 });

test('PL5: every input event that is no shortcut and in no pause is played at most once, in its order', () => {
  const lines = fc.array(fc.constantFrom<'move' | 'anchor'>('move', 'anchor'), { maxLength: 60 });
  fc.assert(
    fc.property(
      lines,
      fc.array(fc.nat(59), { maxLength: 10 }),
      fc.array(fc.nat(59), { maxLength: 5 }),
      (kinds, ends, own) => {
        const events = kinds.map((type, t): RawEvent => (type === 'move' ? move(t) : { type, t, wallMs: t }));
        const actions = ends.map((end, n) => ({
          id: `a${n}`,
          events: [[Math.max(0, end - 2), end]] as [number, number][],
        }));
        const pieces = piecesOf(
          events,
          actions,
          own.map((index) => [index, index] as const),
        );
        const played = pieces.flatMap((piece) => piece.events.map(({ t }) => t));
        expect(played).toEqual([...new Set(played)].toSorted((a, b) => a - b));
        for (const t of played) expect(own).not.toContain(t);
        const last = Math.max(-1, ...ends);
        const wanted = events
          .filter(({ type, t }) => type === 'move' && t <= last && !own.includes(t))
          .map(({ t }) => t);
        expect(played).toEqual(wanted);
        expect(pieces.map(({ action }) => action)).toEqual(actions.map(({ id }) => id));
      },
    ),
  );
});

test('PL6: with pace ready only what nobody waits for is shortened; a drag keeps its time', () => {
  const later = (ms: number): InputEvent => move(ms * 1000);
  const first = move(0);
  expect(gapBefore(undefined, later(500), false, 'ready')).toBe(0);
  expect(gapBefore(first, later(500), false, 'recorded')).toBe(500);
  expect(gapBefore(first, later(25), true, 'ready')).toBe(25);
  expect(gapBefore(first, later(25), false, 'ready')).toBe(4);
  expect(gapBefore(first, later(2000), false, 'ready')).toBe(350);
  const key: InputEvent = { type: 'keydown', t: 400_000, code: 'KeyA' };
  expect(gapBefore(first, key, false, 'ready')).toBe(6);
});

test('PL3: a shortcut is played on the screen before its first key, not on what Ctrl alone made of it', () => {
  const key = (t: number, code: string): InputEvent => ({ type: 'keydown', t, code, mods: 0 }) as InputEvent;
  const piece = { action: 'a', events: [move(500), key(1000, 'ControlLeft'), key(5000, 'KeyE')] };
  const far = { lead: 40, since: 0 };
  expect(beforeFirstKey(piece, 5000, far)).toBe(960);
  // The effect of the step before is first seen in the picture that was taken after it.
  expect(beforeFirstKey(piece, 5000, { lead: 40, since: 980 })).toBe(980);
  // A key alone, one that is held since a step before, and a step without keys have their own picture.
  expect(beforeFirstKey({ action: 'a', events: [key(5000, 'KeyE')] }, 5000, far)).toBeNull();
  expect(beforeFirstKey(undefined, 5000, far)).toBeNull();
});
