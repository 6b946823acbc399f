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
      execFileSync(ffmpeg.path, masterArgs(file, fpsModeArgs(ffmpeg), { width: W, height: H }, codec), {
        input: stream(times),
      });
      const index = readMkvIndex(file);
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
    expect(readMkvIndex(file).blocks).toEqual([{ pts: 17, key: true }]);
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
      const { blocks } = readMkvIndex(cut);
      expect(blocks.map((b) => b.pts)).toEqual(times.slice(0, blocks.length));
      expect(blocks.length).toBeGreaterThanOrEqual(most);
      most = blocks.length;
    }
    expect(most).toBe(times.length);
  });
});
