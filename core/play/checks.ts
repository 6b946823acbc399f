import type { Check, CheckReport, CheckResult, Checks, CheckValue } from '../../schemas/checks.ts';
import { type PictureMode, textParts } from '../../schemas/checks-plain.ts';
import type { SeenElement } from '../../schemas/elements.ts';
import { plural } from '../words.ts';
import { judgeOfFiles, type OfFilesFound } from './checks-of-files.ts';
import { type Graded, inQuotes, no, yes } from './judged.ts';

/** The finding of a reader for a check; `none`: it could not be read, with the reason. */
export type Found =
  | { of: 'none'; why: string; missing?: boolean }
  | { of: 'file'; bytes: number; sha256: string; wanted: string | null }
  /** `alike`: how alike to the task's file, 0 to 1; absent where nothing was compared. */
  | { of: 'text'; text: string; alike?: number }
  /** A cell, a setting, a value of JSON or of a query. */
  | { of: 'value'; value: unknown }
  /** `other`: the part of the pixels that are other than wanted, 0 to 1; null where nothing was compared. */
  | {
      of: 'picture';
      width: number;
      height: number;
      other: number | null;
      /** How alike it looks (SSIM); null where the sizes differ. */
      alike?: number | null;
      mode?: PictureMode;
    }
  | OfFilesFound
  | { of: 'titles'; titles: readonly string[] }
  /** `whole`: all that are shown were looked at. */
  | { of: 'elements'; elements: readonly SeenElement[]; whole: boolean };

/** Checks that look at the screen alone (PL11). */
export const looksAtScreen = ({ kind }: Check): boolean =>
  kind === 'window' || kind === 'region' || kind === 'shown' || kind === 'element';

/** Some look at elements: programs must tell of theirs from their start. */
export const looksAtElements = (checks: Checks | null): boolean =>
  checks?.checks.some(({ kind }) => kind === 'element') ?? false;

/** The score of one check and why, from what its reader found. */
export function judge(check: Check, found: Found): CheckResult {
  const screen = looksAtScreen(check);
  const gone = found.of === 'none' && found.missing === true;
  if (gone && check.kind === 'file' && check.is === 'absent')
    return { id: check.id, ...yes(`${check.path} is absent`), screen, able: true };
  if (found.of === 'none') return { id: check.id, ...no(found.why), screen, able: gone };
  const judged = judgeFound(check, found);
  return { id: check.id, ...(judged ?? no('the reader gave something else')), screen, able: judged !== null };
}

function judgeFound(check: Check, found: Found): Graded | null {
  if (check.kind === 'file') return found.of === 'file' ? judgeFile(check, found) : null;
  if (check.kind === 'text') return found.of === 'text' ? judgeText(check, found.text, found.alike) : null;
  if (check.kind === 'shown') return found.of === 'text' ? judgeShown(check, found.text) : null;
  if (check.kind === 'picture' || check.kind === 'region')
    return found.of === 'picture' ? judgePicture(check, found) : null;
  if (check.kind === 'window') return found.of === 'titles' ? judgeTitles(check, found.titles) : null;
  if (check.kind === 'element') return found.of === 'elements' ? judgeElement(check, found) : null;
  if (check.kind === 'answer') return found.of === 'text' ? judgeAnswer(check, found.text) : null;
  if (check.kind === 'infeasible') return found.of === 'text' ? judgeInfeasible(found.text) : null;
  if (
    check.kind === 'table' ||
    check.kind === 'document' ||
    check.kind === 'pdf' ||
    check.kind === 'sound' ||
    check.kind === 'pages' ||
    check.kind === 'archive'
  )
    return judgeOfFiles(check, found);
  if (found.of !== 'value') return null;
  const place = placeOf(check);
  const { equals, tolerance } = check;
  if (typeof equals === 'object' && equals !== null) {
    const same = isSameJson(found.value, equals);
    return same ? yes(`${place} is as wanted`) : no(`${place} is ${inQuotes(found.value)}, not ${inQuotes(equals)}`);
  }
  return judgeValue(place, found.value, equals, tolerance);
}

/** Where the value of a check is, as a sentence begins with it. */
function placeOf(check: Check & { kind: 'cell' | 'json' | 'config' | 'setting' | 'sqlite' }): string {
  switch (check.kind) {
    case 'cell':
      return `the cell ${check.cell}`;
    case 'json':
      return `the value at “${check.at}”`;
    case 'config':
      return `the key “${check.key}”${check.section ? ` of [${check.section}]` : ''}`;
    case 'setting':
      return `the setting ${check.schema} ${check.key}`;
    case 'sqlite':
      return 'the query';
  }
}

