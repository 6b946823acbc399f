import { append } from '../../../core/lists.ts';
import type { Found } from '../../../core/play/checks.ts';
import { documentDifference, faultOfPart, textOfDocument } from '../../../core/play/document-checks.ts';
import { namesInListing } from '../../../core/play/listing.ts';
import { compareParts } from '../../../core/play/table-parts.ts';
import {
  compareTables,
  sheetPairs,
  type TableDifference,
  type TableSheet,
  tableOfCsv,
} from '../../../core/play/tables.ts';
import { textLikeness } from '../../../core/play/text-likeness.ts';
import { faultOfFont, faultOfItalics, faultOfTrait, wordDifference } from '../../../core/play/word-checks.ts';
import type { Check } from '../../../schemas/checks.ts';
import { isWordAspect } from '../../../schemas/checks-plain.ts';
import { isPacked, type Packed, readPacked } from '../../files/packed.ts';
import {
  DOCUMENTS,
  hasYellowOdt,
  OFFICE_TEXT,
  readOfficeDocument,
  readOfficeText,
  readWord,
  readWorkbook,
  readWorkbookParts,
} from './office.ts';
import { readPdf } from './pdf.ts';
import { readSound } from './sound.ts';
import { readText } from './text.ts';

/** Checks of whole files. Each rejects with an Error whose message is a part of a sentence. */

type WholeCheck = Check & { kind: 'table' | 'document' | 'pdf' | 'sound' | 'archive' };

/** A file, and what the ending of its name says that it is. */
export type NamedBytes = { bytes: Buffer; ending: string };
export const fileEnding = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** `like`: the task's file that it is compared with; null where the check names none. */
export async function findWhole(check: WholeCheck, own: NamedBytes, like: NamedBytes | null): Promise<Found> {
  switch (check.kind) {
    case 'table': {
      const sheets = await tableOf(own, check.separator);
      const wanted = like && (await tableOf(like, check.separator));
      const difference =
        wanted && like && (await tableDifference(check, { own, sheets }, { own: like, sheets: wanted }));
      return { of: 'table', names: sheets.map(({ name }) => name), difference };
    }
    case 'document': {
      const document = await documentOf(own);
      const wanted = like && (await documentOf(like));
      const faults = check.parts.map((part) => faultOfPart(document, part));
      const aspects = check.compare.filter((one) => !isWordAspect(one));
      faults.push(wanted && aspects.length > 0 ? documentDifference(document, wanted, aspects) : null);
      append(faults, await wordFaults(check, own, like));
      const { isSlides, pages } = document;
      return {
        of: 'document',
        isSlides,
        pages: pages.length,
        pictures: pages.reduce((sum, page) => sum + page.pictures, 0),
        text: textOfDocument(document),
        faults: faults.filter((fault) => fault !== null),
      };
    }
    case 'pdf': {
      const pages = await readPdf(own.bytes);
      const { page } = check;
      if (page !== undefined && page > pages.length) throw new Error(`it has no page ${page}`);
      const textOf = (all: readonly string[]): string => (page === undefined ? all.join('\n') : (all[page - 1] ?? ''));
      const alike = like && textLikeness(textOf(pages), textOf(await readPdf(like.bytes)));
      return { of: 'pdf', pages: pages.length, text: textOf(pages), alike };
    }
    case 'sound':
      return { of: 'sound', ...(await readSound(own.bytes)) };
    case 'archive': {
      const archive = await readPacked(own.bytes);
      const difference = like && (await archiveDifference(archive, await readPacked(like.bytes), check.compare));
      return { of: 'archive', names: archive.names, difference };
    }
  }
}

type ReadTable = { own: NamedBytes; sheets: TableSheet[] };

/** How a table differs in all that the check names. */
async function tableDifference(
  check: WholeCheck & { kind: 'table' },
  seen: ReadTable,
  wanted: ReadTable,
): Promise<TableDifference> {
  const { compare = ['cells'], sheet, likeSheet } = check;
  const all: TableDifference = { compared: 0, other: 0, why: null };
  const add = ({ compared, other, why }: TableDifference): void => {
    all.compared += compared;
    all.other += other;
    all.why ??= why;
  };
  const count = seen.sheets.length;
  if (sheet === undefined && count !== wanted.sheets.length)
    return { compared: 0, other: 1, why: `it has ${count} sheets, not ${wanted.sheets.length}` };
  if (compare.includes('names')) {
    const [own, other] = [seen, wanted].map((one) => one.sheets.map(({ name }) => name).join('”, “'));
    add({
      compared: 1,
      other: own === other ? 0 : 1,
      why: own === other ? null : `its sheets are “${own}”, not “${other}”`,
    });
  }
  if (compare.includes('cells')) add(compareTables(seen.sheets, wanted.sheets, check));
  const parts = new Set(compare.filter((one) => one !== 'cells' && one !== 'names'));
  if (parts.size === 0) return all;
  if (seen.own.ending !== 'xlsx' || wanted.own.ending !== 'xlsx')
    throw new Error('charts, pivot tables, looks and hidden rows are compared of .xlsx alone');
  const [own, other] = [
    await readWorkbookParts(seen.own.bytes, parts),
    await readWorkbookParts(wanted.own.bytes, parts),
  ];
  add(compareParts(sheetPairs(own, other, sheet, likeSheet), parts));
  return all;
}

