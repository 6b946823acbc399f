import { checkConsistency } from '../consistency.ts';
import { checkDataSets } from '../data-sets.ts';
import { checkJsonl } from '../jsonl.ts';
import { checkRawLog } from '../raw-log.ts';
import type { CheckedFolder } from '../reading.ts';

/** VideoGUI: columns, types and features, every row and picture, and what the data sets say about each other. */
export async function checkVideogui({
  dir,
  found,
  report,
  manifest,
  explained,
  inSplit,
}: CheckedFolder): Promise<Record<string, number>> {
  const has = (part: string, folderStart: string) =>
    manifest?.parts.includes(part) === true || found.some((name) => name.startsWith(folderStart));

  const counts: Record<string, number> = {};
  if (has('parquet', 'VideoGUI-')) {
    const contents = await checkDataSets(dir, found, report);
    checkConsistency(contents, explained, report);
    for (const { task, file, where } of [...contents.highPlan, ...contents.midPlan, ...contents.action]) {
      inSplit(task, (code, message) => report(code, file, where, message));
    }
    counts['VideoGUI-High-Plan'] = contents.highPlan.length;
    counts['VideoGUI-Mid-Plan'] = contents.midPlan.length;
    counts['VideoGUI-Action'] = contents.action.length;
  }
  if (has('jsonl', 'videogui-jsonl/')) Object.assign(counts, await checkJsonl(dir, found, report));
  if (has('raw', 'videogui-raw/')) counts['videogui-raw'] = await checkRawLog(dir, found, report);
  return counts;
}
