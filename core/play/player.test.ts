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
  tookOf,
} from './player.ts';

const stepArbitrary = fc.record({
  id: fc.uuid(),
  aimed: fc.boolean(),
  gapMs: fc.nat(5000),
  settleMs: fc.nat(2000),
  laterMs: fc.nat(4000),
});
const shift = { x: 0, y: 0 };
const there: SightBefore = { there: true, shift };
const absent: SightBefore = { there: false, why: 'not there' };
const beforeArbitrary = fc.constantFrom<SightBefore>(there, absent, { there: true, shift: { x: 4, y: -2 } });
const afterArbitrary = fc.constantFrom<SightAfter>(
  { same: true },
  { same: true, doubt: 'spoilt' },
  { same: true, followed: false },
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
  { weight: 2, arbitrary: fc.record({ type: fc.constant('rested' as const), pass: fc.nat(3000) }) },
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
    const wanted = commandOf(player);
    // Hands act when they are asked to; an `acted` that nobody asked for is noise.
    if (input.type === 'acted' && wanted.do === 'act') acts.push({ at: wanted.at, now });
    player = advance(player, { ...input, now } as Input);
    if (player.stopped) expect(commandOf(player)).toEqual({ do: 'end' });
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
  const steps = [1, 2].map((n) => ({ id: `s${n}`, aimed: true, gapMs: 500, settleMs: 100, laterMs: 0 }));
  let player = newPlayer(steps, { pace: 'ready', patienceMs: 2000 }, 0);
  expect(commandOf(player)).toEqual({ do: 'look', at: 0, when: 'before', notBefore: 0, shift });
  player = advance(player, { type: 'before', now: 10, sight: there });
  expect(commandOf(player)).toEqual({ do: 'act', at: 0, shift });
  player = advance(player, { type: 'acted', now: 20 });
  player = advance(player, { type: 'after', now: 30, sight: { same: false, why: 'not yet' } });
  expect(commandOf(player)).toMatchObject({ do: 'look', at: 0, when: 'after' });
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
  const steps = [1, 2, 3].map((n) => ({ id: `s${n}`, aimed: false, gapMs: 0, settleMs: 0, laterMs: 0 }));
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
  const steps = [{ id: 's1', aimed: true, gapMs: 0, settleMs: 0, laterMs: 0 }];
  const begin = newPlayer(steps, { pace: 'ready', patienceMs: 4000 }, 0);
  const waiting = advance(begin, { type: 'before', now: 3000, sight: absent });
  expect(waiting.stopped).toBeNull();
  expect(commandOf(advance(waiting, { type: 'before', now: 3100, sight: there }))).toMatchObject({ do: 'act' });
  const missing = advance(waiting, { type: 'before', now: 4000, sight: absent });
  expect(missing.played).toEqual([{ step: 's1', verdict: 'missing', shift, waited: 4000, why: 'not there' }]);
});

test('PL22: an element that was found once is looked for again, however late it is', () => {
  const steps = [{ id: 's1', aimed: true, gapMs: 0, settleMs: 0, laterMs: 0 }];
  const begin = newPlayer(steps, { pace: 'ready', patienceMs: 4000 }, 0);
  // The first search took longer than the patience.
  const once = advance(begin, { type: 'before', now: 6121, sight: { ...absent, foundOnce: true } });
  expect(once.stopped).toBeNull();
  expect(commandOf(advance(once, { type: 'before', now: 9000, sight: there }))).toMatchObject({ do: 'act' });
  expect(advance(once, { type: 'before', now: 9000, sight: absent }).stopped?.step).toBe('s1');
});

test('PL4: with the recorded pace no step comes earlier than it came', () => {
  const steps = [1, 2].map((n) => ({ id: `s${n}`, aimed: false, gapMs: 700, settleMs: 0, laterMs: 0 }));
  let player = newPlayer(steps, { pace: 'recorded', patienceMs: 1000 }, 0);
  player = advance(player, { type: 'before', now: 699, sight: there });
  expect(commandOf(player).do).toBe('look');
  player = advance(player, { type: 'before', now: 700, sight: there });
  expect(commandOf(player).do).toBe('act');
});

