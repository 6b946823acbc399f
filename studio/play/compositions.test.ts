import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { SCENARIO_A, TABLE_3 } from '../../core/compositions/papers-for-tests.ts';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import { runHere } from '../cli/run-for-tests.ts';
import { attach } from '../store/attachments.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { addSoftware } from '../store/software.ts';
import { ensureTask, fillAnswer } from '../store/tasks.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';

/** Compositions in a workspace, by the command line. */

const folders = temporaryFolders();
afterAll(folders.clean);
let dir: string;
beforeEach(() => {
  dir = folders.make();
  openWorkspace(dir, { create: true }).close();
});

const cli = async (args: readonly string[], where = dir) => {
  const { status, stdout, stderr } = await runHere(['compositions', ...args, '-w', where]);
  return { status, text: stdout, error: stderr };
};
const fileWith = (composition: object, name = 'in.json'): string => {
  const file = join(folders.make(), name);
  writeFileSync(file, JSON.stringify(composition));
  return file;
};
async function within<T>(where: string, work: (workspace: Workspace) => Promise<T>): Promise<T> {
  const workspace = openWorkspace(where, { create: false });
  try {
    return await work(workspace);
  } finally {
    workspace.close();
  }
}
const checks = {
  schema: 'trajectory-studio/checks',
  version: 1,
  checks: [{ id: 'note', kind: 'file', path: 'note.txt' }],
};
const recipe = {
  schema: 'trajectory-studio/recipe',
  version: 1,
  files: [{ attachment: 'photo.png', to: 'photo.png' }],
  programs: [{ command: 'true' }],
};

/** A workspace with two tasks, the first with a recipe, checks and a file. */
async function library(): Promise<void> {
  await within(dir, async (workspace) => {
    const software = await addSoftware(workspace.store, { name: 'Notes', prefix: 'NOTE' });
    for (const goal of ['When is the meeting?', 'Write the time down'])
      await ensureTask(workspace.store, { software, goal });
    await fillAnswer(workspace.store, 'NOTE_1', '9:00');
    const keep = (role: 'recipe' | 'checks' | 'material', name: string, text: string): Promise<unknown> =>
      attach(workspace, { task: 'NOTE_1', role, name, body: Readable.from([Buffer.from(text)]) });
    await keep('recipe', 'recipe.json', JSON.stringify(recipe));
    await keep('checks', 'checks.json', JSON.stringify(checks));
    await keep('material', 'photo.png', 'x');
  });
}

