import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FocusKind } from '../../native/elements/focus.ts';
import type { FocusLook } from './key-judge.ts';
import { judgeKeys, SETTLES } from './key-judge.ts';
import { followKeyboard } from './keyboard-follow.ts';

const MS = 1000;
/**
 * So long after a key it is judged at the latest, µs, where its program answers at once: on a machine that keeps the asking thread
 * from running for up to a second, behind a question that was put just before the key. Tests of kills count on it, too.
 */
const JUDGED_WITHIN = 1000 * MS + SETTLES + 5 * MS;
const WINDOW = { id: '1', pid: 1, title: '', app: '', popup: false, bounds: null };
function made({ may = true } = {}) {
  const world = {
    now: 0,
    version: 0,
    kind: 'open' as FocusKind,
    window: '1',
    keys: 0,
    paused: false,
    takes: 0,
    asked: 0,
    closely: 0,
  };
  const looks: FocusLook[] = [];
  const follow = followKeyboard({
    now: () => world.now,
    mayBeAsked: () => may,
    tell: (look) => looks.push(look),
    focus: {
      turn(closely) {
        if (closely) world.closely++;
      },
      version: () => world.version,
      window: () => ({ ...WINDOW, id: world.window }),
      kindIn() {
        world.asked++;
        world.now += world.takes;
        return world.kind;
      },
    },
  });
  const run = (ms: number, everyMs = 8): void => {
    for (const until = world.now + ms * MS; world.now < until; world.now += everyMs * MS)
      follow.turn(world.keys, world.paused);
  };
  return { world, looks, run, isSettled: follow.isSettled };
}

test('nobody is asked while no key comes and no focus moves', () => {
  const { world, run } = made();
  run(1000);
  const before = world.asked;
  run(60_000);
  expect(world.asked).toBe(before);
});

test.each([
  ['does not answer', { kind: 'unanswered', takes: 0 }],
  ['answers late', { kind: 'open', takes: 200 * MS }],
] as const)('a program in front that %s is asked until it answers at once, before the first key', (_, slow) => {
  const { world, looks, run, isSettled } = made();
  Object.assign(world, slow);
  run(1000);
  expect(world.asked).toBeGreaterThan(2);
  expect(isSettled()).toBe(false);
  // As a program tells more when it has come up.
  Object.assign(world, { kind: 'open', takes: 0, version: 1 });
  run(200);
  expect(isSettled()).toBe(true);
  const [settled, asked] = [world.now, world.asked];
  run(1000);
  expect(world.asked).toBe(asked);
  world.keys++;
  run(1000);
  const judge = judgeKeys();
  judge.key(settled + 1000 * MS);
  for (const look of looks) judge.told(look);
  expect(judge.judgedTo(world.now)).toBeGreaterThan(settled + 1000 * MS);
  expect(judge.secretAt(settled + 1000 * MS)).toBeNull();
});

test('one that never answers does not keep a recording from its beginning', () => {
  const { world, run, isSettled } = made();
  world.kind = 'unanswered';
  run(3400);
  expect(isSettled()).toBe(false);
  run(200);
  expect(isSettled()).toBe(true);
  const { asked } = world;
  run(10_000);
  expect(world.asked).toBe(asked);
});

test('which window has the keyboard is asked for with the first key, and always while it is no open field', () => {
  const { world, run } = made();
  run(100);
  world.closely = 0;
  run(10_000);
  expect(world.closely).toBe(0);
  world.keys++;
  run(8);
  expect(world.closely).toBe(1);
  run(2000);
  for (const kind of ['password', 'unanswered'] as const) {
    world.version++;
    world.kind = kind;
    run(8);
    world.closely = 0;
    run(8000);
    expect(world.closely).toBeGreaterThanOrEqual(1000);
  }
});

test('after a key it is asked when the key has settled, and once for keys that come fast', () => {
  const { world, looks, run } = made();
  run(100);
  looks.length = 0;
  const t = world.now;
  for (let i = 0; i < 5; i++) {
    world.keys++;
    run(20);
  }
  run(1000);
  expect(looks.length).toBeLessThanOrEqual(2);
  expect(looks[0]!.asked).toBeGreaterThanOrEqual(t + SETTLES);
  expect(looks.at(-1)!.asked).toBeGreaterThanOrEqual(t + 80 * MS + SETTLES);
});

