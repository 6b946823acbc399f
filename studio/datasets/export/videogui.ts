import { append } from '../../../core/lists.ts';
import { openVideoguiJsonl } from './videogui-jsonl.ts';
import { openVideoguiParquet } from './videogui-parquet.ts';
import { openVideoguiRaw } from './videogui-raw.ts';
import type { FormatWriter, OpenWriter, WriterContext, WriterResult } from './writer.ts';

/** `parquet`: the three Hugging Face data sets; `jsonl`: videogui-jsonl; `raw`: the raw log with videos. */
const PARTS: Readonly<Record<string, OpenWriter>> = {
  parquet: openVideoguiParquet,
  jsonl: openVideoguiJsonl,
  raw: openVideoguiRaw,
};

/** VideoGUI in the parts that were asked for. */
export async function openVideogui(folder: string, context: WriterContext): Promise<FormatWriter> {
  const writers: FormatWriter[] = [];
  for (const part of context.parts) {
    const open = PARTS[part];
    if (open) writers.push(await open(folder, context));
  }
  return {
    async add(task) {
      for (const writer of writers) await writer.add(task);
    },
    async finish() {
      const result: WriterResult = { counts: {}, leftOut: [] };
      for (const writer of writers) {
        const { counts, leftOut } = await writer.finish();
        Object.assign(result.counts, counts);
        append(result.leftOut, leftOut);
      }
      return result;
    },
    async abandon() {
      for (const writer of writers) await writer.abandon();
    },
  };
}
