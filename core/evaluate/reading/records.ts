import { append } from '../../lists.ts';

/** JSON in a text: tool calls and records as models write them, found without trying every brace (M7). */

export type JsonRecord = Readonly<Record<string, unknown>>;
export type FoundJson = { from: number; to: number; value: unknown };

/** Longer than any call; what is longer holds pictures or nothing that we ask for. */
const LONGEST = 100_000;
const MOST_FOUND = 10_000;

/** Every record that is not part of another one, in their order. */
export function recordsIn(text: string): FoundJson[] {
  const found: FoundJson[] = [];
  for (const [from, to] of braces(text)) {
    if (to - from > LONGEST || found.length >= MOST_FOUND) continue;
    const value = looseJson(text.slice(from, to));
    if (isRecord(value)) found.push({ from, to, value });
  }
  return found;
}

/** The widest pairs of braces, in one pass: a brace that never closes hides nothing of what comes after it. */
function braces(text: string): [from: number, to: number][] {
  const open: number[] = [];
  const pairs: [number, number][] = [];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at++;
      // No text of JSON goes over a line; prose has single quotation marks.
      else if (char === '"' || char === '\n') quoted = false;
    } else if (char === '"') quoted = open.length > 0;
    else if (char === '{') open.push(at);
    else if (char === '}') {
      const from = open.pop();
      if (from === undefined) continue;
      // Whatever this pair holds is part of it.
      while (pairs.length > 0 && pairs.at(-1)![0] > from) pairs.pop();
      pairs.push([from, at + 1]);
    }
  }
  return pairs;
}

/** JSON, or the same as Python prints it; undefined when it is neither. */
export function looseJson(text: string): unknown {
  return parsed(text) ?? parsed(asJson(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const asJson = (text: string): string =>
  text
    .replaceAll("'", '"')
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
    .replace(/\bNone\b/g, 'null')
    .replace(/,\s{0,20}([}\]])/g, '$1')
    .replace(/([{,]\s{0,20})([A-Za-z_]\w{0,40})(\s{0,20}:)/g, '$1"$2"$3');

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a tool call keeps what is in it. */
const WRAPPERS = [
  ...['action', 'arguments', 'args', 'input', 'parameters', 'params', 'function', 'tool_call', 'tool_input'],
  ...['computer_call', 'computer', 'call', 'result', 'answer', 'response', 'output', 'prediction'],
];
const MOST_WRAPPED = 6;

/** A record and those that it wraps (a call in a message, its arguments in a call), the outermost first. */
export function unwrapped(record: JsonRecord): JsonRecord[] {
  const records = [record];
  for (let level = [record], depth = 0; level.length > 0 && depth < MOST_WRAPPED; depth++) {
    level = level.flatMap((one) =>
      WRAPPERS.flatMap((name) => {
        const inner = field(one, name);
        const value = typeof inner === 'string' && inner.length < LONGEST ? parsed(inner) : inner;
        return isRecord(value) ? [value] : [];
      }),
    );
    append(records, level);
  }
  return records;
}

/** A record's own field; names of every object's parts are none. */
export const field = (record: JsonRecord, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;
