import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PauseReason } from '../../schemas/events.ts';
import { createGate, type Gate, type GateItem, PICTURE_LEAD, PICTURE_TAIL, type Released } from './gate.ts';

type Item = GateItem & { what: string };
const MS = 1000;
const said = (out: Released<Item>[]): string[] =>
  out.map((one) => (one.kind === 'item' ? one.item.what : `${one.kind} ${one.reason} ${one.t}`));
const gateWithList = (): Gate<Item> => createGate<Item>({ watching: true });
/** A look of no length. */
const look = (gate: Gate<Item>, t: number, allowed: boolean): void => gate.look({ asked: t, done: t, allowed });
const add = (gate: Gate<Item>, t: number, what: string): void => gate.add({ t, what });

describe('with a list', () => {
  test('nothing is let out before the first look, nor what comes after the last one', () => {
    const gate = gateWithList();
    add(gate, 10, 'a');
    expect(said(gate.take())).toEqual([]);
    look(gate, 20, true);
    add(gate, 30, 'b');
    expect(said(gate.take())).toEqual(['a']);
    look(gate, 40, true);
    expect(said(gate.take())).toEqual(['b']);
  });

  test('a window that is left out from the start is never let out', () => {
    const gate = gateWithList();
    add(gate, 10, 'a');
    look(gate, 20, false);
    add(gate, 30, 'b');
    look(gate, 40, false);
    expect(said(gate.take())).toEqual(['pause excluded-app 20']);
    gate.look({ asked: 50, done: 60, allowed: true });
    // It may still have been there at 55.
    add(gate, 55, 'c');
    add(gate, 65, 'd');
    look(gate, 70, true);
    expect(said(gate.take())).toEqual(['resume excluded-app 60', 'd']);
  });

  test('the cut begins at the last look at which another window was in front', () => {
    const gate = gateWithList();
    look(gate, 100, true);
    add(gate, 100, 'before');
    add(gate, 101, 'typed into it');
    look(gate, 110, false);
    expect(said(gate.take())).toEqual(['before', 'pause excluded-app 101']);
  });

  test('a picture waits longer than a key: a window is drawn before it has the keyboard', () => {
    const gate = gateWithList();
    look(gate, 1_000 * MS, true);
    expect(gate.pictures()).toEqual({ to: 1_000 * MS - PICTURE_LEAD, cuts: [] });
    look(gate, 1_010 * MS, false);
    const from = 1_000 * MS + 1 - PICTURE_LEAD;
    expect(gate.pictures()).toEqual({
      to: 1_000 * MS - PICTURE_LEAD,
      cuts: [{ from, to: Number.POSITIVE_INFINITY }],
    });
    expect(gate.cutsPictures()).toBe(true);
    look(gate, 1_500 * MS, true);
    expect(gate.pictures()).toEqual({ to: 1_500 * MS - 1, cuts: [{ from, to: 1_500 * MS + PICTURE_TAIL }] });
  });

  test('no picture is taken right after it: a window that is gone may still fade away on the screen', () => {
    const gate = gateWithList();
    look(gate, 1_000 * MS, true);
    look(gate, 1_010 * MS, false);
    look(gate, 1_500 * MS, true);
    add(gate, 1_510 * MS, 'typed right after');
    look(gate, 1_500 * MS + PICTURE_TAIL - 1, true);
    expect(gate.cutsPictures()).toBe(true);
    expect(said(gate.take())).toContain('typed right after');
    look(gate, 1_500 * MS + PICTURE_TAIL, true);
    expect(gate.cutsPictures()).toBe(false);
    expect(gate.pictures().cuts.at(-1)?.to).toBe(1_500 * MS + PICTURE_TAIL);
  });

  test('a pause of the person hides that a window which is left out came and went', () => {
    const gate = gateWithList();
    look(gate, 10, true);
    gate.pause(20, 'privacy');
    look(gate, 30, false);
    look(gate, 40, true);
    gate.resume(50, 'privacy');
    look(gate, 60, true);
    expect(said(gate.take())).toEqual(['pause privacy 20', 'resume privacy 50']);
  });

  test('a pause that ends on such a window goes over into its pause', () => {
    const gate = gateWithList();
    look(gate, 10, true);
    gate.pause(20, 'user');
    look(gate, 30, false);
    gate.resume(50, 'user');
    add(gate, 55, 'secret');
    look(gate, 60, true);
    expect(said(gate.take())).toEqual([
      'pause user 20',
      'resume user 50',
      'pause excluded-app 50',
      'resume excluded-app 60',
    ]);
  });
});

