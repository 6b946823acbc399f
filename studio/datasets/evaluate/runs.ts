import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { aidedName } from '../../../core/evaluate/aids.ts';
import { replaced } from '../../../core/replaced.ts';
import { type GivenFile, type Run, runSchema } from '../../../schemas/api/evaluate.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import type { EvaluateOptions } from '../../../schemas/evaluate.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { discardFolder, fillFolder } from '../../files/folder.ts';
import { copyGiven as copyGivenFile, fileIn, findFile, folderIn } from '../../files/inside.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Critic, CriticOptions } from './critic.ts';
import { EVALUATIONS_FOLDER, folderOf, getQuestionSet, newId, questionSetFolder, readAll } from './question-sets.ts';
import { evaluateRun } from './run.ts';
import { evaluateTasks } from './run-tasks.ts';

/** Runs of a workspace: evaluations/runs/<id>/ with run.json, cases.jsonl and a copy of the predictions. */

type Place = Pick<Workspace, 'dir'>;
const RUNS = `${EVALUATIONS_FOLDER}/runs`;
const INCOMING = `${EVALUATIONS_FOLDER}/incoming`;
/** Made when it is missing: files that a page sent wait there. */
export const incomingDir = ({ dir }: Place): string => folderIn(dir, INCOMING);
const runFolder = (workspace: Place, id: string): string => folderOf(workspace, RUNS, id, 'run');

const UPLOAD = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const RUN_FILES = {
  'result.json': { file: 'run.json', type: 'application/json' },
  'cases.jsonl': { file: 'cases.jsonl', type: 'application/x-ndjson' },
  'predictions.jsonl': { file: 'predictions.jsonl', type: 'application/x-ndjson' },
} as const;

export const listRuns = (workspace: Place): Run[] => readAll(workspace, RUNS, 'run.json', storedRunSchema);

/** The behaviour of rules 1: a run that does not name an option of later rules was scored so. */
const RULES_1 = { answerForms: 'paper', coordinates: 'pixels', benchmark: 'mobile-agent-v', scenarioMean: 'tasks' };
const optionsSchema = z.looseObject({ rules: z.undefined().optional(), options: z.looseObject({}) });
const beforeRules = z.looseObject({ evaluation: optionsSchema });
const storedRunSchema = z.preprocess((value) => {
  const { success, data } = beforeRules.safeParse(value);
  if (!success) return value;
  const { evaluation } = data;
  return { ...data, evaluation: { ...evaluation, options: { ...RULES_1, ...evaluation.options } } };
}, runSchema);

export const runFile = (workspace: Place, id: string, file: string): string => join(runFolder(workspace, id), file);

export type RunTools = {
  /** Known before it is there, so that whoever waits knows what for. */
  id?: string;
  signal?: AbortSignal | undefined;
  /** 0 to 1, and what is being done. */
  report?: (progress: number, message: string) => void;
};

type ScoreRequest = {
  name: string;
  set: string;
  /** Files of the set; only their questions are scored. */
  files: readonly string[];
  predictions: GivenFile;
  options: EvaluateOptions;
};

/** Checks what can be checked before the work begins. Throws UNKNOWN_FILE. */
export function checkScoring(workspace: Place, request: ScoreRequest): void {
  const set = getQuestionSet(workspace, request.set);
  const stranger = request.files.find((file) => !set.files.some((one) => one.file === file));
  if (stranger !== undefined) {
    throw new StudioError('UNKNOWN_FILE', `The question set "${set.name}" has no file "${stranger}".`, { stranger });
  }
  givenFile(workspace, request.predictions);
}

/**
 * Scores the predictions of one model and keeps the result. Throws BAD_FILE with every wrong line (the file named as the
 * person gave it), CANCELLED, and leaves nothing then.
 */
export async function scoreRun(workspace: Place, request: ScoreRequest, tools: RunTools = {}): Promise<Run> {
  checkScoring(workspace, request);
  const { source, shown } = givenFile(workspace, request.predictions);
  try {
    return await putRun(workspace, { ...request, source, shown, critic: null }, tools);
  } finally {
    if (request.predictions.from === 'upload') await rm(source, { force: true });
  }
}

type RunRequest = Omit<ScoreRequest, 'predictions'> & {
  /** The predictions' file, and what the person calls it. */
  source: string;
  shown: string;
  critic: CriticOptions | Critic | null;
  /** A run whose place the new one takes. */
  instead?: Run;
};