/** Lists by their order, objects by their keys. Depth is bounded by who reads the file. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [some, others] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    some.length === others.size && some.every(([key, value]) => others.has(key) && isSameJson(value, others.get(key)))
  );
}

function judgeFile(check: Check & { kind: 'file' }, { bytes, sha256, wanted }: Found & { of: 'file' }): Graded {
  if (check.is === 'absent') return no(`${check.path} is there (${plural(bytes, 'byte')}) and should not be`);
  const hash = check.sha256 ?? wanted;
  if (hash === null || hash === undefined) return yes(`${check.path} is there (${plural(bytes, 'byte')})`);
  const both = check.sha256 !== undefined && wanted !== null && wanted !== check.sha256;
  if (both) return no(`sha256 and the task's file “${check.equals}” disagree, so no file can be both`);
  return sha256 === hash
    ? yes(`${check.path} is as wanted, byte for byte`)
    : no(
        `${check.path} is another file (${plural(bytes, 'byte')}, sha256 ${sha256.slice(0, 12)}…) than wanted (${hash.slice(0, 12)}…)`,
      );
}

type TextCheck = Check & { kind: 'text' };

/** Each text that is wanted, unwanted, equal or alike is one part of the score (PL10). */
function judgeText(
  check: Pick<
    TextCheck,
    'contains' | 'lacks' | 'equals' | 'ignoreCase' | 'matches' | 'like' | 'alike' | 'ignoreBlanks'
  >,
  whole: string,
  alike?: number,
): Graded {
  const { contains, lacks, equals, ignoreCase, matches = [], like, ignoreBlanks = false } = check;
  const plain = (text: string): string => {
    const lined = (ignoreCase ? text.toLowerCase() : text).replaceAll('\r\n', '\n');
    return ignoreBlanks ? lined.replaceAll(/\s+/g, ' ').trim() : lined;
  };
  const text = plain(whole);
  const faults: string[] = [];
  for (const part of contains)
    if (!text.includes(plain(part))) faults.push(`lacks ${inQuotes(part)}${insteadIn(text, plain(part))}`);
  for (const part of lacks) if (text.includes(plain(part))) faults.push(`holds ${inQuotes(part)}`);
  for (const one of matches) {
    if (!new RegExp(one, ignoreCase ? 'im' : 'm').test(whole.replaceAll('\r\n', '\n')))
      faults.push(`has nothing like ${inQuotes(one)}`);
  }
  if (equals !== undefined && text.trim() !== plain(equals).trim())
    faults.push(`is ${inQuotes(whole.trim())}, not ${inQuotes(equals)}`);
  if (like !== undefined && (alike ?? 0) < (check.alike ?? 1))
    faults.push(`is other than that of ${inQuotes(like)} (alike ${(alike ?? 0).toFixed(3)})`);
  const parts = textParts(check);
  if (faults.length === 0) return yes(`the text is as wanted in ${parts} of ${plural(parts, 'part')}`);
  return { score: (parts - faults.length) / parts, why: `the text ${faults.slice(0, 5).join(', ')}` };
}

/** Fewer signs of a text that is wanted are found in many texts; more are not looked for. */
const LEAST_FOUND = 4;
const MOST_FOUND = 200;

/**
 * Says how `text` goes on where a wanted text leaves off: “Monday⏎Repeat” is wanted, after “Monday” comes “Repeat”. Nothing
 * where its beginning is not there either.
 */
function insteadIn(text: string, wanted: string): string {
  let [there, gone] = [0, Math.min(wanted.length, MOST_FOUND)];
  while (gone - there > 1) {
    const middle = Math.floor((there + gone) / 2);
    if (text.includes(wanted.slice(0, middle))) there = middle;
    else gone = middle;
  }
  if (there < LEAST_FOUND) return '';
  const begun = wanted.slice(0, there);
  const rest = text.slice(text.indexOf(begun) + there, text.indexOf(begun) + there + 40);
  return ` (after ${inQuotes(begun)} comes ${rest === '' ? 'the end' : inQuotes(rest)})`;
}

