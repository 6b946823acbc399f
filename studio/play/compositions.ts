import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { brokenLaws, tasksAreThere } from '../../core/compositions/laws.ts';
import type { Checks } from '../../schemas/checks.ts';
import {
  type BrokenLaw,
  type CarriedTask,
  type Composition,
  compositionSchema,
  type Member,
  memberSchema,
} from '../../schemas/composition.ts';
import { COMPOSITION_SCHEMA, COMPOSITION_VERSION, VERSION_WITHOUT_EVENTS } from '../../schemas/composition-terms.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import type { Recipe } from '../../schemas/play.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { fileIn, hasFile } from '../files/inside.ts';
import { attach, attachedFiles } from '../store/attachments.ts';
import { translate } from '../store/errors.ts';
import { otherTask, otherTaskWords } from '../store/other-task.ts';
import { addSoftware, findSoftware, type Software } from '../store/software.ts';
import { answerOf, ensureTask, fillAnswer, listTasks, taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { recipeOfTask } from './recipe.ts';
import { readTaskFile } from './task-file.ts';

/** Compositions of a workspace, a file each in its folder `compositions/`, and as one file with their tasks. */

const FOLDER = 'compositions';
const FILE = {
  schema: compositionSchema,
  version: COMPOSITION_VERSION,
  word: 'composition',
  again: 'try',
  most: COMPOSITION_LIMITS.bytes,
};

/** Reads one file of a composition, with or without tasks. Throws BAD_FILE with the place in it, FUTURE_VERSION. */
export const readCompositionFile = (file: string): Composition => readTaskFile(file, FILE);

type Listed = { id: string; composition: Composition | null; why: string | null };

/** All of them by their names; one that cannot be read says why. */
export function listCompositions({ dir }: Pick<Workspace, 'dir'>): Listed[] {
  const folder = join(dir, FOLDER);
  if (!existsSync(folder)) return [];
  const ids = readdirSync(folder).flatMap((name) => /^([a-z0-9][a-z0-9-]*)\.json$/.exec(name)?.[1] ?? []);
  return ids.sort().map((id) => {
    try {
      return { id, composition: compositionOf({ dir }, id), why: null };
    } catch (error) {
      return { id, composition: null, why: errorBody(error).message };
    }
  });
}

/** Throws UNKNOWN_COMPOSITION, BAD_FILE, FUTURE_VERSION. */
export function compositionOf({ dir }: Pick<Workspace, 'dir'>, id: string): Composition {
  const folder = join(dir, FOLDER);
  if (!compositionSchema.shape.id.safeParse(id).success || !hasFile(folder, `${id}.json`))
    throw new StudioError(
      'UNKNOWN_COMPOSITION',
      `There is no composition “${id.slice(0, 80)}” in this workspace. \`compositions list\` shows them.`,
      { composition: id },
    );
  const file = fileIn(folder, `${id}.json`);
  const composition = readCompositionFile(file);
  if (composition.id === id) return composition;
  throw new StudioError(
    'BAD_FILE',
    `${file} says that it is “${composition.id}”. A composition is called as its file: rename one of both.`,
    { file },
  );
}

/**
 * Keeps it as a whole or not at all. Throws USAGE where one of its name is there and is not to be replaced,
 * WORKSPACE_UNWRITABLE, DISK_FULL.
 */
export function keepComposition(
  { dir }: Pick<Workspace, 'dir'>,
  { tasks: _tasks, ...composition }: Composition,
  { replace = false } = {},
): string {
  const folder = join(dir, FOLDER);
  translate(folder, () => mkdirSync(folder, { recursive: true }));
  const name = `${composition.id}.json`;
  if (!replace && hasFile(folder, name)) {
    throw new StudioError(
      'USAGE',
      `A composition “${composition.id}” is here already. Give --replace to replace it, or another id.`,
      { composition: composition.id },
    );
  }
  const file = join(folder, name);
  const text = `${JSON.stringify(composition, null, 2)}\n`;
  if (Buffer.byteLength(text) > COMPOSITION_LIMITS.bytes) {
    throw new StudioError(
      'USAGE',
      `The composition “${composition.id}” takes more than ${COMPOSITION_LIMITS.bytes >> 20} MB. Make its texts shorter, or two of it.`,
      { composition: composition.id },
    );
  }
  translate(file, () => writeFileAtomic(file, text));
  return file;
}

/** What an editor begins with: the composition as its file has it, and by what a save finds out that the file is another one. */
type EditedComposition = { composition: Composition; version: string; unwritable: string | null };

/** Throws what `compositionOf` throws. `unwritable`: why nothing of it can be kept. */
export function editedComposition({ dir }: Pick<Workspace, 'dir'>, id: string): EditedComposition {
  // In this order: one that is saved in between has another version than the one that is given.
  const version = versionOf({ dir }, id);
  const { tasks: _tasks, ...composition } = compositionOf({ dir }, id);
  return { composition, version, unwritable: whyUnwritable(dir) };
}

/** Why no composition can be kept in this workspace; null: one can. */
export function whyUnwritable(dir: string): string | null {
  const folder = join(dir, FOLDER);
  const there = existsSync(folder) ? folder : dir;
  try {
    translate(there, () => accessSync(there, constants.W_OK));
    return null;
  } catch (error) {
    return errorBody(error).message;
  }
}

/** Of a file's bytes; '' for none. */
function versionOf({ dir }: Pick<Workspace, 'dir'>, id: string): string {
  const folder = join(dir, FOLDER);
  if (!compositionSchema.shape.id.safeParse(id).success || !hasFile(folder, `${id}.json`)) return '';
  return createHash('sha256')
    .update(readFileSync(fileIn(folder, `${id}.json`)))
    .digest('hex');
}

/**
 * Keeps what somebody edited, where its file is still the one that they began with (`version`; null: there was none). Throws
 * CONFLICT where it is not, so that nothing of somebody else is written over, and what `keepComposition` throws.
 */
export async function saveComposition(
  workspace: Pick<Workspace, 'dir'>,
  { composition, version }: { composition: Composition; version: string | null },
): Promise<EditedComposition> {
  const { id } = composition;
  return locked(workspace, () => {
    needVersion(workspace, id, version);
    keepComposition(workspace, composition, { replace: version !== null });
    return editedComposition(workspace, id);
  });
}

/** Gives what was removed, for an undo. Its runs stay: each holds it as it was then. Throws as `saveComposition`. */
export async function removeComposition(
  workspace: Pick<Workspace, 'dir'>,
  { id, version }: { id: string; version: string },
): Promise<Composition> {
  return locked(workspace, () => {
    const composition = compositionOf(workspace, id);
    needVersion(workspace, id, version);
    const file = fileIn(join(workspace.dir, FOLDER), `${id}.json`);
    translate(file, () => rmSync(file));
    return composition;
  });
}

/** Between the look at a file and its change no other program of ours changes it. */
function locked<T>({ dir }: Pick<Workspace, 'dir'>, work: () => T): Promise<T> {
  const folder = join(dir, FOLDER);
  translate(folder, () => {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  });
  return withFolderLock(folder, 'compositions', async () => work());
}

function needVersion(workspace: Pick<Workspace, 'dir'>, id: string, version: string | null): void {
  const now = versionOf(workspace, id);
  if (now === (version ?? '')) return;
  const why =
    version === null
      ? `A composition “${id}” is here already. Give it another id.`
      : now === ''
        ? `“${id}” was removed meanwhile. Save it as a new one to have it again.`
        : `Somebody else saved “${id}” meanwhile. Nothing was written over: look at theirs, and save again.`;
  throw new StudioError('CONFLICT', why, { composition: id });
}

/** Broken laws of a composition in this workspace. */
export async function brokenIn(workspace: Workspace, composition: Composition): Promise<BrokenLaw[]> {
  const known = await knownTasks(
    workspace,
    composition.members.flatMap(({ task }) => task ?? []),
  );
  return [...brokenLaws(composition), ...tasksAreThere(composition, known)];
}

/** Those of these tasks that are in this workspace, each with the ids of its checks; null: it has none that can be read. */
export async function knownTasks(
  workspace: Workspace,
  tasks: readonly string[],
): Promise<Map<string, ReadonlySet<string> | null>> {
  const known = new Map<string, ReadonlySet<string> | null>();
  const there = new Set((await listTasks(workspace.store)).map(({ id }) => id));
  for (const task of tasks) {
    if (!there.has(task) || known.has(task)) continue;
    const checks = await checksOfTask(workspace, task).catch(() => null);
    known.set(task, checks && new Set(checks.checks.map(({ id }) => id)));
  }
  return known;
}

/** Members as tasks of the library give them: the goal is what is asked for, the answer what comes of it. Throws UNKNOWN_TASK, USAGE. */
export async function membersOfTasks(workspace: Workspace, tasks: readonly string[]): Promise<Member[]> {
  const members: Member[] = [];
  for (const task of tasks) {
    const { goal } = await taskById(workspace.store, task);
    const answer = await answerOf(workspace.store, task);
    const read = memberSchema.safeParse({
      id: task.toLowerCase(),
      task,
      instructions: { base: goal || 'Write here what is asked for.' },
      outputs: answer === '' ? [] : [{ name: 'answer', value: answer }],
    });
    if (read.success) members.push(read.data);
    else throw cannotBeMade(read.error, [`member of ${task}`]);
  }
  return members;
}

/** A composition of tasks of the library, one after another. Throws UNKNOWN_TASK, USAGE. */
export async function composeTasks(
  workspace: Workspace,
  { id, kind, title, tasks }: Pick<Composition, 'id' | 'kind' | 'title'> & { tasks: readonly string[] },
): Promise<Composition> {
  const members = await membersOfTasks(workspace, tasks);
  const draft = { schema: COMPOSITION_SCHEMA, version: VERSION_WITHOUT_EVENTS, id, kind, title, members };
  const read = compositionSchema.safeParse(draft);
  if (read.success) return read.data;
  throw cannotBeMade(read.error);
}

function cannotBeMade({ issues }: z.ZodError, of: readonly string[] = []): StudioError {
  const said = issues.slice(0, 3).map(({ path, message }) => `${[...of, ...path].join('.')}: ${message}`);
  return new StudioError('USAGE', `The composition cannot be made: ${said.join('; ')}.`);
}

/** As one file: with its tasks, their recipes and checks. Their files are named, and go by an archive. */
export async function exportedComposition(workspace: Workspace, id: string): Promise<Composition> {
  const composition = compositionOf(workspace, id);
  const tasks: CarriedTask[] = [];
  for (const task of new Set(composition.members.flatMap((member) => member.task ?? [])))
    tasks.push(await carried(workspace, task));
  return { ...composition, tasks };
}

async function carried(workspace: Workspace, id: string): Promise<CarriedTask> {
  const { software, goal } = await taskById(workspace.store, id);
  const recipe = await recipeOfTask(workspace, id);
  const checks = await checksOfTask(workspace, id);
  const named = JSON.stringify([recipe, checks]);
  const files = [...(await attachedFiles(workspace.store, id)).keys()].filter((name) =>
    named.includes(JSON.stringify(name)),
  );
  const { name } = await workspace.findSoftware(software);
  return { id, software: name, goal, answer: await answerOf(workspace.store, id), recipe, checks, files };
}

/**
 * Takes a composition with its tasks into the workspace. A task that is here, of the same software and goal, stays as it is;
 * recipes and checks that come along are asked about before they run, as everything that others made. Gives its file, and
 * everything to be told. Throws USAGE, BAD_FILE, and what making tasks throws; the composition itself comes last.
 */
export async function importComposition(
  workspace: Workspace,
  composition: Composition,
  options: { replace?: boolean },
): Promise<{ file: string; composition: Composition; notes: string[] }> {
  const isThere = listCompositions(workspace).some(({ id }) => id === composition.id);
  // Before any task is made.
  if (isThere && options.replace !== true) keepComposition(workspace, composition);
  const notes: string[] = [];
  const ids = new Map<string, string>();
  for (const task of composition.tasks ?? []) ids.set(task.id, await takeTask(workspace, task, notes));
  const moved = ({ task, ...member }: Member): Member => ({ ...member, task: task && (ids.get(task) ?? task) });
  const { tasks: _tasks, ...own } = { ...composition, members: composition.members.map(moved) };
  return { file: keepComposition(workspace, own, { replace: options.replace ?? false }), composition: own, notes };
}

async function takeTask(workspace: Workspace, task: CarriedTask, notes: string[]): Promise<string> {
  const { store } = workspace;
  const software = await softwareCalled(workspace, task.software);
  const other = await otherTask(store, task.id, { software, goal: task.goal });
  if (other) notes.push(`${otherTaskWords(task.id, other)}.`);
  const { id } = await ensureTask(store, { id: other?.id ?? task.id, software, goal: task.goal });
  if (task.answer !== '') await fillAnswer(store, id, task.answer);
  const has = await attachedFiles(store, id);
  for (const name of task.files.filter((one) => !has.has(one)))
    notes.push(`${id} needs the file “${name}”, which a composition does not carry: attach it.`);
  const there: Record<'recipe' | 'checks', Recipe | Checks | null> = {
    recipe: await recipeOfTask(workspace, id),
    checks: await checksOfTask(workspace, id),
  };
  for (const role of ['recipe', 'checks'] as const) {
    const coming = task[role];
    if (coming === null || isDeepStrictEqual(coming, there[role])) continue;
    if (there[role] !== null) {
      notes.push(`${id} keeps its own ${role}, which differ${role === 'recipe' ? 's' : ''} from the one that came.`);
      continue;
    }
    const body = Readable.from([Buffer.from(`${JSON.stringify(coming, null, 2)}\n`)]);
    await attach(workspace, { task: id, role, name: `${role}.json`, body });
  }
  return id;
}

async function softwareCalled({ store }: Workspace, name: string): Promise<Software> {
  try {
    return await findSoftware(store, name);
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'UNKNOWN_APP') throw error;
    return addSoftware(store, { name });
  }
}