/** A run's folder, whole or not at all. */
export async function putRun(workspace: Place, request: RunRequest, tools: RunTools): Promise<Run> {
  const { source, shown, instead } = request;
  const set = getQuestionSet(workspace, request.set);
  const setFolder = questionSetFolder(workspace, request.set);
  const files = [...new Set(request.files)];
  const id = tools.id ?? newId();
  const parent = folderIn(workspace.dir, RUNS);
  const made = await fillFolder(join(parent, id), async (folder) => {
    const predictions = join(folder, 'predictions.jsonl');
    copyGiven(source, predictions, shown);
    const shared = {
      truth: files.map((file) => fileIn(setFolder, file)),
      predictions: [predictions],
      options: request.options,
      cases: join(folder, 'cases.jsonl'),
      signal: tools.signal,
    };
    const work =
      set.tasks === null
        ? evaluateRun({
            ...shared,
            level: 'all',
            critic: request.critic,
            onProgress: (done, total, cost) =>
              tools.report?.(done / total, `${done} of ${total} scored${cost > 0 ? `, cost ${cost.toFixed(4)}` : ''}`),
          })
        : evaluateTasks({ ...shared, level: set.tasks, onProgress: (share) => tools.report?.(share, 'scoring') });
    const evaluation = await work.catch((error: unknown) => {
      throw renamed(error, [
        [predictions, shown],
        ...files.map((file): [string, string] => [fileIn(setFolder, file), file]),
      ]);
    });
    const wanted = aidedName(
      // A file that names no model gives its own name, ending and all: "p" would look like a model's.
      request.name || evaluation.model || shown,
      evaluation.aid?.kind ?? null,
    );
    const run: Run = {
      id,
      name: instead?.name ?? freeName(workspace, request.set, wanted),
      madeAt: instead?.madeAt ?? new Date().toISOString(),
      set: set.id,
      files,
      predictions: shown,
      evaluation: { ...evaluation, reports: [], caseFile: 'cases.jsonl' },
    };
    writeFileAtomic(join(folder, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
    return run;
  });
  if (instead) await removeRun(workspace, instead.id);
  return made;
}

/** A file that a person gave: where it lies, and what it is called. Throws UNKNOWN_FILE. */
export function givenFile(workspace: Place, given: GivenFile): { source: string; shown: string } {
  if (given.from === 'path') return { source: resolve(given.path), shown: basename(given.path) };
  const source = UPLOAD.test(given.upload) ? findFile(workspace.dir, `${INCOMING}/${given.upload}.jsonl`) : null;
  if (source !== null) return { source, shown: basename(given.name) || 'predictions' };
  throw new StudioError('UNKNOWN_FILE', 'The file that was sent is not there any more. Choose it again.', {});
}

function copyGiven(source: string, target: string, shown: string): void {
  try {
    copyGivenFile(source, target);
  } catch (error) {
    const why = whyNot(error);
    throw new StudioError('BAD_FILE', `${shown} cannot be read: ${why}. Give the file's path.`, {}, { cause: error });
  }
}

/** Two rows of a leaderboard with the same name could not be told apart. */
function freeName(workspace: Place, set: string, wanted: string): string {
  const taken = new Set(listRuns(workspace).flatMap((run) => (run.set === set ? [run.name] : [])));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted} (${n})`;
  return name;
}

/** The studio's own copies under the names that the person knows. */
export function renamed(error: unknown, names: readonly (readonly [path: string, shown: string])[]): unknown {
  if (!(error instanceof StudioError)) return error;
  const shownAs = names.map(([value, by]) => ({ value, by }));
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return replaced(value, shownAs);
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]));
  };
  const details = Object.fromEntries(Object.entries(error.details).map(([key, value]) => [key, change(value)]));
  return new StudioError(error.code, String(change(error.message)), details, { cause: error });
}

export async function removeRun(workspace: Place, id: string): Promise<void> {
  await discardFolder(runFolder(workspace, id));
}

/** The runs that could not be understood without a set that goes. */
export async function removeRunsOf(workspace: Place, set: string): Promise<void> {
  for (const run of listRuns(workspace)) if (run.set === set) await removeRun(workspace, run.id);
}
