import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { ownTempFolder } from '../../../test/support/own-temp.ts';
import { entriesBelow } from '../../files/inside.ts';
import { fillHome, findCopy, homeCopyFolder, listCopies, makeRoot, removeCopy } from './copies.ts';
import { bareStage } from './folder-for-tests.ts';
import { homeOf, stageFolder } from './home.ts';
import { copyHome, takeHome } from './home-copy.ts';
import { setStage } from './set-stage.ts';
import { stageWishes } from './wishes-for-tests.ts';

/** Copies of homes: of folders without programs, which are quick, and of real stages where programs matter. */

const own = ownTempFolder();
const root = (): string => join(own.path, 'copies');
afterEach(() => {
  for (const name of readdirSync(own.path)) rmSync(join(own.path, name), { recursive: true, force: true });
});

const newStage = (): { id: string; task: string | null; home: string } => {
  const { id } = bareStage();
  return { id, task: 'T_1', home: homeOf(id) };
};
const fileOf = (copy: string, path: string): string => join(homeCopyFolder(root(), copy), 'files', path);

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** All of a home: what it is, its rights, its time, and its content. */
function shapeOf(home: string): Record<string, unknown> {
  const found = [...entriesBelow(home)].map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const info = lstatSync(path);
    const content = info.isSymbolicLink()
      ? `-> ${readlinkSync(path)}`
      : info.isFile()
        ? digest(readFileSync(path))
        : '';
    // A folder's own time is its content's; a link has no rights.
    const facts = info.isFile()
      ? [info.mode & 0o777, Math.round(info.mtimeMs)]
      : info.isDirectory()
        ? [info.mode & 0o777]
        : [];
    return [path.slice(home.length + 1), [...facts, content]];
  });
  return Object.fromEntries(found);
}

