import { attribute, xmlPieces } from './xml.ts';

/** One cell of a sheet: a place counted from 0. Only that cell is kept, however large the sheet is. */

export type CellPlace = { row: number; column: number };
export type CellValue = string | number | boolean | null;

/** `B3` as a place. */
export function placeOfCell(cell: string): CellPlace {
  const [, letters = '', digits = '1'] = /^([A-Z]+)(\d+)$/.exec(cell) ?? [];
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits) - 1, column: column - 1 };
}

/** A cell of text with separators (RFC 4180: quotes hold separators and line ends); null when there is none. */
export function cellOfCsv(text: string, separator: string, { row, column }: CellPlace): string | null {
  let [atRow, atColumn, at] = [0, 0, text.charCodeAt(0) === 0xfeff ? 1 : 0];
  while (at < text.length && atRow <= row) {
    const start = at;
    const quoted = text[at] === '"';
    let end = at;
    if (quoted) {
      end = at + 1;
      while (end < text.length && (text[end] !== '"' || text[end + 1] === '"')) end += text[end] === '"' ? 2 : 1;
      at = end + 1;
    }
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
    if (atRow === row && atColumn === column)
      return quoted ? text.slice(start + 1, end).replaceAll('""', '"') : text.slice(start, at);
    if (text[at] === separator) atColumn++;
    else {
      atRow++;
      atColumn = 0;
      if (text[at] === '\r' && text[at + 1] === '\n') at++;
    }
    at++;
  }
  return null;
}

/** Where in a workbook of Excel the sheet's own part is; null when there is no such sheet. */
export function partOfSheet(workbook: string, relations: string, sheet: string | undefined): string | null {
  let id: string | null = null;
  for (const piece of xmlPieces(workbook)) {
    if (piece.is !== 'open' || local(piece.name) !== 'sheet') continue;
    if (sheet !== undefined && attribute(piece.attributes, 'name') !== sheet) continue;
    id = attribute(piece.attributes, 'r:id');
    break;
  }
  if (id === null) return null;
  for (const piece of xmlPieces(relations)) {
    if (piece.is !== 'open' || local(piece.name) !== 'Relationship' || attribute(piece.attributes, 'Id') !== id)
      continue;
    const target = attribute(piece.attributes, 'Target');
    if (target !== null) return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  }
  return null;
}

/** A cell of a sheet of Excel; `shared` gives a shared text by its number. Null when it is empty. */
export function cellOfXlsx(sheet: string, place: CellPlace, shared: (index: number) => string | null): CellValue {
  let [row, column, nextRow, nextColumn] = [-1, -1, 0, 0];
  let [type, text, inValue, inPhonetic] = ['', '', false, 0];
  const here = (): boolean => row === place.row && column === place.column;
  for (const piece of xmlPieces(sheet)) {
    if (piece.is === 'text') {
      if (inValue && inPhonetic === 0 && here()) text += piece.text;
      continue;
    }
    const name = local(piece.name);
    if (piece.is === 'close') {
      if (name === 'c' && here()) return cellValue(type, text, shared);
      if (name === 'v' || name === 't') inValue = false;
      if (name === 'rPh') inPhonetic--;
      continue;
    }
    if (name === 'row') {
      row = Number(attribute(piece.attributes, 'r') ?? nextRow + 1) - 1;
      if (row > place.row) return null;
      nextRow = row + 1;
      nextColumn = 0;
    } else if (name === 'c') {
      const at = /^[A-Z]{1,3}/.exec(attribute(piece.attributes, 'r') ?? '');
      column = at ? placeOfCell(`${at[0]}1`).column : nextColumn;
      nextColumn = column + 1;
      [type, text] = [attribute(piece.attributes, 't') ?? 'n', ''];
      if (piece.empty && here()) return null;
    } else if ((name === 'v' || name === 't') && !piece.empty) inValue = true;
    else if (name === 'rPh' && !piece.empty) inPhonetic++;
  }
  return null;
}

