import type { DocumentPart } from '../../schemas/checks-of-files.ts';
import type { DocumentAspect } from '../../schemas/checks-plain.ts';
import type { DocumentPage, OfficeDocument, Paragraph, RunLook } from './documents.ts';

/** What of a document is other than wanted, in words. */

const textOf = ({ runs }: Paragraph): string => runs.map(({ text }) => text).join('');
/** Empty paragraphs say nothing. */
const spoken = (paragraphs: readonly Paragraph[]): Paragraph[] => paragraphs.filter((one) => textOf(one).trim() !== '');
const quoted = (text: string): string => `“${text.replaceAll(/\s+/g, ' ').trim().slice(0, 60)}”`;
const whereOf = ({ isSlides }: OfficeDocument, n: number): string => (isSlides ? `on slide ${n + 1} ` : '');

/** The whole text of a document, its notes below each slide. */
export const textOfDocument = ({ pages }: OfficeDocument): string =>
  pages.map(({ paragraphs, notes }) => [...paragraphs, ...notes].map(textOf).join('\n')).join('\n');

type Wished = keyof Omit<DocumentPart, 'text' | 'slide' | 'notes'>;
const LOOKS = ['bold', 'italic', 'underline', 'strike', 'font', 'size', 'colour'] as const;

/** Why a document has no such part; null when it has. Everywhere that its text stands it must look so. */
export function faultOfPart(document: OfficeDocument, part: DocumentPart): string | null {
  const pages = document.pages.flatMap((page, n) =>
    part.slide === undefined || part.slide === n + 1 ? [{ page, n }] : [],
  );
  if (pages.length === 0) return `it has no slide ${part.slide}`;
  let found = 0;
  for (const { page, n } of pages) {
    for (const paragraph of part.notes ? page.notes : page.paragraphs) {
      const text = textOf(paragraph);
      for (let at = text.indexOf(part.text); at >= 0; at = text.indexOf(part.text, at + part.text.length)) {
        found++;
        const fault = faultOfLook(paragraph, at, part);
        if (fault !== null) return `${whereOf(document, n)}${quoted(part.text)} ${fault}`;
      }
    }
  }
  if (found > 0) return null;
  const where = part.slide === undefined ? '' : `slide ${part.slide} `;
  return `${where}${part.notes ? 'has no notes with' : 'lacks'} ${quoted(part.text)}`;
}

function faultOfLook(paragraph: Paragraph, from: number, part: DocumentPart): string | null {
  if (part.align !== undefined && paragraph.align !== part.align)
    return `is aligned ${paragraph.align}, not ${part.align}`;
  let at = 0;
  for (const { text, look } of paragraph.runs) {
    const touches = at < from + part.text.length && at + text.length > from && text.trim() !== '';
    at += text.length;
    const wrong = touches ? LOOKS.find((name) => !isSo(look, name, part[name])) : undefined;
    if (wrong !== undefined) return saidOf(wrong, look[wrong], part[wrong]);
  }
  return null;
}

function isSo(look: RunLook, name: Exclude<Wished, 'align'>, wanted: string | number | boolean | undefined): boolean {
  const seen = look[name];
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? String(seen).toLowerCase() === wanted.toLowerCase() : seen === wanted;
}

function saidOf(name: string, seen: unknown, wanted: unknown): string {
  if (typeof wanted === 'boolean') return wanted ? `is not ${name}` : `is ${name}`;
  return `has the ${name} ${seen ?? 'of its style'}, not ${String(wanted)}`;
}

/** Where a document is other than another; null when it is the same in all that is compared. */
export function documentDifference(
  seen: OfficeDocument,
  wanted: OfficeDocument,
  aspects: readonly DocumentAspect[],
): string | null {
  if (seen.pages.length !== wanted.pages.length)
    return `it has ${seen.pages.length} slides, not ${wanted.pages.length}`;
  for (const [n, page] of seen.pages.entries()) {
    const why = pageDifference(page, wanted.pages[n]!, aspects);
    if (why !== null) return `${whereOf(seen, n)}${why}`;
  }
  return null;
}

function pageDifference(seen: DocumentPage, wanted: DocumentPage, aspects: readonly DocumentAspect[]): string | null {
  const [some, others] = [spoken(seen.paragraphs), spoken(wanted.paragraphs)];
  if (aspects.includes('pictures') && seen.pictures !== wanted.pictures)
    return `it has ${seen.pictures} pictures, not ${wanted.pictures}`;
  if (aspects.includes('notes')) {
    const [one, other] = [seen.notes, wanted.notes].map((notes) => spoken(notes).map(textOf).join('\n'));
    if (one !== other) return `its notes are ${quoted(one ?? '')}, not ${quoted(other ?? '')}`;
  }
  const looks = LOOKS.filter((name) => aspects.includes(name));
  if (!aspects.includes('text') && !aspects.includes('alignment') && looks.length === 0) return null;
  for (const [n, other] of others.entries()) {
    const one = some[n];
    if (!one) return `${quoted(textOf(other))} is missing`;
    if (textOf(one).trim() !== textOf(other).trim())
      return `${quoted(textOf(one))} stands where ${quoted(textOf(other))} should`;
    if (aspects.includes('alignment') && one.align !== other.align)
      return `${quoted(textOf(one))} is aligned ${one.align}, not ${other.align}`;
    for (const name of looks) {
      const at = firstOther(spread(one, name), spread(other, name));
      if (at !== null) return `the ${name} of ${quoted(textOf(one))} is another`;
    }
  }
  return some.length > others.length ? `${quoted(textOf(some[others.length]!))} should not be there` : null;
}

/** What each letter that is seen looks like. */
const spread = ({ runs }: Paragraph, name: (typeof LOOKS)[number]): (string | number | boolean | null)[] =>
  runs.flatMap(({ text, look }) => Array.from(text.replaceAll(/\s/g, ''), () => look[name]));

function firstOther(some: readonly unknown[], others: readonly unknown[]): number | null {
  const at = some.findIndex((one, n) => one !== others[n]);
  return at < 0 ? null : at;
}
