import { fencesIn } from '../keys/fences.ts';
import { traceProgram } from '../keys/run.ts';
import { CodeError } from '../keys/tokens.ts';
import { answerPart, markedAnswer, plainSigns } from './answer-part.ts';
import { callsIn } from './calls.ts';
import { isBarePoint, numbersInText, placeOfValue, placesOfRecord } from './record-places.ts';
import { isRecord, recordsIn } from './records.ts';
import type { CoordinateScale, RawPlace } from './scale.ts';
import { type PlaceNumbers, placesOfActs, readActs } from './tool-acts.ts';

/** Positions in answers as models write them (M7; the table of forms is forms.ts). Each look at a text is one pass. */

/** One place, or both ends of a drag, and the stretch of the text where it stands. */
export type FoundPlaces = {
  from: number;
  to: number;
  places: readonly [RawPlace] | readonly [RawPlace, RawPlace];
  strong: boolean;
};

type Size = { width: number; height: number };

const NUM = String.raw`[\s"']{0,9}(-?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20}))(?:\s{0,2}(?:px|pixels?|像素|%))?[\s"']{0,9}`;
const list = (open: string, close: string, count: number): string =>
  `${open}${Array.from({ length: count }, () => NUM).join(',')}${close}`;
const nested = (open: string, close: string): string =>
  String.raw`${open}\s{0,9}${list(open, close, 2)}\s{0,9},\s{0,9}${list(open, close, 2)}\s{0,9}${close}`;
const brackets = (open: string, close: string): RegExp =>
  new RegExp([nested(open, close), list(open, close, 4), list(open, close, 2)].join('|'), 'g');
/** The scale that the prompts ask for. */
const SQUARE = brackets(String.raw`\[`, String.raw`\]`);
const ROUND = brackets(String.raw`\(`, String.raw`\)`);
const UNIT = String.raw`(?:\s{0,2}(?:px|pixels?|像素|%))?`;
const AXIS = (names: string): string =>
  String.raw`(?:${names})\*{0,2}\s{0,4}[=:为是]\s{0,4}\*{0,2}\s{0,4}["']?(-?\d{1,9}(?:\.\d{0,20})?)${UNIT}`;
const LABELLED = new RegExp(
  String.raw`${AXIS(String.raw`\bx|横坐标|\bx坐标`)}["']?[\s,;|*。-]{1,9}(?:and\s{1,4})?\**${AXIS('y|纵坐标|y坐标')}`,
  'gi',
);
const NUMBERS_ONLY = new RegExp(
  `^[\\s*\`"']{0,9}${NUM}(?:[,;]|\\s)${NUM}(?:(?:[,;]|\\s|[-=]*>|→|\\bto\\b)${NUM}(?:[,;]|\\s)${NUM})?[\\s.*\`"']{0,9}$`,
  'i',
);

/** Tags whose content is a position; Molmo's hold it in their attributes, in parts of a hundred. */
const TAGS =
  /<(points?|box|bbox|bounding_box|coordinates?|click|position|location|loc)((?:\s[^<>]{0,200})?)>([^<]{0,200})<\/\1>/gi;
