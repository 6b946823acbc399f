import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FormatName } from '../../../core/export/formats.ts';
import type { LeftOut } from '../../../core/export/model.ts';
import { append } from '../../../core/lists.ts';
import { llamaFactoryInfo } from './chat.ts';
import type { FormatWriter, OpenWriter, WriterContext } from './writer.ts';

/**
 * Splits of a data set in an export: each has a folder of its own, written as the format writes a data set that is not split.
 * So no file holds rows of two splits, whatever a loader calls all rows of a file.
 */

type Counts = Readonly<Record<string, number>>;

/** Whether an export of these splits has folders: always, unless one folder was asked for (imagefolder's option). */
const hasSplitFolders = (splits: readonly string[], options: Readonly<Record<string, string>>): boolean =>
  splits.length > 0 && options.splits !== 'no';

/** The folder of tasks that stand in no split, a name that none of the splits has. */
function restFolder(splits: Iterable<string>): string {
  const taken = new Set(splits);
  let name = 'unsplit';
  while (taken.has(name)) name += '_';
  return name;
}

/** What stands at the top of an export with folders, beside the card and the manifest. */
const TOP_FILES: Partial<
  Record<
    FormatName,
    { name: string; of(folders: readonly string[], options: WriterContext['options']): object; needs: string }
  >
> = { llamafactory: { name: 'dataset_info.json', of: llamaFactoryInfo, needs: 'trajectories.jsonl' } };

/** A writer of the format; where the data set is split, one a split. */
export async function openSplits(
  format: FormatName,
  open: OpenWriter,
  folder: string,
  context: Omit<WriterContext, 'split'>,
): Promise<FormatWriter> {
  if (!hasSplitFolders(context.splits, context.options)) return open(folder, { ...context, split: null });
  const writers = new Map<string, FormatWriter>();
  const rest = restFolder(context.splits);
  const writerOf = async (split: string): Promise<FormatWriter> => {
    const known = writers.get(split);
    if (known) return known;
    await mkdir(path.join(folder, split), { recursive: true });
    const writer = await open(path.join(folder, split), { ...context, split });
    writers.set(split, writer);
    return writer;
  };
  return {
    async add(task) {
      await (await writerOf(task.split ?? rest)).add(task);
    },
    async finish() {
      const counts: Record<string, number> = {};
      const leftOut: LeftOut[] = [];
      const about = new Set<string>();
      const names = [...writers.keys()].sort();
      for (const split of names) {
        const written = await writers.get(split)!.finish();
        for (const [name, count] of Object.entries(written.counts)) counts[`${split}/${name}`] = count;
        append(leftOut, written.leftOut);
        for (const line of written.about ?? []) about.add(line);
      }
      const top = TOP_FILES[format];
      if (top) {
        const value = top.of(
          names.filter((split) => (counts[`${split}/${top.needs}`] ?? 0) > 0),
          context.options,
        );
        await writeFile(path.join(folder, top.name), `${JSON.stringify(value, null, 2)}\n`);
      }
      return { counts, leftOut, folders: names, about: [...about] };
    },
    async abandon() {
      for (const writer of writers.values()) await writer.abandon();
    },
  };
}

/** One split's counts under the names that they have without folders. */
export const countsIn = (counts: Counts, split: string): Counts =>
  Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) =>
      name.startsWith(`${split}/`) ? [[name.slice(split.length + 1), count]] : [],
    ),
  );
