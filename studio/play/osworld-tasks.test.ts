import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { getTask } from '../store/task-rows.ts';
import { openWorkspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { osworldOfTask, readOsworldTasks, takeOsworldTasks } from './osworld-tasks.ts';
import { recipeOfTask } from './recipe.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const TASK = {
  id: 'fe41f596',
  instruction: 'Compare the paper.',
  source: 'https://example.org/paper',
  related_apps: ['gimp'],
  config: [
    { type: 'download', parameters: { files: [{ url: 'https://example.org/a', path: '/home/user/a.pdf' }] } },
    { type: 'execute', parameters: { command: ['./setup.sh'] } },
  ],
  evaluator: {
    func: 'compare_pdfs',
    result: { type: 'vm_file', path: '/home/user/a.pdf', dest: 'a.pdf' },
    expected: { type: 'cloud_file', path: 'https://example.org/gold', dest: 'gold.pdf' },
  },
  trajectory: 'trajectories/',
};

test('tasks of a folder are taken with what maps, what is missing and what they need; again they stay', async () => {
  const folder = folders.make();
  mkdirSync(join(folder, 'gimp'));
  writeFileSync(join(folder, 'gimp', 'a.json'), JSON.stringify(TASK));
  const workspace = await openWorkspace(folders.make(), { create: true });
  try {
    const [taken] = await takeOsworldTasks(workspace, readOsworldTasks(folder).tasks, undefined);
    const task = await getTask(workspace.store, taken!.id);
    expect(task).toMatchObject({ goal: 'Compare the paper.', sourceUrl: 'https://example.org/paper' });
    expect(task.notes).toContain('Missing at the start: execute: it runs a command');
    expect(task.notes).toContain('Needs “a.pdf” at ~/a.pdf: https://example.org/a');
    expect((await recipeOfTask(workspace, task.id))?.files).toEqual([{ attachment: 'a.pdf', to: 'a.pdf' }]);
    expect((await checksOfTask(workspace, task.id))?.checks).toMatchObject([{ kind: 'pdf', like: 'gold.pdf' }]);
    expect(await osworldOfTask(workspace, task.id)).toEqual({ task: TASK, missing: [] });
    const [again] = await takeOsworldTasks(workspace, readOsworldTasks(folder).tasks, undefined);
    expect(again).toMatchObject({ id: task.id, known: true });
  } finally {
    await workspace.close();
  }
});

test.each([
  ['no JSON', '{', 'it is no JSON'],
  ['deep values', '['.repeat(100_000), 'too deep'],
  ['another file', '{"a": 1}', 'id:'],
  ['an evaluator that is none', '{"id":"a","instruction":"b","evaluator":{"func":7}}', 'evaluator.func'],
])('%s is refused by its name and field', (_what, text, why) => {
  const file = join(folders.make(), 'a.json');
  writeFileSync(file, text);
  expect(() => readOsworldTasks(file)).toThrow(
    expect.objectContaining({ code: 'BAD_FILE', message: expect.stringContaining(why) }),
  );
});

test('what lies beside tasks and is none is passed over with its reason; a folder of such alone is refused', () => {
  const folder = folders.make();
  mkdirSync(join(folder, 'a', 'b', 'c', 'd'), { recursive: true });
  writeFileSync(join(folder, 'template.json'), '{"id": "", "evaluator": ""}');
  expect(() => readOsworldTasks(folder)).toThrow(expect.objectContaining({ code: 'BAD_FILE' }));
  writeFileSync(join(folder, 'a', 'b', 'c', 'd', 'a.json'), JSON.stringify(TASK));
  writeFileSync(join(folder, 'other.json'), '{');
  const { tasks, refused } = readOsworldTasks(folder);
  expect(tasks.map(({ task }) => task.id)).toEqual([TASK.id]);
  expect(refused).toMatchObject([
    { file: join(folder, 'other.json'), why: expect.stringContaining('it is no JSON') },
    { file: join(folder, 'template.json'), why: expect.stringContaining('id:') },
  ]);
});

test('a folder without tasks, and one that is not there, say so', () => {
  expect(() => readOsworldTasks(folders.make())).toThrow('holds no .json of OSWorld');
  expect(() => readOsworldTasks('/nowhere/at/all')).toThrow('cannot be read');
});
