import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { describeHolder } from '../files/process-id.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { importRecording } from './import-recording.ts';
import { beginImport, endImport, removeKilledImports } from './leftovers.ts';

const folders = temporaryFolders();
afterEach(() => folders.clean());

const DAY = 24 * 3_600_000;
const id = (n: number): string => `.import-0000000${n}-0000-4000-8000-000000000000`;

function leave(dir: string, name: string, holder: object | string | null): void {
  mkdirSync(join(dir, name, 'keyframes'), { recursive: true });
  writeFileSync(join(dir, name, 'screen.mkv'), 'half of it');
  if (holder !== null)
    writeFileSync(join(dir, `${name}.holder`), typeof holder === 'string' ? holder : JSON.stringify(holder));
}
/** A process that has ended: its pid says nothing of anybody who runs. */
const dead = () => describeHolder('x', spawnSync(process.execPath, ['-e', '']).pid);

test('what a killed import left goes; what somebody works on, or may work on, stays', async () => {
  const dir = folders.make();
  leave(dir, id(1), dead());
  const mine = beginImport(dir);
  leave(dir, id(2), null);
  leave(dir, id(3), { ...describeHolder('x', 7), host: 'another-machine', machine: 'another-machine' });
  leave(dir, id(4), 'no holder');
  mkdirSync(join(dir, '.import-and-more'));
  mkdirSync(join(dir, 'a-recording'));
  writeFileSync(join(dir, `${id(5)}.holder`), JSON.stringify(dead()));
  expect(await removeKilledImports(dir)).toBe(1);
  const left = readdirSync(dir);
  expect(left).not.toContain(id(1));
  expect(left.some((name) => name.startsWith(id(5)) || name === `${id(1)}.holder`)).toBe(false);
  for (const name of [id(2), id(3), id(4), '.import-and-more', 'a-recording']) expect(left).toContain(name);
  expect(existsSync(mine)).toBe(true);

  // After a day nobody works on what nobody can be asked about.
  for (const name of [id(2), id(3), id(4)]) utimesSync(join(dir, name), 1, 1);
  expect(await removeKilledImports(dir)).toBe(3);
  expect(existsSync(mine)).toBe(true);
  expect(await removeKilledImports(dir, Date.now() + 3 * DAY)).toBe(0);
  endImport(mine);
  expect(readdirSync(dir).filter((name) => name.startsWith(mine))).toEqual([]);
});

test.runIf(process.platform !== 'win32')('a pipe in the place of who works on it is waited for by nobody', async () => {
  const dir = folders.make();
  leave(dir, id(1), null);
  execFileSync('mkfifo', [join(dir, `${id(1)}.holder`)]);
  expect(await removeKilledImports(dir)).toBe(0);
});

test('the next import removes it, and leaves nothing of its own', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  try {
    leave(workspace.recordingsDir, id(1), dead());
    const source = writeSample(folders.make(), sampleRecording({ id: 'from-afar' }));
    await importRecording(workspace, source, { signal: new AbortController().signal, report: () => undefined });
    expect(readdirSync(workspace.recordingsDir)).toEqual(['from-afar']);
    const refused = importRecording(workspace, source, {
      signal: new AbortController().signal,
      report: () => undefined,
    });
    await expect(refused).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(readdirSync(workspace.recordingsDir)).toEqual(['from-afar']);
  } finally {
    workspace.close();
  }
});
