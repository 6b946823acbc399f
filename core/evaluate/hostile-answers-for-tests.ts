import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import type { Truth } from '../../schemas/questions.ts';
import { caseOf } from './case-for-tests.ts';
import { readCritic } from './critic.ts';
import { scoreKeys } from './keys/score.ts';
import { scoreCase } from './score-case.ts';

/** Answers that are made to be hard to read: each kind of question with texts of any length that once cost more than their length. */

export const TRUTHS: Readonly<Record<Truth['kind'], Truth>> = {
  click: { kind: 'click', point: [79, 115], width: 1280, height: 720 },
  drag: { kind: 'drag', start: [79, 115], end: [300, 200], width: 1280, height: 720 },
  scroll: { kind: 'scroll', answer: 'down', order: ['none', 'down', 'up'] },
  keys: { kind: 'keys', keys: ['ctrl', 'z'] },
  mid: { kind: 'mid', steps: ['Click File', 'Save it'] },
  high: { kind: 'high', steps: ['Click File', 'Save it'] },
};

/** `text(n)`: about n characters. */
const TEXTS: readonly [name: string, text: (n: number) => string][] = [
  ['blanks', (n) => ' '.repeat(n)],
  ['line ends', (n) => '\n'.repeat(n)],
  ['stars before a line separator', (n) => `${'*'.repeat(n)}\u2028x`],
  ['opening brackets', (n) => '['.repeat(n)],
  ['opening brackets with blanks', (n) => '[ '.repeat(n / 2)],
  ['a bracket and blanks', (n) => `[${' '.repeat(n)}`],
  ['round brackets', (n) => '(1,'.repeat(n / 3)],
  ['digits', (n) => `[${'1'.repeat(n)}`],
  ['numbers with points', (n) => '1.'.repeat(n / 2)],
  ['positions', (n) => '[1, 2] '.repeat(n / 7)],
  ['positions and dashes', (n) => `[1, 2]${'-'.repeat(n)}[3, 4]`],
  ['positions and blanks', (n) => `[1, 2]${' '.repeat(n)}x[3, 4]`],
  ['braces', (n) => '{'.repeat(n)],
  ['braces that close', (n) => '{"a":'.repeat(n / 6) + '}'.repeat(n / 6)],
  ['records', (n) => '{"x":1,"y":2}'.repeat(n / 13)],
  ['quotes', (n) => `{${'"'.repeat(n)}`],
  ['thoughts within thoughts', (n) => '<think>'.repeat(n / 7)],
  ['thoughts that end', (n) => '</think>'.repeat(n / 8)],
  ['tags that do not end', (n) => '<'.repeat(n)],
  ['tags of points', (n) => '<point '.repeat(n / 7)],
  ['ends of boxes', (n) => '<|box_start|>('.repeat(n / 14)],
  ['answers', (n) => 'answer: '.repeat(n / 8)],
  ['letters', (n) => '[A][B]'.repeat(n / 6)],
  ['equations', (n) => 'x='.repeat(n / 2)],
  ['calls', (n) => 'click('.repeat(n / 6)],
  ['scores', (n) => `[score]${' '.repeat(n)}`],
  ['many scores', (n) => '[score] * '.repeat(n / 10)],
  ['comments', (n) => '[comment]: '.repeat(n / 11)],
  ['fences', (n) => '```'.repeat(n / 3)],
  ['a sum without end', (n) => `\`\`\`python\nx = ${'1+'.repeat(n / 2)}1\n\`\`\``],
  ['lists added up', (n) => `x = ${'[1]+'.repeat(n / 4)}[1]`],
  ['members without end', (n) => `pyautogui${'.a'.repeat(n / 2)}`],
  ['calls of calls', (n) => `pyautogui.press${'()'.repeat(n / 2)}`],
  ['loops in one line', (n) => `${'for a in "a": '.repeat(n / 14)}pass`],
  ['lists in a loop', (n) => `for i in range(19000): x = [${'1,'.repeat(n / 2)}]`],
  ['a list that holds itself', (n) => `x = [1, 2]\n${'x = [x, x]\n'.repeat(n / 11)}pyautogui.click(x)`],
  ['signs', (n) => `x = ${'-'.repeat(n)}1`],
  ['tabs', (n) => '\t'.repeat(n)],
  ['a hotkey of many names', (n) => 'ctrl+'.repeat(n / 5)],
  ['steps', (n) => '1. a\n'.repeat(n / 5)],
  ['one long step', (n) => `1. ${'a '.repeat(n / 2)}`],
];

export type HostileAnswer = { name: string; make: (n: number) => unknown; read: (answer: unknown) => unknown };

/** Reads an answer for every kind of question, also with marks and by the strict reading of the paper. */
function readAll(answer: unknown): void {
  for (const truth of Object.values(TRUTHS)) {
    for (const answerForms of ['any', 'paper'] as const) {
      scoreCase(caseOf(truth), answer, { ...DEFAULT_OPTIONS, answerForms });
    }
  }
  scoreCase(caseOf(TRUTHS.drag, { marks: [[0, 0, 9, 9]] }), answer, DEFAULT_OPTIONS);
  if (typeof answer === 'string') readCritic(answer);
}

export const HOSTILE_ANSWERS: readonly HostileAnswer[] = TEXTS.map(([name, make]) => ({ name, make, read: readAll }));

/** Values that are no text. */
const VALUES: readonly [name: string, make: (n: number) => unknown][] = [
  ['lists within lists', (n) => JSON.parse('['.repeat(n) + ']'.repeat(n))],
  ['records within records', (n) => JSON.parse(`${'{"a":'.repeat(n)}1${'}'.repeat(n)}`)],
  ['many keys', (n) => Array.from({ length: n }, () => 'a')],
  ['many names', (n) => Array.from({ length: n }, (_, i) => `constructor${i}`)],
  ['many numbers', (n) => Array.from({ length: n }, (_, i) => i)],
  ['many positions', (n) => Array.from({ length: n }, (_, i) => [i, i])],
];
export const HOSTILE_VALUES: readonly HostileAnswer[] = VALUES.map(([name, make]) => ({ name, make, read: readAll }));

/** Keys whose comparison once took the product of both lengths. */
export const HOSTILE_KEYS: HostileAnswer = {
  name: 'keys: nearly the truth, again and again',
  make: (n) => Array.from({ length: n }, () => 'a'),
  // Both lists grow; each is a list of `n` names.
  read: (answer) => scoreKeys([...(answer as string[]).slice(1), 'b'], answer as string[], 'contained'), // As `make` gives it.
};
