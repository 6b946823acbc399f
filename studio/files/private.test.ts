import { chmodSync, mkdirSync, rmdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { writeFileAtomic } from './atomic.ts';
import { closeToOthers, makePrivate, makeTreePrivate, privateMode, recordingMode } from './private.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

describe.skipIf(process.platform === 'win32')("files are their owner's alone", () => {
  test('a new workspace, in a folder that was there or not', () => {
    const parent = folders.make();
    const there = join(parent, 'there');
    mkdirSync(there, { mode: 0o755 });
    for (const dir of [there, join(parent, 'new')]) {
      openWorkspace(dir, { create: true }).close();
      expect([dir, join(dir, 'recordings'), join(dir, 'exports')].map(modeOf)).toEqual(['700', '700', '700']);
      expect(modeOf(join(dir, 'studio.sqlite'))).toBe('600');
    }
  });

  test('a workspace of an older version is closed when its owner opens it', () => {
    const dir = join(folders.make(), 'w');
    openWorkspace(dir, { create: true }).close();
    for (const path of [dir, join(dir, 'recordings')]) chmodSync(path, 0o755);
    chmodSync(join(dir, 'studio.sqlite'), 0o644);
    openWorkspace(dir, { create: false }).close();
    expect([dir, join(dir, 'recordings'), join(dir, 'studio.sqlite')].map(modeOf)).toEqual(['700', '700', '600']);
  });

  test('a group that was let in on purpose stays in, nobody else does', () => {
    const own = 1000;
    const mode = (bits: number, gid: number) => privateMode({ mode: bits, gid }, own).toString(8);
    expect([0o755, 0o775, 0o750].map((bits) => mode(bits, own))).toEqual(['700', '700', '700']);
    expect(mode(0o2775, own)).toBe('2770');
    expect([0o775, 0o770, 0o750].map((bits) => mode(bits, 50))).toEqual(['770', '770', '750']);
    // BSD and macOS give every new folder its parent's group.
    expect(mode(0o755, 50)).toBe('700');
    const dir = join(folders.make(), 'team');
    openWorkspace(dir, { create: true }).close();
    for (const path of [dir, join(dir, 'recordings')]) chmodSync(path, 0o2775);
    chmodSync(join(dir, 'studio.sqlite'), 0o664);
    openWorkspace(dir, { create: false }).close();
    expect([dir, join(dir, 'recordings'), join(dir, 'studio.sqlite')].map(modeOf)).toEqual(['2770', '2770', '660']);
    expect(recordingMode(join(dir, 'recordings')).toString(8)).toBe('770');
  });

  test('recordings/ on another disk is closed as well, and what a link leads to never gets a right more', () => {
    const [dir, disk, closed] = [join(folders.make(), 'team'), folders.make(), folders.make()];
    openWorkspace(dir, { create: true }).close();
    for (const name of ['recordings', 'exports']) rmdirSync(join(dir, name));
    symlinkSync(disk, join(dir, 'recordings'));
    symlinkSync(closed, join(dir, 'exports'));
    chmodSync(dir, 0o2775);
    chmodSync(disk, 0o775);
    chmodSync(closed, 0o700);
    openWorkspace(dir, { create: false }).close();
    expect([disk, closed].map(modeOf)).toEqual(['770', '700']);
  });

  test('a file is as private as its folder', async () => {
    const dir = folders.make();
    mkdirSync(join(dir, 'a'), { mode: 0o755 });
    writeFileSync(join(dir, 'a', 'text'), '', { mode: 0o644 });
    writeFileAtomic(join(dir, 'b'), 'text');
    expect(modeOf(join(dir, 'b'))).toBe('600');
    await makeTreePrivate(dir);
    expect([join(dir, 'a'), join(dir, 'a', 'text')].map(modeOf)).toEqual(['700', '600']);
    chmodSync(dir, 0o755);
    makePrivate(join(dir, 'a'));
    expect(modeOf(join(dir, 'a'))).toBe('700');
  });

  test('what cannot be closed stays as it is', () => {
    expect(() => closeToOthers(join(folders.make(), 'missing'), ['a'])).not.toThrow();
    expect(() => makePrivate(join(folders.make(), 'missing'))).not.toThrow();
  });
});
