import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { GivenCritic, Run } from '../../../schemas/api/evaluate.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { chatServers } from '../../models/chat-server-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { clickAt, head, plan, predict, predictionsHead, question, writeLines } from './files-for-tests.ts';
import { checkJudging, judgeRun } from './judge-run.ts';
import { evaluateRun } from './run.ts';
import { listRuns, runFile, scoreRun } from './runs.ts';
import { takeQuestionSet } from './take-questions.ts';

/** A critic's scores for a run of the page: from a file, and from an endpoint. */

const folders = temporaryFolders();
const chat = chatServers();
afterAll(folders.clean);

let outside: string;
let workspace: Workspace;
let truth: string;
let predictions: string;
let run: Run;
beforeEach(async () => {
  outside = folders.make();
  workspace = openWorkspace(join(folders.make(), 'workspace'), { create: true });
  workspace.close();
  truth = writeLines(outside, 'Q.jsonl', [
    head(),
    question('a/text', plan('Save it'), { query: 'text' }),
    question('b/text', plan('Open it'), { query: 'text' }),
    question('c/text', plan('Close it'), { query: 'text' }),
    question('d', clickAt(10, 10)),
  ]);
  predictions = writeLines(outside, 'P.jsonl', [
    predictionsHead(),
    predict('a/text', '1. Save it'),
    predict('b/text', '1. Open the file'),
    predict('d', '[10, 10]'),
  ]);
  const set = await takeQuestionSet(workspace, { paths: [truth] });
  run = await scoreRun(workspace, {
    name: 'm',
    set: set.id,
    files: ['Q.jsonl'],
    predictions: { from: 'path', path: predictions },
    options: { ...DEFAULT_OPTIONS, planScore: 'stepF1' },
  });
});

/** What the command line would write. */
async function casesBy(score: number, model = 'judge'): Promise<string> {
  const server = await chat.start(() => ({ kind: 'text', text: `[comment]: because\n[score]: ${score}` }));
  const cases = join(outside, `cases-${score}-${model}.jsonl`);
  await evaluateRun({
    level: 'all',
    truth: [truth],
    predictions: [predictions],
    options: DEFAULT_OPTIONS,
    cases,
    critic: {
      endpoint: server.url,
      model,
      key: null,
      rate: null,
      timeoutMs: 60_000,
      tries: 1,
      backoffMs: 1,
      maxTokens: null,
      stream: false,
      cache: join(outside, `${model}.cache`),
      concurrency: 1,
      prices: { input: 0, output: 0 },
    },
  });
  await chat.stop();
  return cases;
}
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const byFile = (path: string): GivenCritic => ({ from: 'file', file: { from: 'path', path } });
const scoreIn = ({ evaluation }: Run, metric = 'mid.text.score') =>
  evaluation.rows[0]!.metrics.find((one) => one.metric === metric)?.value;
async function refusal(work: Promise<unknown>): Promise<StudioError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof StudioError) return error;
  throw new Error('it was not refused');
}

