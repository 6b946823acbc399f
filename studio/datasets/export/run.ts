import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { draftsInManifest } from '../../../core/export/drafts.ts';
import type { FormatName } from '../../../core/export/formats.ts';
import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import { unplaced } from '../../../core/export/places.ts';
import { runInManifest, type Whose } from '../../../core/export/runs.ts';
import { countStatistics, type StatisticsCounter } from '../../../core/export/statistics.ts';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import { passedOver } from '../../../native/log/log.ts';
import type { ProofState } from '../../../schemas/dataset.ts';
import type { DatasetTerms } from '../../../schemas/dataset-terms.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { ExportManifest, ManifestFile } from '../../../schemas/export.ts';
import { EXPORTED_TASK_ID, type RecordingState } from '../../../schemas/task-terms.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import type { ExportSource } from '../export-source.ts';
import { exportCard, proofLine } from './card.ts';
import { filmStore } from './films.ts';
import { cardOf, type FormatRequest, WRITERS } from './formats.ts';
import { writeManifest } from './manifest.ts';
import type { ShardOptions } from './parquet.ts';
import { pictureStore } from './pictures.ts';
import { openSplits } from './split-folders.ts';
import { type KnownHashes, writeTarget } from './target.ts';
import { type FormatWriter, numbering, type WriterContext } from './writer.ts';

export type ExportFilters = {
  /** States that may go out. Default: approved alone. */
  states?: readonly RecordingState[];
  /** Every state may go out. */
  all?: boolean;
  /** Words of `verify` that may go out. Default: every one. */
  proof?: readonly ProofState[] | undefined;
  /** Whose steps. Default: everybody's. */
  steps?: Whose | undefined;
  /** The caller's own filter before this one; written into the manifest. */
  [name: string]: unknown;
};

/** `done` and `total` count tasks; `done` has fractions. */
export type ExportProgress = { done: number; total: number; step: string };

export type ExportOptions = {
  toolVersion: string;
  filters: ExportFilters;
  /** Sizes of shards and row groups; the defaults are right but for tests. */
  sizes?: Pick<ShardOptions, 'shardBytes' | 'groupBytes' | 'groupRows'>;
  onProgress?: (progress: ExportProgress) => void;
  signal?: AbortSignal | undefined;
};

export type ExportResult = {
  format: FormatName;
  /** The format's own folder. */
  out: string;
  parts: readonly string[];
  /** Rows by part and data set. */
  counts: Record<string, number>;
  leftOut: LeftOut[];
  /** How many of its tasks are proven, in words; null where nobody tried. */
  proof: string | null;
  files: ManifestFile[];
  bytes: number;
};

type Open = {
  request: FormatRequest;
  folder: string;
  out: string;
  writer: FormatWriter;
  /** Content without a place in the format. */
  unplaced: LeftOut[];
};

/**
 * Writes the tasks whose state is allowed, in each of the formats: one into `out` itself, several into `out/<format>`. Whole
 * or not at all; the same input gives the same bytes. Tasks are read once and one at a time, so memory does not grow with
 * their number.
 * Throws NOTHING_TO_EXPORT, TARGET_EXISTS, USAGE (task ids that a benchmark could not read), BAD_FILE (a picture is missing),
 * DISK_FULL, CANCELLED.
 */
export async function exportFormats(
  source: ExportSource,
  out: string,
  requests: readonly FormatRequest[],
  options: ExportOptions,
): Promise<ExportResult[]> {
  const target = path.resolve(out);
  return writeTarget(target, async (folder) => {
    const progress = progressOf(source.total, requests.length, options);
    const pictures = pictureStore();
    const films = filmStore();
    const open: Open[] = [];
    try {
      for (const request of requests) {
        const name = requests.length > 1 ? request.format.name : '';
        const place = path.join(folder, name);
        await mkdir(place, { recursive: true });
        const { parts, options: chosen } = request;
        const { signal, sizes = {} } = options;
        const context: Omit<WriterContext, 'split'> = {
          parts,
          options: chosen,
          pictures,
          films,
          splits: source.splits ?? [],
          ...(source.terms && { terms: source.terms }),
          ...(source.panels && { panels: source.panels }),
          numberOf: numbering(),
          sizes,
          signal,
          tick: progress.tick,
        };
        const writer = await openSplits(request.format.name, WRITERS[request.format.name], place, context);
        open.push({ request, folder: place, out: path.join(target, name), writer, unplaced: [] });
      }
      const passed = await passOver(source, open, options, progress.next, pictures.forget);
      return await close(open, { ...passed, terms: source.terms }, options, progress);
    } catch (error) {
      // The folder is removed whole; what cannot be closed any more shall not hide the reason.
      for (const { writer } of open) await writer.abandon().catch(passedOver('export not removed'));
      throw error;
    }
  });
}

