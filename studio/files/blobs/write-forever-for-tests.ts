import { openBlobs } from './open.ts';

/** Puts without an end under the key `big` of an address, and says `begun` once so much was taken that some of it is on its way. */
const blobs = await openBlobs(process.argv[2] ?? '');
let pieces = 0;

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    yield new Uint8Array(4 << 20).fill(7);
    pieces += 1;
    if (pieces === 12) process.stdout.write('begun\n');
  }
}

await blobs.put('big', endless());
