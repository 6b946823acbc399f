import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { OSWORLD_APPS } from '../../core/osworld/apps.ts';
import { osworldOf } from '../../core/osworld/out.ts';
import { linesOfMapped, type MappedTask, mapOsworldTask } from '../../core/osworld/task.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import type { OsworldTask } from '../../schemas/osworld.ts';
import { entriesBelow } from '../files/inside.ts';
import { attach, attachedFiles, attachmentPlace } from '../store/attachments.ts';
import { OSWORLD_FILE, osworldTaskIn, osworldTasks, readOsworldTask } from '../store/osworld-task-file.ts';
import { addSoftware, type Software } from '../store/software.ts';
import { createTask, getTask } from '../store/task-rows.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { recipeOfTask } from './recipe.ts';

/** OSWorld's tasks into a workspace and out of it. Nothing of them is run, and nothing is fetched. */

const MOST_TASKS = 5000;

export type ReadTask = { file: string; task: OsworldTask; mapped: MappedTask };
/** `refused`: files beside the tasks that are none, such as a template, with why. */
export type ReadTasks = { tasks: ReadTask[]; refused: { file: string; why: string }[] };

/** Reads a task, or every .json below a folder. Throws BAD_FILE with the file and the field where nothing of it is a task. */
export function readOsworldTasks(path: string): ReadTasks {
  const read: ReadTasks = { tasks: [], refused: [] };
  const files = filesIn(path);
  for (const file of files) {
    try {
      const task = readOsworldTask(file);
      read.tasks.push({ file, task, mapped: mapOsworldTask(task) });
    } catch (error) {
      if (!(error instanceof StudioError) || files.length === 1) throw error;
      read.refused.push({ file, why: error.message });
    }
  }
  const [first] = read.refused;
  if (read.tasks.length > 0) return read;
  throw new StudioError('BAD_FILE', first?.why ?? `${path} holds no .json of OSWorld.`, { file: first?.file ?? path });
}

function filesIn(path: string): string[] {
  const found: string[] = [];
  try {
    if (!lstatSync(path).isDirectory()) return [path];
    for (const entry of entriesBelow(path)) {
      if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
      if (found.push(join(entry.parentPath, entry.name)) > MOST_TASKS)
        throw new StudioError(
          'BAD_FILE',
          `${path} holds more than ${MOST_TASKS} tasks; import its folders one by one.`,
          { file: path },
        );
    }
  } catch (cause) {
    if (cause instanceof StudioError) throw cause;
    const message = `${path} cannot be read: ${whyNot(cause)}. Check its path.`;
    throw new StudioError('BAD_FILE', message, { file: path }, { cause });
  }
  return found.sort();
}

export type TakenTask = { id: string; osworld: string; known: boolean; mapped: MappedTask };

/** Takes tasks into a workspace; one that is there already is passed over. `app`: the software of all of them. Throws UNKNOWN_APP. */
export async function takeOsworldTasks(
  workspace: Workspace,
  all: readonly ReadTask[],
  app: string | undefined,
): Promise<TakenTask[]> {
  const there = await osworldTasks(workspace);
  const taken: TakenTask[] = [];
  for (const { task, mapped } of all) {
    const known = there.get(task.id);
    if (known !== undefined) {
      taken.push({ id: known, osworld: task.id, known: true, mapped });
      continue;
    }
    const software = await softwareOf(workspace, app, task);
    const [link = ''] = [task.source ?? ''].flat();
    const { id } = await createTask(workspace, {
      software: software.id,
      goal: task.instruction,
      kind: 'full',
      platform: '',
      sourceUrl: /^https?:\/\//.test(link) ? link.slice(0, 2000) : '',
      notes: linesOfMapped(mapped).join('\n').slice(0, 10_000),
      answer: '',
    });
    await keep(workspace, id, 'material', OSWORLD_FILE, task);
    if (mapped.recipe) await keep(workspace, id, 'recipe', 'recipe.json', mapped.recipe);
    if (mapped.checks) await keep(workspace, id, 'checks', 'checks.json', mapped.checks);
    there.set(task.id, id);
    taken.push({ id, osworld: task.id, known: false, mapped });
  }
  return taken;
}

const keep = (
  workspace: Workspace,
  task: string,
  role: 'material' | 'recipe' | 'checks',
  name: string,
  value: unknown,
) => attach(workspace, { task, role, name, body: Readable.from([Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]) });

async function softwareOf(workspace: Workspace, app: string | undefined, task: OsworldTask): Promise<Software> {
  if (app !== undefined) return workspace.findSoftware(app);
  const named = task.related_apps[0] ?? task.snapshot ?? 'os';
  const name = (Object.hasOwn(OSWORLD_APPS, named) ? OSWORLD_APPS[named] : undefined) ?? named;
  try {
    return await workspace.findSoftware(name);
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'UNKNOWN_APP') throw error;
    return addSoftware(workspace.store, { name });
  }
}

/** A task in OSWorld's form, and what that has no word for. Throws UNKNOWN_TASK. */
export async function osworldOfTask(
  workspace: Workspace,
  id: string,
): Promise<{ task: OsworldTask; missing: string[] }> {
  const task = await getTask(workspace.store, id);
  const file = (await attachedFiles(workspace.store, task.id)).get(OSWORLD_FILE);
  const original = file === undefined ? null : osworldTaskIn(attachmentPlace(workspace, file));
  const { goal, software: app, sourceUrl: source } = task;
  const recipe = await recipeOfTask(workspace, task.id);
  return osworldOf({
    id: task.id,
    goal,
    source,
    app,
    recipe,
    checks: await checksOfTask(workspace, task.id),
    original,
  });
}
