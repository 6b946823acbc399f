import { expect, test } from 'vitest';
import type { AnnotationRecord, Change } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import { applyChanges, sameValue, toRecords } from './document.ts';

const goal = (text: string): AnnotationRecord => ({ kind: 'goal', id: 'goal', text });
const part = (id: string, title = ''): AnnotationRecord => ({ kind: 'subtask', id, first: 'a', title });

const conflict = (list: AnnotationRecord[], changes: Change[]): unknown => {
  const records = toRecords(list);
  try {
    applyChanges(records, changes);
  } catch (error) {
    // All or nothing (N3): what was there is untouched.
    expect(records).toEqual(toRecords(list));
    return error instanceof StudioError ? [error.code, error.details.record] : error;
  }
  return 'no conflict';
};

test('adding what is there, and changing or removing what is not as it was, are conflicts that name the record', () => {
  expect(conflict([goal('a')], [{ op: 'add', record: goal('a') }])).toEqual(['CONFLICT', 'goal']);
  expect(conflict([goal('a')], [{ op: 'change', before: goal('b'), after: goal('c') }])).toEqual(['CONFLICT', 'goal']);
  expect(conflict([goal('a')], [{ op: 'remove', record: goal('b') }])).toEqual(['CONFLICT', 'goal']);
  expect(conflict([], [{ op: 'remove', record: part('p') }])).toEqual(['CONFLICT', 'p']);
  const half: Change[] = [
    { op: 'add', record: part('p') },
    { op: 'remove', record: goal('b') },
  ];
  expect(conflict([goal('a')], half)).toEqual(['CONFLICT', 'goal']);
});

test('a change that would turn a record into another is refused', () => {
  expect(conflict([goal('a')], [{ op: 'change', before: goal('a'), after: part('goal') }])).toEqual(['USAGE', 'goal']);
  expect(conflict([part('p')], [{ op: 'change', before: part('p'), after: part('q') }])).toEqual(['USAGE', 'p']);
});

test('changes of one transaction follow each other: a record can come, change and go', () => {
  const changes: Change[] = [
    { op: 'add', record: part('p') },
    { op: 'change', before: part('p'), after: part('p', 'Title') },
    { op: 'remove', record: part('p', 'Title') },
  ];
  expect(applyChanges(toRecords([goal('a')]), changes)).toEqual(toRecords([goal('a')]));
});

test('values are the same whatever the order of their fields, and other with one more', () => {
  expect(sameValue({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
  expect(sameValue({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(sameValue([1, 2], [2, 1])).toBe(false);
  expect(sameValue([], {})).toBe(false);
});
