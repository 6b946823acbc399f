import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** A recording's process ends at once, and its threads with it: what they compiled is kept before. */

const folder = mkdtempSync(join(tmpdir(), 'trajectory-studio-compiled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url));

/** Each gives the thread something to do, whose answer comes when all of it is loaded. */
const KINDS = {
  stills: `
    const { port1, port2 } = new MessageChannel();
    const thread = new Worker(new URL(${here('./still-worker.ts')}), { workerData: { jobs: port1 }, transferList: [port1] });
    port2.unref();
    thread.postMessage('flush');`,
  feed: `
    const { createFeedQueue, enqueueFrame } = await import(${here('./feed-queue.ts')});
    const queue = createFeedQueue();
    enqueueFrame(queue, { kind: 'segment', segment: 0, fd: openSync('/dev/null', 'w'), width: 2, height: 2 });
    enqueueFrame(queue, { kind: 'end' });
    const thread = new Worker(new URL(${here('./feed-worker.ts')}), { workerData: { queue } });`,
};

/** Starts it in a process that is killed at its first word, and gives how many files are kept by then. */
function keptAfter(begin: string, cache: string): number {
  const script = `
    import { openSync } from 'node:fs';
    import { MessageChannel, Worker } from 'node:worker_threads';
    ${begin}
    thread.once('message', () => process.kill(process.pid, 'SIGKILL'));`;
  const file = `${cache}.mjs`;
  writeFileSync(file, script);
  const { signal, stderr } = spawnSync(process.execPath, [file], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    encoding: 'utf8',
  });
  expect(signal, stderr).toBe('SIGKILL');
  return globSync('**/*', { cwd: cache }).length;
}

test.runIf(process.platform === 'linux').each(Object.entries(KINDS))('%s', (name, begin) => {
  const cache = join(folder, name);
  mkdirSync(cache);
  const first = keptAfter(begin, cache);
  expect(first).toBeGreaterThan(4);
  // Everything was kept the first time.
  expect(keptAfter(begin, cache)).toBe(first);
});
