import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptTasks } from '../../core/compositions/rollout.ts';
import { compositionSchema } from '../../schemas/composition.ts';
import { type CompositionRun, compositionRunSchema } from '../../schemas/composition-run.ts';
import { type ModelAsked, type ModelServer, startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { listStages } from '../../studio/play/stage/home.ts';
import { openFolder } from '../../studio/recordings/closed.ts';
import { recipeOf, SCREEN } from '../demo/day/parts.ts';
import { importInto } from '../demo/day/run-day.ts';
import { CLI, newWorkspace, studioMust } from '../support/cli.ts';
import { sleep } from '../support/until.ts';

/** A run of a composition is killed at twenty moments, and gone on with after each. */

const before = process.env.TMPDIR;
const own = fs.mkdtempSync(path.join(os.tmpdir(), 'killed-day-'));
process.env.TMPDIR = own;
const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
const NAMES = ['one', 'two', 'three', 'four', 'five'];
const KILLS = 20;
let server: ModelServer;

const wordIn = ({ texts }: ModelAsked): string => /Say the word (\w+)\./.exec(texts.join('\n'))?.[1] ?? '';

beforeAll(async () => {
  server = await startModelServer((asked) => ({ kind: 'answer', text: `DONE: ${wordIn(asked)}` }), SCREEN);
  const composition = compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 2,
    id: 'killed-day',
    kind: 'scenario',
    title: 'A day that is killed',
    context: { begins: '2031-03-02' },
    members: NAMES.map((name, n) => ({
      id: name,
      task: `WORD_${n + 1}`,
      window: { from: `${10 + n}:00`, to: '18:00' },
      instructions: { base: `Say the word ${name}.` },
      outputs: [{ name: 'word', value: name }],
    })),
    events: [
      { id: 'paper', at: { after: 'two' }, happens: [{ kind: 'file', to: 'paper.txt', text: 'x' }] },
      { id: 'call', at: { from: '12:30', to: '12:55' }, happens: [{ kind: 'file', to: 'call.txt', text: 'y' }] },
    ],
    tasks: NAMES.map((name, n) => ({
      id: `WORD_${n + 1}`,
      software: 'Words',
      goal: `Say the word ${name}`,
      answer: name,
      recipe: recipeOf({ programs: [] }),
      checks: null,
    })),
  });
  await importInto(workspace.path, composition);
}, 240_000);
afterAll(async () => {
  await server.close();
  workspace.remove();
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  fs.rmSync(own, { recursive: true, force: true });
});

const runs = async (): Promise<CompositionRun[]> => {
  const { json } = await studioMust(['compositions', 'runs', '--of', 'killed-day', '--json', ...where]);
  return compositionRunSchema.array().parse((json as { runs: unknown }).runs);
};
/** Begins or goes on with a run in a process of its own, kills it after so many ms, null: never, and gives whether it was. */
async function goOn(model: string, resume: string | null, killAfterMs: number | null): Promise<boolean> {
  const given = ['--agent', 'direct', '--endpoint', server.url, '--model', model, '--seed', '3', '--yes', '--json'];
  const from = resume === null ? [] : ['--resume', resume];
  const args = [CLI, 'run', '--composition', 'killed-day', ...given, ...from, ...where];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const over = once(child, 'exit');
  if (killAfterMs !== null) {
    const stopped = new AbortController();
    const late = sleep(killAfterMs).then(() => stopped.signal.aborted || child.kill('SIGKILL'));
    await over;
    stopped.abort();
    await late;
  } else await over;
  return child.signalCode === 'SIGKILL';
}

/** All of a result that is of the task, and nothing of when it was done or how long it took. */
const came = ({ results }: CompositionRun) =>
  results.map(({ member, outcome, answer, values, steps, questions, clock }) => {
    return { member, outcome, answer, values, steps, questions, clock: clock?.from.slice(0, 16) };
  });
const happened = ({ events = [] }: CompositionRun) =>
  events.map(({ id, at, before: first, after, failed }) => [
    id,
    first === null ? null : at?.slice(0, 16),
    first,
    after,
    failed,
  ]);

it('killed at twenty moments and gone on with each time, it does no task twice and loses none; its tables are the same', async () => {
  const began = performance.now();
  await goOn('whole', null, null);
  const wholeMs = performance.now() - began;
  const [whole] = await runs();
  expect(whole?.ended).toEqual({ how: 'done', why: '' });

  const ended: CompositionRun[] = [];
  const moments: number[] = [];
  let last: CompositionRun | null = null;
  /** What was killed is looked at, and what of it is kept must be in every run that goes on with it. */
  const look = async (): Promise<void> => {
    const [newest] = (await runs()).filter(({ actor }) => actor.kind === 'agent' && actor.model === 'killed');
    // One that was killed before anything of it was kept is none.
    if (!newest || newest.id === last?.id || ended.some(({ id }) => id === newest.id)) return;
    if (last) {
      const kept = last.results.slice(0, keptTasks(last));
      expect(newest.resumes?.run).toBe(last.id);
      expect(newest.results.slice(0, kept.length)).toEqual(kept);
      // Nobody was told to do again what is kept.
      const asked = new Set(server.asked.map(wordIn));
      expect(kept.filter(({ member }) => asked.has(member))).toEqual([]);
    }
    last = newest;
    if (newest.ended?.how === 'done') {
      ended.push(newest);
      last = null;
    }
  };
  // From the first thing that the command does to its last; late ones find more of the day done before them.
  for (let n = 0; moments.length < KILLS; n++) {
    const left = 1 - (0.6 * (last === null ? 0 : keptTasks(last))) / NAMES.length;
    const after = Math.round(wholeMs * left * (0.1 + (0.9 * ((n * 7) % KILLS)) / KILLS));
    server.asked.length = 0;
    if (await goOn('killed', last === null ? null : (last as CompositionRun).id, after)) moments.push(after);
    await look();
  }
  while (last !== null || ended.length === 0) {
    server.asked.length = 0;
    await goOn('killed', last === null ? null : (last as CompositionRun).id, null);
    await look();
  }
  for (const run of ended) {
    expect(came(run)).toEqual(came(whole!));
    expect(happened(run)).toEqual(happened(whole!));
    // Each task is one recording, which is whole.
    const recordings = run.results.map(({ recording }) => recording ?? '');
    expect(new Set(recordings).size).toBe(NAMES.length);
    for (const id of recordings)
      expect(openFolder(path.join(workspace.path, 'recordings', id)).actions, id).toEqual([]);
  }
  const scores = (await studioMust(['compositions', 'scores', ...where])).stdout;
  const row = (model: string): string[] =>
    new RegExp(`^direct ${model} +(.*)$`, 'm').exec(scores)?.[1]?.trim().split(/ +/) ?? [];
  console.log(
    `killed after ${moments.join(', ')} ms of ${Math.round(wholeMs)} ms; whole then: ${ended.length}\n${scores}`,
  );
  // Level, SR, AS and CAS; beside them stand how many runs, tasks and steps there were.
  const measures = (model: string): string[] => row(model).filter((_, n) => n === 0 || (n > 2 && n < 6));
  expect(measures('killed')).toEqual(measures('whole'));
  expect(measures('whole')).toHaveLength(4);
  // What the killed ones left was removed by those after them.
  expect(listStages()).toEqual([]);
}, 1_800_000);
