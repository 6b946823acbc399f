import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countStatistics } from '../../core/export/statistics.ts';
import { rawLogOf } from '../../core/export/videogui/raw.ts';
import { projectVideogui, scrollSignOf } from '../../core/export/videogui/rows.ts';
import type { ExportPreview } from '../../schemas/api/datasets.ts';
import { type FormatRequest, WRITERS } from '../export/formats.ts';
import type { PictureStore } from '../export/pictures.ts';
import { refusalOf } from '../export/run.ts';
import type { ExportSource } from '../export/source.ts';
import { refuseCancelled } from '../export/target.ts';
import type { FormatWriter, WriterContext, WriterResult } from '../export/writer.ts';

/** Pictures stay where they are. */
const NO_PICTURES: PictureStore = { put: async () => undefined, forget: () => undefined };

/**
 * What an export would hold and what not, and why, format by format: the formats' own projections over the same tasks,
 * without a picture being read. Texts go into a temporary folder that is removed. Throws CANCELLED, and what reading tasks throws.
 */
export async function previewExport(
  source: ExportSource,
  requests: readonly FormatRequest[],
  { all, signal }: { all: boolean; signal?: AbortSignal | undefined },
): Promise<ExportPreview> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-preview-'));
  const open: { request: FormatRequest; writer: FormatWriter }[] = [];
  try {
    for (const [at, request] of requests.entries()) {
      const place = join(folder, String(at));
      await mkdir(place);
      const { parts, options, format } = request;
      const context: WriterContext = {
        parts,
        options,
        pictures: NO_PICTURES,
        splits: source.splits ?? [],
        sizes: {},
        signal,
        tick: () => undefined,
      };
      const writer =
        format.name === 'videogui' ? projectedVideogui(context) : await WRITERS[format.name](place, context);
      open.push({ request, writer });
    }
    const statistics = countStatistics();
    const leftOut: ExportPreview['leftOut'] = [];
    for await (const task of source.tasks()) {
      refuseCancelled(signal);
      const reason = refusalOf(task, all ? { all } : {});
      if (reason) {
        leftOut.push({ item: task.id, from: '*', reason });
        continue;
      }
      statistics.add(task);
      for (const { writer } of open) await writer.add(task);
    }
    const { tasks, subtasks, actions } = statistics.result();
    const formats = [];
    for (const { request, writer } of open) formats.push({ format: request.format.name, ...(await writer.finish()) });
    return { tasks, subtasks, actions, leftOut: [...source.leftOut(), ...leftOut], formats };
  } catch (error) {
    for (const { writer } of open) await writer.abandon().catch(() => undefined);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const JSONL = {
  highPlan: 'videogui-jsonl/high_plan',
  midPlan: 'videogui-jsonl/mid_plan',
  action: 'videogui-jsonl/action',
};
const PARQUET = { highPlan: 'VideoGUI-High-Plan', midPlan: 'VideoGUI-Mid-Plan', action: 'VideoGUI-Action' };
const RAW = 'videogui-raw';

/** VideoGUI's writers copy media and pictures themselves; its rows alone say what there is. */
function projectedVideogui({ parts, options }: WriterContext): FormatWriter {
  const result: WriterResult = { counts: {}, leftOut: [] };
  const count = (name: string, rows: number): void => {
    result.counts[name] = (result.counts[name] ?? 0) + rows;
  };
  return {
    async add(task) {
      const scrollSign = scrollSignOf(options);
      for (const [part, names, everyKind] of [
        ['parquet', PARQUET, false],
        ['jsonl', JSONL, true],
      ] as const) {
        if (!parts.includes(part)) continue;
        const projection = projectVideogui([task], { scrollSign, everyKind, names });
        for (const level of ['highPlan', 'midPlan', 'action'] as const) count(names[level], projection[level].length);
        result.leftOut.push(...projection.leftOut);
      }
      if (!parts.includes('raw')) return;
      const log = rawLogOf(task);
      count(RAW, log.documents.length);
      result.leftOut.push(...log.missing.map((each) => ({ ...each, from: RAW })));
    },
    finish: async () => result,
    abandon: async () => undefined,
  };
}
