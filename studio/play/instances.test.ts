import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { runHere } from '../cli/run-for-tests.ts';
import { taskFamilies } from '../datasets/families.ts';
import { assignSplits, writeSplits } from '../datasets/tags.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { compositionOf, keepComposition, listCompositions } from '../documents/joined/composition-files.ts';
import { attach, attachedFiles } from '../store/attachments.ts';
import { readSplits } from '../store/curation.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { addSoftware } from '../store/software.ts';
import { answerOf, ensureTask, fillAnswer, listTasks, taskById, taskIds } from '../store/tasks.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { makeInstances } from './instances.ts';
import { recipeOfTask } from './recipe.ts';

/** Instances of a template in a workspace, by the command line and by what they hold. */

const folders = temporaryFolders();
afterAll(folders.clean);
let dir: string;
beforeEach(async () => {
  dir = folders.make();
  openWorkspace(dir, { create: true }).close();
  await library(dir);
});

const cli = async (args: readonly string[], where = dir) => {
  const { status, stdout, stderr } = await runHere(['compositions', ...args, '-w', where]);
  return { status, text: stdout, error: stderr };
};
async function within<T>(where: string, work: (workspace: Workspace) => Promise<T>): Promise<T> {
  const workspace = openWorkspace(where, { create: false });
  try {
    return await work(workspace);
  } finally {
    workspace.close();
  }
}

const recipe = {
  schema: 'trajectory-studio/recipe',
  version: 1,
  files: [
    { attachment: 'photo.png', to: 'photo.png' },
    { text: 'Meeting at 11:30 in Lab 305\n', to: 'plan.txt' },
  ],
  programs: [{ command: 'true' }],
};
const checks = {
  schema: 'trajectory-studio/checks',
  version: 1,
  checks: [{ id: 'said', kind: 'text', path: 'note.txt', equals: '11:30' }],
};
const template = {
  schema: 'trajectory-studio/composition',
  version: 4,
  id: 'day',
  kind: 'scenario',
  title: 'A day',
  context: {
    given: [
      {
        name: 'room',
        value: 'Lab 305',
        varies: { kind: 'list', values: ['Lab 305', 'Lab 12', 'Hall B'], puts: ['tasks/NOTE_1/recipe/files/1/text'] },
      },
      {
        name: 'time',
        value: '11:30',
        varies: {
          kind: 'time',
          from: '09:00',
          to: '16:00',
          step: 60,
          puts: [
            'members/meeting/outputs/time/value',
            'tasks/NOTE_1/recipe/files/1/text',
            'tasks/NOTE_1/checks/checks/said/equals',
          ],
        },
      },
    ],
  },
  members: [
    {
      id: 'meeting',
      task: 'NOTE_1',
      recording: '2026-11-28',
      instructions: { base: 'When is the meeting in {{given.room}}?' },
      outputs: [{ name: 'time', value: '11:30' }],
    },
    { id: 'alarm', task: 'NOTE_2', instructions: { base: 'Write {{meeting.time}} down' } },
    { id: 'rest', task: 'NOTE_3', instructions: { base: 'Read the mail' } },
  ],
  edges: [{ kind: 'data', from: 'meeting', to: 'alarm', output: 'time' }],
};
const keep = (where: string, composition: object): void =>
  writeFileSync(join(where, 'compositions', `${(composition as { id: string }).id}.json`), JSON.stringify(composition));

async function library(where: string): Promise<void> {
  await within(where, async (workspace) => {
    const software = await addSoftware(workspace.store, { name: 'Notes', prefix: 'NOTE' });
    for (const goal of ['When is the meeting?', 'Write 11:30 down', 'Read the mail'])
      await ensureTask(workspace.store, { software, goal });
    await fillAnswer(workspace.store, 'NOTE_1', '11:30');
    const put = (role: 'recipe' | 'checks' | 'material', name: string, text: string): Promise<unknown> =>
      attach(workspace, { task: 'NOTE_1', role, name, body: Readable.from([Buffer.from(text)]) });
    await put('recipe', 'recipe.json', JSON.stringify(recipe));
    await put('checks', 'checks.json', JSON.stringify(checks));
    await put('material', 'photo.png', 'x');
    keepComposition(workspace, template as never);
  });
}