type Passed = {
  statistics: StatisticsCounter;
  newest: string | null;
  leftOut: LeftOut[];
  /** Tasks that went out, by split. */
  splits: Record<string, string[]>;
  /** The same by the word of `verify`. */
  proof: NonNullable<ExportManifest['proof']>;
  terms?: DatasetTerms | undefined;
  runs: NonNullable<ExportManifest['runs']>;
  drafts: NonNullable<ExportManifest['drafts']>;
};

async function passOver(
  source: ExportSource,
  open: readonly Open[],
  { filters, signal }: ExportOptions,
  onTask: (task: ExportTask) => void,
  onTaskDone: () => void,
): Promise<Passed> {
  const statistics = countStatistics();
  const refused: LeftOut[] = [];
  const seen = new Set<string>();
  const splits: Record<string, string[]> = Object.fromEntries((source.splits ?? []).map((split) => [split, []]));
  const proof: Record<Exclude<ProofState, 'untried'>, string[]> = { proven: [], failed: [], said: [] };
  const runs: Passed['runs'] = [];
  const drafts: Passed['drafts'] = [];
  let newest: string | null = null;
  let tasks = 0;
  for await (const task of source.tasks()) {
    tasks++;
    refuseCancelled(signal);
    onTask(task);
    const reason = refusalOf(task, filters);
    if (reason) {
      refused.push({ item: task.id, from: '*', reason });
      continue;
    }
    refuseBadId(task.id, seen);
    statistics.add(task);
    const run = runInManifest(task);
    if (run) runs.push(run);
    append(drafts, draftsInManifest(task));
    if (task.proof !== undefined && task.proof !== 'untried') proof[task.proof].push(task.id);
    if (task.split != null) splits[task.split]?.push(task.id);
    for (const { startedAt } of task.recordings) if (newest === null || startedAt > newest) newest = startedAt;
    for (const { writer, request, unplaced: lines } of open) {
      refuseCancelled(signal);
      await writer.add(task);
      append(lines, unplaced(task, request.format.name, request.parts));
    }
    onTaskDone();
  }
  if (seen.size === 0) throw nothing(tasks, refused, source.leftOut(), filters);
  const leftOut = [...source.leftOut(), ...refused];
  return { statistics, newest, leftOut, splits, proof: shownProof(proof), runs, drafts };
}

/** Words from elsewhere stand in a manifest only where there are any. */
const shownProof = ({ said, ...own }: { proven: string[]; failed: string[]; said: string[] }): Passed['proof'] =>
  said.length > 0 ? { ...own, said } : own;

async function close(
  open: readonly Open[],
  { statistics, newest, leftOut: before, splits, proof, terms, runs, drafts }: Passed,
  { toolVersion, filters, signal }: ExportOptions,
  { hashing, done }: Progress,
): Promise<ExportResult[]> {
  const figures = statistics.result();
  const known: KnownHashes = new Map();
  const results: ExportResult[] = [];
  for (const { request, folder, out, writer, unplaced: lines } of open) {
    refuseCancelled(signal);
    const written = await writer.finish();
    const { tasks, subtasks, actions } = figures;
    const counts = { tasks, subtasks, actions, ...written.counts };
    const leftOut = [...before, ...written.leftOut, ...lines];
    const { folders } = written;
    const together = folders ? [] : Object.keys(splits).filter((split) => splits[split]!.length > 0);
    const head = cardOf(request, written, folders);
    const card = exportCard(head, figures, leftOut, { terms, splits: together, folders, runs, drafts });
    await writeFile(path.join(folder, 'README.md'), card);
    const { format, parts, options } = request;
    const manifest = await writeManifest(
      folder,
      {
        format: format.name,
        parts: [...parts],
        toolVersion,
        options: { ...options },
        filters: { states: ['approved'], ...filters },
        newestRecording: newest,
        ...(Object.keys(splits).length > 0 && { splits }),
        ...(folders && { splitFolders: [...folders] }),
        ...(Object.values(proof).some((of) => (of?.length ?? 0) > 0) && { proof }),
        ...(runs.length > 0 && { runs }),
        ...(drafts.length > 0 && { drafts }),
        ...(terms && { terms }),
        counts,
        leftOut,
      },
      known,
      () => {
        refuseCancelled(signal);
        hashing();
      },
    );
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    results.push({
      format: format.name,
      out,
      parts,
      counts,
      leftOut,
      proof: proofLine(figures),
      files: manifest.files,
      bytes,
    });
  }
  done();
  return results;
}

