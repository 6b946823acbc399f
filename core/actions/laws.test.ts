import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Action, actionSchema, type ReduceOptions } from '../../schemas/actions.ts';
import { type Display, isInput, type RawEvent } from '../../schemas/events.ts';
import { GERMAN, GERMAN_WINDOWS } from './layouts-for-tests.ts';
import { PATH_TOLERANCE_PX } from './path.ts';
import { reduce } from './reduce.ts';
import { createReducer } from './reducer.ts';
import { CONTEXT, DISPLAY, places, type Stream, stream } from './stream-for-tests.ts';

const RUNS = { numRuns: 300 };

const code = fc.constantFrom(
  ...['KeyA', 'KeyE', 'Equal', 'Space', 'Backspace', 'Enter', 'ArrowDown', 'CapsLock', 'NumLock', 'Numpad4', 'Unknown'],
  ...['ShiftLeft', 'ControlLeft', 'ControlRight', 'AltLeft', 'AltRight', 'MetaLeft'],
);
const button = fc.constantFrom('left', 'right', 'middle');
const px = fc.integer({ min: -20, max: 60 });
const mods = fc.option(fc.integer({ min: 0, max: 15 }), { nil: 0 });
const reason = fc.constantFrom('user', 'sync', 'privacy');

/** Any line, any time: keys without releases, releases without keys, pauses without ends. */
const anyLine: fc.Arbitrary<RawEvent> = fc
  .tuple(
    fc.integer({ min: -1000, max: 30_000_000 }),
    fc.oneof(
      fc.record({ type: fc.constant('move' as const), x: px, y: px, mods }),
      fc.record({ type: fc.constantFrom('down' as const, 'up' as const), x: px, y: px, button, mods }),
      fc.record({ type: fc.constantFrom('keydown' as const, 'keyup' as const), code, mods }),
      fc.record({ type: fc.constant('keydown' as const), code, repeat: fc.boolean() }),
      fc.record({
        type: fc.constant('wheel' as const),
        x: px,
        y: px,
        dx: fc.integer({ min: -2, max: 2 }),
        dy: fc.integer({ min: -2, max: 2 }),
        unit: fc.constantFrom('notch' as const, 'px' as const),
        mods,
      }),
      fc.record({ type: fc.constantFrom('pause' as const, 'resume' as const), reason }),
      fc.record({ type: fc.constant('own' as const), events: fc.array(fc.integer({ min: 0, max: 80 })), reason }),
      fc.record({ type: fc.constant('locks' as const), caps: fc.boolean(), num: fc.boolean() }),
      fc.record({ type: fc.constant('layout' as const), layout: fc.constantFrom(GERMAN, GERMAN_WINDOWS) }),
      fc.record({
        type: fc.constant('displays' as const),
        displays: fc.constant<Display[]>([{ ...DISPLAY, id: 3, width: 30 }]),
      }),
      fc.record({ type: fc.constant('anchor' as const), wallMs: fc.constant(0) }),
    ),
  )
  .map(([t, line]): RawEvent => ({ ...line, t }));

/** Lines in the order of their times, close enough to merge, press and repeat. */
const orderly = fc.array(fc.tuple(fc.integer({ min: 0, max: 700_000 }), anyLine), { maxLength: 80 }).map((lines) => {
  let t = 0;
  return lines.map(([gap, line]): RawEvent => {
    t += gap;
    return { ...line, t };
  });
});
const wild = fc.array(anyLine, { maxLength: 80 });

const options: fc.Arbitrary<ReduceOptions> = fc.constantFrom(
  {},
  { hoverMs: 300 },
  { waitMs: 400 },
  { hoverMs: 200, waitMs: 200 },
);

/** A1 on one stream. */
function expectConserved(events: readonly RawEvent[], option: ReduceOptions): void {
  const result = reduce(events, CONTEXT, option);
  const counts = places(result);
  events.forEach((event, index) => {
    expect(counts.get(index) ?? 0, `${event.type} at ${index}`).toBe(isInput(event) ? 1 : 0);
  });
  expect(counts.size).toBe(events.filter(isInput).length);
  // The sections and the actions say the same.
  const inActions = result.actions.flatMap((action) => action.events.flatMap(([a, b]) => indices(a, b)));
  const inSection = result.conservation.action.flatMap(([a, b]) => indices(a, b));
  expect(inActions.toSorted((a, b) => a - b)).toEqual(inSection);
}

