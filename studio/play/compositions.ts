import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { brokenLaws, changesAreNamed, tasksAreThere } from '../../core/compositions/laws.ts';
import { ownContent } from '../../core/compositions/own.ts';
import { parametersOf } from '../../core/compositions/parameters.ts';
import { taskOfPlace, withTaskPlaces } from '../../core/compositions/places.ts';
import { taskPlacesAreThere } from '../../core/compositions/template-laws.ts';
import { append } from '../../core/lists.ts';
import { putNewest } from '../../core/newest.ts';
import type { Checks } from '../../schemas/checks.ts';
import {
  type BrokenLaw,
  type CarriedTask,
  type Composition,
  compositionSchema,
  type Member,
  memberSchema,
} from '../../schemas/composition.ts';
import {
  COMPOSITION_SCHEMA,
  VERSION_WITH_VERIFICATION,
  VERSION_WITHOUT_EVENTS,
} from '../../schemas/composition-terms.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Recipe } from '../../schemas/play.ts';
import { takePeople } from '../documents/arrival.ts';
import { takeVerification } from '../documents/joined/carried-compositions.ts';
import { compositionOf, keepComposition, listCompositions } from '../documents/joined/composition-files.ts';
import { readVerification } from '../documents/joined/verification-log.ts';
import { attach, attachedFiles } from '../store/attachments.ts';
import { otherTask, otherTaskWords, tasksOfGoal } from '../store/other-task.ts';
import { addSoftware, findSoftware, type Software } from '../store/software.ts';
import { answerOf, ensureTask, fillAnswer, taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { recipeOfTask } from './recipe.ts';
import { checksIn, contentsOfTasks, readTasks, servicesIn } from './task-contents.ts';

/** Compositions with the tasks of their workspace: made of them, with their laws, and as one file with them. */

/** Broken laws of a composition in this workspace. */
export async function brokenIn(workspace: Workspace, composition: Composition): Promise<BrokenLaw[]> {
  const tasks = composition.members.flatMap(({ task }) => task ?? []);
  const named = parametersOf(composition).flatMap(({ varies }) => varies.puts.flatMap((at) => taskOfPlace(at) ?? []));
  const read = await readTasks(workspace, [...tasks, ...named]);
  return [
    ...lawsOf(composition),
    ...tasksAreThere(composition, checksIn(read)),
    ...changesAreNamed(composition, servicesIn(read)),
    ...taskPlacesAreThere(composition, await contentsOfTasks(workspace, named, read)),
  ];
}

/** By the hash of the composition, the last used ones last. */
const knownLaws = new Map<string, readonly BrokenLaw[]>();
const MOST_KNOWN = 50;

/** Those of the composition itself: a template of 500 members takes a second, and is asked about at each look at a page. */
function lawsOf(composition: Composition): readonly BrokenLaw[] {
  const key = createHash('sha256').update(JSON.stringify(composition)).digest('base64');
  const laws = knownLaws.get(key) ?? brokenLaws(composition);
  putNewest(knownLaws, key, laws, MOST_KNOWN);
  return laws;
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

/**
 * As one file: with its tasks, their recipes and checks, and how people verified it, with their names. Files of tasks are named,
 * and go by an archive, as recordings do.
 */
export async function exportedComposition(workspace: Workspace, id: string): Promise<Composition> {
  const composition = ownContent(compositionOf(workspace, id));
  const tasks: CarriedTask[] = [];
  for (const task of new Set(composition.members.flatMap((member) => member.task ?? [])))
    tasks.push(await carried(workspace, task));
  const events = readVerification(workspace, id);
  if (events.length === 0) return { ...composition, tasks };
  const { version } = composition;
  const exported = version > VERSION_WITH_VERIFICATION ? version : VERSION_WITH_VERIFICATION;
  return { ...composition, version: exported, tasks, verification: { version, events } };
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
  const isOfTemplate = composition.origin !== undefined || parametersOf(composition).length > 0;
  for (const task of composition.tasks ?? []) {
    const others = isOfTemplate ? await otherTasksOfGoal(workspace, task) : [];
    ids.set(task.id, await takeTask(workspace, task, notes, new Set([...others, ...ids.values()])));
  }
  const members = composition.members.map((member) => {
    return { ...member, task: member.task && (ids.get(member.task) ?? member.task) };
  });
  const own = ownContent(withTaskPlaces({ ...composition, members }, ids));
  const file = keepComposition(workspace, own, { replace: options.replace ?? false });
  const { events = [] } = composition.verification ?? {};
  append(notes, await takeVerification(workspace, { composition: own, was: composition, events, people: takePeople }));
  return { file, composition: own, notes };
}

/**
 * Tasks here of the same goal that are other ones all the same: a template and its instances may differ in what their recipes and
 * checks hold alone.
 */
async function otherTasksOfGoal(workspace: Workspace, task: CarriedTask): Promise<string[]> {
  const { store } = workspace;
  const software = await softwareCalled(workspace, task.software);
  const others: string[] = [];
  for (const id of await tasksOfGoal(store, software, task.goal)) {
    const held = [await recipeOfTask(workspace, id), await checksOfTask(workspace, id)];
    const differs = [task.recipe, task.checks].some((one, n) => held[n] !== null && !isDeepStrictEqual(one, held[n]));
    if (differs) others.push(id);
  }
  return others;
}

async function takeTask(
  workspace: Workspace,
  task: CarriedTask,
  notes: string[],
  taken: ReadonlySet<string>,
): Promise<string> {
  const { store } = workspace;
  const software = await softwareCalled(workspace, task.software);
  const other = await otherTask(store, task.id, { software, goal: task.goal }, taken);
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
