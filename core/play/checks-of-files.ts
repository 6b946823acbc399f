import type { Check } from '../../schemas/checks.ts';
import { archiveParts, documentParts } from '../../schemas/checks-plain.ts';
import { plural } from '../words.ts';
import { isPage } from './browser-session.ts';
import { type CalendarDay, dayFrom, withDay } from './day.ts';
import { type Graded, inQuotes, no, yes } from './judged.ts';
import type { TableDifference } from './tables.ts';

/** Scores of checks that look at a whole file (PL40): what its reader found, beside what is wanted. */

export type OfFilesFound =
  /** `difference`: null where nothing was compared. */
  | { of: 'table'; names: readonly string[]; difference: TableDifference | null }
  /** `faults`: a sentence for each part, and for the comparison, that is not as wanted. */
  | { of: 'document'; isSlides: boolean; pages: number; pictures: number; text: string; faults: readonly string[] }
  | { of: 'pdf'; pages: number; text: string; alike: number | null }
  | { of: 'sound'; seconds: number | null; tags: Readonly<Record<string, string>> }
  /** `today`: the day on which it was looked at. */
  | { of: 'pages'; open: readonly string[]; active: string | null; today: CalendarDay }
  | { of: 'archive'; names: readonly string[]; difference: string | null };

type OfFiles = Check & { kind: 'table' | 'document' | 'pdf' | 'sound' | 'pages' | 'archive' };

/** Null where the reader found something else. */
export function judgeOfFiles(check: OfFiles, found: { of: string }): Graded | null {
  const seen = found as OfFilesFound;
  if (check.kind === 'table') return seen.of === 'table' ? judgeTable(check, seen) : null;
  if (check.kind === 'document') return seen.of === 'document' ? judgeDocument(check, seen) : null;
  if (check.kind === 'pdf') return seen.of === 'pdf' ? judgePdf(check, seen) : null;
  if (check.kind === 'sound') return seen.of === 'sound' ? judgeSound(check, seen) : null;
  if (check.kind === 'pages') return seen.of === 'pages' ? judgePages(check, seen) : null;
  return seen.of === 'archive' ? judgeArchive(check, seen) : null;
}

/** All that is wanted in `parts` parts, of which `faults` are other. */
function graded(what: string, parts: number, faults: readonly string[]): Graded {
  if (faults.length === 0) return yes(`${what} is as wanted in ${parts} of ${plural(parts, 'part')}`);
  return { score: Math.max(0, parts - faults.length) / parts, why: `${what}: ${faults.slice(0, 5).join('; ')}` };
}

function judgeTable(
  { path, names, like, compare }: Check & { kind: 'table' },
  seen: OfFilesFound & { of: 'table' },
): Graded {
  if (names && names.join('\n') !== seen.names.join('\n'))
    return no(
      `the sheets of ${path} are ${seen.names.map(inQuotes).join(', ')}, not ${names.map(inQuotes).join(', ')}`,
    );
  if (like === undefined) return yes(`the sheets of ${path} are called as wanted`);
  const thing = compare === undefined || compare.every((one) => one === 'cells') ? 'cell' : 'part';
  const { compared, other, why } = seen.difference ?? { compared: 0, other: 1, why: 'nothing could be compared' };
  if (other === 0) return yes(`${path} is as “${like}” in ${plural(compared, thing)}`);
  return no(`${path} is other than “${like}” in ${other} of ${plural(Math.max(compared, other), thing)}: ${why}`);
}

function judgeDocument(check: Check & { kind: 'document' }, seen: OfFilesFound & { of: 'document' }): Graded {
  const { path, slides, pictures } = check;
  const faults = [...seen.faults];
  if (slides !== undefined && !seen.isSlides) faults.push('it has no slides');
  else if (slides !== undefined && slides !== seen.pages) faults.push(`it has ${seen.pages} slides, not ${slides}`);
  if (pictures !== undefined && pictures !== seen.pictures)
    faults.push(`it has ${seen.pictures} pictures, not ${pictures}`);
  return graded(path, documentParts(check), faults);
}