test('instances have tasks of their own with the values in recipe, checks, goal and answer; tasks without them are shared', async () => {
  expect(await cli(['check', 'day'])).toMatchObject({ status: 0, text: 'day: no law is broken\n' });
  const made = await cli(['instances', 'day', '--count', '3', '--seed', '7']);
  expect(made).toMatchObject({
    status: 0,
    text: expect.stringMatching(/^Made day-7-1: room=.*, time=.*; tasks NOTE_4, NOTE_5\n/),
  });
  await within(dir, async (workspace) => {
    for (const id of ['day-7-1', 'day-7-2', 'day-7-3']) {
      const one = compositionOf(workspace, id);
      const { room, time } = Object.fromEntries(one.context.given.map(({ name, value }) => [name, value]));
      const [meeting, alarm, rest] = one.members;
      expect(one.origin).toMatchObject({
        template: 'day',
        seed: 7,
        values: [
          { name: 'room', value: room },
          { name: 'time', value: time },
        ],
      });
      expect([meeting?.outputs[0]?.value, meeting?.recording, rest?.task]).toEqual([time, undefined, 'NOTE_3']);
      const task = meeting?.task ?? '';
      expect((await taskById(workspace.store, task)).goal).toBe(`When is the meeting in ${room}?`);
      expect((await taskById(workspace.store, alarm?.task ?? '')).goal).toBe(`Write ${time} down`);
      expect(await answerOf(workspace.store, task)).toBe(time);
      expect((await recipeOfTask(workspace, task))?.files[1]).toMatchObject({
        text: `Meeting at ${time} in ${room}\n`,
      });
      expect((await checksOfTask(workspace, task))?.checks).toMatchObject([{ id: 'said', equals: time }]);
      const photo = (await attachedFiles(workspace.store, task)).get('photo.png');
      expect(readFileSync(join(dir, photo ?? ''), 'utf8')).toBe('x');
    }
  });
  expect(await cli(['check'])).toMatchObject({ status: 0 });
  expect((await cli(['show', 'day-7-1'])).text).toMatch(/an instance of day, seed 7/);
  expect((await cli(['show', 'day'])).text).toMatch(/given\.time = 11:30 \(09:00 to 16:00, every 60\)/);
  expect((await cli(['instances', 'day'])).text).toMatch(/day-7-1 +room=/);
});

test('CP29: the same seed makes the same ones, here again and in another workspace; those of another seed have other values', async () => {
  const other = folders.make();
  openWorkspace(other, { create: true }).close();
  await library(other);
  const contents = (where: string): string[] =>
    listCompositions({ dir: where }).flatMap(({ composition }) =>
      composition?.origin ? [JSON.stringify([composition.id, composition.origin.values])] : [],
    );
  expect((await cli(['instances', 'day', '--count', '4', '--seed', '7'])).status).toBe(0);
  // In two goes, which come to the same.
  await cli(['instances', 'day', '--count', '2', '--seed', '7'], other);
  expect((await cli(['instances', 'day', '--count', '4', '--seed', '7'], other)).text).toMatch(
    /^day-7-1 is here already\.\nday-7-2 is here already\.\nMade day-7-3: /,
  );
  expect(contents(other)).toEqual(contents(dir));
  const before = await within(dir, (workspace) => listTasks(workspace.store));
  expect((await cli(['instances', 'day', '--count', '4', '--seed', '7'])).text).not.toMatch(/Made/);
  expect(await within(dir, (workspace) => listTasks(workspace.store))).toEqual(before);
  await cli(['instances', 'day', '--count', '15', '--seed', '8']);
  const values = contents(dir).map((one) =>
    JSON.parse(one)[1]
      .map((value: { value: string }) => value.value)
      .join(),
  );
  expect(values).toHaveLength(19);
  expect(new Set(values).size).toBe(19);
  // Three rooms at eight times are 24; the template's own time is not among them.
  const tooMany = await cli(['instances', 'day', '--count', '6', '--seed', '9']);
  expect(tooMany.status).not.toBe(0);
  expect(tooMany.error).toMatch(
    /does not give 6 instances by this seed, no two of the same values: it gives 5\..*24 ways, 19 instances.*Nothing was made/,
  );
  expect(contents(dir)).toHaveLength(19);
});

