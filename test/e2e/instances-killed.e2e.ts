import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { compositionSchema } from '../../schemas/composition.ts';
import { runHere } from '../../studio/cli/run-for-tests.ts';
import { keepComposition, listCompositions } from '../../studio/documents/joined/composition-files.ts';
import { attach, attachedFiles, listAttachments } from '../../studio/store/attachments.ts';
import { addSoftware } from '../../studio/store/software.ts';
import { ensureTask, listTasks } from '../../studio/store/tasks.ts';
import { openWorkspace } from '../../studio/store/workspace.ts';
import { CLI } from '../support/cli.ts';
import { run } from '../support/process.ts';

/**
 * The making of instances is killed before calls of the disk and the database that lie evenly between its first and its last, by
 * SIGKILL, and begun again with the same seed.
 */

const MOMENTS = 10;
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, '..', 'support', 'kill-at-call.mjs')).href;
const own = fs.mkdtempSync(path.join(os.tmpdir(), 'instances-killed-'));
afterAll(() => fs.rmSync(own, { recursive: true, force: true }));

const recipe = {
  schema: 'trajectory-studio/recipe',
  version: 1,
  files: [
    { attachment: 'photo.png', to: 'photo.png' },
    { text: 'In Lab 305\n', to: 'plan.txt' },
  ],
  programs: [{ command: 'true' }],
};
const rooms = {
  kind: 'list',
  values: ['Lab 305', 'Lab 12', 'Hall B', 'Hall C'],
  puts: ['tasks/NOTE_1/recipe/files/1/text'],
};
const template = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 4,
  id: 'day',
  kind: 'scenario',
  title: 'A day',
  context: { given: [{ name: 'room', value: 'Lab 305', varies: rooms }] },
  members: [
    { id: 'meeting', task: 'NOTE_1', instructions: { base: 'Go to the meeting' } },
    { id: 'place', task: 'NOTE_2', instructions: { base: 'Go to {{given.room}}' } },
  ],
});

async function library(name: string): Promise<string> {
  const dir = path.join(own, name);
  const workspace = openWorkspace(dir, { create: true });
  const software = await addSoftware(workspace.store, { name: 'Notes', prefix: 'NOTE' });
  for (const goal of ['Go to the meeting', 'Go to a room']) await ensureTask(workspace.store, { software, goal });
  const put = (role: 'recipe' | 'material', file: string, text: string) =>
    attach(workspace, { task: 'NOTE_1', role, name: file, body: Readable.from([Buffer.from(text)]) });
  await put('recipe', 'recipe.json', JSON.stringify(recipe));
  await put('material', 'photo.png', 'x');
  keepComposition(workspace, template);
  workspace.close();
  return dir;
}
const WORDS = ['compositions', 'instances', 'day', '--count', '2', '--seed', '7', '--workspace'];

/** Makes them in a process of its own, which ends itself before the n-th call; gives how many there were, where it did not. */
async function making(dir: string, n: number): Promise<{ calls: number; signal: string | null }> {
  const note = path.join(own, 'kill');
  fs.writeFileSync(`${note}.at`, `${n} self`);
  fs.writeFileSync(`${note}.count`, '-1');
  const env = { ...process.env, NODE_OPTIONS: `--import=${PRELOAD}`, KILL_NOTE: note, KILL_FROM: '.instances.lock' };
  const { status, signal, stderr } = await run(process.execPath, [CLI, ...WORDS, dir], { env, timeoutMs: 120_000 });
  if (n === Number.MAX_SAFE_INTEGER) expect(status, stderr).toBe(0);
  return { calls: Number(fs.readFileSync(`${note}.count`, 'utf8')), signal };
}

/** Instances with their tasks' goals and files, tasks of which no composition is, and files that are no task's. */
async function held(dir: string) {
  const workspace = openWorkspace(dir, { create: false });
  try {
    const all = listCompositions(workspace).flatMap(({ composition }) => composition ?? []);
    const named = all.flatMap(({ members }) => members.flatMap(({ task }) => task ?? []));
    const tasks = await listTasks(workspace.store);
    const goals = new Map(tasks.map(({ id, goal }) => [id, goal]));
    const instances = [];
    for (const { id, origin, members } of all.filter((one) => one.origin)) {
      const own = [];
      for (const { task } of members) {
        const files = await listAttachments(workspace.store, task ?? '');
        const recipes = await attachedFiles(workspace.store, task ?? '');
        const at = recipes.get('recipe.json');
        const text = at === undefined ? '' : fs.readFileSync(path.join(dir, at), 'utf8');
        own.push([task, goals.get(task ?? ''), files.map(({ name }) => name), text]);
      }
      instances.push({ id, origin, own });
    }
    return { instances, strays: tasks.flatMap(({ id }) => (named.includes(id) ? [] : [id])) };
  } finally {
    workspace.close();
  }
}

it('killed at any moment and begun again with the same seed there are the same instances, and no task without one', async () => {
  const whole = await library('whole');
  const { calls } = await making(whole, Number.MAX_SAFE_INTEGER);
  expect(calls).toBeGreaterThan(3 * MOMENTS);
  const wanted = await held(whole);
  expect(wanted.instances.map(({ id }) => id)).toEqual(['day-7-1', 'day-7-2']);
  expect(wanted.strays).toEqual([]);
  const left: string[] = [];
  for (let moment = 0; moment < MOMENTS; moment++) {
    const dir = await library(`killed-${moment}`);
    const at = Math.max(1, Math.round(((moment + 0.5) * calls) / MOMENTS));
    expect(await making(dir, at), `killed before call ${at}`).toMatchObject({ signal: 'SIGKILL' });
    const { strays } = await held(dir);
    if (strays.length > 0) {
      left.push(...strays);
      const listed = await runHere(['compositions', 'instances', 'day', '--workspace', dir]);
      expect(listed.stderr).toMatch(/day-7-[12] is not whole: .*was broken off. .*--seed 7/);
    }
    const again = await runHere([...WORDS, dir]);
    expect(again.status, again.stderr).toBe(0);
    if (strays.length > 0) expect(again.stderr).toMatch(/note: day-7-[12] was broken off.*are taken back/);
    expect(await held(dir), `killed before call ${at} of ${calls}`).toEqual(wanted);
  }
  // Some of the moments lie within the making of an instance.
  expect(left.length).toBeGreaterThan(0);
});