test.each([8, 40, 70, 200])('with turns %i ms apart each of many keys is judged in time', (everyMs) => {
  const { world, looks, run } = made();
  run(1000);
  const judge = judgeKeys();
  const keys: number[] = [];
  for (let n = 0; n < 100; n++) {
    world.keys++;
    keys.push(world.now);
    judge.key(world.now);
    run(everyMs, everyMs);
    for (const look of looks.splice(0)) judge.told(look);
    const late = keys.filter((t) => t > judge.judgedTo(world.now) && world.now - t > JUDGED_WITHIN + everyMs * MS);
    expect(late).toEqual([]);
  }
  expect(keys.filter((t) => judge.secretAt(t) !== null)).toEqual([]);
});

test('a focus that moves is told at once, and not longer ago than the turn before', () => {
  const { world, looks, run } = made();
  run(1000);
  looks.length = 0;
  world.kind = 'password';
  world.version++;
  const t = world.now;
  run(16);
  expect(looks).toHaveLength(1);
  expect(looks[0]).toMatchObject({ kind: 'password', asked: t });
  expect(looks[0]!.after).toBe(t - 8 * MS);
});

test('what no program told of may be so since the last question', () => {
  const { world, looks, run } = made();
  run(1000);
  world.keys++;
  run(500);
  const last = looks.at(-1)!.asked;
  run(5000);
  world.kind = 'password';
  world.keys++;
  run(500);
  expect(looks.at(-1)).toMatchObject({ kind: 'password', after: last });
});

test('a program that answers late is asked again until it answers at once', () => {
  const { world, looks, run } = made();
  run(100);
  world.takes = 300 * MS;
  world.kind = 'unanswered';
  world.keys++;
  run(2000);
  expect(looks.filter(({ kind }) => kind === 'unanswered').length).toBeGreaterThan(2);
  world.takes = 0;
  world.kind = 'open';
  run(500);
  expect(looks.at(-1)).toMatchObject({ kind: 'open' });
  const count = looks.length;
  run(2000);
  expect(looks).toHaveLength(count);
});

test('what is found after questions that were not answered may have been so since the last that was', () => {
  const { world, looks, run } = made();
  run(1000);
  const last = looks.at(-1)!.asked;
  world.kind = 'unanswered';
  world.keys++;
  run(1000);
  world.kind = 'password';
  run(300);
  expect(looks.at(-1)).toMatchObject({ kind: 'password', after: last, reported: false, unknown: null });
});

test('a program that rests is as it was, as long as nothing is heard of it; then it is asked again', () => {
  const { world, looks, run } = made();
  run(1000);
  looks.length = 0;
  const t = world.now;
  world.kind = 'resting';
  world.keys++;
  run(400);
  expect(looks).toEqual([]);
  world.version++;
  world.kind = 'open';
  run(300);
  expect(looks.map(({ unknown }) => unknown)).toEqual([null]);
  expect(looks[0]!.asked).toBeGreaterThanOrEqual(t + 400 * MS);
  // It moved, and nobody says where to: that is not known.
  world.version++;
  world.kind = 'resting';
  world.keys++;
  run(400);
  world.version++;
  world.kind = 'open';
  run(300);
  expect(looks.some(({ unknown }) => unknown !== null)).toBe(true);
});

test('before the first answer nothing is known', () => {
  const { world, looks, run } = made();
  world.kind = 'unanswered';
  world.keys++;
  run(1000);
  world.kind = 'password';
  run(300);
  expect(looks.at(-1)).toMatchObject({ kind: 'password', after: Number.NEGATIVE_INFINITY, reported: false });
});

test('the answer of another window or field says nothing of one that did not answer', () => {
  const { world, looks, run } = made();
  run(1000);
  const last = looks.at(-1)!.asked;
  world.kind = 'unanswered';
  world.keys++;
  run(500);
  world.kind = 'open';
  run(300);
  expect(looks.at(-1)).toMatchObject({ kind: 'open', unknown: null });
  world.kind = 'unanswered';
  world.keys++;
  run(500);
  const before = looks.at(-2)!;
  expect(before.asked).toBeGreaterThan(last);
  world.version++;
  world.kind = 'open';
  run(300);
  expect(looks.find(({ unknown }) => unknown !== null)).toMatchObject({ kind: 'open' });
});

