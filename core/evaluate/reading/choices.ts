import { LETTERS, type Letter } from '../../../schemas/question-lists.ts';
import { answerPart, markedAnswer, plainSigns } from './answer-part.ts';
import { field, isRecord, looseJson, recordsIn, unwrapped } from './records.ts';

/** Options and marks in answers as models write them (M8, M26). */

/** Each with what is read of it. */
export const LETTER_FORMS: readonly (readonly [example: string, letter: Letter])[] = [
  ['[A]', 'A'],
  ['(A)', 'A'],
  ['A', 'A'],
  ['a.', 'A'],
  ['**B**', 'B'],
  ['Answer: A', 'A'],
  ['The answer is (C).', 'C'],
  ['Answer: **[B]** Scroll down.', 'B'],
  ['B) Scroll down', 'B'],
  ['B. Scroll down', 'B'],
  ['\\boxed{C}', 'C'],
  ['\\boxed{\\text{B}}', 'B'],
  ['答案：Ｂ', 'B'],
  ['B<|im_end|>', 'B'],
  ['<answer>B</answer>', 'B'],
  ['<think>[A] or [B]?</think>[B]', 'B'],
  ['{"answer": "B"}', 'B'],
  ['{"option": "[C]", "reason": "A is not there"}', 'C'],
  ['I considered [A].\nMy choice: [B]', 'B'],
  ['I choose option C', 'C'],
];

