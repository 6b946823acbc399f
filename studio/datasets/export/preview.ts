import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figuresOfColours } from '../../../core/export/lerobot/stats.ts';
import type { LeftOut } from '../../../core/export/model.ts';
import { unplaced } from '../../../core/export/places.ts';
import { countStatistics } from '../../../core/export/statistics.ts';
import { rawLogOf } from '../../../core/export/videogui/raw.ts';
import { projectVideogui, scrollSignOf } from '../../../core/export/videogui/rows.ts';
import { append } from '../../../core/lists.ts';
import { passedOver } from '../../../native/log/log.ts';
import type { ExportPreview, ExportWishes } from '../../../schemas/api/datasets.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import type { ExportSource } from '../export-source.ts';
import type { FilmStore } from './films.ts';
import { type FormatRequest, WRITERS } from './formats.ts';
import type { PictureStore } from './pictures.ts';
import { refusalOf } from './run.ts';
import { openSplits } from './split-folders.ts';
import { type FormatWriter, numbering, type WriterContext, type WriterResult } from './writer.ts';

/** Pictures stay where they are. */
const NO_PICTURES: PictureStore = {
  put: async () => undefined,
  read: async () => Buffer.alloc(0),
  size: async () => 0,
  forget: () => undefined,
};

/** Nor is a video made. */
const NO_FILMS: FilmStore = { put: async () => figuresOfColours([], 0) };

/**
 * The content of an export, and what it leaves out and why, format by format: the formats' own projections over the same tasks,
 * without a picture being read. Texts go into a temporary folder that is removed. Throws CANCELLED, and what reading tasks throws.
 */
export async function previewExport(
  source: ExportSource,
  requests: readonly FormatRequest[],
  { all, proof, steps, signal }: Pick<ExportWishes, 'all' | 'proof' | 'steps'> & { signal?: AbortSignal | undefined },
): Promise<ExportPreview> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-preview-'));
  const open: { request: FormatRequest; writer: FormatWriter; lines: LeftOut[] }[] = [];
  try {
    for (const [at, request] of requests.entries()) {
      const place = join(folder, String(at));
      await mkdir(place);
      const { parts, options, format } = request;
      const context: Omit<WriterContext, 'split'> = {
        parts,
        options,
        pictures: NO_PICTURES,
        films: NO_FILMS,
        splits: source.splits ?? [],
        numberOf: numbering(),
        sizes: {},
        signal,
        tick: () => undefined,
      };
      const opener = format.name === 'videogui' ? projectedVideogui : WRITERS[format.name];
      const writer = await openSplits(format.name, opener, place, context);
      open.push({ request, writer, lines: [] });
    }
    const statistics = countStatistics();
    const leftOut: ExportPreview['leftOut'] = [];
    for await (const task of source.tasks()) {
      refuseCancelled(signal);
      const reason = refusalOf(task, { all, proof, steps });
      if (reason) {
        leftOut.push({ item: task.id, from: '*', reason });
        continue;
      }
      statistics.add(task);
      for (const { writer, request, lines } of open) {
        await writer.add(task);
        append(lines, unplaced(task, request.format.name, request.parts));
      }
    }
    const { tasks, subtasks, actions, proof: proved } = statistics.result();
    const formats = [];
    for (const { request, writer, lines } of open) {
      const { counts, leftOut: written } = await writer.finish();
      formats.push({ format: request.format.name, counts, leftOut: [...written, ...lines] });
    }
    return { tasks, subtasks, actions, proof: proved, leftOut: [...source.leftOut(), ...leftOut], formats };
  } catch (error) {
    for (const { writer } of open) await writer.abandon().catch(passedOver('preview not removed'));
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const JSONL = {
  task: 'videogui-jsonl/task',
  highPlan: 'videogui-jsonl/high_plan',
  midPlan: 'videogui-jsonl/mid_plan',
  action: 'videogui-jsonl/action',
};
const PARQUET = { highPlan: 'VideoGUI-High-Plan', midPlan: 'VideoGUI-Mid-Plan', action: 'VideoGUI-Action' };
const RAW = 'videogui-raw';

/** VideoGUI's writers copy media and pictures themselves; its rows alone say what there is. */
async function projectedVideogui(_folder: string, { parts, options }: WriterContext): Promise<FormatWriter> {
  const counts: WriterResult['counts'] = {};
  /** By part, in the order in which the export's own writers tell them. */
  const leftOut = new Map<string, LeftOut[]>([...parts].map((part) => [part, []]));
  const count = (name: string, rows: number): void => {
    counts[name] = (counts[name] ?? 0) + rows;
  };
  return {
    async add(task) {
      const scrollSign = scrollSignOf(options);
      if (parts.includes('jsonl')) count(JSONL.task, 1);
      for (const [part, names, everyKind] of [
        ['parquet', PARQUET, false],
        ['jsonl', JSONL, true],
      ] as const) {
        if (!parts.includes(part)) continue;
        const projection = projectVideogui([task], { scrollSign, everyKind, names });
        for (const level of ['highPlan', 'midPlan', 'action'] as const) count(names[level], projection[level].length);
        append(leftOut.get(part)!, projection.leftOut); // Looked for just above.
      }
      if (!parts.includes('raw')) return;
      const log = rawLogOf(task);
      count(RAW, log.documents.length);
      append(
        leftOut.get('raw')!,
        log.missing.map((each) => ({ ...each, from: RAW })),
      );
    },
    finish: async () => ({ counts, leftOut: [...leftOut.values()].flat() }),
    abandon: async () => undefined,
  };
}
