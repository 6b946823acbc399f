import { randomBytes } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { parseShallow } from '../../../core/json-depth.ts';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import { type QuestionSet, questionSetSchema } from '../../../schemas/api/evaluate.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import type { Aid, QuestionLevel } from '../../../schemas/questions.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { discardFolder, fillFolder, namesInFolder, pathExists } from '../../files/folder.ts';
import { findFolder, folderIn, readIn } from '../../files/inside.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { RecordingsWish } from '../candidates.ts';
import { loadPrompts } from './prompt-files.ts';
import { QUERY_FRAMES } from './query-frames.ts';
import { tasksToAsk } from './tasks.ts';
import { writeQuestions } from './write-questions.ts';

/**
 * Question sets of a workspace: evaluations/questions/<id>/ with set.json, the files of questions and their pictures.
 * A folder appears whole or not at all.
 */

const ID = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$/;
const MOST_LEFT_OUT = 200;

/** `2026-11-22-1f0c9a3e`: sorts by day, names nothing outside. */
export const newId = (): string => `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`;

export const EVALUATIONS_FOLDER = 'evaluations';
const SETS = `${EVALUATIONS_FOLDER}/questions`;

/** The folder of an id that came from outside, in `parent` of the workspace. Throws UNKNOWN_FILE, BAD_FILE for a link. */
export function folderOf({ dir }: Pick<Workspace, 'dir'>, parent: string, id: string, what: string): string {
  const folder = ID.test(id) ? findFolder(dir, `${parent}/${id}`) : null;
  if (folder !== null) return folder;
  throw new StudioError('UNKNOWN_FILE', `There is no ${what} "${id}". It may have been removed; load the page again.`, {
    id,
  });
}

export const questionSetFolder = (workspace: Pick<Workspace, 'dir'>, id: string): string =>
  folderOf(workspace, SETS, id, 'question set');

/** Lists folders of this kind, newest first; one that cannot be read is passed over. */
export function readAll<T extends { madeAt: string }>(
  { dir }: Pick<Workspace, 'dir'>,
  parent: string,
  file: string,
  schema: z.ZodType<T>,
): T[] {
  const folder = findFolder(dir, parent);
  if (folder === null) return [];
  const found = namesInFolder(folder).flatMap((id) => {
    try {
      return ID.test(id) ? [schema.parse(parseShallow(readIn(folder, `${id}/${file}`).toString('utf8')))] : [];
    } catch {
      return [];
    }
  });
  return found.sort((a, b) => (a.madeAt < b.madeAt ? 1 : a.madeAt > b.madeAt ? -1 : 0));
}

export const listQuestionSets = (workspace: Pick<Workspace, 'dir'>): QuestionSet[] =>
  readAll(workspace, SETS, 'set.json', questionSetSchema);

export function getQuestionSet(workspace: Pick<Workspace, 'dir'>, id: string): QuestionSet {
  questionSetFolder(workspace, id);
  const set = listQuestionSets(workspace).find((one) => one.id === id);
  if (set) return set;
  throw new StudioError('BAD_FILE', `The question set "${id}" cannot be read: its set.json is damaged. Remove it.`, {
    id,
  });
}

type MakeQuestions = {
  name?: string | undefined;
  levels: readonly QuestionLevel[];
  aids: readonly Aid[];
  everyState: boolean;
  frames?: number;
  recordings?: RecordingsWish | undefined;
  /** A folder that gets a copy; it must not exist. */
  out: string | null;
};
/** A set's id is known before it is there, so that whoever waits knows what for. */
export type SetTools = {
  id?: string;
  signal?: AbortSignal;
  /** 0 to 1, and what is being done. */
  report?: (progress: number, message: string) => void;
};

