import { LETTERS, type Letter, type Prediction } from '../../schemas/questions.ts';
import type { PointOrBox } from './position.ts';

/** Reads an answer in the formats that the prompts ask for (M7): videogui.txt tables 18 to 28. */

const NUMBER = String.raw`\s*(-?\d+(?:\.\d+)?)\s*`;
/** `[x, y]` or `[x1, y1, x2, y2]`; also `[[x1, y1], [x2, y2]]`, as table 22 writes boxes. */
const POINT = String.raw`\[${NUMBER},${NUMBER}\]`;
const BOX = String.raw`\[${NUMBER},${NUMBER},${NUMBER},${NUMBER}\]`;
const NESTED = String.raw`\[\s*${POINT}\s*,\s*${POINT}\s*\]`;
const ANY_PLACE = new RegExp(`${BOX}|${NESTED}|${POINT}`, 'g');
const FIRST_BOX = new RegExp(`${BOX}|${NESTED}`);
const ANY_POINT = new RegExp(POINT, 'g');
/** Between the two ends of a drag: `->`, `→`, `-` and their kin, or `to`. */
const ARROW = /^[\s"'`*]*(?:-+>|=+>|→|⟶|➔|-|–|—|to)[\s"'`*]*$/i;

type Answer = Prediction['prediction'];
type Size = { width: number; height: number };

/** The place that a click's answer names: the first box in it, else the first position; null when it names none. */
export function readClick(answer: Answer, size: Size | null = null): PointOrBox | null {
  if (typeof answer === 'string') {
    const box = FIRST_BOX.exec(answer);
    if (box) return placeOf(box);
    for (const match of answer.matchAll(ANY_POINT)) {
      const place = placeOf(match);
      // The prompt's own resolution, repeated.
      if (size === null || place[0] !== size.width || place[1] !== size.height) return place;
    }
    return null;
  }
  const numbers = numbersOf(answer);
  return numbers && (numbers.length === 2 || numbers.length === 4) ? asPlace(numbers) : null;
}

/** Both ends of a drag; null when two places joined by an arrow do not stand in it. */
export function readDrag(answer: Answer): [PointOrBox, PointOrBox] | null {
  if (typeof answer !== 'string') return dragOfNumbers(answer);
  const places = [...answer.matchAll(ANY_PLACE)];
  for (const [i, match] of places.entries()) {
    const next = places[i + 1];
    if (next && ARROW.test(answer.slice(match.index + match[0].length, next.index))) {
      return [placeOf(match), placeOf(next)];
    }
    const ends = NESTED_ENDS.exec(match[0]);
    // A box written as two corners is two positions too, but only when nothing else is there to read.
    if (ends && places.length === 1) return [asPlace([+ends[1]!, +ends[2]!]), asPlace([+ends[3]!, +ends[4]!])];
  }
  return null;
}
const NESTED_ENDS = new RegExp(`^${NESTED}$`);

/** `[n]`, anywhere; two different marks are no answer (M26). As numbers: `[n]`. */
export function readMark(answer: Answer): number | null {
  if (Array.isArray(answer)) return markOfNumbers(answer);
  if (typeof answer !== 'string') return null;
  const found = new Set([...answer.matchAll(ANY_MARK)].map((match) => Number(match[1])));
  const [mark] = found;
  return found.size === 1 && mark !== undefined ? mark : null;
}

/** Both marks of a drag, the first two with an arrow between: `[n] -> [m]`; null when there are none (M26). */
export function readMarks(answer: Answer): [number, number] | null {
  if (Array.isArray(answer)) {
    const [start, end] = answer.map((one) => (Array.isArray(one) ? markOfNumbers(one) : markOfNumbers([one])));
    return answer.length === 2 && start != null && end != null ? [start, end] : null;
  }
  if (typeof answer !== 'string') return null;
  const marks = [...answer.matchAll(ANY_MARK)];
  for (const [i, match] of marks.entries()) {
    const next = marks[i + 1];
    if (next && ARROW.test(answer.slice(match.index + match[0].length, next.index))) {
      return [Number(match[1]), Number(next[1])];
    }
  }
  return null;
}
const ANY_MARK = /\[\s*(\d{1,6})\s*\]/g;

function markOfNumbers(answer: readonly unknown[]): number | null {
  const [mark] = answer;
  return answer.length === 1 && typeof mark === 'number' && Number.isSafeInteger(mark) ? mark : null;
}

/** `[A]`, any case, anywhere; two different letters are no answer (M8). */
export function readOption(answer: Answer): Letter | null {
  if (typeof answer !== 'string') return null;
  const found = new Set([...answer.matchAll(/\[\s*([ABC])\s*\]/gi)].map((match) => match[1]!.toUpperCase()));
  if (found.size !== 1) return null;
  return LETTERS.find((letter) => found.has(letter)) ?? null;
}

/** The steps of a plan: numbered or bulleted lines (tables 18, 19: `1: …`, `1. …`, `3.: …`), else every line (M13). */
export function readSteps(answer: Answer): string[] | null {
  if (Array.isArray(answer)) {
    const steps = answer.filter((step) => typeof step === 'string').map((step) => step.trim());
    return answer.length > 0 && steps.length === answer.length ? steps.filter((step) => step !== '') : null;
  }
  if (typeof answer !== 'string') return null;
  const lines = answer.split(/\r?\n/).map((line) => line.trim());
  const marked = lines.flatMap((line) => {
    const step = stepOf(line);
    return step === '' ? [] : [step];
  });
  const steps = marked.length > 0 ? marked : lines.filter((line) => line !== '' && !line.startsWith('```'));
  return steps.length > 0 ? steps : null;
}

/** Longer than any mark of a step, and than anything that stands between `[score]` and its number. */
const LONGEST_MARK = 100;

/** `1.`, `1:`, `1)`, `(1)`, `1、`, `Step 1:`, `**Step 1**:`; digits may be wide. */
const NUMBERED =
  /^(?:[([（]\s{0,3})?(?:step\s{0,9})?[\d０-９]{1,3}\s{0,9}(?:\*\*|__)?\s{0,3}(?:\.\s{0,9}:|[.:)\]、．：）])/i;

/** The text of a line that is numbered or bulleted; '' when it is not, or has none. */
function stepOf(line: string): string {
  // Each part is taken off by itself: one expression for all of them would try every way to share signs between them.
  const bare = line.replace(/^[*_#\s]+/, '');
  const number = NUMBERED.exec(bare.slice(0, LONGEST_MARK))?.[0];
  // A bullet may be one of the signs that were taken off.
  const starred = line.slice(0, line.length - bare.length).includes('*');
  const bullet = /^[-•]/.exec(bare)?.[0] ?? (starred ? '' : undefined);
  const mark = number ?? bullet;
  if (mark === undefined) return '';
  return bare
    .slice(mark.length)
    .replace(/^[*_\s]+/, '')
    .replaceAll('**', '')
    .trim();
}

/** Behind a number: the rest of a fraction or of a range, or another scale than 0 to 5. */
const OTHERWISE = /^(?:[,–-]\d|\s{0,3}\/(?!\s{0,3}5(?![.,]?\d)))/;

/** The last `[score]: x` of a critic's answer (table 28), 0 to 5; null when there is none or it is outside (M16). */
export function readScore(answer: string): number | null {
  let score: number | null = null;
  for (const { index } of answer.matchAll(/\[score\]/gi)) {
    const after = answer.slice(index + '[score]'.length, index + 2 * LONGEST_MARK);
    const said = after.replace(/^[\s*]*:?[\s*]*\[?\s*/, '');
    const number = /^-?\d{1,9}(?:\.\d{1,20})?/.exec(said)?.[0];
    if (number === undefined) continue;
    // "4,5" and "4-5" are no 4, and "4/10" is none of 5.
    score = OTHERWISE.test(said.slice(number.length)) ? Number.NaN : Number(number);
  }
  return score !== null && score >= 0 && score <= 5 ? score : null;
}

/** The text after `[comment]:`, up to the score. */
export function readComment(answer: string): string {
  const start = /\[comment\]/i.exec(answer);
  if (!start) return '';
  const rest = answer.slice(start.index + start[0].length);
  const end = rest.search(/\[score\]/i);
  return (end < 0 ? rest : rest.slice(0, end)).replace(/^[\s*]*:?/, '').trim();
}

function placeOf(match: RegExpMatchArray): PointOrBox {
  return asPlace(
    match
      .slice(1)
      .filter((group) => group !== undefined)
      .map(Number),
  );
}

function asPlace(numbers: readonly number[]): PointOrBox {
  const [a, b, c, d] = numbers;
  // Two or four of them, as the callers' patterns and checks say.
  return c === undefined || d === undefined ? [a!, b!] : [a!, b!, c, d];
}

function numbersOf(answer: Answer): number[] | null {
  if (!Array.isArray(answer)) return null;
  const numbers: unknown[] = answer.flat();
  return numbers.every((one) => typeof one === 'number' && Number.isFinite(one)) ? (numbers as number[]) : null; // All are numbers.
}

/** `[x1, y1, x2, y2]`, or two places. */
function dragOfNumbers(answer: Answer): [PointOrBox, PointOrBox] | null {
  if (!Array.isArray(answer)) return null;
  if (answer.length === 2) {
    const ends = answer.map((end) => (Array.isArray(end) ? readClick(end) : null));
    return ends[0] && ends[1] ? [ends[0], ends[1]] : null;
  }
  const numbers = answer.length === 4 ? numbersOf(answer) : null;
  return numbers && numbers.length === 4 ? [asPlace(numbers.slice(0, 2)), asPlace(numbers.slice(2))] : null;
}
