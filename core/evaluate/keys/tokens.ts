/** Python's tokens, as far as the small language of calls needs them (M10). Nothing is ever run. */

export type Token = {
  kind: 'name' | 'number' | 'string' | 'sign' | 'newline' | 'indent' | 'dedent' | 'end';
  text: string;
  /** From 1. */
  line: number;
};

/**
 * Why a program's keys cannot be known. `unreadable`: it is no program of this language; `refused`: it does something
 * else than press keys, or too much of it.
 */
export class CodeError extends Error {
  readonly kind: 'unreadable' | 'refused';
  constructor(kind: 'unreadable' | 'refused', line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = 'CodeError';
    this.kind = kind;
  }
}

/** Longer answers are no keystrokes; read in full they would only cost time. */
const MOST_CHARACTERS = 100_000;
const OPEN = '([{';
const CLOSE = ')]}';
const SIGNS = ['**=', '//=', '...', '**', '//', '->', '==', '!=', '<=', '>=', '+=', '-=', '*=', '/=', ':='];

/** Throws CodeError. */
export function tokenize(source: string): Token[] {
  if (source.length > MOST_CHARACTERS) throw new CodeError('refused', 1, 'it is longer than 100,000 characters');
  const text = source.replace(/\r\n?/g, '\n').replace(/\t/g, '        ');
  // A block that stands indented as a whole (inside a list, say) is read as if it did not.
  const state = { text: dedent(text), at: 0, line: 1, depth: 0, indents: [0], tokens: [] as Token[] };
  while (state.at < state.text.length) {
    if (atLineStart(state) && state.depth === 0) readIndent(state);
    if (state.at < state.text.length) readToken(state);
  }
  put(state, 'newline', '');
  while (state.indents.length > 1) {
    state.indents.pop();
    put(state, 'dedent', '');
  }
  put(state, 'end', '');
  return state.tokens;
}

type State = { text: string; at: number; line: number; depth: number; indents: number[]; tokens: Token[] };

const put = (state: State, kind: Token['kind'], text: string) => state.tokens.push({ kind, text, line: state.line });

const atLineStart = ({ text, at }: State) => at === 0 || text[at - 1] === '\n';

function dedent(text: string): string {
  const lines = text.split('\n');
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const content = line.trimStart();
    if (content !== '') least = Math.min(least, line.length - content.length);
  }
  return least > 0 && Number.isFinite(least) ? lines.map((line) => line.slice(least)).join('\n') : text;
}

/** Indents and dedents of the next line that holds something; empty lines and comments have none. */
function readIndent(state: State): void {
  for (;;) {
    const end = state.text.indexOf('\n', state.at);
    const line = state.text.slice(state.at, end < 0 ? undefined : end);
    const content = line.trimStart();
    if (content !== '' && !content.startsWith('#')) {
      const depth = line.length - content.length;
      state.at += depth;
      if (depth > state.indents.at(-1)!) {
        state.indents.push(depth);
        put(state, 'indent', '');
        if (state.indents.length > 50) throw new CodeError('refused', state.line, 'it is nested too deeply');
      }
      while (depth < state.indents.at(-1)!) {
        state.indents.pop();
        put(state, 'dedent', '');
      }
      if (depth !== state.indents.at(-1))
        throw new CodeError('unreadable', state.line, 'its indentation fits no block');
      return;
    }
    if (end < 0) {
      state.at = state.text.length;
      return;
    }
    state.at = end + 1;
    state.line++;
  }
}

