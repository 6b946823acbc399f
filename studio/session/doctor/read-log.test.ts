import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { lineOfEntry, packEntries, readLog } from './read-log.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const line = (time: string, what: string, more: object = {}): string =>
  JSON.stringify({ time, level: 'info', from: 'studio', pid: 7, what, ...more });

test('the last entries of all files come in the order of time; what is no entry is passed over', () => {
  const [one, two] = [folders.make(), folders.make()];
  writeFileSync(
    join(one, 'studio.log'),
    [line('2026-01-03', 'c'), 'torn {', '7', '{"time":1,"what":"x"}', ''].join('\n'),
  );
  writeFileSync(join(one, 'studio.old.log'), `${line('2026-01-01', 'a')}\n`);
  writeFileSync(join(two, 'host.log'), `2026-01-01 of an older version\n${line('2026-01-02', 'b')}\n`);
  writeFileSync(join(two, 'other.txt'), line('2026-01-04', 'd'));
  mkdirSync(join(two, 'folder.log'));
  const read = (most: number): string[] => readLog([one, two, join(one, 'none')], most).map(({ what }) => what);
  expect(read(10)).toEqual(['a', 'b', 'c']);
  expect(read(2)).toEqual(['b', 'c']);
});

test('a person sees one line an entry, without what a terminal would obey', () => {
  const entry = {
    time: '2026',
    level: 'warn',
    from: 'studio',
    pid: 7,
    what: 'gone',
    name: 'a\u001b[2J',
    at: ['x:1', 'y:2'],
  };
  expect(lineOfEntry(entry)).toBe('2026 warn  studio[7] gone name=a [2J at=x:1 < y:2');
});

test('what is packed has numbers in place of people and recordings, the same throughout, and no details', () => {
  const entries = [
    { time: '1', what: 'a', person: 'Ana Maier', recording: 'rec-1', ms: 5, detail: 'https://x/?q=hunter2' },
    { time: '2', what: 'b', person: 'Ben', recording: 'rec-1', job: 'j' },
    { time: '3', what: 'c', person: 'Ana Maier', workspace: 'w' },
  ];
  const packed = packEntries(entries);
  expect(packed).toEqual([
    { time: '1', what: 'a', person: 'person-1', recording: 'recording-2', ms: 5 },
    { time: '2', what: 'b', person: 'person-3', recording: 'recording-2', job: 'job-4' },
    { time: '3', what: 'c', person: 'person-1', workspace: 'workspace-5' },
  ]);
  expect(JSON.stringify(packed)).not.toMatch(/Ana|Ben|rec-1|hunter2/);
});
