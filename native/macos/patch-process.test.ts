import { expect, test } from 'vitest';
import { openPatchProgram } from './patch-process.ts';

/** A program that speaks the protocol, in Node. */
const program = (source: string) => ({
  command: process.execPath,
  args: ['-e', source],
  toSession: (reading: string) => Number(reading) / 1000,
});
const PAINTER = `
console.log('ready');
let n = 0;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  n += 1;
  console.log('noise');
  console.log('painted ' + line + ' ' + n * 1000000 + ' ' + (n * 1000000 + 5000));
});
`;

test('each paint resolves with its own times on the session clock, also when asked at once', async () => {
  const patch = await openPatchProgram(program(PAINTER));
  const [first, second] = await Promise.all([patch.paint(0xff0000), patch.paint(0x00000a)]);
  expect(first).toEqual({ before: 1000, after: 1005 });
  expect(second).toEqual({ before: 2000, after: 2005 });
  await patch.close();
  await patch.close();
  await expect(patch.paint(0)).rejects.toMatchObject({ code: 'SYNC_FAILED' });
});

test('a program that does not exist: SYNC_FAILED names it', async () => {
  const missing = { command: './no-such-program', args: [], toSession: Number };
  await expect(openPatchProgram(missing)).rejects.toMatchObject({
    code: 'SYNC_FAILED',
    message: expect.stringContaining('no-such-program'),
  });
});

test('a program that ends while painting: SYNC_FAILED with what it complained about', async () => {
  const patch = await openPatchProgram(
    program(
      `console.log('ready'); process.stdin.once('data', () => { console.error('no screen'); process.exitCode = 3; process.stdin.destroy(); });`,
    ),
  );
  await expect(patch.paint(1)).rejects.toMatchObject({ message: expect.stringMatching(/status 3.*no screen/) });
});
