import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rawFrameHead, rawHead } from '../mkv/write.ts';
import { findFfmpeg } from './find.ts';
import { calmEncoder, fpsModeArgs, largePages, masterArgs } from './master.ts';

describe('the master’s encoder', () => {
  it('is the best that keeps every pixel, and none where none does', () => {
    expect(calmEncoder(new Set(['png', 'utvideo', 'libx264']))).toBe('utvideo');
    expect(calmEncoder(new Set(['libx264']))).toBeNull();
  });

  it('works in no more slices than there are cores, and in at least two', () => {
    const slices = (width: number, height: number): number => {
      const line = masterArgs('f', [], { width, height }).join(' ');
      return Number(/threads=(\d+)/.exec(line)?.[1]);
    };
    expect(slices(640, 480)).toBe(2);
    expect(slices(7680, 4320)).toBe(Math.max(2, Math.min(8, availableParallelism())));
  });

  it('finds a page again that scrolls by 40 pixels a picture', async () => {
    const { path, major, minor } = await findFfmpeg();
    const [width, height] = [640, 480];
    const page = randomBytes(width * 4 * 2000).map((byte) => (byte < 40 ? 0 : 255));
    const folder = mkdtempSync(join(tmpdir(), 'master-'));
    /** How large the first `count` pictures are together. */
    const written = (count: number): number => {
      const file = join(folder, `${count}.mkv`);
      const pictures = Array.from({ length: count }, (_, i) => {
        const from = i * 40 * width * 4;
        const bgr0 = page.subarray(from, from + width * height * 4);
        return Buffer.concat([rawFrameHead(i * 33, bgr0.length), bgr0]);
      });
      const args = masterArgs(file, fpsModeArgs({ major, minor }), { width, height });
      execFileSync(path, args, { input: Buffer.concat([rawHead(width, height), ...pictures]) });
      return statSync(file).size;
    };
    try {
      // But for the first picture only the strips that are new have to be written, each a twelfth of it.
      expect(written(13)).toBeLessThan(3 * written(1));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps every pixel of a busy screen of odd size, of a text in less than five bits a pixel', async () => {
    const { path, major, minor } = await findFfmpeg();
    const [width, height] = [641, 479];
    const folder = mkdtempSync(join(tmpdir(), 'master-'));
    /** Bits a pixel of a picture that comes back as it was but for each pixel's fourth byte, which says nothing. */
    const coded = (name: string, bgr0: Buffer): number => {
      const file = join(folder, `${name}.mkv`);
      const args = masterArgs(file, fpsModeArgs({ major, minor }), { width, height }, { codec: 'busy' });
      const input = Buffer.concat([rawHead(width, height), rawFrameHead(0, bgr0.length), bgr0]);
      execFileSync(path, args, { input });
      const back = execFileSync(path, ['-v', 'error', '-i', file, '-pix_fmt', 'bgr0', '-f', 'rawvideo', '-'], {
        maxBuffer: 1 << 24,
      });
      const colours = (bytes: Buffer): Buffer => bytes.filter((_, i) => i % 4 !== 3) as Buffer;
      expect(colours(back).equals(colours(bgr0))).toBe(true);
      return (statSync(file).size * 8) / (width * height);
    };
    try {
      const noise = randomBytes(width * height * 4);
      coded('noise', noise);
      // One pixel in eight is ink.
      const text = noise.map((_, i) => ((noise[i - (i % 4)] ?? 0) < 32 ? 0 : 255));
      expect(coded('text', Buffer.from(text))).toBeLessThan(5);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.runIf(process.platform === 'linux')('gets large pages beside what the person has set', () => {
    expect(largePages({})).toEqual({ GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' });
    const set = { GLIBC_TUNABLES: 'glibc.malloc.arena_max=2' };
    expect(largePages(set)).toEqual({ GLIBC_TUNABLES: 'glibc.malloc.arena_max=2:glibc.malloc.hugetlb=1' });
  });
});
