import type { Action } from '../../schemas/actions.ts';

/**
 * The benchmark's spelling of action types, in one place. The paper's names (videogui.txt, Fig. 3c: LeftClick,
 * RightClick, DoubleClick, Drag, Scroll, Type/Press) are the default. The paper has none for the others; a user who
 * wants only its six maps them here.
 */
export const BENCHMARK_NAMES = {
  leftClick: 'LeftClick',
  rightClick: 'RightClick',
  middleClick: 'MiddleClick',
  otherClick: 'Click',
  doubleClick: 'DoubleClick',
  tripleClick: 'TripleClick',
  drag: 'Drag',
  scroll: 'Scroll',
  type: 'Type/Press',
  press: 'Type/Press',
  hover: 'Hover',
  wait: 'Wait',
} as const;

type BenchmarkName = keyof typeof BENCHMARK_NAMES;

/**
 * The action's type as the benchmark writes it. Modifiers do not change it (a Ctrl-click is a LeftClick), nor does the
 * button of a drag. Two clicks of the left button are a DoubleClick, three or more a TripleClick; other buttons keep
 * their name, and `count` tells.
 */
export function benchmarkActionType(
  action: Pick<Action, 'kind' | 'button' | 'count'>,
  names: Readonly<Record<BenchmarkName, string>> = BENCHMARK_NAMES,
): string {
  return names[benchmarkName(action)];
}

function benchmarkName({ kind, button, count }: Pick<Action, 'kind' | 'button' | 'count'>): BenchmarkName {
  if (kind !== 'click') return kind;
  if (button === 'right') return 'rightClick';
  if (button === 'middle') return 'middleClick';
  if (button !== 'left') return 'otherClick';
  if (count === 1) return 'leftClick';
  return count === 2 ? 'doubleClick' : 'tripleClick';
}
