import { describe, expect, test } from 'vitest';
import { CONTEXT, stream } from './stream-for-tests.ts';

describe('A10: scroll', () => {
  test('A10: one direction is one scroll with its deltas summed, from the first to the last wheel event', () => {
    expect(stream({ x: 5, y: 6 }).wheel(1).wheel(2).wheel(1).actions()).toMatchObject([
      {
        kind: 'scroll',
        scroll: { dx: 0, dy: 4, unit: 'notch', natural: false },
        start: { t: 1_000_000 },
        end: { t: 1_020_000 },
      },
    ]);
  });

  test('A10: a reversal or another axis starts a new one', () => {
    const actions = stream().wheel(1).wheel(-1).wheel(0, { dx: 1 }).actions();
    expect(actions.map((action) => [action.scroll?.dx, action.scroll?.dy])).toEqual([
      [0, 1],
      [0, -1],
      [1, 0],
    ]);
  });

  test('A10: a turn of nothing goes on a run, and is travel where there is none', () => {
    expect(stream().wheel(0).wheel(0).reduce()).toMatchObject({ actions: [], conservation: { travel: [[0, 1]] } });
    expect(stream().wheel(0).wheel(1).wheel(0).wheel(1).actions()).toMatchObject([
      { scroll: { dx: 0, dy: 2 }, travel: [[0, 0]], events: [[1, 3]] },
    ]);
  });

  test('A10: a gap of 1 s goes on, a longer one does not', () => {
    expect(stream().wheel(1).wait(990).wheel(1).actions()).toHaveLength(1);
    expect(stream().wheel(1).wait(991).wheel(1).actions()).toHaveLength(2);
    expect(stream().wheel(1).wait(500).wheel(1).actions({ scrollGapMs: 200 })).toHaveLength(2);
  });

  test('A10: the pointer may drift 32 px from the first wheel event; moves between are the scroll’s travel', () => {
    expect(stream().wheel(1).move(32, 0).wheel(1).actions()).toMatchObject([
      {
        travel: [[1, 1]],
        events: [
          [0, 0],
          [2, 2],
        ],
      },
    ]);
    expect(
      stream()
        .wheel(1)
        .wheel(1, { at: [33, 0] })
        .actions(),
    ).toHaveLength(2);
    expect(
      stream()
        .wheel(1)
        .wheel(1, { at: [33, 0] })
        .actions({ scrollRadiusPx: 40 }),
    ).toHaveLength(1);
  });

  test('A10: another action between starts a new one', () => {
    expect(
      stream()
        .wheel(1)
        .keys('KeyA')
        .wheel(1)
        .actions()
        .map((a) => a.kind),
    ).toEqual(['scroll', 'type', 'scroll']);
  });

  test('A10: another unit, or the end of a held button, starts a new one', () => {
    expect(stream().wheel(1).wheel(1, { unit: 'px' }).actions()).toHaveLength(2);
    const work = stream().down().wheel(1).wheel(1).up().wheel(1);
    expect(work.actions().map((a) => [a.kind, a.duringDrag, a.scroll?.dy])).toEqual([
      ['click', false, undefined],
      ['scroll', true, 2],
      ['scroll', false, 1],
    ]);
  });

  test('A10: Ctrl+wheel is another scroll than the wheel alone', () => {
    const work = stream().wheel(1).keyDown('ControlLeft').wheel(1).wheel(1).keyUp('ControlLeft').wheel(1);
    expect(work.actions().map((action) => [action.modifiers, action.scroll?.dy])).toEqual([
      [[], 1],
      [['ctrl'], 2],
      [[], 1],
    ]);
  });

  test('A10: a touchpad’s slanted events follow the larger axis and sum both', () => {
    const work = stream().wheel(8, { dx: 2, unit: 'px' }).wheel(6, { dx: -1, unit: 'px' }).wheel(0, { unit: 'px' });
    expect(work.actions()).toMatchObject([{ scroll: { dx: 1, dy: 14, unit: 'px' } }]);
  });

  test('A10: natural scrolling is kept as the OS has it', () => {
    expect(stream().settings({ naturalScroll: true }).wheel(1).actions()).toMatchObject([
      { scroll: { natural: true } },
    ]);
  });
});

