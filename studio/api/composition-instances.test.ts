import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newComposition } from '../../core/compositions/edit.ts';
import { instancesMadeSchema } from '../../schemas/api/compositions.ts';
import type { Composition } from '../../schemas/composition.ts';
import { recipeSchema } from '../../schemas/play.ts';
import { RECIPE_VERSION } from '../../schemas/recipe-version.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

/** Instances of a template as a page makes them, and takes them back. */

const folders = temporaryFolders();
let server: TestServer;
let ws: string;
let dir: string;
let open: OpenWorkspace;
let task: string;
let template: Composition;
beforeAll(async () => {
  const folder = folders.make();
  server = await startTestServer(folder);
  dir = join(folder, 'work');
  const { client } = server;
  ({ id: ws } = await client.workspaces.open({ dir, create: true }));
  open = await server.studio.workspaces.get(ws);
  await client.software.add({ ws, name: 'Notes', prefix: 'NOTE' });
  task = (await client.tasks.create({ ws, software: 'notes', goal: 'When is it?', answer: '11:30' })).id;
  const recipe = recipeSchema.parse({
    schema: 'trajectory-studio/recipe',
    version: RECIPE_VERSION,
    files: [{ text: 'At 11:30\n', to: 'plan.txt' }],
    programs: [{ command: 'true' }],
  });
  await client.setup.saveRecipe({ ws, task, recipe });
  const members = await client.compositions.members({ ws, tasks: [task] });
  const puts = [`members/${members[0]?.id}/outputs/answer/value`, `tasks/${task}/recipe/files/0/text`];
  const varies = { kind: 'time' as const, from: '09:00', to: '11:30', step: 30, puts };
  const context = { preferences: [], given: [{ name: 'time', value: '11:30', varies }] };
  template = { ...newComposition({ id: 'day', kind: 'scenario', title: 'Day' }), members, context };
  await client.compositions.save({ ws, composition: 'day', content: template, version: null });
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

const tasks = async () => (await server.client.tasks.list({ ws })).map(({ id }) => id);
const instances = async () =>
  (await server.client.compositions.get({ ws, composition: 'day' })).instances.map(({ id }) => id);
async function make(count: number, seed = 7) {
  const { id } = await server.client.compositions.makeInstances({ ws, composition: 'day', count, seed });
  const job = await open.jobs.finished(id);
  const result = await server.client.jobs.result({ ws, job: id });
  return { job, made: result && instancesMadeSchema.parse(result) };
}

test('the content of its tasks is told, for the places where a value stands', async () => {
  const [content, ...more] = await server.client.compositions.contents({ ws, tasks: [task, 'GONE_1'] });
  expect(more).toEqual([]);
  const recipe = { files: [{ text: 'At 11:30\n' }] };
  expect(content).toMatchObject({ task, goal: 'When is it?', answer: '11:30', checks: null, recipe });
});

test('a job makes them; they name their template, and it lists them; all of it is taken back', async () => {
  const { client } = server;
  const { job, made } = await make(3);
  expect([job.state, job.kind, job.subject, job.message]).toEqual(['done', 'instances', 'day', '3 instances made']);
  expect(await instances()).toEqual(['day-7-1', 'day-7-2', 'day-7-3']);
  expect(await tasks()).toHaveLength(4);
  const one = await client.compositions.get({ ws, composition: 'day-7-1' });
  expect(one.composition.origin).toMatchObject({ template: 'day', seed: 7, number: 1, isHere: true });
  const listed = await client.compositions.list({ ws });
  expect(listed.map(({ id, template }) => [id, template]).slice(0, 2)).toEqual([
    ['day', null],
    ['day-7-1', 'day'],
  ]);
  expect((await make(3)).job.message).toBe('0 instances made, 3 here already');

  // One that somebody changed since stays, and so do a task that was recorded or that another composition has.
  const [first, second, third] = made?.made ?? [];
  if (!first || !second || !third) throw new Error('Three were made.');
  const before = await client.compositions.edit({ ws, composition: first.id });
  const content = { ...before.composition, title: 'Mine' };
  await client.compositions.save({ ws, composition: first.id, content, version: before.version });
  const remove = (...some: (typeof first)[]) =>
    client.compositions.removeInstances({
      ws,
      composition: 'day',
      instances: some.map(({ values: _, ...rest }) => rest),
    });
  await expect(remove(first)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(
    client.compositions.removeInstances({ ws, composition: 'day-7-2', instances: [{ ...third, tasks: [] }] }),
  ).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('no instance of “day-7-2”') });
  await remove(second, { ...third, tasks: [...third.tasks, task] });
  expect(await instances()).toEqual(['day-7-1']);
  expect((await tasks()).toSorted()).toEqual([task, ...first.tasks].toSorted());
});

test('a template that breaks a law makes none: the job says why, and can be begun again', async () => {
  const { client } = server;
  const { version } = await client.compositions.edit({ ws, composition: 'day' });
  const [given] = template.context.given;
  if (!given) throw new Error('A value is given.');
  const context = { ...template.context, given: [{ ...given, value: '10:10' }] };
  await client.compositions.save({ ws, composition: 'day', content: { ...template, context }, version });
  const { job, made } = await make(2, 8);
  expect([job.state, made]).toEqual(['failed', null]);
  expect(job.error?.message).toContain('CP26');
  const again = await client.jobs.again({ ws, job: job.id });
  expect((await open.jobs.finished(again.id)).state).toBe('failed');
  await expect(client.compositions.makeInstances({ ws, composition: 'none', count: 1, seed: 1 })).rejects.toMatchObject(
    { code: 'UNKNOWN_COMPOSITION' },
  );
});

test('an instance whose template is gone says so', async () => {
  const origin = { template: 'elsewhere', seed: 1, number: 1, values: [{ name: 'time', value: '09:00' }] };
  mkdirSync(join(dir, 'compositions'), { recursive: true });
  const orphan = { ...template, version: 4, id: 'orphan', context: { preferences: [], given: [] }, origin };
  writeFileSync(join(dir, 'compositions', 'orphan.json'), JSON.stringify(orphan));
  const { composition } = await server.client.compositions.get({ ws, composition: 'orphan' });
  expect(composition.origin).toEqual({ ...origin, isHere: false });
});