async function tableOf({ bytes, ending }: NamedBytes, separator: string | undefined): Promise<TableSheet[]> {
  if (ending === 'xlsx' || ending === 'ods') return readWorkbook(bytes, ending);
  if (ending !== 'csv' && ending !== 'tsv')
    throw new Error(`tables are read of .csv, .tsv, .xlsx and .ods, not of .${ending.slice(0, 20)}`);
  return tableOfCsv(readText(bytes), separator ?? (ending === 'tsv' ? '\t' : ','));
}

/** What of a .docx is other than wanted in what its file itself says; nothing is read where nothing of it is asked for. */
async function wordFaults(
  { compare, has = [], font, italicSize }: WholeCheck & { kind: 'document' },
  own: NamedBytes,
  like: NamedBytes | null,
): Promise<(string | null)[]> {
  const aspects = like === null ? [] : compare.filter(isWordAspect);
  if (aspects.length + has.length === 0 && font === undefined && italicSize === undefined) return [];
  if (own.ending === 'odt' && aspects.length === 0 && has.every((one) => one === 'no-yellow') && !font && !italicSize)
    return [(await hasYellowOdt(own.bytes)) ? YELLOW : null];
  if (own.ending !== 'docx' || (aspects.length > 0 && like?.ending !== 'docx'))
    throw new Error('tables, line spacing, places, fonts of all text and traits are read of .docx alone');
  const file = await readWord(own.bytes);
  const wanted = like && aspects.length > 0 ? await readWord(like.bytes) : null;
  return [
    ...aspects.map((one) => wanted && wordDifference(file, wanted, one)),
    ...has.map((one) => (one === 'no-yellow' ? (file.isYellow ? YELLOW : null) : faultOfTrait(one, file))),
    font === undefined ? null : faultOfFont(font, file),
    italicSize === undefined ? null : faultOfItalics(italicSize, file),
  ];
}

const YELLOW = 'a text of it is highlighted in yellow';

async function documentOf({ bytes, ending }: NamedBytes) {
  if (!DOCUMENTS.has(ending))
    throw new Error(`documents are read of .pptx, .odp, .docx and .odt, not of .${ending.slice(0, 20)}`);
  return readOfficeDocument(bytes, ending);
}

/** The text of any file by its ending. */
export async function textOfFile({ bytes, ending }: NamedBytes): Promise<string> {
  if (OFFICE_TEXT.has(ending)) return readOfficeText(bytes, ending);
  return ending === 'pdf' ? (await readPdf(bytes)).join('\n') : readText(bytes);
}

/** Beside an archive, or beside a text as `ls -R` prints it. */
export async function folderDifference(
  seen: Packed,
  like: Buffer,
  compare: 'names' | 'bytes' | 'texts',
): Promise<string | null> {
  const plain = { ...seen, names: seen.names.filter((name) => !name.endsWith('/')) };
  const listed = compare === 'names' && !isPacked(like) ? namesInListing(readText(like)) : null;
  if (listed === null) return archiveDifference(plain, await readPacked(like), compare);
  const names = seen.names.map((name) => name.replace(/\/$/, ''));
  return archiveDifference({ ...seen, names }, { names: listed, read: seen.read }, 'names');
}

async function archiveDifference(
  seen: Packed,
  wanted: Packed,
  compare: 'names' | 'bytes' | 'texts',
): Promise<string | null> {
  const [names, others] = [new Set(seen.names), new Set(wanted.names)];
  const missing = [...others].find((name) => !names.has(name));
  if (missing !== undefined) return `it lacks “${missing.slice(0, 100)}”`;
  const extra = [...names].find((name) => !others.has(name));
  if (extra !== undefined) return `it holds “${extra.slice(0, 100)}”, which should not be there`;
  if (compare === 'names') return null;
  for (const name of others) {
    const [one, other] = [await seen.read(name), await wanted.read(name)];
    if (one.equals(other)) continue;
    const ending = fileEnding(name);
    const same =
      compare === 'texts' &&
      (await textOfFile({ bytes: one, ending })) === (await textOfFile({ bytes: other, ending }));
    if (!same) return `its “${name.slice(0, 100)}” is another`;
  }
  return null;
}