test('PL22: the report names the element that a target was found by, and only of the step that it was', () => {
  const element = { role: 'push button', name: 'OK' };
  const steps = [1, 2, 3].map((n) => ({ id: `s${n}`, aimed: true, gapMs: 0, settleMs: 0, laterMs: 0 }));
  let now = 0;
  const step = (from: Player, sight: SightBefore): Player => {
    const acted = advance(advance(from, { type: 'before', now: ++now, sight }), { type: 'acted', now: ++now });
    return advance(acted, { type: 'after', now: ++now, sight: { same: true } });
  };
  let player = newPlayer(steps, { pace: 'ready', patienceMs: 2000 }, 0);
  player = step(player, { there: true, shift: { x: 300, y: -4 }, element });
  player = step(player, { there: true, shift, element });
  player = step(player, there);
  // The last one is looked at once more, at rest.
  player = advance(advance(player, { type: 'rested', now: ++now }), {
    type: 'after',
    now: ++now,
    sight: { same: true },
  });
  expect(player.played.map(({ verdict, element: by, why }) => [verdict, by, why])).toEqual([
    ['moved', element, 'found 300, -4 px from its place by its element (push button “OK”)'],
    ['same', element, 'found by its element (push button “OK”), since it looks other than before the step'],
    ['same', undefined, ''],
  ]);
});

/** A step of a world that a play meets. All times in ms; null: never. */
const worldStep = fc.record({
  step: stepArbitrary,
  /** When its target is there after the step before, and how far it has moved. */
  comes: fc.option(fc.nat(9000), { freq: 12 }),
  moved: fc.boolean(),
  /** When what it changes shows after it, and what follows by itself; whether it spoils the next step. */
  shows: fc.option(fc.nat(9000), { freq: 12 }),
  follows: fc.option(fc.nat(3000), { freq: 3 }),
  spoils: fc.boolean(),
  /** How long each look and act at it take. */
  look: fc.integer({ min: 1, max: 400 }),
  act: fc.integer({ min: 1, max: 2000 }),
});
type WorldStep = typeof worldStep extends fc.Arbitrary<infer T> ? T : never;
const PATIENCE_MS = 2000;
const HAS_MOVED = { x: 40, y: 0 };

type Look = { at: number; when: 'before' | 'after'; asked: number; now: number; same: boolean };

/** Plays in a world: does whatever the player wishes, each in its time, and notes it. */
function playIn(world: readonly WorldStep[], pace: 'recorded' | 'ready', { restMs = 500, breaks = false } = {}) {
  let now = 0;
  let changed = 0;
  let rested: number | null = null;
  const looks: Look[] = [];
  const rests: { asked: number; now: number }[] = [];
  const acts: number[] = [];
  const shifts: { wanted: { x: number; y: number }; at: number }[] = [];
  let player = newPlayer(
    world.map(({ step }) => step),
    { pace, patienceMs: PATIENCE_MS },
    now,
  );
  for (let commands = 0; ; commands++) {
    if (commands > 20_000) throw new Error('it never ends');
    const command = commandOf(player);
    if (command.do === 'end') return { player, looks, rests, acts, shifts, now };
    const one = world[command.at];
    if (!one) throw new Error(`there is no step ${command.at}`);
    const asked = now;
    if ('notBefore' in command) now = Math.max(now, command.notBefore);
    if (command.do === 'act') {
      now += one.act;
      acts[command.at] = now;
      changed = now;
      player = advance(player, { type: 'acted', now });
      continue;
    }
    if (command.do === 'rest') {
      expect(command.atMostMs).toBe(PATIENCE_MS);
      now += Math.min(restMs, command.atMostMs);
      rested = now;
      rests.push({ asked, now });
      player = advance(player, { type: 'rested', now });
      continue;
    }
    shifts.push({ wanted: command.shift, at: command.at });
    now += one.look;
    const since = now - changed;
    if (command.when === 'before') {
      const same = one.comes !== null && since >= one.comes;
      looks.push({ at: command.at, when: 'before', asked, now, same });
      const sight: SightBefore = same ? { there: true, shift: one.moved ? HAS_MOVED : shift } : absent;
      player = advance(player, { type: 'before', now, sight });
      continue;
    }
    const isBroken = breaks && rested !== null;
    const same = one.shows !== null && since >= one.shows && !isBroken;
    looks.push({ at: command.at, when: 'after', asked, now, same });
    const sight: SightAfter = same
      ? {
          same,
          ...(one.spoils && { doubt: 'spoilt' }),
          followed: one.follows !== null && since >= one.follows,
        }
      : { same, why: 'other' };
    const { at } = player;
    player = advance(player, { type: 'after', now, sight });
    // A step that is done is what the screen before the next one is counted from.
    if (player.at > at) changed = now;
  }
}

const worlds = fc.array(worldStep, { minLength: 1, maxLength: 6 });