/** Asks about the workspace's recordings. Throws NOTHING_TO_EXPORT when no level has a question, TARGET_EXISTS. */
export async function makeQuestionSet(
  workspace: Workspace,
  wanted: MakeQuestions,
  tools: SetTools = {},
): Promise<QuestionSet> {
  const { levels, aids, everyState, out, frames = QUERY_FRAMES } = wanted;
  if (out !== null) await refuseTaken(out);
  const prompts = loadPrompts(null);
  const { tasks, leftOut } = await tasksToAsk(workspace, { all: everyState, recordings: wanted.recordings });
  const name = wanted.name ?? basename(workspace.dir);
  const parts = [
    ...[...new Set(levels)].map((level) => ({ level, aid: null, file: level })),
    ...[...new Set(aids)].map((aid) => ({ level: 'action' as const, aid, file: `action-${aid}` })),
  ];
  const set = await putSet(workspace, { name, source: 'workspace', tasks: null, id: tools.id }, async (folder) => {
    const left = leftOut.map(({ item, reason }) => ({ item, reason }));
    const files: QuestionSet['files'] = [];
    let dataset: QuestionSet['dataset'] = null;
    let nothing: unknown = null;
    for (const [at, { level, aid, file }] of parts.entries()) {
      const told = (share: number, text: string) => tools.report?.((at + share) / parts.length, text);
      told(0, `${file}.jsonl`);
      try {
        const made = await writeQuestions(tasks, {
          level,
          out: join(folder, `${file}.jsonl`),
          truth: null,
          prompts,
          name: basename(workspace.dir),
          scrollOrder: 'shuffled',
          seed: 1,
          aid: aid && { kind: aid, file: null },
          signal: tools.signal,
          frames,
          onProgress: (done, all) => told(done / all, `${file}.jsonl: ${done} of ${plural(all, 'picture')} looked at`),
        });
        dataset ??= made.head.dataset;
        const { counts, reach, head } = made;
        files.push({ file: `${file}.jsonl`, level, aid: head.aid, counts, reach });
        append(
          left,
          made.leftOut.map(({ item, reason }) => ({ item: `${file}: ${item}`, reason })),
        );
      } catch (error) {
        if (!(error instanceof StudioError && error.code === 'NOTHING_TO_EXPORT')) throw error;
        nothing ??= error;
        left.push({ item: file, reason: 'there is nothing to ask on this level' });
      }
    }
    if (files.length === 0) throw explained(nothing, left);
    return { dataset, files, leftOut: left };
  });
  if (out !== null) await copySet(workspace, set.id, out);
  return set;
}

/** A set whose copy cannot be written is not kept: the person asked for both. */
async function copySet(workspace: Workspace, id: string, out: string): Promise<void> {
  try {
    await cp(questionSetFolder(workspace, id), out, { recursive: true, errorOnExist: true });
  } catch (error) {
    // Where not even its place can be looked at, nothing was written.
    await rm(out, { recursive: true, force: true }).catch(() => undefined);
    await removeQuestionSet(workspace, id);
    const why = whyNot(error);
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

export type AboutSet = Pick<QuestionSet, 'name' | 'source' | 'tasks'> & { id: string | undefined };
type Filling = Pick<QuestionSet, 'dataset' | 'files' | 'leftOut'>;

/** Makes a set's folder by `fill`; what is half made goes again. */
export async function putSet(
  workspace: Pick<Workspace, 'dir'>,
  { id: given, ...about }: AboutSet,
  fill: (folder: string) => Promise<Filling>,
): Promise<QuestionSet> {
  const id = given ?? newId();
  const parent = folderIn(workspace.dir, SETS);
  return fillFolder(join(parent, id), async (folder) => {
    const { leftOut, ...filled } = await fill(folder);
    const set: QuestionSet = {
      id,
      ...about,
      madeAt: new Date().toISOString(),
      ...filled,
      leftOut: leftOut.slice(0, MOST_LEFT_OUT),
      leftOutCount: leftOut.length,
    };
    writeFileAtomic(join(folder, 'set.json'), `${JSON.stringify(set, null, 2)}\n`);
    return set;
  });
}

export async function refuseTaken(out: string): Promise<void> {
  if (!(await pathExists(out))) return;
  throw new StudioError('TARGET_EXISTS', `${out} exists already. Give a folder that is not there yet.`, { out });
}

export async function removeQuestionSet(workspace: Pick<Workspace, 'dir'>, id: string): Promise<void> {
  await discardFolder(questionSetFolder(workspace, id));
}
