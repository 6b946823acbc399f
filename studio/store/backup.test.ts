import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { temporaryFolders } from './recording-for-tests.ts';

const folders = temporaryFolders();
const version = MIGRATIONS.at(-1)!.version;
const next: Migration = {
  version: version + 1,
  name: 'next',
  statements: ({ schema }) => [schema.alterTable('people').addColumn('language', 'text').compile()],
};
let file: string;
let copy: string;

beforeEach(() => {
  file = join(folders.make(), 'studio.sqlite');
  copy = `${file}.version-${version}.backup`;
  createDatabase(file);
  new Sqlite(file).exec("insert into people (id, name, created_at) values ('ann', 'Ann', '')").close();
});
afterEach(folders.clean);

const bringForward = (): void => openDatabase(file, [...MIGRATIONS, next]).close();

function peopleIn(database: string): unknown[] {
  const sqlite = new Sqlite(database, { readonly: true });
  try {
    return sqlite.prepare('select id from people').pluck().all();
  } finally {
    sqlite.close();
  }
}

describe('a backup that is no whole copy is made anew', () => {
  const torn: [string, () => void][] = [
    ['an empty one', () => writeFileSync(copy, '')],
    ['half of one', () => cut()],
    ['one of zeros in the middle', () => writeFileSync(copy, readFileSync(file).fill(0, 4096, 20_480))],
    ['a text', () => writeFileSync(copy, 'x'.repeat(5000))],
    ['one of another version', () => older()],
  ];

  function cut(): void {
    writeFileSync(copy, readFileSync(file));
    truncateSync(copy, 8192);
  }

  function older(): void {
    writeFileSync(copy, readFileSync(file));
    new Sqlite(copy).exec("update meta set value = '1' where key = 'version'").close();
  }

  test.each(torn)('%s', (_what, make) => {
    make();
    bringForward();
    expect(peopleIn(copy)).toEqual(['ann']);
  });
});

test('a whole one of the same version stays', () => {
  writeFileSync(copy, readFileSync(file));
  new Sqlite(copy).exec("insert into people (id, name, created_at) values ('bob', 'Bob', '')").close();
  bringForward();
  expect(peopleIn(copy)).toEqual(['ann', 'bob']);
});

test('what a program that was killed left goes, what a running one makes stays', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  writeFileSync(`${copy}.new-${child.pid}-aa`, 'half');
  writeFileSync(`${copy}.new-${process.pid}-bb`, 'half');
  bringForward();
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(copy)}.new-`));
  expect(names).toEqual([`${basename(copy)}.new-${process.pid}-bb`]);
});

test('a kill while it is made leaves nothing that is taken for one', async () => {
  const script = `
    import Sqlite from 'better-sqlite3';
    import { backUp } from './studio/store/backup.ts';
    const sqlite = new Sqlite(${JSON.stringify(file)});
    const vacuum = sqlite.prepare.bind(sqlite);
    sqlite.prepare = (text) => {
      const statement = vacuum(text);
      if (!text.startsWith('vacuum')) return statement;
      return { run: (to) => { statement.run(to); process.kill(process.pid, 'SIGKILL'); } };
    };
    backUp(${JSON.stringify(file)}, sqlite, ${version}, () => ${version});
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  expect(existsSync(copy)).toBe(false);
  bringForward();
  expect(peopleIn(copy)).toEqual(['ann']);
  expect(readdirSync(dirname(file)).filter((name) => name.includes('.new-'))).toEqual([]);
});
