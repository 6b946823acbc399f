import { describe, expect, it } from 'vitest';
import type { DatasetStatistics, Distribution } from '../../schemas/dataset.ts';
import { plotsOf } from './statistics-plots.ts';

const none: Distribution = { spread: null, values: [] };
const EMPTY: DatasetStatistics = {
  tasks: 0,
  recordings: 0,
  subtasks: 0,
  actions: 0,
  seconds: 0,
  uncounted: 0,
  software: [],
  kinds: [],
  resolutions: [],
  splits: [],
  states: [],
  frequentWords: [],
  actionsPerTask: none,
  actionsPerSubtask: none,
  secondsPerTask: none,
  secondsPerSubtask: none,
  words: { goals: none, subtasks: none, narrations: none },
};
const one = { id: 'gimp', name: 'GIMP', tasks: 3, recordings: 3, subtasks: 6, actions: 12, seconds: 60 };

describe('plots of a data set', () => {
  it('are left out where nothing is known', () => {
    expect(plotsOf(EMPTY)).toEqual([]);
  });

  it('say in words what the bars show', () => {
    const software = [{ ...one, actionsPerTask: 4, actionsPerSubtask: 2 }];
    const kinds = [
      { name: 'LeftClick', count: 9, share: 0.75 },
      { name: 'Drag', count: 3, share: 0.25 },
    ];
    const [first, second] = plotsOf({ ...EMPTY, software, kinds });
    expect(first?.caption).toBe('3 tasks in 1 software; most in GIMP, 3 tasks (100 %).');
    expect(second?.caption).toBe('12 actions, 2 kinds; LeftClick is the most frequent, 75 %.');
    expect(second?.table.rows).toEqual([
      ['LeftClick', 9, 0.75],
      ['Drag', 3, 0.25],
    ]);
  });

  it('mark the median of whole numbers in the middle of its own bar, and count every value', () => {
    const values = [2, 3, 3, 5];
    const spread = { n: 4, min: 2, median: 3, mean: 3.25, max: 5 };
    const [plot] = plotsOf({ ...EMPTY, actionsPerTask: { spread, values } });
    if (plot?.kind !== 'histogram') throw new Error('no histogram');
    expect(plot.caption).toBe('Of 4 recordings: median 3 actions, mean 3.3, from 2 to 5.');
    // The second bar, 3, from its left edge 1 to 2.
    expect(plot.median).toBe(1.5);
    expect(plot.bins.map(({ label, count }) => [label, count])).toEqual([
      ['2', 1],
      ['3', 2],
      ['4', 0],
      ['5', 1],
    ]);
  });

  it.each([
    ['whole', 'actionsPerTask', 7],
    ['measured', 'secondsPerTask', 12.34],
  ] as const)('mark the median of a single %s value in the middle of its one bar', (_kind, field, value) => {
    const spread = { n: 2, min: value, median: value, mean: value, max: value };
    const [plot] = plotsOf({ ...EMPTY, [field]: { spread, values: [value, value] } });
    if (plot?.kind !== 'histogram') throw new Error('no histogram');
    expect([plot.bins.length, plot.median]).toEqual([1, 0.5]);
  });

  it('draw at most forty bars, and leave all of them in the table', () => {
    const many = Array.from({ length: 60 }, (_, n) => ({ name: `${n}x${n}`, count: 1, share: 1 / 60 }));
    const [plot] = plotsOf({ ...EMPTY, resolutions: many });
    if (plot?.kind !== 'bars') throw new Error('no bars');
    expect(plot.items).toHaveLength(40);
    expect(plot.table.rows).toHaveLength(60);
  });
});