describe('A11: pointer travel', () => {
  test('A11: travel is no action; each action keeps what led to it', () => {
    const result = stream().move(1, 1).anchor().move(2, 2).click(2, 2).move(9, 9).keys('Enter').move(5, 5).reduce();
    expect(result.actions).toMatchObject([
      {
        kind: 'click',
        travel: [
          [0, 0],
          [2, 2],
        ],
      },
      { kind: 'press', travel: [[5, 5]] },
    ]);
    expect(result.conservation.travel).toEqual([
      [0, 0],
      [2, 2],
      [5, 5],
      [8, 8],
    ]);
  });

  test('A11: hover is off unless asked for', () => {
    expect(stream().move(50, 50).wait(5000).move(500, 500).actions()).toEqual([]);
  });

  const rest = () => stream().move(300, 300).move(50, 50).move(54, 50).wait(800).move(500, 500);

  test('A11: a rest while the screen changed is a hover, with the travel that led to it', () => {
    const context = { ...CONTEXT, screenChanges: [1_400_000] };
    const result = rest().reduce({ hoverMs: 700 }, context);
    expect(result.actions).toMatchObject([
      { kind: 'hover', id: 'r:1', start: { x: 50, y: 50 }, end: { x: 50, y: 50 }, events: [[1, 2]], travel: [[0, 0]] },
    ]);
    expect(result.conservation.travel).toEqual([
      [0, 0],
      [3, 3],
    ]);
    expect(result.warnings).toEqual([]);
  });

  test('A11: a rest on a still screen is travel', () => {
    expect(rest().actions({ hoverMs: 700 }, { ...CONTEXT, screenChanges: [900_000, 5_000_000] })).toEqual([]);
  });

  test('A11: without the times of screen changes each rest counts, and the result says so', () => {
    const result = rest().reduce({ hoverMs: 700 });
    expect(result.actions).toMatchObject([{ kind: 'hover' }]);
    expect(result.warnings).toMatchObject([{ code: 'no-screen-changes' }]);
  });

  test('A11: a rest shorter than asked for, or broken by a press, is no hover', () => {
    expect(stream().move(50, 50).wait(600).move(500, 500).actions({ hoverMs: 700 })).toEqual([]);
    const pressed = stream().move(50, 50).wait(600).click(50, 50).wait(600).actions({ hoverMs: 700 });
    expect(pressed).toMatchObject([{ kind: 'click', travel: [[0, 0]] }]);
  });

  test('A11: a rest between two wheel events of one scroll is the scroll’s travel', () => {
    const work = stream().wheel(1).move(3, 0).wait(800).wheel(1);
    expect(work.actions({ hoverMs: 700 })).toMatchObject([{ kind: 'scroll', travel: [[1, 1]] }]);
  });

  test('A11: what led to such a rest is the scroll’s travel too', () => {
    const result = stream().wheel(1).move(20, 0).move(3, 0).wait(800).wheel(1).reduce({ hoverMs: 700 });
    expect(result.actions).toMatchObject([{ kind: 'scroll', travel: [[1, 2]] }]);
    expect(result.conservation.travel).toEqual([[1, 2]]);
  });

  test('A11: a held modifier is not the hover’s', () => {
    const work = stream().keyDown('ControlLeft').move(50, 50).wait(800).click(400, 400).keyUp('ControlLeft');
    expect(work.actions({ hoverMs: 700 })).toMatchObject([
      { kind: 'hover', events: [[1, 1]] },
      {
        kind: 'click',
        modifiers: ['ctrl'],
        events: [
          [0, 0],
          [2, 4],
        ],
      },
    ]);
  });

  test('A11: wait, when asked for, is a stretch without input between actions', () => {
    const work = stream().click(1, 1).wait(5000).click(400, 1, 'left', 3000).wait(100).keys('Enter');
    expect(work.actions()).toHaveLength(3);
    expect(work.actions({ waitMs: 2000 })).toMatchObject([
      { kind: 'click' },
      { kind: 'wait', id: 'r:1w', events: [], start: { x: 1, t: 1_040_000 }, end: { t: 6_050_000 } },
      { kind: 'click', holdMs: 3000 },
      { kind: 'press' },
    ]);
  });

  test('A11: a pause is no wait', () => {
    const work = stream().click(1, 1).pause().wait(5000).resume().wait(100).click(1, 1);
    expect(work.actions({ waitMs: 2000 }).map((action) => action.kind)).toEqual(['click', 'click']);
  });

  test('A11: a late event makes no silence that was none', () => {
    const work = stream().move(1, 1).wait(4000).move(2, 2).wait(3000).move(3, 3);
    work.add({ type: 'move', t: 1_000_001, x: 9, y: 9 }).wait(100).move(4, 4);
    const waits = work.actions({ waitMs: 2000 });
    expect(waits.map((action) => [action.start.t, action.end.t])).toEqual([
      [1_000_000, 5_010_000],
      [5_010_000, 8_020_000],
    ]);
  });

  test('A11: a wait never parts a double-click', () => {
    const work = stream().click(1, 1).wait(300).click(1, 1);
    expect(work.actions({ waitMs: 100 })).toMatchObject([{ kind: 'click', count: 2 }]);
  });
});
