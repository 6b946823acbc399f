import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findFfmpeg } from '../ffmpeg/find.ts';
import { openHeldFile } from './held.ts';
import { readMkvIndex } from './read.ts';

let folder: string;
let file: string;
let stream: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'held-'));
  const input = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=30:duration=0.5'];
  const codec = ['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-qp', '0', '-tune', 'zerolatency'];
  const output = ['-f', 'matroska', '-cluster_time_limit', '0', '-flush_packets', '1', 'pipe:1'];
  stream = execFileSync((await findFfmpeg()).path, ['-v', 'error', ...input, ...codec, ...output]);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  file = join(folder, `${performance.now()}.mkv`);
});

test('only what was let out is in the file, however the bytes come', async () => {
  for (const step of [1, 7, 1000, stream.length]) {
    rmSync(file, { force: true });
    const held = openHeldFile(file);
    for (let at = 0; at < stream.length; at += step) {
      if (at >= stream.length / 2) held.allow(5);
      held.take(stream.subarray(at, at + step));
      if (at < stream.length / 2) expect(existsSync(file)).toBe(false);
    }
    held.allow(5);
    held.close();
    expect((await readMkvIndex(file)).blocks).toHaveLength(5);
    expect(stream.subarray(0, readFileSync(file).length).equals(readFileSync(file))).toBe(true);
  }
});

test('all of it makes a whole file; nothing of it none', async () => {
  const held = openHeldFile(file);
  held.allow(1000);
  held.take(stream);
  held.close();
  expect(await readMkvIndex(file)).toMatchObject({ truncated: false });
  expect((await readMkvIndex(file)).blocks).toHaveLength(15);
  const none = openHeldFile(`${file}.none`);
  none.take(stream);
  expect(none.waiting()).toBeGreaterThan(stream.length / 2);
  none.close();
  expect(none.waiting()).toBe(0);
  expect(existsSync(`${file}.none`)).toBe(false);
});

test('after a drop nothing more comes', async () => {
  const held = openHeldFile(file);
  held.allow(3);
  held.take(stream.subarray(0, stream.length / 2));
  held.drop();
  held.allow(1000);
  held.take(stream.subarray(stream.length / 2));
  held.close();
  expect((await readMkvIndex(file)).blocks).toHaveLength(3);
});
