import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { byTaskId, type ExportTask, type LeftOut } from '../../../core/export/model.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { type CollectOptions, collectExport } from '../collect.ts';
import type { ExportSource } from '../export-source.ts';
import { type FormatRequest, requestOf } from './formats.ts';
import { type ExportOptions, type ExportResult, exportFormats } from './run.ts';

/** Tasks that are in memory already, as a source. */
export function sourceOf(tasks: readonly ExportTask[], leftOut: readonly LeftOut[] = []): ExportSource {
  const sorted = tasks.toSorted(byTaskId);
  const splits = [...new Set(tasks.flatMap(({ split }) => split ?? []))].sort();
  return { total: sorted.length, splits, tasks: () => sorted, leftOut: () => [...leftOut] };
}

/** Everything that a workspace has to export, at once. */
export async function collected(
  workspace: Workspace,
  options: CollectOptions,
): Promise<{ tasks: ExportTask[]; leftOut: LeftOut[] }> {
  const source = await collectExport(workspace, options);
  const tasks: ExportTask[] = [];
  for await (const task of source.tasks()) tasks.push(task);
  return { tasks, leftOut: source.leftOut() };
}

/** The recording that comes with the studio, in a workspace of its own in this folder. */
export async function collectedSample(folder: string): Promise<ExportTask[]> {
  const workspace = openWorkspace(join(folder, 'workspace'), { create: true });
  try {
    cpSync(join(import.meta.dirname, '..', '..', '..', 'assets', 'sample', 'recordings'), workspace.recordingsDir, {
      recursive: true,
    });
    return (await collected(workspace, { all: true })).tasks;
  } finally {
    workspace.close();
  }
}

/** Exports tasks in one format. */
export async function exportTasks(
  tasks: readonly ExportTask[],
  out: string,
  request: FormatRequest,
  options: ExportOptions & { leftOut?: readonly LeftOut[] },
): Promise<ExportResult> {
  const [result] = await exportFormats(sourceOf(tasks, options.leftOut), out, [request], options);
  return result!;
}

export type VideoguiOptions = ExportOptions & { formats?: string[]; scrollSign?: string; leftOut?: readonly LeftOut[] };

/** Exports tasks as VideoGUI. */
export function exportVideogui(
  tasks: readonly ExportTask[],
  out: string,
  { formats, scrollSign, ...options }: VideoguiOptions,
): Promise<ExportResult> {
  const request = requestOf('videogui', { parts: formats, options: scrollSign ? { scrollSign } : {} });
  return exportTasks(tasks, out, request, options);
}
