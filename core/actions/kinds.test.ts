import { expect, test } from 'vitest';
import { BENCHMARK_NAMES, benchmarkActionType } from './kinds.ts';
import { stream } from './stream-for-tests.ts';

test('The benchmark’s names are the paper’s six, for what the paper has', () => {
  const work = stream().click(1, 1).wait(900).click(9, 9, 'right').click(50, 50).wait(50).click(50, 50);
  const actions = work.drag([0, 0], [90, 90]).wheel(1).type('a').keys('Enter').actions();
  expect(actions.map((action) => benchmarkActionType(action))).toEqual([
    'LeftClick',
    'RightClick',
    'DoubleClick',
    'Drag',
    'Scroll',
    'Type/Press',
    'Type/Press',
  ]);
});

test('Names that the paper does not have: triple and more, other buttons', () => {
  const click = (button: string, count: number) => benchmarkActionType({ kind: 'click', button, count });
  expect([click('left', 3), click('left', 4), click('middle', 1), click('back', 1)]).toEqual([
    'TripleClick',
    'TripleClick',
    'MiddleClick',
    'Click',
  ]);
});

test('A user’s own spelling replaces the table', () => {
  const names = { ...BENCHMARK_NAMES, leftClick: 'click' };
  expect(benchmarkActionType({ kind: 'click', button: 'left', count: 1 }, names)).toBe('click');
});
