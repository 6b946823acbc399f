import { Readable } from 'node:stream';
import { instanceOf, otherMembers, tasksOfInstance } from '../../core/compositions/instances.ts';
import { brokenLaws } from '../../core/compositions/laws.ts';
import { drawnSets, drawsOf, keyOfSet, parametersOf, type ValueSet } from '../../core/compositions/parameters.ts';
import { placesWith, type TaskContent } from '../../core/compositions/places.ts';
import { valuesText } from '../../core/compositions/template-laws.ts';
import { plural } from '../../core/words.ts';
import { checksSchema } from '../../schemas/checks.ts';
import { type BrokenLaw, type Composition, compositionSchema } from '../../schemas/composition.ts';
import { StudioError } from '../../schemas/errors.ts';
import { recipeSchema } from '../../schemas/play.ts';
import { compositionOf, keepComposition } from '../documents/joined/composition-files.ts';
import { compositionHeads } from '../documents/joined/composition-heads.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { openHandleIn } from '../files/inside.ts';
import { attach, attachedFiles, listAttachments } from '../store/attachments.ts';
import { breathe } from '../store/breathe.ts';
import { findSoftware } from '../store/software.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { brokenIn } from './compositions.ts';
import { beginInstance, endInstance, takeBackBegun } from './instances-begun.ts';
import { contentsOfTasks } from './task-contents.ts';

/** Instances of a template in a workspace: compositions with other values, and tasks of their own for what is another one by them. */

type Made = { id: string; values: Record<string, string>; tasks: string[] };
/** A set of values of which no instance was made, as it would break a law. */
type LeftOut = { values: Record<string, string>; why: string };
export type Instances = {
  made: Made[];
  /** Made before by the same seed, and here as they are. */
  there: string[];
  leftOut: LeftOut[];
  /** Sentences about tasks of instances whose making was broken off. */
  notes: string[];
};

type Planned = { instance: Composition; tasks: Map<string, TaskContent> };

/** So many sets in a row that break laws, after which it is taken that the others do as well. */
const MOST_LEFT_OUT = 500;

/**
 * Makes instances until there are `count` of this seed. The same seed gives the same ones, and those that are here stay as they
 * are; none has the values of the template or of another instance of it. Throws USAGE where nothing varies, the template breaks a
 * law, or its values do not give so many: then none is made. Stopped by the signal, each one that is made by then is whole, and the
 * same call makes the others.
 */
export const makeInstances = (workspace: Workspace, id: string, wished: Wished): Promise<Instances> =>
  // Two at once would find the same numbers free, and the second make tasks for a composition whose id is taken by then.
  withFolderLock(workspace.dir, 'instances', () => makeAll(workspace, id, wished));

type Wished = { count: number; seed: number; signal?: AbortSignal };

async function makeAll(workspace: Workspace, id: string, { count, seed, signal }: Wished): Promise<Instances> {
  const template = compositionOf(workspace, id);
  await needTemplate(workspace, template);
  // First, so that an instance that is made anew has the same tasks as if nothing had happened.
  const notes = await takeBackBegun(workspace);
  const contents = await contentsOfTasks(workspace, tasksOf(template));
  const siblings = (await compositionHeads(workspace)).flatMap(({ id: own, origin }) => {
    if (origin?.template !== id) return [];
    return [{ id: own, ...origin, key: keyOfSet(new Map(origin.values.map((v) => [v.name, v.value]))) }];
  });
  const taken = new Map(siblings.map((one) => [one.key, one]));
  const numbers = new Set(siblings.flatMap((one) => (one.seed === seed ? [one.number] : [])));
  const there: string[] = [];
  const leftOut: LeftOut[] = [];
  const planned: Planned[] = [];
  let number = 0;
  for (const values of drawnSets(template, seed)) {
    if (there.length + planned.length >= count || leftOut.length >= MOST_LEFT_OUT) break;
    await breathe();
    signal?.throwIfAborted();
    const sibling = taken.get(keyOfSet(values));
    if (sibling) {
      if (sibling.seed === seed) there.push(sibling.id);
      continue;
    }
    do number++;
    while (numbers.has(number));
    const plan = planOf(template, contents, { seed, number, values });
    if ('why' in plan) {
      number--;
      leftOut.push({ values: Object.fromEntries(values), why: plan.why });
    } else planned.push(plan);
  }
  if (there.length + planned.length < count) throw tooFew(template, { count, planned, there, leftOut, siblings });
  const made: Made[] = [];
  for (const plan of planned) {
    await breathe();
    signal?.throwIfAborted();
    made.push(await keep(workspace, template, plan));
  }
  return { made, there, leftOut, notes };
}

