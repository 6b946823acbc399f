import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Categories, cocoCategories, cocoOf } from '../../../core/export/grounding/coco.ts';
import { imagefolderColumns, imagefolderLines } from '../../../core/export/grounding/imagefolder.ts';
import {
  type InstructionFrom,
  screenspotItems,
  screenspotProGroup,
  screenspotProItems,
} from '../../../core/export/grounding/screenspot.ts';
import { knownLicence } from '../../../core/export/licences.ts';
import type { LeftOut } from '../../../core/export/model.ts';
import { append } from '../../../core/lists.ts';
import type { DatasetTerms } from '../../../schemas/dataset-terms.ts';
import { openParquet } from './parquet.ts';
import { type JsonList, openJsonList } from './text-file.ts';
import { type FormatWriter, putPictures, type WriterContext } from './writer.ts';

/** Writers of the formats of elements and boxes: ScreenSpot, ScreenSpot-Pro, COCO, imagefolder. */

const instructionFrom = ({ options }: WriterContext): InstructionFrom =>
  options.instruction === 'element' ? 'element' : 'narration';

const SCREENSPOT_FILE = 'screenspot_desktop.json';
const SCREENSPOT_IMAGES = 'screenspot_imgs';

export async function openScreenspot(folder: string, context: WriterContext): Promise<FormatWriter> {
  const list = await openJsonList(path.join(folder, SCREENSPOT_FILE));
  const counts = { [SCREENSPOT_FILE]: 0, images: 0 };
  const leftOut: LeftOut[] = [];
  return {
    async add(task) {
      const { items, elements } = screenspotItems(task, instructionFrom(context));
      const place = (name: string) => path.join(folder, SCREENSPOT_IMAGES, name);
      counts.images! += await putPictures(elements.pictures, place, context);
      for (const item of items) await list.add(item);
      counts[SCREENSPOT_FILE]! += items.length;
      append(leftOut, elements.leftOut);
    },
    async finish() {
      await list.close();
      return { counts, leftOut };
    },
    abandon: list.close,
  };
}

export async function openScreenspotPro(folder: string, context: WriterContext): Promise<FormatWriter> {
  /** One a software and system: as many as there are of these. */
  const groups = new Map<string, { list: JsonList; count: number }>();
  let images = 0;
  const leftOut: LeftOut[] = [];
  const close = async () => {
    for (const { list } of groups.values()) await list.close();
  };
  return {
    async add(task) {
      const known = groups.get(screenspotProGroup(task));
      const { group, items, elements } = screenspotProItems(task, instructionFrom(context), known?.count ?? 0);
      append(leftOut, elements.leftOut);
      if (items.length === 0) return;
      const list = known?.list ?? (await openJsonList(path.join(folder, 'annotations', `${group}.json`)));
      groups.set(group, { list, count: (known?.count ?? 0) + items.length });
      const place = (name: string) => path.join(folder, 'images', group, name);
      images += await putPictures(elements.pictures, place, context);
      for (const item of items) await list.add(item);
    },
    async finish() {
      await close();
      const counts = [...groups].map(([group, { count }]) => [`annotations/${group}.json`, count] as const);
      return { counts: { ...Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1))), images }, leftOut };
    },
    abandon: close,
  };
}

const COCO_FILE = 'annotations/instances.json';

/**
 * COCO's one file has two long lists. The images go into it as they come; the annotations into a file beside it, which is
 * added at the end.
 */
export async function openCoco(folder: string, context: WriterContext): Promise<FormatWriter> {
  const categories: Categories = context.options.categories === 'action' ? 'action' : 'one';
  const file = path.join(folder, COCO_FILE);
  const spool = path.join(folder, 'annotations', 'boxes.partial');
  const images = await openJsonList(file, '{"images":', ',');
  const boxes = await openJsonList(spool, '"annotations":', ',');
  const used = { images: 0, annotations: 0 };
  let newest = '1970-01-01T00:00:00.000Z';
  const leftOut: LeftOut[] = [];
  const close = async () => {
    await images.close();
    await boxes.close();
  };
  return {
    async add(task) {
      const made = cocoOf(task, categories, used);
      for (const { startedAt } of task.recordings) if (startedAt > newest) newest = startedAt;
      await putPictures(made.elements.pictures, (name) => path.join(folder, 'images', name), context);
      for (const image of made.images) await images.add(image);
      for (const annotation of made.annotations) await boxes.add(annotation);
      used.images += made.images.length;
      used.annotations += made.annotations.length;
      append(leftOut, made.elements.leftOut);
    },
    async finish() {
      await close();
      await pipeline(createReadStream(spool), createWriteStream(file, { flags: 'a' }));
      const info = {
        description: 'Elements of graphical user interfaces, acted on by people',
        version: '1',
        year: Number(newest.slice(0, 4)),
        // The newest recording's: an export has no clock of its own, so that its bytes repeat.
        date_created: newest,
      };
      const rest = { categories: cocoCategories(categories), licenses: cocoLicences(context.terms), info };
      await appendFile(file, `${JSON.stringify(rest).slice(1)}\n`);
      await rm(spool);
      return { counts: { images: used.images, annotations: used.annotations }, leftOut };
    },
    abandon: close,
  };
}

/** COCO's list has a place for the licence; pages of it are not known for all. */
function cocoLicences(terms: DatasetTerms | undefined): { id: number; name: string; url: string }[] {
  if (!terms?.licence) return [];
  const known = knownLicence(terms.licence);
  return [{ id: 1, name: terms.licence, url: known ? `https://spdx.org/licenses/${known.spdx}.html` : '' }];
}

/** A row group's; rows of text are small. */
const ROWS = 1000;

/** Where everything goes when the data set is not split. */
const ONLY_SPLIT = 'train';
export const METADATA = 'metadata.parquet';

/**
 * metadata.parquet beside its pictures, in a folder a split. Parquet, since a column of JSON Lines that is null throughout one
 * split has no type there, and the splits would not load together.
 */
export async function openImagefolder(folder: string, context: WriterContext): Promise<FormatWriter> {
  const { split, options } = context;
  const withAfter = options.after === 'yes';
  const below = split === null ? `${ONLY_SPLIT}/` : '';
  const root = path.join(folder, below);
  await mkdir(root, { recursive: true });
  const sizes = { groupRows: ROWS, ...context.sizes, plain: true };
  const file = openParquet(path.join(root, METADATA), imagefolderColumns(withAfter), sizes);
  const counts = { [`${below}${METADATA}`]: 0, images: 0 };
  const leftOut: LeftOut[] = [];
  return {
    async add(task) {
      const made = imagefolderLines(task, withAfter);
      append(leftOut, made.leftOut);
      counts.images! += await putPictures(made.pictures, (image) => path.join(root, 'images', image), context);
      for (const line of made.lines) await file.write(line);
      counts[`${below}${METADATA}`]! += made.lines.length;
    },
    async finish() {
      await file.finish();
      return { counts, leftOut };
    },
    // Parquet files are opened for each write and held open by nobody.
    abandon: async () => undefined,
  };
}
