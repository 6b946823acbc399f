import { rename } from 'node:fs/promises';
import path from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { huggingfaceMetadata, type ParquetColumn } from '../../../core/export/videogui/columns.ts';
import type { PictureCell } from '../../../core/export/videogui/rows.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import { PICTURES_AS_THEY_ARE, type PictureStore } from './pictures.ts';

/** Rows by column name: strings, numbers, lists of numbers, pictures and lists of them, null. */
type Row = Record<string, unknown>;

export type ShardOptions = {
  /** A shard is closed before its pictures would pass this, bytes. Default 500 MB, as Hugging Face cuts its own. */
  shardBytes?: number;
  /** A row group is closed when its pictures pass this, bytes: the bound on memory. Default 32 MB. */
  groupBytes?: number;
  /** A row group has at most this many rows. Default 100, which the Hugging Face viewer pages well. */
  groupRows?: number;
  /** Without the features of Hugging Face: where a file beside it says what the columns are to it. */
  plain?: boolean;
  /** Where pictures come from. Default: the files themselves. */
  pictures?: Pick<PictureStore, 'read' | 'size'>;
  signal?: AbortSignal | undefined;
  onRow?: () => void;
};

export const SHARD_BYTES = 500_000_000;
const GROUP_BYTES = 32_000_000;
const GROUP_ROWS = 100;

/** Rows that are written as they come. */
export type RowWriter<T> = { write(row: Row): Promise<void>; finish(): Promise<T> };

/**
 * Writes rows to `<folder>/<split>-0000i-of-0000n.parquet` (at least one shard) and gives back the names. How many there are
 * is known at the end: until then they are called `<split>-0000i.partial`. Pictures are read when their row comes and put in
 * as they are. Throws BAD_FILE when one is missing.
 */
export function openShards(
  folder: string,
  split: string,
  columns: readonly ParquetColumn[],
  options: ShardOptions = {},
): RowWriter<string[]> {
  const limit = options.shardBytes ?? SHARD_BYTES;
  const partial = (index: number) => path.join(folder, `${split}-${digits(index)}.partial`);
  let count = 1;
  let bytes = 0;
  let shard = openParquet(partial(0), columns, options);
  return {
    async write(row) {
      const size = await pictureBytes(row, columns, options);
      if (bytes > 0 && bytes + size > limit) {
        await shard.finish();
        shard = openParquet(partial(count), columns, options);
        count++;
        bytes = 0;
      }
      await shard.write(row);
      bytes += size;
    },
    async finish() {
      await shard.finish();
      const names = Array.from(
        { length: count },
        (_, index) => `${split}-${digits(index)}-of-${digits(count)}.parquet`,
      );
      for (const [index, name] of names.entries()) await rename(partial(index), path.join(folder, name));
      return names;
    },
  };
}

const digits = (number: number): string => String(number).padStart(5, '0');

/** Writes one parquet file, row group by row group. */
export function openParquet(
  file: string,
  columns: readonly ParquetColumn[],
  options: ShardOptions = {},
): RowWriter<void> {
  const parquet = new ParquetWriter({
    writer: fileWriter(file),
    schema: parquetSchema(columns),
    codec: 'SNAPPY',
    ...(!options.plain && { kvMetadata: [{ key: 'huggingface', value: huggingfaceMetadata(columns) }] }),
    createdBy: 'trajectory-studio',
  });
  const groupBytes = options.groupBytes ?? GROUP_BYTES;
  const groupRows = options.groupRows ?? GROUP_ROWS;
  let group: Row[] = [];
  let bytes = 0;
  const flush = async () => {
    if (group.length === 0) return;
    await parquet.write({ columnData: columns.map((column) => columnData(column, group)), rowGroupSize: group.length });
    group = [];
    bytes = 0;
  };
  return {
    async write(row) {
      refuseCancelled(options.signal);
      const loaded = await loadRow(row, columns, options);
      bytes += loaded.bytes;
      group.push(loaded.row);
      if (group.length >= groupRows || bytes >= groupBytes) await flush();
      options.onRow?.();
    },
    async finish() {
      await flush();
      await parquet.finish();
    },
  };
}

async function pictureBytes(
  row: Row,
  columns: readonly ParquetColumn[],
  { pictures = PICTURES_AS_THEY_ARE }: ShardOptions,
): Promise<number> {
  let bytes = 0;
  for (const { picture, name } of picturesOf(row, columns)) bytes += await pictures.size(picture.path, name);
  return bytes;
}

