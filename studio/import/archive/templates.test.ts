import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { type Composition, compositionSchema } from '../../../schemas/composition.ts';
import { compositionRunSchema } from '../../../schemas/composition-run.ts';
import { runHere } from '../../cli/run-for-tests.ts';
import { writeSplits } from '../../datasets/tags.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { compositionOf, keepComposition, listCompositions } from '../../documents/joined/composition-files.ts';
import { keepRun, listCompositionRuns } from '../../documents/joined/run-files.ts';
import { attach } from '../../store/attachments.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { addSoftware } from '../../store/software.ts';
import { ensureTask, listTasks } from '../../store/tasks.ts';
import { type Both, take, workspacesIn, write } from './bench-for-tests.ts';

/** Templates with their instances, and compositions on several stages, in archives of workspaces. */

const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});

const RECIPE = {
  schema: 'trajectory-studio/recipe',
  version: 1,
  files: [{ text: 'Meeting in Lab 305\n', to: 'plan.txt' }],
  programs: [{ command: 'true' }],
};
const puts = ['members/meeting/outputs/room/value', 'tasks/NOTE_1/recipe/files/0/text'];
const TEMPLATE: Composition = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 4,
  id: 'day',
  kind: 'scenario',
  title: 'A day',
  stages: [{ name: 'desktop' }, { name: 'office', platform: 'Linux' }],
  context: {
    given: [
      { name: 'room', value: 'Lab 305', varies: { kind: 'list', values: ['Lab 305', 'Lab 12', 'Hall B'], puts } },
    ],
  },
  members: [
    {
      id: 'meeting',
      task: 'NOTE_1',
      instructions: { base: 'Where is the meeting?' },
      outputs: [{ name: 'room', value: 'Lab 305' }],
    },
    { id: 'go', task: 'NOTE_2', stage: 'office', instructions: { base: 'Go to {{meeting.room}}' } },
  ],
  edges: [{ kind: 'data', from: 'meeting', to: 'go', output: 'room' }],
  events: [
    { id: 'call', at: { after: 'meeting' }, stage: 'office', happens: [{ kind: 'notification', title: 'Ana' }] },
  ],
});
const APP = { id: 'notes', name: 'Notes', prefix: 'NOTE' } as never;

async function withTasks(goals: readonly string[]): Promise<Both> {
  const both = workspaces.open();
  const software = await addSoftware(both.workspace.store, { name: 'Notes', prefix: 'NOTE' });
  for (const goal of goals) await ensureTask(both.workspace.store, { software, goal });
  return both;
}
const cli = async ({ workspace }: Both, ...args: string[]) =>
  runHere(['compositions', ...args, '--workspace', workspace.dir]);

/** A template on two stages with two instances, a run of one of them, and a recording of a task of each. */
async function lab(): Promise<Both> {
  const both = await withTasks(['Where is the meeting?', 'Go there']);
  const { workspace } = both;
  const body = Readable.from([Buffer.from(JSON.stringify(RECIPE))]);
  await attach(workspace, { task: 'NOTE_1', role: 'recipe', name: 'recipe.json', body });
  keepComposition(workspace, TEMPLATE);
  expect((await cli(both, 'instances', 'day', '--count', '2', '--seed', '5')).status).toBe(0);
  for (const { id, goal } of await listTasks(workspace.store))
    await addRecording(workspace, { id: `of-${id.toLowerCase().replace('_', '-')}`, task: id, goal, app: APP });
  await workspace.syncIndex();
  const composition = compositionOf(workspace, 'day-5-1');
  const result = { level: 'base', instruction: 'Do', score: 1, steps: 1, questions: 0, tookMs: 1, cost: null };
  const meeting = { member: 'meeting', outcome: 'passed', why: '', answer: null, recording: 'of-note-3' };
  const values = [{ name: 'room', value: composition.origin?.values[0]?.value ?? '', right: true }];
  const copies = { copy: 'c1', copies: { desktop: 'c1' }, stage: 'desktop' };
  const run = compositionRunSchema.parse({
    schema: 'trajectory-studio/composition-run',
    version: 3,
    id: 'abcdef012345',
    at: '2026-11-28T10:00:00.000Z',
    composition,
    actor: { kind: 'player' },
    level: 'base',
    context: 'none',
    order: ['meeting', 'go'],
    kept: [],
    resumes: null,
    results: [{ ...result, ...meeting, values, ...copies }],
    begun: 'go',
    half: { member: 'go', recording: 'of-note-4' },
    ended: { how: 'broke', why: 'gone' },
  });
  keepRun(workspace, run);
  keepRun(workspace, { ...run, id: 'bbbbbbbbbbbb', composition: compositionOf(workspace, 'day') });
  return both;
}
const archiveOf = async (both: Both, more = {}): Promise<string> => {
  const out = join(folders.make(), 'a.tar');
  await write(both, out, more);
  return out;
};
const all = ({ workspace }: Both) => listCompositions(workspace).map(({ composition }) => composition);
const LAWS = ['day', 'day-5-1', 'day-5-2'].map((id) => `${id}: no law is broken\n`).join('');
const said = ({ warnings }: { warnings: readonly string[] }) => warnings.filter((one) => !one.includes('screen.mkv'));

