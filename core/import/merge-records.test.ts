import { expect, test } from 'vitest';
import type { AnnotationRecord } from '../../schemas/annotation.ts';
import { toRecords } from '../annotate/document.ts';
import { mergeRecords } from './merge-records.ts';

const titled = (id: string, title: string): AnnotationRecord => ({ kind: 'subtask', id, first: id, title });
const records = (of: Record<string, string>) => toRecords(Object.entries(of).map(([id, title]) => titled(id, title)));

test('what one changed is as they have it, what both changed is ours and named', () => {
  const base = records({ a: '1', b: '1', c: '1', d: '1', e: '1' });
  const ours = records({ a: 'ours', b: '1', c: 'ours', d: 'same', e: '1', mine: 'new' });
  const theirs = records({ a: '1', b: 'theirs', c: 'theirs', d: 'same', yours: 'new' });
  const { records: merged, both } = mergeRecords({ base, ours, theirs });
  expect(merged).toEqual(records({ a: 'ours', b: 'theirs', c: 'ours', d: 'same', mine: 'new', yours: 'new' }));
  expect(both).toEqual(['c']);
});

test('one that was removed here and changed there stays away, and is named', () => {
  const merged = mergeRecords({ base: records({ a: '1' }), ours: records({}), theirs: records({ a: '2' }) });
  expect([merged.records.size, merged.both]).toEqual([0, ['a']]);
});
