import { describe, expect, test } from 'vitest';
import { benchmarkActionType } from './kinds.ts';
import { FRENCH } from './layouts-for-tests.ts';
import { CONTEXT, DISPLAY, stream } from './stream-for-tests.ts';

/** actions.md, "Failures of other tools: our first regression tests": one test a row. */
describe('Failures of other tools', () => {
  test('A4: a double-click as the first action is a click of count 2', () => {
    const actions = stream().click(100, 100).wait(60).click(101, 100).actions();
    expect(actions).toMatchObject([{ kind: 'click', count: 2, start: { x: 100 }, end: { x: 101 }, events: [[0, 3]] }]);
  });

  test('A4: 4 fast clicks are a click of count 4', () => {
    const work = stream();
    for (let i = 0; i < 4; i++) work.click(100, 100).wait(60);
    expect(work.actions()).toMatchObject([{ kind: 'click', count: 4 }]);
  });

  test('A12: a pause in the stream makes two runs of actions', () => {
    const result = stream().type('ab').pause().keys('KeyX').resume().type('cd').reduce();
    expect(result.actions).toMatchObject([
      { kind: 'type', text: 'ab', incomplete: false },
      { kind: 'type', text: 'cd', incomplete: false },
    ]);
    expect(result.conservation.paused).toEqual([[5, 6]]);
  });

  test('A6: Ctrl-click twice, slowly, is two clicks with Ctrl', () => {
    const work = stream().keyDown('ControlLeft').wait(50);
    const actions = work.click(10, 10).wait(900).click(10, 10).wait(50).keyUp('ControlLeft').actions();
    expect(actions).toMatchObject([
      { kind: 'click', modifiers: ['ctrl'], count: 1, holdMs: null },
      { kind: 'click', modifiers: ['ctrl'], count: 1, holdMs: null },
    ]);
  });

  test('A7: Ctrl held, C then V, is Ctrl+C and Ctrl+V', () => {
    const actions = stream().keyDown('ControlLeft').keys('KeyC', 'KeyV').keyUp('ControlLeft').actions();
    expect(actions.map((action) => action.keys)).toEqual([
      ['ctrl', 'c'],
      ['ctrl', 'v'],
    ]);
  });

  test('A8: type "hi", wait 29 s, type "x", is "hi", then "x"', () => {
    const actions = stream().type('hi').wait(29_000).type('x').actions();
    expect(actions.map((action) => action.text)).toEqual(['hi', 'x']);
  });

  test('A2: a recording that ends with a scroll keeps the scroll', () => {
    const actions = stream().click(5, 5).wheel(1).wheel(1).actions();
    expect(actions).toMatchObject([{ kind: 'click' }, { kind: 'scroll', scroll: { dx: 0, dy: 2 }, incomplete: false }]);
  });

  test('A5: a recording that ends with a drag keeps the drag', () => {
    const actions = stream().drag([100, 100], [300, 200]).actions();
    expect(actions).toMatchObject([{ kind: 'drag', start: { x: 100, y: 100 }, end: { x: 300, y: 200 } }]);
  });

  test('A5: a wheel turn in the middle of a drag leaves the drag, and a scroll during it', () => {
    const actions = stream().down().move(0, 30).wheel(-1).move(0, 60).up().actions();
    expect(actions).toMatchObject([
      {
        kind: 'drag',
        end: { x: 0, y: 60 },
        duringDrag: false,
        events: [
          [0, 1],
          [3, 4],
        ],
      },
      { kind: 'scroll', scroll: { dy: -1 }, duringDrag: true, events: [[2, 2]] },
    ]);
  });

  test('A3: a 3 s press without movement is a click with holdMs 3000', () => {
    expect(stream().click(10, 10, 'left', 3000).actions()).toMatchObject([{ kind: 'click', holdMs: 3000 }]);
  });

  test('A8: typed text with dollar signs comes out as typed', () => {
    const text = 'cost is $5 and $6 total';
    expect(stream().type(text).actions()).toMatchObject([{ kind: 'type', text }]);
  });

  test('A7: Shift+Tab is Shift+Tab', () => {
    expect(stream().chord('ShiftLeft', 'Tab').actions()).toMatchObject([{ kind: 'press', keys: ['shift', 'Tab'] }]);
  });

  test('A8: Shift+é is É', () => {
    const actions = stream().layout(FRENCH).chord('ShiftLeft', 'Slash').actions();
    expect(actions).toMatchObject([{ kind: 'type', text: 'É' }]);
  });

  test('A6: a Ctrl-click in an episode is a click that the benchmark can name', () => {
    const actions = stream().type('a').keyDown('ControlLeft').click(9, 9).keyUp('ControlLeft').type('b').actions();
    expect(actions.map((action) => action.kind)).toEqual(['type', 'click', 'type']);
    expect(actions.map((action) => benchmarkActionType(action))).toEqual(['Type/Press', 'LeftClick', 'Type/Press']);
  });

  test('A4: two clicks at one place, 10 s apart, are two clicks', () => {
    const actions = stream().click(10, 10).wait(10_000).click(10, 10).actions();
    expect(actions).toMatchObject([{ count: 1 }, { count: 1 }]);
  });

  test('A5: a middle or right drag has its own button', () => {
    const actions = stream().drag([0, 0], [50, 0], 'middle').drag([50, 0], [0, 0], 'right').actions();
    expect(actions).toMatchObject([
      { kind: 'drag', button: 'middle' },
      { kind: 'drag', button: 'right' },
    ]);
  });

  test('A13: a press at 125 % display scale is in physical pixels, right where it was', () => {
    const scaled = { ...DISPLAY, id: 2, x: 1920, width: 2400, height: 1350, scale: 1.25 };
    const actions = stream().displays(DISPLAY, scaled).click(4319, 1349).actions();
    expect(actions).toMatchObject([{ start: { x: 4319, y: 1349, display: 2 } }]);
  });

  test('A2: deleting a step leaves the ids of the others', () => {
    const work = stream().click(10, 10).wait(1000).click(500, 10).wait(1000).type('x');
    const ids = work.actions().map((action) => action.id);
    expect(ids).toEqual(['r:0', 'r:2', 'r:4']);
    // The middle step's lines are marked as the recorder's own, which is how a step leaves the stream.
    const without = work.own(2, 3).actions();
    expect(without.map((action) => action.id)).toEqual(['r:0', 'r:4']);
  });
});

test('A14: the streams of these tests give no warning by themselves', () => {
  expect(stream().type('a').click(1, 1).reduce({}, CONTEXT).warnings).toEqual([]);
});