describe('scores from a file', () => {
  test('take the place of step F1; the run keeps its name and place, its critic is named', async () => {
    const judged = await judgeRun(workspace, run.id, byFile(await casesBy(4)));
    // The missing plan is 0 without having been asked.
    expect(scoreIn(judged)).toBeCloseTo((4 + 4 + 0) / 3, 9);
    expect(scoreIn(judged, 'mid.plan')).toBeUndefined();
    expect(judged.evaluation.critic).toMatchObject({ model: 'judge', loaded: 3, asked: 0, cost: 0 });
    expect(judged.evaluation.prompts.critic).toMatch(/^[0-9a-f]{64}$/);
    expect(judged.evaluation.options.planScore).toBe('critic');
    expect(judged).toMatchObject({ name: 'm', madeAt: run.madeAt, set: run.set, predictions: 'P.jsonl' });
    expect(listRuns(workspace)).toEqual([judged]);
    const [first] = linesOf(runFile(workspace, judged.id, 'cases.jsonl')).map((line) => JSON.parse(line));
    expect(first).toMatchObject({ why: 'because', critic: { model: 'judge' }, scores: { score: 4, stepF1: 1 } });
    // Another critic later.
    const again = await judgeRun(workspace, judged.id, byFile(await casesBy(1, 'other')));
    expect([scoreIn(again), again.evaluation.critic!.model]).toEqual([expect.closeTo(2 / 3, 9), 'other']);
  });

  test('of other answers, other questions, twice, torn, unjudged or by two critics are told by line; nothing changes', async () => {
    const [a, b, click] = linesOf(await casesBy(4));
    const bad = join(outside, 'bad.jsonl');
    const changed = (line: string | undefined, change: (value: Record<string, unknown>) => void): string => {
      const value = JSON.parse(line!);
      change(value);
      return JSON.stringify(value);
    };
    writeFileSync(
      bad,
      [
        a,
        a,
        changed(b, (one) => Object.assign(one, { prediction: '1. Something else' })),
        changed(b, (one) => Object.assign(one, { id: 'z' })),
        changed(b, (one) => Object.assign(one, { scores: { stepF1: 1 } })),
        changed(b, (one) => Object.assign(one, { scores: { score: 7 } })),
        changed(b, (one) => Object.assign(one, { critic: { model: 'somebody', prompt: null } })),
        '{"id": "a"}',
        click,
        '{"id": "b/te',
      ].join('\n'),
    );
    const before = readdirSync(join(workspace.dir, 'evaluations', 'runs'));
    const error = await refusal(judgeRun(workspace, run.id, byFile(bad)));
    expect(error.code).toBe('BAD_FILE');
    const told = (error.details.problems as { file: string; line: number; message: string }[]).map(
      ({ file, line, message }) => `${file}:${line} ${message}`,
    );
    expect(told).toEqual([
      'bad.jsonl:2 the id "a/text" stands there twice',
      'bad.jsonl:3 "b/text" has another answer or another truth than in this run',
      'bad.jsonl:4 the id "z" is no plan of this run',
      'bad.jsonl:5 "b/text" was judged by nobody: evaluate with --critic',
      'bad.jsonl:6 the score of "b/text" is not 0 to 5',
      'bad.jsonl:7 "b/text" was judged by somebody, others by judge',
      expect.stringMatching(/^bad\.jsonl:8 it is no case with its score: /),
      'bad.jsonl:10 the file ends in the middle of a line',
    ]);
    expect(readdirSync(join(workspace.dir, 'evaluations', 'runs'))).toEqual(before);
    expect(listRuns(workspace)).toEqual([run]);
  });

  test('of mid and high plans may come one after the other, by the same critic', async () => {
    const both = writeLines(outside, 'B.jsonl', [
      head(),
      question('a/text', plan('Save it'), { query: 'text' }),
      question('A/text', { kind: 'high', steps: ['Save'] }, { query: 'text' }),
    ]);
    const answers = writeLines(outside, 'BP.jsonl', [predict('a/text', '1. Save it'), predict('A/text', '1. Save')]);
    const set = await takeQuestionSet(workspace, { paths: [both] });
    const own = await scoreRun(workspace, {
      name: 'b',
      set: set.id,
      files: ['B.jsonl'],
      predictions: { from: 'path', path: answers },
      options: DEFAULT_OPTIONS,
    });
    [truth, predictions] = [both, answers];
    const [mid, high] = linesOf(await casesBy(4));
    const fileOf = (name: string, line: string | undefined) => writeLines(outside, name, [line]);
    const first = await judgeRun(workspace, own.id, byFile(fileOf('mid.jsonl', mid)));
    expect([scoreIn(first), scoreIn(first, 'high.text.score')]).toEqual([4, undefined]);
    const second = await judgeRun(workspace, first.id, byFile(fileOf('high.jsonl', high)));
    expect([scoreIn(second), scoreIn(second, 'high.text.score')]).toEqual([4, 4]);
    // Another critic's do not mix with them.
    const [, other] = linesOf(await casesBy(2, 'other'));
    const third = await judgeRun(workspace, second.id, byFile(fileOf('other.jsonl', other)));
    expect([scoreIn(third), scoreIn(third, 'high.text.score')]).toEqual([undefined, 2]);
  });

  test('that leave out a plan are refused: the mean would be of some only', async () => {
    const [a] = linesOf(await casesBy(4));
    const some = join(outside, 'some.jsonl');
    writeFileSync(some, `${a}\n`);
    expect((await refusal(judgeRun(workspace, run.id, byFile(some)))).message).toContain(
      'some.jsonl: it lacks plans that this run holds: b/text',
    );
    writeFileSync(some, `${linesOf(await casesBy(3))[2]}\n`);
    expect((await refusal(judgeRun(workspace, run.id, byFile(some)))).message).toContain(
      'no plan in it has a score by a critic',
    );
  });
});

