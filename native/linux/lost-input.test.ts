import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillLost, turnRecord } from './lost-input.ts';
import type { Recorded } from './record.ts';

type Key = { type: 'keydown' | 'keyup' | 'down' | 'up'; time: number; detail: number };
const STATE = { mods: 1, group: 0, latched: 0, locked: 2, controls: 0 };
const piece = (key: Key, place = { x: 5, y: 6 }): Recorded => ({ ...key, ...place, mods: 1, group: 0 });
const mapping = (first: number): Recorded => ({ type: 'mapping', first, width: 1, keysyms: [97] });

/** What was taken in, as words; `lost` among it. */
function filling({ isKept = () => false }: { isKept?(): boolean } = {}) {
  const taken: string[] = [];
  let ms = 0;
  const parts = fillLost({
    now: () => ms,
    isKept,
    take: (one) => void taken.push(wordOf(one)),
    lost: (raw) => void taken.push(`lost ${wordOf(raw)}`),
  });
  const later = (by: number): void => {
    ms += by;
    parts.emptied(ms);
    parts.turn();
  };
  /** The thread gets no turn for so long, and looks at nothing of RECORD's before it goes on. */
  const starve = (by: number): void => {
    ms += by;
    parts.turn();
  };
  return { ...parts, taken, later, starve };
}
const wordOf = (one: Recorded | Key): string =>
  'detail' in one ? `${one.type} ${one.detail} at ${one.time}` : one.type === 'mapping' ? `map ${one.first}` : one.type;

const down = (detail: number, time: number): Key => ({ type: 'keydown', detail, time });
const raw = (key: Key) => ({ raw: key, held: STATE });

test('a key that RECORD lacks is filled in where it was pressed between two changes of the keymap', () => {
  const { told, recorded, mayLose, later, taken } = filling();
  mayLose();
  for (const first of [8, 9]) recorded(mapping(first));
  recorded(piece(down(9, 11)));
  told('keymap');
  told(raw(down(8, 10)));
  told('keymap');
  told(raw(down(9, 11)));
  later(1);
  expect(taken).toEqual(['map 8', 'keydown 8 at 10', 'map 9', 'keydown 9 at 11']);
});

test('while little lies unread what RECORD lacks was nothing, and nothing waits', () => {
  const { told, recorded, later, taken } = filling();
  told(raw(down(8, 10)));
  recorded(piece(down(9, 11)));
  later(0);
  told(raw(down(9, 11)));
  later(5000);
  expect(taken).toEqual(['keydown 9 at 11']);
});

test('what the server keeps to itself is not filled in; keys that repeat are told by RECORD alone', () => {
  const { told, recorded, mayLose, later, taken } = filling({ isKept: () => true });
  mayLose();
  told(raw(down(67, 10)));
  recorded(piece(down(38, 20)));
  later(1000);
  later(5000);
  expect(taken).toEqual(['keydown 38 at 20']);
});

test('a button is filled in where the pointer rested, and lost where it moved meanwhile', () => {
  const click: Key = { type: 'down', detail: 1, time: 20 };
  for (const [next, found] of [
    [{ x: 5, y: 6 }, 'down 1 at 20'],
    [{ x: 50, y: 6 }, 'lost down 1 at 20'],
  ] as const) {
    const { told, recorded, mayLose, later, taken } = filling();
    mayLose();
    for (const key of [down(8, 10), click, down(9, 30)]) told(raw(key));
    recorded(piece(down(8, 10)));
    recorded(piece(down(9, 30), next));
    later(1);
    expect(taken).toEqual(['keydown 8 at 10', found, 'keydown 9 at 30']);
  }
});

test('a thread that got no turn since the last look at RECORD takes nothing for lost that RECORD tells at the next', () => {
  const { told, recorded, mayLose, later, starve, taken } = filling();
  mayLose();
  const [press, release]: Key[] = [
    { type: 'down', detail: 1, time: 20 },
    { type: 'up', detail: 1, time: 60 },
  ];
  recorded(piece(press!));
  told(raw(press!));
  later(1);
  told(raw(release!));
  starve(4000);
  recorded(piece(release!));
  later(1);
  later(5000);
  expect(taken).toEqual(['down 1 at 20', 'up 1 at 60']);
});

