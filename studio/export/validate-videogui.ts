import { stat } from 'node:fs/promises';
import { StudioError } from '../../schemas/errors.ts';
import { listFiles, listStrangers } from './target.ts';
import { checkConsistency } from './validate/consistency.ts';
import { checkDataSets } from './validate/data-sets.ts';
import { checkFiles, explainedBy } from './validate/files.ts';
import { checkJsonl } from './validate/jsonl.ts';
import { type Problem, reportInto } from './validate/problems.ts';
import { checkRawLog } from './validate/raw-log.ts';

export type { Problem, ProblemCode } from './validate/problems.ts';

export type Validation = {
  /** No problem was found. */
  ok: boolean;
  problems: Problem[];
  /** Rows as read back, by part and data set. */
  counts: Record<string, number>;
};

/**
 * Reads a VideoGUI export back from its files and reports everything that is wrong in it: files against the manifest,
 * columns, types and features, every row and picture, and what the data sets say about each other. Uses none of the
 * writer's code for reading. Throws BAD_FILE only when `dir` is no folder.
 */
export async function validateVideogui(dir: string): Promise<Validation> {
  const folder = await stat(dir).catch(() => null);
  if (!folder?.isDirectory()) {
    throw new StudioError('BAD_FILE', `${dir} is not a folder. Name the folder of an export.`, { dir });
  }
  const problems: Problem[] = [];
  const report = reportInto(problems);
  const found = await listFiles(dir);
  for (const name of await listStrangers(dir)) {
    report('FILE_UNLISTED', name, '', 'it is a link or a device, not a file; nothing follows it');
  }
  const manifest = await checkFiles(dir, found, report);
  const has = (part: string, folderStart: string) =>
    manifest?.parts.includes(part) === true || found.some((name) => name.startsWith(folderStart));

  const counts: Record<string, number> = {};
  if (has('parquet', 'VideoGUI-')) {
    const contents = await checkDataSets(dir, found, report);
    checkConsistency(contents, explainedBy(manifest), report);
    counts['VideoGUI-High-Plan'] = contents.highPlan.length;
    counts['VideoGUI-Mid-Plan'] = contents.midPlan.length;
    counts['VideoGUI-Action'] = contents.action.length;
  }
  if (has('jsonl', 'videogui-jsonl/')) Object.assign(counts, await checkJsonl(dir, found, report));
  if (has('raw', 'videogui-raw/')) counts['videogui-raw'] = await checkRawLog(dir, found, report);

  for (const [name, count] of Object.entries(counts)) {
    const expected = manifest?.counts[name];
    if (manifest && expected !== count) {
      report('COUNT_WRONG', name, '', `${count} read back, the manifest says ${expected ?? 'nothing'}`);
    }
  }
  return { ok: problems.length === 0, problems, counts };
}