function indices(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

describe('A1 and A14 on any stream', () => {
  test('A1: every raw input event of an orderly stream has exactly one place', () => {
    fc.assert(fc.property(orderly, options, expectConserved), RUNS);
  });

  test('A14: a wild stream gives a result, and A1 holds in it', () => {
    fc.assert(fc.property(wild, options, expectConserved), RUNS);
  });

  test('A14: every action fits its schema, its id is its own, and actions are in order', () => {
    fc.assert(
      fc.property(fc.oneof(orderly, wild), options, (events, option) => {
        const { actions } = reduce(events, CONTEXT, option);
        for (const action of actions) expect(actionSchema.safeParse(action).error).toBeUndefined();
        expect(new Set(actions.map((action) => action.id)).size).toBe(actions.length);
        const starts = actions.map((action) => action.start.t);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        for (const action of actions) expect(action.end.t).toBeGreaterThanOrEqual(action.start.t);
      }),
      RUNS,
    );
  });

  test('A14: pieces torn out of an orderly stream break nothing', () => {
    fc.assert(
      fc.property(orderly, fc.infiniteStream(fc.integer({ min: 0, max: 3 })), (events, dice) => {
        const torn = events.filter(() => dice.next().value !== 0);
        expectConserved(torn, {});
      }),
      RUNS,
    );
  });

  test('A2: the same events give the same result, whole or line by line', () => {
    fc.assert(
      fc.property(orderly, options, (events, option) => {
        const withoutOwn = events.filter((event) => event.type !== 'own');
        const reducer = createReducer(CONTEXT, option);
        for (const event of withoutOwn) reducer.push(event);
        const whole = reduce(withoutOwn, CONTEXT, option);
        expect(reducer.finish()).toEqual(whole);
        expect(reduce(withoutOwn, CONTEXT, option)).toEqual(whole);
      }),
      RUNS,
    );
  });
});

/** Sensible work: what a person does, one thing after another, with enough time between for each to be its own. */
const doing = fc.oneof(
  fc.record({ do: fc.constant('click' as const), x: px, y: px }),
  fc.record({ do: fc.constant('drag' as const), x: px, y: px }),
  fc.record({ do: fc.constant('scroll' as const), dy: fc.constantFrom(-1, 1) }),
  fc.record({ do: fc.constant('type' as const), text: fc.stringMatching(/^[A-Za-z$" ]{1,6}$/) }),
  fc.record({ do: fc.constant('chord' as const) }),
);

function perform(work: Stream, what: typeof doing extends fc.Arbitrary<infer T> ? T : never): void {
  work.wait(4000);
  if (what.do === 'click') work.move(what.x, what.y).click(what.x, what.y);
  if (what.do === 'drag') work.drag([what.x, what.y], [what.x + 100, what.y]);
  if (what.do === 'scroll') work.wheel(what.dy).wheel(what.dy);
  if (what.do === 'type') work.type(what.text);
  if (what.do === 'chord') work.chord('ControlLeft', 'KeyS');
}

const doings = fc.array(doing, { minLength: 1, maxLength: 8 });

function performed(list: readonly Parameters<typeof perform>[1][]): Stream {
  const work = stream();
  for (const what of list) perform(work, what);
  return work;
}

describe('A2 on sensible work', () => {
  test('A2: every doing becomes its action, the last one too', () => {
    fc.assert(
      fc.property(doings, (list) => {
        const kinds = list.map((what) => (what.do === 'chord' ? 'press' : what.do));
        expect(
          performed(list)
            .actions()
            .map((action) => action.kind),
        ).toEqual(kinds);
      }),
      RUNS,
    );
  });

  test('A8: any text is typed as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,40}$/), (text) => {
        expect(stream().type(text).actions()).toMatchObject([{ kind: 'type', text }]);
      }),
      RUNS,
    );
  });

  test('A2: ids stay when what comes later is cut', () => {
    fc.assert(
      fc.property(doings, doings, (before, after) => {
        const kept = performed(before).actions();
        const all = performed([...before, ...after]).actions();
        expect(all.slice(0, kept.length)).toEqual(kept);
      }),
      RUNS,
    );
  });

  test('A2: lines that arrive out of order, by less than 3 s and with different times, give the same actions', () => {
    fc.assert(
      fc.property(doings, fc.infiniteStream(fc.integer({ min: 0, max: 2_900_000 })), (list, delays) => {
        // No two lines of the same time, whose order is that of their arrival.
        const events = performed(list).events.map((event, i) => ({ ...event, t: event.t + i }));
        const arrival = events
          .map((event) => ({ event, at: event.t + delays.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ event }) => event);
        const result = reduce(arrival, CONTEXT);
        expect(result.warnings).toEqual([]);
        expect(result.actions.map(withoutIndices)).toEqual(reduce(events, CONTEXT).actions.map(withoutIndices));
      }),
      RUNS,
    );
  });
});

function withoutIndices({ id: _id, events: _events, travel: _travel, ...rest }: Action) {
  return rest;
}

test('A5: no point of a drag’s way is farther than 1 px from its path, whatever the way', () => {
  const step = fc.tuple(fc.integer({ min: -6, max: 12 }), fc.integer({ min: -6, max: 6 }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const work = stream().down();
      const way: [number, number][] = [[0, 0]];
      let [x, y] = [0, 0];
      for (const [dx, dy] of steps) {
        x += dx;
        y += dy;
        way.push([x, y]);
        work.move(x, y);
      }
      const [action] = work.up().actions();
      fc.pre(action?.kind === 'drag');
      const path = action?.path ?? [];
      expect([path[0]?.slice(0, 2), path.at(-1)?.slice(0, 2)]).toEqual([way[0], way.at(-1)]);
      for (const point of way) expect(distanceToPath(point, path)).toBeLessThanOrEqual(PATH_TOLERANCE_PX + 1e-9);
    }),
    RUNS,
  );
});

function distanceToPath(
  [x, y]: readonly [number, number],
  path: readonly (readonly [number, number, number])[],
): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 1; i < path.length; i++) {
    const [ax, ay] = path[i - 1]!;
    const [bx, by] = path[i]!;
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    nearest = Math.min(nearest, Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)));
  }
  return nearest;
}

test('A15: what the reducer gives does not grow with the moves', () => {
  const session = (moves: number) => {
    const work = stream();
    for (let action = 0; action < 20; action++) {
      for (let i = 0; i < moves; i++) work.move(action * 10, i % 700);
      work.drag([0, 0], [300, 300]).wait(1000);
    }
    return JSON.stringify(work.reduce()).length;
  };
  expect(session(2000)).toBeLessThan(session(20) * 1.2);
});
