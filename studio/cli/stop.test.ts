import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const STOP = JSON.stringify(join(import.meta.dirname, 'stop.ts'));

/** A process that is told to end, has a thread, and takes for ever to close. */
const SCRIPT = `
  const { Worker } = await import('node:worker_threads');
  const { untilTold } = await import(${STOP});
  new Worker('setInterval(() => undefined, 1000)', { eval: true });
  const told = untilTold();
  console.log('ready');
  await told;
  console.log('told');
  process.once('exit', () => console.log('exit'));
  await new Promise(() => undefined);`;

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'who asks twice by %s does not wait, and no thread is waited for or taken down',
  async (signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')));
    const ended = once(child, 'close');
    for (const word of ['ready', 'told']) {
      await expect.poll(() => said).toContain(word);
      child.kill(signal);
    }
    expect(await ended).toEqual([null, signal]);
    expect(said).toEqual(['ready', 'told']);
  },
);