test('values that break a law are left out and said; a template that breaks one itself, and one that varies in nothing, are refused', async () => {
  const [room, time] = template.context.given;
  const window = { from: '10:00', to: '11:30' };
  const early = {
    ...template,
    members: [{ ...template.members[0], window }, ...template.members.slice(1)],
    context: {
      given: [
        room,
        { ...time, varies: { ...time!.varies, puts: [...time!.varies.puts, 'members/meeting/window/to'] } },
      ],
    },
  };
  keep(dir, early);
  expect(await cli(['check', 'day'])).toMatchObject({
    status: 1,
    text: expect.stringMatching(/CP28 meeting: With time 09:00 an instance breaks CP9/),
  });
  const made = await cli(['instances', 'day', '--count', '21', '--seed', '1']);
  expect(made.status).toBe(0);
  expect(made.error.match(/left out .*time=09:00: CP9 meeting/g)).toHaveLength(3);
  expect((await cli(['instances', 'day', '--count', '22', '--seed', '1'])).error).toMatch(
    /3 sets of values would break a law: with .*CP9/,
  );
  keep(dir, { ...template, edges: [] });
  expect((await cli(['instances', 'day', '--count', '1'])).error).toMatch(/breaks laws.*CP4 alarm/);
  expect((await cli(['instances', 'day-1-1', '--count', '1'])).error).toMatch(
    /Nothing of .* varies. It is an instance of “day”/,
  );
  keep(dir, { ...template, context: { given: [{ name: 'room', value: 'Lab 305' }] } });
  expect((await cli(['instances', 'day', '--count', '1'])).error).toMatch(
    /Nothing of the composition “day” varies. Say how/,
  );
  expect((await cli(['instances', 'none', '--count', '1'])).error).toMatch(/There is no composition “none”/);
  expect((await cli(['instances', 'day', '--count', '0'])).error).toMatch(/--count/);
});

test('CP26: what a task does not hold is told by `check`; `places` finds where a value stands', async () => {
  const [room, time] = template.context.given;
  const puts = ['tasks/NOTE_1/checks/checks/other/equals', 'tasks/NOTE_1/recipe/files/1/to'];
  keep(dir, { ...template, context: { given: [{ ...room, varies: { ...room!.varies, puts } }, time] } });
  expect((await cli(['check', 'day'])).text).toMatch(
    /CP26: The value “room” stands at “tasks\/NOTE_1\/checks\/checks\/other\/equals”, which is no place[\s\S]*CP26: .*Lab 305 is not there/,
  );
  expect((await cli(['places', 'day', 'time'])).text).toBe(
    'members/meeting/outputs/time/value\ntasks/NOTE_1/answer\ntasks/NOTE_1/recipe/files/1/text\ntasks/NOTE_1/checks/checks/said/equals\ntasks/NOTE_2/goal\n',
  );
  expect((await cli(['places', 'day', 'nobody'])).error).toMatch(/“nobody” is not given in “day”. Given: room, time/);
});

test('an export keeps what varies and where an instance comes from; places follow tasks that are called otherwise', async () => {
  await cli(['instances', 'day', '--count', '1', '--seed', '3']);
  const there = folders.make();
  openWorkspace(there, { create: true }).close();
  await within(there, async ({ store }) => {
    const software = await addSoftware(store, { name: 'Notes', prefix: 'NOTE' });
    await ensureTask(store, { software, goal: 'Something else' });
  });
  for (const id of ['day', 'day-3-1']) {
    const file = join(folders.make(), `${id}.json`);
    expect((await cli(['export', id, '--out', file])).status).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(4);
    expect((await cli(['import', file], there)).status).toBe(0);
  }
  const [day, instance] = ['day', 'day-3-1'].map((id) => compositionOf({ dir: there }, id));
  const task = day?.members[0]?.task;
  expect(task).not.toBe('NOTE_1');
  expect(day?.context.given[0]?.varies?.puts).toEqual([`tasks/${task}/recipe/files/1/text`]);
  expect(instance?.origin).toEqual(compositionOf({ dir }, 'day-3-1').origin);
  expect((await cli(['check', 'day'], there)).text).toBe('day: no law is broken\n');
  // Drawn there, the same seed gives what is here already.
  expect((await cli(['instances', 'day', '--count', '1', '--seed', '3'], there)).text).toBe(
    'day-3-1 is here already.\n',
  );
});

test('of two who ask at once for the same seed one makes them, and no task is left over', async () => {
  await within(dir, async (workspace) => {
    const before = (await taskIds(workspace.store)).size;
    const both = await Promise.all([1, 2].map(() => makeInstances(workspace, 'day', { count: 3, seed: 11 })));
    const ids = ['day-11-1', 'day-11-2', 'day-11-3'];
    expect(both.map(({ made, there }) => [...made.map((one) => one.id), ...there].toSorted())).toEqual([ids, ids]);
    expect(both.map(({ made }) => made.length).toSorted()).toEqual([0, 3]);
    const own = both.flatMap(({ made }) => made.flatMap((one) => one.tasks));
    expect((await taskIds(workspace.store)).size - before).toBe(own.length);
  });
});

