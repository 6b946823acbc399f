import { type OfficeDocument, readOfficeParts } from '../../../core/play/documents.ts';
import { textOfOffice } from '../../../core/play/office-text.ts';
import {
  type CellValue,
  cellOfOds,
  cellOfXlsx,
  partOfSheet,
  placeOfCell,
  sharedText,
} from '../../../core/play/sheets.ts';
import { partsOfXlsx, type SheetParts } from '../../../core/play/table-parts.ts';
import { rowsOfXlsx, sharedTexts, sheetsOfXlsx, type TableSheet, tableOfOds } from '../../../core/play/tables.ts';
import { isYellowOdt, readWordFile, type WordFile } from '../../../core/play/word-file.ts';
import type { TablePart } from '../../../schemas/checks-plain.ts';
import { readZip, type Zip } from '../../files/zip.ts';

/** Office documents. Each rejects with an Error whose message is a part of a sentence. */

const OPEN_DOCUMENT = new Set(['odt', 'odp', 'ott', 'otp']);
export const OFFICE_TEXT: ReadonlySet<string> = new Set([...OPEN_DOCUMENT, 'docx', 'pptx']);
export const DOCUMENTS: ReadonlySet<string> = new Set(['odt', 'odp', 'docx', 'pptx']);
/** The longest document of slides that is read. */
const MOST_SLIDES = 500;
/** Sheets of one workbook. */
const MOST_SHEETS = 200;

/** The text of a document by its ending, as a reader sees it. */
export async function readOfficeText(bytes: Buffer, ending: string): Promise<string> {
  const zip = await readZip(bytes);
  if (OPEN_DOCUMENT.has(ending)) return textOfOffice(await part(zip, 'content.xml'), false);
  if (ending === 'docx') return textOfOffice(await part(zip, 'word/document.xml'), true);
  const numberOf = (name: string): number => Number(/^ppt\/slides\/slide(\d{1,6})\.xml$/.exec(name)?.[1] ?? 0);
  const slides = zip.names.filter((name) => numberOf(name) > 0).sort((a, b) => numberOf(a) - numberOf(b));
  if (slides.length > MOST_SLIDES) throw new Error(`it has more than ${MOST_SLIDES} slides`);
  const texts: string[] = [];
  for (const name of slides) texts.push(textOfOffice(await part(zip, name), true));
  return texts.join('\n');
}

/** A cell of a spreadsheet by its ending (.xlsx, .ods). */
export async function readSheetCell(
  bytes: Buffer,
  ending: string,
  sheet: string | undefined,
  cell: string,
): Promise<CellValue> {
  const zip = await readZip(bytes);
  const place = placeOfCell(cell);
  if (ending === 'ods') return cellOfOds(await part(zip, 'content.xml'), sheet, place);
  const workbook = await part(zip, 'xl/workbook.xml');
  const name = partOfSheet(workbook, await part(zip, 'xl/_rels/workbook.xml.rels'), sheet);
  if (name === null) throw new Error(sheet === undefined ? 'it has no sheet' : `it has no sheet “${sheet}”`);
  const shared = zip.names.includes('xl/sharedStrings.xml') ? await part(zip, 'xl/sharedStrings.xml') : null;
  return cellOfXlsx(await part(zip, name), place, (index) => {
    if (shared === null) throw new Error('its part xl/sharedStrings.xml is missing');
    return sharedText(shared, index);
  });
}

/** All sheets of a spreadsheet by its ending (.xlsx, .ods). */
export async function readWorkbook(bytes: Buffer, ending: string): Promise<TableSheet[]> {
  const zip = await readZip(bytes);
  if (ending === 'ods') return tableOfOds(await part(zip, 'content.xml'));
  const sheets = sheetsOfXlsx(await part(zip, 'xl/workbook.xml'), await part(zip, 'xl/_rels/workbook.xml.rels'));
  if (sheets.length > MOST_SHEETS) throw new Error(`it has more than ${MOST_SHEETS} sheets`);
  const shared = zip.names.includes('xl/sharedStrings.xml') ? await part(zip, 'xl/sharedStrings.xml') : '';
  const texts = sharedTexts(shared);
  const left = { cells: 1_000_000 };
  const read: TableSheet[] = [];
  for (const { name, part: place } of sheets)
    read.push({ name, rows: rowsOfXlsx(await part(zip, place), texts, left) });
  return read;
}

const BOOK_PARTS =
  /^xl\/(?:(?:workbook|styles)\.xml|_rels\/workbook\.xml\.rels|(?:worksheets|drawings|charts|pivotTables|pivotCache)\/(?:_rels\/)?[^/]+\.(?:xml|rels))$/;
const BIG_PARTS = /pivotCacheRecords/;

/** What else than its cells a workbook (.xlsx) has, of what `wants` names. */
export async function readWorkbookParts(bytes: Buffer, wants: ReadonlySet<TablePart>): Promise<SheetParts[]> {
  const zip = await readZip(bytes);
  const parts = new Map<string, string>();
  for (const name of zip.names.filter((one) => BOOK_PARTS.test(one) && !BIG_PARTS.test(one)))
    parts.set(name, await part(zip, name));
  const sheets = sheetsOfXlsx(await part(zip, 'xl/workbook.xml'), await part(zip, 'xl/_rels/workbook.xml.rels'));
  if (sheets.length > MOST_SHEETS) throw new Error(`it has more than ${MOST_SHEETS} sheets`);
  return partsOfXlsx(sheets, wants, (name) => parts.get(name) ?? null);
}

const PARTS: Readonly<Record<string, RegExp>> = {
  pptx: /^ppt\/(?:presentation\.xml|(?:slides|notesSlides)\/[^/]+\.xml|_rels\/presentation\.xml\.rels|(?:slides|notesSlides)\/_rels\/[^/]+\.rels)$/,
  docx: /^word\/(?:document|styles)\.xml$/,
};
const OPEN_PARTS = /^(?:content|styles)\.xml$/;

/** A presentation or a text document by its ending (.pptx, .docx, .odp, .odt). */
export async function readOfficeDocument(bytes: Buffer, ending: string): Promise<OfficeDocument> {
  const zip = await readZip(bytes);
  const wanted = PARTS[ending] ?? OPEN_PARTS;
  const parts = new Map<string, string>();
  for (const name of zip.names.filter((one) => wanted.test(one))) parts.set(name, await part(zip, name));
  return readOfficeParts(ending, (name) => parts.get(name) ?? null);
}

const WORD_PARTS = /^word\/(?:(?:document|footer\d{0,6})\.xml|_rels\/document\.xml\.rels)$/;

/** A .docx as it is written. */
export async function readWord(bytes: Buffer): Promise<WordFile> {
  const zip = await readZip(bytes);
  const parts = new Map<string, string>();
  for (const name of zip.names.filter((one) => WORD_PARTS.test(one))) parts.set(name, await part(zip, name));
  return readWordFile((name) => parts.get(name) ?? null);
}

/** Whether a text in an .odt is highlighted in yellow. */
export async function hasYellowOdt(bytes: Buffer): Promise<boolean> {
  const zip = await readZip(bytes);
  const styles = zip.names.includes('styles.xml') ? await part(zip, 'styles.xml') : null;
  return isYellowOdt([await part(zip, 'content.xml'), styles]);
}

async function part(zip: Zip, name: string): Promise<string> {
  const bytes = await zip.read(name);
  if (bytes === null) throw new Error(`its part ${name.slice(0, 80)} is missing`);
  return bytes.toString('utf8');
}
