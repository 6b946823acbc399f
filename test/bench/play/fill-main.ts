import fs from 'node:fs';

/**
 * A process that uses up a file system by a file of its own, and at once again what programs set free on it (a file that is
 * written anew is emptied first), until that file is deleted. Says when it is full for the first time.
 */

const AGAIN_MS = 1;
const PIECE = Buffer.alloc(4096);
const [, , file = ''] = process.argv;

const clock = new Int32Array(new SharedArrayBuffer(4));
const out = fs.openSync(file, 'a');
let told = false;
while (fs.existsSync(file)) {
  try {
    for (;;) fs.writeSync(out, PIECE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  if (!told) process.stdout.write('full\n');
  told = true;
  Atomics.wait(clock, 0, 0, AGAIN_MS);
}
