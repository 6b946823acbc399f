import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { imagefolderColumns } from '../../../core/export/grounding/imagefolder.ts';
import type { ParquetColumn } from '../../../core/export/videogui/columns.ts';
import { openParquet } from './parquet.ts';

/** Rows are read as other programs do: as plain JSON. */
type Row = ReturnType<typeof JSON.parse>;

const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, plain(of)]));
};

/** The rows of a parquet file without pictures, whole numbers as numbers. */
export async function parquetRows(file: string): Promise<Row[]> {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
  return rows.map((row) => plain(row) as Row); // Rows are objects.
}

/** Writes imagefolder's metadata.parquet, its columns changed by `edit`. */
export async function writeMetadata(
  file: string,
  rows: readonly Row[],
  edit: (columns: ParquetColumn[]) => ParquetColumn[] = (columns) => columns,
): Promise<void> {
  const writer = openParquet(file, edit(imagefolderColumns(false)), { plain: true });
  for (const row of rows) await writer.write(row);
  await writer.finish();
}
