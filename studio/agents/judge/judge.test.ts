import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { judgeAnswer } from '../../../core/agents/judge/judge-for-tests.ts';
import { JUDGE_RULES_VERSION } from '../../../core/agents/judge/prompts.ts';
import type { JudgeHead, OutcomeSaid } from '../../../schemas/judge.ts';
import { PROTOCOLS } from '../../../schemas/protocols.ts';
import { addRun } from '../../datasets/run-for-tests.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import {
  type ModelAsked,
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from '../../models/model-server-for-tests.ts';
import { spending } from '../../models/spending.ts';
import { lastVerdict, readJudgeLogs } from '../../recordings/judge-log.ts';
import { freshWorkspaces } from '../../store/fresh-for-tests.ts';
import { setStateForTests } from '../../store/recording-for-tests.ts';
import { sqlOf } from '../../store/store.ts';
import type { Workspace } from '../../store/workspace.ts';
import { askPanel, type PanelReport, replayJudging } from './judge.ts';
import { allJudgements, judgementsIn } from './judgements.ts';
import { subjectOf } from './subject.ts';

/** Judges as scripted models, by a workspace's own recordings. */

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});
let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});
beforeEach(async () => {
  await addRun(workspace, { id: 'a-run', passed: true, answer: 'Forty-two' });
  await workspace.syncIndex();
});

type Answering = (asked: ModelAsked, n: number) => ScriptedAnswer | Promise<ScriptedAnswer>;
const says =
  (outcome: OutcomeSaid): Answering =>
  ({ texts }) => ({ kind: 'answer', text: judgeAnswer(texts, outcome) });

type More = Partial<Pick<JudgeHead, 'models' | 'prompts' | 'protocol' | 'budget' | 'prices'>> & {
  id?: string;
  again?: boolean;
  signal?: AbortSignal;
};

async function judged(answer: Answering, more: More = {}): Promise<PanelReport> {
  const { id = 'a-run', again = false, signal = new AbortController().signal, ...head } = more;
  server ??= await startModelServer((asked, n) => answering(asked, n));
  answering = answer;
  const entry = await workspace.getRecording(id);
  const { subject, pictures } = await (await subjectOf(workspace, entry, 100)).show();
  const { budget = null, prices = null } = more;
  return askPanel({
    workspace,
    folder: entry.folder,
    head: {
      subject,
      protocol: 'openai',
      endpoint: server.url,
      models: ['m-1'],
      prompts: 2,
      rules: JUDGE_RULES_VERSION,
      maxTokens: null,
      budget,
      prices,
      ...head,
    },
    pictures,
    model: { key: null, rate: null, timeoutMs: 300, tries: 2, backoffMs: 1 },
    spent: spending(prices ?? { input: 0, output: 0 }, budget),
    again,
    progress: () => undefined,
    signal,
  });
}
let answering: Answering = says('succeeded');

const folderOf = async (id = 'a-run'): Promise<string> => (await workspace.getRecording(id)).folder;
const linesOf = async (id = 'a-run') => readJudgeLogs(await folderOf(id)).at(-1)!.lines;

describe.each(PROTOCOLS)('in the protocol %s', (protocol) => {
  test('all judges agree, and what was asked, answered and concluded is kept and replays without the model', async () => {
    const report = await judged(says('succeeded'), { protocol, models: ['m-1', 'm-2'] });
    expect(report).toMatchObject({ how: 'judged', verdict: 'succeeded', asked: 8, kept: 0, refused: [] });
    const lines = await linesOf();
    expect(lines.filter(({ type }) => type === 'said')).toHaveLength(4);
    expect(replayJudging(lines, JUDGE_RULES_VERSION)).toBe(true);
    expect(replayJudging(lines, JUDGE_RULES_VERSION + 1)).toBeNull();
    const changed = lines.map((line) =>
      line.type === 'said' && line.opinion
        ? { ...line, opinion: { ...line.opinion, outcome: 'failed' as const } }
        : line,
    );
    expect(replayJudging(changed, JUDGE_RULES_VERSION)).toBe(false);
    // Two pictures before steps and the one after the last, whose bytes are nowhere in the log.
    expect(server!.asked.find(({ pictures }) => pictures.length > 0)?.pictures.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(lines)).not.toContain('base64');
  });
});

