import path from 'node:path';
import type { FormatName } from '../../../../core/export/formats.ts';
import type { ExportManifest } from '../../../../schemas/export.ts';
import type { PlaceReport, Report } from './problems.ts';
import { type CheckedFolder, picturesIn } from './reading.ts';

/** Splits of an export: each folder is read back as an export of its own, and holds the tasks that the manifest says. */

/** Folders of splits; null when there are none. Exports from before manifests named them had them in imagefolder alone. */
export function splitFoldersOf(
  format: FormatName,
  manifest: ExportManifest | null,
  found: readonly string[],
): readonly string[] | null {
  if (manifest?.splitFolders) return manifest.splitFolders;
  if (format !== 'imagefolder' || manifest?.options.splits === 'no') return null;
  const folders = found.flatMap((name) => /^([a-z][a-z0-9_-]*)\/metadata\.parquet$/.exec(name)?.[1] ?? []);
  return folders.some((folder) => folder !== 'train') ? folders : null;
}

/** Files at the top of an export whose splits have folders. */
const TOP = /^(?:manifest\.json|README\.md|dataset_info\.json)$/;
/** A name that begins with a task's: `PPT_15_1_2_before.png`, `PPT_15.json`, `PPT_15`. */
const OF_TASK = /^([A-Za-z][A-Za-z0-9-]*_\d+(?:-\d+)?)(?=[_.]|$)/;

/** The same check for each split's folder, with what is below it alone; and what lies outside of them. */
export function foldersToCheck(check: CheckedFolder, folders: readonly string[]): CheckedFolder[] {
  const { dir, found, report, manifest, signal } = check;
  for (const name of found) {
    if (TOP.test(name) || folders.includes(name.slice(0, name.indexOf('/')))) continue;
    report('SPLIT_WRONG', name, '', `it lies in none of the splits' folders (${folders.join(', ')})`);
  }
  const splitOf = new Map(
    Object.entries(manifest?.splits ?? {}).flatMap(([split, tasks]) => tasks.map((one) => [one, split])),
  );
  const seen = new Map<string, string>();
  return folders.map((split) => {
    const below = `${split}/`;
    const own = found.filter((name) => name.startsWith(below)).map((name) => name.slice(below.length));
    const present = new Set(own);
    const reportBelow: Report = (code, file, where, message) => report(code, `${below}${file}`, where, message);
    const inSplit = (task: string, place: PlaceReport): void => {
      const before = seen.get(task) ?? split;
      seen.set(task, before);
      const expected = splitOf.get(task);
      if (before !== split) place('SPLIT_WRONG', `${task} stands in ${before}/ already`);
      else if (expected === undefined ? manifest?.splits?.[split] !== undefined : expected !== split) {
        place('SPLIT_WRONG', `the manifest has ${task} in ${expected ?? 'no split'}`);
      }
    };
    for (const name of own) {
      const task = name.split('/').find((part) => splitOf.has(OF_TASK.exec(part)?.[1] ?? ''));
      const id = task && OF_TASK.exec(task)?.[1];
      if (id && splitOf.get(id) !== split) {
        reportBelow('SPLIT_WRONG', name, '', `the manifest has ${id} in ${splitOf.get(id)}`);
      }
    }
    return {
      ...check,
      dir: path.join(dir, split),
      found: own,
      has: (name) => present.has(name),
      report: reportBelow,
      pictures: picturesIn(path.join(dir, split), own, signal),
      split,
      inSplit,
    };
  });
}
