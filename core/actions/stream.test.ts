import { describe, expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { reduce } from './reduce.ts';
import { createReducer } from './reducer.ts';
import { CONTEXT, DISPLAY, stream } from './stream-for-tests.ts';

describe('A1: conservation', () => {
  test('A1: each input event of a small session has its one place', () => {
    const work = stream().move(5, 5).click(5, 5).own(9, 10).type('a').pause().keys('KeyX').resume();
    const result = work.keys('F9').reduce();
    // 0 move; 1, 2 click; 3 own line; 4, 5 a; 6 pause; 7, 8 x; 9 resume; 10, 11 F9, whose press is the recorder's own.
    expect(result.conservation).toEqual({
      action: [
        [1, 2],
        [4, 5],
      ],
      travel: [[0, 0]],
      loneModifier: [],
      own: [[10, 11]],
      paused: [[7, 8]],
    });
  });
});

describe('A2: order', () => {
  test('A2: lines are taken by their time, indices stay those of their arrival', () => {
    const { events } = stream().keys('KeyA', 'KeyB');
    const swapped = [events[2]!, events[0]!, events[1]!, events[3]!];
    const actions = reduce(swapped, CONTEXT).actions;
    expect(actions).toMatchObject([{ text: 'ab', id: 'r:0', events: [[0, 3]], start: { t: events[0]!.t } }]);
  });

  test('A2: equal times are taken as they came', () => {
    const at = (code: string): RawEvent[] => [
      { type: 'keydown', t: 5, code },
      { type: 'keyup', t: 5, code },
    ];
    expect(reduce([...at('KeyB'), ...at('KeyA')], CONTEXT).actions).toMatchObject([{ text: 'ba' }]);
  });

  test('A2: an event more than 3 s late is taken where it came, with a warning', () => {
    const late: RawEvent = { type: 'move', t: 1_000_001, x: 1, y: 1 };
    const work = stream().click(1, 1).wait(5000).click(1, 1).wait(5000).click(1, 1).add(late);
    const result = work.reduce();
    expect(result.actions).toHaveLength(3);
    expect(result.warnings).toMatchObject([{ code: 'late-event', event: 6 }]);
    expect(result.conservation.travel).toEqual([[6, 6]]);
  });

  test('A2: one wrong time in the future holds nothing up', () => {
    const glitch: RawEvent = { type: 'move', t: 9e12, x: 1, y: 1 };
    const result = stream().click(1, 1).add(glitch).wait(9000).click(1, 1).wait(9000).type('ab').reduce();
    expect(result.actions).toMatchObject([{ kind: 'click' }, { kind: 'click' }, { text: 'ab' }]);
    expect(result.warnings).toEqual([]);
  });

  test.each(['press', 'type', 'click', 'modifier'] as const)(
    'A2: a %s without its release at the end is kept, incomplete',
    (kind) => {
      const work = stream();
      if (kind === 'click') work.down();
      else work.keyDown(kind === 'press' ? 'Enter' : kind === 'type' ? 'KeyA' : 'MetaLeft');
      const result = work.wait(30).anchor().reduce();
      expect(result.actions).toMatchObject([{ kind: kind === 'modifier' ? 'press' : kind, incomplete: true }]);
      expect(result.warnings).toMatchObject([
        { code: kind === 'click' ? 'missing-release' : 'keys-held-at-end', event: 0 },
      ]);
    },
  );

  test('A2: actions are listed by their press, not by their end', () => {
    const work = stream().down().move(40, 0).keys('Escape').up();
    expect(work.actions().map((action) => action.kind)).toEqual(['drag', 'press']);
  });

  test('A2: the incremental reducer gives what reduce gives, and takes nothing after its end', () => {
    const { events } = stream().click(1, 1).type('Hi').drag([0, 0], [99, 9]);
    const reducer = createReducer(CONTEXT);
    for (const event of events) reducer.push(event);
    expect(reducer.finish()).toEqual(reduce(events, CONTEXT));
    reducer.push(events[0]!);
    expect(reducer.finish().actions).toHaveLength(3);
  });

  test('A2: what can be read only once is read whole', () => {
    const { events } = stream().click(1, 1).own(0, 1).click(2, 2);
    function* once() {
      yield* events;
    }
    expect(reduce(once(), CONTEXT)).toEqual(reduce(events, CONTEXT));
  });
});

describe('A12: pauses and own input', () => {
  test('A12: no double-click, scroll, chord or text goes on across a pause', () => {
    const across = (before: () => ReturnType<typeof stream>, after: (work: ReturnType<typeof stream>) => unknown) => {
      const work = before().pause('privacy').resume('privacy');
      after(work);
      return work.actions().length;
    };
    expect(
      across(
        () => stream().click(1, 1),
        (work) => work.click(1, 1),
      ),
    ).toBe(2);
    expect(
      across(
        () => stream().wheel(1),
        (work) => work.wheel(1),
      ),
    ).toBe(2);
    expect(
      across(
        () => stream().keys('Enter'),
        (work) => work.keys('Enter'),
      ),
    ).toBe(2);
    expect(
      across(
        () => stream().type('a'),
        (work) => work.type('b'),
      ),
    ).toBe(2);
  });

  test('A12: what is held is released at the pause; its release after it is the pause’s, without a warning', () => {
    const work = stream().keyDown('KeyA').down().move(50, 0).pause().wait(900).resume();
    const result = work.keyDown('KeyA', { repeat: true }).keyUp('KeyA').up().click(9, 9).reduce();
    expect(result.actions).toMatchObject([
      { kind: 'type', text: 'a', incomplete: true },
      { kind: 'drag', end: { x: 50 }, incomplete: true },
      { kind: 'click', incomplete: false },
    ]);
    expect(result.conservation.paused).toEqual([[5, 7]]);
    expect(result.warnings).toEqual([]);
  });

  test('A12: a modifier held across a pause modifies nothing after it, unless the event’s bits say so', () => {
    const clickWith = (mods?: number) =>
      stream().keyDown('ControlLeft').click(1, 1).pause().resume().down('left', mods).up().actions()[1]?.modifiers;
    expect(clickWith()).toEqual([]);
    expect(clickWith(2)).toEqual(['ctrl']);
  });

  test('A12: input counts again when every pause has ended', () => {
    const work = stream().pause('user').pause('privacy').resume('user').click(1, 1).resume('privacy').click(2, 2);
    expect(work.actions()).toMatchObject([{ start: { x: 2 } }]);
  });

  test('A12: a resume of a pause that is not open ends none, and is named', () => {
    const result = stream().pause('privacy').resume('sync').click(1, 1).reduce();
    expect(result.actions).toEqual([]);
    expect(result.warnings).toMatchObject([{ code: 'resume-without-pause', event: 1 }]);
  });

  test('A12: the sync checks at the start and the end leave the work between', () => {
    const work = stream().pause('sync').click(1, 1).resume('sync').click(2, 2).pause('sync').move(1, 1);
    expect(work.actions()).toMatchObject([{ kind: 'click', start: { x: 2 } }]);
  });

  test('A12: own lines name earlier and later lines', () => {
    const work = stream().own(5, 6).click(1, 1);
    const first = work.next();
    work.chord('ControlLeft', 'F9').own(first, first + 1, first + 2, first + 3);
    expect(first).toBe(3);
    expect(work.reduce().conservation).toMatchObject({ action: [[1, 2]], own: [[3, 6]] });
  });

  test('A12: the incremental reducer takes own lines back for 3 s and names what came too late', () => {
    const reducer = createReducer(CONTEXT);
    const work = stream().click(1, 1).wait(5000).keys('F9').own(2, 3, 0);
    for (const event of work.events) reducer.push(event);
    const result = reducer.finish();
    expect(result.actions).toMatchObject([{ kind: 'click' }]);
    expect(result.warnings).toMatchObject([{ code: 'own-too-late', event: 0 }]);
    expect(result.conservation.own).toEqual([[2, 3]]);
  });

  test('A12: the repeats and the release of a key whose press was own are own', () => {
    const work = stream().own(1).keyDown('F9').wait(400).keyDown('F9').wait(30).keyUp('F9');
    const result = work.reduce();
    expect(result.actions).toEqual([]);
    expect(result.conservation.own).toEqual([[1, 3]]);
    expect(result.warnings).toEqual([]);
  });

  test('A12: an own release lets go what was not own', () => {
    const keys = stream()
      .keyDown('ControlLeft')
      .keyDown('Enter')
      .wait(30)
      .own(3, 4)
      .keyUp('Enter')
      .keyUp('ControlLeft');
    const result = keys.click(1, 1).reduce();
    expect(result.actions).toMatchObject([{ keys: ['ctrl', 'Enter'] }, { kind: 'click', modifiers: [] }]);
    expect(result.warnings).toEqual([]);
    const pointer = stream().down().move(50, 0).own(3).up().wait(900).move(0, 0).click(0, 0);
    expect(pointer.actions()).toMatchObject([
      { kind: 'drag', end: { x: 50 }, events: [[0, 1]], incomplete: true },
      { kind: 'click', travel: [[4, 4]] },
    ]);
  });

  test('A12: a modifier that served only the recorder’s shortcut is a lone modifier', () => {
    const result = stream().keyDown('ControlLeft').wait(30).own(2).keyUp('ControlLeft').reduce();
    expect(result.actions).toEqual([]);
    expect(result.conservation).toMatchObject({ loneModifier: [[0, 0]], own: [[2, 2]] });
  });

  test('A12: an own shortcut inside typing leaves the run whole', () => {
    const work = stream().type('a');
    const at = work.next();
    work
      .chord('ControlLeft', 'F9')
      .type('b')
      .own(at, at + 1, at + 2, at + 3);
    expect(work.actions()).toMatchObject([{ kind: 'type', text: 'ab' }]);
  });
});

describe('A13: geometry', () => {
  const right = { ...DISPLAY, id: 2, x: 1920 };

  test('A13: each end has its display, null between displays', () => {
    const work = stream().displays(DISPLAY, right).drag([1900, 5], [1925, 5]).click(10, 2000);
    expect(work.actions()).toMatchObject([
      { start: { display: 1 }, end: { display: 2 } },
      { start: { display: null } },
    ]);
  });

  test('A13: a display change between press and release is kept with both', () => {
    const work = stream().displays(DISPLAY).click(0, 0).wait(900);
    work
      .down()
      .wait(20)
      .displays({ ...DISPLAY, id: 7 })
      .up();
    expect(work.actions()[1]).toMatchObject({ start: { display: 1 }, end: { display: 7 } });
  });

  test('A13: keys before the pointer moves are where the recorder says that it rests', () => {
    const work = stream().displays(DISPLAY, right).pause('sync').resume('sync', { x: 1930, y: 40 }).keys('Enter');
    expect(work.actions()).toMatchObject([
      { start: { x: 1930, y: 40, display: 2 }, end: { x: 1930, y: 40, display: 2 } },
    ]);
  });

  test('A13: where nobody knows the pointer, keys have no place until it moves, and again after a pause', () => {
    const nowhere = { x: null, y: null, display: null };
    const begun = stream().pause('sync').resume('sync', null).keys('Enter').type('a').keys('ControlLeft').wait(4000);
    const work = begun.move(7, 8).keys('Tab').pause().resume('user', null).keys('Escape').click(30, 40);
    expect(work.actions({ waitMs: 3000 })).toMatchObject([
      { keys: ['Enter'], start: nowhere, end: nowhere },
      { text: 'a', start: nowhere, end: nowhere },
      { keys: ['ctrl'], start: nowhere, end: nowhere },
      { kind: 'wait', start: nowhere },
      { keys: ['Tab'], start: { x: 7, y: 8 } },
      { keys: ['Escape'], start: nowhere },
      { kind: 'click', start: { x: 30, y: 40 } },
    ]);
  });

  test('A13: lines that do not say where the pointer is leave it where it was, at first at (0, 0)', () => {
    const work = stream().pause('sync').resume('sync').keys('Enter').move(7, 8).pause().resume().keys('Tab');
    expect(work.actions()).toMatchObject([{ start: { x: 0, y: 0 } }, { start: { x: 7, y: 8 } }]);
  });

  test('A13: an action has the window that was active at its press', () => {
    const line = (t: number, title: string) => ({ t, title, app: 'app', pid: 1, id: '1', bounds: null });
    const windows = [line(1_000_000, 'first'), line(1_020_000, 'second')];
    const actions = stream()
      .click(1, 1)
      .wait(900)
      .keys('Enter')
      .actions({}, { ...CONTEXT, windows });
    expect(actions.map((action) => action.window?.title)).toEqual(['first', 'second']);
    expect(
      stream({ atMs: 1 })
        .click(1, 1)
        .actions({}, { ...CONTEXT, windows })[0]?.window,
    ).toBeNull();
  });
});

describe('A14: broken streams', () => {
  test('A14: a doubled press closes the first one, incomplete', () => {
    const result = stream().down().wait(100).down().wait(30).up().reduce();
    expect(result.actions).toMatchObject([
      { kind: 'click', count: 1, incomplete: true, events: [[0, 0]] },
      { kind: 'click', count: 1, incomplete: false, events: [[1, 2]] },
    ]);
    expect(result.warnings).toMatchObject([{ code: 'doubled-press', event: 1 }]);
  });

  test('A14: releases without their presses lie outside the demonstration', () => {
    const result = stream().keyUp('Enter').up().keyUp('ControlLeft').click(1, 1).reduce();
    expect(result.actions).toMatchObject([{ kind: 'click' }]);
    expect(result.conservation.paused).toEqual([[0, 2]]);
    expect(result.warnings.map(({ code, event }) => [code, event])).toEqual([
      ['keyup-without-keydown', 0],
      ['up-without-down', 1],
      ['keyup-without-keydown', 2],
    ]);
  });

  test('A14: a key that goes down again much later is no auto-repeat: its release is missing', () => {
    const result = stream().keyDown('Enter').wait(9000).keys('Enter').reduce();
    expect(result.actions).toMatchObject([
      { count: 1, autoRepeat: false },
      { count: 1, autoRepeat: false },
    ]);
    expect(result.warnings).toMatchObject([{ code: 'missing-release', event: 0 }]);
  });

  test('A9: unknown keys are one only by the same number, and never without one', () => {
    const keys = (more: { raw?: number }[]) =>
      more
        .reduce((made, one) => made.keyDown('Unknown', one).keyUp('Unknown'), stream())
        .actions()
        .map((action) => [action.keys?.join(), action.count]);
    expect(keys([{ raw: 7 }, { raw: 7 }, { raw: 8 }])).toEqual([
      ['Unknown(7)', 2],
      ['Unknown(8)', 1],
    ]);
    expect(keys([{}, {}])).toEqual([
      ['Unknown', 1],
      ['Unknown', 1],
    ]);
    const held = stream().keyDown('Unknown', { raw: 7 }).keyDown('Unknown', { raw: 8 }).keyUp('Unknown', { raw: 7 });
    expect(held.keyUp('Unknown', { raw: 8 }).reduce()).toMatchObject({
      actions: [{ autoRepeat: false }, { autoRepeat: false }],
      warnings: [{ code: 'unknown-key' }, { code: 'unknown-key' }],
    });
  });

  test('A14: an unknown key is a press by its number, with a warning', () => {
    const result = stream().keyDown('Unknown', { raw: 250 }).keyUp('Unknown').keys('constructor').reduce();
    expect(result.actions.map((action) => action.keys)).toEqual([['Unknown(250)'], ['constructor']]);
    expect(result.warnings).toMatchObject([
      { code: 'unknown-key', event: 0 },
      { code: 'unknown-key', event: 2 },
    ]);
  });

  test('A14: a stream of the same fault names it 1000 times, then only counts', () => {
    const work = stream();
    for (let i = 0; i < 1005; i++) work.keyUp('Enter');
    const { warnings } = work.reduce();
    expect(warnings).toHaveLength(1001);
    expect(warnings.at(-1)).toMatchObject({
      code: 'warnings-left-off',
      event: null,
      message: expect.stringContaining('5 more'),
    });
  });

  test('A14: nothing gives nothing', () => {
    expect(reduce([], CONTEXT)).toMatchObject({ recording: 'r', rulesVersion: 7, actions: [], warnings: [] });
  });
});
