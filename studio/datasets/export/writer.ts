import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import type { NamedPicture } from '../../../core/export/pictures.ts';
import type { DatasetTerms } from '../../../schemas/dataset-terms.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import type { ExportSource } from '../export-source.ts';
import type { FilmStore } from './films.ts';
import type { ShardOptions } from './parquet.ts';
import type { PictureStore } from './pictures.ts';

/** Given to a format's writer. */
export type WriterContext = {
  parts: readonly string[];
  /** Every option of the format, by name. */
  options: Readonly<Record<string, string>>;
  pictures: PictureStore;
  films: FilmStore;
  /** Splits that the tasks stand in (ExportTask.split); none: the data set is not split. */
  splits: readonly string[];
  /** The split that this writer's folder is of; null: all tasks come to it. */
  split: string | null;
  /** Licence, citation and sources of the data set; absent: nobody said any. */
  terms?: DatasetTerms;
  /** The number of a person whose words go out without their name: from 1, as they come, in all splits the same. */
  numberOf: (person: string) => number;
  /** The worth of panels of judges; absent: it is not known of what is exported. */
  panels?: ExportSource['panels'];
  sizes: ShardOptions;
  signal: AbortSignal | undefined;
  /** Counts one step done. */
  tick: (step: string) => void;
};

/** Rows by part and data set, and what the format could not hold. */
export type WriterResult = {
  counts: Record<string, number>;
  leftOut: LeftOut[];
  /** The folders of splits that were written, by name; absent: there are none. */
  folders?: readonly string[];
  /** Further lines of the card, about what was written. */
  about?: readonly string[];
};

/** Writes one format, task by task: nothing of a task stays in memory after `add`. */
export type FormatWriter = {
  add(task: ExportTask): Promise<void>;
  /** Closes the files. */
  finish(): Promise<WriterResult>;
  /** Lets go of open files after a failure; the folder is removed then. */
  abandon(): Promise<void>;
};

/** Numbers people as they come. */
export function numbering(): WriterContext['numberOf'] {
  const numbers = new Map<string, number>();
  return (person) => {
    const number = numbers.get(person) ?? numbers.size + 1;
    numbers.set(person, number);
    return number;
  };
}

/** Opens a format's files in an empty `folder`. */
export type OpenWriter = (folder: string, context: WriterContext) => Promise<FormatWriter>;

/** Puts a task's pictures into a folder. Gives back how many. */
export async function putPictures(
  pictures: readonly NamedPicture[],
  place: (name: string) => string,
  context: WriterContext,
): Promise<number> {
  for (const { picture, name } of pictures) {
    refuseCancelled(context.signal);
    await context.pictures.put(picture.path, place(name), name);
    context.tick(name);
  }
  return pictures.length;
}
