import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { stringElement } from './parquet.ts';

/** The Parquet files of a LeRobot data set: rows in groups of an episode, columns in the types that its reader casts to. */

type Cell = 'string' | 'int64' | 'float32' | 'float64' | 'bool';
/** A list of a type in one or more levels, or the texts of a moment. */
export type LerobotType = Cell | { list: LerobotType } | 'said' | 'said-lasting';
export type LerobotColumn = { name: string; type: LerobotType };
type Row = Readonly<Record<string, unknown>>;

export type LerobotFile = {
  /** Rows of one group. */
  write(rows: readonly Row[]): Promise<void>;
  finish(): Promise<void>;
};

/** `pandas`: the column that names the rows to pandas, as its own writer says it. */
export function openLerobotParquet(file: string, columns: readonly LerobotColumn[], pandas?: string): LerobotFile {
  mkdirSync(path.dirname(file), { recursive: true });
  const parquet = new ParquetWriter({
    writer: fileWriter(file),
    schema: [
      { name: 'schema', num_children: columns.length },
      ...columns.flatMap(({ name, type }) => elements(name, type)),
    ],
    codec: 'SNAPPY',
    ...(pandas !== undefined && { kvMetadata: [{ key: 'pandas', value: pandasMetadata(columns, pandas) }] }),
    createdBy: 'trajectory-studio',
  });
  return {
    async write(rows) {
      if (rows.length === 0) return;
      const columnData = columns.map(({ name, type }) => ({ name, data: rows.map((row) => cell(row[name], type)) }));
      await parquet.write({ columnData, rowGroupSize: rows.length });
    },
    finish: async () => {
      await parquet.finish();
    },
  };
}

function cell(value: unknown, type: LerobotType): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'int64') return BigInt(value as number); // The column's type says so.
  if (typeof type === 'object') return (value as unknown[]).map((one) => cell(one, type.list)); // Likewise.
  return value;
}

const optional = (name: string, type: SchemaElement['type']): SchemaElement => ({
  name,
  ...(type && { type }),
  repetition_type: 'OPTIONAL',
});

const TYPES = { int64: 'INT64', float32: 'FLOAT', float64: 'DOUBLE', bool: 'BOOLEAN' } as const;

function elements(name: string, type: LerobotType): SchemaElement[] {
  if (type === 'string') return [stringElement(name)];
  if (type === 'said' || type === 'said-lasting') {
    const times = type === 'said' ? [] : [optional('timestamp', 'FLOAT')];
    const fields = [
      ...['role', 'content', 'style'].map(stringElement),
      ...times,
      stringElement('camera'),
      ...listed('tool_calls', [stringElement('element')]),
    ];
    return listed(name, [{ ...optional('element', undefined), num_children: 5 + times.length }, ...fields]);
  }
  if (typeof type === 'object') return listed(name, elements('element', type.list));
  return [optional(name, TYPES[type])];
}

const listed = (name: string, element: readonly SchemaElement[]): SchemaElement[] => [
  { ...optional(name, undefined), num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...element,
];

function pandasMetadata(columns: readonly LerobotColumn[], index: string): string {
  return JSON.stringify({
    index_columns: [index],
    column_indexes: [
      { name: null, field_name: null, pandas_type: 'unicode', numpy_type: 'object', metadata: { encoding: 'UTF-8' } },
    ],
    columns: columns.map(({ name, type }) => ({
      name,
      field_name: name,
      pandas_type: type === 'string' ? 'unicode' : type,
      numpy_type: type === 'string' ? 'object' : type,
      metadata: null,
    })),
    creator: { library: 'trajectory-studio', version: '1' },
    pandas_version: '2.0.0',
  });
}
