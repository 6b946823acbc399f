import { z } from 'zod';
import { commandField, commandForm } from './command.ts';

/** Tasks from a table (CSV): what is asked, and what comes, or would come, of each row. */

/** The fields of a task that a column can give. Of `notes` there may be several columns. */
export const TABLE_FIELDS = [
  'id',
  'software',
  'goal',
  'platform',
  'sourceUrl',
  'notes',
  'answer',
  'kind',
  'state',
] as const;
export type TableField = (typeof TABLE_FIELDS)[number];

const TABLE_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export const TABLE_SEPARATORS = [',', ';', 'tab', '|'] as const;
const TABLE_DUPLICATES = ['skip', 'update', 'both'] as const;
export type TableDuplicates = (typeof TABLE_DUPLICATES)[number];

/** The most bytes of a table, and its most rows. */
export const TABLE_BYTES = 8_000_000;
export const TABLE_ROWS = 20_000;

export const taskTableWishesSchema = z.object({
  /** The table's bytes, base64. */
  bytes: z.string().max(Math.ceil((TABLE_BYTES * 4) / 3) + 4),
  /** As it is found in the table where it is left out. */
  encoding: z.enum(TABLE_ENCODINGS).optional(),
  separator: z.enum(TABLE_SEPARATORS).optional(),
  /** The first row says what the columns are. */
  header: z.boolean().default(true),
  /** By the columns' order; null: left out. Guessed by the header where it is left out. */
  columns: z.array(z.enum(TABLE_FIELDS).nullable()).max(200).optional(),
  /** The software of rows that name none: its id or a name of it. */
  software: z.string().max(200).optional(),
  /** Tasks that are here already: left as they are, given what the table says, or made once more. */
  duplicates: z.enum(TABLE_DUPLICATES).default('skip'),
  /** Rows with faults are left out; otherwise one of them keeps all from being made. */
  withoutFaults: z.boolean().default(false),
  /** Nothing is made: what would be. */
  dryRun: z.boolean().default(false),
});
export type TaskTableWishes = z.infer<typeof taskTableWishesSchema>;

const tableRowSchema = z.object({
  /** The line of the table in which it begins, from 1. */
  line: z.int(),
  act: z.enum(['make', 'update', 'skip', 'fault']),
  goal: z.string(),
  software: z.string().nullable(),
  /** The task that was made or changed, or the one that is here already; null for one that is not made yet. */
  task: z.string().nullable(),
  /** The line of the same table that says the same task. */
  sameAs: z.int().nullable(),
  /** `column`: its header, or its number; null: the whole row. */
  faults: z.array(z.object({ column: z.string().nullable(), message: z.string() })),
});
export type TableRow = z.infer<typeof tableRowSchema>;

export const taskTableSchema = z.object({
  encoding: z.enum(TABLE_ENCODINGS),
  separator: z.enum(TABLE_SEPARATORS),
  /** `samples`: its values in the first rows; empty where a row has none. */
  columns: z.array(
    z.object({ name: z.string(), field: z.enum(TABLE_FIELDS).nullable(), samples: z.array(z.string()) }),
  ),
  rows: z.array(tableRowSchema),
  made: z.int(),
  updated: z.int(),
  skipped: z.int(),
  faults: z.int(),
  /** False: a dry run. */
  done: z.boolean(),
});
export type TaskTable = z.infer<typeof taskTableSchema>;

const wishes = taskTableWishesSchema.shape;
export const tasksImport = commandForm(
  'tasks import <file>',
  'make tasks of a CSV table: all rows or none',
  [
    ['tasks import goals.csv --dry-run --workspace W', 'what would come of each row, and its faults'],
    [
      'tasks import goals.csv --app powerpoint --duplicates update --workspace W',
      'known tasks get what the table says',
    ],
    ['tasks import goals.csv --column "Prompt=goal" --column "Level=none" --workspace W', 'columns by hand'],
  ],
  {
    file: z.string(),
    dryRun: commandField(wishes.dryRun, 'make nothing: say what would be made'),
    software: commandField(wishes.software.unwrap(), 'the software of rows that name none', '--app <name>').optional(),
    duplicates: commandField(wishes.duplicates, 'tasks that are here already', '--duplicates <what>'),
    withoutFaults: commandField(wishes.withoutFaults, 'leave out rows with faults', '--leave-out-faults'),
    column: commandField(
      z.array(z.string().regex(/^.+=\w+$/, 'it is a header, "=" and a field or none')).max(200),
      `a header and what it gives: ${TABLE_FIELDS.join(', ')} or none`,
      '--column <header=field>',
    ).default([]),
    header: commandField(wishes.header, 'whether the first row names the columns', '--header <yes|no>'),
    separator: commandField(
      wishes.separator.unwrap(),
      'found in the table when left out',
      '--separator <sign>',
    ).optional(),
    encoding: commandField(
      wishes.encoding.unwrap(),
      'found in the table when left out',
      '--encoding <name>',
    ).optional(),
  },
);