async function loadRow(
  row: Row,
  columns: readonly ParquetColumn[],
  { pictures = PICTURES_AS_THEY_ARE, signal }: ShardOptions,
): Promise<{ row: Row; bytes: number }> {
  const loaded: Row = { ...row };
  let bytes = 0;
  for (const { name, type } of columns) {
    if (!TYPES_OF_PICTURES.has(type) || !row[name]) continue;
    const cells: { bytes: Buffer; path: string }[] = [];
    for (const cell of cellsOf(row[name])) {
      refuseCancelled(signal);
      const content = await pictures.read(cell.picture.path, cell.name);
      cells.push({ bytes: content, path: cell.name });
      bytes += content.length;
    }
    loaded[name] = type === 'image' ? cells[0] : cells;
  }
  return { row: loaded, bytes };
}

const TYPES_OF_PICTURES: ReadonlySet<ParquetColumn['type']> = new Set(['image', 'image-list']);

const picturesOf = (row: Row, columns: readonly ParquetColumn[]): PictureCell[] =>
  columns.flatMap(({ name, type }) => (TYPES_OF_PICTURES.has(type) && row[name] ? cellsOf(row[name]) : []));

// Rows come from core/export, whose columns of these types hold picture cells.
const cellsOf = (value: unknown): PictureCell[] => (Array.isArray(value) ? value : [value as PictureCell]);

function columnData({ name, type }: ParquetColumn, rows: readonly Row[]) {
  const data = rows.map((row) => parquetValue(row[name] ?? null, type));
  // Pictures are compressed already, and bounds over their bytes would help nobody: plain, without statistics.
  if (TYPES_OF_PICTURES.has(type))
    return { name, data, codec: 'UNCOMPRESSED' as const, encoding: 'PLAIN' as const, statistics: false };
  return { name, data };
}

function parquetValue(value: unknown, type: ParquetColumn['type']): unknown {
  if (value === null) return null;
  if (type === 'int64') return BigInt(value as number); // the column's type says so
  if (type === 'int64-list') return (value as number[]).map(BigInt); // likewise
  if (type === 'boxes') {
    const boxes = value as { bbox: number[][] }; // likewise
    return { ...boxes, bbox: boxes.bbox.map((box) => box.map(BigInt)) };
  }
  return value;
}

/** Parquet's schema in the shape that Arrow gives it: all optional, lists in three levels, an image as {bytes, path}. */
function parquetSchema(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [{ name: 'schema', num_children: columns.length }, ...columns.flatMap(schemaElements)];
}

const whole = (name: string): SchemaElement => ({ name, type: 'INT64', repetition_type: 'OPTIONAL' });

/** A column of text, which may be null. */
export const stringElement = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
  repetition_type: 'OPTIONAL',
});

function listOf(name: string, element: SchemaElement[]): SchemaElement[] {
  return [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...element,
  ];
}

const pictureElements = (name: string): SchemaElement[] => [
  { name, repetition_type: 'OPTIONAL', num_children: 2 },
  { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
  stringElement('path'),
];

function schemaElements({ name, type }: ParquetColumn): SchemaElement[] {
  const string = stringElement;
  switch (type) {
    case 'string':
      return [string(name)];
    case 'bool':
      return [{ name, type: 'BOOLEAN', repetition_type: 'OPTIONAL' }];
    case 'int32':
      return [{ name, type: 'INT32', repetition_type: 'OPTIONAL' }];
    case 'int64':
      return [whole(name)];
    case 'float32':
      return [{ name, type: 'FLOAT', repetition_type: 'OPTIONAL' }];
    case 'float64':
      return [{ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }];
    case 'int64-list':
      return listOf(name, [whole('element')]);
    case 'string-list':
      return listOf(name, [string('element')]);
    case 'boxes':
      return [
        { name, repetition_type: 'OPTIONAL', num_children: 3 },
        ...listOf('bbox', listOf('element', [whole('element')])),
        ...listOf('categories', [string('element')]),
        ...listOf('roles', [string('element')]),
      ];
    case 'image':
      return pictureElements(name);
    case 'image-list':
      return listOf(name, pictureElements('element'));
  }
}
