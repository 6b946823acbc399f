import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { compositionSchema } from '../../../schemas/composition.ts';
import { compositionRunSchema } from '../../../schemas/composition-run.ts';
import { recipeSchema } from '../../../schemas/play.ts';
import { runHere } from '../../cli/run-for-tests.ts';
import { keepComposition } from '../../documents/joined/composition-files.ts';
import { findRun, keepRun, listCompositionRuns } from '../../documents/joined/run-files.ts';
import { attach } from '../../store/attachments.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { addSoftware } from '../../store/software.ts';
import { ensureTask } from '../../store/tasks.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { commonRecipe, type MemberStage } from './stage.ts';

/** What a run of a composition refuses before a stage is set, its file, and the one recipe of all tasks. */

const folders = temporaryFolders();
afterAll(folders.clean);
let dir: string;
let workspace: Workspace;
beforeEach(() => {
  dir = folders.make();
  workspace = openWorkspace(dir, { create: true });
  return () => workspace.close();
});

const recipe = (more: object = {}) =>
  recipeSchema.parse({ schema: 'trajectory-studio/recipe', version: 1, programs: [{ command: 'true' }], ...more });
const composition = (more: object = {}) =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 1,
    id: 'day',
    kind: 'scenario',
    title: 'Day',
    members: [{ id: 'note', task: 'NOTE_1', instructions: { base: 'Write' } }],
    ...more,
  });
const said = async (...args: string[]): Promise<string> =>
  (await runHere(['run', '--composition', 'day', ...args, '-w', dir])).stderr;
const give = (role: 'recipe' | 'checks', json: object): Promise<unknown> =>
  attach(workspace, {
    task: 'NOTE_1',
    role,
    name: `${role}.json`,
    body: Readable.from([Buffer.from(JSON.stringify(json))]),
  });

