import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { filterRows } from '../../core/curate/filter.ts';
import { attach } from '../store/attachments.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { proofsOfIndexed } from './proofs.ts';
import { datasetRows } from './rows.ts';
import { addRecording } from './workspace-for-tests.ts';

const folders = temporaryFolders();

test('a verdict counts while the task has the checks that it was reached by', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  try {
    const proofs = async () => {
      await workspace.syncIndex();
      const { rows } = await datasetRows(workspace);
      const shown = rows.map(({ recording, proof }) => [recording, proof]).sort();
      // Lists of recordings say the same.
      const listed = await proofsOfIndexed(workspace, await workspace.listRecordings());
      expect(rows.map(({ recording }) => [recording, listed.get(recording) ?? 'untried']).sort()).toEqual(shown);
      return shown;
    };
    const checks = (text: string) =>
      attach(workspace, {
        task: 'GIMP_1',
        role: 'checks',
        name: 'checks.json',
        body: Readable.from([Buffer.from(text)]),
      });
    for (const id of ['aaaa', 'bbbb', 'cccc'])
      await addRecording(workspace, { id, task: 'GIMP_1', goal: 'Crop it', screens: [40] });
    await checks('{"first": 1}');
    const hash = createHash('sha256').update('{"first": 1}').digest('hex');
    const say = async (id: string, proven: boolean) => {
      const { folder } = await workspace.getRecording(id);
      const verified = { proven, at: '2026-11-23T05:00:00.000Z', checks: hash };
      writeRecording(folder, { ...readRecording(folder), verified });
    };
    await say('aaaa', true);
    await say('bbbb', false);
    expect(await proofs()).toEqual([
      ['aaaa', 'proven'],
      ['bbbb', 'failed'],
      ['cccc', 'untried'],
    ]);
    const { rows } = await datasetRows(workspace);
    expect(filterRows(rows, { proof: ['proven'] }).map(({ recording }) => recording)).toEqual(['aaaa']);
    expect(filterRows(rows, { proof: ['failed', 'untried'] })).toHaveLength(2);

    await checks('{"second": 2}');
    expect((await proofs()).map(([, proof]) => proof)).toEqual(['untried', 'untried', 'untried']);
  } finally {
    workspace.close();
    folders.clean();
  }
});