test('after the focus moved, and it is known where to, it is known again: not only from the answer on', () => {
  const { world, looks, run } = made();
  run(1000);
  world.kind = 'unanswered';
  world.keys++;
  run(500);
  world.version++;
  const moved = world.now;
  run(2000);
  world.kind = 'open';
  run(300);
  const { unknown, asked } = looks.find((look) => look.kind === 'open' && look.unknown !== null)!;
  expect(asked).toBeGreaterThanOrEqual(moved + 2000 * MS);
  expect(unknown!.to).toBeGreaterThanOrEqual(moved);
  expect(unknown!.to).toBeLessThanOrEqual(moved + 8 * MS);
});

test('the answer of another window says nothing of one that answered late', () => {
  const { world, looks, run } = made();
  run(1000);
  world.takes = 200 * MS;
  world.keys++;
  run(500);
  world.takes = 0;
  run(300);
  expect(looks.at(-1)).toMatchObject({ kind: 'open', unknown: null });
  world.takes = 200 * MS;
  world.keys++;
  run(500);
  world.takes = 0;
  world.version++;
  world.window = '2';
  run(300);
  expect(looks.some(({ unknown }) => unknown !== null)).toBe(true);
});

test('where this thread was kept from running, programs were, too: they get more time', () => {
  const { world, looks, run } = made();
  run(1000);
  looks.length = 0;
  const t = world.now;
  world.keys++;
  run(100);
  world.now += 80 * MS;
  run(500);
  expect(looks[0]!.asked).toBeGreaterThanOrEqual(t + 180 * MS + SETTLES);
});

test('in a pause it is asked only for keys from before it', () => {
  const { world, looks, run } = made();
  run(100);
  world.keys++;
  run(8);
  world.paused = true;
  run(500);
  const { asked } = world;
  expect(looks.at(-1)!.asked).toBeGreaterThanOrEqual(SETTLES);
  world.version++;
  run(1000);
  expect(world.asked).toBe(asked);
});

test('a program that may not be asked is not', () => {
  const { world, looks, run } = made({ may: false });
  world.keys++;
  run(1000);
  expect(world.asked).toBe(0);
  expect(looks.at(-1)).toMatchObject({ kind: 'open' });
});

/** A program that hangs at times: keys, and the moves of its focus that it tells of, are taken in their order once it goes on. */
test('whatever a program that hangs takes in a field for passwords is withheld, and what it takes long after is not', () => {
  const input = fc.record({
    gap: fc.integer({ min: 20, max: 900 }),
    tab: fc.boolean(),
    hangs: fc.option(fc.integer({ min: 100, max: 6000 })),
  });
  fc.assert(
    fc.property(fc.array(input, { minLength: 1, maxLength: 12 }), (inputs) => {
      const { world, looks, run } = made();
      const judge = judgeKeys();
      run(1000);
      const queue: { t: number; tab: boolean }[] = [];
      const taken: { t: number; isSecret: boolean }[] = [];
      let [password, hangsTo] = [false, 0];
      const pass = (ms: number): void => {
        for (const until = world.now + ms * MS; world.now < until; ) {
          const goesOn = world.now >= hangsTo;
          while (goesOn && queue.length > 0) {
            const { t, tab } = queue.shift()!;
            if (tab) [password, world.version] = [!password, world.version + 1];
            else taken.push({ t, isSecret: password });
          }
          world.kind = !goesOn ? 'unanswered' : password ? 'password' : 'open';
          run(8);
        }
      };
      const press = (tab: boolean): void => {
        if (tab) judge.moves(world.now);
        else judge.key(world.now);
        queue.push({ t: world.now, tab });
        world.keys++;
      };
      for (const { gap, tab, hangs } of inputs) {
        pass(gap);
        if (hangs !== null) hangsTo = Math.max(hangsTo, world.now + hangs * MS);
        press(tab);
      }
      pass(Math.max(0, (hangsTo - world.now) / MS) + 1000);
      if (password) press(true);
      pass(2000);
      press(false);
      pass(1000);
      for (const look of looks) judge.told(look);
      expect(judge.judgedTo(world.now)).toBeGreaterThanOrEqual(taken.at(-1)!.t);
      expect(taken.filter(({ t, isSecret }) => isSecret && judge.secretAt(t) === null)).toEqual([]);
      expect(judge.secretAt(taken.at(-1)!.t)).toBeNull();
    }),
  );
});