describe('scores from an endpoint', () => {
  const byEndpoint = (url: string, more: object = {}): GivenCritic => ({
    from: 'endpoint',
    endpoint: url,
    model: 'judge',
    key: { from: 'none' },
    prices: { input: 1000, output: 0 },
    concurrency: 2,
    rate: null,
    ...more,
  });

  test('are asked for once, counted, and kept for the next time; a typed key is in no file', async () => {
    const server = await chat.start(() => ({ kind: 'text', text: '[comment]: ok\n[score]: 5' }));
    const told: string[] = [];
    const judge = byEndpoint(server.url, { key: { from: 'typed', key: 'sk-typed' } });
    const judged = await judgeRun(workspace, run.id, judge, { report: (_, message) => told.push(message) });
    expect(scoreIn(judged)).toBeCloseTo(10 / 3, 9);
    expect(server.asked.map(({ key }) => key)).toEqual(['Bearer sk-typed', 'Bearer sk-typed']);
    expect(judged.evaluation.critic).toMatchObject({ asked: 2, loaded: 0, cost: expect.closeTo(0.2, 9) });
    expect(told.at(-1)).toBe('4 of 4 scored, cost 0.2000');
    for (const name of readdirSync(workspace.dir, { recursive: true, encoding: 'utf8' })) {
      const file = join(workspace.dir, name);
      if (existsSync(file) && name.endsWith('l')) expect(readFileSync(file, 'utf8')).not.toContain('sk-typed');
    }
    const again = await judgeRun(workspace, judged.id, judge);
    expect(again.evaluation.critic).toMatchObject({ asked: 0, cached: 2, cost: 0 });
    expect(server.asked).toHaveLength(2);
  });

  test('an endpoint that refuses leaves the run as it was', async () => {
    const server = await chat.start(() => ({ kind: 'status', status: 401 }));
    const error = await refusal(judgeRun(workspace, run.id, byEndpoint(server.url)));
    expect(error.code).toBe('ENDPOINT_FAILED');
    expect(listRuns(workspace)).toEqual([run]);
  });

  test('what cannot be taken is told at once: an address, a variable that is not there, a run without plans', async () => {
    expect(() => checkJudging(workspace, run.id, byEndpoint('nowhere'))).toThrow(
      'The endpoint "nowhere" is no address',
    );
    const key = { from: 'env', variable: 'THERE_IS_NO_SUCH_KEY' };
    expect(() => checkJudging(workspace, run.id, byEndpoint('http://127.0.0.1:1', { key }))).toThrow(
      'has no variable THERE_IS_NO_SUCH_KEY',
    );
    expect(() => checkJudging(workspace, '2026-01-01-00000000', byEndpoint('http://127.0.0.1:1'))).toThrow('no run');
    const clicks = writeLines(outside, 'C.jsonl', [head(), question('d', clickAt(10, 10))]);
    const set = await takeQuestionSet(workspace, { paths: [clicks] });
    const file = writeLines(outside, 'CP.jsonl', [predict('d', '[1, 1]')]);
    const plain = await scoreRun(workspace, {
      name: 'c',
      set: set.id,
      files: ['C.jsonl'],
      predictions: { from: 'path', path: file },
      options: DEFAULT_OPTIONS,
    });
    expect(() => checkJudging(workspace, plain.id, byEndpoint('http://127.0.0.1:1'))).toThrow('holds no plans');
  });
});
