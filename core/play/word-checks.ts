import type { DocumentTrait, WordAspect } from '../../schemas/checks-plain.ts';
import { plural } from '../words.ts';
import { type WordFile, type WordParagraph, type WordRun, type WordTable, withoutBlanks } from './word-file.ts';

/** The faults of a .docx against a check, in words (PL42). */

const quoted = (text: string): string => `“${text.slice(0, 200).replaceAll(/\s+/g, ' ').trim().slice(0, 60)}”`;

/** Where a .docx is other than another in one thing; null when it is the same. */
export function wordDifference(seen: WordFile, wanted: WordFile, aspect: WordAspect): string | null {
  switch (aspect) {
    case 'tables':
      return tablesDifference(seen.tables, wanted.tables);
    case 'spacing':
      return spacingDifference(seen.paragraphs, wanted.paragraphs);
    case 'lines':
      return setDifference(linesOf(seen), linesOf(wanted), 'the line');
    case 'highlight':
      return setDifference(seen.highlighted, wanted.highlighted, 'the highlighted text');
    case 'subscript':
      return somewhere(seen, wanted, (run) => run.subscript) ? null : 'no subscript stands where one should';
    case 'equations':
      return somewhere(seen, wanted, (run) => run.isEquation) ? null : 'no equation stands where one should';
    case 'picture-places':
      return picturesDifference(seen, wanted);
  }
}

function tablesDifference(seen: readonly WordTable[], wanted: readonly WordTable[]): string | null {
  if (seen.length !== wanted.length) return `it has ${plural(seen.length, 'table')}, not ${wanted.length}`;
  for (const [n, other] of wanted.entries()) {
    const one = seen[n]!;
    if (one.rows !== other.rows || one.columns !== other.columns)
      return `table ${n + 1} has ${one.rows} x ${one.columns} cells, not ${other.rows} x ${other.columns}`;
    for (let at = 0; at < other.rows * other.columns; at++) {
      const [is, should] = [one.cells[at] ?? null, other.cells[at] ?? null];
      // A place without a cell is none that could be the same.
      if (is !== null && is === should) continue;
      const place = `row ${Math.floor(at / other.columns) + 1}, column ${(at % other.columns) + 1}`;
      return `table ${n + 1} has ${said(is)} in ${place}, not ${said(should)}`;
    }
  }
  return null;
}

const said = (cell: string | null): string => (cell === null ? 'no cell' : quoted(cell.split('\0')[0]!));

function spacingDifference(seen: readonly WordParagraph[], wanted: readonly WordParagraph[]): string | null {
  if (seen.length !== wanted.length) return `it has ${plural(seen.length, 'paragraph')}, not ${wanted.length}`;
  const n = seen.findIndex(({ spacing }, at) => spacing !== wanted[at]!.spacing);
  return n < 0 ? null : `the line spacing of paragraph ${n + 1}, ${quoted(seen[n]!.text)}, is another`;
}

const linesOf = ({ paragraphs }: WordFile): Set<string> =>
  new Set(
    paragraphs
      .map(({ text, withLinks }) => [text, withLinks].map(withoutBlanks).join('\0'))
      .filter((line) => line !== '\0'),
  );

function setDifference(seen: ReadonlySet<string>, wanted: ReadonlySet<string>, what: string): string | null {
  for (const one of wanted) if (!seen.has(one)) return `${what} ${said(one)} is missing`;
  for (const one of seen) if (!wanted.has(one)) return `${what} ${said(one)} should not be there`;
  return null;
}

/** The runs that stand at the same place in both. */
function* pairs(seen: WordFile, wanted: WordFile): Generator<[seen: WordRun, wanted: WordRun, paragraph: number]> {
  for (const [n, { runs }] of seen.paragraphs.entries())
    for (const [at, run] of runs.entries()) {
      const other = wanted.paragraphs[n]?.runs[at];
      if (other) yield [run, other, n + 1];
    }
}

function somewhere(seen: WordFile, wanted: WordFile, is: (run: WordRun) => boolean): boolean {
  for (const [one, other] of pairs(seen, wanted)) if (is(one) && is(other)) return true;
  return false;
}

function picturesDifference(seen: WordFile, wanted: WordFile): string | null {
  for (const [one, other, n] of pairs(seen, wanted))
    if (one.hasPicture !== other.hasPicture)
      return `paragraph ${n} ${one.hasPicture ? 'has a picture and should not' : 'lacks a picture'}`;
  return null;
}

/** Why a document does not have a trait; null when it has. */
export function faultOfTrait(trait: Exclude<DocumentTrait, 'no-yellow'>, file: WordFile): string | null {
  const { paragraphs, footers } = file;
  switch (trait) {
    case 'page-break':
      return paragraphs.some(({ runs }) => runs.some(({ breaksPage }) => breaksPage)) ? null : 'it has no page break';
    case 'page-numbers': {
      const n = footers.findIndex((line) => line === null || !/\d/.test(line));
      if (footers.length === 0) return 'it has no section with a footer';
      return n < 0 ? null : `the footer of section ${n + 1} begins without a number`;
    }
    case 'first-line-centred':
      return paragraphs[0]?.align === 'center' ? null : 'its first paragraph is not centred';
    case 'last-paragraph-struck': {
      const last = paragraphs.at(-1);
      if (!last) return 'it has no paragraph';
      return last.runs.every(({ strike }) => strike) ? null : 'its last paragraph is not all struck through';
    }
  }
}

/** Why its runs do not all name this font; null when they do. */
export function faultOfFont(font: string, { paragraphs }: WordFile): string | null {
  const runs = paragraphs.flatMap((one) => one.runs);
  const other = runs.find((run) => run.font !== font);
  if (runs.length === 0) return 'it has no text that could have a font';
  return other ? `a text of it has the font ${other.font ?? 'of its style'}, not ${font}` : null;
}

/** Why its runs in italics do not all name this size (points); null when they do. */
export function faultOfItalics(size: number, { paragraphs }: WordFile): string | null {
  const other = paragraphs.flatMap(({ runs }) => runs).find((run) => run.italic && run.size !== size);
  return other ? `a text in italics has the size ${other.size ?? 'of its style'}, not ${size}` : null;
}
