import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyLabel } from '../../core/annotate/label.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

const folders = temporaryFolders();
let dir: string;
beforeAll(async () => {
  dir = join(folders.make(), 'studio');
  const workspace = openWorkspace(dir, { create: true });
  await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop the picture', screens: [40, 200, 90] });
  await addRecording(workspace, { id: 'bbbb', task: 'GIMP_2', goal: 'Crop the pictures', screens: [40] });
  workspace.close();

  test('what is missing is told by step, and data sets leave such recordings out (N11)', async () => {
    const { status, json } = await cli('annotate missing aaaa');
    expect(status).toBe(10);
    // Nothing was recorded of these screens: a box cannot be drawn, and is not missing.
    expect(json.missing.map(({ kind, step }: { kind: string; step: number }) => [kind, step])).toEqual([
      ['pixels', 1],
      ['pixels', 2],
      ['pixels', 3],
    ]);
    const [row] = (await cli('dataset rows --missing pixels --task GIMP_1')).json.rows;
    expect(row.missing).toEqual({ pixels: 3 });
    expect((await cli('dataset rows --missing none')).json.rows).toEqual([]);

    const { records } = (await cli('annotate get bbbb')).json;
    const action = (await cli('annotate missing bbbb')).json.missing[0].action;
    const label = { ...emptyLabel(action), element: 'Crop tool', elementSource: 'hand' };
    const changes = [{ op: 'add', record: label }];
    const file = join(folders.make(), 'change.json');
    writeFileSync(file, JSON.stringify({ id: randomUUID(), label: 'Name element', changes }));
    expect((await cli(`annotate apply bbbb --file ${file}`)).status).toBe(0);
    expect(await cli('annotate missing bbbb')).toMatchObject({ status: 0, json: { missing: [] } });
    expect((await cli('dataset rows --missing none')).json.rows).toMatchObject([{ recording: 'bbbb', missing: {} }]);
    expect((await cli('dataset freeze --name whole --missing none')).json.counts.recordings).toBe(1);
    expect((await cli('annotate undo bbbb')).json.transaction.label).toMatch(/Name element/);
    expect((await cli('annotate get bbbb')).json.records).toEqual(records);
    // The version keeps what it was frozen with.
    expect((await cli('dataset stats --version whole')).json.recordings).toBe(1);
  });
});
afterAll(folders.clean);

async function cli(line: string) {
  const { status, stdout: out, stderr: err } = await runHere([...line.split(' '), '-w', dir, '--json'], '9.9.9');
  return { status, json: out === '' ? null : JSON.parse(out), err };
}

describe('the data set on the command line', () => {
  test('is listed by filters, tagged and split', async () => {
    expect(
      (await cli('dataset rows --steps 2-')).json.rows.map(({ recording }: { recording: string }) => recording),
    ).toEqual(['aaaa']);
    expect((await cli('dataset tag --task GIMP_1 --add pilot,good')).json.recordings).toEqual(['aaaa']);
    expect((await cli('dataset rows --tag good --without-tag other')).json.rows).toHaveLength(1);
    expect((await cli('dataset split --into train --task GIMP_1')).status).toBe(0);
    const dealt = await cli('dataset split --shares test=1 --apart --dry-run');
    expect(dealt.json.assigned).toEqual([{ task: 'GIMP_2', from: null, split: 'test' }]);
    expect((await cli('dataset rows --split none')).json.rows).toHaveLength(1);
    expect((await cli('dataset split --shares test=1 --apart')).status).toBe(0);
  });

  test('near duplicates and leaks are found; a leak is status 10', async () => {
    expect((await cli('dataset duplicates --goals 0.7 --screens no')).json.goals).toHaveLength(1);
    await cli('dataset split --into train --task GIMP_1');
    await cli('dataset split --into test --task GIMP_2');
    const { status, json } = await cli('dataset leaks --goals 0.7');
    expect([status, json.leaks.map(({ kind }: { kind: string }) => kind)]).toEqual([10, ['goal', 'screen']]);
  });

  test('versions are frozen, listed, compared and exported alike twice', async () => {
    expect((await cli('dataset freeze --name v1 --changelog First')).json).toMatchObject({
      name: 'v1',
      counts: { tasks: 2 },
    });
    await cli('dataset tag --task GIMP_2 --add late');
    await cli('dataset freeze --name v2 --task GIMP_2');
    expect((await cli('dataset versions')).json.versions).toHaveLength(2);
    expect((await cli('dataset compare v1 v2')).json.tasks).toEqual({
      added: [],
      removed: ['GIMP_1'],
      changed: ['GIMP_2'],
    });
    expect((await cli('dataset stats --version v1')).json).toMatchObject({ tasks: 2, actions: 4 });
    const [first, second] = [join(folders.make(), 'a'), join(folders.make(), 'b')];
    for (const out of [first, second]) {
      expect((await cli(`export agentnet --version v1 --all --out ${out}`)).status).toBe(0);
    }
    const manifest = readFileSync(join(first, 'manifest.json'));
    expect(manifest.equals(readFileSync(join(second, 'manifest.json')))).toBe(true);
    expect(JSON.parse(manifest.toString()).filters).toMatchObject({ version: 'v1' });
  });

  test.each([
    ['dataset rows --steps x', 2, '--steps'],
    ['dataset rows --state done', 2, '--state'],
    ['dataset split', 2, '--into'],
    ['dataset split --shares a', 2, 'train=8'],
    ['dataset tag', 2, '--add'],
    ['dataset compare v1 nothing', 4, 'nothing'],
    ['dataset freeze --name ../x', 2, 'version'],
    ['export coco --version nothing --out /tmp/none', 4, 'nothing'],
  ])('%s is refused', async (line, status, said) => {
    const { status: got, err } = await cli(line);
    expect([got, err]).toEqual([status, expect.stringContaining(said)]);
  });

  test('--version alone still says the version of the program', async () => {
    expect((await runHere(['--version'], '9.9.9')).stdout.trim()).toBe('9.9.9');
  });

  test('is made by jobs that are known afterwards, and done again', async () => {
    const taken = join(folders.make(), 'taken.tar');
    writeFileSync(taken, 'mine');
    expect((await cli(`archive export --out ${taken}`)).json.error.code).toBe('TARGET_EXISTS');
    const [{ id, kind, state, again }] = (await cli('jobs')).json.jobs;
    expect([kind, state, again]).toEqual(['archive', 'failed', true]);
    expect((await cli(`jobs show ${id.slice(0, 8)}`)).json.job).toMatchObject({
      call: { name: 'archives.make', input: { out: taken } },
      failure: { code: 'TARGET_EXISTS' },
    });
    expect((await cli(`jobs again ${id.slice(0, 8)}`)).json.error.code).toBe('TARGET_EXISTS');
    const [next] = (await cli('jobs list')).json.jobs;
    rmSync(taken);
    expect((await cli(`jobs again ${next.id}`)).json.job).toMatchObject({ state: 'done', result: { out: taken } });
    expect(await cli(`jobs cancel ${next.id}`)).toMatchObject({ status: 2, json: { error: { code: 'USAGE' } } });
    expect((await cli('jobs again ffff')).json.error.message).toContain('`jobs list` has their ids');
  });
});