test('PL2, PL3: no step is given up within the patience, and none is looked at again after it', () => {
  fc.assert(
    fc.property(worlds, paces, (world, pace) => {
      const { player, looks, acts } = playIn(world, pace);
      const ended = player.played.length;
      for (const [at, { step }] of world.entries()) {
        const [before, after] = (['before', 'after'] as const).map((when) =>
          looks.filter((look) => look.at === at && look.when === when && !look.same),
        );
        // From the end of the step before, which the first look of each step begins with, and from the act.
        const since = player.played.length > 0 && at > 0 ? looks.findLast((look) => look.at === at - 1)?.now : 0;
        const due = (since ?? 0) + (pace === 'recorded' ? step.gapMs : 0);
        for (const look of before?.slice(0, -1) ?? []) expect(look.now).toBeLessThan(due + PATIENCE_MS);
        for (const look of after?.slice(0, -1) ?? [])
          expect(look.now - (acts[at] ?? 0)).toBeLessThan(PATIENCE_MS + 2 * step.settleMs);
        if (at !== looks.at(-1)?.at || !player.stopped) continue;
        const late = looks.at(-1);
        if (late?.when === 'before') expect(late.now).toBeGreaterThanOrEqual(due + PATIENCE_MS);
        else expect((late?.now ?? 0) - (acts[at] ?? 0)).toBeGreaterThanOrEqual(PATIENCE_MS + 2 * step.settleMs);
      }
      // Whatever was seen to be there in its time was carried through.
      expect(player.stopped === null).toBe(ended === world.length && looks.at(-1)?.same === true);
    }),
  );
});

test('PL8: the last step is judged once more after the screen was at rest, as late as in the demonstration', () => {
  fc.assert(
    fc.property(worlds, paces, fc.boolean(), fc.nat(5000), (world, pace, breaks, restMs) => {
      const { player, looks, rests, acts } = playIn(world, pace, { breaks, restMs });
      const last = world.length - 1;
      const firstSame = looks.find(({ at, when, same }) => at === last && when === 'after' && same);
      // Only then, and once.
      expect(rests.length).toBe(firstSame ? 1 : 0);
      if (!firstSame) return;
      const [rest] = rests;
      expect(rest?.asked).toBe(firstSame.now);
      const later = Math.min(world[last]?.step.laterMs ?? 0, PATIENCE_MS);
      expect(rest?.now).toBeGreaterThanOrEqual((acts[last] ?? 0) + later);
      // The look after it decides, and what it finds broken is never called the same.
      const after = looks.slice(looks.indexOf(firstSame) + 1);
      expect(after[0]?.now).toBe((rest?.now ?? 0) + (world[last]?.look ?? 0));
      expect(player.played.at(-1)?.verdict === 'different').toBe(breaks);
      // The time that the screen took to come to rest is none of the play's.
      expect(tookOf(player, 1e9)).toBe(firstSame.now);
    }),
  );
});

test('PL27: what follows by itself is waited for with the pace ready alone, a second and the gap at most', () => {
  fc.assert(
    fc.property(worlds, paces, (world, pace) => {
      const { looks, acts } = playIn(world, pace);
      for (const [at, { follows, look }] of world.entries()) {
        const next = world[at + 1];
        const same = looks.filter((one) => one.at === at && one.when === 'after' && one.same);
        if (!next) continue;
        if (pace === 'recorded') expect(same.length).toBeLessThanOrEqual(1);
        const until = (acts[at] ?? 0) + Math.min(next.step.gapMs, 1000);
        for (const one of same.slice(0, -1)) {
          expect(one.now).toBeLessThan(until);
          expect(follows !== null && one.now - (acts[at] ?? 0) >= follows).toBe(false);
        }
        const goesOn = same.at(-1);
        // At the first look that is late, or at which it is there.
        if (same.length > 1) expect(goesOn?.now).toBeLessThan(until + 60 + look);
      }
    }),
  );
});

test('PL26: a doubt stops no play by itself, and is what a step is named for when the next one never comes', () => {
  fc.assert(
    fc.property(worlds, paces, (world, pace) => {
      const { player, looks } = playIn(world, pace);
      const without = playIn(
        world.map((one) => ({ ...one, spoils: false })),
        pace,
      );
      expect(looks).toEqual(without.looks);
      const missed = looks.at(-1);
      const named = player.stopped?.why === 'spoilt';
      const isDoubted = missed?.when === 'before' && missed.at > 0 && world[missed.at - 1]?.spoils === true;
      expect(named).toBe(player.stopped !== null && isDoubted);
      if (named) expect(player.stopped?.step).toBe(world[(missed?.at ?? 0) - 1]?.step.id);
    }),
  );
});

test('PL20: the next target is looked for first where the step before found its own', () => {
  fc.assert(
    fc.property(worlds, paces, (world, pace) => {
      const { player, shifts, acts } = playIn(world, pace);
      for (const { wanted, at } of shifts) {
        const before = acts[at] === undefined ? at - 1 : null;
        if (before !== null) expect(wanted).toEqual(before >= 0 && world[before]?.moved ? HAS_MOVED : shift);
      }
      expect(player.played.length).toBeLessThanOrEqual(world.length);
    }),
  );
});
