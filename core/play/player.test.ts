import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  advance,
  commandOf,
  type Input,
  newPlayer,
  type Player,
  type PlayStep,
  type SightAfter,
  type SightBefore,
} from './player.ts';

const stepArbitrary = fc.record({
  id: fc.uuid(),
  aimed: fc.boolean(),
  gapMs: fc.nat(5000),
  settleMs: fc.nat(2000),
});
const shift = { x: 0, y: 0 };
const there: SightBefore = { there: true, shift };
const absent: SightBefore = { there: false, why: 'not there' };
const beforeArbitrary = fc.constantFrom<SightBefore>(there, absent, { there: true, shift: { x: 4, y: -2 } });
const afterArbitrary = fc.constantFrom<SightAfter>(
  { same: true },
  { same: true, doubt: 'spoilt' },
  { same: false, why: 'other' },
);
const inputArbitrary = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('before' as const), pass: fc.nat(3000), sight: beforeArbitrary }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('acted' as const), pass: fc.nat(300) }) },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('after' as const), pass: fc.nat(3000), sight: afterArbitrary }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('stop' as const), pass: fc.nat(10), why: fc.constant('enough') }),
  },
);
const paces = fc.constantFrom('recorded' as const, 'ready' as const);

type Act = { at: number; now: number };

/** Gives the player whatever happens, wanted or not, and notes each act that it asks for and that is then done. */
function play(
  steps: readonly PlayStep[],
  pace: 'recorded' | 'ready',
  inputs: readonly (typeof inputArbitrary extends fc.Arbitrary<infer T> ? T : never)[],
) {
  let now = 0;
  let player: Player = newPlayer(steps, { pace, patienceMs: 2000 }, now);
  const acts: Act[] = [];
  for (const { pass, ...input } of inputs) {
    now += pass;
    const wanted = commandOf(player, now);
    // Hands act when they are asked to; an `acted` that nobody asked for is noise.
    if (input.type === 'acted' && wanted.do === 'act') acts.push({ at: wanted.at, now });
    player = advance(player, { ...input, now } as Input);
    if (player.stopped) expect(commandOf(player, now)).toEqual({ do: 'end' });
  }
  return { player, acts };
}

test('PL1: acts at most once a step, in order, never after a stop, whatever it sees', () => {
  fc.assert(
    fc.property(
      fc.array(stepArbitrary, { maxLength: 8 }),
      paces,
      fc.array(inputArbitrary, { maxLength: 80 }),
      (steps, pace, inputs) => {
        const { player, acts } = play(steps, pace, inputs);
        expect(acts.map(({ at }) => at)).toEqual([...acts.keys()]);
        expect(acts.length).toBeLessThanOrEqual(steps.length);
        // Every step before the one in hand has its verdict, in order, and they agreed.
        expect(player.played.map(({ step }) => step)).toEqual(steps.slice(0, player.played.length).map(({ id }) => id));
        const disagreed = player.played.filter(({ verdict }) => verdict === 'different' || verdict === 'missing');
        expect(disagreed.length).toBeLessThanOrEqual(1);
        if (disagreed.length === 1) expect(player.stopped?.step).toBe(disagreed[0]?.step);
      },
    ),
  );
});

test('PL2: goes on only after what the step changed was seen, and stops when it never is', () => {
  const steps = [1, 2].map((n) => ({ id: `s${n}`, aimed: true, gapMs: 500, settleMs: 100 }));
  let player = newPlayer(steps, { pace: 'ready', patienceMs: 2000 }, 0);
  expect(commandOf(player, 0)).toEqual({ do: 'look', at: 0, when: 'before', notBefore: 0 });
  player = advance(player, { type: 'before', now: 10, sight: there });
  expect(commandOf(player, 10)).toEqual({ do: 'act', at: 0, shift });
  player = advance(player, { type: 'acted', now: 20 });
  player = advance(player, { type: 'after', now: 30, sight: { same: false, why: 'not yet' } });
  expect(commandOf(player, 30)).toMatchObject({ do: 'look', at: 0, when: 'after' });
  player = advance(player, { type: 'after', now: 1900, sight: { same: true } });
  expect(player.played).toEqual([{ step: 's1', verdict: 'same', shift, waited: 1890, why: '' }]);
  player = advance(player, { type: 'before', now: 1910, sight: { there: true, shift: { x: 40, y: 0 } } });
  player = advance(player, { type: 'acted', now: 1920 });
  player = advance(player, { type: 'after', now: 4000, sight: { same: false, why: 'a dialog' } });
  expect(player.stopped).toBeNull();
  player = advance(player, { type: 'after', now: 4121, sight: { same: false, why: 'a dialog' } });
  expect(player.stopped).toEqual({ step: 's2', why: 'a dialog' });
  expect(player.played.at(-1)).toMatchObject({ step: 's2', verdict: 'different', shift: { x: 40, y: 0 } });
});

