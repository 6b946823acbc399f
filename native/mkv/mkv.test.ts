import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFfmpeg } from '../ffmpeg/find.ts';
import { fpsModeArgs, masterArgs } from '../ffmpeg/master.ts';
import { readMkvIndex } from './read.ts';
import { rawFrameHead, rawHead } from './write.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mkv-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const W = 32;
const H = 18;
/** A stream of pictures, each of one colour, as the feed worker writes it. */
function stream(times: readonly number[]): Buffer {
  const parts: Buffer[] = [rawHead(W, H)];
  times.forEach((pts, i) => {
    parts.push(rawFrameHead(pts, W * H * 4), Buffer.alloc(W * H * 4, Buffer.from([i, 2 * i, 255 - i, 0])));
  });
  return Buffer.concat(parts);
}

describe('raw pictures through ffmpeg into a master', () => {
  const times = [0, 5, 40, 1234, 1235, 700_000];

  it.each(['calm', 'busy'] as const)(
    'keeps every picture, its time to the millisecond and its pixels (%s)',
    async (codec) => {
      const ffmpeg = await findFfmpeg();
      const file = join(dir, 'm.mkv');
      execFileSync(ffmpeg.path, masterArgs(file, fpsModeArgs(ffmpeg), { width: W, height: H }, { codec }), {
        input: stream(times),
      });
      const index = await readMkvIndex(file);
      expect(index.truncated).toBe(false);
      expect(index.blocks.map((b) => b.pts)).toEqual(times);
      expect(index.blocks[0]?.key).toBe(true);
      const raw = execFileSync(
        ffmpeg.path,
        ['-v', 'error', '-i', file, ...fpsModeArgs(ffmpeg), '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
        { maxBuffer: 1e8 },
      );
      expect(raw.length).toBe(times.length * W * H * 3);
      times.forEach((_, i) => {
        expect([...raw.subarray(i * W * H * 3, i * W * H * 3 + 3)]).toEqual([255 - i, 2 * i, i]);
      });
    },
  );

  it('starts with the first picture, also when it is the only one', async () => {
    const ffmpeg = await findFfmpeg();
    const file = join(dir, 'm.mkv');
    execFileSync(ffmpeg.path, masterArgs(file, fpsModeArgs(ffmpeg), { width: W, height: H }), { input: stream([17]) });
    expect((await readMkvIndex(file)).blocks).toEqual([{ pts: 17, key: true }]);
  });

  it('lists what is whole of a file that was cut off anywhere (V4)', async () => {
    const ffmpeg = await findFfmpeg();
    const file = join(dir, 'm.mkv');
    execFileSync(ffmpeg.path, masterArgs(file, fpsModeArgs(ffmpeg), { width: W, height: H }), { input: stream(times) });
    const whole = readFileSync(file);
    const cut = join(dir, 'cut.mkv');
    let most = 0;
    for (let length = 0; length < whole.length; length += 7) {
      writeFileSync(cut, whole.subarray(0, length));
      const { blocks } = await readMkvIndex(cut);
      expect(blocks.map((b) => b.pts)).toEqual(times.slice(0, blocks.length));
      expect(blocks.length).toBeGreaterThanOrEqual(most);
      most = blocks.length;
    }
    expect(most).toBe(times.length);
  });
});

/** An element of Matroska: its id and what it holds, its size in as few bytes as can be. */
function element(id: number[], body: readonly number[] | Buffer): Buffer {
  const size =
    body.length < 127
      ? [0x80 | body.length]
      : [0x10 | (body.length >> 24), (body.length >> 16) & 255, (body.length >> 8) & 255, body.length & 255];
  return Buffer.concat([Buffer.from([...id, ...size]), Buffer.from(body)]);
}
const EBML = element([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x86, 0x81, 1]);
const BLOCK = [0xa3, 0x84, 0x81, 0, 0, 0x80];

describe('a file that is no honest master', () => {
  async function read(bytes: Buffer, named?: number) {
    const file = join(dir, 'hostile.mkv');
    writeFileSync(file, bytes);
    return await readMkvIndex(file, named === undefined ? {} : { named });
  }

  it.each([
    ['a time of unknown size', [0xe7, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
    ['a time of 2^55 bytes', [0xe7, 0x01, 0x80, 0, 0, 0, 0, 0, 0]],
    ['a time of nine bytes', [0xe7, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    ['a time that no clock shows', [0xe7, 0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
    ['a block of unknown size', [0xa3, 0xff]],
    ['a group of unknown size', [0xa0, 0xff]],
    ['a block without a picture', [0xa3, 0x80]],
    ['an element without an id', [0, 0, 0, 0]],
  ])('is read up to it: %s', async (_what, bytes) => {
    const honest = [...EBML, ...BLOCK];
    expect(await read(Buffer.from([...honest, ...bytes, ...BLOCK]))).toEqual({
      blocks: [{ pts: 0, key: true }],
      truncated: true,
    });
  });

  it('has no pictures when it is no Matroska, a folder or a pipe', async () => {
    expect((await read(Buffer.from(BLOCK))).blocks).toEqual([]);
    expect((await read(Buffer.from('#EXTM3U\nprivate.mp4\n'))).blocks).toEqual([]);
    const pipe = join(dir, 'pipe.mkv');
    if (process.platform === 'linux') {
      execFileSync('mkfifo', [pipe]);
      expect((await readMkvIndex(pipe)).blocks).toEqual([]);
    }
  });

  it('lists no more pictures than something else names, and some', async () => {
    const bytes = Buffer.concat([EBML, Buffer.alloc(BLOCK.length * 100_000, Buffer.from(BLOCK))]);
    expect(await read(bytes, 20)).toMatchObject({ blocks: { length: 10_040 }, truncated: true });
    expect(await read(bytes, 100_000)).toMatchObject({ blocks: { length: 100_000 }, truncated: false });
  });

  it('is not walked through for ever when it holds everything but pictures', async () => {
    const bytes = Buffer.concat([EBML, Buffer.alloc(2_000_000, Buffer.from([0xec, 0x80]))]);
    expect(await read(bytes, 0)).toEqual({ blocks: [], truncated: true });
    expect(await read(bytes)).toEqual({ blocks: [], truncated: false });
  });

  it('lets the rest of the program go on meanwhile', async () => {
    const bytes = Buffer.concat([EBML, Buffer.alloc(BLOCK.length * 1_500_000, Buffer.from(BLOCK))]);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const { blocks } = await read(bytes);
    clearInterval(timer);
    expect(blocks).toHaveLength(1_500_000);
    expect(turns).toBeGreaterThan(2);
  });
});
