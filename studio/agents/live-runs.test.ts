import { expect, test } from 'vitest';
import type { AgentReport } from '../../schemas/agents.ts';
import type { LiveRunState } from '../../schemas/api/runs.ts';
import type { StageAct } from '../../schemas/stage-acts.ts';
import type { LiveStage } from '../play/stage/live.ts';
import { createLiveRuns, type LiveRun } from './live-runs.ts';

const KEY: StageAct = { do: 'key', key: 'a', down: true };
const limits = { rounds: null, timeMs: null, budget: null };

function begin(agent: string) {
  const done: StageAct[] = [];
  const stage: LiveStage = {
    next: async () => new Uint8Array(),
    act: async (acts) => {
      done.push(...acts);
      return [];
    },
    release: async () => undefined,
    settle: async () => undefined,
    close: async () => undefined,
  };
  const runs = createLiveRuns(() => stage);
  const run = runs.begin({ ws: 'w', task: 'T_1', goal: 'Do it', agent, model: 'Ada', limits });
  return { runs, run, done };
}
const staged = (run: LiveRun): void => run.staged({}, 'rec-1');

test('acts are done once, however often they are sent, and each page counts for itself', async () => {
  const { run, done } = begin('human');
  await expect(run.act('page', 1, [KEY])).rejects.toMatchObject({ code: 'CONFLICT' });
  staged(run);
  await run.act('page', 1, [KEY]);
  await run.act('page', 1, [KEY]);
  await run.act('other', 1, [KEY]);
  await run.act('page', 2, [KEY]);
  expect(done).toHaveLength(3);
});

test('nobody acts on the stage of a model but who has taken it over', async () => {
  const { run, done } = begin('direct');
  expect(() => run.command('take-over')).toThrow(/has not begun/);
  staged(run);
  await expect(run.act('page', 1, [KEY])).rejects.toMatchObject({ code: 'CONFLICT' });
  run.command('take-over');
  expect(run.state().hand).toBe('person');
  await run.act('page', 1, [KEY]);
  expect(done).toEqual([KEY]);
  run.command('give-back');
  await expect.poll(() => run.state().hand).toBe('agent');
  await expect(run.act('page', 2, [KEY])).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(() => run.command('done')).toThrow(/nothing that can be done/);
});

test('how a person’s run ends is what they say, and its outcome is told to who watches', async () => {
  const { runs, run } = begin('human');
  staged(run);
  const states: LiveRunState[] = [];
  const control = new AbortController();
  const watching = (async () => {
    for await (const state of run.watch(control.signal)) states.push(state);
  })();
  const checks = [{ id: 'saved', score: 1, why: 'it is there', screen: false, able: true }];
  const work = run.personEnded.then(async ({ how }) => {
    await run.checking();
    // What is read of a report.
    return { how, why: '', passed: true, score: 1, checks, steps: 3, cost: null } as unknown as AgentReport;
  });
  const ended = run.follow(work);
  run.command('done');
  await ended;
  expect(run.state()).toMatchObject({ phase: 'over', outcome: { how: 'done', passed: true, checks }, steps: 3 });
  await expect.poll(() => states.map(({ phase }) => phase).at(-1)).toBe('over');
  expect(states.map(({ phase }) => phase)).toContain('checking');
  expect(() => run.command('done')).toThrow(/over/);
  await expect(run.next(0)).rejects.toMatchObject({ code: 'CAPTURE_FAILED' });
  control.abort();
  await watching;
  expect(runs.list('w').map(({ id }) => id)).toEqual([run.id]);
  expect(runs.list('other')).toEqual([]);
  expect(() => runs.get('other', run.id)).toThrow(/does not go on here/);
});

test('a run that fails says why, and a studio that closes stops those that go on and waits for their end', async () => {
  const failed = begin('human');
  await expect(failed.run.follow(Promise.reject(new Error('no display')))).rejects.toThrow('no display');
  expect(failed.run.state()).toMatchObject({ phase: 'over', outcome: null, error: 'no display' });
  const { runs, run } = begin('direct');
  let isOver = false;
  const stopped = new Promise<null>((done) => {
    run.stop.addEventListener('abort', () => {
      setTimeout(() => {
        isOver = true;
        done(null);
      }, 20);
    });
  });
  void run.follow(stopped);
  await runs.close();
  expect(isOver).toBe(true);
});

test('a person’s answer is taken where one is asked for, and a page is led to the next run', async () => {
  const { runs, run } = begin('human');
  run.command('done', 'B7');
  expect(await run.personEnded).toEqual({ how: 'done', answer: null });
  const asked = { ws: 'w', task: 'T_2', goal: 'Say it', agent: 'human', model: 'Ada', limits, answers: true };
  const [full, empty] = [runs.begin(asked), runs.begin(asked)];
  full.command('done', ' B7\n');
  empty.command('done', ' ');
  expect([await full.personEnded, await empty.personEnded]).toEqual([
    { how: 'done', answer: 'B7' },
    { how: 'done', answer: null },
  ]);
  expect([full.state().answers, full.state().next]).toEqual([true, null]);
  full.goesOnIn(empty.id);
  expect(full.state().next).toBe(empty.id);
});