describe('without a list', () => {
  test('nothing waits', () => {
    const gate = createGate<Item>({ watching: false });
    add(gate, 10, 'a');
    expect(said(gate.take())).toEqual(['a']);
    expect(gate.pictures().to).toBe(Number.POSITIVE_INFINITY);
  });

  test('late input of an earlier pause is not written, that of a time between two is', () => {
    const gate = createGate<Item>({ watching: false });
    for (const [from, to] of [
      [10, 20],
      [30, 40],
      [50, 60],
    ] as const) {
      gate.pause(from, 'privacy');
      gate.resume(to, 'privacy');
    }
    gate.pause(70, 'privacy');
    gate.take();
    for (const t of [5, 15, 25, 35, 45, 55, 65, 75]) add(gate, t, `at ${t}`);
    expect(said(gate.take())).toEqual(['at 5', 'at 25', 'at 45', 'at 65']);
  });

  test('a pause takes the recorder’s own word and the keys that began it, but no other', () => {
    const gate = createGate<Item>({ watching: false });
    gate.pause(10, 'user');
    gate.add({ t: 10, own: true, what: 'the shortcut' });
    gate.add({ t: 12, always: true, what: 'an anchor' });
    add(gate, 12, 'a title');
    expect(said(gate.take())).toEqual(['pause user 10', 'the shortcut', 'an anchor']);
  });
});

/** A person's acts and the windows in front, in steps of a millisecond or more. */
type Step =
  | { do: 'wait'; ms: number }
  | { do: 'input' }
  | { do: 'front'; allowed: boolean }
  | { do: 'toggle'; reason: PauseReason };
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('input' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('front' as const), allowed: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('toggle' as const),
      reason: fc.constantFrom<PauseReason>('user', 'privacy', 'sync'),
    }),
  },
);

