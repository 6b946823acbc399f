import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rawLogOf } from '../../../core/export/videogui/raw.ts';
import { append } from '../../../core/lists.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import { copyToTarget } from './target.ts';
import type { FormatWriter, WriterContext, WriterResult } from './writer.ts';

const FOLDER = 'videogui-raw';

/** The raw log with videos and ordered screenshots, the way the benchmark's authors keep it (formats.md). */
export async function openVideoguiRaw(folder: string, context: WriterContext): Promise<FormatWriter> {
  const root = path.join(folder, FOLDER);
  await mkdir(root, { recursive: true });
  const result: WriterResult = { counts: { [FOLDER]: 0 }, leftOut: [] };
  return {
    async add(task) {
      const log = rawLogOf(task);
      for (const { from, to } of log.files) {
        refuseCancelled(context.signal);
        await copyToTarget(from, path.join(root, to), task.id);
        context.tick(FOLDER);
      }
      for (const { to, value } of [log.task, ...log.documents]) {
        const file = path.join(root, to);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
      }
      result.counts[FOLDER]! += log.documents.length;
      append(
        result.leftOut,
        log.missing.map((each) => ({ ...each, from: FOLDER })),
      );
    },
    finish: async () => result,
    abandon: async () => undefined,
  };
}