describe.runIf(process.platform === 'linux')('a copy of a home', () => {
  test('has everything but what is no file, follows no link, and shares what did not change', async () => {
    const stage = newStage();
    const outside = join(own.path, 'secret');
    mkdirSync(outside);
    writeFileSync(join(outside, 'key'), 'private');
    writeFileSync(join(stage.home, 'note.txt'), 'milk', { mode: 0o640 });
    writeFileSync(join(stage.home, 'run.sh'), 'true', { mode: 0o755 });
    symlinkSync(outside, join(stage.home, 'away'));
    symlinkSync('note.txt', join(stage.home, 'beside'));
    const server = createServer().listen(join(stage.home, 'socket'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const first = await copyHome(stage, { root: root(), note: 'after task 1' });
    expect(first).toMatchObject({ files: 2, bytes: 8, newBytes: 8, task: 'T_1', note: 'after task 1' });
    expect(first.leftOut).toEqual([{ path: 'socket', why: 'a socket' }]);
    expect(readdirSync(join(homeCopyFolder(root(), first.id), 'files')).sort()).toEqual(
      ['.cache', '.config', '.local', 'note.txt', 'run.sh'].sort(),
    );
    // In place, as a database does: the copy is no link to the home's own file.
    appendFileSync(join(stage.home, 'note.txt'), ', bread');
    const second = await copyHome(stage, { root: root() });
    expect(second).toMatchObject({ files: 2, bytes: 15, newBytes: 11 });
    expect([first, second].map(({ id }) => readFileSync(fileOf(id, 'note.txt'), 'utf8'))).toEqual([
      'milk',
      'milk, bread',
    ]);
    const [ino] = [first, second].map(({ id }) => lstatSync(fileOf(id, 'run.sh')).ino);
    expect(lstatSync(fileOf(second.id, 'run.sh'))).toMatchObject({ ino, nlink: 2 });
    expect(listCopies(root()).map(({ id }) => id)).toEqual([second.id, first.id]);
    removeCopy(root(), findCopy(root(), first.id.slice(0, 8)).id);
    expect(readFileSync(fileOf(second.id, 'run.sh'), 'utf8')).toBe('true');
    expect(() => findCopy(root(), first.id)).toThrow(/No copy of a home is called .*`stage copies`/);
  });

  test('one that was taken is none until it is kept, and stays what it was when the home changes meanwhile', async () => {
    const stage = newStage();
    writeFileSync(join(stage.home, 'note.txt'), 'milk');
    const taken = await takeHome(stage, { root: root() });
    expect(listCopies(root())).toEqual([]);
    appendFileSync(join(stage.home, 'note.txt'), ', bread');
    writeFileSync(join(stage.home, 'later'), 'x');
    const { id, files } = await taken.keep();
    expect(files).toBe(1);
    expect(readFileSync(fileOf(id, 'note.txt'), 'utf8')).toBe('milk');
    expect(listCopies(root()).map((one) => one.id)).toEqual([id]);
    // What changed since it was taken is in the next one.
    const next = await copyHome(stage, { root: root() });
    expect(next).toMatchObject({ files: 2, newBytes: 12 });
    expect(readFileSync(fileOf(next.id, 'note.txt'), 'utf8')).toBe('milk, bread');
  });

  test('a file whose time was set back is not taken for the one before; without the last copy all is new', async () => {
    const stage = newStage();
    const file = join(stage.home, 'a');
    const long = new Date('2020-01-01T12:00:00Z');
    writeFileSync(file, 'one');
    utimesSync(file, long, long);
    const first = await copyHome(stage, { root: root() });
    writeFileSync(file, 'two');
    utimesSync(file, long, long);
    const second = await copyHome(stage, { root: root() });
    expect(readFileSync(fileOf(second.id, 'a'), 'utf8')).toBe('two');
    for (const { id } of [first, second]) removeCopy(root(), id);
    expect(await copyHome(stage, { root: root() })).toMatchObject({ files: 1, bytes: 3, newBytes: 3 });
  });

  test('one that would be too large, or is stopped, leaves nothing', async () => {
    const stage = newStage();
    writeFileSync(join(stage.home, 'large'), Buffer.alloc(100_000, 7));
    await expect(copyHome(stage, { root: root(), most: 50_000 })).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringMatching(/more than \d+ kB\. Nothing of it was kept/),
    });
    await expect(copyHome(stage, { root: root(), signal: AbortSignal.abort() })).rejects.toThrow();
    expect(readdirSync(root())).toEqual([]);
    expect(listCopies(join(own.path, 'never'))).toEqual([]);
  });

  test('a copy that was changed by hand fills no home, and puts nothing outside of it', async () => {
    const stage = newStage();
    writeFileSync(join(stage.home, 'a'), 'x');
    const { id } = await copyHome(stage, { root: root() });
    const file = join(homeCopyFolder(root(), id), 'entries.jsonl');
    const outside = join(own.path, 'outside');
    mkdirSync(outside);
    const facts = { mode: 0o644, changed: 0 };
    const put = (...entries: object[]): void =>
      writeFileSync(file, entries.map((one) => JSON.stringify(one)).join('\n'));
    for (const bad of [
      [{ kind: 'file', path: '../a', size: 1, ...facts }],
      [
        { kind: 'link', path: 'l', to: outside, ...facts },
        { kind: 'file', path: 'l/a', size: 1, ...facts },
      ],
      [
        { kind: 'link', path: 'l', to: outside, ...facts },
        { kind: 'folder', path: 'l', ...facts },
      ],
      [{ kind: 'other' }],
    ]) {
      put(...bad);
      await expect(fillHome(bareStage().id, root(), id)).rejects.toThrow();
    }
    expect(readdirSync(outside)).toEqual([]);
    const head = join(homeCopyFolder(root(), id), 'copy.json');
    writeFileSync(head, readFileSync(head, 'utf8').replace('"version": 1', '"version": 2'));
    expect(() => findCopy(root(), id)).toThrow(/newer version of this program/);
    expect(listCopies(root())).toEqual([]);
  });

  test('law: every copy, put into a new home, is the home as it was then, whatever was done before and after', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'ä ö', '.hidden');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const step = fc.oneof(
      fc.record({
        do: fc.constant('write' as const),
        path,
        text: fc.string({ maxLength: 40 }),
        mode: fc.constantFrom(0o600, 0o644, 0o755),
      }),
      fc.record({ do: fc.constant('append' as const), path, text: fc.string({ maxLength: 9 }) }),
      fc.record({ do: fc.constant('link' as const), path, to: fc.constantFrom('a', '/etc', '../..', 'none') }),
      fc.record({ do: fc.constant('move' as const), path, to: path }),
      fc.record({ do: fc.constant('remove' as const), path }),
    );
    /** What cannot be done (a folder in its place, say) is not done. */
    const perform = (home: string, one: typeof step extends fc.Arbitrary<infer S> ? S : never): void => {
      const at = join(home, one.path);
      try {
        if (!lstatSync(join(at, '..')).isDirectory()) return;
      } catch {
        mkdirSync(join(at, '..'), { recursive: true });
      }
      if (one.do === 'write') {
        writeFileSync(at, one.text);
        chmodSync(at, one.mode);
      } else if (one.do === 'append') appendFileSync(at, one.text);
      else if (one.do === 'link') symlinkSync(one.to, at);
      else if (one.do === 'move') renameSync(at, join(home, one.to));
      else rmSync(at, { recursive: true });
    };
    const inHome = (at: string, home: string): boolean => {
      // A link may lead out of the home: nothing is written through one here.
      for (let part = at; part !== home; part = join(part, '..'))
        if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
      return true;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
        const stage = newStage();
        const kept: { id: string; shape: unknown }[] = [];
        for (const steps of rounds) {
          for (const one of steps) {
            try {
              if (inHome(join(stage.home, one.path), stage.home)) perform(stage.home, one);
            } catch {
              // Not possible here.
            }
          }
          const { id, leftOut } = await copyHome(stage, { root: root() });
          expect(leftOut).toEqual([]);
          kept.push({ id, shape: shapeOf(stage.home) });
        }
        for (const { id, shape } of kept) {
          const again = newStage();
          await fillHome(again.id, root(), id);
          expect(shapeOf(again.home)).toEqual(shape);
          // And a copy of what was made of it shares all of its files.
          expect(await copyHome(again, { root: root() })).toMatchObject({ newBytes: 0 });
          rmSync(stageFolder(again.id), { recursive: true });
        }
        rmSync(stageFolder(stage.id), { recursive: true });
        rmSync(root(), { recursive: true });
      }),
      { numRuns: 15 },
    );
  });

  test('killed at any moment: every copy that is there is whole, and the next one clears the rest away', async () => {
    const stage = newStage();
    for (let n = 0; n < 60; n++) writeFileSync(join(stage.home, `f${n}`), Buffer.alloc(20_000, n));
    const main = join(import.meta.dirname, 'copy-main-for-tests.ts');
    for (const wait of [0, 3, 9, 20]) {
      const child = spawn(process.execPath, [main, stage.id, root()], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      await sleep(wait);
      child.kill('SIGKILL');
      await once(child, 'exit');
      for (const { id } of listCopies(root())) {
        const again = newStage();
        await fillHome(again.id, root(), id);
        expect(shapeOf(again.home)).toEqual(shapeOf(stage.home));
      }
    }
    makeRoot(root());
    expect(readdirSync(root()).filter((name) => name.startsWith('.'))).toEqual([]);
    await copyHome(stage, { root: root() });
  });

  test('a stage goes on while and after it is copied, also when who copied it was killed; another begins with the copy', async () => {
    const count = 'n=0; while :; do n=$((n + 1)); echo $n > ~/count; sleep 0.02; done';
    const programs = [{ command: 'sh', args: ['-c', count] }];
    const stage = await setStage(stageWishes({ files: [{ text: 'milk', to: 'note.txt' }], programs }));
    onTestFinished(() => void stage.end());
    const counted = (home: string): number =>
      Number(existsSync(join(home, 'count')) && readFileSync(join(home, 'count'), 'utf8'));
    const goesOn = async (): Promise<void> => {
      const now = counted(stage.home);
      await expect.poll(() => counted(stage.home), { timeout: 60_000 }).toBeGreaterThan(now + 1);
    };
    await goesOn();
    writeFileSync(join(stage.home, 'note.txt'), 'milk, bread');
    const copy = await copyHome(stage, { root: root() });
    await goesOn();
    const main = join(import.meta.dirname, 'copy-main-for-tests.ts');
    const child = spawn(process.execPath, [main, stage.id, root()], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await goesOn();
    const files = [{ text: 'of the recipe', to: 'note.txt' }];
    const next = await setStage({ ...stageWishes({ files }), from: { root: root(), copy: copy.id } });
    try {
      expect(readFileSync(join(next.home, 'note.txt'), 'utf8')).toBe('milk, bread');
      expect(counted(next.home)).toBeGreaterThan(0);
    } finally {
      await next.end();
    }
  });
});
