import type { ExportTask, LeftOut } from '../../core/export/model.ts';
import type { ScrollSign } from '../../core/export/videogui/rows.ts';
import type { ShardOptions } from './parquet.ts';

/** `parquet`: the three Hugging Face data sets; `jsonl`: videogui-jsonl; `raw`: the raw log with videos. */
export type VideoguiPart = 'parquet' | 'jsonl' | 'raw';

/** What a part's writer gets. `tick` counts one step done. */
export type PartContext = {
  scrollSign: ScrollSign;
  sizes: ShardOptions;
  signal: AbortSignal | undefined;
  tick: (step: string) => void;
};

/** Rows by data set, and what the part could not hold. */
export type PartResult = { counts: Record<string, number>; leftOut: LeftOut[] };

/** Writes one part into its own folders below `folder`. */
export type PartWriter = (tasks: readonly ExportTask[], folder: string, context: PartContext) => Promise<PartResult>;