const TOKENS = /<\|(box|point|bbox)_start\|>([^<]{0,200})<\|\1_end\|>/gi;
const ATTRIBUTES = /\b([xy])(\d{0,2})\s{0,3}=\s{0,3}["']?(-?\d{1,9}(?:\.\d{0,20})?)/gi;

/** Everything in a text that names a place, in its order; what stands inside of something larger is part of it. */
function foundPlaces(text: string, size: Size | null): FoundPlaces[] {
  const found = [...programs(text, size), ...records(text), ...tags(text), ...calls(text), ...plain(text)].sort(
    (a, b) => a.from - b.from || b.to - a.to,
  );
  // What a record holds whose own meaning is not known is none (`whyNoPlace`).
  const unclear = recordsIn(text).filter(({ value }) => isRecord(value) && isBarePoint(value));
  const kept: FoundPlaces[] = [];
  for (const one of found)
    if (!unclear.some(({ from, to }) => one.from >= from && one.to <= to) && one.from >= (kept.at(-1)?.to ?? 0))
      kept.push(one);
  return kept;
}

function* programs(text: string, size: Size | null): Generator<FoundPlaces> {
  const blocks = fencesIn(text);
  const whole = blocks.length === 0 && /\bpyautogui\b/.test(text) ? [{ from: 0, to: text.length, code: text }] : [];
  for (const { from, to, code } of [...blocks, ...whole]) {
    if (!/\bpyautogui\b|\bmoveTo\b|\bclick\b/i.test(code)) continue;
    const gesture = gestureOf(code, size);
    if (gesture) yield { from, to, places: gesture, strong: true };
  }
}

function gestureOf(code: string, size: Size | null): FoundPlaces['places'] | null {
  try {
    const screen = size ? ([size.width, size.height] as const) : null;
    const gesture = traceProgram(code, { mouseCalls: 'ignored', screen }).gestures.at(-1);
    if (!gesture) return null;
    if (gesture.kind === 'drag') return [raw(gesture.from), raw(gesture.to)];
    return [raw(gesture.at)];
  } catch (error) {
    // No program of our language: its calls are read one by one.
    if (error instanceof CodeError) return null;
    throw error;
  }
}

function* records(text: string): Generator<FoundPlaces> {
  for (const { from, to, value } of recordsIn(text)) {
    const places = isRecord(value) ? placesOfRecord(value) : null;
    if (places) yield { from, to, places, strong: true };
  }
}

function* tags(text: string): Generator<FoundPlaces> {
  for (const match of text.matchAll(TAGS)) {
    const at = { from: match.index, to: match.index + match[0].length, strong: true };
    const [, name = '', attributes = '', content = ''] = match;
    const inside = [...attributes.matchAll(ATTRIBUTES)].map(([, , , value]) => Number(value));
    if (inside.length >= 4) yield { ...at, places: [raw(inside.slice(0, 2), '0-100'), raw(inside.slice(-2), '0-100')] };
    else if (inside.length === 2) yield { ...at, places: [raw(inside, '0-100')] };
    else {
      const numbers = numbersInText(content);
      const scale = name.toLowerCase() === 'box' ? '0-1000' : null;
      const [top, left, bottom, right] = numbers ?? [];
      // Nova's box has no brackets and begins with its rows; Qwen-VL's has two places in brackets.
      const isNova = scale !== null && !/[([]/.test(content);
      if (isNova && bottom !== undefined && right !== undefined && numbers?.length === 4)
        yield { ...at, places: [raw([left!, top!, right, bottom], scale)] };
      else if (numbers?.length === 2 || numbers?.length === 4) yield { ...at, places: [raw(numbers, scale)] };
    }
  }
  for (const match of text.matchAll(TOKENS)) {
    const numbers = numbersInText(match[2]!);
    if (numbers?.length !== 2 && numbers?.length !== 4) continue;
    yield { from: match.index, to: match.index + match[0].length, places: [raw(numbers)], strong: true };
  }
}

function* calls(text: string): Generator<FoundPlaces> {
  for (const { from, to, places } of callsIn(text)) yield { from, to, places, strong: true };
}

function* plain(text: string): Generator<FoundPlaces> {
  for (const [pattern, strong] of [
    [SQUARE, true],
    [ROUND, false],
    [LABELLED, false],
  ] as const) {
    for (const match of text.matchAll(pattern)) {
      const numbers = match.slice(1).flatMap((one) => (one === undefined ? [] : [Number(one)]));
      const scale = match[0].includes('%') ? '0-100' : null;
      yield { from: match.index, to: match.index + match[0].length, places: [raw(numbers, scale)], strong };
    }
  }
  yield* tables(text);
  const bare = text.length < 200 ? NUMBERS_ONLY.exec(text) : null;
  if (!bare) return;
  const numbers = bare.slice(1).flatMap((one) => (one === undefined ? [] : [Number(one)]));
  yield { from: 0, to: text.length, places: [raw(numbers, bare[0].includes('%') ? '0-100' : null)], strong: false };
}

const TABLE = /^([^\n]{1,300})\n[ \t]{0,9}\|?[ \t:|-]{3,200}\n([^\n]{1,300})/gm;

/** The word of a head's cell, without marks and without what stands in brackets at its end: `**X** (px)` is x. */
function columnName(cell: string): string {
  const plain = cell.replace(/[*`\s]/g, '').toLowerCase();
  const bracket = plain.endsWith(')') ? plain.indexOf('(') : -1;
  return bracket < 0 ? plain : plain.slice(0, bracket);
}

/** A table of Markdown with columns x and y: its first row. */
function* tables(text: string): Generator<FoundPlaces> {
  if (!text.includes('|')) return;
  for (const match of text.matchAll(TABLE)) {
    const [head, row] = [match[1]!, match[2]!].map((line) => line.replace(/^\s{0,9}\|/, '').split('|'));
    const at = (name: string): number => head!.findIndex((cell) => columnName(cell) === name);
    const [column, line] = [at('x'), at('y')];
    const numbers = [row![column], row![line]].map(
      (cell) => /^[\s*`]{0,9}(-?\d{1,9}(?:\.\d{1,20})?)/.exec(cell ?? '')?.[1],
    );
    if (column < 0 || line < 0 || numbers[0] === undefined || numbers[1] === undefined) continue;
    yield { from: match.index, to: match.index + match[0].length, places: [raw(numbers.map(Number))], strong: true };
  }
}

const raw = (numbers: readonly number[], scale: CoordinateScale | null = null): RawPlace => ({ numbers, scale });

type Answered = { found: FoundPlaces[]; refused: FoundPlaces[]; text: string };

/** The answer's places: all of them, and where it says itself that the answer begins. What is none is taken out (`refused`). */
function answered(answer: unknown, size: Size | null): Answered {
  const { found, text } = written(answer, size);
  const isPlace = ({ places }: FoundPlaces): boolean => !places.some((place) => noPlace(place, size));
  return { found: found.filter(isPlace), refused: found.filter((one) => !isPlace(one)), text };
}

function written(answer: unknown, size: Size | null): { found: FoundPlaces[]; text: string } {
  const calls = readActs(typeof answer === 'string' ? answerPart(answer) : answer);
  const acted = calls ? placesOfActs(calls.acts) : [];
  if (calls && acted.length > 0) {
    const scaled = (numbers: PlaceNumbers): RawPlace => raw(numbers, calls.scale);
    const found = acted.map(([start, end], i): FoundPlaces => {
      const places = end ? ([scaled(start), scaled(end)] as const) : ([scaled(start)] as const);
      return { from: i, to: i, places, strong: true };
    });
    return { found, text: '' };
  }
  if (typeof answer === 'string') {
    const text = joinThousands(plainSigns(answerPart(answer)), size);
    const marker = markedAnswer(text);
    const all = withoutOthers(foundPlaces(text, size), text);
    const marked = marker === null ? [] : all.filter(({ from }) => from >= marker);
    if (marked.length > 0) return { found: marked, text };
    const rest = marker === null ? null : NUMBERS_ONLY.exec(text.slice(marker, marker + 200));
    if (rest) {
      const numbers = rest.slice(1).flatMap((one) => (one === undefined ? [] : [Number(one)]));
      return { found: [{ from: 0, to: text.length, places: [raw(numbers)], strong: true }], text };
    }
    return { found: all, text };
  }
  const values = Array.isArray(answer) && answer.some(isRecord) ? answer.slice(0, 100) : [answer];
  const found = values.flatMap((value, i): FoundPlaces[] => {
    const one = isRecord(value) && 'point' in value ? null : placeOfValue(value);
    const places = one ? ([one] as const) : isRecord(value) ? placesOfRecord(value) : null;
    return places ? [{ from: i, to: i, places, strong: true }] : [];
  });
  return { found, text: '' };
}

/** Says that what follows is not the answer but what else it might be. */
const OTHERS =
  /\b(?:alternatives\b|alternative\s{0,3}:|otherwise\b|other (?:candidates|options|guesses)\b|second (?:best|choice|guess)\b|runner-up\b|fallback\b)|备选/i;
/** Right before a place: it is named so as not to be taken. */
const DENIED =
  /(?:\bnot|\brather than|\binstead of|\bunlike|\bavoid|\bexcept|不是|而不是)(?:\s{1,4}(?:at|in|on|to|the|a|an|its|icon|button|one|element|position|point|menu|other)){0,5}[\s"'`*(]{0,4}$/i;
/** Right before what looks like a place: a year and a month. */
const DATED = /\b(?:as of|since|until|dated|updated|effective|stand)\s{0,4}$/i;
const LOOKED_BACK = 60;

function withoutOthers(found: readonly FoundPlaces[], text: string): FoundPlaces[] {
  const others = OTHERS.exec(text)?.index ?? Number.POSITIVE_INFINITY;
  const before = (from: number): string => text.slice(Math.max(0, from - LOOKED_BACK), from);
  const kept = found.filter(
    ({ from, places: [place] }) => !DENIED.test(before(from)) && !(isMonth(place) && DATED.test(before(from))),
  );
  // Only where something was said before.
  return kept.some(({ from }) => from < others) ? kept.filter(({ from }) => from < others) : kept;
}

const isMonth = ({ numbers: [year = 0, month = 0, more] }: RawPlace): boolean =>
  more === undefined &&
  Number.isInteger(year) &&
  year > 1900 &&
  year < 2100 &&
  Number.isInteger(month) &&
  month > 0 &&
  month < 13;

const THOUSANDS = /([([]\s{0,4})(\d{1,2},\d{3}|\d{1,3})\s{0,4},\s{1,4}(\d{1,2},\d{3}|\d{1,3})(?=\s{0,4}[)\]])/g;
const LARGEST_SIDE = 32_767;

/** `(1,888, 1,040)`: a blank parts the numbers and none their thousands. */
function joinThousands(text: string, size: Size | null): string {
  const most = size ? Math.max(size.width, size.height) : LARGEST_SIDE;
  return text.replace(THOUSANDS, (whole, open: string, x: string, y: string) => {
    if (!x.includes(',') && !y.includes(',')) return whole;
    const [column, row] = [x, y].map((one) => one.replace(',', ''));
    return Number(column) <= most && Number(row) <= most ? `${open}${column}, ${row}` : whole;
  });
}

/** Why what stands there is no place; null when it is one. */
function noPlace(place: RawPlace, size: Size | null): string | null {
  const [a, b, c, d] = place.numbers;
  if (size !== null && c === undefined && a === size.width && b === size.height)
    return 'It repeats the size of the picture.';
  if (c === undefined || d === undefined || a === undefined || b === undefined) return null;
  // A box without an extent is a point, also on a picture of a pixel or two.
  if (a === c && b === d) return null;
  const near = (value: number, side: number): boolean => value >= side - 1 && value <= side;
  const whole = (width: number, height: number): boolean =>
    a <= 1 && b <= 1 && a >= 0 && b >= 0 && near(c, width) && near(d, height);
  const isWhole = (size !== null && whole(size.width, size.height)) || whole(1000, 1000);
  return isWhole ? 'It names a box of the whole picture, which is no position.' : null;
}

/** Why an answer names no position, where more can be said than that. */
export function whyNoPlace(answer: unknown, size: Size | null): string | null {
  const { found } = written(answer, size);
  for (const { places } of found)
    for (const place of places) {
      const why = noPlace(place, size);
      if (why) return why;
    }
  if (found.length > 0) return null;
  const values: unknown[] =
    typeof answer === 'string' ? recordsIn(answerPart(answer)).map(({ value }) => value) : [answer].flat();
  if (values.some((value) => isRecord(value) && isBarePoint(value)))
    return 'Its point is [x, y] to some models and [y, x] to others, and nothing in it says which: ask for x and y by name.';
  if (typeof answer === 'string' && foundPlaces(answer, size).some(({ places: [place] }) => isMonth(place)))
    return 'It names a date and no position.';
  return null;
}

/** The place of a click: the last that is written as a place must be, else the last of any. */
export function clickPlace(answer: unknown, size: Size | null): RawPlace | null {
  const { found, text } = answered(answer, size);
  const marker = text === '' ? null : markedAnswer(text);
  const marked = marker !== null && found[0] !== undefined && found[0].from >= marker;
  const single = found.filter(({ places }) => places.length === 1);
  const usable = single.length > 0 ? single : found;
  const strong = usable.filter((one) => one.strong);
  const choice = strong.length > 0 ? strong : usable;
  const chosen = marked ? choice[0] : choice.at(-1);
  if (!chosen) return null;
  const [first, second] = chosen.places;
  // Two ends are the corners of a box.
  return second ? raw([...first.numbers.slice(0, 2), ...second.numbers.slice(0, 2)], first.scale) : first;
}

/** Between the two ends of a drag. */
const JOINT = /^[\s"'`*.)\]]*(?:-+>|=+>|→|⟶|➔|-|–|—|to|and|then|until)[\s"'`*([]*$/i;
const LONGEST_JOINT = 40;

/** Both ends: the last that are written as one, else the last that an arrow joins, else the only two. */
export function dragPlaces(answer: unknown, size: Size | null): [RawPlace, RawPlace] | null {
  const { found, refused, text } = answered(answer, size);
  const pair = found.findLast(({ places }) => places.length === 2)?.places;
  if (pair?.[1]) return [pair[0], pair[1]];
  const joined = (i: number): boolean => {
    const [one, next] = [found[i], found[i + 1]];
    if (!one || !next || next.from - one.to > LONGEST_JOINT) return false;
    return JOINT.test(text.slice(one.to, next.from));
  };
  for (let last = found.length - 1; last > 0; last--) {
    if (!joined(last - 1)) continue;
    // A way of several stations goes from its first to its last.
    let first = last - 1;
    while (first > 0 && joined(first - 1)) first--;
    return [found[first]!.places[0], found[last]!.places[0]];
  }
  const strong = found.filter((one) => one.strong);
  const all = strong.length >= 1 ? strong : found;
  if (all.length === 2) return [all[0]!.places[0], all[1]!.places[0]];
  // From corner to corner the whole picture is no box but a drag, where nothing else is written.
  const [only, ...more] = all.length > 0 ? all : refused;
  return only && more.length === 0 ? ends(only.places[0]) : null;
}

/** Four numbers alone are two positions. */
function ends({ numbers, scale }: RawPlace): [RawPlace, RawPlace] | null {
  return numbers.length === 4 ? [raw(numbers.slice(0, 2), scale), raw(numbers.slice(2), scale)] : null;
}
