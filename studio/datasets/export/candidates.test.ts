import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { swiftCandidateLineSchema, swiftPairLineSchema } from '../../../schemas/export-chat.ts';
import { EXPORT_FILES, jsonSchemaText } from '../../../schemas/export-files.ts';
import { nextOfArena, rankInArena } from '../../agents/arena.ts';
import { freshWorkspaces } from '../../store/fresh-for-tests.ts';
import type { Workspace } from '../../store/workspace.ts';
import { addRun } from '../run-for-tests.ts';
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
  expect(result?.leftOut.map(({ reason }) => reason)).toContain('it is a demonstration: candidates are runs of models');
  expect((await validateExport('ms-swift', out)).problems).toEqual([]);
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

const side = z.object({ turns: z.int(), marks: z.int(), pictures: z.int(), last: z.string() });
const readSchema = z.object({
  candidates: z.array(side.extend({ given: z.record(z.string(), z.unknown()) })),
  pairs: z.array(z.object({ chosen: side, rejected: side, margin: z.number() })),
});

test.skipIf(TRAINERS === undefined).each(['task', 'step'] as const)(
  'ms-swift’s own code reads them, a conversation a %s, with every picture and reward (TRAINERS)',
  async (samples) => {
    const { out } = await exported(samples);
    const folder = path.resolve(TRAINERS!); // It is not skipped.
    const env = { ...process.env, HF_HUB_OFFLINE: '1', HF_HOME: folders.make() };
    const script = path.resolve(import.meta.dirname, '../../../test/support/trainers_candidates.py');
    const { stdout, stderr } = spawnSync(path.join(folder, 'python/bin/python'), [script, folder, out], {
      env,
      encoding: 'utf8',
    });
    const read = readSchema.safeParse(JSON.parse(stdout.split('\n').at(-2) ?? 'null'));
    expect(read.error, stderr.slice(-2000)).toBeUndefined();
    const { candidates, pairs } = read.data!; // As was just read.
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
          turns: messages.length,
          marks: images.length,
          pictures: images.length,
          last: messages.at(-1)?.content,
        },
        rejected: {
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
