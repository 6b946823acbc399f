import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { filterRows } from '../../core/curate/filter.ts';
import type { DataRow } from '../../schemas/dataset.ts';
import { openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { take, write } from '../import/archive/bench-for-tests.ts';
import { attach } from '../store/attachments.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { setStateForTests, temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { runExport } from './export/exports.ts';
import { validateExport } from './export/validate.ts';
import { freezeVersion } from './freeze.ts';
import { proofsOfIndexed } from './proofs.ts';
import { proveForTests } from './prove-for-tests.ts';
import { datasetRows } from './rows.ts';
import { frozenProof, rowOf } from './snapshot.ts';
import { readVersion } from './versions.ts';
import { addRecording, everyFormat } from './workspace-for-tests.ts';

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
    const say = (id: string, proven: boolean) => proveForTests(workspace, id, { proven, checks: hash });
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
  }
});

afterAll(folders.clean);

describe('a proof counts where the workspace can show it', () => {
  const CHECKS = '{"checks": 1}';
  const HASH = createHash('sha256').update(CHECKS).digest('hex');
  const opened: Workspace[] = [];
  afterEach(() => opened.splice(0).map((one) => one.close()));

  function open(): Workspace {
    const workspace = openWorkspace(folders.make(), { create: true });
    opened.push(workspace);
    return workspace;
  }
  async function proven(by?: string): Promise<Workspace> {
    const workspace = open();
    await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop it', screens: [40] });
    const body = Readable.from([Buffer.from(CHECKS)]);
    await attach(workspace, { task: 'GIMP_1', role: 'checks', name: 'checks.json', body });
    await proveForTests(workspace, 'aaaa', { proven: true, checks: HASH, ...(by && { by }) });
    await workspace.syncIndex();
    return workspace;
  }
  async function rowOfIt(workspace: Workspace): Promise<Pick<DataRow, 'proof' | 'proofSaid'>> {
    await workspace.syncIndex();
    const { rows } = await datasetRows(workspace);
    const [{ proof, proofSaid }] = rows.filter(({ recording }) => recording === 'aaaa') as [DataRow];
    const listed = await proofsOfIndexed(workspace, await workspace.listRecordings());
    expect(listed.get('aaaa')).toBe(proof);
    return proofSaid === undefined ? { proof } : { proof, proofSaid };
  }

  test('elsewhere it is what its people say, by name, in lists, filters and exports; at home it stays', async () => {
    const home = await proven('Ada Lovelace');
    expect(await rowOfIt(home)).toEqual({ proof: 'proven' });
    const archive = join(folders.make(), 'w.tar');
    await write({ workspace: home }, archive);
    const away = open();
    const documents = openDocuments(away, reviewGate());
    await take({ workspace: away, documents }, archive);
    await documents.close();
    expect(await rowOfIt(away)).toEqual({ proof: 'said', proofSaid: 'Ada Lovelace' });
    const { rows } = await datasetRows(away);
    expect(filterRows(rows, { proof: ['proven'] })).toEqual([]);
    expect(filterRows(rows, { proof: ['said'] })).toHaveLength(1);
    await setStateForTests(away, 'aaaa', 'approved');
    const wishes = { ...everyFormat({}), recordings: 'every' as const };
    const out = join(folders.make(), 'out');
    for (const { out: folder, format } of await runExport(away, wishes, out, { toolVersion: '1' })) {
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      expect(manifest.proof, format).toEqual({ proven: [], failed: [], said: ['GIMP_1'] });
      const said = '0 of 1 task proven by playing, 1 said to be proven elsewhere, which was not shown here.';
      expect(readFileSync(join(folder, 'README.md'), 'utf8'), format).toContain(said);
      expect((await validateExport(format, folder)).problems, format).toEqual([]);
    }
    const only = { ...wishes, proof: ['proven' as const] };
    await expect(runExport(away, only, join(folders.make(), 'x'), { toolVersion: '1' })).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPORT',
    });
    expect(await rowOfIt(home)).toEqual({ proof: 'proven' });
  });

  test('nothing that is written into the recording makes it proven: not a verdict, a report, plays, nor the mark of another', async () => {
    const home = await proven();
    const { folder } = await home.getRecording('aaaa');
    const forged = open();
    await addRecording(forged, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop it', screens: [40] });
    const body = Readable.from([Buffer.from(CHECKS)]);
    await attach(forged, { task: 'GIMP_1', role: 'checks', name: 'checks.json', body });
    const there = join(forged.recordingsDir, 'aaaa');
    const { verified } = readRecording(folder);
    writeRecording(there, { ...readRecording(there), verified: verified! });
    expect(await rowOfIt(forged)).toEqual({ proof: 'said' });
    // With its report, and with the plays behind it.
    cpSync(join(folder, 'verify.json'), join(there, 'verify.json'));
    expect(await rowOfIt(forged)).toEqual({ proof: 'said' });
    for (const play of ['aaaa-play-1', 'aaaa-play-2'])
      cpSync(join(home.recordingsDir, play), join(forged.recordingsDir, play), { recursive: true });
    expect(await rowOfIt(forged)).toEqual({ proof: 'said' });
    // Verified here, it is proven.
    await proveForTests(forged, 'aaaa', { proven: true, checks: HASH });
    expect(await rowOfIt(forged)).toEqual({ proof: 'proven' });
  });

  test('a play that is gone or other than it was shows nothing any more, nor does a report that was changed', async () => {
    const workspace = await proven();
    const { folder } = await workspace.getRecording('aaaa');
    const spoil = async (file: string, change: (text: string) => string): Promise<void> => {
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, change(before));
      expect(await rowOfIt(workspace), file).toEqual({ proof: 'said' });
      writeFileSync(file, before);
      expect(await rowOfIt(workspace), file).toEqual({ proof: 'proven' });
    };
    await spoil(join(workspace.recordingsDir, 'aaaa-play-1', 'play.json'), (text) => `${text} `);
    const report = join(folder, 'verify.json');
    await spoil(report, (text) => text.replace('"agreed":1', '"agreed":0'));
    await spoil(report, (text) => text.replace('"passed":false,"weak"', '"passed":true,"weak"'));
    await spoil(report, (text) => JSON.stringify({ ...JSON.parse(text), plays: [], without: [] }));
    await spoil(report, (text) => JSON.stringify({ ...JSON.parse(text), evidence: undefined }));
    await spoil(report, () => '{');
    rmSync(join(workspace.recordingsDir, 'aaaa-play-2'), { recursive: true });
    expect(await rowOfIt(workspace)).toEqual({ proof: 'said' });
  });

  test('the proofs of a version count in the workspace that froze it', async () => {
    const home = await proven();
    await freezeVersion(home, { name: 'v1', changelog: '', filter: {} }, { toolVersion: '1' });
    const proofs = async (workspace: Workspace) => {
      const version = await readVersion(workspace, 'v1');
      const rows = [];
      for await (const one of version.recordings()) rows.push(rowOf(one).proof);
      return [rows, version.entries.map(frozenProof)];
    };
    expect(await proofs(home)).toEqual([['proven'], ['proven']]);
    const away = open();
    cpSync(join(home.dir, 'versions'), join(away.dir, 'versions'), { recursive: true });
    expect(await proofs(away)).toEqual([['said'], ['said']]);
    const file = join(away.dir, 'versions', 'v1', 'version.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), mark: 'a'.repeat(64) }));
    expect(await proofs(away)).toEqual([['said'], ['said']]);
  });
});