test('PL26: a step that spoilt the next one is named when that never comes about, and only then', () => {
  const steps = [1, 2, 3].map((n) => ({ id: `s${n}`, aimed: false, gapMs: 0, settleMs: 0 }));
  const begin = newPlayer(steps, { pace: 'ready', patienceMs: 2000 }, 0);
  const done = (doubt?: string): Player => {
    const acted = advance(advance(begin, { type: 'before', now: 10, sight: there }), { type: 'acted', now: 20 });
    return advance(acted, { type: 'after', now: 30, sight: { same: true, ...(doubt && { doubt }) } });
  };
  const never = advance(done('spoilt'), { type: 'before', now: 2030, sight: absent });
  expect(never.stopped).toEqual({ step: 's1', why: 'spoilt' });
  expect(never.played.map(({ step, verdict, why }) => [step, verdict, why])).toEqual([['s1', 'different', 'spoilt']]);
  // It came right by itself, and what goes wrong afterwards is not its doing.
  const came = advance(advance(done('spoilt'), { type: 'before', now: 1000, sight: there }), {
    type: 'acted',
    now: 1010,
  });
  const later = advance(came, { type: 'after', now: 1020, sight: { same: true } });
  expect(advance(later, { type: 'before', now: 3020, sight: absent }).stopped?.step).toBe('s3');
  expect(advance(done(), { type: 'before', now: 2030, sight: absent }).stopped?.step).toBe('s2');
});

test('PL3: a target that comes late is waited for; one that never comes is missing', () => {
  const steps = [{ id: 's1', aimed: true, gapMs: 0, settleMs: 0 }];
  const begin = newPlayer(steps, { pace: 'ready', patienceMs: 4000 }, 0);
  const waiting = advance(begin, { type: 'before', now: 3000, sight: absent });
  expect(waiting.stopped).toBeNull();
  expect(commandOf(advance(waiting, { type: 'before', now: 3100, sight: there }), 3100)).toMatchObject({ do: 'act' });
  const missing = advance(waiting, { type: 'before', now: 4000, sight: absent });
  expect(missing.played).toEqual([{ step: 's1', verdict: 'missing', shift, waited: 4000, why: 'not there' }]);
});

test('PL4: with the recorded pace no step comes earlier than it came', () => {
  const steps = [1, 2].map((n) => ({ id: `s${n}`, aimed: false, gapMs: 700, settleMs: 0 }));
  let player = newPlayer(steps, { pace: 'recorded', patienceMs: 1000 }, 0);
  player = advance(player, { type: 'before', now: 699, sight: there });
  expect(commandOf(player, 699).do).toBe('look');
  player = advance(player, { type: 'before', now: 700, sight: there });
  expect(commandOf(player, 700).do).toBe('act');
});

test('PL22: the report names the element that a target was found by, and only of the step that it was', () => {
  const element = { role: 'push button', name: 'OK' };
  const steps = [1, 2, 3].map((n) => ({ id: `s${n}`, aimed: true, gapMs: 0, settleMs: 0 }));
  let now = 0;
  const step = (from: Player, sight: SightBefore): Player => {
    const acted = advance(advance(from, { type: 'before', now: ++now, sight }), { type: 'acted', now: ++now });
    return advance(acted, { type: 'after', now: ++now, sight: { same: true } });
  };
  let player = newPlayer(steps, { pace: 'ready', patienceMs: 2000 }, 0);
  player = step(player, { there: true, shift: { x: 300, y: -4 }, element });
  player = step(player, { there: true, shift, element });
  player = step(player, there);
  expect(player.played.map(({ verdict, element: by, why }) => [verdict, by, why])).toEqual([
    ['moved', element, 'found 300, -4 px from its place by its element (push button “OK”)'],
    ['same', element, 'found by its element (push button “OK”), since it looks other than before the step'],
    ['same', undefined, ''],
  ]);
});
