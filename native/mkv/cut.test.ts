import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findFfmpeg } from '../ffmpeg/find.ts';
import { fpsModeArgs, masterArgs } from '../ffmpeg/master.ts';
import { cutMkv } from './cut.ts';
import { readMkvIndex } from './read.ts';
import { rawFrameHead, rawHead } from './write.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cut-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const [W, H] = [48, 32];
const TIMES = [0, 33, 66, 99, 132, 500, 533, 566, 4000, 4033, 4066, 4100, 9000];
const colourOf = (i: number): [number, number, number] => [10 + 15 * i, 200 - 9 * i, 3 * i];

const ffmpeg = await findFfmpeg();

function master(codec: 'calm' | 'busy', more: readonly string[] = []): string {
  const file = join(dir, 'm.mkv');
  const parts = [rawHead(W, H)];
  for (const [i, pts] of TIMES.entries()) {
    const [r, g, b] = colourOf(i);
    parts.push(rawFrameHead(pts, W * H * 4), Buffer.alloc(W * H * 4, Buffer.from([b, g, r, 0])));
  }
  const args = masterArgs(file, fpsModeArgs(ffmpeg), { width: W, height: H }, { codec });
  execFileSync(ffmpeg.path, [...args.slice(0, -1), ...more, file], { input: Buffer.concat(parts) });
  return file;
}

/** The first pixel of each picture, by ffmpeg's own reading; anything that it complains of fails. */
function pictures(file: string): number[][] {
  const args = [
    '-v',
    'error',
    '-xerror',
    '-i',
    file,
    ...fpsModeArgs(ffmpeg),
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  ];
  const raw = execFileSync(ffmpeg.path, args, { stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 });
  return Array.from({ length: raw.length / (W * H * 3) }, (_, i) => [
    ...raw.subarray(i * W * H * 3, i * W * H * 3 + 3),
  ]);
}

it.each(['calm', 'busy'] as const)('any number of first pictures stays, to the bit (%s)', async (codec) => {
  const whole = master(codec);
  const bytes = readFileSync(whole);
  for (const n of [1, 4, 6, 12, TIMES.length]) {
    const file = join(dir, `${n}.mkv`);
    copyFileSync(whole, file);
    expect(await cutMkv(file, { keep: (_, at) => at < n })).toBe(n);
    const index = await readMkvIndex(file);
    expect(index.blocks.map(({ pts }) => pts)).toEqual(TIMES.slice(0, n));
    expect(index.truncated).toBe(false);
    expect(pictures(file)).toEqual(TIMES.slice(0, n).map((_, i) => colourOf(i)));
    const after = readFileSync(file);
    if (n === TIMES.length) expect(after.equals(bytes)).toBe(true);
    else expect(after.length).toBeLessThan(bytes.length);
  }
});

it('ends with nothing of the length, the index and the tags that the whole file had', async () => {
  const file = master('calm');
  expect(readFileSync(file).includes('00:00:09.0')).toBe(true);
  await cutMkv(file, { keep: (pts) => pts < 600 });
  const said = execFileSync('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'format=duration:format_tags',
    file,
  ]).toString();
  expect(said).not.toMatch(/duration=9|DURATION/);
  expect(readFileSync(file).includes('00:00:09.0')).toBe(false);
});

it('with no picture to keep the file is left to the one who asked', async () => {
  const file = master('calm');
  const { size } = statSync(file);
  expect(await cutMkv(file, { keep: () => false })).toBe(0);
  expect(statSync(file).size).toBe(size);
});

it('a stop between the two steps is finished by doing it again', async () => {
  const file = master('calm');
  const done = join(dir, 'done.mkv');
  copyFileSync(file, done);
  await cutMkv(done, { keep: (_, at) => at < 6 });
  const half = openSync(file, 'r+');
  ftruncateSync(half, statSync(done).size);
  closeSync(half);
  await cutMkv(file, { keep: (_, at) => at < 6 });
  expect(readFileSync(file).equals(readFileSync(done))).toBe(true);
  await cutMkv(file, { keep: (_, at) => at < 6 });
  expect(readFileSync(file).equals(readFileSync(done))).toBe(true);
});

it('cuts what a killed encoder left, and what an encoder wrote into a pipe', async () => {
  const file = master('calm');
  const killed = openSync(file, 'r+');
  ftruncateSync(killed, Math.floor(statSync(file).size * 0.7));
  closeSync(killed);
  await cutMkv(file, { keep: (_, at) => at < 4 });
  expect(pictures(file)).toEqual([0, 1, 2, 3].map(colourOf));
  rmSync(file);
  const live = master('calm', ['-live', '1']);
  await cutMkv(live, { keep: (_, at) => at < 4 });
  expect(pictures(live)).toEqual([0, 1, 2, 3].map(colourOf));
});

it('made anew beside it, a writer that goes on writes into nothing', async () => {
  const file = master('calm');
  const writer = openSync(file, 'a');
  expect(await cutMkv(file, { keep: (_, at) => at < 5, anewAs: join(dir, '.m.mkv.new') })).toBe(5);
  ftruncateSync(writer, 1_000_000);
  closeSync(writer);
  expect(statSync(file).size).toBeLessThan(100_000);
  expect(pictures(file)).toEqual([0, 1, 2, 3, 4].map(colourOf));
  expect(readdirSync(dir)).toEqual(['m.mkv']);
});
