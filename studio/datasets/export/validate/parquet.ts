import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  type SchemaElement,
} from 'hyparquet';
import { whyNot } from '../../../../schemas/errors.ts';
import { type DataSetName, EXPECTED_COLUMNS, EXPECTED_FEATURES } from './expected.ts';
import type { Report } from './problems.ts';

/** A row with int64 as numbers and what is absent as null. */
export type ReadRow = Record<string, unknown>;

/** The expected columns of a file, in order; `features`: the file itself names them to Hugging Face. */
export type Columns = { columns: Readonly<Record<string, string>>; features: boolean };

export const dataSetColumns = (dataSet: DataSetName): Columns => ({
  columns: EXPECTED_COLUMNS[dataSet],
  features: true,
});

/**
 * Reads a parquet file back and gives each row to `onRow` (row numbers from 1), a row group at a time in memory.
 * `any`: whatever columns it has. Reports a file that cannot be read, columns and features that are not the data set's; then no row is given.
 */
export async function readParquet(
  file: string,
  name: string,
  expected: Columns | 'any',
  report: Report,
  onRow: (row: ReadRow, number: number) => Promise<void>,
): Promise<void> {
  try {
    const buffer = await asyncBufferFromFile(file);
    const metadata = await parquetMetadataAsync(buffer);
    if (expected !== 'any') {
      const fits = checkColumns(metadata, name, expected, report);
      if (expected.features) checkFeatures(metadata, name, expected, report);
      if (!fits) return;
    }
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const rows = await parquetReadObjects({ file: buffer, metadata, rowStart, rowEnd, utf8: false });
      for (const [index, row] of rows.entries()) await onRow(plain(row), rowStart + index + 1);
      rowStart = rowEnd;
    }
  } catch (error) {
    report('PARQUET_UNREADABLE', name, '', whyNot(error));
  }
}

function checkColumns(metadata: FileMetaData, name: string, { columns: expected }: Columns, report: Report): boolean {
  const found = columnTypes(metadata.schema);
  let fits = true;
  const problem = (code: 'COLUMN_MISSING' | 'COLUMN_UNKNOWN' | 'COLUMN_TYPE', column: string, message: string) => {
    report(code, name, `column ${column}`, message);
    fits = false;
  };
  for (const [column, type] of Object.entries(expected)) {
    const actual = found.get(column);
    if (!actual) problem('COLUMN_MISSING', column, `the data set has a column ${column}, this file has none`);
    else if (actual !== type) problem('COLUMN_TYPE', column, `expected ${type}, found ${actual}`);
  }
  const order = Object.keys(expected).filter((column) => found.has(column));
  const foundOrder = [...found.keys()].filter((column) => column in expected);
  const moved = order.findIndex((column, index) => column !== foundOrder[index]);
  if (moved >= 0) {
    report('COLUMN_ORDER', name, '', `column ${moved + 1} is ${foundOrder[moved]}, expected ${order[moved]}`);
  }
  for (const column of found.keys()) {
    if (!(column in expected)) problem('COLUMN_UNKNOWN', column, `the data set has no column ${column}`);
  }
  return fits;
}

/** The key `huggingface` of the parquet, by which `load_dataset` shows images. */
function checkFeatures(metadata: FileMetaData, name: string, { columns }: Columns, report: Report): void {
  const value = metadata.key_value_metadata?.find(({ key }) => key === 'huggingface')?.value;
  if (!value) {
    report('FEATURES_BAD', name, 'key huggingface', 'there is no Hugging Face metadata: images would show as bytes');
    return;
  }
  const features = featuresOf(value);
  if (!features) {
    report('FEATURES_BAD', name, 'key huggingface', 'it is not JSON of the form {"info": {"features": {…}}}');
    return;
  }
  for (const [column, type] of Object.entries(columns)) {
    const expected = EXPECTED_FEATURES[type];
    const actual = JSON.stringify(features[column]);
    if (actual !== expected) {
      report('FEATURES_BAD', name, `column ${column}`, `expected the feature ${expected}, found ${actual ?? 'none'}`);
    }
  }
}

function featuresOf(json: string): Record<string, unknown> | null {
  try {
    const features: unknown = JSON.parse(json)?.info?.features;
    return typeof features === 'object' && features !== null ? { ...features } : null;
  } catch {
    return null;
  }
}

/** The top columns and their types in the notation of EXPECTED_COLUMNS; parquet lists its tree depth first. */
function columnTypes(schema: readonly SchemaElement[]): Map<string, string> {
  let at = 0;
  const read = (): { name: string; type: string } => {
    const element = schema[at++];
    if (!element) throw new Error('the schema ends too early');
    const children = Array.from({ length: element.num_children ?? 0 }, read);
    return { name: element.name, type: typeOf(element, children) };
  };
  const root = schema[at++];
  return new Map(Array.from({ length: root?.num_children ?? 0 }, read).map(({ name, type }) => [name, type]));
}

function typeOf(element: SchemaElement, children: { name: string; type: string }[]): string {
  if (element.converted_type === 'LIST')
    return `[${children.map(({ type }) => type.replace(/^\{element: (.*)\}$/, '$1'))}]`;
  if (children.length > 0) return `{${children.map(({ name, type }) => `${name}: ${type}`).join(', ')}}`;
  return [element.type, element.converted_type].filter(Boolean).join(' ');
}

function plain(row: Record<string, unknown>): ReadRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  return Array.isArray(value) ? value.map(plainValue) : isPlainObject(value) ? plain(value) : value;
}

/** A struct, no bytes. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