const ALONE = /^[\s"'`*([{]{0,9}([ABC])(?:[\s"'`*)\]}.:,]{0,9}$|[)\].:][\s*])/i;
const CHOSEN = /\b(?:option|choice|choose|select|pick)(?:\s{1,4}(?:is|option))?[\s:*"'([]{1,9}([ABC])(?![A-Za-z])/gi;
const BRACKETED = /[[(]\s{0,9}([ABC])\s{0,9}[\])]/gi;

/** By the answer's own word, else the only letter in brackets; two different ones are no answer. */
export function chosenLetter(answer: unknown): Letter | null {
  if (Array.isArray(answer)) return answer.length === 1 ? chosenLetter(answer[0]) : null;
  if (isRecord(answer)) return letterOfRecord(answer);
  if (typeof answer !== 'string') return null;
  const text = plainSigns(answerPart(answer));
  for (const { value } of recordsIn(text)) if (isRecord(value)) return letterOfRecord(value);
  const marker = markedAnswer(text);
  const marked = marker === null ? null : ALONE.exec(`${text.slice(marker, marker + 40).split('\n')[0]} `);
  if (marked) return letterOf(marked[1]);
  const alone = bracketed(text).size > 1 || text.trim().length > LONGEST_ALONE ? null : ALONE.exec(firstLine(text));
  if (alone) return letterOf(alone[1]);
  const last = [...text.matchAll(CHOSEN)].at(-1);
  if (last) return letterOf(last[1]);
  return only(text) ?? only(lastLine(text));
}

const LONGEST_ALONE = 200;

const bracketed = (text: string): Set<string> =>
  new Set([...text.matchAll(BRACKETED)].map((match) => match[1]!.toUpperCase()));

function only(text: string): Letter | null {
  const found = bracketed(text);
  return found.size === 1 ? letterOf([...found][0]) : null;
}

const firstLine = (text: string): string => `${text.trim().split('\n', 1)[0]} `;
const lastLine = (text: string): string => text.trim().slice(text.trim().lastIndexOf('\n') + 1);
const letterOf = (text: string | undefined): Letter | null =>
  LETTERS.find((letter) => letter === text?.toUpperCase()) ?? null;

const LETTER_NAMES = ['answer', 'option', 'choice', 'letter', 'selection', 'final_answer'];
function letterOfRecord(record: Readonly<Record<string, unknown>>): Letter | null {
  for (const one of unwrapped(record)) {
    for (const name of LETTER_NAMES) {
      const value = field(one, name);
      if (typeof value === 'string') return chosenLetter(value.slice(0, 200));
    }
  }
  return null;
}

/** Each with the marks that are read of it. */
export const MARK_FORMS: readonly (readonly [example: string, marks: readonly number[]])[] = [
  ['[12]', [12]],
  ['12', [12]],
  ['(12)', [12]],
  ['Mark 12', [12]],
  ['Answer: 12', [12]],
  ['The element is #12.', [12]],
  ['{"mark": 12}', [12]],
  ['<think>[3]</think>[12]', [12]],
  ['[3] -> [7]', [3, 7]],
  ['3 -> 7', [3, 7]],
  ['from mark 3 to mark 7', [3, 7]],
  ['{"start": 3, "end": 7}', [3, 7]],
];

const MARK =
  /(?:[[(]\s{0,9}|\b(?:mark|element|number|label|box|id)\s{0,3}[:#=]?\s{0,3}[[(]?|#)(\d{1,6})(?!\s{0,9}[,.]\s{0,9}\d)/gi;
const MARKS_ONLY = /^[\s*`"']{0,9}(\d{1,6})(?:[\s,]{0,9}(?:[-=]{1,9}>|→|to|-|–)[\s,]{0,9}(\d{1,6}))?[\s.*`"']{0,9}$/i;
const MARK_NAMES = ['mark', 'element', 'id', 'index', 'number', 'label', 'answer', 'box'];
const MARK_ENDS = [
  ['start', 'end'],
  ['from', 'to'],
  ['source', 'target'],
] as const;

/** The marks that an answer names, in their order: one for a click, two for a drag; others are for nobody. */
export function chosenMarks(answer: unknown): number[] {
  if (typeof answer === 'number') return Number.isSafeInteger(answer) ? [answer] : [];
  if (isRecord(answer)) return marksOfRecord(answer);
  if (typeof answer !== 'string') return [];
  const spoken = plainSigns(answerPart(answer));
  const marker = markedAnswer(spoken);
  const text = marker === null ? spoken : spoken.slice(marker);
  for (const { value } of recordsIn(text)) if (isRecord(value)) return marksOfRecord(value);
  const bare = text.length < 100 ? MARKS_ONLY.exec(text) : null;
  if (bare) return bare.slice(1).flatMap((one) => (one === undefined ? [] : [Number(one)]));
  return [...text.matchAll(MARK)].map(([, mark]) => Number(mark));
}

function marksOfRecord(record: Readonly<Record<string, unknown>>): number[] {
  const numberOf = (value: unknown): number | null => {
    const read =
      typeof value === 'string' && /^\[?\d{1,6}\]?$/.test(value) ? Number(value.replace(/[[\]]/g, '')) : value;
    return typeof read === 'number' && Number.isSafeInteger(read) ? read : null;
  };
  for (const one of unwrapped(record)) {
    for (const [start, end] of MARK_ENDS) {
      const [from, to] = [numberOf(field(one, start)), numberOf(field(one, end))];
      if (from !== null && to !== null) return [from, to];
    }
    for (const name of MARK_NAMES) {
      const mark = numberOf(field(one, name));
      if (mark !== null) return [mark];
    }
  }
  return [];
}

/** A plan as a list of texts, by itself or as the only one of a record; null when it is none. */
export function stepList(text: string): string[] | null {
  const bare = text
    .trim()
    .replace(/^```\w{0,20}\s{0,9}/, '')
    .replace(/```$/, '')
    .trim();
  if (!bare.startsWith('[') && !bare.startsWith('{')) return null;
  const value = looseJson(bare);
  const lists = (isRecord(value) ? Object.values(value) : [value]).filter((one) => Array.isArray(one));
  const [list] = lists;
  if (lists.length !== 1 || !list || list.length === 0) return null;
  const steps = list.map((one: unknown) =>
    isRecord(one) ? Object.values(one).find((part) => typeof part === 'string') : one,
  );
  return steps.every((one) => typeof one === 'string')
    ? steps.map((one) => one.trim()).filter((one) => one !== '')
    : null;
}
