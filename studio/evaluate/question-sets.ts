import { randomBytes } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { type QuestionSet, questionSetSchema } from '../../schemas/api/evaluate.ts';
import { StudioError } from '../../schemas/errors.ts';
import { QUESTION_KINDS, type QuestionLevel, questionSchema } from '../../schemas/questions.ts';
import { writeFileAtomic } from '../store/atomic.ts';
import type { Workspace } from '../store/workspace.ts';
import { openTruth } from './inputs.ts';
import { loadPrompts } from './prompt-files.ts';
import { tasksToAsk } from './tasks.ts';
import { writeQuestions } from './write-questions.ts';

/**
 * Question sets of a workspace: evaluations/questions/<id>/ with set.json, the files of questions and their pictures.
 * A folder appears whole or not at all.
 */

const ID = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$/;
const PICTURE = /\.(?:png|jpe?g|webp|gif)$/i;
const MOST_LEFT_OUT = 200;

/** `2026-11-22-1f0c9a3e`: sorts by day, names nothing outside. */
export const newId = (): string => `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`;

export const evaluationsDir = ({ dir }: Pick<Workspace, 'dir'>): string => join(dir, 'evaluations');
const setsDir = (workspace: Pick<Workspace, 'dir'>): string => join(evaluationsDir(workspace), 'questions');

/** The folder of an id that came from outside. Throws UNKNOWN_FILE. */
export function folderOf(parent: string, id: string, what: string): string {
  const folder = join(parent, id);
  if (ID.test(id) && existsSync(folder)) return folder;
  throw new StudioError('UNKNOWN_FILE', `There is no ${what} "${id}". It may have been removed; load the page again.`, {
    id,
  });
}

export const questionSetFolder = (workspace: Pick<Workspace, 'dir'>, id: string): string =>
  folderOf(setsDir(workspace), id, 'question set');

/** What folders of this kind hold, newest first; one that cannot be read is passed over. */
export function readAll<T extends { madeAt: string }>(parent: string, file: string, schema: z.ZodType<T>): T[] {
  if (!existsSync(parent)) return [];
  const found = readdirSync(parent).flatMap((id) => {
    try {
      return ID.test(id) ? [schema.parse(JSON.parse(readFileSync(join(parent, id, file), 'utf8')))] : [];
    } catch {
      return [];
    }
  });
  return found.sort((a, b) => (a.madeAt < b.madeAt ? 1 : a.madeAt > b.madeAt ? -1 : 0));
}

export const listQuestionSets = (workspace: Pick<Workspace, 'dir'>): QuestionSet[] =>
  readAll(setsDir(workspace), 'set.json', questionSetSchema);

export function getQuestionSet(workspace: Pick<Workspace, 'dir'>, id: string): QuestionSet {
  questionSetFolder(workspace, id);
  const set = listQuestionSets(workspace).find((one) => one.id === id);
  if (set) return set;
  throw new StudioError('BAD_FILE', `The question set "${id}" cannot be read: its set.json is damaged. Remove it.`, {
    id,
  });
}

export type MakeQuestions = {
  name?: string | undefined;
  levels: readonly QuestionLevel[];
  everyState: boolean;
  /** A folder that gets a copy; it must not exist. */
  out: string | null;
};

/** Asks about the workspace's recordings. Throws NOTHING_TO_EXPORT when no level has a question, TARGET_EXISTS. */
export async function makeQuestionSet(workspace: Workspace, wanted: MakeQuestions): Promise<QuestionSet> {
  const { levels, everyState, out } = wanted;
  if (out !== null) refuseTaken(out);
  const prompts = loadPrompts(null);
  const { tasks, leftOut } = await tasksToAsk(workspace, { all: everyState });
  const name = wanted.name ?? basename(workspace.dir);
  const set = await putSet(workspace, name, 'workspace', (folder) => {
    const left = leftOut.map(({ item, reason }) => ({ item, reason }));
    const files: QuestionSet['files'] = [];
    let dataset: QuestionSet['dataset'] = null;
    let nothing: unknown = null;
    for (const level of new Set(levels)) {
      try {
        const made = writeQuestions(tasks, {
          ...{ level, out: join(folder, `${level}.jsonl`), truth: null, prompts, name: basename(workspace.dir) },
          ...{ scrollOrder: 'shuffled', seed: 1 },
        });
        dataset ??= made.head.dataset;
        files.push({ file: `${level}.jsonl`, level, counts: made.counts });
        left.push(...made.leftOut.map(({ item, reason }) => ({ item: `${level}: ${item}`, reason })));
      } catch (error) {
        if (!(error instanceof StudioError && error.code === 'NOTHING_TO_EXPORT')) throw error;
        nothing ??= error;
        left.push({ item: level, reason: 'there is nothing to ask on this level' });
      }
    }
    if (files.length === 0) throw explained(nothing, left);
    return { dataset, files, leftOut: left };
  });
  if (out !== null) copySet(workspace, set.id, out);
  return set;
}

