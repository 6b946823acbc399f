import { textOfOffice } from '../../../core/play/office-text.ts';
import {
  type CellValue,
  cellOfOds,
  cellOfXlsx,
  partOfSheet,
  placeOfCell,
  sharedText,
} from '../../../core/play/sheets.ts';
import { readZip, type Zip } from './zip.ts';

/** Office documents. Each throws an Error whose message is a part of a sentence. */

const OPEN_DOCUMENT = new Set(['odt', 'odp', 'ott', 'otp']);
export const OFFICE_TEXT: ReadonlySet<string> = new Set([...OPEN_DOCUMENT, 'docx', 'pptx']);
/** The longest document of slides that is read. */
const MOST_SLIDES = 500;

/** The text of a document by its ending, as a reader sees it. */
export function readOfficeText(bytes: Buffer, ending: string): string {
  const zip = readZip(bytes);
  if (OPEN_DOCUMENT.has(ending)) return textOfOffice(part(zip, 'content.xml'), false);
  if (ending === 'docx') return textOfOffice(part(zip, 'word/document.xml'), true);
  const numberOf = (name: string): number => Number(/^ppt\/slides\/slide(\d{1,6})\.xml$/.exec(name)?.[1] ?? 0);
  const slides = zip.names.filter((name) => numberOf(name) > 0).sort((a, b) => numberOf(a) - numberOf(b));
  if (slides.length > MOST_SLIDES) throw new Error(`it has more than ${MOST_SLIDES} slides`);
  return slides.map((name) => textOfOffice(part(zip, name), true)).join('\n');
}

/** A cell of a spreadsheet by its ending (.xlsx, .ods). */
export function readSheetCell(bytes: Buffer, ending: string, sheet: string | undefined, cell: string): CellValue {
  const zip = readZip(bytes);
  const place = placeOfCell(cell);
  if (ending === 'ods') return cellOfOds(part(zip, 'content.xml'), sheet, place);
  const workbook = part(zip, 'xl/workbook.xml');
  const name = partOfSheet(workbook, part(zip, 'xl/_rels/workbook.xml.rels'), sheet);
  if (name === null) throw new Error(sheet === undefined ? 'it has no sheet' : `it has no sheet “${sheet}”`);
  return cellOfXlsx(part(zip, name), place, (index) => sharedText(part(zip, 'xl/sharedStrings.xml'), index));
}

function part(zip: Zip, name: string): string {
  const bytes = zip.read(name);
  if (bytes === null) throw new Error(`its part ${name.slice(0, 80)} is missing`);
  return bytes.toString('utf8');
}
