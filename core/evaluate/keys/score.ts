import type { EvaluateOptions } from '../../../schemas/evaluate.ts';
import type { Prediction } from '../../../schemas/questions.ts';
import { commonCount } from '../common-count.ts';
import { answerPart, markedAnswer } from '../reading/answer-part.ts';
import { isRecord } from '../reading/records.ts';
import { keysOfActs, readActs } from '../reading/tool-acts.ts';
import type { Act } from './acts.ts';
import { fencesIn } from './fences.ts';
import { comboKeys, keysInText, keysOfRecord } from './forms.ts';
import { canonicalKey, isLibraryKey } from './names.ts';
import { actsOfEvents, actsOfKeys } from './presses.ts';
import { traceKeys } from './run.ts';
import { CodeError } from './tokens.ts';

type Choices = Pick<EvaluateOptions, 'otherCharacters' | 'mouseCalls' | 'answerForms'>;

/** `precision` null: nothing was pressed, of which no share can be right. */
type KeysRecall = { recall: number; precision: number | null };

type KeysReading =
  | { kind: 'keys'; keys: string[]; ignored: string[]; error: string | null }
  | { kind: 'unreadable' | 'refused'; why: string };

/** Most presses in one program. */
const MOST_KEYS = 10_000;

/** The first code block of an answer, or all of it when it has none (table 26 asks for one). */
export function codeInAnswer(answer: string): string {
  const fence =
    /```(?:python3?|py)?[ \t]*\r?\n?([\s\S]*?)(?:```|$)/i.exec(answer) ??
    // The form in which the paper prints its template.
    /^\s*'''python[ \t]*\r?\n([\s\S]*?)(?:'''|$)/i.exec(answer);
  return fence?.[1] ?? /^\s*`([^`\n]+)`\s*$/.exec(answer)?.[1] ?? answer;
}

/**
 * The keys that a prediction would press, in the order in which they go down. A list of names is taken as it is.
 * Keys that the library does not know it ignores, and so do we (M11).
 */
export function readKeys(answer: Prediction['prediction'], choices: Choices): KeysReading {
  return readFrom(answer, choices).read;
}

/** The same keys as they are performed; null for an answer that presses none, or is refused. */
export function keyActs(answer: Prediction['prediction'], choices: Choices): Act[] | null {
  const { read, code } = readFrom(answer, choices);
  if (read.kind !== 'keys' || read.keys.length === 0) return null;
  if (code === null) return actsOfKeys(read.keys);
  return actsOfEvents(traceKeys(code, choices.mouseCalls).events, choices.otherCharacters);
}

/** `code`: the program that the keys were read of; null where they are named in another way. */
type KeysFrom = { read: KeysReading; code: string | null };
const named = (read: KeysReading): KeysFrom => ({ read, code: null });

function readFrom(answer: Prediction['prediction'], choices: Choices): KeysFrom {
  if (choices.answerForms === 'any' && (isRecord(answer) || (Array.isArray(answer) && answer.some(isRecord)))) {
    const acted = keysOfCalls(answer);
    if (acted) return named(taken(acted));
  }
  if (Array.isArray(answer)) {
    if (!answer.every((key) => typeof key === 'string'))
      return named({ kind: 'unreadable', why: 'it is no code and no keys' });
    return named(taken(answer.map(canonicalKey)));
  }
  if (choices.answerForms === 'any' && isRecord(answer)) {
    const keys = keysOfRecord(answer);
    return named(keys ? taken(keys) : { kind: 'unreadable', why: 'it is a record without keys' });
  }
  if (typeof answer !== 'string' || answer.trim() === '')
    return named({ kind: 'unreadable', why: 'it is no code and no keys' });
  return choices.answerForms === 'any' ? readAny(answer, choices) : ofCode(codeInAnswer(answer), choices);
}

/** Keys of calls of tools (M34); null where there are none. */
function keysOfCalls(answer: unknown): string[] | null {
  const keys = keysOfActs(readActs(answer)?.acts ?? []);
  return keys.length > 0 ? keys : null;
}

const ofCode = (code: string, choices: Choices): KeysFrom => ({ read: readCode(code, choices), code });

const taken = (keys: string[]): KeysReading =>
  keys.length > MOST_KEYS
    ? { kind: 'refused', why: 'it presses more than 10,000 keys' }
    : { kind: 'keys', keys, ignored: [], error: null };

/** The last block of code that is a program, else keys in any other form; what is neither is told as the code that it is not. */
function readAny(answer: string, choices: Choices): KeysFrom {
  const text = answerPart(answer);
  if (text.trim() === '') return named({ kind: 'unreadable', why: 'it holds nothing but reasoning' });
  const acted = keysOfCalls(text);
  if (acted) return named(taken(acted));
  const blocks = fencesIn(text);
  const program = ofCode(blocks.at(-1)?.code ?? codeInAnswer(text), choices);
  const { read } = program;
  if (read.kind === 'keys' && (read.keys.length > 0 || read.ignored.length > 0)) return program;
  // A program is never read in another way: what its lines press depends on what it does.
  if (/\b(?:pyautogui|import|raise)\b/.test(text)) return program;
  const marker = markedAnswer(text);
  const marked = marker === null ? null : comboKeys(text.slice(marker, marker + 100).split('\n')[0] ?? '');
  const keys = marked ?? keysInText(text);
  return keys ? named(taken(keys)) : program;
}

function readCode(code: string, choices: Choices): KeysReading {
  try {
    const { events, error } = traceKeys(code, choices.mouseCalls);
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
    precision: actual.length === 0 ? null : common / actual.length,
  };
}

/** Whether `part` stands in `whole` without anything between (Knuth, Morris and Pratt: no key is looked at anew). */
function contains(whole: readonly string[], part: readonly string[]): boolean {
  // back[i]: how many keys of the part's beginning end at its place i, itself not counted.
  const back = new Uint32Array(part.length);
  const longer = (matched: number, key: string): number => {
    let at = matched;
    while (at > 0 && part[at] !== key) at = back[at - 1]!;
    return part[at] === key ? at + 1 : 0;
  };
  for (let i = 1; i < part.length; i++) back[i] = longer(back[i - 1]!, part[i]!);
  let matched = 0;
  for (const key of whole) {
    matched = longer(matched === part.length ? back[matched - 1]! : matched, key);
    if (matched === part.length) return true;
  }
  return part.length === 0;
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
