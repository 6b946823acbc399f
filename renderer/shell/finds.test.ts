import { expect, it } from 'vitest';
import { findEntries } from './finds.ts';

const task = (n: number) => ({ kind: 'Task' as const, hay: `us_${n}: make the title blue task` });
const entries = [
  { kind: 'Version' as const, hay: 'v1 version' },
  ...Array.from({ length: 40 }, (_, n) => task(n)),
  { kind: 'Recording' as const, hay: 'gimp_1: crop us_3 recording' },
  { kind: 'Person' as const, hay: 'ada us person' },
];

it('finds by all words in any order, a few of each kind, tasks first, whatever begins with the words before the rest', () => {
  const found = findEntries(entries, 'us_3').map(({ kind, hay }) => `${kind} ${hay.split(':')[0]}`);
  expect(found[0]).toBe('Task us_3');
  expect(found.filter((one) => one.startsWith('Task'))).toHaveLength(6);
  expect(found.at(-1)).toBe('Recording gimp_1');
  expect(findEntries(entries, 'BLUE us_7').map(({ hay }) => hay)).toEqual([task(7).hay]);
  expect(findEntries(entries, 'version').map(({ kind }) => kind)).toEqual(['Version']);
  expect(findEntries(entries, 'nothing like it')).toEqual([]);
});