const tasksOf = ({ members }: Composition): string[] => [...new Set(members.flatMap(({ task }) => task ?? []))];

async function needTemplate(workspace: Workspace, template: Composition): Promise<void> {
  const { id, origin } = template;
  if (parametersOf(template).length === 0) {
    const how = origin
      ? `It is an instance of “${origin.template}”: make more of that.`
      : 'Say how values that are given vary: on its edit page, or in its file (docs/compositions.md, “Templates”).';
    throw new StudioError('USAGE', `Nothing of the composition “${id}” varies. ${how}`, { composition: id });
  }
  const laws = await brokenIn(workspace, template);
  // One that only some values break leaves out these.
  const inTheWay = laws.filter(({ kind, law }) => kind === 'broken' && law !== 'CP28');
  if (inTheWay.length === 0) return;
  throw new StudioError(
    'USAGE',
    `The composition “${id}” breaks laws, which its instances would break as well: ${lawsText(inTheWay)} Mend it first; \`compositions check ${id}\` says all.`,
    { composition: id },
  );
}

const lawsText = (laws: readonly BrokenLaw[]): string =>
  laws
    .slice(0, 3)
    .map(({ law, member, why }) => `${[law, member].filter((part) => part !== null).join(' ')}: ${why}`)
    .join(' ');

type Drawn = { seed: number; number: number; values: ValueSet };

/** An instance with the tasks that are other ones in it, by the template's; or why there is none with these values. */
function planOf(
  template: Composition,
  contents: ReadonlyMap<string, TaskContent>,
  drawn: Drawn,
): Planned | { why: string } {
  const raw = instanceOf(template, drawn);
  const read = compositionSchema.safeParse(raw);
  if (!read.success) return { why: faultText(read.error.issues) };
  const laws = brokenLaws(read.data).filter(({ kind }) => kind === 'broken');
  if (laws.length > 0) return { why: lawsText(laws) };
  const others = otherMembers(template, read.data);
  const taskOf = tasksOfInstance(template, read.data);
  const tasks = new Map<string, TaskContent>();
  for (const { id, task } of template.members) {
    const content = contents.get(task ?? '');
    if (task === null || content === undefined || !others.has(id) || tasks.has(task)) continue;
    const other = taskOf(task, content);
    for (const [part, schema] of [['recipe', recipeSchema] as const, ['checks', checksSchema] as const]) {
      const fits = other[part] === null ? null : schema.safeParse(other[part]);
      if (fits && !fits.success) return { why: `The ${part} of ${task}: ${faultText(fits.error.issues)}` };
    }
    tasks.set(task, other);
  }
  const members = read.data.members.map((member) => {
    const { recording: _recording, ...rest } = member;
    // A demonstration with other values shows another task.
    return others.has(member.id) ? rest : member;
  });
  return { instance: { ...read.data, members }, tasks };
}

const faultText = (issues: readonly { path: PropertyKey[]; message: string }[]): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.')}: ${message}.`)
    .join(' ');

type Found = {
  count: number;
  planned: readonly Planned[];
  there: readonly string[];
  leftOut: readonly LeftOut[];
  siblings: readonly { id: string }[];
};

