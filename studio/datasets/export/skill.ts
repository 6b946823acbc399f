import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExportAction, ExportTask } from '../../../core/export/model.ts';
import { parseShallow } from '../../../core/json-depth.ts';
import { checkWords } from '../../../core/skill/check-words.ts';
import { type SkillFacts, skillDocument, stepsDocument } from '../../../core/skill/document.ts';
import { inputsOf, type SkillInput } from '../../../core/skill/inputs.ts';
import { SKILL_FILE, STEPS_FILE_OF_SKILL, skillName, whyNoSkillName } from '../../../core/skill/rules.ts';
import { changedPixels, isBack, isSameButCaret } from '../../../core/skill/same-screen.ts';
import { hiding, type SkillPlan, secretsOf, skillPlanOf, waysBack } from '../../../core/skill/steps.ts';
import { checksSchema } from '../../../schemas/checks.ts';
import type { ProofState } from '../../../schemas/dataset.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { readBounded } from '../../files/bounded.ts';
import { hashInside } from '../../files/hash.ts';
import { readRgb } from '../../files/picture.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import { MOST_TASK_FILE_BYTES } from '../../store/task-files.ts';
import type { ExportSource } from '../export-source.ts';
import { copyToTarget, missingFile, refuseStranger, writeTarget } from './target.ts';

/** Demonstrations as skills for agents: a folder a task, by the public specification of agent skills. */

export type WrittenSkill = {
  /** The skill's name and its folder's. */
  name: string;
  task: string;
  /** The one that it shows first. */
  recordings: string[];
  steps: number;
  /** `examples`: a value of each recording, null where it has none; empty for a secret. */
  inputs: { name: string; kind: string; examples: (string | null)[] }[];
  /** Steps that came to nothing. */
  leftOut: number;
  leftOutSteps: SkillPlan['leftOut'];
  pictures: number;
  proof: ProofState;
  /** What is not in it, and why. */
  withheld: string[];
};

export type SkillWishes = {
  /** The recordings by id. Of several of one task the first is shown, the others are further examples of it. */
  recordings: readonly string[];
  /** Only with one task; made of its goal where it is left out. */
  name?: string | undefined;
  progress(text: string): void;
  signal?: AbortSignal | undefined;
};

/**
 * Writes a skill for each task of the recordings into `out`, whole or not at all. Throws NOTHING_TO_EXPORT where a recording has no
 * step, TARGET_EXISTS, BAD_FILE (a picture is missing), DISK_FULL, CANCELLED.
 */