/** Lines of a screen end where there is no room, so that a text may go over several. */
function judgeShown({ contains, lacks, ignoreCase }: Check & { kind: 'shown' }, text: string): Graded {
  const line = (part: string): string => part.replaceAll(/\s+/g, ' ').trim();
  return judgeText({ contains: contains.map(line), lacks: lacks.map(line), ignoreCase }, line(text));
}

function judgeValue(place: string, value: unknown, wanted: CheckValue, tolerance: number): Graded {
  if (isValue(value, wanted, tolerance)) return yes(`${place} is ${inQuotes(value)}`);
  return no(`${place} is ${inQuotes(value)}, not ${inQuotes(wanted)}${tolerance > 0 ? ` (± ${tolerance})` : ''}`);
}

/** A number may be written as text, as cells and queries give it; nothing else changes its kind. */
function isValue(value: unknown, wanted: CheckValue, tolerance: number): boolean {
  if (typeof wanted === 'number') {
    const number = typeof value === 'number' ? value : numberIn(value);
    return number !== null && Math.abs(number - wanted) <= tolerance;
  }
  if (typeof wanted === 'string' && typeof value === 'number') return String(value) === wanted.trim();
  if (typeof wanted === 'string' && typeof value === 'string') return value.trim() === wanted.trim();
  if (typeof wanted === 'boolean' && (value === 0 || value === 1)) return (value === 1) === wanted;
  if (typeof wanted === 'boolean' && typeof value === 'string') return value.trim().toLowerCase() === String(wanted);
  if (wanted === null) return value === null || value === undefined || value === '';
  return value === wanted;
}

function numberIn(value: unknown): number | null {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || !/^\s*[-+]?\d{1,300}(?:\.\d{1,300})?(?:e[-+]?\d{1,3})?\s*$/i.test(value))
    return null;
  return Number(value);
}

function judgePicture(
  check: Check & { kind: 'picture' | 'region' },
  { width, height, other, alike, mode }: Found & { of: 'picture' },
): Graded {
  const faults: string[] = [];
  if (check.kind === 'picture' && check.width !== undefined && check.width !== width)
    faults.push(`is ${width} px wide, not ${check.width}`);
  if (check.kind === 'picture' && check.height !== undefined && check.height !== height)
    faults.push(`is ${height} px high, not ${check.height}`);
  if (check.kind === 'picture' && check.mode !== undefined && check.mode !== mode)
    faults.push(`is ${mode ?? 'of another kind'}, not ${check.mode}`);
  const compared = check.like !== undefined || check.kind === 'region';
  const least = check.kind === 'picture' ? check.alike : undefined;
  if (compared && (least === undefined ? other : (alike ?? null)) === null)
    faults.push('has another size than the picture it is compared with');
  if (least !== undefined && alike != null && alike < least)
    faults.push(`is alike in ${alike.toFixed(3)} (SSIM), not ${least}`);
  if (least === undefined && other !== null && other > check.difference)
    faults.push(`is other in ${percent(other)} of its pixels; ${percent(check.difference)} may be`);
  const what = check.kind === 'region' ? 'the region' : `${check.path}`;
  if (faults.length === 0) return yes(`${what} is as wanted (${width} x ${height} px)`);
  return no(`${what} ${faults.join(', ')}`);
}

function judgeTitles({ title, is }: Check & { kind: 'window' }, titles: readonly string[]): Graded {
  const found = titles.find((one) => one.toLowerCase().includes(title.toLowerCase()));
  if (found !== undefined)
    return is === 'there'
      ? yes(`the window ${inQuotes(found)} is there`)
      : no(`the window ${inQuotes(found)} is there and should not be`);
  if (is === 'absent') return yes(`no window is called ${inQuotes(title)}`);
  const seen = titles.slice(0, 5).map(inQuotes).join(', ');
  return no(`no window is called ${inQuotes(title)}; there ${seen === '' ? 'is none' : `are ${seen}`}`);
}

type ElementCheck = Check & { kind: 'element' };

/** Whether it has the role and the name of a check, whatever its state and value are. */
export const isCalled = ({ role, name }: ElementCheck, one: Pick<SeenElement, 'role' | 'name'>): boolean =>
  (role === undefined || one.role === role.trim()) && (name === undefined || one.name.trim() === name.trim());

