import type { EvaluateOptions } from '../../../schemas/evaluate.ts';
import type { Prediction } from '../../../schemas/questions.ts';
import { canonicalKey, isLibraryKey } from './names.ts';
import { traceKeys } from './run.ts';
import { CodeError } from './tokens.ts';

type Choices = Pick<EvaluateOptions, 'keysReading' | 'otherCharacters' | 'mouseCalls'>;

type KeysRecall = { recall: number; precision: number };

type KeysReading =
  | { kind: 'keys'; keys: string[]; ignored: string[]; error: string | null }
  | { kind: 'unreadable' | 'refused'; why: string };

/** The first code block of an answer, or all of it when it has none (table 26 asks for one). */
export function codeOf(answer: string): string {
  const fence =
    /```(?:python3?|py)?[ \t]*\r?\n?([\s\S]*?)(?:```|$)/i.exec(answer) ??
    // As the paper's template itself is printed.
    /^\s*'''python[ \t]*\r?\n([\s\S]*?)(?:'''|$)/i.exec(answer);
  return fence?.[1] ?? /^\s*`([^`\n]+)`\s*$/.exec(answer)?.[1] ?? answer;
}

/**
 * The keys that a prediction would press, in the order in which they go down. A list of names is taken as it stands.
 * Keys that the library does not know it ignores, and so do we (M11).
 */
export function readKeys(answer: Prediction['prediction'], choices: Choices): KeysReading {
  if (Array.isArray(answer)) {
    if (!answer.every((key) => typeof key === 'string'))
      return { kind: 'unreadable', why: 'it is no code and no keys' };
    return { kind: 'keys', keys: answer.map(canonicalKey), ignored: [], error: null };
  }
  if (typeof answer !== 'string' || answer.trim() === '')
    return { kind: 'unreadable', why: 'it is no code and no keys' };
  try {
    const { events, error } = traceKeys(codeOf(answer), choices.mouseCalls);
    const keys: string[] = [];
    const ignored: string[] = [];
    for (const [what, key] of events) {
      if (what !== 'down') continue;
      const typed = choices.otherCharacters === 'typed' && [...key].length === 1;
      if (isLibraryKey(key) || typed) keys.push(canonicalKey(key));
      else ignored.push(key);
    }
    return { kind: 'keys', keys, ignored, error };
  } catch (error) {
    if (error instanceof CodeError) return { kind: error.kind, why: error.message };
    throw error;
  }
}

/** Recall and precision of what was pressed (M12), both lists by canonical names. */
export function scoreKeys(
  truth: readonly string[],
  pressed: readonly string[],
  reading: EvaluateOptions['keysReading'],
): KeysRecall {
  const wanted = truth.map(canonicalKey);
  const actual = pressed.map(canonicalKey);
  if (reading === 'contained') {
    if (!contains(actual, wanted)) return { recall: 0, precision: 0 };
    return { recall: 1, precision: wanted.length / actual.length };
  }
  const common = reading === 'multiset' ? commonCount(wanted, actual) : longestCommon(wanted, actual);
  return {
    recall: common / wanted.length,
    precision: actual.length === 0 ? 0 : common / actual.length,
  };
}

/** Whether `part` stands in `whole` without anything between. */
function contains(whole: readonly string[], part: readonly string[]): boolean {
  for (let start = 0; start + part.length <= whole.length; start++) {
    if (part.every((key, i) => whole[start + i] === key)) return true;
  }
  return false;
}

function commonCount(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const key of a) left.set(key, (left.get(key) ?? 0) + 1);
  let common = 0;
  for (const key of b) {
    const count = left.get(key) ?? 0;
    if (count > 0) common++;
    left.set(key, count - 1);
  }
  return common;
}

/** Length of the longest common subsequence, with two rows of the table. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const key of a) {
    const nextRow = new Uint32Array(b.length + 1);
    for (let j = 0; j < b.length; j++) nextRow[j + 1] = b[j] === key ? row[j]! + 1 : Math.max(row[j + 1]!, nextRow[j]!);
    row = nextRow;
  }
  return row[b.length]!;
}
