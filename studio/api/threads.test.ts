import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { labelId } from '../../core/annotate/ids.ts';
import type { Change } from '../../schemas/annotation.ts';
import type { Job } from '../../schemas/api/models.ts';
import { makeQuestionSet } from '../datasets/evaluate/question-sets.ts';
import { scoreRun } from '../datasets/evaluate/runs.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { importArchive } from '../import/archive/import-archive.ts';
import { importAny } from '../import/import-any.ts';
import { breathe } from '../store/breathe.ts';
import { servedWorkspace, type TestServer } from './server-for-tests.ts';

vi.mock('../store/breathe.ts', { spy: true });
vi.mock('../datasets/evaluate/question-sets.ts', { spy: true });
vi.mock('../datasets/evaluate/runs.ts', { spy: true });
vi.mock('../import/archive/import-archive.ts', { spy: true });
vi.mock('../import/import-any.ts', { spy: true });

/** Work that grows with the data set happens beside the thread that answers everybody. */

let server: TestServer;
let folder: string;
let dir: string;
let ws: string;
servedWorkspace((made) => {
  ({ server, ws, dir, folder } = made);
});
beforeAll(async () => {
  const { workspace } = await server.studio.workspaces.get(ws);
  await addRecording(workspace, { id: 'rec-a', task: 'GIMP_1' });
  await addRecording(workspace, { id: 'rec-b', task: 'GIMP_2' });
  await nameSteps('rec-a');
});

/** Questions are asked about steps that somebody has named. */
async function nameSteps(recording: string): Promise<void> {
  const { steps } = await server.client.recordings.open({ ws, recording });
  const nothing = { startName: null, endName: null, purpose: null, dragKind: null, narration: null, text: null };
  const changes = steps.map(({ id: action }): Change => {
    const said = { element: 'Crop', elementSource: 'hand' as const, ...nothing, confirmed: true, flagged: false };
    return { op: 'add', record: { kind: 'label', id: labelId(action), action, ...said } };
  });
  const transaction = { id: randomUUID(), label: 'Name elements', changes };
  await server.client.annotation.apply({ ws, recording, transaction, person: 'Ana' });
}

async function done({ id }: Job, place = ws): Promise<Job> {
  const job = await (await server.studio.workspaces.get(place)).jobs.finished(id);
  expect(job).toMatchObject({ state: 'done', error: null });
  return job;
}

test('questions are made and predictions scored in a thread', async () => {
  const made = await server.client.evaluate.makeQuestions({ ws, name: 'asked', levels: ['action'], everyState: true });
  expect((await done(made.job)).message).toMatch(/^[1-9]\d* questions$/);
  const sets = await server.client.evaluate.questionSets({ ws });
  expect(sets).toMatchObject([{ id: made.set, name: 'asked' }]);
  const file = join(dir, 'evaluations', 'questions', made.set, 'action.jsonl');
  const asked = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  const answers = asked.map((line) => JSON.stringify({ id: JSON.parse(line).id, prediction: 'click(1, 2)' }));
  const predictions = join(folder, 'predictions.jsonl');
  writeFileSync(predictions, answers.join('\n'));
  const scored = await server.client.evaluate.score({
    ws,
    name: 'one',
    set: made.set,
    files: ['action.jsonl'],
    options: {},
    predictions: { from: 'path', path: predictions },
  });
  expect((await done(scored.job)).message).toBe(`${asked.length} cases`);
  expect(await server.client.evaluate.runs({ ws })).toMatchObject([{ id: scored.run, name: 'one' }]);
  for (const work of [makeQuestionSet, scoreRun]) expect(vi.mocked(work)).not.toHaveBeenCalled();
});

test('what the work in a thread refuses comes back as it was said', async () => {
  const missing = join(folder, 'none.jsonl');
  const { job } = await server.client.evaluate.takeQuestions({ ws, name: 'taken', paths: [missing], tasks: null });
  const over = await (await server.studio.workspaces.get(ws)).jobs.finished(job.id);
  expect(over).toMatchObject({ state: 'failed', error: { code: 'BAD_FILE' } });
  expect(over.error?.message).toContain(missing);
});

test('imports and archives are read in a thread, and pages that watch are told what came', async () => {
  const tar = join(folder, 'all.tar');
  await done(await server.client.archives.make({ ws, out: tar, version: null }));
  const one = join(folder, 'rec-a.tar');
  await done(await server.client.recordings.export({ ws, recording: 'rec-a', out: one }));
  const other = (await server.client.workspaces.open({ dir: join(folder, 'other'), create: true })).id;
  const open = await server.studio.workspaces.get(other);
  const told: string[] = [];
  const control = new AbortController();
  const told1 = open.annotated.subscribe(control.signal);
  const listening = (async () => {
    for await (const recording of told1) told.push(recording);
  })();
  await done(await server.client.recordings.import({ ws: other, path: one }), other);
  expect((await server.client.recordings.list({ ws: other })).map(({ id }) => id)).toEqual(['rec-a']);
  await done(await server.client.archives.take({ ws: other, path: tar }), other);
  expect((await server.client.recordings.list({ ws: other })).map(({ id }) => id).toSorted()).toEqual([
    'rec-a',
    'rec-b',
  ]);
  expect(await server.client.archives.list({ ws: other })).toMatchObject([{ kind: 'taken', recordings: 1, known: 1 }]);
  const [before, after] = await Promise.all(
    [ws, other].map((place) => server.client.annotation.get({ ws: place, recording: 'rec-b' })),
  );
  expect(after?.records).toEqual(before?.records);
  control.abort();
  await listening;
  expect(new Set(told)).toEqual(new Set(['rec-a', 'rec-b']));
  for (const work of [importAny, importArchive]) expect(vi.mocked(work)).not.toHaveBeenCalled();
});

test('others are let in before a procedure begins, before its answer is checked and before it is written', async () => {
  vi.mocked(breathe).mockClear();
  await server.client.people.list({ ws });
  expect(vi.mocked(breathe).mock.calls.length).toBeGreaterThanOrEqual(3);
});
