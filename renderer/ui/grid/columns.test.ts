import { expect, it } from 'vitest';
import { columnsOfPart, FIRST_COLUMNS, partOfColumns, withColumn } from './columns.ts';

const all = [
  { id: 'task', name: 'Task' },
  { id: 'goal', name: 'Goal' },
  { id: 'proof', name: 'Proof', hidden: true },
  { id: 'state', name: 'State' },
];
const idsOf = (part: string | null) => columnsOfPart(part, all).map(({ id }) => id);

it('a choice is shown in the fixed order, the first column always with it', () => {
  expect(idsOf('state,proof,task')).toEqual(['task', 'proof', 'state']);
  expect(idsOf('state')).toEqual(['task', 'state']);
  expect(idsOf('task')).toEqual(['task']);
});

it('without a choice, or with no column that the list knows, the columns are those at first', () => {
  for (const part of [null, '', FIRST_COLUMNS, 'gone,away']) expect(idsOf(part)).toEqual(['task', 'goal', 'state']);
  expect(idsOf('gone,proof')).toEqual(['task', 'proof']);
});

it('a choice is written as it is read, and not at all when it is the one at first', () => {
  for (const part of ['task', 'task,proof', 'task,goal,proof,state'])
    expect(partOfColumns(columnsOfPart(part, all), all)).toBe(part);
  expect(partOfColumns(columnsOfPart('state,goal', all), all)).toBeNull();
});

it('a column is shown and hidden in its place; the first one stays', () => {
  const first = columnsOfPart(null, all);
  const more = withColumn(first, all, 'proof');
  expect(partOfColumns(more, all)).toBe('task,goal,proof,state');
  expect(withColumn(more, all, 'proof')).toEqual(first);
  expect(withColumn(first, all, 'task')).toEqual(first);
  expect(partOfColumns(withColumn(first, all, 'goal'), all)).toBe('task,state');
});
