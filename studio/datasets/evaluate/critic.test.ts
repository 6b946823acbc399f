import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS, type Evaluation } from '../../../schemas/evaluate.ts';
import { type Act, type Asked, type ChatServer, chatServers } from '../../models/chat-server-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import type { CriticOptions } from './critic.ts';
import { head, plan, predict, predictionsHead, question, writeLines } from './files-for-tests.ts';
import { evaluateRun } from './run.ts';

const folders = temporaryFolders();
const chat = chatServers();
let server: ChatServer;
afterAll(folders.clean);

const query = 'vision+text' as const;
const TRUTH = [
  head({ level: 'mid' }),
  ...['a', 'b', 'c', 'd'].map((id) => question(id, plan(`Save ${id}`), { query })),
];
const PREDICTIONS = [predictionsHead(), ...['a', 'b', 'c'].map((id) => predict(id, `1. Plan ${id}`))];

async function judged(
  act: (asked: Asked, n: number) => Act,
  more: Partial<CriticOptions> = {},
  folder = folders.make(),
) {
  server = await chat.start(act);
  const options: CriticOptions = {
    endpoint: server.url,
    model: 'judge',
    key: null,
    rate: null,
    timeoutMs: 60_000,
    tries: 4,
    backoffMs: 5,
    maxTokens: null,
    stream: false,
    cache: join(folder, 'critic'),
    prices: { input: 1, output: 10 },
    concurrency: 2,
    ...more,
  };
  return evaluateRun({
    level: 'mid',
    truth: [writeLines(folder, 'T.jsonl', TRUTH)],
    predictions: [writeLines(folder, 'P.jsonl', PREDICTIONS)],
    options: DEFAULT_OPTIONS,
    critic: options,
    cases: null,
  });
}

const scoreOf = ({ rows }: Evaluation) => rows[0]!.metrics.find(({ metric }) => metric === `mid.${query}.score`);
const verdict = (score: number): Act => ({ kind: 'text', text: `[comment]: because\n[score]: ${score}` });

describe('the critic (M16)', () => {
  test('is asked once a plan, with the truth and the plan, at temperature 0; a missing plan gets 0 unasked', async () => {
    const evaluation = await judged(({ text }) => verdict(text.includes('Plan a') ? 5 : 3));
    expect(scoreOf(evaluation)).toMatchObject({ value: (5 + 3 + 3 + 0) / 4, n: 4, unit: '0-5' });
    expect(evaluation.rows[0]!.metrics.find(({ metric }) => metric === 'mid.plan')?.value).toBeCloseTo(55, 9);
    expect(server.asked).toHaveLength(3);
    expect(server.asked[0]).toMatchObject({ model: 'judge', temperature: 0, key: null });
    expect(server.asked[0]!.text).toMatch(/1\. Save a[\s\S]*1\. Plan a/);
    expect(evaluation.critic).toEqual({
      model: 'judge',
      asked: 3,
      cached: 0,
      loaded: 0,
      again: 0,
      unreadable: 0,
      tokens: { input: 300, output: 30 },
      cost: expect.closeTo(0.0006, 9),
    });
    expect(evaluation.prompts.critic).toMatch(/^[0-9a-f]{64}$/);
    expect(server.most).toBeLessThanOrEqual(2);
  });

  test('an answer without a score is asked once more, then told and left out of the mean', async () => {
    const evaluation = await judged(({ text }, n) => {
      if (text.includes('Plan b')) return { kind: 'text', text: 'Very nice.' };
      return text.includes('Plan c') && n < 3 ? { kind: 'text', text: '[score]: ten' } : verdict(4);
    });
    expect(evaluation.critic).toMatchObject({ unreadable: 1 });
    expect(server.asked.filter(({ text }) => text.includes('Plan b'))).toHaveLength(2);
    expect(scoreOf(evaluation)).toMatchObject({ n: 3, value: (4 + 4 + 0) / 3 });
    expect(evaluation.reports).toContainEqual({
      id: 'b',
      line: 3,
      note: 'critic-unreadable',
      message: "The critic's answer could not be read, twice.",
    });
  });

  test('what it said is kept: a second run asks nobody and scores the same', async () => {
    const folder = folders.make();
    const first = await judged(() => verdict(2), {}, folder);
    const { url } = server;
    await server.close();
    const second = await evaluateRun({
      level: 'mid',
      truth: [join(folder, 'T.jsonl')],
      predictions: [join(folder, 'P.jsonl')],
      options: DEFAULT_OPTIONS,
      cases: null,
      critic: {
        endpoint: url,
        model: 'judge',
        key: null,
        rate: null,
        timeoutMs: 500,
        tries: 1,
        backoffMs: 1,
        maxTokens: null,
        stream: false,
        cache: join(folder, 'critic'),
        prices: { input: 0, output: 0 },
        concurrency: 1,
      },
    });
    expect(second.rows).toEqual(first.rows);
    expect(second.critic).toMatchObject({ asked: 0, cached: 3 });
  });

  test('an endpoint that stays broken ends the run; nothing is half-scored', async () => {
    await expect(judged(() => ({ kind: 'status', status: 500 }), { tries: 2 })).rejects.toMatchObject({
      code: 'ENDPOINT_FAILED',
    });
  });
});
