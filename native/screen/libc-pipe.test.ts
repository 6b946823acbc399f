import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { libc } from '../memory/libc.ts';
import { memory } from '../memory/memory.ts';
import { libcFeedPipe } from './libc-pipe.ts';
import { createOwnPicture } from './own-picture.ts';

const BYTES = 1024 * 1024 * 4;
const O_CLOEXEC = 0o2000000;
const { lend } = libcFeedPipe;
if (!lend) throw new Error('Linux lends');

/** A pipe into a program of its own, as the encoder is. */
function pipeInto(program: string) {
  const ends = new Int32Array(2);
  expect(libc().pipe2(ends, O_CLOEXEC)).toBe(0);
  const [read = -1, write = -1] = ends;
  const child = spawn(process.execPath, ['-e', program], { stdio: [read, 'pipe', 'inherit'] });
  closeSync(read);
  libcFeedPipe.open(write);
  return { child, write };
}

it('hands over each picture as it was, though its memory is written to as soon as it may be', async () => {
  const slow = `
    const hash = require('node:crypto').createHash('sha256');
    const { readSync } = require('node:fs');
    const piece = Buffer.alloc(65536);
    for (let n = 0, i = 0; (n = readSync(0, piece)) > 0; i++) {
      hash.update(piece.subarray(0, n));
      if (i % 16 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
    console.log(hash.digest('hex'));`;
  const { child, write } = pipeInto(slow);
  const pictures = [createOwnPicture(1024, 1024), createOwnPicture(1024, 1024)];
  const wanted = createHash('sha256');
  for (let i = 0; i < 12; i++) {
    // The one that is written to now was lent two before: a whole picture has gone after it.
    const { pointer } = pictures[i % 2] ?? { pointer: 0n };
    const pixels = new Uint8Array(BYTES).map((_, at) => at * (i + 1));
    memory().memcpyIn(pointer, pixels, BYTES);
    wanted.update(pixels);
    expect(lend.write(write, pointer, BYTES)).toBe(true);
  }
  expect(lend.drain(write)).toBe(true);
  for (const { pointer } of pictures) memory().memcpyIn(pointer, new Uint8Array(BYTES), BYTES);
  libcFeedPipe.close(write);
  let said = '';
  child.stdout?.on('data', (data: Buffer) => {
    said += data.toString();
  });
  await once(child, 'close');
  expect(said.trim()).toBe(wanted.digest('hex'));
});

it('says that the reader is gone, and waits for nobody then', async () => {
  const { child, write } = pipeInto('process.exit(0)');
  await once(child, 'close');
  expect(lend.write(write, createOwnPicture(1024, 1024).pointer, BYTES)).toBe(false);
  expect(lend.drain(write)).toBe(true);
  libcFeedPipe.close(write);
});

it('says when a reader stands still with a picture that it has not read', async () => {
  const { child, write } = pipeInto('setInterval(() => {}, 1000)');
  expect(libcFeedPipe.write(write, Buffer.alloc(1000), 1000)).toBe(true);
  expect(lend.drain(write)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(lend.drain(write)).toBe(true);
  libcFeedPipe.close(write);
});
