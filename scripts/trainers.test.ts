import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** Where tests of foreign readers get their sources from, without a network: folders, archives, repositories. */

const root = mkdtempSync(join(tmpdir(), 'trainers-from-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder of sources as they are unpacked: the part that is loaded, and another that is not. */
function sources(name: string, part: string): string {
  const folder = join(root, name);
  mkdirSync(join(folder, part), { recursive: true });
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, part, 'read.py'), name);
  return folder;
}

/** What the script says, and its status. The folder has a Python that says it has everything. */
function take(folder: string, ...args: string[]): { status: number | null; stderr: string } {
  const python = join(folder, 'python/bin/python');
  mkdirSync(join(folder, 'python/bin'), { recursive: true });
  writeFileSync(python, '#!/bin/sh\nexit 0\n');
  chmodSync(python, 0o755);
  const script = join(import.meta.dirname, 'trainers.mjs');
  return spawnSync(process.execPath, [script, folder, ...args], { encoding: 'utf8' });
}

test.skipIf(process.platform === 'win32')(
  'sources come from a folder, an archive and a repository without a work tree; what is there stays',
  () => {
    const swift = sources('ms-swift-main', 'swift');
    const archive = join(root, 'factory.tar.gz');
    sources('LLaMA-Factory-main', 'src');
    execFileSync('tar', ['-czf', archive, '-C', root, 'LLaMA-Factory-main']);
    const lerobot = sources('lerobot-main', 'src');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-C', lerobot, ...args]);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'All');
    execFileSync('git', ['clone', '--quiet', '--bare', lerobot, join(root, 'bare')]);
    const folder = join(root, 'taken');
    const from = [`ms-swift=${swift}`, `LLaMA-Factory=${archive}`, `lerobot=${join(root, 'bare')}`];
    const { status, stderr } = take(folder, ...from.flatMap((one) => ['--from', one]));
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['LLaMA-Factory', 'lerobot', 'ms-swift', 'python']);
    const files = ['ms-swift/swift', 'LLaMA-Factory/src', 'lerobot/src'];
    expect(files.map((file) => readFileSync(join(folder, file, 'read.py'), 'utf8'))).toEqual([
      'ms-swift-main',
      'LLaMA-Factory-main',
      'lerobot-main',
    ]);
    writeFileSync(join(folder, 'ms-swift/swift/read.py'), 'mine');
    expect(take(folder, '--from', `ms-swift=${swift}`).status).toBe(0);
    expect(readFileSync(join(folder, 'ms-swift/swift/read.py'), 'utf8')).toBe('mine');
  },
);

test.skipIf(process.platform === 'win32')('what is not those sources is refused by its name, and nothing stays', () => {
  const other = sources('another', 'lib');
  const folder = join(root, 'refused');
  const torn = join(root, 'torn.tar');
  writeFileSync(torn, 'no archive at all');
  for (const [from, why] of [
    [`ms-swift=${other}`, 'holds no folder "swift"'],
    [`ms-swift=${torn}`, 'tar'],
    [`ms-swift=${join(root, 'nowhere')}`, 'git clone'],
    ['somebody=x', 'ms-swift, LLaMA-Factory, lerobot'],
    ['ms-swift=', 'say NAME=SOURCE'],
  ] as const) {
    const { status, stderr } = take(folder, '--from', from);
    expect([from, status]).toEqual([from, 1]);
    expect(stderr).toContain(why);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual(['python']);
  }
});
