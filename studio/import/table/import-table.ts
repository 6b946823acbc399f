import { largestOf } from '../../../core/lists.ts';
import { TABLE_ROWS, type TaskTable, type TaskTableWishes } from '../../../schemas/api/task-table.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { ensureTask, hasTask, setTask } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';
import { guessColumns } from './guess-columns.ts';
import { changedColumns, type PlannedRow, planRows } from './plan-table.ts';
import { readTable } from './read-table.ts';

/** Values of a column that are shown to tell what it is. */
const SAMPLES = 3;
/** Faults that an error names one by one. */
const NAMED = 10;

/**
 * Makes tasks of a table's rows, all or nothing; or says what would be made. Throws BAD_FILE for what is no table, USAGE for
 * columns that are not its own, UNKNOWN_APP, INVALID_TABLE-like USAGE for rows with faults that are not left out.
 */
export async function importTaskTable(
  { store }: Pick<Workspace, 'store'>,
  { bytes: text, encoding, separator, header, columns: given, software, ...wishes }: TaskTableWishes,
): Promise<TaskTable> {
  const table = readTable(Buffer.from(text, 'base64'), { encoding, separator });
  const width = largestOf(table.lines.slice(0, header ? 1 : TABLE_ROWS).map(({ cells }) => cells.length));
  const heads = header ? table.lines[0]!.cells : [];
  const lines = header ? table.lines.slice(1) : table.lines;
  const names = Array.from({ length: width }, (_, at) => heads[at]?.trim() || `${at + 1}`);
  if (given && given.length !== width) {
    throw new StudioError('USAGE', `The table has ${width} columns, and ${given.length} are named.`, { width });
  }
  const fields = given ?? guessColumns(names);
  const twice = fields.find((field, at) => field !== null && field !== 'notes' && fields.indexOf(field) < at);
  if (twice)
    throw new StudioError('USAGE', `Two columns are to give "${twice}". Only notes may have several.`, { twice });
  const columns = names.map((name, at) => {
    // Of the same rows in each column, so that they can be read across.
    const samples = lines.slice(0, SAMPLES).map(({ cells }) => (cells[at]?.trim() ?? '').slice(0, 200));
    return { name, field: fields[at] ?? null, samples };
  });
  const { duplicates, withoutFaults, dryRun } = wishes;
  const answer = (planned: readonly PlannedRow[], done: boolean): TaskTable => {
    const count = (act: PlannedRow['act']): number => planned.filter((row) => row.act === act).length;
    return {
      encoding: table.encoding,
      separator: table.separator,
      columns,
      rows: planned.map(({ values: _values, of: _of, ...row }) => row),
      made: count('make'),
      updated: count('update'),
      skipped: count('skip'),
      faults: count('fault'),
      done,
    };
  };
  if (dryRun) return answer(await planRows(store, lines, columns, { software, duplicates }), false);
  return store.transaction(async (trx) => {
    const planned = await planRows(trx, lines, columns, { software, duplicates });
    if (!withoutFaults) refuseFaults(planned);
    const done: PlannedRow[] = [];
    for (const row of planned) {
      const { act, values, of } = row;
      let { task } = row;
      if (act === 'make' && of) {
        const id = values.id !== undefined && !(await hasTask(trx, values.id)) ? values.id : undefined;
        task = (await ensureTask(trx, { id, software: of, goal: values.goal ?? '' })).id;
      }
      if (task !== null && (act === 'make' || act === 'update')) {
        await setTask(trx, task, changedColumns(values));
      }
      done.push({ ...row, task });
    }
    return answer(done, true);
  });
}

function refuseFaults(planned: readonly PlannedRow[]): void {
  const faults = planned.filter(({ act }) => act === 'fault');
  if (faults.length === 0) return;
  const said = faults
    .slice(0, NAMED)
    .flatMap((row) =>
      row.faults.map(({ column, message }) => `line ${row.line}${column === null ? '' : `, ${column}`}: ${message}`),
    );
  const rest = faults.length > NAMED ? ` And ${faults.length - NAMED} more rows.` : '';
  throw new StudioError(
    'USAGE',
    `Nothing was imported: ${faults.length} rows have faults. ${said.join(' ')}${rest} Mend them, or leave these rows out (--leave-out-faults).`,
    { faults: faults.length },
  );
}
