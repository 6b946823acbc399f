import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startProcess } from '../../../native/process/start-process.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';

/** Processes that are ended by whoever started them, or at once, keep what they compiled for the next of their kind. */

const folders = temporaryFolders();
afterAll(() => folders.clean());

const KINDS = [
  ['display', '../stage/display-main.ts', { type: 'call', n: 1, name: 'titles', input: null }],
  ['arrange', '../stage/arrange-main.ts', { type: 'arrange', windows: [], programs: false, screen: {} }],
  ['checks', '../checks/checks-main.ts', { type: 'look', checks: [{ kind: 'infeasible' }], place: {}, live: false }],
  ['capture', '../../capture/capture-main.ts', { type: 'begin', order: {} }],
] as const;

/** Starts one without a display, ends it at its word, and gives how much is kept by then. */
async function keptAfter(file: string, message: object, cache: string, isOver: (type: string) => boolean) {
  const said = Promise.withResolvers<void>();
  const child = startProcess<object, { type: string }>(new URL(file, import.meta.url), {
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', NODE_COMPILE_CACHE: cache },
    accepts: (one): one is { type: string } => typeof one === 'object',
    onMessage: ({ type }) => {
      if (isOver(type)) said.resolve();
    },
  });
  child.send(message);
  await Promise.race([said.promise, child.ended]);
  // A process that ends by itself is not ended before.
  if (file.endsWith('capture-main.ts')) await child.ended;
  await child.kill();
  return existsSync(cache) ? globSync('**/*', { cwd: cache }).length : 0;
}

test.runIf(process.platform === 'linux').each(KINDS)('%s', async (name, file, message) => {
  const cache = join(folders.make(), name);
  const isOver = (type: string): boolean => type !== 'started';
  const first = await keptAfter(file, message, cache, isOver);
  expect(first).toBeGreaterThan(20);
  // Everything was kept the first time.
  expect(await keptAfter(file, message, cache, isOver)).toBe(first);
});
