import type { CellValue } from './sheets.ts';
import { placeOfCell } from './sheets.ts';
import { attribute, XmlError, xmlPieces } from './xml.ts';

/** Whole tables: every sheet with its cells, and what of two of them differs. */

export type TableCell = { value: CellValue; formula: string | null };
/** `cells`: by row and column, from 0; empty ones are not kept. */
export type TableSheet = { name: string; rows: Map<number, Map<number, TableCell>> };

/** More cells with something in them are not compared. */
const MOST_CELLS = 1_000_000;
const tooMany = (): XmlError => new XmlError(`it has more than ${MOST_CELLS.toLocaleString('en')} cells`);

type Filling = { rows: TableSheet['rows']; put(row: number, column: number, cell: TableCell): void };

function filling(left: { cells: number }): Filling {
  const rows: TableSheet['rows'] = new Map();
  return {
    rows,
    put(row, column, cell) {
      if ((cell.value === null || cell.value === '') && cell.formula === null) return;
      if (left.cells-- <= 0) throw tooMany();
      const cells = rows.get(row) ?? new Map<number, TableCell>();
      rows.set(row, cells);
      cells.set(column, cell);
    },
  };
}
/** How many cells may still be kept of one file. */
const budget = (): { cells: number } => ({ cells: MOST_CELLS });

