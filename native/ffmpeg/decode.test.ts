import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMkvIndex } from '../mkv/read.ts';
import { rawFrameHead, rawHead } from '../mkv/write.ts';
import { decodeFrames, planRuns } from './decode.ts';
import { findFfmpeg } from './find.ts';
import { fpsModeArgs, masterArgs } from './master.ts';

const blocks = Array.from({ length: 600 }, (_, i) => ({ pts: i * 10, key: i % 120 === 0 }));

describe('planRuns (K8)', () => {
  it('starts at the key frame before the first wanted picture', () => {
    expect(planRuns(blocks, [1210])).toEqual([{ from: 1200, wanted: [1210] }]);
  });

  it('goes on into the next group of pictures and skips groups nobody wants', () => {
    expect(planRuns(blocks, [10, 1100, 1300, 5990])).toEqual([
      { from: 0, wanted: [10, 1100, 1300] },
      { from: 4800, wanted: [5990] },
    ]);
  });

  it('leaves out times that the master does not have', () => {
    expect(planRuns(blocks, [3, 7])).toEqual([]);
  });
});

describe('decodeFrames (K4)', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'decode-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('gives exactly the wanted pictures, in order, from a master of several groups', async () => {
    const ffmpeg = await findFfmpeg();
    const [width, height] = [16, 16];
    const file = join(dir, 'm.mkv');
    const colour = (i: number) => [i % 256, (i * 7) % 256, (i * 13) % 256];
    const parts = [rawHead(width, height)];
    for (let i = 0; i < 400; i++) {
      const [r = 0, g = 0, b = 0] = colour(i);
      parts.push(rawFrameHead(i * 33, width * height * 4), Buffer.alloc(width * height * 4, Buffer.from([b, g, r, 0])));
    }
    execFileSync(ffmpeg.path, masterArgs(file, fpsModeArgs(ffmpeg), { width, height }), {
      input: Buffer.concat(parts),
    });
    const wanted = [0, 1, 2, 119, 120, 121, 350, ...Array.from({ length: 45 }, (_, i) => 352 + i)];
    const seen: [number, number[]][] = [];
    const source = {
      file,
      blocks: (await readMkvIndex(file)).blocks,
      width,
      height,
      crop: { x: 3, y: 5, width: 2, height: 2 },
    };
    await decodeFrames(
      { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) },
      source,
      wanted.map((i) => i * 33),
      ({ pts, rgb }) => {
        seen.push([pts / 33, [...rgb.subarray(0, 3)]]);
      },
    );
    expect(seen).toEqual(wanted.map((i) => [i, colour(i)]));
  });

  it.each(['calm', 'busy'] as const)(
    'gives the right pictures of a master that does not begin at zero (%s)',
    async (codec) => {
      const ffmpeg = await findFfmpeg();
      const [width, height] = [16, 16];
      const file = join(dir, 'm.mkv');
      const times = Array.from({ length: 60 }, (_, i) => 4321 + i * 33);
      const parts = [rawHead(width, height)];
      for (const [i, pts] of times.entries()) {
        parts.push(rawFrameHead(pts, width * height * 4), Buffer.alloc(width * height * 4, Buffer.from([i, i, i, 0])));
      }
      const args = masterArgs(file, fpsModeArgs(ffmpeg), { width, height }, { codec });
      execFileSync(ffmpeg.path, args, { input: Buffer.concat(parts) });
      const source = { file, blocks: (await readMkvIndex(file)).blocks, width, height };
      for (const wanted of [[0], [7], [30, 31], [59]]) {
        const seen: number[] = [];
        await decodeFrames(
          { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) },
          source,
          wanted.map((i) => times[i] ?? 0),
          ({ rgb }) => {
            seen.push(rgb[0] ?? -1);
          },
        );
        expect(seen).toEqual(wanted);
      }
    },
  );
});