test('stopped in the middle, each instance that is there is whole, and the same call makes the others', async () => {
  await within(dir, async (workspace) => {
    const control = new AbortController();
    const { signal } = control;
    const asked = signal.throwIfAborted.bind(signal);
    vi.spyOn(signal, 'throwIfAborted').mockImplementation(() => {
      if (listCompositions(workspace).length === 3) control.abort(new Error('stopped'));
      asked();
    });
    const wished = { count: 5, seed: 12 };
    await expect(makeInstances(workspace, 'day', { ...wished, signal })).rejects.toThrow('stopped');
    const before = await taskIds(workspace.store);
    const there = listCompositions(workspace).flatMap(({ id, composition }) => (id === 'day' ? [] : [composition]));
    expect(there.map((one) => one?.id).toSorted()).toEqual(['day-12-1', 'day-12-2']);
    for (const one of there) for (const { task } of one?.members ?? []) expect(before.has(task ?? '')).toBe(true);
    const { made, there: kept } = await makeInstances(workspace, 'day', wished);
    expect([made.length, kept]).toEqual([3, ['day-12-1', 'day-12-2']]);
    expect((await taskIds(workspace.store)).size - before.size).toBe(made.flatMap((one) => one.tasks).length);
  });
});

test('a file of an older version opens, one of a newer program is refused', async () => {
  keep(dir, { ...template, version: 1, context: { given: [{ name: 'room', value: 'Lab 305' }] } });
  expect(compositionOf({ dir }, 'day').version).toBe(1);
  keep(dir, { ...template, version: 7 });
  expect(() => compositionOf({ dir }, 'day')).toThrow(/newer/);
});

test('tasks of a template and its instances are put into one split together, by hand too', async () => {
  await cli(['instances', 'day', '--count', '2', '--seed', '3']);
  await within(dir, async (workspace) => {
    const { store } = workspace;
    const all = (await listTasks(store)).map(({ id }) => id);
    expect(await taskFamilies(workspace)).toEqual([all]);
    await assignSplits(workspace, [{ task: 'NOTE_5', split: 'test' }], 'hand');
    expect(await readSplits(store)).toEqual(new Map(all.map((task) => [task, 'test'])));
    const torn = [
      { task: 'NOTE_1', split: 'train' },
      { task: 'NOTE_4', split: 'test' },
    ];
    await expect(assignSplits(workspace, torn, 'hand')).rejects.toThrow(/NOTE_1, NOTE_4 are tasks of one template/);
    expect(new Set((await readSplits(store)).values())).toEqual(new Set(['test']));
    await assignSplits(workspace, [{ task: 'NOTE_5', split: null }], 'hand');
    expect((await readSplits(store)).has('NOTE_5')).toBe(false);
  });
});

test('a template whose instances lie in two splits is named by `leaks`, of a frozen version too, with what to do', async () => {
  await cli(['instances', 'day', '--count', '1', '--seed', '3']);
  const leaks = async (...more: string[]) => runHere(['dataset', 'leaks', '--screens', 'no', '-w', dir, ...more]);
  const freeze = async (name: string) => runHere(['dataset', 'freeze', '--name', name, '-w', dir]);
  await within(dir, async (workspace) => {
    const app = { id: 'notes', name: 'Notes', prefix: 'NOTE' } as never;
    for (const id of ['NOTE_1', 'NOTE_4'])
      await addRecording(workspace, { id: id.toLowerCase().replace('_', '-'), task: id, goal: '', app });
    await workspace.syncIndex();
    // An archive brings such, and a workspace from before its templates has them.
    const torn = [
      { task: 'NOTE_1', split: 'train' },
      { task: 'NOTE_4', split: 'test' },
    ];
    await workspace.store.transaction((trx) => writeSplits(trx, torn, 'hand'));
  });
  const said =
    /template day and its instances stand in test, train: test has NOTE_4 of day-3-1; train has NOTE_1 of day. `dataset split --into test --task NOTE_1` takes the others along; .*freeze it anew/;
  expect(await leaks()).toMatchObject({ status: 10, stdout: expect.stringMatching(said) });
  expect((await freeze('v1')).stderr).toMatch(said);
  await runHere(['dataset', 'split', '--into', 'test', '--task', 'NOTE_1', '-w', dir]);
  expect(await leaks()).toMatchObject({ status: 0, stdout: expect.stringMatching(/Nothing leaks/) });
  // A version that was frozen before has the splits of then.
  expect(await leaks('--version', 'v1')).toMatchObject({ status: 10, stdout: expect.stringMatching(said) });
  expect((await freeze('v2')).stderr).not.toMatch(/instances/);
  expect((await leaks('--version', 'v2')).status).toBe(0);
  expect((await leaks('--version', 'v1', '--task', 'NOTE_1')).stderr).toMatch(/looked at as a whole: leave the filter/);
  expect((await leaks('--version', 'v9')).stderr).toMatch(/v1, v2/);
});
