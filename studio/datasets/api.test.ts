import { ORPCError } from '@orpc/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { FORMATS } from '../../core/export/formats.ts';
import { servedWorkspace, type TestServer } from '../api/server-for-tests.ts';
import { addRecording } from './workspace-for-tests.ts';

let server: TestServer;
let ws: string;
servedWorkspace((made) => {
  ({ server, ws } = made);
});
beforeAll(async () => {
  const open = await server.studio.workspaces.get(ws);
  await addRecording(open.workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop the picture' });
  await addRecording(open.workspace, { id: 'bbbb', task: 'GIMP_2', goal: 'Crop the pictures' });
  await open.refresh({ now: true });
});

async function finished(job: { id: string }) {
  const { jobs } = await server.studio.workspaces.get(ws);
  return jobs.finished(job.id);
}

describe('a data set over the API', () => {
  test('is tagged, split, searched for duplicates, frozen, exported and checked', async () => {
    const { dataset, exports } = server.client;
    const { rows, uncounted } = await dataset.rows({ ws });
    expect([rows.length, uncounted]).toEqual([2, 0]);
    await dataset.tag({ ws, recordings: ['aaaa'], add: ['pilot'], remove: [] });
    await dataset.split({ ws, tasks: ['GIMP_2'], split: 'test' });
    const rule = { shares: [{ split: 'train', share: 1 }], seed: '1', keepDuplicatesTogether: false, again: false };
    expect((await dataset.planSplit({ ws, rule })).assigned).toEqual([{ task: 'GIMP_1', from: null, split: 'train' }]);
    expect((await dataset.rows({ ws })).rows.map(({ split }) => split).sort()).toEqual([null, 'test'].sort());
    await dataset.applySplit({ ws, rule });
    expect(await finished(await dataset.findDuplicates({ ws, wishes: { goals: 0.7 } }))).toMatchObject({
      state: 'done',
      message: '1 group of tasks, 2 of screens',
    });
    const { leaks, screensUnseen } = await dataset.leaks({ ws, goals: 0.7 });
    expect([leaks.map(({ kind }) => kind), screensUnseen]).toEqual([['goal', 'screen'], 0]);
    const [group] = (await dataset.duplicates({ ws })).goals;
    await dataset.dismiss({ ws, group: group!.id, dismissed: true });
    expect((await dataset.duplicates({ ws })).goals[0]).toMatchObject({ dismissed: true });

    const freeze = (name: string) => dataset.freeze({ ws, name, changelog: 'First' });
    expect(await finished(await freeze('v1'))).toMatchObject({ state: 'done', error: null });
    expect(await finished(await freeze('v1'))).toMatchObject({ state: 'failed', error: { code: 'TARGET_EXISTS' } });
    expect((await dataset.versions({ ws })).versions).toMatchObject([{ name: 'v1', counts: { tasks: 2, actions: 4 } }]);
    expect((await dataset.version({ ws, name: 'v1' })).rows.map(({ tags }) => tags)).toEqual([['pilot'], []]);
    expect(await dataset.statistics({ ws, source: { kind: 'version', name: 'v1' } })).toMatchObject({
      splits: [
        { name: 'test', count: 1 },
        { name: 'train', count: 1 },
      ],
    });

    const wishes = { formats: [{ name: 'agentnet' }], source: { kind: 'version', name: 'v1' } as const, all: true };
    expect(await exports.preview({ ws, wishes })).toMatchObject({ tasks: 2, actions: 4 });
    // Each by itself: a preview writes nothing but what the format makes, and no picture makes its folders (S3).
    for (const { name } of FORMATS)
      expect(await exports.preview({ ws, wishes: { ...wishes, formats: [{ name }] } }), name).toMatchObject({
        tasks: 2,
      });
    const { out } = await exports.suggest({ ws });
    expect(await finished(await exports.start({ ws, wishes, out }))).toMatchObject({ state: 'done' });
    const [made] = await exports.list({ ws });
    expect(made).toMatchObject({ format: 'agentnet', version: 'v1', exists: true, folder: out });
    expect(await finished(await exports.validate({ ws, export: made!.id }))).toMatchObject({ state: 'done' });
    expect((await exports.list({ ws }))[0]!.validation).toMatchObject({ ok: true, problems: [] });
    expect((await exports.formats()).map(({ name }) => name)).toContain('coco');
  });

  test('refuses what cannot be, with a code', async () => {
    const { dataset, exports } = server.client;
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'none',
        (error: unknown) => (error instanceof ORPCError ? error.code : String(error)),
      );
    const wishes = { formats: [{ name: 'nothing' }], source: { kind: 'filter', filter: {} } as const };
    expect([
      await codeOf(dataset.split({ ws, tasks: ['NO_1'], split: 'test' })),
      await codeOf(dataset.split({ ws, tasks: ['GIMP_1'], split: '../x' })),
      await codeOf(dataset.version({ ws, name: '../../etc' })),
      await codeOf(exports.start({ ws, wishes, out: '/tmp/none' })),
      await codeOf(exports.validate({ ws, export: 'none' })),
    ]).toEqual(['UNKNOWN_TASK', 'USAGE', 'UNKNOWN_FILE', 'UNKNOWN_FORMAT', 'UNKNOWN_FILE']);
  });
});
