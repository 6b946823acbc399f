import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { narrate } from '../annotate/narration.ts';
import { reduce } from './reduce.ts';

const reduced = (events: RawEvent[]) => reduce(events, { recording: 'r' });
const actions = (events: RawEvent[]) => reduced(events).actions;
const MS = 1000;
const withheld = (from: number, t: number, keys = 4): RawEvent => ({
  type: 'withheld',
  t: t * MS,
  from: from * MS,
  keys,
});
const key = (code: string, t: number, mods?: number): RawEvent[] => [
  { type: 'keydown', t: t * MS, code, ...(mods !== undefined && { mods }) },
  { type: 'keyup', t: (t + 40) * MS, code, ...(mods !== undefined && { mods }) },
];

test('A17: a withheld line is a type of which only the time is known', () => {
  const [typed, ...rest] = actions([{ type: 'move', t: 0, x: 7, y: 8 }, withheld(100, 900)]);
  expect(rest).toEqual([]);
  expect(typed).toMatchObject({ id: 'r:1', kind: 'type', withheld: true, text: null, keystrokes: null, events: [] });
  expect(typed).toMatchObject({ start: { x: 7, y: 8, t: 100_000 }, end: { t: 900_000 }, travel: [[0, 0]] });
  expect(narrate(typed!)).toBe('Type the password');
  expect(narrate({ ...typed!, text: 'hunter2' })).toBe("Type 'hunter2'");
});

test('A17: it stands between what was typed before and after it, and goes on over a short rest', () => {
  const made = actions([
    ...key('KeyA', 0),
    ...key('Tab', 200),
    withheld(400, 700),
    withheld(2900, 3000),
    ...key('Enter', 3200),
    withheld(3500, 3600),
    withheld(9000, 9100),
    ...key('KeyB', 9300),
  ]);
  expect(
    made.map(({ kind, text, keys, withheld, end }) => [kind, text ?? keys?.join('+'), withheld, end.t / MS]),
  ).toEqual([
    ['type', 'a', undefined, 40],
    ['press', 'Tab', undefined, 240],
    ['type', undefined, true, 3000],
    ['press', 'Enter', undefined, 3240],
    ['type', undefined, true, 3600],
    ['type', undefined, true, 9100],
    ['type', 'b', undefined, 9340],
  ]);
});

test('A17: without keys it makes no action, and the next key says by itself which modifiers are held', () => {
  const shift: RawEvent[] = [...key('ShiftLeft', 0)];
  const made = actions([...shift, withheld(500, 500, 0), ...key('Tab', 520, 1)]);
  expect(made.at(-1)?.keys).toEqual(['shift', 'Tab']);
  expect(made.some(({ withheld }) => withheld)).toBe(false);
});

test('A17: in a pause it makes nothing', () => {
  expect(actions([{ type: 'pause', t: 0, reason: 'user' }, withheld(10, 20)])).toEqual([]);
});

test('A17, A1: whatever lies around it, every input event stands in one place and each line with keys is in one action', () => {
  const one = fc.oneof(
    fc.constantFrom('KeyA', 'Tab', 'ShiftLeft').map((code) => ({ code })),
    fc.record({ keys: fc.integer({ min: 0, max: 9 }) }),
    fc.constant({ click: true as const }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(one, fc.integer({ min: 0, max: 5000 })), { maxLength: 40 }), (steps) => {
      let t = 0;
      const events = steps.flatMap(([step, gap]): RawEvent[] => {
        t += gap + 50;
        if ('code' in step) return key(step.code, t);
        if ('keys' in step) return [withheld(t - 10, t, step.keys)];
        return [
          { type: 'down', t: t * MS, x: 1, y: 1, button: 'left' },
          { type: 'up', t: (t + 30) * MS, x: 1, y: 1, button: 'left' },
        ];
      });
      const { actions: made, conservation } = reduced(events);
      const placed = Object.values(conservation)
        .flat()
        .flatMap(([from, to]) => {
          return Array.from({ length: to - from + 1 }, (_, i) => from + i);
        });
      const inputs = events.flatMap((event, at) => (event.type === 'withheld' ? [] : [at]));
      expect(placed.sort((a, b) => a - b)).toEqual(inputs);
      const typed = made.filter(({ withheld }) => withheld);
      for (const event of events) {
        if (event.type !== 'withheld' || event.keys === 0) continue;
        expect(typed.filter(({ start, end }) => start.t <= event.from && end.t >= event.t)).toHaveLength(1);
      }
      expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
    }),
  );
});