test('templates, instances, stages and runs come whole; drawn again there they are the same; a second archive has the same bytes', async () => {
  const there = await lab();
  const out = await archiveOf(there);
  const here = workspaces.open();
  expect(said(await take(here, out))).toEqual([]);
  expect(all(here)).toEqual(all(there));
  expect(all(here).map((one) => one?.origin?.template ?? null)).toEqual([null, 'day', 'day']);
  const [second, first] = listCompositionRuns(here.workspace)
    .runs.sort((a, b) => (a.id < b.id ? 1 : -1))
    .toReversed();
  expect([first?.half, first?.results[0]?.copies, first?.results[0]?.stage]).toEqual([
    { member: 'go', recording: 'of-note-4' },
    undefined,
    'desktop',
  ]);
  expect(second?.composition.stages).toEqual(TEMPLATE.stages);
  expect((await cli(here, 'check')).stdout).toBe(LAWS);
  expect((await cli(here, 'instances', 'day', '--count', '2', '--seed', '5')).stdout).toBe(
    'day-5-1 is here already.\nday-5-2 is here already.\n',
  );
  const third = workspaces.open();
  await take(third, out);
  expect(readFileSync(await archiveOf(third))).toEqual(readFileSync(out));
  expect(said(await take(here, out))).toEqual([]);
});

test('where ids stand for other tasks, members and places follow, in the runs too; no law is broken, and more can be made', async () => {
  const there = await lab();
  const here = await withTasks(['Draw a tree', 'Draw a hill', 'Draw a sun']);
  const out = await archiveOf(there);
  await take(here, out);
  const [day, one] = ['day', 'day-5-1'].map((id) => compositionOf(here.workspace, id));
  const task = day?.members[0]?.task ?? '';
  expect(['NOTE_1', 'NOTE_2', 'NOTE_3']).not.toContain(task);
  expect(day?.context.given[0]?.varies?.puts).toEqual([puts[0], `tasks/${task}/recipe/files/0/text`]);
  expect(one?.origin).toEqual(compositionOf(there.workspace, 'day-5-1').origin);
  const goals = async (both: Both, of: Composition | undefined) => {
    const known = new Map((await listTasks(both.workspace.store)).map(({ id, goal }) => [id, goal]));
    return of?.members.map((member) => known.get(member.task ?? ''));
  };
  for (const id of ['day', 'day-5-1', 'day-5-2'])
    expect(await goals(here, compositionOf(here.workspace, id))).toEqual(
      await goals(there, compositionOf(there.workspace, id)),
    );
  const runs = listCompositionRuns(here.workspace).runs;
  expect(runs.map(({ composition }) => composition).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([day, one]);
  expect((await cli(here, 'check')).stdout).toBe(LAWS);
  const before = all(here);
  const again = said(await take(here, out));
  expect(again.filter((one) => !one.includes('stands for another task here'))).toEqual([]);
  expect(all(here)).toEqual(before);
  const more = await cli(here, 'instances', 'day', '--count', '2', '--seed', '5');
  expect(more.stdout).toBe('day-5-1 is here already.\nday-5-2 is here already.\n');
});

test('as single files they are as many tasks too, though their goals are the same', async () => {
  const there = await lab();
  const here = await withTasks(['Draw a tree', 'Draw a hill', 'Draw a sun']);
  const ids = ['day', 'day-5-1', 'day-5-2'];
  for (const again of [false, true])
    for (const id of ids) {
      const file = join(folders.make(), `${id}.json`);
      expect((await cli(there, 'export', id, '--out', file)).status).toBe(0);
      const { stderr } = await cli(here, 'import', file, ...(again ? ['--replace'] : []));
      expect(stderr).not.toMatch(/keeps its own recipe/);
      const tasks = (await listTasks(here.workspace.store)).map((one) => one.id);
      if (again) expect(tasks).toHaveLength(9);
    }
  expect((await cli(here, 'check')).stdout).toBe(LAWS);
  const meetings = ids.map((id) => compositionOf(here.workspace, id).members[0]?.task);
  expect(new Set(meetings).size).toBe(3);
});

test('instances of a template that is another one here are said to be those of the other; splits that tear a family too', async () => {
  const there = await lab();
  const out = await archiveOf(there);
  const here = workspaces.open();
  const other = { ...TEMPLATE, title: 'Another day', members: TEMPLATE.members.map((one) => ({ ...one, task: null })) };
  keepComposition(here.workspace, compositionSchema.parse({ ...other, context: {}, edges: [] }));
  expect(said(await take(here, out))).toEqual([
    'the composition “day” stays as it is here; the archive has another one',
    expect.stringMatching(/“day-5-1”, “day-5-2” are instances of the archive’s “day”, which is not the one here/),
  ]);
  await there.workspace.store.transaction((trx) =>
    writeSplits(
      trx,
      [
        { task: 'NOTE_1', split: 'train' },
        { task: 'NOTE_3', split: 'test' },
      ],
      'hand',
    ),
  );
  const torn = workspaces.open();
  expect(said(await take(torn, await archiveOf(there)))).toEqual([
    expect.stringMatching(/template day and its instances stand in test, train: test has NOTE_3 of day-5-1.*--task/),
  ]);
});

test('an archive of some recordings has the instances of its tasks without their template, and half recordings that go along', async () => {
  const there = await lab();
  const here = workspaces.open();
  await take(here, await archiveOf(there, { recordings: ['of-note-3', 'of-note-4'] }));
  expect(all(here).map((one) => one?.id)).toEqual(['day-5-1']);
  expect(listCompositionRuns(here.workspace).runs.map(({ id, half }) => [id, half?.recording])).toEqual([
    ['abcdef012345', 'of-note-4'],
  ]);
  expect((await cli(here, 'show', 'day-5-1')).stdout).toMatch(/an instance of day, seed 5/);
  expect((await cli(here, 'instances', 'day')).stdout).toMatch(/day-5-1 +room=/);
});