/** A set whose copy cannot be written is not kept: the person asked for both. */
function copySet(workspace: Workspace, id: string, out: string): void {
  try {
    cpSync(questionSetFolder(workspace, id), out, { recursive: true, errorOnExist: true });
  } catch (error) {
    rmSync(out, { recursive: true, force: true });
    removeQuestionSet(workspace, id);
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError(
      'USAGE',
      `The copy cannot be written to ${out}: ${why}. Give another folder; no questions were kept.`,
      { out },
      { cause: error },
    );
  }
}

/** The first level's own error, with what the page's person can do. */
function explained(error: unknown, left: readonly { item: string; reason: string }[]): StudioError {
  const reasons = [...new Set(left.map(({ reason }) => reason))].slice(0, 5).join('; ');
  return new StudioError(
    'NOTHING_TO_EXPORT',
    `There is nothing to ask: ${reasons}. Annotate and approve recordings first, or include recordings of every state.`,
    {},
    { cause: error },
  );
}

/** Copies files that `questions` wrote, with the pictures beside them. Throws BAD_FILE with every wrong line, USAGE. */
export function takeQuestionSet(
  workspace: Workspace,
  { name, paths }: { name?: string | undefined; paths: readonly string[] },
): Promise<QuestionSet> {
  const sources = paths.map((path) => resolve(path));
  const names = sources.map((path) => basename(path));
  if (new Set(names).size < names.length || names.includes('set.json')) {
    throw new StudioError('USAGE', 'Files of one question set need names of their own, none of them set.json.', {
      paths,
    });
  }
  return putSet(workspace, name ?? basename(names[0]!, extname(names[0]!)), 'files', (folder) => {
    let dataset: QuestionSet['dataset'] = null;
    const files = sources.map((source, i) => {
      const { counts, pictures, head } = lookAt(source);
      dataset ??= head?.dataset ?? null;
      copyFileSync(source, join(folder, names[i]!));
      for (const picture of pictures) copyPicture(dirname(source), picture, folder, source);
      return { file: names[i]!, level: head?.level ?? null, counts };
    });
    // Together: ids that stand in two files, files of two versions.
    openAll(sources).close();
    return { dataset, files, leftOut: [] };
  });
}

function openAll(files: readonly string[]) {
  return openTruth(files, questionSchema, ({ kind, truth }) =>
    truth ? QUESTION_KINDS.indexOf(kind) : 'it holds no truth: give the file that `questions --truth` wrote',
  );
}

function lookAt(file: string) {
  const truth = openAll([file]);
  try {
    const counts: Record<string, number> = {};
    const pictures = new Set<string>();
    for (let place = 0; place < truth.table.size; place++) {
      const { kind, images } = truth.read(place);
      counts[kind] = (counts[kind] ?? 0) + 1;
      for (const image of images) pictures.add(image);
    }
    return { counts, pictures, head: truth.head };
  } finally {
    truth.close();
  }
}

/** A path of a file from outside: only a picture in one folder beside it is taken. */
function copyPicture(from: string, picture: string, folder: string, source: string): void {
  const parts = picture.split('/');
  const plain = parts.length <= 2 && parts.every((part) => /^[^/\\\0]+$/.test(part) && part !== '.' && part !== '..');
  if (!plain || !PICTURE.test(picture)) {
    throw new StudioError(
      'BAD_FILE',
      `${source}: the picture "${picture}" does not lie in a folder beside it. Give the file as \`questions\` wrote it.`,
      { file: source, picture },
    );
  }
  const target = join(folder, picture);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  try {
    copyFileSync(join(from, picture), target);
  } catch (error) {
    throw new StudioError(
      'BAD_FILE',
      `${source}: its picture ${picture} cannot be read. Keep the folder of pictures beside the file.`,
      { file: source, picture },
      { cause: error },
    );
  }
}

type Filling = Pick<QuestionSet, 'dataset' | 'files' | 'leftOut'>;

async function putSet(
  workspace: Pick<Workspace, 'dir'>,
  name: string,
  source: QuestionSet['source'],
  fill: (folder: string) => Filling,
): Promise<QuestionSet> {
  const id = newId();
  const parent = setsDir(workspace);
  const temporary = join(parent, `.${id}.partial`);
  mkdirSync(temporary, { recursive: true });
  try {
    const { leftOut, ...filled } = fill(temporary);
    const set: QuestionSet = {
      ...{ id, name, madeAt: new Date().toISOString(), source, ...filled },
      ...{ leftOut: leftOut.slice(0, MOST_LEFT_OUT), leftOutCount: leftOut.length },
    };
    writeFileAtomic(join(temporary, 'set.json'), `${JSON.stringify(set, null, 2)}\n`);
    renameSync(temporary, join(parent, id));
    return set;
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

function refuseTaken(out: string): void {
  if (!existsSync(out)) return;
  throw new StudioError('TARGET_EXISTS', `${out} exists already. Give a folder that is not there yet.`, { out });
}

export function removeQuestionSet(workspace: Pick<Workspace, 'dir'>, id: string): void {
  rmSync(questionSetFolder(workspace, id), { recursive: true, force: true });
}