test('where one differs, or cannot be read, the panel is unsure', async () => {
  const differing: Answering = ({ texts }, n) => ({
    kind: 'answer',
    text: judgeAnswer(texts, n < 2 ? 'succeeded' : 'failed'),
  });
  expect(await judged(differing)).toMatchObject({ verdict: 'unsure' });
  const worst = await judged(() => ({ kind: 'answer', text: 'It is done!' }), { again: true });
  expect(worst).toMatchObject({ how: 'judged', verdict: 'unsure' });
  expect(worst.judges.every(({ opinion }) => opinion === null)).toBe(true);
  expect(worst.refused).toHaveLength(4);
  expect(worst.refused[0]).toBe('it is not one JSON object alone');
});

test('the judges see neither the checks nor their result, and a run’s own claim only as a quotation', async () => {
  await judged(says('failed'));
  const all = JSON.stringify(server!.asked.map(({ texts }) => texts));
  expect(all).toContain(JSON.stringify(JSON.stringify('Forty-two')).slice(1, -1));
  expect(all).not.toMatch(/passed|score/);
});

test('of a run that did nothing the judges see the screen at its end', async () => {
  writeFileSync(join(await folderOf(), 'events.jsonl'), '');
  const report = await judged(says('failed'), { models: ['m-1'], prompts: 1 });
  expect(report).toMatchObject({ how: 'judged', verdict: 'failed' });
  expect(server!.asked.flatMap(({ pictures }) => pictures)).toHaveLength(1);
});

test('what was answered before is not asked or paid for again, unless it is wanted', async () => {
  const prices = { input: 1000, output: 1000 };
  const first = await judged(says('succeeded'), { prices });
  expect(first).toMatchObject({ asked: 4, kept: 0, cost: expect.closeTo(4.2, 9) });
  expect(await judged(says('failed'), { prices })).toMatchObject({ asked: 0, kept: 4, cost: 0, verdict: 'succeeded' });
  // Another model is asked; so is everybody with `again`.
  expect(await judged(says('failed'), { models: ['m-1', 'm-2'] })).toMatchObject({
    asked: 4,
    kept: 4,
    verdict: 'unsure',
  });
  expect(await judged(says('failed'), { again: true })).toMatchObject({ asked: 4, kept: 0, verdict: 'failed' });
});

test('a budget holds, one that cannot be counted ends it, and a stop keeps what was there', async () => {
  const prices = { input: 1000, output: 1000 };
  expect(await judged(says('failed'), { prices, budget: 3 })).toMatchObject({ how: 'budget', verdict: null, asked: 2 });
  const uncounted: Answering = ({ texts }) => ({ kind: 'answer', text: judgeAnswer(texts, 'failed'), usage: null });
  expect(await judged(uncounted, { prices, budget: 3, again: true })).toMatchObject({
    how: 'uncounted',
    verdict: null,
  });
  const control = new AbortController();
  const stopping: Answering = (asked, n) => {
    control.abort(new Error('stop'));
    return says('failed')(asked, n);
  };
  const stopped = await judged(stopping, { again: true, signal: control.signal });
  expect(stopped).toMatchObject({ how: 'stopped', verdict: null });
  // No verdict, so nothing is listed; the next one goes on from what was answered.
  expect(await judgementsIn(workspace, await workspace.getRecording('a-run'))).toEqual([]);
  expect(await judged(says('failed'))).toMatchObject({ how: 'judged', verdict: 'failed', kept: 2 });
});

test.each<[string, ScriptedAnswer, RegExp]>([
  ['fails', { kind: 'status', status: 500 }, /status 500/],
  ['refuses', { kind: 'status', status: 401 }, /status 401/],
  ['answers HTML', { kind: 'body', body: '<!doctype html><p>no', type: 'text/html' }, /no JSON/],
  ['never answers', { kind: 'silence' }, /no answer within/],
  ['never ends', { kind: 'endless' }, /without end|no answer within/],
  ['breaks off', { kind: 'cut', after: 20, text: 'x' }, /terminated|no JSON|other side/],
  ['redirects', { kind: 'redirect', to: 'http://127.0.0.1:9/' }, /redirect|fetch failed/],
])('an endpoint that %s ends it with the reason, and what was answered before is kept', async (_, fault, why) => {
  const report = await judged((asked, n) => (n === 0 ? says('failed')(asked, n) : fault));
  expect(report).toMatchObject({ how: 'endpoint', verdict: null, asked: 1 });
  expect(report.why).toMatch(why);
  expect((await linesOf()).at(-1)).toMatchObject({ type: 'ended', how: 'endpoint' });
});

