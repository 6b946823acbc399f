import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type TaskTableWishes, taskTableWishesSchema } from '../../../schemas/api/task-table.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { createTask, getTask } from '../../store/task-rows.ts';
import { listTasks } from '../../store/tasks.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { importTaskTable } from './import-table.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
let workspace: Workspace;
beforeEach(async () => {
  workspace = openWorkspace(join(folders.make(), 'studio'), { create: true });
  const rest = { platform: '', sourceUrl: '', notes: '' };
  await createTask(workspace, { id: 'PPT_1', software: 'powerpoint', goal: 'Insert a picture', ...rest });
});

const take = (text: string, more: Partial<TaskTableWishes> = {}) =>
  importTaskTable(workspace, taskTableWishesSchema.parse({ bytes: Buffer.from(text).toString('base64'), ...more }));
const goals = async () => (await listTasks(workspace.store)).map(({ id, goal }) => `${id} ${goal}`);

const TABLE = [
  'id,goal,app,tags,level instruction,url',
  ',Align the shapes,PowerPoint,"a, b",Select all first,https://example.org/v',
  ',insert  a PICTURE,powerpoint,,,',
  'GIMP_7,Crop a portrait,GIMP,,,',
  ',Align the shapes,PPT,,,',
].join('\n');

test('a dry run says what would come of each row and makes nothing; the import then does just that', async () => {
  const before = await goals();
  const plan = await take(TABLE, { dryRun: true });
  expect(plan.rows.map(({ line, act, task, sameAs }) => [line, act, task, sameAs])).toEqual([
    [2, 'make', null, null],
    [3, 'skip', 'PPT_1', null],
    [4, 'make', null, null],
    [5, 'skip', null, 2],
  ]);
  expect(plan.columns.map(({ field }) => field)).toEqual(['id', 'goal', 'software', 'notes', 'notes', 'sourceUrl']);
  expect([plan.done, await goals()]).toEqual([false, before]);
  const { rows, ...table } = await take(TABLE);
  expect(table).toMatchObject({ made: 2, skipped: 2, faults: 0, done: true });
  expect(rows.map(({ task }) => task)).toEqual(['PPT_2', 'PPT_1', 'GIMP_7', null]);
  expect(await getTask(workspace.store, 'PPT_2')).toMatchObject({
    goal: 'Align the shapes',
    notes: 'tags: a, b\nlevel instruction: Select all first',
    sourceUrl: 'https://example.org/v',
  });
  // Once more, and nothing is new.
  expect(await take(TABLE)).toMatchObject({ made: 0, skipped: 4 });
});

test('a task that is here is left, changed by what the table says, or made once more', async () => {
  const text = 'id,goal,app,platform\nPPT_1,Insert a photo,PowerPoint,Windows 11\n';
  expect(await take(text)).toMatchObject({ skipped: 1 });
  expect(await take(text, { duplicates: 'update' })).toMatchObject({ updated: 1, made: 0 });
  expect(await getTask(workspace.store, 'PPT_1')).toMatchObject({ goal: 'Insert a photo', platform: 'Windows 11' });
  expect(await take(text, { duplicates: 'update' })).toMatchObject({ updated: 0, skipped: 1 });
  expect(await take(text, { duplicates: 'both' })).toMatchObject({ made: 1 });
  expect(await goals()).toEqual(['PPT_1 Insert a photo', 'PPT_2 Insert a photo']);
  // An empty cell takes nothing away.
  await take('id,goal,platform\nPPT_1,,Web\n', { duplicates: 'update' });
  expect(await getTask(workspace.store, 'PPT_1')).toMatchObject({ goal: 'Insert a photo', platform: 'Web' });
});

const FAULTY = [
  'goal,app,id,url,kind',
  'Good,GIMP,,,simple',
  ',GIMP,,,',
  'No such program,Nothing at all,,,',
  'A bad id,GIMP,seven,,',
  'A bad link,GIMP,,ftp://x,',
  'A bad kind,GIMP,,,middle',
  'Too many,GIMP,,,,over',
  'No program,,,,',
  'Of another,GIMP,PPT_1,,',
].join('\n');

test('faults are said by line and column, and one of them keeps every row from being made', async () => {
  const before = await goals();
  const plan = await take(FAULTY, { dryRun: true });
  const said = plan.rows.flatMap(({ line, faults }) => faults.map(({ column, message }) => [line, column, message]));
  expect(said).toEqual([
    [3, 'goal', 'There is no goal.'],
    [4, 'app', expect.stringContaining('No software "Nothing at all"')],
    [5, 'id', expect.stringContaining('"seven" cannot be a task’s id'.replace('’', "'"))],
    [6, 'url', expect.stringContaining('no web address')],
    [7, 'kind', '"middle" is none of full, simple.'],
    [8, null, expect.stringContaining('6 cells')],
    [9, 'app', expect.stringContaining('No software is named')],
    [10, 'id', expect.stringContaining('PPT_1 is a task of the software "powerpoint"')],
  ]);
  await expect(take(FAULTY)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringMatching(/Nothing was imported: 8 rows have faults\. line 3, goal: There is no goal\./),
  });
  expect(await goals()).toEqual(before);
  expect(await take(FAULTY, { withoutFaults: true, software: 'gimp' })).toMatchObject({ made: 2, faults: 7 });
  expect((await goals()).slice(0, 2)).toEqual(['GIMP_1 Good', 'GIMP_2 No program']);
});

test('columns are given by hand, and by place where there is no header', async () => {
  const fields: TaskTableWishes['columns'] = [null, 'goal', 'software'];
  const table = await take('x,Crop,GIMP\ny,Scale,GIMP\n', { header: false, columns: fields });
  expect([table.made, table.columns.map(({ name }) => name)]).toEqual([2, ['1', '2', '3']]);
  await expect(take('a,b\n1,2\n', { columns: ['goal'] })).rejects.toThrow('The table has 2 columns, and 1 are named.');
  await expect(take('a,b\n1,2\n', { columns: ['goal', 'goal'] })).rejects.toThrow('Two columns are to give "goal"');
});