test('a composition of two tasks is made, joined by hand, checked (CP14), and goes to another workspace as one file', async () => {
  await library();
  expect(await cli(['new', 'day', '--tasks', 'NOTE_1,NOTE_2'])).toMatchObject({
    status: 0,
    text: expect.stringMatching(/Made .*day\.json/),
  });
  expect((await cli(['new', 'day', '--tasks', 'NOTE_1'])).error).toMatch(/“day” is here already/);
  expect(await cli(['check'])).toMatchObject({
    status: 0,
    text: expect.stringMatching(/day: no law is broken, 1 note\n {2}CP5 note note_1: Nobody uses its output “answer”/),
  });
  const file = join(dir, 'compositions', 'day.json');
  const day = compositionSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const [first, second] = day.members;
  const joined: Composition = {
    ...day,
    members: [
      { ...first!, outputs: [...first!.outputs, { ...first!.outputs[0]!, name: 'file', from: { check: 'none' } }] },
      { ...second!, instructions: { base: 'Write {{note_1.answer}} and {{note_1.file}} down' } },
    ],
  };
  writeFileSync(file, JSON.stringify(joined));
  expect(await cli(['check', 'day'])).toMatchObject({
    status: 1,
    text: expect.stringMatching(
      /CP4 note_2: \{\{note_1\.answer\}\} may not be known yet[\s\S]*CP14 note_1: .*“none”, which NOTE_1 does not have/,
    ),
  });
  const edges = [{ kind: 'data' as const, from: 'note_1', to: 'note_2', output: 'answer' }];
  const good = {
    ...joined,
    edges,
    members: [
      {
        ...joined.members[0]!,
        outputs: joined.members[0]!.outputs.map((one) =>
          one.name === 'file' ? { ...one, from: { check: 'note' } } : one,
        ),
      },
      joined.members[1]!,
    ],
  };
  writeFileSync(file, JSON.stringify(good));
  expect((await cli(['check', 'day'])).text).toBe('day: no law is broken\n');
  expect((await cli(['show', 'day'])).text).toMatch(/note_2 \(NOTE_2\)\n.*\n {2}after note_1\.answer \(data\)/);

  const out = join(folders.make(), 'day.json');
  const given = await cli(['export', 'day', '--out', out]);
  expect(given.error).toMatch(/not in it: files of NOTE_1: photo\.png/);
  const there = folders.make();
  openWorkspace(there, { create: true }).close();
  // Another task has the id of the first one there.
  await within(there, async (workspace) => {
    const software = await addSoftware(workspace.store, { name: 'Notes', prefix: 'NOTE' });
    await ensureTask(workspace.store, { software, goal: 'Something else' });
  });
  const taken = await cli(['import', out], there);
  expect(taken).toMatchObject({ status: 0, text: expect.stringMatching(/Took day \(2 members\): no law is broken/) });
  expect(taken.text).toMatch(/NOTE_1 stands for another task here \("Something else"\).*NOTE_2, which is new/);
  expect(taken.text).toMatch(/NOTE_2 needs the file “photo\.png”/);
  const tasks = compositionSchema.parse(JSON.parse(readFileSync(join(there, 'compositions', 'day.json'), 'utf8')));
  expect(tasks.members.map(({ task }) => task)).toEqual(['NOTE_2', 'NOTE_3']);
  expect(tasks.tasks).toBeUndefined();
  // What others made is asked about before it runs.
  const { status, stdout } = await runHere(['tasks', 'trust', 'NOTE_2', '-w', there, '--json']);
  expect([status, JSON.parse(stdout).asked.map(({ kind }: { kind: string }) => kind)]).toEqual([
    1,
    ['recipe', 'checks'],
  ]);
  // Again: refused by its name, then the same tasks.
  expect((await cli(['import', out], there)).error).toMatch(/is here already\. Give --replace/);
  expect((await cli(['import', out, '--replace'], there)).text).toMatch(/NOTE_2, which has the same goal/);
  const back = await cli(['export', 'day'], there);
  const wanted = compositionSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
  const came = compositionSchema.parse(JSON.parse(back.text));
  const withoutIds = ({ members, tasks: all = [], ...rest }: Composition) => ({
    ...rest,
    members: members.map(({ task: _task, ...member }) => member),
    tasks: all.map(({ id: _id, files: _files, ...task }) => task),
  });
  expect(withoutIds(came)).toEqual(withoutIds(wanted));
});

