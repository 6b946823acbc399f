import { append } from '../../lists.ts';
import { numbersInText } from './record-places.ts';
import type { RawPlace } from './scale.ts';

/** Calls in a text that are no program: `click(start_box='(79,115)')`, `left_click(79, 115, 1)` (M7). */

type FoundCall = { from: number; to: number; places: readonly [RawPlace] | readonly [RawPlace, RawPlace] };

/** Without their underscores and in small letters. */
const CLICKS = new Set(
  `click leftclick rightclick middleclick doubleclick tripleclick leftdouble leftsingle rightsingle tap touch longpress
  press moveto mousemove movemouse move hover mousedown mouseup scroll clickat leftclickat select dragto`.split(/\s+/),
);
const DRAGS = new Set('drag draganddrop dragdrop swipe leftclickdrag dragfromto slide mousedrag'.split(' '));
const NAME = /([A-Za-z_][\w.]{0,60})\(/g;
const LONGEST = 400;

export function callsIn(text: string): FoundCall[] {
  const found: FoundCall[] = [];
  let until = 0;
  for (const { 0: head, 1: name = '', index } of text.matchAll(NAME)) {
    if (index < until) continue;
    const short = name
      .slice(name.lastIndexOf('.') + 1)
      .replaceAll('_', '')
      .toLowerCase();
    const drags = DRAGS.has(short);
    if (!drags && !CLICKS.has(short)) continue;
    const from = index + head.length;
    const length = argumentsLength(text.slice(from, from + LONGEST));
    if (length === null) continue;
    const places = placesOf(text.slice(from, from + length), drags);
    if (!places) continue;
    until = from + length + 1;
    found.push({ from: index, to: until, places });
  }
  return found;
}

/** Each character outside of quotation marks, with the number of brackets that are open before it. */
function* unquoted(text: string): Generator<{ at: number; char: string; depth: number }> {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
      continue;
    }
    if (char === '"' || char === "'") {
      quote = char;
      continue;
    }
    yield { at, char, depth };
    if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth--;
  }
}

/** Up to the bracket that closes the call; null when none does. */
function argumentsLength(text: string): number | null {
  for (const { at, char, depth } of unquoted(text)) if (depth === 0 && (char === ')' || char === ']')) return at;
  return null;
}

/** `name=value` or a value, separated by commas outside of brackets and quotation marks. */
function placesOf(text: string, drags: boolean): FoundCall['places'] | null {
  const named = new Map<string, number[]>();
  const plain: number[] = [];
  for (const part of split(text)) {
    const [, name, value = ''] = /^\s{0,20}([A-Za-z_]\w{0,40})\s{0,9}=([\s\S]*)$/.exec(part) ?? [];
    const numbers = numbersInText((name === undefined ? part : value).replaceAll(/["']/g, ' '));
    if (!numbers || numbers.length === 0) continue;
    if (name === undefined) append(plain, numbers);
    else named.set(name.replaceAll('_', '').toLowerCase(), numbers);
  }
  const [start, end] = [anyOf(named, ['start', 'from', 'source']), anyOf(named, ['end', 'to', 'target', 'dest'])];
  if (start && end) return [start, end];
  const axes = (x: string, y: string): RawPlace | null => {
    const [column, row] = [named.get(x)?.[0], named.get(y)?.[0]];
    return column === undefined || row === undefined ? null : raw([column, row]);
  };
  const [first, second] = [axes('x1', 'y1') ?? axes('startx', 'starty'), axes('x2', 'y2') ?? axes('endx', 'endy')];
  if (first && second) return [first, second];
  const place = axes('x', 'y') ?? start ?? anyOf(named, ['coord', 'point', 'position', 'box', 'bbox', 'location']);
  if (place) return [place];
  if (drags && plain.length >= 4) return [raw(plain.slice(0, 2)), raw(plain.slice(2, 4))];
  return plain.length >= 2 && !drags ? [raw(plain.slice(0, 2))] : null;
}

/** `start`, `start_box`, `startPoint`: the first whose name begins so and that holds a place. */
function anyOf(named: ReadonlyMap<string, readonly number[]>, names: readonly string[]): RawPlace | null {
  for (const [key, numbers] of named) {
    if (!names.some((name) => key.startsWith(name))) continue;
    if (numbers.length === 2 || numbers.length === 4) return raw(numbers);
  }
  return null;
}

function split(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { at, char, depth } of unquoted(text)) {
    if (char !== ',' || depth !== 0) continue;
    parts.push(text.slice(from, at));
    from = at + 1;
  }
  return [...parts, text.slice(from)];
}

const raw = (numbers: readonly number[]): RawPlace => ({ numbers, scale: null });