test('what cannot be run is said with what to do, before a stage is set, and no run is kept', async () => {
  expect(await said()).toMatch(/no composition “day”/);
  const software = await addSoftware(workspace.store, { name: 'Notes', prefix: 'NOTE' });
  await ensureTask(workspace.store, { software, goal: 'Write' });
  const draft = composition();
  keepComposition(workspace, { ...draft, members: draft.members.map((member) => ({ ...member, task: null })) });
  expect(await said()).toMatch(/“note” is no task of the library yet/);
  keepComposition(workspace, draft, { replace: true });
  expect(await said()).toMatch(/NOTE_1 has no recipe\. Attach one: `tasks attach NOTE_1 recipe\.json/);
  await give('recipe', recipe());
  expect(await said()).toMatch(/nobody could say whether it was done: the task NOTE_1 has no checks/);
  await give('checks', {
    schema: 'trajectory-studio/checks',
    version: 1,
    checks: [{ id: 'there', kind: 'file', path: 'note.txt' }],
  });
  expect(await said()).toMatch(/did not write the recipe of NOTE_1 and the checks of NOTE_1/);
  expect(await said('--from', '2')).toMatch(/“day” was not run yet/);
  expect(await said('--resume', 'abc')).toMatch(/No run of a composition is called “abc”/);
  expect(await said('--task', 'NOTE_1')).toMatch(/are of one task, not of a composition/);
  expect(await said('--ask', '3')).toMatch(/the player asks nothing/);
  expect(await said('--agent', 'human')).toMatch(/--person is missing: their name is who did it in the tables/);
  expect(await said('--agent', 'human', '--person', 'Ada', '--ask', '3')).toMatch(/nobody answers a person/);
  expect(await said('--agent', 'direct')).toMatch(/did not write|--endpoint is missing/);
  const asking = ['--agent', 'direct', '--ask', '2'];
  expect(await said(...asking, '--user', 'model')).toMatch(/--user model needs --user-endpoint and --user-model/);
  expect(await said(...asking, '--user-model', 'x')).toMatch(/--user-endpoint and --user-model are of --user model/);
  expect(await said('--agent', 'direct', '--user', 'model')).toMatch(/--user is of --ask: say how many questions/);
  const stages = [{ name: 'desktop' }, { name: 'phone', platform: 'Android' }];
  const staged = (stage?: string) => composition({ stages, members: [{ ...draft.members[0], stage }] });
  keepComposition(workspace, staged('phone'), { replace: true });
  expect(await said()).toMatch(
    /stage “phone” is of the platform Android, and stages are set up for Linux alone. Give it that platform and its tasks \(note\) a recipe/,
  );
  keepComposition(workspace, staged('car'), { replace: true });
  expect(await said()).toMatch(/cannot be run: CP30 note: .*stage “car”, which the composition does not declare/);
  // Nothing is said of a platform that no task needs.
  keepComposition(workspace, staged(), { replace: true });
  expect(await said()).toMatch(/did not write the recipe of NOTE_1/);
  const kept = { file: 'truth.txt', date: '2026-01-01' };
  const outputs = [{ name: 'price', value: '5', stable: false, kept }];
  keepComposition(
    workspace,
    { ...draft, members: composition({ members: [{ ...draft.members[0], outputs }] }).members },
    { replace: true },
  );
  expect(await said()).toMatch(/“truth\.txt”, which says what it was on 2026-01-01, is not attached to NOTE_1/);
  keepComposition(workspace, { ...draft, edges: [{ kind: 'hard', from: 'note', to: 'note' }] }, { replace: true });
  expect(await said()).toMatch(/cannot be run: CP2/);
  expect(readdirSync(dir)).not.toContain('composition-runs');
  expect((await runHere(['run', '--agent', 'player', '--task', 'NOTE_1', '-w', dir])).stderr).toMatch(
    /are of a composition/,
  );
});

test('a run is kept and found by the beginning of its id; one of a newer version is said beside the others', async () => {
  const run = compositionRunSchema.parse({
    schema: 'trajectory-studio/composition-run',
    version: 1,
    id: 'abcdef012345',
    at: '2026-11-27T10:00:00.000Z',
    composition: composition(),
    actor: { kind: 'player' },
    level: 'base',
    context: 'none',
    order: ['note'],
    kept: [],
    resumes: null,
    results: [],
    begun: 'note',
    ended: null,
  });
  keepRun(workspace, run);
  expect(findRun(workspace, 'abc')).toEqual(run);
  mkdirSync(join(dir, 'composition-runs'), { recursive: true });
  writeFileSync(
    join(dir, 'composition-runs', 'bbbbbbbbbbbb.json'),
    JSON.stringify({ ...run, id: 'bbbbbbbbbbbb', version: 99 }),
  );
  const { runs, unread } = listCompositionRuns(workspace);
  expect([runs, unread.map(({ why }) => why)]).toEqual([
    [run],
    [expect.stringMatching(/newer version of this program/)],
  ]);
  const shown = await runHere(['compositions', 'runs', 'abc', '-w', dir]);
  expect(shown.stdout).toMatch(/note +not done[\s\S]*0 of 1 succeeded, broken off/);
  const scores = await runHere(['compositions', 'scores', '-w', dir]);
  expect(scores.stdout).toMatch(/player +base +1 +1 +0\.0 +0\.00 +0\.000/);
});

test('one recipe of all: files of every task, of two at one path the first, which is said; programs start later', () => {
  const stage = (member: string, files: object[]): MemberStage => ({
    member,
    stage: 'stage',
    task: member,
    recipe: recipe({ files, ...(member === 'b' && { network: true }) }),
    hasChecks: true,
    elements: false,
    fileOf: (name) => ({ root: member, path: name }),
  });
  const text = (to: string, of: string) => ({ text: of, to });
  const attached = { attachment: 'x.png', to: 'x.png' };
  const {
    recipe: common,
    fileOf,
    notes,
  } = commonRecipe([
    stage('a', [text('n.txt', 'of a'), attached]),
    stage('b', [text('n.txt', 'of b'), text('m.txt', 'of b'), { ...attached, to: 'y.png' }]),
  ]);
  expect(common.files.map(({ to }) => to)).toEqual(['n.txt', 'x.png', 'm.txt', 'y.png']);
  expect(common).toMatchObject({ network: true, programs: [], files: [{ text: 'of a' }, {}, { text: 'of b' }, {}] });
  const roots = common.files.flatMap((file) => ('attachment' in file ? [fileOf(file.attachment)?.root] : []));
  expect(roots).toEqual(['a', 'b']);
  expect(notes).toEqual(['n.txt is that of “a”; the one of “b” is not put there']);
});