test('keys that the other tells of before a release, which the window manager held back, are taken in once', () => {
  const { told, recorded, mayLose, later, taken } = filling();
  mayLose();
  const [press, release]: Key[] = [
    { type: 'down', detail: 1, time: 20 },
    { type: 'up', detail: 1, time: 20 },
  ];
  const keys = [down(54, 21), down(32, 22)];
  for (const key of [press!, ...keys, release!]) told(raw(key));
  recorded(piece(press!));
  recorded(piece(release!));
  later(1);
  for (const key of keys) recorded(piece(key));
  later(1);
  later(5000);
  expect(taken).toEqual(['down 1 at 20', 'up 1 at 20', 'keydown 54 at 21', 'keydown 32 at 22']);
});

test('in whatever order buttons and keys are told of, what RECORD has is taken in once, in its order', () => {
  const event = fc.record({ isKey: fc.boolean(), pass: fc.nat(3), lead: fc.nat(4) });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), fc.array(fc.boolean(), { maxLength: 60 }), (events, turns) => {
      const { told, recorded, mayLose, later, taken } = filling();
      mayLose();
      let time = 100;
      const all = events.map(({ isKey, pass }, n): Key => {
        time += pass;
        return { type: isKey ? 'keydown' : 'up', detail: 8 + n, time };
      });
      // Buttons are held back by a few places, and stay in their order among each other.
      let late = 0;
      const places = all.map(({ type }, n) => {
        if (type === 'up') late = Math.max(late, n + (events[n]?.lead ?? 0));
        return type === 'up' ? late + 0.5 : n;
      });
      const order = all.map((_, n) => n).sort((a, b) => places[a]! - places[b]! || a - b);
      const [one, other] = [all.map((key) => () => recorded(piece(key))), order.map((n) => () => told(raw(all[n]!)))];
      for (const isRecord of turns) {
        (isRecord ? one : other).shift()?.();
        later(1);
      }
      for (const rest of [...other, ...one]) rest();
      later(1);
      later(5000);
      expect(taken).toEqual(all.map(wordOf));
    }),
  );
});

test('a movement of later shows that RECORD has no more of the time before', () => {
  const { told, recorded, mayLose, later, taken } = filling();
  mayLose();
  told(raw(down(8, 10)));
  recorded({ type: 'move', time: 30, detail: 0, x: 1, y: 1, mods: 0, group: 0 });
  later(1);
  expect(taken).toEqual(['move 0 at 30']);
  recorded({ type: 'move', time: 100, detail: 0, x: 2, y: 1, mods: 0, group: 0 });
  later(1);
  expect(taken).toEqual(['move 0 at 30', 'keydown 8 at 10', 'move 0 at 100']);
});

test('whatever keys RECORD loses, all are taken in once, in their order among the changes of the keymap', () => {
  const step = fc.record({
    isMap: fc.boolean(),
    detail: fc.integer({ min: 8, max: 12 }),
    after: fc.integer({ min: 0, max: 2 }),
    isUp: fc.boolean(),
    isLost: fc.boolean(),
    turns: fc.nat(2),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(20), (steps, lag) => {
      const { told, recorded, mayLose, later, taken } = filling();
      mayLose();
      let time = 0;
      const truth = steps.map((one) => {
        time += one.after;
        return { ...one, key: { type: one.isUp ? 'keyup' : 'keydown', detail: one.detail, time } as const };
      });
      const tell = (at: number): void => {
        const one = truth[at];
        if (one) told(one.isMap ? 'keymap' : raw(one.key));
      };
      truth.forEach((one, at) => {
        if (one.isMap) recorded(mapping(at));
        else if (!one.isLost) recorded(piece(one.key));
        tell(at - lag);
        for (let i = 0; i < one.turns; i++) later(1);
      });
      for (let at = Math.max(0, truth.length - lag); at < truth.length; at++) tell(at);
      for (let i = 0; i < 3; i++) later(1600);
      expect(taken).toEqual(truth.map((one, at) => (one.isMap ? `map ${at}` : wordOf(one.key))));
    }),
  );
});

test('much that was read counts as much that lay unread: a busy machine may take its time away between the two', () => {
  const heard = (unread: number, turn: number): number => {
    let calls = 0;
    turnRecord({ unread: () => unread, turn: () => turn }, () => void calls++);
    return calls;
  };
  expect(heard(100, 200)).toBe(0);
  expect(heard(12_000, 12_000)).toBe(1);
  expect(heard(100, 12_000)).toBe(1);
});
