import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toRecords } from '../../../core/annotate/document.ts';
import { removeSteps } from '../../../core/annotate/edit.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { swiftCandidateLineSchema, swiftPairLineSchema } from '../../../schemas/export-chat.ts';
import { EXPORT_FILES, jsonSchemaText } from '../../../schemas/export-files.ts';
import type { CandidateHead } from '../../../schemas/step-candidates.ts';
import { nextOfArena, rankInArena } from '../../agents/arena.ts';
import { askForCandidates } from '../../agents/candidates/ask.ts';
import { candidateSubjectOf } from '../../agents/candidates/subject.ts';
import { startModelServer } from '../../models/model-server-for-tests.ts';
import { spending } from '../../models/spending.ts';
import { openFolder } from '../../recordings/closed.ts';
import { openSession } from '../../session/open-workspace.ts';
import { freshWorkspaces } from '../../store/fresh-for-tests.ts';
import type { Workspace } from '../../store/workspace.ts';
import { addRun } from '../run-for-tests.ts';
import { sayOfCandidate, stepCandidatesIn } from '../step-candidates.ts';
import { addRecording } from '../workspace-for-tests.ts';
import { runExport } from './exports.ts';
import { schemaErrors } from './json-schema-for-tests.ts';
import { validateExport } from './validate.ts';

/** Runs of models as candidates with their rewards (naturalgaia.txt, appendix F), in ms-swift's forms. */

const { TRAINERS } = process.env;

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});

beforeEach(async () => {
  await addRecording(workspace, { id: 'shown', task: 'GIMP_1' });
  await addRun(workspace, { id: 'good', passed: true });
  await addRun(workspace, { id: 'bad', passed: false, thought: 'Elsewhere.' });
  await addRun(workspace, { id: 'even', passed: false, thought: 'No idea.' });
  await addRun(workspace, { id: 'helped', passed: true, helped: true });
  await addRun(workspace, { id: 'cut', passed: false, how: 'stopped' });
  await workspace.syncIndex();
});

type Exported = { out: string; leftOut: readonly { item: string; from: string; reason: string }[] };

async function exported(samples: 'task' | 'step', parts = ['candidates', 'pairs']): Promise<Exported> {
  const out = path.join(folders.make(), 'out');
  const formats = [{ name: 'ms-swift', parts, options: { samples } }];
  const [result] = await runExport(workspace, { formats, source: { kind: 'runs', filter: {} }, all: true }, out, {
    toolVersion: '1',
  });
  expect((await validateExport('ms-swift', out)).problems).toEqual([]);
  return { out, leftOut: result!.leftOut };
}
const rowsOf = <T>(out: string, name: string, schema: z.ZodType<T>): T[] =>
  readFileSync(path.join(out, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));

test('each run that was the model’s own is a candidate with the reward of its checks; others are told', async () => {
  const { out, leftOut } = await exported('task');
  const rows = rowsOf(out, 'candidates.jsonl', swiftCandidateLineSchema);
  const said = rows.map(({ candidate, task, reward, reward_success }) => [task, candidate, reward, reward_success]);
  expect(said.sort()).toEqual([
    ['GIMP_1', 'bad', 0, 0],
    ['GIMP_1', 'even', 0, 0],
    ['GIMP_1', 'good', 1, 1],
  ]);
  for (const { solution, messages, reward_judges, reward_people } of rows) {
    expect(solution).toBe(messages.at(-1)?.content);
    expect([reward_judges, reward_people]).toEqual([null, null]);
  }
  const reasons = leftOut.filter(({ from }) => from === 'ms-swift/candidates').map(({ reason }) => reason);
  expect(reasons.sort()).toEqual([
    'a person took it over, so what came of it is not the model’s alone',
    'the run ended as stopped, so its checks say nothing of what the model did',
  ]);
});

