import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { memory } from '../memory/memory.ts';
import { foreignNamespace, processAsWeCount } from './server-process.ts';
import { createShmImage, freeShmImage, grabInto } from './shm.ts';
import { openX, x11 } from './x11.ts';
import { startXvfb } from './xvfb-for-tests.ts';

/** A server that counts processes and memory by itself, as one in a stage's cage or in a container does. */

const APART = ['unshare', '--user', '--map-current-user', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child'];
const can = spawnSync(APART[0]!, [...APART.slice(1), 'true']).status === 0;

test.runIf(can)(
  'its screen is read through memory that it shares, and its numbers of processes are found',
  async () => {
    const server = await startXvfb('320x200x24', APART);
    onTestFinished(server.close);
    server.run('xsetroot', '-solid', '#123456');
    const display = openX(server.name);
    onTestFinished(() => void x11().closeDisplay(display));
    expect(foreignNamespace(display, 'ipc')).toMatch(/^ipc:/);
    const pixel = (x: number, y: number): number[] => {
      const image = createShmImage(display, 40, 30);
      try {
        expect(grabInto(display, x11().root(display), image, x, y)).toBe(true);
        const bytes = new Uint8Array(4);
        memory().memcpyOut(bytes, image.pointer + BigInt(4 * (40 * 29 + 39)), 4);
        return [...bytes].slice(0, 3);
      } finally {
        freeShmImage(display, image);
      }
    };
    for (const [x, y] of [
      [0, 0],
      [280, 170],
    ] as const)
      expect(pixel(x, y)).toEqual([0x56, 0x34, 0x12]);
    // The first process there is `unshare`'s child; as we count it has another number.
    const first = processAsWeCount(display, 1);
    expect(readFileSync(`/proc/${first}/comm`, 'utf8')).toBe('Xvfb\n');
    expect(processAsWeCount(display, 4_000_000)).toBe(0);
  },
);

test('a server beside us has our numbers', async () => {
  const server = await startXvfb('320x200x24');
  onTestFinished(server.close);
  const display = openX(server.name);
  onTestFinished(() => void x11().closeDisplay(display));
  expect(foreignNamespace(display, 'ipc')).toBeNull();
  expect(foreignNamespace(display, 'pid')).toBeNull();
  expect(processAsWeCount(display, process.pid)).toBe(process.pid);
});