test('laws: nothing of a window that is left out or of a pause comes out; nothing else is lost; order stays', () => {
  const delays = fc.infiniteStream(fc.integer({ min: 0, max: 60 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.boolean(), delays, (steps: Step[], watching, late) => {
      // The truth first: a window stays in front for at least one look, which is what looks that are told of changes give.
      let now = 0;
      let allowed = true;
      const open = new Set<PauseReason>();
      type Happening = { at: number; run(gate: Gate<Item>): void };
      const happenings: Happening[] = [];
      const truth: { t: number; front: boolean; paused: boolean; sinceFront: number }[] = [];
      const lookNow = (): void => {
        now += 1;
        const [asked, seen] = [now, allowed];
        now += 1;
        const done = now;
        happenings.push({ at: done, run: (gate) => gate.look({ asked, done, allowed: seen }) });
      };
      let frontAt = Number.NEGATIVE_INFINITY;
      const input = (delay: number): void => {
        const t = now;
        const n = truth.length;
        truth.push({ t, front: allowed, paused: open.size > 0, sinceFront: frontAt });
        happenings.push({ at: t + delay, run: (gate) => gate.add({ t, what: String(n) }) });
      };
      lookNow();
      for (const one of [...steps, { do: 'wait' as const, ms: 1 }]) {
        now += 1;
        if (one.do === 'wait') {
          now += one.ms;
          lookNow();
        } else if (one.do === 'input') {
          input(late.next().value ?? 0);
        } else if (one.do === 'front') {
          if (one.allowed !== allowed) frontAt = now;
          allowed = one.allowed;
          // Typed into it before anybody could look.
          now += 1;
          input(0);
          lookNow();
        } else {
          const t = now;
          const { reason } = one;
          const was = open.delete(reason);
          if (!was) open.add(reason);
          happenings.push({ at: t, run: (gate) => (was ? gate.resume(t, reason) : gate.pause(t, reason)) });
        }
      }
      const gate = createGate<Item>({ watching });
      const out: Released<Item>[] = [];
      for (const { run } of happenings.toSorted((a, b) => a.at - b.at)) {
        run(gate);
        out.push(...gate.take());
      }
      look(gate, now + 1000, true);
      out.push(...gate.take());
      expect(gate.waiting()).toBe(0);

      const written = new Set(out.flatMap((one) => (one.kind === 'item' ? [Number(one.item.what)] : [])));
      for (const [n, { t, front, paused, sinceFront }] of truth.entries()) {
        if (paused || (watching && !front)) expect(written.has(n), `input ${n} at ${t}`).toBe(false);
        // Around a change a look's length is lost at most, and what came since the last look before it.
        else if (!watching) expect(written.has(n), `input ${n} at ${t}`).toBe(true);
        else if (t - sinceFront > 4 && nextLookIsGood(t)) expect(written.has(n), `input ${n} at ${t}`).toBe(true);
      }
      function nextLookIsGood(t: number): boolean {
        const probe = createGate<Item>({ watching: true });
        let seen: boolean | null = null;
        const spy = {
          ...probe,
          look: ({ asked, allowed: good }: { asked: number; allowed: boolean }) => {
            if (asked >= t) seen ??= good;
          },
        };
        for (const { run } of happenings) run(spy);
        return seen ?? true;
      }
      // One pause at a time, in order.
      const marks = out.flatMap((one) => (one.kind === 'item' ? [] : [one]));
      for (const [i, mark] of marks.entries()) {
        expect(mark.kind).toBe(i % 2 === 0 ? 'pause' : 'resume');
        if (i % 2 === 1) expect(mark.reason).toBe(marks[i - 1]?.reason);
        expect(mark.t).toBeGreaterThanOrEqual(marks[i - 1]?.t ?? 0);
      }
    }),
    { numRuns: 400 },
  );
});

describe('forgetting', () => {
  const always = (gate: Gate<Item>, t: number, what: string): void => gate.add({ t, what, always: true });

  test('nothing of the time comes out any more, however late it comes; the clock does', () => {
    const gate = createGate<Item>({ watching: false });
    add(gate, 10, 'before');
    add(gate, 40, 'after');
    always(gate, 41, 'view');
    gate.add({ t: 42, what: 'anchor', always: true, ever: true });
    gate.forget(30);
    add(gate, 35, 'late');
    always(gate, 36, 'late view');
    gate.add({ t: 55, what: 'own', own: true });
    expect(gate.shown()).toBe('forgotten');
    expect(gate.cutsPictures()).toBe(true);
    expect(gate.pictures().cuts).toEqual([{ from: 30, to: Number.POSITIVE_INFINITY }]);
    gate.resume(60, 'forgotten');
    add(gate, 59, 'later still');
    always(gate, 44, 'very late view');
    add(gate, 61, 'new');
    expect(said(gate.take())).toEqual(['before', 'anchor', 'resume forgotten 60', 'new']);
    expect([gate.isCut(29), gate.isCut(30), gate.isCut(59), gate.isCut(60)]).toEqual([false, true, true, false]);
  });

  test('a pause that is still open is told again after it; one that ended is not', () => {
    const gate = createGate<Item>({ watching: false });
    gate.pause(10, 'privacy');
    gate.resume(20, 'privacy');
    gate.pause(40, 'user');
    gate.take();
    gate.forget(15);
    expect(gate.shown()).toBe('forgotten');
    gate.resume(60, 'forgotten');
    expect(gate.shown()).toBe('user');
    gate.resume(70, 'user');
    expect(said(gate.take())).toEqual(['resume forgotten 60', 'pause user 60', 'resume user 70']);
  });

  test('a pause that is asked for meanwhile begins when it is over', () => {
    const gate = createGate<Item>({ watching: false });
    gate.forget(15);
    gate.pause(50, 'privacy');
    gate.resume(60, 'forgotten');
    expect(said(gate.take())).toEqual(['resume forgotten 60', 'pause privacy 60']);
  });

  test('twice: one that reaches into the other takes its place', () => {
    const gate = createGate<Item>({ watching: false });
    gate.forget(15);
    gate.resume(20, 'forgotten');
    add(gate, 25, 'a');
    gate.take();
    gate.forget(18);
    gate.resume(40, 'forgotten');
    expect(gate.pictures().cuts).toEqual([{ from: 15, to: 40 }]);
    gate.forget(35);
    gate.resume(50, 'forgotten');
    gate.forget(3);
    gate.resume(90, 'forgotten');
    expect(gate.pictures().cuts).toEqual([{ from: 3, to: 90 }]);
  });

  test('law: whatever came before, nothing from then on is let out but the clock, and all that comes after is', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('item' as const), t: fc.nat(100), always: fc.boolean() }),
      fc.record({
        kind: fc.constantFrom('pause' as const, 'resume' as const),
        t: fc.nat(100),
        reason: fc.constantFrom<PauseReason[]>('user', 'privacy', 'suspend'),
      }),
      fc.record({ kind: fc.constant('take' as const), t: fc.nat(100) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.nat(100), (steps, from) => {
        const gate = createGate<Item>({ watching: false });
        for (const one of steps) {
          if (one.kind === 'item') gate.add({ t: one.t, what: 'x', always: one.always });
          else if (one.kind === 'take') gate.take();
          else gate[one.kind](one.t, one.reason);
        }
        gate.forget(from);
        for (const one of steps) if (one.kind === 'item') gate.add({ t: one.t, what: 'x', always: one.always });
        for (const one of gate.take()) expect(one.kind === 'item' ? one.item.t : one.t).toBeLessThan(from);
        gate.resume(200, 'forgotten');
        for (const reason of ['user', 'privacy', 'suspend'] as const) gate.resume(210, reason);
        gate.add({ t: 220, what: 'new' });
        expect(said(gate.take()).at(-1)).toBe('new');
        expect(gate.shown()).toBeNull();
      }),
    );
  });
});