export async function exportSkills(source: ExportSource, out: string, wishes: SkillWishes): Promise<WrittenSkill[]> {
  const { recordings, signal, progress } = wishes;
  const why = wishes.name === undefined ? null : whyNoSkillName(wishes.name);
  if (why !== null) throw new StudioError('USAGE', `"${wishes.name}" is no name of a skill: ${why}.`, {});
  const byTask = new Map<string, ExportTask[]>();
  for await (const task of source.tasks()) {
    const id = task.another ?? task.id;
    byTask.set(id, [...(byTask.get(id) ?? []), task]);
  }
  const place = ({ recordings: [one] }: ExportTask): number => recordings.indexOf(one?.id ?? '');
  const tasks = [...byTask].map(([id, all]) => {
    const [shown, ...others] = all.toSorted((a, b) => place(a) - place(b));
    return [id, [shown!, ...others]] as const; // A task comes into the map with its first recording.
  });
  if (tasks.length === 0) {
    const reasons = source.leftOut().map(({ item, reason }) => `${item}: ${reason}`);
    throw new StudioError(
      'NOTHING_TO_EXPORT',
      `No skill can be made: ${reasons.join('; ') || 'nothing was recorded'}.`,
      {},
    );
  }
  if (wishes.name !== undefined && tasks.length > 1)
    throw new StudioError('USAGE', `--name goes with one task; these are ${tasks.length}. Leave it out.`, {});
  return writeTarget(out, async (folder) => {
    const written: WrittenSkill[] = [];
    const taken = new Set<string>();
    for (const [id, all] of tasks) {
      refuseCancelled(signal);
      progress(`${id} …`);
      const inputs = inputsOfTask(all);
      refuseSecretIn(wishes.name, inputs);
      const name = wishes.name ?? freeName(nameOf(id, all[0].goal, inputs), taken);
      taken.add(name);
      written.push(await writeSkill(path.join(folder, name), { name, id, all, inputs }));
    }
    return written;
  });
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted.slice(0, 60)}-${number}`;
  return name;
}

const actionsOf = ({ subtasks }: ExportTask): ExportAction[] =>
  subtasks.toSorted((a, b) => a.id - b.id).flatMap((one) => one.actions.toSorted((a, b) => a.rank - b.rank));
const inputsOfTask = ([task, ...others]: readonly [ExportTask, ...ExportTask[]]): SkillInput[] =>
  inputsOf(
    [task, ...others].map(actionsOf),
    [task.goal, ...(task.answer ? [task.answer] : [])],
    task.subtasks.map(({ query }) => query),
  );

/** By its goal, without a secret that somebody wrote there. */
const nameOf = (id: string, goal: string, inputs: readonly SkillInput[]): string =>
  skillName(hiding(inputs.filter(({ kind }) => kind === 'secret'))(goal), id);

/** Throws USAGE for a name that says a secret: a name has small letters alone. */
function refuseSecretIn(name: string | undefined, inputs: readonly SkillInput[]): void {
  const secrets = inputs.flatMap(secretsOf).flatMap((one) => (/[a-z0-9]/i.test(one) ? [skillName(one, '')] : []));
  if (name === undefined || !secrets.some((one) => one.length > 2 && name.includes(one))) return;
  throw new StudioError('USAGE', 'The name says a secret that was typed in the recording. Give it another one.', {});
}

type Skill = { name: string; id: string; all: readonly [ExportTask, ...ExportTask[]]; inputs: readonly SkillInput[] };

async function writeSkill(folder: string, { name, id, all, inputs }: Skill): Promise<WrittenSkill> {
  const [task] = all;
  const actions = actionsOf(task);
  if (actions.length === 0) throw new StudioError('NOTHING_TO_EXPORT', `${id} has no step, so there is no skill.`, {});
  const { same, givenUp } = await outcomesOf(actions, id);
  const plan = skillPlanOf(task, inputs, same, givenUp);
  await mkdir(path.join(folder, 'assets'), { recursive: true });
  await mkdir(path.join(folder, 'references'), { recursive: true });
  const withheld: string[] = [];
  const pictures = await putPictures(folder, id, plan, inputs, withheld);
  const recipe = await ownFile(task, 'recipe', folder, inputs, withheld);
  const checks = await ownFile(task, 'checks', folder, inputs, withheld);
  const parsed = checks === null ? null : checksSchema.safeParse(parseShallow(checks));
  const facts: SkillFacts = {
    name,
    task,
    inputs,
    plan,
    recordings: all.flatMap((one) => one.recordings.map((recording) => recording.id)),
    checks: parsed?.success ? parsed.data.checks.map(checkWords) : [],
    hasRecipe: recipe !== null,
    pictures,
    withheld,
  };
  await writeFile(path.join(folder, SKILL_FILE), skillDocument(facts));
  await writeFile(path.join(folder, STEPS_FILE_OF_SKILL), stepsDocument(facts));
  return {
    name,
    task: id,
    recordings: [...facts.recordings],
    steps: plan.steps.length,
    inputs: inputs.map(({ name: called, kind, examples }) => ({ name: called, kind, examples })),
    leftOutSteps: plan.leftOut,
    leftOut: plan.leftOut.reduce((sum, { steps }) => sum + steps.length, 0),
    pictures: [...pictures.values()].reduce((sum, { before, after }) => sum + (before ? 1 : 0) + (after ? 1 : 0), 0),
    proof: task.proof ?? 'untried',
    withheld,
  };
}

/** What the pictures say of steps that came to nothing. */
type Outcomes = { same(a: string, b: string): boolean; givenUp(from: number, to: number): boolean };

async function outcomesOf(actions: readonly ExportAction[], item: string): Promise<Outcomes> {
  const hashes = new Map<string, string>();
  for (const { beforeImage, afterImage } of actions)
    for (const picture of [beforeImage, afterImage])
      if (picture && !hashes.has(picture.path)) hashes.set(picture.path, await hashOf(picture.path, item));
  const isEqual = (a: string, b: string): boolean => hashes.get(a) === hashes.get(b);
  const [alike, back] = [new Set<string>(), new Set<string>()];
  const changes = new Map<number, ReadonlySet<number> | null>();
  const changedBy = async (at: number): Promise<ReadonlySet<number> | null> => {
    const { beforeImage, afterImage } = actions[at]!;
    if (!changes.has(at)) {
      const isSeen = beforeImage !== null && afterImage !== null;
      changes.set(at, isSeen ? changedPixels(await readRgb(beforeImage.path), await readRgb(afterImage.path)) : null);
    }
    return changes.get(at) ?? null;
  };
  for (const { from, to, givesUp } of waysBack(actions)) {
    for (const early of changes.keys()) if (early < from) changes.delete(early);
    const [before, between, after] = [actions[from]!.beforeImage, actions[from]!.afterImage, actions[to]!.afterImage];
    if (!before || !between || !after) continue;
    const first = await readRgb(before.path);
    for (const { path: other } of [between, after])
      if (!isEqual(before.path, other) && isSameButCaret(first, await readRgb(other)))
        alike.add(`${before.path}\0${other}`);
    if (!givesUp) continue;
    const changed: ReadonlySet<number>[] = [];
    for (let at = from; at < to; at++) changed.push((await changedBy(at)) ?? new Set());
    if (isBack(first, await readRgb(after.path), changed)) back.add(`${from} ${to}`);
  }
  return {
    same: (a, b) => isEqual(a, b) || alike.has(`${a}\0${b}`),
    givenUp: (from, to) => back.has(`${from} ${to}`),
  };
}

/** Throws BAD_FILE for one that is missing, or no plain file. */
async function hashOf(file: string, item: string): Promise<string> {
  try {
    return await hashInside(path.dirname(file), path.basename(file));
  } catch (error) {
    throw missingFile(error, file, item);
  }
}

/** Withheld for another reason than its field's kind: that field may show its letters. An older recording says no reason. */
const mayShow = ({ action: { withheld, withheldWhy = [] } }: ExportAction): boolean =>
  withheld === true && withheldWhy.some((why) => why === 'program' || why === 'was-field' || why === 'unanswered');

/** Pictures from the moment on in which a secret was typed so that it can be read are not in it: the screen may show it. */
async function putPictures(
  folder: string,
  item: string,
  { steps }: SkillPlan,
  inputs: readonly SkillInput[],
  withheld: string[],
): Promise<SkillFacts['pictures']> {
  const clear = new Set(inputs.flatMap(({ hidden, actions }) => (hidden.length > 0 ? actions : [])));
  const pictures = new Map<number, { before?: string; after?: string }>();
  let isShown = true;
  for (const [at, { exported }] of steps.entries()) {
    const number = String(at + 1).padStart(3, '0');
    const found: { before?: string; after?: string } = {};
    if (isShown && exported.beforeImage) {
      found.before = `assets/${number}-before.png`;
      await copyToTarget(exported.beforeImage.path, path.join(folder, found.before), item);
    }
    if (isShown && (clear.has(exported.id) || mayShow(exported))) {
      isShown = false;
      withheld.push(`No pictures from the end of step ${at + 1} on: a secret was typed there so that it can be read.`);
    }
    if (isShown && exported.afterImage) {
      found.after = `assets/${number}-after.png`;
      await copyToTarget(exported.afterImage.path, path.join(folder, found.after), item);
    }
    pictures.set(at + 1, found);
  }
  return pictures;
}

/** The task's newest recipe or checks, as it is; null where it has none, or one that names a secret. */
async function ownFile(
  { attachments = [], id }: ExportTask,
  role: 'recipe' | 'checks',
  folder: string,
  inputs: readonly SkillInput[],
  withheld: string[],
): Promise<string | null> {
  const file = attachments.findLast((one) => one.role === role)?.path;
  if (file === undefined) return null;
  await refuseStranger(file, id);
  const text = readBounded(file, MOST_TASK_FILE_BYTES).toString('utf8');
  // As JSON writes it: a secret may hold what is escaped there.
  const written = JSON.stringify(parseShallow(text));
  const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);
  const secrets = inputs.map((input) => ({ ...input, examples: [], said: [], hidden: secretsOf(input).map(escaped) }));
  if (hiding(secrets)(written) !== written) {
    withheld.push(`The ${role} of the task is left out: it names a secret.`);
    return null;
  }
  await writeFile(path.join(folder, `${role}.json`), text);
  return text;
}