function readToken(state: State): void {
  const { text, at } = state;
  const rest = text.slice(at, at + 64);
  const char = text[at]!;
  if (char === '\n') {
    if (state.depth === 0) put(state, 'newline', '');
    state.at++;
    state.line++;
  } else if (char === ' ') {
    state.at++;
  } else if (char === '#') {
    const end = text.indexOf('\n', at);
    state.at = end < 0 ? text.length : end;
  } else if (rest.startsWith('\\\n')) {
    state.at += 2;
    state.line++;
  } else if (/^[A-Za-z]{0,2}['"]/.test(rest)) {
    readString(state);
  } else if (/^(?:\d|\.\d)/.test(rest)) {
    const number = /^(?:\d[\d_]*)?(?:\.\d*)?(?:[eE][+-]?\d+)?/.exec(text.slice(at, at + 400))![0];
    put(state, 'number', number.replaceAll('_', ''));
    state.at += number.length;
  } else if (/^[\p{L}_]/u.test(rest)) {
    const name = /^[\p{L}\p{N}_]+/u.exec(text.slice(at))![0];
    put(state, 'name', name);
    state.at += name.length;
  } else {
    readSign(state, rest);
  }
}

function readSign(state: State, rest: string): void {
  const sign = SIGNS.find((one) => rest.startsWith(one)) ?? rest[0]!;
  if (!/^[()[\]{},.:;=+\-*/%<>!&|^~@]/.test(sign)) {
    throw new CodeError('unreadable', state.line, `"${sign}" is nothing in Python`);
  }
  if (OPEN.includes(sign)) state.depth++;
  if (CLOSE.includes(sign)) state.depth = Math.max(0, state.depth - 1);
  if (state.depth > 50) throw new CodeError('refused', state.line, 'it is nested too deeply');
  put(state, 'sign', sign);
  state.at += sign.length;
}

const ESCAPES = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/** One string literal with its prefix; the token's text is its value. */
function readString(state: State): void {
  const [, prefix, quote] = /^([A-Za-z]{0,2})('''|"""|'|")/.exec(state.text.slice(state.at, state.at + 5))!;
  const marks = prefix!.toLowerCase();
  if (!/^(?:r|u|f|fr|rf)?$/.test(marks))
    throw new CodeError('unreadable', state.line, `a string cannot begin ${prefix}`);
  const raw = marks.includes('r');
  const first = state.line;
  let value = '';
  let at = state.at + prefix!.length + quote!.length;
  for (;;) {
    const char = state.text[at];
    if (char === undefined || (char === '\n' && quote!.length === 1)) {
      throw new CodeError('unreadable', first, 'a string has no end');
    }
    if (state.text.startsWith(quote!, at)) break;
    if (char === '\n') state.line++;
    if (char === '\\' && at + 1 < state.text.length) {
      if (state.text[at + 1] === '\n') state.line++;
      const read = raw ? { value: state.text.slice(at, at + 2), length: 2 } : readEscape(state.text, at);
      value += read.value;
      at += read.length;
    } else {
      value += char;
      at++;
    }
  }
  if (marks.includes('f')) {
    if (/[{}]/.test(value.replaceAll('{{', '').replaceAll('}}', ''))) {
      throw new CodeError('unreadable', first, 'a formatted string with values in it is not read');
    }
    value = value.replaceAll('{{', '{').replaceAll('}}', '}');
  }
  state.tokens.push({ kind: 'string', text: value, line: first });
  state.at = at + quote!.length;
}

function readEscape(text: string, at: number): { value: string; length: number } {
  const next = text[at + 1]!;
  const simple = ESCAPES.get(next);
  if (simple !== undefined) return { value: simple, length: 2 };
  const hex = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(text.slice(at, at + 10));
  if (hex) {
    const code = Number.parseInt((hex[1] ?? hex[2] ?? hex[3])!, 16);
    return { value: code <= 0x10ffff ? String.fromCodePoint(code) : '', length: hex[0].length };
  }
  const octal = /^\\([0-7]{1,3})/.exec(text.slice(at, at + 4));
  if (octal) return { value: String.fromCharCode(Number.parseInt(octal[1]!, 8)), length: octal[0].length };
  // Python keeps the backslash of an escape that it does not know.
  return { value: `\\${next}`, length: 2 };
}