function cellValue(type: string, text: string, shared: (index: number) => string | null): CellValue {
  if (type === 's') return shared(Number(text));
  if (type === 'b') return text === '1';
  if (type !== 'n' || text === '') return text === '' ? null : text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** The shared text of a number in a workbook; its rich parts are joined, notes of pronunciation are left out. */
export function sharedText(strings: string, index: number): string | null {
  let [at, text, inText, inPhonetic] = [-1, '', false, 0];
  for (const piece of xmlPieces(strings)) {
    if (piece.is === 'text') {
      if (inText && at === index && inPhonetic === 0) text += piece.text;
      continue;
    }
    const name = local(piece.name);
    if (name === 'si' && piece.is === 'open') at++;
    if (name === 'si' && at === index && (piece.is === 'close' || piece.empty)) return text;
    if (name === 't') inText = piece.is === 'open' && !piece.empty;
    if (name === 'rPh' && !(piece.is === 'open' && piece.empty)) inPhonetic += piece.is === 'open' ? 1 : -1;
  }
  return null;
}

/** A cell of an OpenDocument spreadsheet; null when it is empty. Throws a RangeError where there is no such sheet. */
export function cellOfOds(content: string, sheet: string | undefined, place: CellPlace): CellValue {
  let [inSheet, found] = [false, false];
  let [row, rows, column] = [0, 1, 0];
  let cell: { type: string; attributes: string; text: string; lines: number } | null = null;
  let inside = 0;
  for (const piece of xmlPieces(content)) {
    if (piece.is === 'text') {
      if (cell && inside > 0) cell.text += piece.text;
      continue;
    }
    const { name } = piece;
    if (name === 'table:table') {
      inSheet =
        piece.is === 'open' && (sheet === undefined ? !found : attribute(piece.attributes, 'table:name') === sheet);
      found ||= inSheet;
      [row, column] = [0, 0];
    }
    if (!inSheet) continue;
    if (name === 'table:table-row') {
      if (piece.is === 'open') [rows, column] = [count(piece.attributes, 'table:number-rows-repeated'), 0];
      if (piece.is === 'close' || piece.empty) row += rows;
      if (row > place.row) return null;
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      if (piece.is === 'close') {
        if (cell) return odsValue(cell);
        continue;
      }
      const columns = count(piece.attributes, 'table:number-columns-repeated');
      const hit =
        place.row >= row && place.row < row + rows && place.column >= column && place.column < column + columns;
      column += columns;
      if (!hit) continue;
      cell = {
        type: attribute(piece.attributes, 'office:value-type') ?? '',
        attributes: piece.attributes,
        text: '',
        lines: 0,
      };
      if (piece.empty) return odsValue(cell);
    } else if (cell && (name === 'text:p' || name === 'office:annotation')) {
      if (name === 'office:annotation') inside += piece.is === 'open' ? -1000 : 1000;
      else if (inside < 0) continue;
      else if (piece.is === 'close') inside--;
      else {
        if (cell.lines++ > 0 && inside === 0) cell.text += '\n';
        if (!piece.empty) inside++;
      }
    }
  }
  if (!found)
    throw new RangeError(sheet === undefined ? 'it has no sheet' : `it has no sheet “${sheet.slice(0, 100)}”`);
  return null;
}

function odsValue({ type, attributes, text }: { type: string; attributes: string; text: string }): CellValue {
  if (type === 'float' || type === 'currency' || type === 'percentage')
    return Number(attribute(attributes, 'office:value') ?? Number.NaN);
  if (type === 'boolean') return attribute(attributes, 'office:boolean-value') === 'true';
  if (type === 'date') return attribute(attributes, 'office:date-value') ?? text;
  return type === '' && text === '' ? null : text;
}

const count = (attributes: string, name: string): number => {
  const number = Number(attribute(attributes, name) ?? 1);
  return Number.isInteger(number) && number > 0 ? Math.min(number, 10_000_000) : 1;
};

const local = (name: string): string => name.slice(name.indexOf(':') + 1);
