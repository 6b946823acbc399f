import path from 'node:path';
import { z } from 'zod';
import {
  type Coco,
  cocoSchema,
  type ImagefolderLine,
  imagefolderLineSchema,
  screenspotItemSchema,
  screenspotProItemSchema,
} from '../../../../../schemas/export-grounding.ts';
import { refuseCancelled } from '../../../../store/jobs/cancelled.ts';
import { IMAGEFOLDER_COLUMNS } from '../expected.ts';
import { readParquet } from '../parquet.ts';
import type { PlaceReport } from '../problems.ts';
import { type CheckedFolder, checkUnused, readJson } from '../reading.ts';
import { checkStep, checkXywh } from '../step.ts';

type Size = { width: number; height: number };

export async function checkScreenspot(check: CheckedFolder): Promise<Record<string, number>> {
  const file = 'screenspot_desktop.json';
  const items = (await readJson(check, file, z.array(screenspotItemSchema))) ?? [];
  for (const [index, { img_filename, bbox }] of items.entries()) {
    const place: PlaceReport = (code, message) => check.report(code, file, `item ${index}`, message);
    checkXywh(bbox, await check.pictures.look(`screenspot_imgs/${img_filename}`, place), place);
  }
  checkUnused(check, 'screenspot_imgs');
  return { [file]: items.length, images: check.pictures.count() };
}

export async function checkScreenspotPro(check: CheckedFolder): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const ids = new Set<string>();
  for (const file of check.found.filter((name) => /^annotations\/[^/]+\.json$/.test(name))) {
    const group = file.slice('annotations/'.length, -'.json'.length);
    const items = (await readJson(check, file, z.array(screenspotProItemSchema))) ?? [];
    counts[file] = items.length;
    for (const [index, { id, img_filename, bbox, img_size }] of items.entries()) {
      const place: PlaceReport = (code, message) => check.report(code, file, `item ${index}`, message);
      if (ids.has(id)) place('ID_TWICE', `${id} stands here a second time`);
      ids.add(id);
      if (id !== `${group}_${index}`) place('ROW_BAD', `id should be ${group}_${index}, it is ${id}`);
      const size = await check.pictures.look(`images/${img_filename}`, place);
      if (size && (img_size[0] !== size.width || img_size[1] !== size.height)) {
        place('SIZE_WRONG', `img_size is ${img_size.join(' x ')}, the picture ${size.width} x ${size.height}`);
      }
      const [left, top, right, bottom] = bbox;
      if (left >= right || top >= bottom) place('BOX_WRONG', `bbox ${bbox.join(', ')} is not left, top, right, bottom`);
      else if (size && (right > size.width || bottom > size.height)) {
        place('BOX_OUTSIDE', `bbox ${bbox.join(', ')} does not lie in ${size.width} x ${size.height}`);
      }
    }
  }
  checkUnused(check, 'images');
  return { ...counts, images: check.pictures.count() };
}

export async function checkCoco(check: CheckedFolder): Promise<Record<string, number>> {
  const file = 'annotations/instances.json';
  const coco = await readJson(check, file, cocoSchema);
  if (!coco) return { images: 0, annotations: 0 };
  const at =
    (where: string): PlaceReport =>
    (code, message) =>
      check.report(code, file, where, message);
  const images = new Map<number, { size: Size; boxes: number }>();
  for (const { id, file_name, width, height } of coco.images) {
    const place = at(`image ${id}`);
    if (images.has(id)) place('ID_TWICE', 'its id stands here a second time');
    images.set(id, { size: { width, height }, boxes: 0 });
    const size = await check.pictures.look(`images/${file_name}`, place);
    if (size && (size.width !== width || size.height !== height)) {
      place('SIZE_WRONG', `it is ${size.width} x ${size.height}, not ${width} x ${height}`);
    }
  }
  checkAnnotations(coco, images, at);
  for (const [id, { boxes }] of images) if (boxes === 0) at(`image ${id}`)('IMAGE_UNUSED', 'no annotation is of it');
  checkUnused(check, 'images');
  return { images: coco.images.length, annotations: coco.annotations.length };
}

function checkAnnotations(
  { annotations, categories }: Coco,
  images: ReadonlyMap<number, { size: Size; boxes: number }>,
  at: (where: string) => PlaceReport,
): void {
  const ids = new Set<number>();
  const categoryIds = new Set(categories.map(({ id }) => id));
  if (categoryIds.size !== categories.length) at('categories')('ID_TWICE', 'two categories have one id');
  for (const { id, image_id, category_id, bbox, area, segmentation } of annotations) {
    const place = at(`annotation ${id}`);
    if (ids.has(id)) place('ID_TWICE', 'its id stands here a second time');
    ids.add(id);
    if (!categoryIds.has(category_id)) place('REFERENCE_WRONG', `there is no category ${category_id}`);
    const image = images.get(image_id);
    if (image) image.boxes++;
    else place('REFERENCE_WRONG', `there is no image ${image_id}`);
    checkXywh(bbox, image?.size ?? null, place);
    const [left, top, width, height] = bbox;
    if (area !== width * height) place('FIGURE_WRONG', `area is ${area}, the box has ${width * height}`);
    const [right, bottom] = [left + width, top + height];
    if (segmentation[0]?.join() !== [left, top, right, top, right, bottom, left, bottom].join()) {
      place('BOX_WRONG', 'segmentation is not the box');
    }
  }
}

export async function checkImagefolder(check: CheckedFolder): Promise<Record<string, number>> {
  const file = check.split === null ? 'train/metadata.parquet' : 'metadata.parquet';
  const lines = await checkMetadata(check, file);
  return { [file]: lines, images: check.pictures.count() };
}

async function checkMetadata(check: CheckedFolder, file: string): Promise<number> {
  const below = file.slice(0, file.indexOf('/') + 1);
  const names = new Set<string>();
  const lines = await eachRow(check, file, async (line, place) => {
    if (names.has(line.file_name)) place('ID_TWICE', `${line.file_name} stands here a second time`);
    names.add(line.file_name);
    const size = await check.pictures.look(`${below}${line.file_name}`, place);
    if (line.after_file_name) await check.pictures.look(`${below}${line.after_file_name}`, place);
    checkStep(check, line, size, place);
  });
  checkUnused(check, `${below}images`);
  return lines;
}

/** Reads metadata.parquet, whose columns and types must be the same whatever stands in them. */
async function eachRow(
  { dir, has, report, manifest, signal }: CheckedFolder,
  file: string,
  onRow: (line: ImagefolderLine, place: PlaceReport) => Promise<void>,
): Promise<number> {
  if (!has(file)) {
    report('FILE_MISSING', file, '', 'the format’s own file is not there');
    return 0;
  }
  const { file_name, ...rest } = IMAGEFOLDER_COLUMNS;
  const withAfter = manifest?.options.after === 'yes';
  const columns = withAfter
    ? { file_name: file_name!, after_file_name: 'BYTE_ARRAY UTF8', ...rest }
    : IMAGEFOLDER_COLUMNS;
  let rows = 0;
  await readParquet(path.join(dir, file), file, { columns, features: false }, report, async (read, number) => {
    rows++;
    refuseCancelled(signal);
    const place: PlaceReport = (code, message) => report(code, file, `row ${number}`, message);
    const row = imagefolderLineSchema.safeParse(read);
    if (row.success) return onRow(row.data, place);
    const issues = row.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    place('ROW_BAD', issues.slice(0, 5).join('; '));
  });
  return rows;
}