test('its verification goes with it, as it is known by its version; a file of a newer version is refused kindly', async () => {
  await library();
  await cli(['new', 'day', '--tasks', 'NOTE_1,NOTE_2']);
  const verify = async (where: string, ...args: string[]) =>
    (await runHere(['compositions', 'verify', ...args, '-w', where])).stderr;
  await runHere(['people', 'add', 'Ada', '-w', dir]);
  expect(await verify(dir, 'claim', 'day', '--stage', 'design', '--person', 'Ada')).toBe('');
  const out = join(folders.make(), 'day.json');
  const given = await cli(['export', 'day', '--out', out]);
  expect(given.error).toMatch(/in it: how it was verified, with the names of 1 person/);
  const file = compositionSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
  expect(file).toMatchObject({ version: 3, verification: { version: 1, events: [{ n: 1, act: { type: 'claim' } }] } });
  const there = folders.make();
  openWorkspace(there, { create: true }).close();
  expect(await cli(['import', out], there)).toMatchObject({ status: 0 });
  const log = (where: string) => readFileSync(join(where, 'composition-verification', 'day.jsonl'), 'utf8');
  expect(log(there)).toBe(log(dir));
  // The composition itself is as it was, of the version that it had, and so is what it goes out as.
  expect(readFileSync(join(there, 'compositions', 'day.json'), 'utf8')).toBe(
    readFileSync(join(dir, 'compositions', 'day.json'), 'utf8'),
  );
  expect(JSON.parse((await cli(['export', 'day'], there)).text).verification).toEqual(file.verification);
  // Once more, after somebody went on there.
  expect(await verify(there, 'release', 'day', '--person', 'Ada')).toBe('');
  const after = log(there);
  expect((await cli(['import', out, '--replace'], there)).status).toBe(0);
  expect(log(there)).toBe(after);
  const newer = await cli(['import', fileWith({ ...file, version: 99 })], there);
  expect(newer.error).toMatch(/was written for a newer version of this program. Update it/);
  const odd = await cli(['import', fileWith({ ...file, verification: { version: 1, events: [{ n: 1 }] } })], there);
  expect(odd.error).toMatch(/does not fit: verification\.events\.0/);
});

test('the papers’ own are taken, checked and printed', async () => {
  for (const one of [TABLE_3, SCENARIO_A]) expect((await cli(['import', fileWith(one)])).status).toBe(0);
  expect((await cli(['list'])).text).toMatch(
    /alex-monday +scenario +11 +0 +10 .*\ndicaprio-2023 +pathway +1 +2 +2 +0 /,
  );
  const { status, text } = await cli(['check', 'alex-monday']);
  expect([status, text.match(/CP10/g)?.length]).toEqual([1, 10]);
  expect(text).toContain('CP10 alarm base: base says 20 minutes, where L0 says 10 minutes.');
  expect((await cli(['show', 'dicaprio-2023', '--table', '3'])).text).toMatch(/Number of atomic tasks +2/);
  expect((await cli(['show', 'dicaprio-2023', '--table', '4'])).text).toMatch(/Operating system +Android +Windows/);
  expect((await cli(['list', '--table'])).text).toMatch(/Overall +1 +2\.0 +2~2 +2\.0 +2~2/);
  expect((await cli(['show', 'alex-monday', '--table', 'B.1'])).text.split('\n')).toHaveLength(14);
  expect((await cli(['show', 'alex-monday', '--table', 'B.2'])).text.split('\n')).toHaveLength(47);
});

test('what is none, is of a newer version, or is called otherwise is refused, and leaves nothing', async () => {
  const refused = async (made: object | string, wanted: RegExp): Promise<void> => {
    const file = fileWith({});
    writeFileSync(file, typeof made === 'string' ? made : JSON.stringify(made));
    const { status, error } = await cli(['import', file]);
    expect([status === 0, error]).toEqual([false, expect.stringMatching(wanted)]);
  };
  await refused('{', /composition .* cannot be read/);
  await refused({ ...TABLE_3, version: 99 }, /FUTURE_VERSION.*newer version of this program/);
  await refused({ ...TABLE_3, id: '../x' }, /id: must be small letters/);
  await refused({ ...TABLE_3, members: [TABLE_3.members[0], TABLE_3.members[0]] }, /two members have the same id/);
  await refused({ ...TABLE_3, wrong: 1 }, /does not fit/);
  expect(readdirSync(dir)).not.toContain('compositions');
  await cli(['import', fileWith(TABLE_3)]);
  writeFileSync(join(dir, 'compositions', 'other.json'), JSON.stringify(TABLE_3));
  expect((await cli(['list'])).error).toMatch(/other: .*says that it is “dicaprio-2023”/);
  expect((await cli(['show', 'none'])).error).toMatch(/no composition “none”.*compositions list/);
  expect((await cli(['show', '../x'])).error).toMatch(/no composition “\.\.\/x”/);
  expect((await cli(['new', 'x', '--tasks', 'NO_1'])).error).toMatch(/no task "NO_1"/);
});
