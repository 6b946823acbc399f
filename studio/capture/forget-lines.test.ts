import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInput, type PauseReason, type RawEvent } from '../../schemas/events.ts';
import { countsOf, forgetEvents } from './forget-lines.ts';

const REASONS: readonly PauseReason[] = ['user', 'privacy', 'sync', 'excluded-app', 'suspend', 'forgotten'];
const t = fc.integer({ min: 0, max: 200 });
const event: fc.Arbitrary<RawEvent> = fc.oneof(
  fc.record({ type: fc.constant('move' as const), t, x: fc.nat(9), y: fc.nat(9) }),
  fc.record({ type: fc.constant('keydown' as const), t, code: fc.constantFrom('KeyA', 'KeyB') }),
  fc.record({ type: fc.constant('mark' as const), t, kind: fc.constant('subtask' as const) }),
  fc.record({ type: fc.constant('notice' as const), t, code: fc.constant('x'), message: fc.constant('y') }),
  fc.record({ type: fc.constant('anchor' as const), t, wallMs: fc.constant(1) }),
  fc.record({ type: fc.constant('locks' as const), t, caps: fc.boolean(), num: fc.boolean() }),
  fc.record({
    type: fc.constant('view' as const),
    t,
    segment: fc.nat(3),
    view: fc.constant({ x: 0, y: 0, width: 9, height: 9 }),
  }),
  fc.record({ type: fc.constantFrom('pause' as const, 'resume' as const), t, reason: fc.constantFrom(...REASONS) }),
  fc.record({ type: fc.constant('own' as const), t, events: fc.array(fc.nat(30)), reason: fc.constant('shortcut') }),
);
/** In any order: input is written with its own time, however late it comes. */
const anyEvents = fc.array(event, { maxLength: 40 });
const anyFrom = fc.integer({ min: -5, max: 210 });
const isClock = (e: RawEvent): boolean => e.type === 'anchor';

test('nothing of the forgotten time stays but the clock, the pause and the ends of others', () => {
  fc.assert(
    fc.property(anyEvents, anyFrom, (events, from) => {
      const left = forgetEvents(events, { from, to: 210 }).events.filter((e) => e.t >= from && !isClock(e));
      for (const e of left) {
        expect(e.t).toBe(from);
        expect(['pause', 'resume', 'own']).toContain(e.type);
        if (e.type === 'pause') expect(e.reason).toBe('forgotten');
      }
    }),
  );
});

test('lines from before stay, word for word and in their order; own lines name the same ones', () => {
  fc.assert(
    fc.property(anyEvents, anyFrom, (events, from) => {
      const { events: left, renumber } = forgetEvents(events, { from, to: 210 });
      const before = (list: readonly RawEvent[]) => list.filter((e) => e.t < from && e.type !== 'own' && !isClock(e));
      expect(before(left)).toEqual(before(events));
      expect(left.filter(isClock)).toHaveLength(events.filter(isClock).length);
      for (const [line, e] of events.entries()) {
        const now = renumber(line);
        expect(now !== null).toBe(e.t < from);
        if (now !== null && e.type !== 'own') expect(left[now]).toBe(e);
      }
      const namedIn = (list: readonly RawEvent[]) =>
        new Set(list.flatMap((e) => (e.type === 'own' ? e.events.flatMap((line) => list[line] ?? []) : [])));
      const named = [...namedIn(events)].filter((e) => e.t < from && e.type !== 'own');
      expect(new Set([...namedIn(left)].filter((e) => e.type !== 'own'))).toEqual(new Set(named));
    }),
  );
});

test('exactly one pause is open afterwards, the forgotten one', () => {
  fc.assert(
    fc.property(anyEvents, anyFrom, (events, from) => {
      const open = new Set<PauseReason>();
      for (const e of forgetEvents(events, { from, to: 210 }).events) {
        if (e.type === 'pause') open.add(e.reason);
        if (e.type === 'resume') open.delete(e.reason);
      }
      expect([...open]).toEqual(['forgotten']);
    }),
  );
});

test('forgetting twice is as forgetting from the earlier time at once; the same again changes nothing', () => {
  const written = fc.array(
    // A clock's lines come in order.
    event.filter((e) => !isClock(e) && e.type !== 'own' && e.type !== 'pause' && e.type !== 'resume'),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(written, anyFrom, anyFrom, (events, a, b) => {
      const [early, late] = [Math.min(a, b), Math.max(a, b)];
      const once = forgetEvents(events, { from: early, to: 210 }).events;
      const first = forgetEvents(events, { from: late, to: 210 }).events;
      expect(forgetEvents(first, { from: early, to: 210 }).events).toEqual(once);
      expect(forgetEvents(once, { from: early, to: 210 }).events).toEqual(once);
    }),
  );
});

test('in the middle of a pause: it ends where the forgetting begins', () => {
  const events: RawEvent[] = [
    { t: 1, type: 'keydown', code: 'KeyA' },
    { t: 10, type: 'pause', reason: 'user' },
    { t: 50, type: 'resume', reason: 'user' },
    { t: 60, type: 'keydown', code: 'KeyB' },
    { t: 61, type: 'anchor', wallMs: 5 },
  ];
  expect(forgetEvents(events, { from: 30, to: 70 }).events).toEqual([
    events[0],
    events[1],
    { t: 30, type: 'resume', reason: 'user' },
    { t: 30, type: 'pause', reason: 'forgotten' },
    events[4],
  ]);
});

test('one that reaches into an earlier one goes on with it', () => {
  const events: RawEvent[] = [
    { t: 10, type: 'pause', reason: 'forgotten' },
    { t: 50, type: 'resume', reason: 'forgotten' },
    { t: 60, type: 'keydown', code: 'KeyB' },
  ];
  expect(forgetEvents(events, { from: 30, to: 70 }).events).toEqual([events[0]]);
});

test('a press from before that is called the recorder’s own only afterwards stays its own', () => {
  const events: RawEvent[] = [
    { t: 1, type: 'settings', settings: {} },
    { t: 40, type: 'keydown', code: 'KeyB' },
    { t: 29, type: 'down', x: 1, y: 1, button: 'left' },
    { t: 31, type: 'own', events: [1, 2], reason: 'window' },
  ];
  expect(forgetEvents(events, { from: 30, to: 70 }).events).toEqual([
    events[0],
    events[2],
    { t: 30, type: 'own', events: [1], reason: 'window' },
    { t: 30, type: 'pause', reason: 'forgotten' },
  ]);
});

test('counts what is left', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const { inputs, marks } = countsOf(events);
      expect(inputs).toBe(events.filter(isInput).length);
      expect(marks).toBe(events.filter((e) => e.type === 'mark').length);
    }),
  );
});
