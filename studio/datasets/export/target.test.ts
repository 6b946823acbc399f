import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorBody } from '../../../schemas/errors.ts';
import { copyToTarget, writeTarget } from './target.ts';

let dir = '';
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'studio-test-'));
  fs.writeFileSync(path.join(dir, 'secret.txt'), 'of the person alone');
});
afterEach(() => fs.rmSync(dir, { recursive: true }));

test.skipIf(process.platform === 'win32')(
  'a link in place of a file brings nothing of the person into the export',
  async () => {
    const link = path.join(dir, 'material.png');
    fs.symlinkSync(path.join(dir, 'secret.txt'), link);
    const out = path.join(dir, 'out');
    await expect(
      writeTarget(out, (folder) => copyToTarget(link, path.join(folder, 'material.png'), 'GIMP_1')),
    ).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(/material\.png of GIMP_1 is no plain file/),
    });
    expect(fs.existsSync(out)).toBe(false);
    expect(fs.readdirSync(dir).sort()).toEqual(['material.png', 'secret.txt']);
  },
);

test('a file that is missing is named with what to do, and one that is there is copied', async () => {
  const out = path.join(dir, 'out');
  const copy = (name: string) =>
    writeTarget(out, (folder) => copyToTarget(path.join(dir, name), path.join(folder, 'a', 'copy.txt'), 'GIMP_1'));
  await expect(copy('none.png')).rejects.toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringMatching(/none\.png of GIMP_1 is missing\. Cut the recording's keyframes again/),
  });
  await copy('secret.txt');
  expect(fs.readFileSync(path.join(out, 'a', 'copy.txt'), 'utf8')).toBe('of the person alone');
});

test.skipIf(process.platform !== 'linux')('a folder that cannot be made is named as it was asked for', async () => {
  const thrown: unknown = await writeTarget('/proc/out', async () => null).catch((error: unknown) => error);
  expect(errorBody(thrown).message).toMatch(/^\/proc\/out cannot be used: /);
});

test.each([
  ['/a/.out-partial-aB3xYz/data/rows.jsonl', '/a/out/data/rows.jsonl'],
  ['/a/.take.tar.0f1e2d3c.part', '/a/take.tar'],
  ['/a/.recording-0f1e2d3c.partial', '/a/recording'],
  ['/a/.settings.json.4711.0f1e2d3c.tmp', '/a/settings.json'],
  ['/a/.hidden/partial-list', '/a/.hidden/partial-list'],
])('an error of %s names %s', (file, wanted) => {
  const error = Object.assign(new Error('no'), { code: 'ENOENT', path: file });
  expect(errorBody(error).message.startsWith(`${wanted} cannot be used`)).toBe(true);
});
