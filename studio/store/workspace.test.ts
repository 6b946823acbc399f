import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { createDatabase, openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { sampleRecording, temporaryFolders, thrownBy, writeSample } from './recording-for-tests.ts';
import { sqlOf } from './store.ts';
import { openWorkspace } from './workspace.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

/** The folder of a new workspace, closed. */
function newWorkspace(): string {
  const dir = join(folders.make(), 'studio');
  openWorkspace(dir, { create: true }).close();
  return dir;
}

describe('making a workspace', () => {
  test('of a missing folder, with the folders above it', () => {
    const dir = join(folders.make(), 'a', 'b', 'studio');
    openWorkspace(dir, { create: true }).close();
    expect(readdirSync(dir).sort()).toEqual(['exports', 'recordings', 'studio.sqlite']);
  });

  test('opening it again finds what was in it', async () => {
    const dir = newWorkspace();
    const first = openWorkspace(dir, { create: true });
    await first.addSoftware({ name: 'Krita' });
    first.close();
    const second = openWorkspace(dir, { create: false });
    expect((await second.findSoftware('krita')).name).toBe('Krita');
    second.close();
  });

  test('not of a folder that holds something else: it stays as it was', () => {
    const dir = folders.make();
    writeFileSync(join(dir, 'thesis.txt'), 'mine');
    const error = thrownBy(() => openWorkspace(dir, { create: true }));
    expect([error.code, error.message]).toEqual(['NOT_A_WORKSPACE', expect.stringContaining('thesis.txt')]);
    expect(readdirSync(dir)).toEqual(['thesis.txt']);
  });

  test('of one that lost only its database: its recordings are found again', async () => {
    const dir = newWorkspace();
    writeSample(join(dir, 'recordings'), sampleRecording());
    rmSync(join(dir, 'studio.sqlite'));
    const workspace = openWorkspace(dir, { create: true });
    expect(await workspace.listRecordings()).toMatchObject([{ id: '3f2a9c1e' }]);
    workspace.close();
  });

  test('not where an old -wal lies: SQLite would mix it into the new database', () => {
    const dir = newWorkspace();
    rmSync(join(dir, 'studio.sqlite'));
    writeFileSync(join(dir, 'studio.sqlite-wal'), 'old');
    expect(thrownBy(() => openWorkspace(dir, { create: true })).code).toBe('NOT_A_WORKSPACE');
  });

  test('what a creation that was killed left behind is no hindrance', () => {
    const dir = folders.make();
    writeFileSync(join(dir, 'studio.sqlite.new-1-abcd'), 'half');
    openWorkspace(dir, { create: true }).close();
    expect(existsSync(join(dir, 'studio.sqlite'))).toBe(true);
  });

  test('under a file is WORKSPACE_UNWRITABLE, and nothing is left behind', () => {
    const place = folders.make();
    writeFileSync(join(place, 'file'), '');
    expect(thrownBy(() => openWorkspace(join(place, 'file', 'studio'), { create: true })).code).toBe(
      'WORKSPACE_UNWRITABLE',
    );
    expect(readdirSync(place)).toEqual(['file']);
  });

  test('that fails after the folders were made takes them away again', () => {
    const place = folders.make();
    // A name too long for SQLite's journal beside it, but not for the folder.
    const dir = join(place, 'new', 'x'.repeat(200), 'y'.repeat(200), 'z'.repeat(200));
    expect(() => openWorkspace(dir, { create: true })).toThrow();
    expect(readdirSync(place)).toEqual([]);
  });
});

describe('opening a workspace', () => {
  test('that is not there says how to make one', () => {
    const error = thrownBy(() => openWorkspace(join(folders.make(), 'none'), { create: false }));
    expect([error.code, error.message]).toEqual(['NOT_A_WORKSPACE', expect.stringContaining('init --workspace')]);
  });

  test('an empty folder, a folder of something else, or a file is none', () => {
    const dir = folders.make();
    expect(thrownBy(() => openWorkspace(dir, { create: false })).code).toBe('NOT_A_WORKSPACE');
    writeFileSync(join(dir, 'file'), '');
    expect(thrownBy(() => openWorkspace(dir, { create: false })).code).toBe('NOT_A_WORKSPACE');
    expect(thrownBy(() => openWorkspace(join(dir, 'file'), { create: true })).code).toBe('NOT_A_WORKSPACE');
  });

  test('two programs may have it open at once', async () => {
    const dir = newWorkspace();
    const [one, other] = [openWorkspace(dir, { create: false }), openWorkspace(dir, { create: false })];
    await one.addSoftware({ name: 'Krita' });
    expect((await other.findSoftware('krita')).name).toBe('Krita');
    one.close();
    other.close();
  });
});

describe('a damaged database', () => {
  const damages: [string, (file: string) => void][] = [
    ['empty', (file) => truncateSync(file, 0)],
    ['cut in the middle', (file) => truncateSync(file, 20_000)],
    ['cut in its header', (file) => truncateSync(file, 50)],
    ['a text', (file) => writeFileSync(file, 'not a database at all, but longer than a header')],
    ['overwritten in the middle', (file) => overwrite(file, 4096, 8192)],
    ['a database of something else', (file) => foreignDatabase(file)],
  ];

  test.each(damages)('that is %s is WORKSPACE_DAMAGED, says what to do, and is not touched', (_what, damage) => {
    const dir = newWorkspace();
    const file = join(dir, 'studio.sqlite');
    damage(file);
    const before = readFileSync(file);
    for (const create of [true, false]) {
      const error = thrownBy(() => openWorkspace(dir, { create }));
      expect([error.code, error.message]).toEqual(['WORKSPACE_DAMAGED', expect.stringContaining('backup')]);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  function overwrite(file: string, from: number, to: number): void {
    const bytes = readFileSync(file);
    bytes.fill(0xff, from, to);
    writeFileSync(file, bytes);
  }

  function foreignDatabase(file: string): void {
    rmSync(file);
    new Sqlite(file).exec('create table cats (name text)').close();
  }
});

describe.skipIf(process.platform === 'win32')('a workspace that somebody else made', () => {
  test.each(['', '-wal', '-shm', '-journal'])(
    'studio.sqlite%s as a link or a pipe is refused at once, and nothing is followed',
    (beside) => {
      const [dir, other] = [newWorkspace(), newWorkspace()];
      const [file, theirs] = [join(dir, `studio.sqlite${beside}`), join(other, 'studio.sqlite')];
      const before = readFileSync(theirs);
      for (const [put, what] of [
        [() => symlinkSync(theirs, file), 'a link'],
        [() => execFileSync('mkfifo', [file]), 'a device or pipe'],
      ] as const) {
        rmSync(file, { force: true });
        put();
        const error = thrownBy(() => openWorkspace(dir, { create: false }));
        expect([error.code, error.message]).toEqual(['BAD_FILE', expect.stringContaining(what)]);
      }
      expect(readFileSync(theirs).equals(before)).toBe(true);
    },
  );
});

describe('versions of the database', () => {
  const newest = MIGRATIONS.at(-1)!.version;
  const second: Migration = {
    version: newest + 1,
    name: 'second',
    statements: ({ schema }) => [schema.alterTable('people').addColumn('language', 'text').compile()],
  };

  test('a later one is refused and not touched', () => {
    const dir = newWorkspace();
    const file = join(dir, 'studio.sqlite');
    new Sqlite(file).exec("update meta set value = '99' where key = 'version'").close();
    const error = thrownBy(() => openWorkspace(dir, { create: false }));
    expect(error.code).toBe('FUTURE_VERSION');
    expect(error.details).toMatchObject({ found: 99, newest });
  });

  test('an earlier one is brought forward once, with a copy of the old file beside it', () => {
    const file = join(folders.make(), 'studio.sqlite');
    createDatabase(file);
    for (let i = 0; i < 2; i++) {
      const database = openDatabase(file, [...MIGRATIONS, second]);
      expect(database.sqlite.prepare('select language from people').all()).toEqual([]);
      database.close();
    }
    const copy = new Sqlite(`${file}.version-${newest}.backup`, { readonly: true });
    expect(copy.prepare("select value from meta where key = 'version'").pluck().get()).toBe(`${newest}`);
    copy.close();
  });

  test('a step that fails leaves the old version whole', () => {
    const file = join(folders.make(), 'studio.sqlite');
    createDatabase(file);
    const broken: Migration = {
      ...second,
      statements: (store) => [...second.statements(store), store.schema.dropTable('nothing').compile()],
    };
    expect(() => openDatabase(file, [...MIGRATIONS, broken])).toThrow('nothing');
    const database = openDatabase(file);
    expect(() => database.sqlite.prepare('select language from people')).toThrow('no such column');
    database.close();
  });

  test('migrations stand in the order of their numbers, each number once', () => {
    const versions = MIGRATIONS.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  });

  test('of two that make it at once, the first stays', () => {
    const file = join(folders.make(), 'studio.sqlite');
    expect([createDatabase(file), createDatabase(file)]).toEqual([true, false]);
    expect(readdirSync(join(file, '..'))).toEqual(['studio.sqlite']);
  });
});

describe('the database', () => {
  test('keeps links whole, never waits for other writers with the whole process (driver.test.ts), and logs ahead', () => {
    const file = join(folders.make(), 'studio.sqlite');
    createDatabase(file);
    const { sqlite, close } = openDatabase(file);
    expect(sqlite.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(sqlite.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(sqlite.pragma('busy_timeout', { simple: true })).toBe(0);
    close();
  });
});

test('a workspace folder that lost recordings/ or exports/ gets them back', () => {
  const dir = newWorkspace();
  rmSync(join(dir, 'recordings'), { recursive: true });
  openWorkspace(dir, { create: false }).close();
  expect(existsSync(join(dir, 'recordings'))).toBe(true);
});

test('an export is noted', async () => {
  const workspace = openWorkspace(newWorkspace(), { create: false });
  await workspace.noteExport({ format: 'videogui', folder: '/data', filters: { all: true }, counts: { tasks: 2 } });
  expect(await sqlOf(workspace.store).selectFrom('exports').selectAll().execute()).toMatchObject([
    { format: 'videogui', folder: '/data', filters: '{"all":true}', counts: '{"tasks":2}' },
  ]);
  workspace.close();
});

test('a workspace in a folder with spaces and signs works', async () => {
  const dir = join(folders.make(), "Anna's 100% stüdio?#");
  mkdirSync(dir);
  const workspace = openWorkspace(dir, { create: true });
  writeSample(workspace.recordingsDir, sampleRecording());
  expect(await workspace.listRecordings()).toHaveLength(1);
  workspace.close();
});