test('a panel is worth what labels of reviews say, from 30 of them on, and never by judgings from elsewhere', async () => {
  const outcome: Answering = ({ texts }) => ({
    kind: 'answer',
    text: judgeAnswer(texts, /"Goal bad/.test(texts.join()) ? 'failed' : 'succeeded'),
  });
  const ids = Array.from({ length: 30 }, (_, n) => `r${n}`);
  for (const [n, id] of ids.entries()) {
    await addRecording(workspace, { id, task: `T_${n}`, goal: n % 3 === 0 ? 'Goal bad' : 'Goal good', screens: [n] });
    // One in ten is approved though the judge says failed.
    if (n % 3 !== 0 || n === 0) await setStateForTests(workspace, id, 'approved');
    else await reject(id, n);
  }
  for (const id of ids.slice(1)) await judged(outcome, { id });
  const before = await allJudgements(workspace);
  expect(before.panels[0]?.card).toMatchObject({ labels: { all: 29, review: 29 }, figures: null });
  await judged(outcome, { id: 'r0' });
  const { panels, rows } = await allJudgements(workspace);
  expect(rows).toHaveLength(30);
  expect(panels).toHaveLength(1);
  expect(panels[0]?.card.figures).toMatchObject({
    precision: { value: 1, n: 20 },
    npv: { value: 0.9, n: 10 },
    unsure: 0,
  });
  expect(panels[0]?.card.among?.value).toBe(1);
  // A log that somebody made, or changed, is what they say.
  const folder = await folderOf('r1');
  const file = join(folder, 'judgements', '0001.jsonl');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('As the last picture shows.', 'As I say.'));
  const changed = await allJudgements(workspace);
  expect(changed.rows.find(({ recording }) => recording === 'r1')?.own).toBe(false);
  expect(changed.panels[0]?.card.labels.all).toBe(29);
});

/** A reviewer's verdict as it lies in the log: for what was done, or for its annotation alone. */
async function reject(id: string, n: number): Promise<void> {
  const act = { type: 'verdict', verdict: 'reject', version: 1, reasons: ['missing-step'], comment: '' };
  await sqlOf(workspace.store)
    .insertInto('review_events')
    .values({
      id: crypto.randomUUID(),
      n: 1,
      recording_id: id,
      person: `p-${n}`,
      at: '2026-11-27T10:00:00.000Z',
      type: 'verdict',
      act: JSON.stringify(act),
      facts: '{}',
    })
    .execute();
}

test('a log that is spoilt or newer is said with its place, and hides no other', async () => {
  await judged(says('failed'));
  await addRun(workspace, { id: 'b-run', passed: true });
  const place = join(await folderOf('b-run'), 'judgements');
  mkdirSync(place);
  writeFileSync(join(place, '0001.jsonl'), '{"type":"begun"}\n');
  const { rows, unreadable } = await allJudgements(workspace);
  expect(rows.map(({ recording }) => recording)).toEqual(['a-run']);
  expect(unreadable).toEqual([
    { recording: 'b-run', why: expect.stringMatching(/Line 1 of .*0001\.jsonl is no line/) },
  ]);
  writeFileSync(join(place, '0001.jsonl'), '{"type":"begun","schema":"trajectory-studio/judge","version":9}\n');
  await expect(judgementsIn(workspace, await workspace.getRecording('b-run'))).rejects.toMatchObject({
    code: 'FUTURE_VERSION',
  });
});

test('the last verdict of this workspace counts as a reward; one that came with a copied folder does not', async () => {
  expect(await lastVerdict(workspace.store, await workspace.getRecording('a-run'))).toBeNull();
  await judged(says('failed'));
  await judged(says('succeeded'), { models: ['m-2'] });
  const entry = await workspace.getRecording('a-run');
  expect(await lastVerdict(workspace.store, entry)).toBe('succeeded');
  expect(await lastVerdict(workspace.store, { ...entry, id: 'another' })).toBeNull();
  await sqlOf(workspace.store)
    .updateTable('meta')
    .set({ value: JSON.stringify('00') })
    .where('key', '=', 'mark-key')
    .execute();
  expect(await lastVerdict(workspace.store, entry)).toBeNull();
});
