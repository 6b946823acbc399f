import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { recipeSchema } from '../../../schemas/play.ts';
import { padding, tarHeader } from '../../files/tar.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { bareStage } from './folder-for-tests.ts';
import { homeOf, putFiles, stageFolder } from './home.ts';

/** Archives and folders that a recipe puts into a stage's home. */

const folders = temporaryFolders();
const stages: string[] = [];
afterEach(() => {
  for (const id of stages.splice(0)) rmSync(stageFolder(id), { recursive: true, force: true });
  folders.clean();
});

async function put(archive: Buffer | string, to = '.'): Promise<string> {
  const root = folders.make();
  writeFileSync(join(root, 'given'), archive);
  const recipe = recipeSchema.parse({
    schema: 'trajectory-studio/recipe',
    version: 2,
    files: [
      { folder: true, to: 'empty/one' },
      { attachment: 'given', to, unpack: true },
    ],
  });
  const { id } = bareStage();
  stages.push(id);
  await putFiles(id, recipe, () => ({ root, path: 'given' }));
  return homeOf(id);
}

/** As `tar` of this machine packs it, with names that are longer than a header's place for them. */
function packed(...options: string[]): { archive: Buffer; long: string } {
  const folder = folders.make();
  const long = `${'deep/'.repeat(30)}${'n'.repeat(120)}.txt`;
  mkdirSync(join(folder, 'deep/'.repeat(30)), { recursive: true });
  writeFileSync(join(folder, long), 'long');
  writeFileSync(join(folder, 'a.txt'), 'short');
  execFileSync('ln', ['-s', '/etc/passwd', join(folder, 'link')]);
  return { archive: execFileSync('tar', [...options, '-c', '-C', folder, '.'], { maxBuffer: 1 << 24 }), long };
}

test.each([
  ['GNU', ['--format=gnu']],
  ['PAX', ['--format=pax']],
  ['packed by gzip', ['--format=gnu', '-z']],
  ['packed by xz', ['--format=gnu', '-J']],
])('an archive of tar (%s) is laid out with its long names; its links are left out', async (_name, options) => {
  const { archive, long } = packed(...options);
  const home = await put(archive, 'profile');
  expect(readFileSync(join(home, 'profile', long), 'utf8')).toBe('long');
  expect(readFileSync(join(home, 'profile/a.txt'), 'utf8')).toBe('short');
  expect(existsSync(join(home, 'profile/link'))).toBe(false);
  expect(existsSync(join(home, 'empty/one'))).toBe(true);
});

const entry = (path: string): Buffer =>
  Buffer.concat([tarHeader({ path, size: 1, kind: 'file' }), Buffer.from('x'), Buffer.alloc(padding(1) + 1024)]);

test.each<[string, Buffer | string, string]>([
  ['that leads out of its folder', entry('../../out.txt'), '“../../out.txt”, which is no plain path'],
  ['with a whole path', entry('/etc/x'), 'no plain path below its folder'],
  ['that ends in the middle', entry('a').subarray(0, 512), 'it ends in the middle'],
  ['that is none', 'hello', 'it is no archive that is read'],
  ['packed by xz, damaged', packed('-J').archive.subarray(0, 150), 'its packed bytes are damaged'],
  ['whose packed bytes are damaged', gzipSync('a'.repeat(2000)).subarray(0, 20), 'its packed bytes are damaged'],
])('an archive %s is refused by its name, and nothing of it is put', async (_name, archive, why) => {
  await expect(put(archive)).rejects.toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringMatching(/^The archive “given” cannot be unpacked: /),
  });
  await expect(put(archive)).rejects.toThrow(why);
});
