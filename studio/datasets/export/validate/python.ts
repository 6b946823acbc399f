/**
 * Reads the few lines of Python that the trajectory formats hold: calls `module.name(…)` with strings, numbers and lists of
 * strings. Written apart from the writer, and against Python's own rules for literals.
 */

export type PythonValue = string | number | string[];
export type PythonCall = {
  module: string;
  name: string;
  positional: PythonValue[];
  named: Record<string, PythonValue>;
};

/** Calls, or what is wrong with the text. */
export function readPython(code: string): { calls: PythonCall[] } | { error: string } {
  try {
    return { calls: code.split('\n').map(readCall) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

type Cursor = { text: string; at: number };

function readCall(line: string): PythonCall {
  const head = /^([a-z]+)\.([A-Za-z]+)\(/.exec(line);
  if (!head) throw new SyntaxError(`expected module.name(…), found ${JSON.stringify(line.slice(0, 40))}`);
  const cursor: Cursor = { text: line, at: head[0].length };
  const call: PythonCall = { module: head[1]!, name: head[2]!, positional: [], named: {} };
  while (!takes(cursor, ')')) {
    if (call.positional.length + Object.keys(call.named).length > 0) must(cursor, ', ');
    const name = /^([a-z_]+)=/.exec(cursor.text.slice(cursor.at));
    if (name) {
      cursor.at += name[0].length;
      call.named[name[1]!] = readValue(cursor);
    } else {
      call.positional.push(readValue(cursor));
    }
  }
  if (cursor.at !== line.length) throw new SyntaxError(`text follows the call: ${line.slice(cursor.at)}`);
  return call;
}

function readValue(cursor: Cursor): PythonValue {
  const next = cursor.text[cursor.at];
  if (next === "'" || next === '"') return readString(cursor);
  if (next === '[') {
    cursor.at++;
    const list: string[] = [];
    while (!takes(cursor, ']')) {
      if (list.length > 0) must(cursor, ', ');
      list.push(readString(cursor));
    }
    return list;
  }
  const number = /^-?\d+(\.\d+)?(e-?\d+)?/.exec(cursor.text.slice(cursor.at));
  if (!number) throw new SyntaxError(`expected a value at ${cursor.at}: ${cursor.text}`);
  cursor.at += number[0].length;
  return Number(number[0]);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' };

function readString(cursor: Cursor): string {
  const quote = cursor.text[cursor.at++];
  if (quote !== "'" && quote !== '"') throw new SyntaxError(`expected a string at ${cursor.at - 1}: ${cursor.text}`);
  let value = '';
  for (;;) {
    const char = cursor.text[cursor.at++];
    if (char === undefined) throw new SyntaxError(`a string is not closed: ${cursor.text}`);
    if (char === quote) return value;
    value += char === '\\' ? readEscape(cursor) : char;
  }
}

function readEscape(cursor: Cursor): string {
  const kind = cursor.text[cursor.at++] ?? '';
  const known = ESCAPES[kind];
  if (known) return known;
  const length = { x: 2, u: 4 }[kind];
  const hex = cursor.text.slice(cursor.at, cursor.at + (length ?? 0));
  if (!length || !/^[0-9a-f]+$/i.test(hex) || hex.length !== length) throw new SyntaxError(`unknown escape \\${kind}`);
  cursor.at += length;
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function takes(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

function must(cursor: Cursor, text: string): void {
  if (!takes(cursor, text)) throw new SyntaxError(`expected "${text}" at ${cursor.at}: ${cursor.text}`);
}