function judgeElement(check: ElementCheck, { elements, whole }: Found & { of: 'elements' }): Graded {
  const { role, name, state, equals, tolerance, is } = check;
  const what = `${role ?? 'element'}${name === undefined ? '' : ` ${inQuotes(name)}`}`;
  const called = elements.filter((one) => isCalled(check, one));
  const isSo = ({ states, value }: SeenElement): boolean =>
    (state === undefined || states.includes(state)) && (equals === undefined || isValue(value, equals, tolerance));
  const found = called.find(isSo);
  const wanted = [
    ...(state === undefined ? [] : [state]),
    ...(equals === undefined ? [] : [`with the value ${inQuotes(equals)}`]),
  ].join(' ');
  if (found) {
    const why = `the ${what} is there${wanted === '' ? '' : `, ${wanted}`}`;
    return is === 'there' ? yes(why) : no(`${why}, and should not be`);
  }
  const unseen = whole ? '' : '; not all elements could be looked at';
  if (is === 'absent') {
    const why = `no ${what}${wanted === '' ? '' : ` ${wanted}`} is shown${unseen}`;
    return whole ? yes(why) : no(why);
  }
  const [other] = called;
  if (!other) return no(`no ${what} is shown${unseen}`);
  if (equals !== undefined && (state === undefined || other.states.includes(state)))
    return no(`the ${what} has the value ${inQuotes(other.value)}, not ${inQuotes(equals)}${unseen}`);
  return no(`the ${what} is not ${state}${unseen}`);
}

/** The score of a set is the size of the intersection over the union (PL10). */
function judgeAnswer({ equals, tolerance }: Check & { kind: 'answer' }, answer: string): Graded {
  if (!Array.isArray(equals)) {
    const same = typeof equals === 'string' ? folded(answer) === folded(equals) : isValue(answer, equals, tolerance);
    return same
      ? yes(`the answer is ${inQuotes(answer)}`)
      : no(`the answer is ${inQuotes(answer)}, not ${inQuotes(equals)}`);
  }
  const wanted = new Set(equals.map(folded));
  const given = new Set(
    answer
      .split(/[\n,]/)
      .map(folded)
      .filter((one) => one !== ''),
  );
  const common = [...wanted].filter((one) => given.has(one)).length;
  const score = common / (wanted.size + given.size - common);
  return {
    score,
    why: `${common} of ${plural(wanted.size, 'wanted answer')} were given, ${plural(given.size - common, 'other')}`,
  };
}

/** Words by which agents say that something cannot be done; the rest of the answer does not count. */
const CANNOT =
  /^\W*(?:fail(?:ed|ure)?|infeasible|impossible|not (?:feasible|possible)|cannot be done|can['’]?t be done)\b/i;

const judgeInfeasible = (answer: string): Graded =>
  CANNOT.test(answer)
    ? yes(`the answer ${inQuotes(answer)} says that it cannot be done`)
    : no(`the answer ${inQuotes(answer)} does not say that it cannot be done`);

const folded = (text: string): string => text.normalize('NFC').trim().toLowerCase();
const percent = (part: number): string => `${(part * 100).toFixed(2)} %`;

/** Floating point: a sum of weights may miss 1 by this. */
const ROUNDING = 1e-9;

/** The score of all checks together (PL9, PL11). */
export function combine({ checks, combine: how, pass }: Checks, results: readonly CheckResult[]): CheckReport {
  const byId = new Map(results.map((result) => [result.id, result]));
  const scores = checks.map(({ id, weight }) => ({ score: byId.get(id)?.score ?? 0, weight }));
  const score = combined(how, scores);
  const screenOnly = checks.every(looksAtScreen);
  return {
    checks: checks.flatMap(({ id }) => byId.get(id) ?? []),
    score,
    passed: score >= pass - ROUNDING,
    weak: screenOnly
      ? 'Every check looks at the screen alone, which may show what was never saved. Add a check of a file or a value.'
      : how === 'any' && checks.some(looksAtScreen)
        ? 'One check that looks at the screen alone is enough to pass. Combine by all, or leave it out.'
        : null,
  };
}

function combined(how: Checks['combine'], scores: readonly { score: number; weight: number }[]): number {
  if (how === 'all') return scores.reduce((least, { score }) => Math.min(least, score), 1);
  if (how === 'any') return scores.reduce((most, { score }) => Math.max(most, score), 0);
  const sum = scores.reduce((total, { weight }) => total + weight, 0);
  return Math.min(1, scores.reduce((total, { score, weight }) => total + score * weight, 0) / sum);
}
