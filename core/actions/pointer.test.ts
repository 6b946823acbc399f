import { describe, expect, test } from 'vitest';
import { DISPLAY, stream } from './stream-for-tests.ts';

describe('A3: click', () => {
  test('A3: the pointer may travel the threshold of 4 px, not more', () => {
    const at = (x: number) => stream().down().move(x, 0).up().actions()[0]?.kind;
    expect(at(4)).toBe('click');
    expect(at(5)).toBe('drag');
  });

  test('A3: the farthest distance counts, also when the pointer comes back', () => {
    expect(stream().down().move(30, 0).move(0, 0).up().actions()).toMatchObject([{ kind: 'drag', end: { x: 0 } }]);
  });

  test('A3: a release elsewhere counts without any move', () => {
    expect(stream().down().up('left', { x: 40, y: 30 }).actions()).toMatchObject([
      {
        kind: 'drag',
        start: { x: 0, y: 0 },
        end: { x: 40, y: 30 },
        path: [
          [0, 0, 1_000_000],
          [40, 30, 1_000_000],
        ],
      },
    ]);
  });

  test('A3: at 200 % scale the threshold is 8 physical px, and the setting of the OS replaces the default', () => {
    const scaled = { ...DISPLAY, scale: 2 };
    expect(stream().displays(scaled).down().move(8, 0).up().actions()[0]?.kind).toBe('click');
    const set = stream().displays(scaled).settings({ dragThresholdPx: 3 });
    expect(set.down().move(7, 0).up().actions()[0]?.kind).toBe('drag');
  });

  test('A3: a press shorter than 500 ms keeps no holdMs, the option moves the limit', () => {
    expect(stream().click(1, 1, 'left', 499).actions()[0]?.holdMs).toBeNull();
    expect(stream().click(1, 1, 'left', 499).actions({ holdMs: 200 })[0]?.holdMs).toBe(499);
  });

  test('A3: two buttons held at once are two clicks', () => {
    const actions = stream().down('left').wait(20).down('right').wait(20).up('right').up('left').actions();
    expect(actions).toMatchObject([
      {
        kind: 'click',
        button: 'left',
        events: [
          [0, 0],
          [3, 3],
        ],
      },
      { kind: 'click', button: 'right', events: [[1, 2]] },
    ]);
  });
});

describe('A4: multi-click', () => {
  const twoClicks = (pressToPressMs: number, dx = 0) =>
    stream()
      .click(100, 100)
      .wait(pressToPressMs - 50)
      .click(100 + dx, 100);

  test('A4: the time runs from press to press, 500 ms included', () => {
    expect(twoClicks(500).actions()).toMatchObject([{ count: 2 }]);
    expect(twoClicks(501).actions()).toHaveLength(2);
  });

  test('A4: the double-click time of the OS replaces the default', () => {
    expect(stream().settings({ doubleClickMs: 900 }).click(1, 1).wait(700).click(1, 1).actions()).toHaveLength(1);
  });

  test('A4: the place is measured from the first click', () => {
    expect(twoClicks(200, 4).actions()).toHaveLength(1);
    expect(twoClicks(200, 5).actions()).toHaveLength(2);
    const creeping = stream().click(100, 100).wait(50).click(103, 100).wait(50).click(106, 100).actions();
    expect(creeping.map((action) => action.count)).toEqual([2, 1]);
  });

  test('A4: the time of a third click runs from the second', () => {
    const work = stream().click(1, 1).wait(350).click(1, 1).wait(350).click(1, 1);
    expect(work.actions()).toMatchObject([{ count: 3 }]);
  });

  test('A4: another button, other modifiers or a key between part clicks', () => {
    expect(stream().click(1, 1).click(1, 1, 'right').actions()).toHaveLength(2);
    expect(stream().click(1, 1).keyDown('ShiftLeft').click(1, 1).keyUp('ShiftLeft').actions()).toHaveLength(2);
    expect(
      stream()
        .click(1, 1)
        .keys('KeyA')
        .click(1, 1)
        .actions()
        .map((a) => a.kind),
    ).toEqual(['click', 'type', 'click']);
  });

  test('A4: Ctrl released and pressed again between two fast clicks leaves one of count 2, and all its events', () => {
    const work = stream();
    for (let i = 0; i < 2; i++) work.keyDown('ControlLeft').click(1, 1).keyUp('ControlLeft');
    expect(work.actions()).toMatchObject([{ kind: 'click', count: 2, modifiers: ['ctrl'], events: [[0, 7]] }]);
  });

  test('A4: holdMs is that of the last press', () => {
    expect(stream().click(1, 1).wait(100).click(1, 1, 'left', 600).actions()).toMatchObject([
      { count: 2, holdMs: 600 },
    ]);
  });

  test('A4: moves between the clicks are travel of the click', () => {
    expect(stream().click(1, 1).move(2, 1).click(2, 1).actions()).toMatchObject([
      {
        count: 2,
        events: [
          [0, 1],
          [3, 4],
        ],
        travel: [[2, 2]],
      },
    ]);
  });

  test('A4: a second press that becomes a drag is its own action', () => {
    expect(stream().click(10, 10).wait(50).drag([10, 10], [90, 10]).actions()).toMatchObject([
      { kind: 'click', count: 1 },
      { kind: 'drag', count: 1 },
    ]);
  });
});

describe('A5: drag', () => {
  test('A5: the path starts at the press and ends at the release, corners kept, straight ways reduced', () => {
    const work = stream().down();
    for (let x = 10; x <= 100; x += 10) work.move(x, 0);
    for (let y = 10; y <= 100; y += 10) work.move(100, y);
    const path = work
      .up()
      .actions()[0]
      ?.path?.map(([x, y]) => [x, y]);
    expect(path).toEqual([
      [0, 0],
      [100, 0],
      [100, 100],
    ]);
  });

  test('A5: a modifier pressed during a drag joins its modifiers and its events', () => {
    const work = stream().down().move(50, 0).keyDown('ControlLeft').move(90, 0).up().keyUp('ControlLeft');
    expect(work.actions()).toMatchObject([{ kind: 'drag', modifiers: ['ctrl'], events: [[0, 5]] }]);
  });

  test('A5: a modifier pressed during a click does not change the click', () => {
    const work = stream().down().keyDown('ControlLeft').wait(30).keyUp('ControlLeft').up();
    expect(work.actions()).toMatchObject([{ kind: 'click', modifiers: [], events: [[0, 3]] }]);
  });

  test('A5: Escape during a drag is a press of its own', () => {
    expect(stream().down().move(50, 0).keys('Escape').up().actions()).toMatchObject([
      {
        kind: 'drag',
        events: [
          [0, 1],
          [4, 4],
        ],
      },
      { kind: 'press', keys: ['Escape'], events: [[2, 3]] },
    ]);
  });

  test('A2: a drag whose release is missing ends where the pointer was, incomplete', () => {
    const result = stream().down().move(50, 0).move(90, 20).reduce();
    expect(result.actions).toMatchObject([{ kind: 'drag', end: { x: 90, y: 20 }, incomplete: true }]);
    expect(result.warnings).toMatchObject([{ code: 'missing-release', event: 0 }]);
  });
});
