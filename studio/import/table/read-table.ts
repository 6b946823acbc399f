import { CsvError, parse } from 'csv-parse/sync';
import { TABLE_BYTES, TABLE_ROWS, TABLE_SEPARATORS, type TaskTable } from '../../../schemas/api/task-table.ts';
import { StudioError } from '../../../schemas/errors.ts';

/** A table of texts as spreadsheets write it: its encoding and separator are found in it. */

type Encoding = TaskTable['encoding'];
type Separator = TaskTable['separator'];
export type TableLine = { line: number; cells: string[] };

const SIGN: Readonly<Record<Separator, string>> = { ',': ',', ';': ';', tab: '\t', '|': '|' };
/** Rows that are looked at to find the separator. */
const LOOKED = 50;

/**
 * The table's rows with the lines where they begin; rows of blanks alone are left out. Throws BAD_FILE for what is no table, with
 * the line where it says one.
 */
export function readTable(
  bytes: Uint8Array,
  given: { encoding?: Encoding | undefined; separator?: Separator | undefined } = {},
): { encoding: Encoding; separator: Separator; lines: TableLine[] } {
  if (bytes.length === 0) throw bad('The table is empty.');
  if (bytes.length > TABLE_BYTES) {
    throw bad(`The table has ${bytes.length} bytes; ${TABLE_BYTES} are the most. Import it in parts.`);
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    throw bad('This is a workbook (.xlsx or .ods), not a table of texts. Save its sheet as CSV and import that.');
  }
  const encoding = given.encoding ?? encodingOf(bytes);
  const whole = decode(bytes, encoding);
  if (whole.includes('\u0000')) throw bad('This is no table of texts: it has zero bytes in it. Save it as CSV.');
  // A line of Excel's own: which separator follows.
  const said = /^sep=([,;\t|])\r?\n/i.exec(whole);
  // Ends of lines as one sign: a text of several lines then counts as many whoever wrote it.
  const text = (said ? whole.slice(said[0].length) : whole).replace(/\r\n?/g, '\n');
  const named = said && TABLE_SEPARATORS.find((one) => SIGN[one] === said[1]);
  const separator = given.separator ?? named ?? separatorOf(text);
  const before = said ? 1 : 0;
  const lines = records(text, separator).map(({ line, cells }) => ({ line: line + before, cells }));
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) throw bad('The table is empty.');
  if (filled.length > TABLE_ROWS + 1) {
    throw bad(`The table has ${filled.length} rows; ${TABLE_ROWS} are the most. Import it in parts.`);
  }
  return { encoding, separator, lines: filled };
}

const bad = (message: string, details: Record<string, unknown> = {}): StudioError =>
  new StudioError('BAD_FILE', message, details);

/** By its first bytes, by zeros at every second place, or UTF-8 where it is that; else what Excel writes in the West. */
function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const some = bytes.subarray(0, 4000);
  const zeros = (rest: number): number =>
    some.reduce((sum, byte, at) => sum + Number(at % 2 === rest && byte === 0), 0);
  const [even, odd] = [zeros(0), zeros(1)];
  if (odd > some.length / 8 && even === 0) return 'utf-16le';
  if (even > some.length / 8 && odd === 0) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  try {
    return new TextDecoder(encoding, { fatal: encoding !== 'windows-1252' }).decode(bytes);
  } catch {
    throw bad(`The table is not in ${encoding}. Choose another encoding, or leave it to be found.`, { encoding });
  }
}

/** The one that parts most rows into as many cells as the first row has; of two that do, the one with more cells. */
function separatorOf(text: string): Separator {
  let best: { separator: Separator; score: number } = { separator: ',', score: 0 };
  for (const separator of TABLE_SEPARATORS) {
    let rows: TableLine[];
    try {
      rows = records(text, separator, LOOKED);
    } catch {
      continue;
    }
    const wide = rows[0]?.cells.length ?? 0;
    if (wide < 2) continue;
    const score = rows.filter(({ cells }) => cells.length === wide).length / rows.length + Math.min(wide, 100) / 1000;
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}

function records(text: string, separator: Separator, to?: number): TableLine[] {
  // The line where a row begins is where the one before it ended.
  const ends: number[] = [];
  try {
    const cells: string[][] = parse(text, {
      bom: true,
      delimiter: SIGN[separator],
      relax_column_count: true,
      max_record_size: TABLE_BYTES,
      ...(to !== undefined && { to }),
      onRecord: (record: string[], { lines }) => {
        ends.push(lines);
        return record;
      },
    });
    return cells.map((row, at) => ({ line: ends[at]! - newlinesIn(row), cells: row }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(Reflect.get(error, 'lines') ?? 0);
    const why = /quote/i.test(error.code)
      ? 'a text in quotation marks does not end, or goes on behind them; inside of one they are written twice'
      : error.message;
    throw bad(`Line ${line} of the table cannot be read: ${why}.`, { line });
  }
}

const newlinesIn = (row: readonly string[]): number => row.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
