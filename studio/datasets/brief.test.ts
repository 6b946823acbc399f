import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { filesOf, type TaskBrief } from './brief.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

test('a visual query is a picture or a video; another file that is called so goes along as a file', () => {
  const dir = folders.make();
  mkdirSync(join(dir, 'attachments', 'GIMP_1'), { recursive: true });
  const file = (name: string, role: TaskBrief['files'][number]['role'], mime: string): TaskBrief['files'][number] => {
    const place = `attachments/GIMP_1/${name}`;
    writeFileSync(join(dir, place), 'x');
    return { id: name, role, name, file: place, mime, bytes: 1 };
  };
  const files = [
    file('a.png', 'query-end', 'image/png'),
    file('b.pdf', 'query-end', 'application/pdf'),
    file('c.bin', 'query-start', 'application/octet-stream'),
  ];
  const { query, files: others } = filesOf({ files }, dir);
  expect([query.start, query.end?.given]).toEqual([null, { ending: '.png' }]);
  expect(others.map(({ name, role }) => [name, role])).toEqual([
    ['b.pdf', 'query-end'],
    ['c.bin', 'query-start'],
  ]);
});
