import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { byTaskId, type ExportTask, type LeftOut, TASK_ID, type TaskState } from '../../core/export/model.ts';
import { exportStatistics } from '../../core/export/statistics.ts';
import { DATA_SETS } from '../../core/export/videogui/columns.ts';
import { DEFAULT_SCROLL_SIGN, type ScrollSign } from '../../core/export/videogui/rows.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { ManifestFile } from '../../schemas/export.ts';
import { exportCard } from './card.ts';
import { writeManifest } from './manifest.ts';
import type { ShardOptions } from './parquet.ts';
import type { PartContext, PartWriter, VideoguiPart } from './parts.ts';
import { refuseCancelled, writeTarget } from './target.ts';
import { writeVideoguiJsonl } from './videogui-jsonl.ts';
import { writeVideoguiParquet } from './videogui-parquet.ts';
import { writeVideoguiRaw } from './videogui-raw.ts';

export type ExportFilters = {
  /** States that may go out. Default: approved alone. */
  states?: readonly TaskState[];
  /** Every state may go out. */
  all?: boolean;
  /** What else the caller filtered by before; written into the manifest. */
  [name: string]: unknown;
};

export type ExportProgress = { done: number; total: number; step: string };

export type ExportOptions = {
  /** Default: parquet. */
  formats?: readonly VideoguiPart[];
  toolVersion: string;
  filters: ExportFilters;
  /** What the caller left out before (removed steps, other recordings), for the manifest. */
  leftOut?: readonly LeftOut[];
  scrollSign?: ScrollSign;
  /** Sizes of shards and row groups; the defaults are right but for tests. */
  sizes?: Pick<ShardOptions, 'shardBytes' | 'groupBytes' | 'groupRows'>;
  onProgress?: (progress: ExportProgress) => void;
  signal?: AbortSignal;
};

export type ExportResult = {
  out: string;
  parts: VideoguiPart[];
  /** Rows by part and data set. */
  counts: Record<string, number>;
  leftOut: LeftOut[];
  files: ManifestFile[];
  bytes: number;
};

/**
 * Writes the tasks whose state is allowed to the folder `out`, whole or not at all. The same input gives the same bytes.
 * Throws NOTHING_TO_EXPORT, TARGET_EXISTS, USAGE (task ids that the benchmark could not read), BAD_FILE (a picture is
 * missing), DISK_FULL, CANCELLED.
 */
export async function exportVideogui(
  tasks: readonly ExportTask[],
  out: string,
  options: ExportOptions,
): Promise<ExportResult> {
  const { allowed, refused } = filterByState(tasks, options.filters);
  refuseBadIds(allowed);
  const parts = [...new Set<VideoguiPart>(options.formats ?? ['parquet'])].sort();
  const context = partContext(allowed, parts, options);

  return writeTarget(out, async (folder) => {
    const counts: Record<string, number> = countTasks(allowed);
    const leftOut: LeftOut[] = [...(options.leftOut ?? []), ...refused];
    for (const part of parts) {
      refuseCancelled(options.signal);
      const result = await WRITERS[part](allowed, folder, context);
      Object.assign(counts, result.counts);
      leftOut.push(...result.leftOut);
    }
    const dataSets = parts.includes('parquet') ? DATA_SETS : [];
    await writeFile(path.join(folder, 'README.md'), exportCard(exportStatistics(allowed), dataSets, leftOut));
    refuseCancelled(options.signal);
    const manifest = await writeManifest(folder, {
      format: 'videogui',
      parts,
      toolVersion: options.toolVersion,
      options: { scrollSign: context.scrollSign },
      filters: { states: ['approved'], ...options.filters },
      newestRecording: newestRecording(allowed),
      counts,
      leftOut,
    });
    options.onProgress?.({ done: context.total, total: context.total, step: 'done' });
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    return { out: path.resolve(out), parts, counts, leftOut, files: manifest.files, bytes };
  });
}

const WRITERS: Record<VideoguiPart, PartWriter> = {
  parquet: writeVideoguiParquet,
  jsonl: writeVideoguiJsonl,
  raw: writeVideoguiRaw,
};

function filterByState(tasks: readonly ExportTask[], filters: ExportFilters) {
  const states = filters.states ?? ['approved'];
  const isAllowed = (task: ExportTask) => filters.all === true || states.includes(task.state);
  const allowed = tasks.filter((task) => isAllowed(task) && task.subtasks.length > 0).sort(byTaskId);
  const refused = tasks
    .filter((task) => !allowed.includes(task))
    .sort(byTaskId)
    .map((task): LeftOut => {
      const reason = isAllowed(task) ? 'it has no subtasks' : `its state is "${task.state}"`;
      return { item: task.id, from: '*', reason };
    });
  if (allowed.length === 0) throw nothing(tasks, refused, states, filters.all === true);
  return { allowed, refused };
}

function nothing(
  tasks: readonly ExportTask[],
  refused: LeftOut[],
  states: readonly string[],
  all: boolean,
): StudioError {
  const details = { tasks: tasks.length, leftOut: refused };
  if (tasks.length === 0) {
    return new StudioError(
      'NOTHING_TO_EXPORT',
      'There is no task to export. Record one first, or widen the filter.',
      details,
    );
  }
  const found = [...Map.groupBy(refused, ({ reason }) => reason)].map(([reason, of]) => `${of.length}: ${reason}`);
  const advice = all
    ? 'Record actions for them first.'
    : `Only tasks in state ${states.join(', ')} go out: review and approve them, or pass --all to export every state.`;
  const message = `None of ${tasks.length} tasks can be exported (${found.join('; ')}). ${advice}`;
  return new StudioError('NOTHING_TO_EXPORT', message, details);
}

function refuseBadIds(tasks: readonly ExportTask[]): void {
  const seen = new Set<string>();
  for (const { id } of tasks) {
    if (!TASK_ID.test(id)) {
      const message = `Task id "${id}" is not of the benchmark's form SOFTWARE_NUMBER (PPT_15). Rename the task.`;
      throw new StudioError('USAGE', message, { task: id });
    }
    // Files of two ids that differ only in case would fall together on Windows and macOS.
    if (seen.has(id.toLowerCase())) {
      throw new StudioError('USAGE', `Two tasks have the id "${id}". Rename one of them.`, { task: id });
    }
    seen.add(id.toLowerCase());
  }
}

function partContext(
  tasks: readonly ExportTask[],
  parts: readonly VideoguiPart[],
  options: ExportOptions,
): PartContext & { total: number } {
  // About as many steps as rows; what is left at the end is counted with the last.
  const total = parts.length * Object.values(countTasks(tasks)).reduce((sum, count) => sum + count, 0);
  let done = 0;
  return {
    total,
    scrollSign: options.scrollSign ?? DEFAULT_SCROLL_SIGN,
    sizes: { ...options.sizes, signal: options.signal },
    signal: options.signal,
    tick: (step) => {
      done = Math.min(done + 1, total);
      options.onProgress?.({ done, total, step });
    },
  };
}

function countTasks(tasks: readonly ExportTask[]): Record<string, number> {
  const subtasks = tasks.flatMap((task) => task.subtasks);
  const actions = subtasks.reduce((sum, subtask) => sum + subtask.actions.length, 0);
  return { tasks: tasks.length, subtasks: subtasks.length, actions };
}

function newestRecording(tasks: readonly ExportTask[]): string | null {
  const starts = tasks.flatMap((task) => task.recordings.map(({ startedAt }) => startedAt));
  return starts.sort().at(-1) ?? null;
}
