import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';

/**
 * Regular expressions that take more than linear time: a pattern is given long runs of each sign and word that it speaks of,
 * with an end that it refuses, so that it tries every way to share them out. Work is counted, and compared with that on an
 * eighth of the text.
 */
export type SourcePattern = { line: number; pattern: RegExp };

/** The patterns that a source writes out, and the lines where it makes some of texts (`new RegExp(…)`). */
export function patternsIn(file: string): { written: SourcePattern[]; made: number[] } {
  const source = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const written: SourcePattern[] = [];
  const made: number[] = [];
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length;
  const look = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, start, regex, callee } = node as {
      type?: string;
      start: number;
      regex?: { pattern: string; flags: string };
      callee?: { name?: string };
    };
    if (type === 'Literal' && regex) {
      written.push({ line: lineOf(start), pattern: new RegExp(regex.pattern, regex.flags) });
    } else if (type === 'NewExpression' && callee?.name === 'RegExp') made.push(lineOf(start));
    for (const value of Object.values(node)) look(value);
  };
  look(program);
  return { written, made };
}

const SIGNS = [
  '\t',
  ' ',
  '\n',
  '0',
  'a',
  'A',
  '_',
  '-',
  '.',
  '/',
  '\\',
  '*',
  '<',
  '(',
  '[',
  '{',
  '"',
  "'",
  ':',
  '=',
  '#',
];
/**
 * The longest is long enough that the work of a squared one stands out, and short enough that all patterns are tried in
 * seconds; the others find those that would never end there.
 */
const LENGTHS = [24, 64, 160, 400, 1000, 2800, 8000];
const STEP = 8;
/** A linear look takes a fraction of that, ms; what takes more is measured again. */
const SUSPECT_MS = 4;
const MOST_GROWTH = 24;
/** Nothing linear takes so long for so short a text, ms. */
const HOPELESS_MS = 200;

/** The text that a pattern takes more than linear time for, or null. */
export function slowText(pattern: RegExp): string | null {
  if (!/[*+]|\{\d*,\d*\}/.test(pattern.source)) return null;
  const words = [...wordsOf(pattern.source)];
  const pumps = new Set([
    ...SIGNS,
    ...words,
    ...words.map((word) => word[0]!),
    ...words.map((word) => `${word}\n`),
    ...words.map((word) => `${word}a`),
  ]);
  for (const pump of pumps) {
    for (const head of ['', ...words, 'x']) {
      for (const end of ['\u0000', '\u0000\n']) {
        const textOf = (length: number): string => head + pump.repeat(Math.ceil(length / pump.length)) + end;
        for (const length of LENGTHS) {
          if (workOf(pattern, textOf(length)) <= SUSPECT_MS) continue;
          let large = leastWorkOf(pattern, textOf(length));
          if (large > HOPELESS_MS) return JSON.stringify([head, pump, end]);
          const small = leastWorkOf(pattern, textOf(length / STEP));
          const isSlow = (): boolean => large > SUSPECT_MS && large > MOST_GROWTH * small;
          // A loaded machine makes three looks in a row cost more (its caches are others', memory is tidied up), not ten more.
          if (isSlow()) large = Math.min(large, leastWorkOf(pattern, textOf(length), 10));
          if (isSlow()) return JSON.stringify([head, pump, end]);
        }
      }
    }
  }
  return null;
}

/** What a pattern says letter by letter: `Code:\n` in `(?:^|\n)Code:\n(.+)$`. */
function wordsOf(source: string): Set<string> {
  const plain = source
    .replace(
      /\\[dDwWsSbB]|\\[pP]\{[^}]*\}|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<\w+>)|[*+?|^$().]|\{\d*,?\d*\}/g,
      '\u0000',
    )
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\u0000|\\0/g, '')
    .replace(/\\(.)/g, '$1');
  return new Set(plain.split('\u0000').filter((word) => word !== '' && word.length < 40));
}

function leastWorkOf(pattern: RegExp, text: string, looks = 3): number {
  return Math.min(...Array.from({ length: looks }, () => workOf(pattern, text)));
}

/** ms of this thread's processor time. */
function workOf(pattern: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  text.replace(pattern, '');
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
