import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Run, runSchema } from '../../schemas/api/evaluate.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { EvaluateOptions } from '../../schemas/evaluate.ts';
import { writeFileAtomic } from '../store/atomic.ts';
import type { Workspace } from '../store/workspace.ts';
import { evaluationsDir, folderOf, getQuestionSet, newId, questionSetFolder, readAll } from './question-sets.ts';
import { evaluateRun } from './run.ts';

/** Runs of a workspace: evaluations/runs/<id>/ with run.json, cases.jsonl and a copy of the predictions. */

type Place = Pick<Workspace, 'dir'>;
const runsDir = (workspace: Place): string => join(evaluationsDir(workspace), 'runs');
const incomingDir = (workspace: Place): string => join(evaluationsDir(workspace), 'incoming');
const runFolder = (workspace: Place, id: string): string => folderOf(runsDir(workspace), id, 'run');

/** The largest file of predictions that a page may send, bytes. */
const MOST_BYTES = 2 * 1024 ** 3;
const UPLOAD = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What was sent and never scored. */
const FORGOTTEN_MS = 24 * 3600_000;

export const RUN_FILES = {
  'result.json': { file: 'run.json', type: 'application/json' },
  'cases.jsonl': { file: 'cases.jsonl', type: 'application/x-ndjson' },
  'predictions.jsonl': { file: 'predictions.jsonl', type: 'application/x-ndjson' },
} as const;

export const listRuns = (workspace: Place): Run[] => readAll(runsDir(workspace), 'run.json', runSchema);

export const runFile = (workspace: Place, id: string, file: string): string => join(runFolder(workspace, id), file);

/** Keeps what a page sends until it is scored; gives its name. Throws BAD_FILE when it is empty or too large. */
export async function receivePredictions(workspace: Place, body: ReadableStream<Uint8Array> | null): Promise<string> {
  const folder = incomingDir(workspace);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > FORGOTTEN_MS) rmSync(file, { force: true });
  }
  const upload = randomUUID();
  const file = join(folder, `${upload}.jsonl`);
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, next) {
      bytes += chunk.length;
      next(bytes > MOST_BYTES ? tooLarge() : null, chunk);
    },
  });
  try {
    if (body) await pipeline(Readable.from(body), counted, createWriteStream(file, { flags: 'wx' }));
    if (bytes === 0) {
      throw new StudioError(
        'BAD_FILE',
        'The file of predictions is empty. It wants lines of {"id", "prediction"}.',
        {},
      );
    }
    return upload;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

const tooLarge = (): StudioError =>
  new StudioError('BAD_FILE', 'The file is larger than 2 GB. Give its path on this machine instead.', {});

export type ScoreRequest = {
  name: string;
  set: string;
  /** Of the set; only their questions are scored. */
  files: readonly string[];
  predictions: { from: 'path'; path: string } | { from: 'upload'; upload: string; name: string };
  options: EvaluateOptions;
  signal?: AbortSignal | undefined;
};

/**
 * Scores the predictions of one model and keeps the result. Throws BAD_FILE with every wrong line (the file named as the
 * person gave it), and leaves nothing then.
 */
export async function scoreRun(workspace: Place, request: ScoreRequest): Promise<Run> {
  const set = getQuestionSet(workspace, request.set);
  const setFolder = questionSetFolder(workspace, request.set);
  const files = [...new Set(request.files)];
  const stranger = files.find((file) => !set.files.some((one) => one.file === file));
  if (stranger !== undefined) {
    throw new StudioError('UNKNOWN_FILE', `The question set "${set.name}" has no file "${stranger}".`, { stranger });
  }
  const { source, shown } = sourceOf(workspace, request.predictions);
  const id = newId();
  const temporary = join(runsDir(workspace), `.${id}.partial`);
  mkdirSync(temporary, { recursive: true });
  try {
    const predictions = join(temporary, 'predictions.jsonl');
    copyPredictions(source, predictions, shown);
    const evaluation = await evaluateRun({
      ...{ level: 'all', truth: files.map((file) => join(setFolder, file)), predictions: [predictions] },
      ...{ options: request.options, critic: null, cases: join(temporary, 'cases.jsonl') },
      ...(request.signal && { signal: request.signal }),
    }).catch((error: unknown) => {
      throw renamed(error, [
        [predictions, shown],
        ...files.map((file): [string, string] => [join(setFolder, file), file]),
      ]);
    });
    const wanted = request.name || evaluation.model || basename(shown, extname(shown));
    const run: Run = {
      ...{ id, name: freeName(workspace, request.set, wanted), madeAt: new Date().toISOString() },
      ...{ set: set.id, files, predictions: shown },
      evaluation: { ...evaluation, reports: [], caseFile: 'cases.jsonl' },
    };
    writeFileAtomic(join(temporary, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
    renameSync(temporary, join(runsDir(workspace), id));
    return run;
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  } finally {
    if (request.predictions.from === 'upload') rmSync(source, { force: true });
  }
}

function sourceOf(workspace: Place, given: ScoreRequest['predictions']): { source: string; shown: string } {
  if (given.from === 'path') return { source: resolve(given.path), shown: basename(given.path) };
  const source = join(incomingDir(workspace), `${given.upload}.jsonl`);
  if (UPLOAD.test(given.upload) && existsSync(source)) return { source, shown: basename(given.name) || 'predictions' };
  throw new StudioError('UNKNOWN_FILE', 'The file that was sent is not there any more. Choose it again.', {});
}

function copyPredictions(source: string, target: string, shown: string): void {
  try {
    copyFileSync(source, target);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
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
function renamed(error: unknown, names: readonly (readonly [path: string, shown: string])[]): unknown {
  if (!(error instanceof StudioError)) return error;
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return names.reduce((text, [path, shown]) => text.replaceAll(path, shown), value);
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]));
  };
  const details = Object.fromEntries(Object.entries(error.details).map(([key, value]) => [key, change(value)]));
  return new StudioError(error.code, String(change(error.message)), details, { cause: error });
}

export function removeRun(workspace: Place, id: string): void {
  rmSync(runFolder(workspace, id), { recursive: true, force: true });
}

/** The runs that could not be understood without a set that goes. */
export function removeRunsOf(workspace: Place, set: string): void {
  for (const run of listRuns(workspace)) if (run.set === set) removeRun(workspace, run.id);
}