function tooFew(template: Composition, { count, planned, there, leftOut, siblings }: Found): StudioError {
  const draws = drawsOf(template);
  const more = planned.length + there.length;
  const given = `Its values can be drawn in ${plural(draws, 'way')}`;
  const taken =
    siblings.length > 0
      ? `, ${plural(siblings.length, 'instance')} of it ${siblings.length === 1 ? 'is' : 'are'} here already`
      : '';
  const left = leftOut[0];
  const broke =
    left === undefined
      ? ''
      : ` ${plural(leftOut.length, 'set')} of values would break a law: with ${valuesText(template, new Map(Object.entries(left.values)))}, ${left.why}`;
  return new StudioError(
    'USAGE',
    `“${template.id}” does not give ${plural(count, 'instance')} by this seed, no two of the same values: ${more === 0 ? 'it gives none' : `it gives ${more}`}. ${given}${taken}; the template’s own are none.${broke} Nothing was made: ask for fewer, or give its values more to vary.`,
    { composition: template.id, possible: more },
  );
}

/**
 * Its tasks first, the composition last. Where that fails nothing of it stays; what a kill leaves is taken back by the next call.
 */
async function keep(workspace: Workspace, template: Composition, { instance, tasks }: Planned): Promise<Made> {
  const { store } = workspace;
  const all = [...tasks];
  const wanted = [];
  for (const [task, { goal, answer }] of all)
    wanted.push({ software: await findSoftware(store, (await taskById(store, task)).software), goal, answer });
  const about = { id: instance.id, template: template.id, seed: instance.origin?.seed ?? 0 };
  const made = await beginInstance(store, about, wanted);
  try {
    const ids = new Map(all.map(([task], n) => [task, made[n] ?? task]));
    for (const [task, content] of all) await giveFiles(workspace, task, { id: ids.get(task) ?? task, content });
    const members = instance.members.map((member) => {
      return { ...member, task: member.task && (ids.get(member.task) ?? member.task) };
    });
    keepComposition(workspace, { ...instance, version: template.version, members });
    await endInstance(store, instance.id);
  } catch (error) {
    // Why it failed is what is said; what cannot be taken back now is taken back later.
    await takeBackBegun(workspace).catch(() => undefined);
    throw error;
  }
  const values = Object.fromEntries((instance.origin?.values ?? []).map(({ name, value }) => [name, value]));
  return { id: instance.id, values, tasks: made };
}

/** Gives a new task the files that its recipe and checks name, and those that are there to be used. */
async function giveFiles(
  workspace: Workspace,
  task: string,
  { id, content: { recipe, checks } }: { id: string; content: TaskContent },
): Promise<void> {
  const { store } = workspace;
  const named = JSON.stringify([recipe, checks]);
  const roles = new Map((await listAttachments(store, task)).map((one) => [one.name, one.role]));
  for (const [name, path] of await attachedFiles(store, task)) {
    const role = roles.get(name);
    if (role === undefined || role === 'recipe' || role === 'checks') continue;
    if (role !== 'material' && !named.includes(JSON.stringify(name))) continue;
    const file = await openHandleIn(workspace.dir, path);
    // Its end, and every fault, closes the file.
    await attach(workspace, { task: id, role, name, body: file.createReadStream() });
  }
  for (const [role, held] of [['recipe', recipe] as const, ['checks', checks] as const]) {
    if (held === null) continue;
    const body = Readable.from([Buffer.from(`${JSON.stringify(held, null, 2)}\n`)]);
    await attach(workspace, { task: id, role, name: `${role}.json`, body });
  }
}

/** Where a given value stands as it is written, in a composition and its tasks. Throws USAGE for a name that is none. */
export async function placesOfValue(workspace: Workspace, composition: Composition, name: string): Promise<string[]> {
  const given = composition.context.given.find((one) => one.name === name);
  if (!given) {
    const names = composition.context.given.map((one) => one.name).join(', ');
    throw new StudioError(
      'USAGE',
      `“${name.slice(0, 80)}” is not given in “${composition.id}”. Given: ${names || 'nothing'}.`,
      {
        composition: composition.id,
      },
    );
  }
  const contents = await contentsOfTasks(workspace, tasksOf(composition));
  const inTasks = [...contents].flatMap(([task, content]) => placesWith(content, given.value, `tasks/${task}/`));
  return [...placesWith(composition, given.value), ...inTasks];
}