/** Why a task does not go out; null when it does. */
export function refusalOf(
  task: ExportTask,
  { states = ['approved'], all, proof, steps }: ExportFilters,
): string | null {
  if (all !== true && !states.includes(task.state)) return `in state "${task.state}"`;
  const word = task.proof ?? 'untried';
  if (proof && !proof.includes(word)) return `its proof is "${word}"`;
  if (task.subtasks.length > 0) return null;
  return steps ? `it has no step of ${steps === 'person' ? 'a person' : 'an agent'}` : 'it has no steps';
}

/** So many recordings that cannot be read are named in an error; the details hold them all. */
const MOST_NAMED = 3;

function nothing(
  tasks: number,
  refused: LeftOut[],
  unread: readonly LeftOut[],
  { states = ['approved'], all, proof }: ExportFilters,
): StudioError {
  const details = { tasks, leftOut: [...unread, ...refused] };
  const recordings = unread.filter(({ from }) => from !== '*');
  if (tasks === 0 && recordings.length > 0) {
    const named = recordings.slice(0, MOST_NAMED).map(({ from, reason }) => `${from}: ${reason}`);
    const more = recordings.length > MOST_NAMED ? ` (and ${recordings.length - MOST_NAMED} more)` : '';
    return new StudioError('NOTHING_TO_EXPORT', `Nothing can be exported. ${named.join(' ')}${more}`, details);
  }
  if (tasks === 0) {
    return new StudioError(
      'NOTHING_TO_EXPORT',
      'There is no such task or run to export. Record one first, or widen the filter.',
      details,
    );
  }
  const found = [...Map.groupBy(refused, ({ reason }) => reason)].map(([reason, of]) => `${of.length}: ${reason}`);
  const unproven = proof && refused.some(({ reason }) => reason.startsWith('its proof is'));
  const advice = unproven
    ? `Only tasks whose proof is ${proof.join(', ')} go out: \`verify\` plays a recording and proves it, docs/play.md.`
    : all === true
      ? 'Record actions for them first.'
      : `Only tasks in state ${states.join(', ')} go out: review and approve them, or pass --all to export every state.`;
  const message = `None of ${plural(tasks, 'task')} can be exported (${found.join('; ')}). ${advice}`;
  return new StudioError('NOTHING_TO_EXPORT', message, details);
}

function refuseBadId(id: string, seen: Set<string>): void {
  if (!EXPORTED_TASK_ID.test(id)) {
    const message = `Task id "${id}" is not of the benchmark's form SOFTWARE_NUMBER (PPT_15). Rename the task.`;
    throw new StudioError('USAGE', message, { task: id });
  }
  // Files of two ids that differ only in case would fall together on Windows and macOS.
  if (seen.has(id.toLowerCase())) {
    throw new StudioError('USAGE', `Two tasks have the id "${id}". Rename one of them.`, { task: id });
  }
  seen.add(id.toLowerCase());
}

type Progress = {
  next(task: ExportTask): void;
  tick(step: string): void;
  hashing(): void;
  done(): void;
};

/** Tasks done, with the part of the present one that is written. */
function progressOf(total: number, formats: number, { onProgress }: ExportOptions): Progress {
  let index = -1;
  let steps = 0;
  let expected = 1;
  const at = (fraction: number, step: string) => onProgress?.({ done: Math.max(index, 0) + fraction, total, step });
  return {
    next(task) {
      index++;
      steps = 0;
      const actions = task.subtasks.reduce((sum, subtask) => sum + subtask.actions.length, 0);
      expected = formats * Math.max(actions + task.subtasks.length + 1, 1);
      at(0, task.id);
    },
    tick(step) {
      steps++;
      at(Math.min(steps / expected, 0.99), step);
    },
    hashing: () => at(0.99, 'hashing'),
    done: () => onProgress?.({ done: total, total, step: 'done' }),
  };
}
