import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolders } from '../recording-for-tests.ts';
import { openWorkspace } from '../workspace.ts';
import { callMarks } from './call-marks.ts';
import { openJobs } from './queue.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

const CHILD = join(import.meta.dirname, 'kill-child-for-tests.ts');

/** Lets the child work until it has said `until` lines, and kills it `delay` ms later. Gives what it had said by then. */
async function workAndKill(dir: string, config: string, until: number, delay: number): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, dir, config], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let killing = false;
  child.stdout.on('data', (data: Buffer) => {
    lines.push(...data.toString().trim().split('\n'));
    if (lines.length < until || killing) return;
    killing = true;
    setTimeout(() => child.kill('SIGKILL'), delay);
  });
  await new Promise((ended) => child.once('close', ended));
  return lines;
}

test('killed at any moment, every job that was begun is known: done with its result, or cut and to be done again', async () => {
  const dir = folders.make();
  const config = folders.make();
  openWorkspace(dir, { create: true }).close();
  /** Of the rounds before, which were begun again then. */
  const doneAgain = new Set<string>();
  for (const [until, delay] of [
    [1, 0],
    [3, 2],
    [6, 5],
    [9, 1],
  ] as const) {
    const said = await workAndKill(dir, config, until, delay);
    const idsOf = (word: string): string[] =>
      said.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
    const workspace = openWorkspace(dir, { create: false });
    const jobs = await openJobs(workspace, callMarks(config));
    const list = await jobs.list();
    expect(list.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([]);
    expect(list.map(({ id }) => id)).toEqual(expect.arrayContaining(idsOf('began')));
    for (const id of idsOf('ended')) {
      const { job, result } = await jobs.get(id);
      expect(job).toMatchObject({ state: 'done', progress: 1, person: 'Ada', message: `Wrote ${result?.n}` });
    }
    for (const { id, again, error, startedAt, finishedAt } of list.filter(
      ({ id, state }) => state === 'failed' && !doneAgain.has(id),
    )) {
      expect([again, error?.code, finishedAt !== null]).toEqual([true, 'INTERRUPTED', true]);
      expect(error?.message).toContain(startedAt ? 'while it worked on this' : 'before it began this');
      const given: unknown[] = [];
      const next = await jobs.again(id, async (call) => {
        given.push(call);
        return jobs.add('export', 'again', async () => 'Wrote it');
      });
      expect(given).toMatchObject([
        { name: 'exports.start', input: { out: expect.stringMatching(/^\/exports\/\d+$/) } },
      ]);
      await jobs.finished(next.id);
      doneAgain.add(id);
      expect(await jobs.get(id)).toMatchObject({ next: next.id });
    }
    expect((await jobs.list()).some(({ again }) => again)).toBe(false);
    await jobs.close();
    workspace.close();
  }
  expect(doneAgain.size).toBeGreaterThan(0);
});
