import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StudioError } from '../../schemas/errors.ts';
import { findFfmpeg, parseNames, parseVersion, tellFfmpeg, toldFfmpeg, unsuitable } from './find.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that answers like an ffmpeg of this version with these encoders. */
function fakeFfmpeg(name: string, version: string, encoders: string): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    `#!/bin/sh\necho "ffmpeg version ${version} Copyright" >&2\ncase "$*" in\n-encoders) echo " V....D ${encoders} x";;\n-filters) echo " ... ddagrab |->V x";;\nesac\n`,
  );
  chmodSync(path, 0o755);
  return path;
}
const none = async (): Promise<null> => null;
const failure = (options: Parameters<typeof findFfmpeg>[0]): Promise<StudioError> =>
  findFfmpeg(options).then(
    () => {
      throw new Error('found one');
    },
    (error: StudioError) => error,
  );

test('the one on the PATH is found with what it can do', async () => {
  const info = await findFfmpeg({ env: { PATH: process.env.PATH }, staticPath: none });
  expect(info.source).toBe('PATH');
  expect(info.major).toBeGreaterThanOrEqual(4);
  expect(info.encoders.has('libx264rgb')).toBe(true);
  expect(parseVersion(`ffmpeg version ${info.version} `)).toMatchObject({ major: info.major, minor: info.minor });
});

test('filters are asked for on Windows alone', async () => {
  const env = { FFMPEG_PATH: fakeFfmpeg('grabs', '6.0', 'libx264rgb') };
  expect((await findFfmpeg({ env, platform: 'win32' })).filters).toEqual(new Set(['ddagrab']));
  expect((await findFfmpeg({ env, platform: 'linux' })).filters).toEqual(new Set());
});

test('FFMPEG_PATH wins over ffmpeg-static, which wins over the PATH', async () => {
  const mine = fakeFfmpeg('mine', '7.1', 'libx264rgb');
  const packaged = fakeFfmpeg('packaged', '6.0', 'libx264rgb');
  const env = { PATH: process.env.PATH };
  const staticPath = async (): Promise<string> => packaged;
  expect((await findFfmpeg({ env: { ...env, FFMPEG_PATH: mine }, staticPath })).path).toBe(mine);
  expect(await findFfmpeg({ env, staticPath })).toMatchObject({ path: packaged, source: 'ffmpeg-static', major: 6 });
});

test('a program is asked once while its file stays as it is, and again when it did not run', async () => {
  const log = join(folder, 'asked');
  const path = join(folder, 'counted');
  const write = (version: string, after: string): void => {
    const answer = `echo "ffmpeg version ${version} Copyright" >&2\necho " V....D libx264rgb x"`;
    writeFileSync(path, `#!/bin/sh\necho "$*" >> ${log}\n${answer}\n${after}\n`, { mode: 0o755 });
  };
  const find = () => findFfmpeg({ env: { FFMPEG_PATH: path }, staticPath: none, platform: 'linux' });
  const asked = (): number => readFileSync(log, 'utf8').trim().split('\n').length;
  write('6.0', 'exit 1');
  await expect(find()).rejects.toMatchObject({ code: 'NO_FFMPEG' });
  await expect(find()).rejects.toMatchObject({ code: 'NO_FFMPEG' });
  expect(asked()).toBe(2);
  write('6.1', '');
  const [first, second] = [await find(), await find()];
  first.encoders.clear();
  expect([second.version, second.encoders, asked()]).toEqual(['6.1', new Set(['libx264rgb']), 3]);
  expect((await find()).encoders).toEqual(second.encoders);
  write('7.1.1', '');
  expect([(await find()).version, asked()]).toEqual(['7.1.1', 4]);
});

test('what one process has found another is told as JSON, and need not ask', async () => {
  const info = await findFfmpeg({ env: { FFMPEG_PATH: fakeFfmpeg('told', '6.0', 'libx264rgb') }, platform: 'win32' });
  expect(toldFfmpeg(JSON.parse(JSON.stringify(tellFfmpeg(info))))).toEqual(info);
});

test('an unsuitable packaged one is passed over', async () => {
  const old = fakeFfmpeg('old', '4.2.7', 'libx264rgb');
  const info = await findFfmpeg({ env: { PATH: process.env.PATH }, staticPath: async () => old });
  expect(info.source).toBe('PATH');
});

test('none at all: NO_FFMPEG says what to install on each system', async () => {
  const options = { env: { PATH: folder }, staticPath: none };
  const linux = await failure({ ...options, platform: 'linux' });
  expect([linux.code, linux.message]).toEqual(['NO_FFMPEG', expect.stringContaining('apt install ffmpeg')]);
  expect((await failure({ ...options, platform: 'darwin' })).message).toContain('brew install ffmpeg');
  expect((await failure({ ...options, platform: 'win32' })).message).toContain('winget install Gyan.FFmpeg');
});

test('a FFMPEG_PATH that does not run is an error, not a silent second choice', async () => {
  const error = await failure({ env: { ...process.env, FFMPEG_PATH: join(folder, 'missing') }, staticPath: none });
  expect(error.code).toBe('NO_FFMPEG');
  expect(error.message).toContain(join(folder, 'missing'));
});

test('too old or without libx264rgb: FFMPEG_UNSUITABLE names the reason', async () => {
  const old = await failure({ env: { FFMPEG_PATH: fakeFfmpeg('a', '4.3.2', 'libx264rgb') } });
  expect([old.code, old.message]).toEqual(['FFMPEG_UNSUITABLE', expect.stringContaining('version 4.3.2')]);
  const bare = await failure({ env: { FFMPEG_PATH: fakeFfmpeg('b', '7.0', 'libvpx') } });
  expect([bare.code, bare.message]).toEqual(['FFMPEG_UNSUITABLE', expect.stringContaining('without libx264rgb')]);
});

test('4.4 is new enough, 4.3 is not', () => {
  const info = { path: 'f', source: 's', version: 'v', encoders: new Set(['libx264rgb']), filters: new Set<string>() };
  expect(unsuitable({ ...info, major: 4, minor: 4 })).toBeNull();
  expect(unsuitable({ ...info, major: 4, minor: 3 })).not.toBeNull();
});

test('versions: releases, n-tags and git builds', () => {
  expect(parseVersion('ffmpeg version 5.1.9-0+deb12u1 Copyright (c)')).toMatchObject({ major: 5, minor: 1 });
  expect(parseVersion('ffmpeg version n7.1-12-gabc Copyright')).toMatchObject({ major: 7, minor: 1 });
  expect(parseVersion('ffmpeg version N-118193-g5f38 Copyright\nlibavutil      59. 55.100')).toMatchObject({
    version: 'N-118193-g5f38',
    major: 7,
    minor: 1,
  });
  expect(parseVersion('something else')).toEqual({ version: 'unknown', major: 0, minor: 0 });
});

test('names out of listings', () => {
  const encoders = 'Encoders:\n V..... = Video\n ------\n V....D libx264rgb           libx264 RGB\n A....D aac   AAC';
  expect([...parseNames(encoders)]).toEqual(['libx264rgb', 'aac']);
  expect([...parseNames(' ... ddagrab           |->V       Grab\n TS. mpdecimate V->V x')]).toEqual([
    'ddagrab',
    'mpdecimate',
  ]);
});
