/** Takes a key out of what a server wrote: some repeat the one that they refuse, whole or in part, in a writing of their own. */

/** A server without keys takes any word for one ("none", "EMPTY"), and an answer may well say it; no secret is so short. */
export const SHORTEST_SECRET = 8;

/** So much of a key's beginning is a secret, too, where a text breaks off in the middle of it, or its sender cut it. */
const SHORTEST_PART = 12;
const HIDDEN = '***';

/** The text with `***` in the place of the key and of each longer beginning of it. */
export function hidden(text: string, key: string | null): string {
  // White space at its ends never travels: the request's header has none.
  const bare = key?.trim() ?? '';
  if (bare === '') return text;
  return [bare, ...inBase64(bare)].reduce(withoutWriting, text);
}

/** Each character of the writing may stand as it is, or as JSON, an address or HTML write it. */
function withoutWriting(text: string, writing: string): string {
  const ways = [...writing].map(waysOf);
  const begin = new RegExp(ways.slice(0, SHORTEST_PART).join(''), 'gu');
  const rest = ways.slice(SHORTEST_PART).map((way) => new RegExp(way, 'uy'));
  let left = '';
  let from = 0;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    left += text.slice(from, found.index) + HIDDEN;
    from = begin.lastIndex;
    for (const one of rest) {
      one.lastIndex = from;
      if (!one.test(text)) break;
      from = one.lastIndex;
    }
    begin.lastIndex = from;
  }
  return left + text.slice(from);
}

const HTML_NAMES = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
]);

/** An expression of all the ways in which a character may stand in a text. */
function waysOf(character: string): string {
  const code = character.codePointAt(0)!; // It is one character.
  const literal = character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
  const name = HTML_NAMES.get(character);
  const units = Array.from({ length: character.length }, (_, i) => hexOf(character.charCodeAt(i), 4));
  // The longest first: "&" begins what HTML makes of it.
  const ways = [
    units.map((unit) => String.raw`\\u${unit}`).join(''),
    [...Buffer.from(character)].map((byte) => `%${hexOf(byte, 2)}`).join(''),
    `&#0{0,5}${code};`,
    `&#[xX]0{0,5}${hexOf(code, 1)};`,
    ...(name === undefined ? [] : [`&${name};`]),
    // JSON puts a backslash before some, PHP's also before "/".
    /[\\"'/]/.test(character) ? String.raw`\\?${literal}` : literal,
  ];
  return `(?:${ways.join('|')})`;
}

/** A number's hexadecimal digits, capital or not. */
const hexOf = (value: number, digits: number): string =>
  value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** A key in base64, alone and behind something else ("user:key"): of its letters those that are the key's own. */
function inBase64(key: string): string[] {
  const bytes = Buffer.from(key);
  const behind = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const ends = (before + bytes.length) % 3 === 0;
    return text.slice(before === 0 ? 0 : before + 1, ends ? undefined : -1);
  });
  const long = behind.filter((text) => text.length >= SHORTEST_PART);
  const plain = long.map((text) => text.replaceAll('-', '+').replaceAll('_', '/'));
  return [...new Set([bytes.toString('base64'), ...long, ...plain])];
}