test.each(['candidates', 'pairs'])('every line of %s fits the published schema', async (part) => {
  const file = EXPORT_FILES.find(({ name }) => name === `ms-swift-${part}`)!;
  const { out } = await exported('step');
  const lines = readFileSync(path.join(out, `${part}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  for (const line of lines) expect(schemaErrors(JSON.parse(jsonSchemaText(file)), JSON.parse(line))).toEqual([]);
});

test('what people ranked in the arena and judges said goes with it', async () => {
  await addRun(workspace, { id: 'other', passed: false, model: 'm-2' });
  await workspace.syncIndex();
  const ffmpeg = await findFfmpeg();
  for (const person of ['ana', 'bo']) {
    const { set } = await nextOfArena(workspace, person, ffmpeg);
    const letters = set!.outcomes.map(({ letter }) => letter);
    await rankInArena(workspace, person, set!.id, [letters]);
  }
  const { out } = await exported('task', ['candidates']);
  const rows = rowsOf(out, 'candidates.jsonl', swiftCandidateLineSchema);
  const people = new Map(rows.map(({ candidate, reward_people }) => [candidate, reward_people]));
  // The newest run of each model was ranked, and both people said that they are alike.
  expect([...people.values()].filter((share) => share !== null)).toEqual([0.5]);
  expect(people.get('other')).toBe(0.5);
});

test('a pair is a better and a worse run of one task; the one that is left is told', async () => {
  const { out, leftOut } = await exported('task');
  const [pair, ...more] = rowsOf(out, 'pairs.jsonl', swiftPairLineSchema);
  expect(more).toEqual([]);
  expect(pair).toMatchObject({ task: 'GIMP_1', candidate: 'good', margin: 1 });
  expect(['bad', 'even']).toContain(pair?.rejected_candidate);
  expect(pair?.messages[1]?.content).toContain('The field first.');
  expect(pair?.rejected_messages[1]?.content).not.toContain('The field first.');
  const told = leftOut.filter(({ from }) => from === 'ms-swift/pairs').map(({ reason }) => reason);
  expect(told).toContain('no other run of its task that came out better or worse is left for it');
});

test('by steps a pair is the first step at which they answer otherwise, and no other picture is written', async () => {
  const { out } = await exported('step', ['pairs']);
  const [pair] = rowsOf(out, 'pairs.jsonl', swiftPairLineSchema);
  expect([pair?.messages.length, pair?.rejected_messages.length]).toEqual([2, 2]);
  expect(readdirSync(path.join(out, 'images')).sort()).toEqual(
    [...(pair?.images ?? []), ...(pair?.rejected_images ?? [])].map((name) => path.basename(name)).sort(),
  );
});

test('runs that answered alike and came out otherwise are no pair, which is told', async () => {
  await addRun(workspace, { id: 'gooc', passed: true, task: 'GIMP_2' });
  await addRun(workspace, { id: 'gooe', passed: false, task: 'GIMP_2' });
  await workspace.syncIndex();
  const { out, leftOut } = await exported('task');
  expect(rowsOf(out, 'pairs.jsonl', swiftPairLineSchema).map(({ task }) => task)).toEqual(['GIMP_1']);
  expect(leftOut.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(/^it answered as GIMP_2(-2)? did, which came out otherwise$/),
  );
});

test('a demonstration is no candidate', async () => {
  const out = path.join(folders.make(), 'out');
  const formats = [{ name: 'ms-swift', parts: ['messages', 'candidates', 'pairs'] }];
  const wishes = { formats, source: { kind: 'filter' as const, filter: {} }, all: true };
  const [result] = await runExport(workspace, wishes, out, { toolVersion: '1' });
  expect(result?.counts).toMatchObject({ 'candidates.jsonl': 0, 'pairs.jsonl': 0 });
  expect(result?.leftOut.map(({ reason }) => reason)).toContain(
    'it is a demonstration, and no model was asked for candidates of its steps',
  );
  expect((await validateExport('ms-swift', out)).problems).toEqual([]);
});

describe('answers to the steps of a demonstration', () => {
  const CLICK = (x: number, y: number) => `I click.\n\`\`\`python\npyautogui.click(${x}, ${y})\n\`\`\``;
  /** Of the first step one is right, one is not, one is empty; of the second both are wrong. */
  beforeEach(async () => {
    const { folder } = await workspace.getRecording('shown');
    const { subject, pictures } = await candidateSubjectOf(workspace, await workspace.getRecording('shown'), null);
    const said = [CLICK(10, 20), CLICK(60, 38), ' ', CLICK(60, 38), CLICK(60, 39), CLICK(60, 38)];
    const server = await startModelServer((_, n) => ({ kind: 'answer', text: said[n] ?? '' }));
    try {
      const report = await askForCandidates({
        folder,
        head: headOf(subject, server.url),
        pictures,
        model: { key: null, rate: null, timeoutMs: 5000, tries: 1, backoffMs: 1 },
        spent: spending({ input: 0, output: 0 }, null),
        again: false,
        progress: () => undefined,
        signal: new AbortController().signal,
      });
      expect(report).toMatchObject({ how: 'sampled', candidates: 6 });
    } finally {
      await server.close();
    }
    const [first] = stepCandidatesIn(folder, 'shown');
    await sayOfCandidate({ id: 'shown', folder }, { person: 'Ada', candidate: first!.id, right: true });
  });
  const headOf = (subject: CandidateHead['subject'], endpoint: string): CandidateHead => ({
    subject,
    protocol: 'openai',
    endpoint,
    model: 'm-1',
    judge: null,
    each: 3,
    temperature: 1,
    coordinates: null,
    maxTokens: null,
    budget: null,
    prices: null,
  });
  async function ofSteps(parts = ['candidates', 'pairs']): Promise<Exported> {
    const out = path.join(folders.make(), 'out');
    const wishes = {
      formats: [{ name: 'ms-swift', parts }],
      source: { kind: 'filter' as const, filter: {} },
      all: true,
    };
    const [result] = await runExport(workspace, wishes, out, { toolVersion: '1' });
    expect((await validateExport('ms-swift', out)).problems).toEqual([]);
    return { out, leftOut: result!.leftOut };
  }

  test('a row each, in the words that were asked and answered, a group a step, with what it is worth', async () => {
    const { out, leftOut } = await ofSteps();
    const rows = rowsOf(out, 'candidates.jsonl', swiftCandidateLineSchema);
    expect(rows.map(({ task, reward, reward_success, model }) => [task, reward, reward_success, model])).toEqual([
      ['GIMP_1/1/1', 1, 1, 'm-1'],
      ['GIMP_1/1/1', 0, 0, 'm-1'],
      ...new Array(3).fill(['GIMP_1/1/2', 0, 0, 'm-1']),
    ]);
    expect(new Set(rows.map(({ candidate }) => candidate)).size).toBe(5);
    const [first, , second] = rows;
    expect(first?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    expect(first?.messages[2]?.content).toBe(CLICK(10, 20));
    expect(first?.solution).toBe(CLICK(10, 20));
    expect([first?.reward_judges, first?.reward_people]).toEqual([null, 1]);
    // Its picture is the step's own; what was done before is told, and not what was done there.
    expect(first?.images).not.toEqual(second?.images);
    expect(first?.messages[1]?.content).not.toContain('Steps so far');
    expect(second?.messages[1]?.content).toContain('Steps so far:\n1. ');
    expect(leftOut.map(({ item, reason }) => [item, reason])).toContainEqual(['GIMP_1/1/1', '1 answer of nothing']);
  });

  test('a pair is a better and a worse answer to one step; a step without one is told once', async () => {
    const { out, leftOut } = await ofSteps();
    const pairs = rowsOf(out, 'pairs.jsonl', swiftPairLineSchema);
    expect(pairs).toMatchObject([{ task: 'GIMP_1/1/1', margin: 1, model: 'm-1' }]);
    expect(pairs[0]?.messages.slice(0, 2)).toEqual(pairs[0]?.rejected_messages.slice(0, 2));
    expect(pairs[0]?.rejected_messages[2]?.content).toBe(CLICK(60, 38));
    const told = leftOut.filter(({ from }) => from === 'ms-swift/pairs').map(({ item, reason }) => [item, reason]);
    expect(told).toContainEqual(['GIMP_1/1/2', 'its 3 candidates are worth the same, so none is better']);
  });

  test('who removes a step removes its answers; a step that is named anew has the reward of its new box', async () => {
    const session = await openSession(workspace.dir, { create: false, brief: true, config: folders.make() });
    try {
      const { documents } = session.as('Ada');
      const { records } = await documents.get('shown');
      const [action] = openFolder((await workspace.getRecording('shown')).folder).actions;
      const changes = removeSteps(toRecords(records), [action!.id], 'private', '');
      await documents.apply('shown', { id: randomUUID(), label: 'Remove', changes });
    } finally {
      await session.close();
    }
    const rows = rowsOf((await ofSteps()).out, 'candidates.jsonl', swiftCandidateLineSchema);
    expect([...new Set(rows.map(({ task }) => task))]).toEqual(['GIMP_1/1/2']);
  });

  test.each(['candidates', 'pairs'])('every line of %s fits the published schema', async (part) => {
    const file = EXPORT_FILES.find(({ name }) => name === `ms-swift-${part}`)!;
    const lines = readFileSync(path.join((await ofSteps()).out, `${part}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    for (const line of lines) expect(schemaErrors(JSON.parse(jsonSchemaText(file)), JSON.parse(line))).toEqual([]);
  });

  test('the validator finds a turn of another role', async () => {
    const { out } = await ofSteps();
    const file = path.join(out, 'candidates.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"role":"system"', '"role":"user"'));
    const { problems } = await validateExport('ms-swift', out);
    expect(problems.map((one) => one.code)).toContain('TURNS_WRONG');
  });

  test.skipIf(TRAINERS === undefined)(
    'ms-swift’s own code reads them, with the question, the picture and every reward (TRAINERS)',
    async () => {
      const { out } = await ofSteps();
      const { candidates, pairs } = readBySwift(out);
      const written = rowsOf(out, 'candidates.jsonl', swiftCandidateLineSchema);
      expect(candidates.map(({ given }) => given)).toEqual(
        written.map(({ messages: _, images: __, ...given }) => given),
      );
      for (const [at, { messages }] of written.entries())
        expect(candidates[at]).toMatchObject({
          system: messages[0]?.content,
          turns: 2,
          marks: 1,
          pictures: 1,
          last: messages.at(-1)?.content,
        });
      expect(pairs).toMatchObject([
        { chosen: { turns: 2, pictures: 1 }, rejected: { turns: 2, pictures: 1 }, margin: 1 },
      ]);
    },
    120_000,
  );
});

test.each<[string, string, (row: Record<string, unknown>) => void, string]>([
  ['another solution', 'candidates.jsonl', (row) => (row.solution = 'x'), 'REFERENCE_WRONG'],
  ['a reward of more than 1', 'candidates.jsonl', (row) => (row.reward = 2), 'ROW_BAD'],
  ['a picture that is not there', 'pairs.jsonl', (row) => (row.rejected_images = ['images/no.png']), 'IMAGE_MISSING'],
  ['what was chosen twice', 'pairs.jsonl', (row) => (row.rejected_messages = row.messages), 'REFERENCE_WRONG'],
])('the validator finds %s', async (_what, file, damage, code) => {
  const { out } = await exported('task');
  const lines = readFileSync(path.join(out, file), 'utf8').trim().split('\n');
  const rows = lines.map((line): Record<string, unknown> => JSON.parse(line));
  damage(rows[0]!);
  writeFileSync(path.join(out, file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { problems } = await validateExport('ms-swift', out);
  expect(problems.map((one) => one.code)).toContain(code);
});

const side = z.object({
  system: z.string().nullable(),
  turns: z.int(),
  marks: z.int(),
  pictures: z.int(),
  last: z.string(),
});
const readSchema = z.object({
  candidates: z.array(side.extend({ given: z.record(z.string(), z.unknown()) })),
  pairs: z.array(z.object({ chosen: side, rejected: side, margin: z.number() })),
});

/** An export as ms-swift's own converter and template read it. */
function readBySwift(out: string): z.infer<typeof readSchema> {
  const folder = path.resolve(TRAINERS!); // Asked for where it is there.
  const env = { ...process.env, HF_HUB_OFFLINE: '1', HF_HOME: folders.make() };
  const script = path.resolve(import.meta.dirname, '../../../test/support/trainers_candidates.py');
  const { stdout, stderr } = spawnSync(path.join(folder, 'python/bin/python'), [script, folder, out], {
    env,
    encoding: 'utf8',
  });
  const read = readSchema.safeParse(JSON.parse(stdout.split('\n').at(-2) ?? 'null'));
  expect(read.error, stderr.slice(-2000)).toBeUndefined();
  return read.data!; // As was just read.
}

test.skipIf(TRAINERS === undefined).each(['task', 'step'] as const)(
  'ms-swift’s own code reads them, a conversation a %s, with every picture and reward (TRAINERS)',
  async (samples) => {
    const { out } = await exported(samples);
    const { candidates, pairs } = readBySwift(out);
    const written = rowsOf(out, 'candidates.jsonl', swiftCandidateLineSchema);
    expect(candidates.map(({ given }) => given)).toEqual(written.map(({ messages: _, images: __, ...given }) => given));
    for (const [at, { messages, images }] of written.entries())
      expect(candidates[at]).toMatchObject({
        turns: messages.length,
        marks: images.length,
        pictures: images.length,
        last: messages.at(-1)?.content,
      });
    const paired = rowsOf(out, 'pairs.jsonl', swiftPairLineSchema);
    expect(pairs).toEqual(
      paired.map(({ messages, images, rejected_messages, rejected_images, margin }) => ({
        chosen: {
          system: null,
          turns: messages.length,
          marks: images.length,
          pictures: images.length,
          last: messages.at(-1)?.content,
        },
        rejected: {
          system: null,
          turns: rejected_messages.length,
          marks: rejected_images.length,
          pictures: rejected_images.length,
          last: rejected_messages.at(-1)?.content,
        },
        margin,
      })),
    );
  },
  120_000,
);
