import { createHash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { errorBody } from '../../schemas/errors.ts';
import { proveForTests } from '../datasets/prove-for-tests.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { calm, write } from '../import/archive/bench-for-tests.ts';
import { exportRecording } from '../import/export-recording.ts';
import { attach } from '../store/attachments.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { smallDisk } from '../store/small-disk-for-tests.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { DATABASE_FILE } from '../store/workspace-file.ts';
import { backgroundHere, openBackground } from './background.ts';
import type { InputOf, OutputOf, TaskName } from './background-tasks.ts';
import { openSession } from './open-workspace.ts';

/**
 * The database fails under work of the background, at each of its statements: the error comes out as itself, or the answer is
 * as without it, or says so. Never is anything left out without a word, and the next try is as if nothing had been.
 */
const fault = vi.hoisted(() => ({ at: -1, done: 0, code: '', always: null as RegExp | null }));
vi.mock('../store/statements.ts', async (original) => {
  const { watchedStatements } = await import('../store/statements-for-tests.ts');
  return watchedStatements(await original<typeof import('../store/statements.ts')>(), (sql) => {
    if (fault.done++ === fault.at || fault.always?.test(sql)) throw new Sqlite.SqliteError(WORDS, fault.code);
  });
});

const WORDS = 'so says the test';
const CODES = {
  SQLITE_IOERR_READ: 'DISK_FAILED',
  SQLITE_FULL: 'DISK_FULL',
  SQLITE_READONLY: 'WORKSPACE_UNWRITABLE',
  // Waited for, and gone at the second try; in a transaction that has begun it ends that.
  SQLITE_BUSY: 'WORKSPACE_BUSY',
} as const;

const folders = temporaryFolders();
const lasting = temporaryFolders();
let home = '';
let archive = '';
let single = '';
afterEach(() => {
  Object.assign(fault, { at: -1, always: null });
  folders.clean();
});
afterAll(() => lasting.clean());

/** Two recordings, of which one is proven by its task's checks; a frozen version. */
beforeAll(async () => {
  const dir = lasting.make();
  home = join(dir, 'home');
  const workspace = openWorkspace(home, { create: true });
  await fill(workspace);
  archive = join(dir, 'w.tar');
  await write({ workspace }, archive);
  single = join(dir, 'one');
  await exportRecording(workspace, 'rec-a', single, { ...calm, carried: [] });
  const wishes = { name: 'v0', changelog: '', filter: {} };
  await backgroundHere(workspace).run('freeze', { wishes, toolVersion: '0' });
  workspace.close();
});

async function fill(workspace: Workspace): Promise<void> {
  const checks = Buffer.from('{}');
  for (const [at, id] of ['rec-a', 'rec-b'].entries()) {
    await addRecording(workspace, { id, task: `GIMP_${at + 1}`, screens: [40, 200] });
    if (at === 0) await proveForTests(workspace, id, { proven: true, checks: sha256(checks) });
  }
  await attach(workspace, { task: 'GIMP_1', role: 'checks', name: 'checks.json', body: Readable.from([checks]) });
  await workspace.syncIndex();
}
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A file that stands is not written again: each try has another name. */
let n = 0;

type Case = { task: TaskName; run(workspace: Workspace): Promise<unknown>; isEmpty: boolean; every: number };
/** `every`: of those that take long, each so many-th statement. */
const caseOf = <N extends TaskName>(
  task: N,
  input: (dir: string) => InputOf<N>,
  { isEmpty = false, every = 1 } = {},
): Case => {
  const run = (workspace: Workspace): Promise<OutputOf<N>> => backgroundHere(workspace).run(task, input(workspace.dir));
  return { task, run, isEmpty, every };
};
const source = { kind: 'filter' as const, filter: {} };
const wishes = { source, formats: [{ name: 'videogui' }], all: true };
const rule = { shares: [{ split: 'train', share: 1 }], seed: '1', keepDuplicatesTogether: true, again: true };
const search = { goals: 0.8, screens: 6, filter: {} };
const asked = { levels: ['mid' as const], aids: [], everyState: true, out: null };
const CASES: Case[] = [
  caseOf('preview', () => wishes),
  caseOf('export', (dir) => ({ wishes, out: `${dir}-out-${n++}`, toolVersion: '0' })),
  caseOf('freeze', () => ({ wishes: { name: 'v1', changelog: '', filter: {}, again: true }, toolVersion: '0' }), {
    every: 10,
  }),
  caseOf('duplicates', () => search, { every: 10 }),
  caseOf('leaks', () => ({ filter: {}, goals: 0.8, screens: 6, look: true })),
  caseOf('statistics', () => ({ source })),
  caseOf('split', () => ({ rule, filter: {}, apply: true })),
  caseOf('count', () => ({})),
  caseOf('questions', () => ({ id: '00000000-0000-4000-8000-000000000001', wanted: asked })),
  caseOf('archive', (dir) => ({ file: `${dir}-${n++}.tar`, version: null, choice: {}, toolVersion: '0' })),
  caseOf('importOne', () => ({ path: single, wishes: { version: '0' } }), { isEmpty: true }),
  caseOf('takeArchive', () => ({ file: archive, versionAs: undefined }), { isEmpty: true, every: 3 }),
  caseOf('takeArrived', () => ({ recordings: ['rec-a'] })),
  caseOf('finish', (dir) => ({ folder: join(dir, 'recordings', 'rec-a') })),
];

/** A result as text, with times and temporary folders taken out, so that two runs can be compared. */
const plain = (value: unknown): string =>
  (value instanceof Uint8Array ? new TextDecoder().decode(value) : (JSON.stringify(value) ?? '')).replaceAll(
    /\d{4}-\d\d-\d\dT[\d:.]+Z|\/[^"]*studio-test-[\w./-]+/g,
    '-',
  );

async function life({ run }: Case, dir: string, at = -1, code = ''): Promise<{ done: number; gave: string }> {
  const workspace = openWorkspace(dir, { create: true });
  Object.assign(fault, { at, done: 0, code });
  try {
    const gave = await run(workspace).then(plain, (error: unknown) => errorBody(error).code);
    return { done: fault.done, gave };
  } finally {
    fault.at = -1;
    workspace.close();
  }
}

function placeFor({ isEmpty }: Case): string {
  const dir = join(folders.make(), 'w');
  // Copied files have other stamps: everything is indexed anew, as after a night of work by others.
  if (!isEmpty) cpSync(home, dir, { recursive: true });
  return dir;
}

describe('a fault of the database is itself, and nothing is lost', () => {
  test.each(CASES)(
    '$task',
    async (one) => {
      const { done, gave: wanted } = await life(one, placeFor(one));
      expect(wanted).toMatch(/^[{[]/);
      expect(done).toBeGreaterThan(0);
      for (const [nth, [code, expected]] of Object.entries(CODES).entries()) {
        // The first of them at each statement; the others go the same way.
        const step = one.every * (nth === 0 ? 1 : 5);
        for (let at = nth; at < done; at += step) {
          const dir = placeFor(one);
          const { gave } = await life(one, dir, at, code);
          if (gave !== wanted && !gave.includes(WORDS) && !saysWhy(gave, expected))
            expect(gave, `${code} at statement ${at} of ${done}`).toBe(expected);
          // An import that landed is here; what it owes is taken by the next one (killed.test.ts).
          const again = await life(one, dir);
          if (!one.isEmpty && gave !== wanted) expect(again.gave, `after ${code} at ${at}`).toBe(wanted);
          folders.clean();
        }
      }
    },
    120_000,
  );
});

/** For a full disk the database's words are replaced by our own. */
const saysWhy = (gave: string, code: string): boolean => code === 'DISK_FULL' && /disk[^"]* is full/.test(gave);

test('an export that only the list could not take says that it is whole', async () => {
  const dir = placeFor(CASES[0]!);
  const workspace = openWorkspace(dir, { create: false });
  try {
    vi.spyOn(workspace, 'noteExport').mockRejectedValue(new Sqlite.SqliteError(WORDS, 'SQLITE_FULL'));
    const out = join(dir, '..', 'out');
    const error: unknown = await backgroundHere(workspace)
      .run('export', { wishes, out, toolVersion: '0' })
      .catch((thrown: unknown) => thrown);
    expect(errorBody(error).message).toBe(
      `${out} is written and whole, but the list of exports does not name all of it: ${WORDS}`,
    );
    expect(existsSync(join(out, 'manifest.json'))).toBe(true);
  } finally {
    workspace.close();
  }
});

describe('in a thread of its own', () => {
  test('another program that holds the database for long is said, and nothing hangs after it', async () => {
    const dir = placeFor(CASES[0]!);
    const background = openBackground(dir);
    const other = new Sqlite(join(dir, DATABASE_FILE));
    try {
      other.exec('begin immediate');
      const held = background.run('duplicates', search, { alone: true });
      await expect(held).rejects.toMatchObject({ code: 'WORKSPACE_BUSY' });
      other.exec('rollback');
      expect(await background.run('duplicates', search, { alone: true })).toMatchObject({ screens: 2 });
    } finally {
      other.close();
      await background.close();
    }
  });

  test('a disk that is full is said, and the same work is done when there is room', async (context) => {
    const dir = join(folders.make(), 'small');
    const disk = smallDisk(dir, 40 * 2 ** 20);
    if (disk === null) return context.skip('needs root to mount a small disk');
    cpSync(home, join(dir, 'w'), { recursive: true });
    const background = openBackground(join(dir, 'w'));
    try {
      expect((await background.run('statistics', { source })).tasks).toBeDefined();
      disk.fill();
      await expect(background.run('duplicates', search, { alone: true })).rejects.toMatchObject({ code: 'DISK_FULL' });
      disk.free();
      expect(await background.run('duplicates', search, { alone: true })).toMatchObject({ screens: 2 });
    } finally {
      await background.close();
      disk.remove();
    }
  });
});

test('lists show what the index has while nothing can be written, and a recording that came since when it can', async () => {
  const dir = placeFor(CASES[0]!);
  // Somebody puts one there by hand, and one that was here is written anew.
  for (const id of ['rec-c', 'rec-a']) {
    const folder = join(dir, 'recordings', id);
    if (id === 'rec-c') cpSync(single, folder, { recursive: true });
    writeRecording(folder, { ...readRecording(folder), id, person: 'Ann' });
  }
  Object.assign(fault, { code: 'SQLITE_FULL', always: /^insert into "recordings"/ });
  const open = await openSession(dir, { create: false });
  const shown = async (): Promise<string[]> =>
    (await open.workspace.indexedRecordings()).map(({ id, person }) => `${id} ${person}`).sort();
  try {
    expect(await shown()).toEqual(['rec-a null', 'rec-b null']);
    await open.refresh();
    await expect(open.refresh({ now: true })).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(await shown()).toEqual(['rec-a null', 'rec-b null']);
    fault.always = null;
    await open.refresh();
    expect(await shown()).toEqual(['rec-a Ann', 'rec-b null', 'rec-c Ann']);
  } finally {
    await open.close();
  }
});
