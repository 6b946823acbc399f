import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import type { ExportWishes } from '../../schemas/api/datasets.ts';
import { attach } from '../store/attachments.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { setStateForTests } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { previewOf, runExport } from './export/exports.ts';
import { parquetRows } from './export/parquet-for-tests.ts';
import { validateExport } from './export/validate.ts';
import { freezeVersion } from './freeze.ts';
import { proveForTests } from './prove-for-tests.ts';
import { addRecording, everyFormat } from './workspace-for-tests.ts';

/** Exports say which tasks `verify` proved, and can hold those alone. */

const CHECKS = '{"checks": 1}';
const HASH = createHash('sha256').update(CHECKS).digest('hex');

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});

async function say(id: string, proven: boolean): Promise<void> {
  await proveForTests(workspace, id, { proven, checks: HASH });
  await workspace.syncIndex();
}

beforeEach(async () => {
  for (const [id, task] of [
    ['aaaa', 'GIMP_1'],
    ['bbbb', 'GIMP_2'],
    ['cccc', 'GIMP_3'],
    ['dddd', 'GIMP_1'],
  ] as const) {
    await addRecording(workspace, { id, task, goal: `Do ${task}`, screens: [id.charCodeAt(0), 200] });
    await setStateForTests(workspace, id, 'approved');
  }
  for (const task of ['GIMP_1', 'GIMP_2', 'GIMP_3']) {
    const body = Readable.from([Buffer.from(CHECKS)]);
    await attach(workspace, { task, role: 'checks', name: 'checks.json', body });
  }
  await say('dddd', true);
  await say('bbbb', false);
});

async function exported(more: Partial<ExportWishes> = {}) {
  const out = join(folders.make(), 'out');
  return { out, results: await runExport(workspace, everyFormat(more), out, { toolVersion: '1' }) };
}
const jsonOf = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));
const linesOf = (...path: string[]): Record<string, unknown>[] =>
  readFileSync(join(...path), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('every manifest, card and preview says which tasks are proven, and where a format has a place, each row', async () => {
  const wishes = { recordings: 'every' } as const;
  const { out, results } = await exported(wishes);
  for (const { format, out: folder, proof } of results) {
    expect(jsonOf(folder, 'manifest.json').proof, format).toEqual({ proven: ['GIMP_1-2'], failed: ['GIMP_2'] });
    // GIMP_1 has a proven recording and an untried one.
    const said = '1 of 3 tasks proven by playing, 1 tried and not proven.';
    expect([proof, readFileSync(join(folder, 'README.md'), 'utf8').includes(said)], format).toEqual([said, true]);
    expect((await validateExport(format, folder)).problems, format).toEqual([]);
  }
  expect((await previewOf(workspace, everyFormat(wishes))).proof).toEqual({ proven: 1, failed: 1, said: 0 });
  const expected = [
    ['GIMP_1', 'untried'],
    ['GIMP_1-2', 'proven'],
    ['GIMP_2', 'failed'],
    ['GIMP_3', 'untried'],
  ];
  const proofs = (rows: readonly Record<string, unknown>[]) =>
    [...new Map(rows.map((row) => [String(row.task_id), row.proof]))].sort();
  expect(proofs(linesOf(out, 'videogui/videogui-jsonl/task.jsonl'))).toEqual(expected);
  expect(proofs(await parquetRows(join(out, 'imagefolder/train/metadata.parquet')))).toEqual(expected);
  const ids = expected.map(([id]) => id!);
  const raw = ids.map((id) => jsonOf(out, 'videogui/videogui-raw/GIMP', id, 'task.json').proof);
  expect(raw).toEqual(expected.map(([, word]) => word));
  const bench = ids.map((id) => jsonOf(out, 'agentnetbench/data', `${id}.json`).meta_info.proof);
  expect(bench).toEqual([undefined, 'proven', 'failed', undefined]);
});

test('with the condition only those recordings go out, and the rest is left out with the reason', async () => {
  const wishes = { proof: ['proven' as const], formats: [{ name: 'agentnet' }] };
  const { out, results } = await exported(wishes);
  // The recording that would go out without the condition is passed over for the one that is proven.
  expect(linesOf(out, 'agentnet.jsonl').map(({ task_id }) => task_id)).toEqual(['GIMP_1']);
  expect(jsonOf(out, 'manifest.json')).toMatchObject({
    proof: { proven: ['GIMP_1'], failed: [] },
    filters: { proof: ['proven'] },
  });
  const reasons = results[0]!.leftOut.map(({ item, reason }) => [item, reason]);
  expect(reasons).toContainEqual(['GIMP_1', 'its proof is "untried"']);
  expect(reasons).toContainEqual(['GIMP_2', 'its proof is "failed"']);
  expect(reasons).toContainEqual(['GIMP_3', 'its proof is "untried"']);
  const preview = await previewOf(workspace, everyFormat(wishes));
  expect([preview.tasks, preview.proof]).toEqual([1, { proven: 1, failed: 0, said: 0 }]);
});

test('a version has the word that it was frozen with, also when the checks are others since', async () => {
  await freezeVersion(workspace, { name: 'v1', changelog: 'First', filter: {} }, { toolVersion: '1' });
  const before = await exported({ source: { kind: 'version', name: 'v1' }, proof: ['proven'] });
  await attach(workspace, {
    task: 'GIMP_1',
    role: 'checks',
    name: 'checks.json',
    body: Readable.from([Buffer.from('{}')]),
  });
  const after = await exported({ source: { kind: 'version', name: 'v1' }, proof: ['proven'] });
  expect(readFileSync(join(after.out, 'agentnet/manifest.json'))).toEqual(
    readFileSync(join(before.out, 'agentnet/manifest.json')),
  );
  expect(jsonOf(after.out, 'agentnet/manifest.json').proof).toEqual({ proven: ['GIMP_1'], failed: [] });
  const now = exported({ proof: ['proven'] });
  await expect(now).rejects.toMatchObject({
    code: 'NOTHING_TO_EXPORT',
    message: expect.stringMatching(/`verify` plays/),
  });
});

test('where nobody tried anything, manifest and card say nothing of it', async () => {
  const filter = { tasks: ['GIMP_3'] };
  const { out, results } = await exported({ formats: [{ name: 'agentnet' }], source: { kind: 'filter', filter } });
  expect(jsonOf(out, 'manifest.json')).not.toHaveProperty('proof');
  expect(readFileSync(join(out, 'README.md'), 'utf8')).not.toContain('proven');
  expect(results[0]!.proof).toBeNull();
});