/** Text with separators as one sheet. Throws XmlError when it is too large. */
export function tableOfCsv(text: string, separator: string): TableSheet[] {
  const sheet = filling(budget());
  let [row, column, at] = [0, 0, text.charCodeAt(0) === 0xfeff ? 1 : 0];
  while (at < text.length) {
    let value = '';
    if (text[at] === '"') {
      let end = at + 1;
      while (end < text.length && (text[end] !== '"' || text[end + 1] === '"')) end += text[end] === '"' ? 2 : 1;
      value = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    const start = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
    sheet.put(row, column, { value: value + text.slice(start, at), formula: null });
    if (text[at] === separator) column++;
    else {
      [row, column] = [row + 1, 0];
      if (text[at] === '\r' && text[at + 1] === '\n') at++;
    }
    at++;
  }
  return [{ name: '', rows: sheet.rows }];
}

/** The sheets of a workbook of Excel with the ids of their parts. */
export function sheetsOfXlsx(workbook: string, relations: string): { name: string; part: string }[] {
  const targets = new Map<string, string>();
  for (const piece of xmlPieces(relations)) {
    if (piece.is !== 'open' || local(piece.name) !== 'Relationship') continue;
    const [id, target] = [attribute(piece.attributes, 'Id'), attribute(piece.attributes, 'Target')];
    if (id !== null && target !== null) targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  }
  const sheets: { name: string; part: string }[] = [];
  for (const piece of xmlPieces(workbook)) {
    if (piece.is !== 'open' || local(piece.name) !== 'sheet') continue;
    const part = targets.get(attribute(piece.attributes, 'r:id') ?? '');
    if (part !== undefined) sheets.push({ name: attribute(piece.attributes, 'name') ?? '', part });
  }
  return sheets;
}

/** All shared texts of a workbook. */
export function sharedTexts(strings: string): string[] {
  const texts: string[] = [];
  let [text, inText, inPhonetic] = ['', false, 0];
  for (const piece of xmlPieces(strings)) {
    if (piece.is === 'text') {
      if (inText && inPhonetic === 0) text += piece.text;
      continue;
    }
    const name = local(piece.name);
    if (name === 'si') {
      if (piece.is === 'open') text = '';
      if (piece.is === 'close' || piece.empty) texts.push(text);
      if (texts.length > MOST_CELLS) throw tooMany();
    } else if (name === 't') inText = piece.is === 'open' && !piece.empty;
    else if (name === 'rPh' && !(piece.is === 'open' && piece.empty)) inPhonetic += piece.is === 'open' ? 1 : -1;
  }
  return texts;
}

/** The cells of a sheet of Excel. A formula that is shared with a cell before it is `=` alone. */
export function rowsOfXlsx(
  sheet: string,
  shared: readonly string[],
  left: { cells: number } = budget(),
): TableSheet['rows'] {
  const made = filling(left);
  let [row, column, nextRow, nextColumn, phonetic] = [0, 0, 0, 0, 0];
  let [type, text, formula] = ['n', '', null as string | null];
  let into: 'value' | 'formula' | null = null;
  for (const piece of xmlPieces(sheet)) {
    if (piece.is === 'text') {
      if (into === 'value' && phonetic === 0) text += piece.text;
      if (into === 'formula') formula += piece.text;
      continue;
    }
    const name = local(piece.name);
    const opens = piece.is === 'open' && !piece.empty;
    if (name === 'row' && piece.is === 'open') {
      row = Number(attribute(piece.attributes, 'r') ?? nextRow + 1) - 1;
      [nextRow, nextColumn] = [row + 1, 0];
    } else if (name === 'c' && piece.is === 'open') {
      const at = /^[A-Z]{1,3}/.exec(attribute(piece.attributes, 'r') ?? '');
      column = at ? placeOfCell(`${at[0]}1`).column : nextColumn;
      nextColumn = column + 1;
      [type, text, formula] = [attribute(piece.attributes, 't') ?? 'n', '', null];
    } else if (name === 'c') made.put(row, column, { value: xlsxValue(type, text, shared), formula });
    else if (name === 'v' || name === 't') into = opens ? 'value' : null;
    else if (name === 'f') {
      if (piece.is === 'open') formula = '=';
      into = opens ? 'formula' : null;
    } else if (name === 'rPh') phonetic += piece.is === 'close' ? -1 : opens ? 1 : 0;
  }
  return made.rows;
}

function xlsxValue(type: string, text: string, shared: readonly string[]): CellValue {
  if (text === '') return null;
  if (type === 's') return shared[Number(text)] ?? null;
  if (type === 'b') return text === '1';
  const number = type === 'n' ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

/** The sheets of an OpenDocument spreadsheet. */
export function tableOfOds(content: string): TableSheet[] {
  const left = budget();
  const sheets: TableSheet[] = [];
  let sheet = filling(left);
  let [row, rows, column] = [0, 1, 0];
  let cell: { columns: number; attributes: string; text: string; lines: number } | null = null;
  let [inLine, aside] = [0, 0];
  let waiting: { column: number; columns: number; cell: TableCell }[] = [];
  const endCell = (): void => {
    if (!cell) return;
    const made = { value: odsValue(cell.attributes, cell.text), formula: odsFormula(cell.attributes) };
    waiting.push({ column, columns: cell.columns, cell: made });
    column += cell.columns;
    cell = null;
  };
  for (const piece of xmlPieces(content)) {
    if (piece.is === 'text') {
      if (cell && inLine > 0 && aside === 0) cell.text += piece.text;
      continue;
    }
    const { name } = piece;
    const ends = piece.is === 'close' || piece.empty;
    if (name === 'table:table' && piece.is === 'open') {
      sheet = filling(left);
      sheets.push({ name: attribute(piece.attributes, 'table:name') ?? '', rows: sheet.rows });
      row = 0;
    } else if (name === 'table:table-row') {
      if (piece.is === 'open')
        [rows, column, waiting] = [repeated(piece.attributes, 'table:number-rows-repeated'), 0, []];
      if (ends) {
        const full = waiting.filter(({ cell: one }) => one.value !== null || one.formula !== null);
        for (let n = 0; full.length > 0 && n < rows; n++)
          for (const { column: at, columns, cell: one } of full)
            for (let c = 0; c < columns; c++) sheet.put(row + n, at + c, one);
        row += rows;
      }
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      if (piece.is === 'open') {
        const columns = repeated(piece.attributes, 'table:number-columns-repeated');
        cell = { columns, attributes: piece.attributes, text: '', lines: 0 };
      }
      if (ends) endCell();
    } else if (name === 'office:annotation') aside += piece.is === 'close' ? -1 : piece.empty ? 0 : 1;
    else if (name === 'text:p' && cell && aside === 0) {
      if (piece.is === 'open' && cell.lines++ > 0) cell.text += '\n';
      inLine += piece.is === 'close' ? -1 : piece.empty ? 0 : 1;
    }
  }
  return sheets;
}

function odsValue(attributes: string, text: string): CellValue {
  const type = attribute(attributes, 'office:value-type') ?? '';
  if (type === 'float' || type === 'currency' || type === 'percentage') {
    const number = Number(attribute(attributes, 'office:value') ?? Number.NaN);
    return Number.isFinite(number) ? number : null;
  }
  if (type === 'boolean') return attribute(attributes, 'office:boolean-value') === 'true';
  if (type === 'date') return attribute(attributes, 'office:date-value') ?? text;
  return text === '' ? null : text;
}

const odsFormula = (attributes: string): string | null => {
  const formula = attribute(attributes, 'table:formula');
  return formula === null ? null : formula.replace(/^[a-z]{1,10}:/, '');
};

const repeated = (attributes: string, name: string): number => {
  const count = Number(attribute(attributes, name) ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, 10_000_000) : 1;
};
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

export type TableWishes = {
  sheet?: string | undefined;
  likeSheet?: string | undefined;
  area?: string | undefined;
  formulas: boolean;
  anyOrder: boolean;
  ignoreCase: boolean;
  tolerance: number;
};
/** `compared`: cells with something in them on either side; `other`: how many differ; `why`: the first of them, in words. */
export type TableDifference = { compared: number; other: number; why: string | null };

/** Compares the sheets of a table with those of another. Throws a RangeError for a sheet that is not there. */
export function compareTables(
  seen: readonly TableSheet[],
  wanted: readonly TableSheet[],
  wishes: TableWishes,
): TableDifference {
  const { sheet, likeSheet = sheet } = wishes;
  if (sheet === undefined && seen.length !== wanted.length)
    return { compared: 0, other: 1, why: `it has ${seen.length} sheets, not ${wanted.length}` };
  const all: TableDifference = { compared: 0, other: 0, why: null };
  for (const [one, other] of sheetPairs(seen, wanted, sheet, likeSheet)) {
    const found = wishes.anyOrder ? compareRows(one, other, wishes) : compareCells(one, other, wishes);
    all.compared += found.compared;
    all.other += found.other;
    const of = one.name === '' ? '' : `on the sheet “${one.name.slice(0, 60)}” `;
    all.why ??= found.why === null ? null : `${of}${found.why}`;
  }
  return all;
}

/** Sheets by their order, or the one that is named. Throws a RangeError for a sheet that is not there. */
export function sheetPairs<Sheet extends { name: string }>(
  seen: readonly Sheet[],
  wanted: readonly Sheet[],
  sheet: string | undefined,
  likeSheet = sheet,
): (readonly [Sheet, Sheet])[] {
  if (sheet === undefined) return seen.slice(0, wanted.length).map((one, n) => [one, wanted[n]!] as const);
  return [[named(seen, sheet, 'it'), named(wanted, likeSheet ?? sheet, 'the task’s file')] as const];
}

/** A sheet by its name, or by its number from 1 written as `#2`. */
function named<Sheet extends { name: string }>(sheets: readonly Sheet[], name: string, what: string): Sheet {
  const number = /^#([1-9]\d{0,5})$/.exec(name)?.[1];
  const found =
    sheets.find((one) => one.name === name) ?? (number === undefined ? undefined : sheets[Number(number) - 1]);
  if (!found) throw new RangeError(`${what} has no sheet “${name.slice(0, 100)}”`);
  return found;
}

type Bounds = { top: number; bottom: number; left: number; right: number };
function boundsOf(area: string | undefined): Bounds | null {
  if (area === undefined) return null;
  const [from, to] = area.split(':').map((cell) => placeOfCell(cell));
  if (!from || !to) return null;
  const [top, bottom] = [Math.min(from.row, to.row), Math.max(from.row, to.row)];
  return { top, bottom, left: Math.min(from.column, to.column), right: Math.max(from.column, to.column) };
}
const within = (bounds: Bounds | null, row: number, column: number): boolean =>
  !bounds || (row >= bounds.top && row <= bounds.bottom && column >= bounds.left && column <= bounds.right);

function compareCells(seen: TableSheet, wanted: TableSheet, wishes: TableWishes): TableDifference {
  const bounds = boundsOf(wishes.area);
  const found: TableDifference = { compared: 0, other: 0, why: null };
  const look = (row: number, column: number, one: TableCell | undefined, other: TableCell | undefined): void => {
    if (!within(bounds, row, column)) return;
    found.compared++;
    if (isCell(one, other, wishes)) return;
    found.other++;
    found.why ??= `${nameOf(row, column)} is ${shown(one, wishes)}, not ${shown(other, wishes)}`;
  };
  for (const [row, cells] of [...wanted.rows].sort(([a], [b]) => a - b))
    for (const [column, other] of cells) look(row, column, seen.rows.get(row)?.get(column), other);
  for (const [row, cells] of seen.rows)
    for (const [column, one] of cells) if (!wanted.rows.get(row)?.has(column)) look(row, column, one, undefined);
  return found;
}

/** Rows beside rows, whatever their order: each row that is wanted must be there as often. */
function compareRows(seen: TableSheet, wanted: TableSheet, wishes: TableWishes): TableDifference {
  const bounds = boundsOf(wishes.area);
  const rowsOf = (sheet: TableSheet): [column: number, cell: TableCell][][] =>
    [...sheet.rows].flatMap(([row, cells]) => {
      const own = [...cells].filter(([column]) => within(bounds, row, column)).sort(([a], [b]) => a - b);
      return own.length === 0 ? [] : [own];
    });
  // What is no number must be equal, so that only few rows are compared with each other.
  const keyOf = (row: [number, TableCell][]): string =>
    JSON.stringify(row.map(([column, { value }]) => [column, numberOf(value) === null ? plain(value, wishes) : 0]));
  const byKey = new Map<string, [number, TableCell][][]>();
  const all = rowsOf(seen);
  for (const row of all) {
    const key = keyOf(row);
    const same = byKey.get(key);
    if (same) same.push(row);
    else byKey.set(key, [row]);
  }
  const found: TableDifference = { compared: 0, other: 0, why: null };
  let taken = 0;
  for (const row of rowsOf(wanted)) {
    found.compared += row.length;
    const rest = byKey.get(keyOf(row)) ?? [];
    const at = rest.findIndex((one) => one.every(([, cell], n) => isCell(cell, row[n]![1], wishes)));
    if (at >= 0) {
      rest.splice(at, 1);
      taken++;
      continue;
    }
    found.other += row.length;
    found.why ??= `no row is ${row
      .slice(0, 4)
      .map(([, cell]) => shown(cell, wishes))
      .join(', ')}`;
  }
  if (all.length > taken) {
    found.other += all.length - taken;
    found.why ??= `${all.length - taken} rows are there that should not be`;
  }
  return found;
}

function isCell(one: TableCell | undefined, other: TableCell | undefined, wishes: TableWishes): boolean {
  if (wishes.formulas && (one?.formula ?? null) !== (other?.formula ?? null)) return false;
  const [a, b] = [numberOf(one?.value ?? null), numberOf(other?.value ?? null)];
  if (a !== null && b !== null) return Math.abs(a - b) <= wishes.tolerance;
  return plain(one?.value ?? null, wishes) === plain(other?.value ?? null, wishes);
}

function numberOf(value: CellValue): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^\s*[-+]?\d{1,30}(?:\.\d{1,30})?\s*$/.test(value)) return null;
  return Number(value);
}

const plain = (value: CellValue, { ignoreCase }: TableWishes): string => {
  const text = value === null ? '' : String(value).trim();
  return ignoreCase ? text.toLowerCase() : text;
};

function shown(cell: TableCell | undefined, { formulas }: TableWishes): string {
  const value = cell?.value ?? null;
  const text = value === null ? 'empty' : typeof value === 'string' ? `“${value.slice(0, 60)}”` : String(value);
  return formulas && cell?.formula != null ? `${text} (${cell.formula.slice(0, 60)})` : text;
}

function nameOf(row: number, column: number): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return `${letters}${row + 1}`;
}
