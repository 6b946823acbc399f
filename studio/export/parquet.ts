import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { type Column, huggingfaceMetadata } from '../../core/export/videogui/columns.ts';
import type { PictureCell } from '../../core/export/videogui/rows.ts';
import { missingFile, refuseCancelled } from './target.ts';

/** Rows by column name: strings, numbers, lists of numbers, pictures, null. */
export type Row = Record<string, unknown>;

export type ShardOptions = {
  /** A shard is closed before its pictures would pass this, bytes. Default 500 MB, as Hugging Face cuts its own. */
  shardBytes?: number;
  /** A row group is closed when its pictures pass this, bytes: the bound on memory. Default 32 MB. */
  groupBytes?: number;
  /** A row group has at most this many rows. Default 100, which the Hugging Face viewer pages well. */
  groupRows?: number;
  signal?: AbortSignal | undefined;
  onRow?: () => void;
};

const SHARD_BYTES = 500_000_000;
const GROUP_BYTES = 32_000_000;
const GROUP_ROWS = 100;

/**
 * Writes rows to `<folder>/<split>-0000i-of-0000n.parquet` (at least one shard) and gives back the names.
 * Pictures are read when their row group is written and put in as they are. Throws BAD_FILE when one is missing.
 */
export async function writeShards(
  folder: string,
  split: string,
  columns: readonly Column[],
  rows: readonly Row[],
  options: ShardOptions = {},
): Promise<string[]> {
  const shards = await planShards(rows, columns, options.shardBytes ?? SHARD_BYTES);
  const digits = (number: number) => String(number).padStart(5, '0');
  const names: string[] = [];
  for (const [index, shard] of shards.entries()) {
    const name = `${split}-${digits(index)}-of-${digits(shards.length)}.parquet`;
    await writeParquet(path.join(folder, name), columns, shard, options);
    names.push(name);
  }
  return names;
}

/** Writes one parquet file, row group by row group. */
export async function writeParquet(
  file: string,
  columns: readonly Column[],
  rows: readonly Row[],
  options: ShardOptions = {},
): Promise<void> {
  const parquet = new ParquetWriter({
    writer: fileWriter(file),
    schema: parquetSchema(columns),
    codec: 'SNAPPY',
    kvMetadata: [{ key: 'huggingface', value: huggingfaceMetadata(columns) }],
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
  for (const row of rows) {
    refuseCancelled(options.signal);
    const loaded = await loadRow(row, columns);
    bytes += loaded.bytes;
    group.push(loaded.row);
    if (group.length >= groupRows || bytes >= groupBytes) await flush();
    options.onRow?.();
  }
  await flush();
  await parquet.finish();
}

/** Consecutive rows a shard, by the size of their pictures. */
async function planShards(rows: readonly Row[], columns: readonly Column[], limit: number): Promise<Row[][]> {
  const shards: Row[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    const size = await pictureBytes(row, columns);
    if (bytes > 0 && bytes + size > limit) {
      shards.push([]);
      bytes = 0;
    }
    shards.at(-1)!.push(row);
    bytes += size;
  }
  return shards;
}

async function pictureBytes(row: Row, columns: readonly Column[]): Promise<number> {
  let bytes = 0;
  for (const { picture, name } of picturesOf(row, columns)) {
    try {
      bytes += (await stat(picture.path)).size;
    } catch (error) {
      throw missingFile(error, picture.path, name);
    }
  }
  return bytes;
}

async function loadRow(row: Row, columns: readonly Column[]): Promise<{ row: Row; bytes: number }> {
  const loaded: Row = { ...row };
  let bytes = 0;
  for (const cell of picturesOf(row, columns)) {
    const content = await readFile(cell.picture.path).catch((error: unknown) => {
      throw missingFile(error, cell.picture.path, cell.name);
    });
    loaded[cell.column] = { bytes: content, path: cell.name };
    bytes += content.length;
  }
  return { row: loaded, bytes };
}

function picturesOf(row: Row, columns: readonly Column[]): (PictureCell & { column: string })[] {
  return (
    columns
      .filter(({ name, type }) => type === 'image' && row[name])
      // Rows come from core/export/videogui/rows.ts, whose image columns are picture cells.
      .map(({ name }) => ({ ...(row[name] as PictureCell), column: name }))
  );
}

function columnData({ name, type }: Column, rows: readonly Row[]) {
  const data = rows.map((row) => parquetValue(row[name] ?? null, type));
  // Pictures are compressed already, and bounds over their bytes would help nobody: plain, without statistics.
  if (type === 'image')
    return { name, data, codec: 'UNCOMPRESSED' as const, encoding: 'PLAIN' as const, statistics: false };
  return { name, data };
}

function parquetValue(value: unknown, type: Column['type']): unknown {
  if (value === null) return null;
  if (type === 'int64') return BigInt(value as number); // the column's type says so
  if (type === 'int64-list') return (value as number[]).map(BigInt); // likewise
  return value;
}

/** Parquet's schema in the shape that Arrow gives it: all optional, lists in three levels, an image as {bytes, path}. */
export function parquetSchema(columns: readonly Column[]): SchemaElement[] {
  return [{ name: 'schema', num_children: columns.length }, ...columns.flatMap(schemaElements)];
}

function schemaElements({ name, type }: Column): SchemaElement[] {
  const string = (of: string): SchemaElement => ({
    name: of,
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
    repetition_type: 'OPTIONAL',
  });
  switch (type) {
    case 'string':
      return [string(name)];
    case 'int64':
      return [{ name, type: 'INT64', repetition_type: 'OPTIONAL' }];
    case 'float64':
      return [{ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }];
    case 'int64-list':
      return [
        { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'INT64', repetition_type: 'OPTIONAL' },
      ];
    case 'image':
      return [
        { name, repetition_type: 'OPTIONAL', num_children: 2 },
        { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
        string('path'),
      ];
  }
}