function judgePdf(
  { path, pages, contains, lacks, like, alike, ignoreCase }: Check & { kind: 'pdf' },
  seen: OfFilesFound & { of: 'pdf' },
): Graded {
  // Lines of a PDF end where its layout says so.
  const plain = (text: string): string => (ignoreCase ? text.toLowerCase() : text).replaceAll(/\s+/g, ' ').trim();
  const text = plain(seen.text);
  const faults: string[] = [];
  if (pages !== undefined && pages !== seen.pages) faults.push(`it has ${plural(seen.pages, 'page')}, not ${pages}`);
  for (const one of contains) if (!text.includes(plain(one))) faults.push(`it lacks ${inQuotes(one)}`);
  for (const one of lacks) if (text.includes(plain(one))) faults.push(`it holds ${inQuotes(one)}`);
  if (like !== undefined && (seen.alike ?? 0) < alike)
    faults.push(`its text is alike to “${like}” in ${(seen.alike ?? 0).toFixed(3)}, not ${alike}`);
  const all = contains.length + lacks.length + (pages === undefined ? 0 : 1) + (like === undefined ? 0 : 1);
  return graded(path, all, faults);
}

function judgeSound(
  { path, seconds, tolerance, tags }: Check & { kind: 'sound' },
  seen: OfFilesFound & { of: 'sound' },
): Graded {
  const faults: string[] = [];
  if (seconds !== undefined && (seen.seconds === null || Math.abs(seen.seconds - seconds) > tolerance))
    faults.push(`it is ${seen.seconds ?? 'an unknown number of'} s long, not ${seconds} (± ${tolerance})`);
  const own = new Map(Object.entries(seen.tags).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  for (const [name, value] of Object.entries(tags)) {
    const is = own.get(name.toLowerCase());
    if (is !== value.trim()) faults.push(`its ${name} is ${inQuotes(is ?? null)}, not ${inQuotes(value)}`);
  }
  return graded(path, Object.keys(tags).length + (seconds === undefined ? 0 : 1), faults);
}

function judgePages({ by, ...check }: Check & { kind: 'pages' }, seen: OfFilesFound & { of: 'pages' }): Graded {
  const day = check.day === undefined ? null : dayFrom(check.day, seen.today);
  const dated = (address: string): string => (day === null ? address : withDay(address, day));
  const [open, closed] = [check.open.map(dated), check.closed.map(dated)];
  const active = check.active === undefined ? undefined : dated(check.active);
  const shown = (wanted: string): string | undefined => seen.open.find((one) => isPage(one, wanted, by));
  const faults: string[] = [];
  for (const one of open) if (shown(one) === undefined) faults.push(`${inQuotes(one)} is not open`);
  for (const one of closed) {
    const page = shown(one);
    if (page !== undefined) faults.push(`${inQuotes(page)} is open`);
  }
  if (active !== undefined && (seen.active === null || !isPage(seen.active, active, by)))
    faults.push(`the page in front is ${inQuotes(seen.active)}, not ${inQuotes(active)}`);
  return graded('the browser', open.length + closed.length + (active === undefined ? 0 : 1), faults);
}

function judgeArchive(check: Check & { kind: 'archive' }, seen: OfFilesFound & { of: 'archive' }): Graded {
  const { path, holds, lacks, matches = [], only, top } = check;
  const names = new Set(seen.names);
  // A folder's name ends with / where a folder was looked at.
  const has = (one: string): boolean => names.has(one) || names.has(`${one}/`);
  const last = (name: string): string => name.replace(/\/$/, '').split('/').at(-1) ?? '';
  const wanted = new Set(holds.flatMap((one) => [one, `${one}/`]));
  const extra = only ? seen.names.find((one) => !wanted.has(one) && (top || !one.endsWith('/'))) : undefined;
  const faults = [
    ...holds.filter((one) => !has(one)).map((one) => `it lacks ${inQuotes(one)}`),
    ...lacks.filter(has).map((one) => `it holds ${inQuotes(one)}`),
    ...matches
      .filter((one) => !seen.names.some((name) => new RegExp(one).test(last(name))))
      .map((one) => `it has nothing like ${inQuotes(one)}`),
    ...(extra === undefined ? [] : [`it holds ${inQuotes(extra)}, which should not be there`]),
    ...(seen.difference === null ? [] : [seen.difference]),
  ];
  return graded(path, archiveParts(check), faults);
}
