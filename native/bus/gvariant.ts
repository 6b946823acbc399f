/**
 * GVariant's text (GLib, "GVariant Text Format") as plain values, for answers on D-Bus: strings, numbers and booleans as they
 * are, arrays and tuples as arrays, dictionaries as objects, variants as what they hold. Numbers above 2^53 are bigint.
 */
export type Variant = string | number | bigint | boolean | null | Variant[] | { [key: string]: Variant };

const SPACE = /\s*/y;
const TYPE =
  /(?:@[a-z(){}*?&]+|boolean|byte|u?int(?:16|32|64)|handle|double|string|objectpath|signature|nothing|just)(?=[\s'"<[({\-\d@])/y;
const NUMBER = /[-+]?(?:0x[0-9a-fA-F]+|inf|nan|[\d.]+(?:e[-+]?\d+)?)/y;
const WORD = /true|false|nothing/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
const DEEPEST = 64;
const MOST_DIGITS = 400;

/** Throws SyntaxError for text that is none. */
export function parseVariant(text: string): Variant {
  let at = 0;
  const fail = (): never => {
    throw new SyntaxError(`No GVariant text at ${at}: ${text.slice(at, at + 40)}`);
  };
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found?.[0] ?? null;
  };
  const take = (char: string): boolean => {
    match(SPACE);
    if (text[at] !== char) return false;
    at++;
    return true;
  };

  function quoted(quote: string): string {
    const parts: string[] = [];
    let from = at;
    while (at < text.length) {
      const char = text[at++] ?? '';
      if (char !== quote && char !== '\\') continue;
      parts.push(text.slice(from, at - 1));
      if (char === quote) return parts.join('');
      const code = text[at++] ?? '';
      if (code === 'u' || code === 'U') {
        const digits = text.slice(at, at + (code === 'u' ? 4 : 8));
        at += digits.length;
        const point = /^[0-9a-f]+$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
        if (!(point <= 0x10ffff)) fail();
        parts.push(String.fromCodePoint(point));
      } else parts.push(ESCAPES[code] ?? code);
      from = at;
    }
    return fail();
  }

  function list(end: string, depth: number): Variant[] {
    const items: Variant[] = [];
    while (!take(end)) {
      items.push(value(depth));
      if (!take(',')) {
        if (!take(end)) fail();
        return items;
      }
    }
    return items;
  }

  function dictionary(depth: number): Variant {
    const entries: [string, Variant][] = [];
    while (!take('}')) {
      const key = value(depth);
      // `{key, value}` is a single entry, `{key: value}` a dictionary.
      if (!take(':') && !take(',')) fail();
      entries.push([String(key), value(depth)]);
      if (take('}')) break;
      if (!take(',')) fail();
    }
    return Object.fromEntries(entries);
  }

  function value(depth: number): Variant {
    if (depth > DEEPEST) fail();
    match(SPACE);
    while (match(TYPE)) match(SPACE);
    if (take("'")) return quoted("'");
    if (take('"')) return quoted('"');
    if (text.startsWith("b'", at) || text.startsWith('b"', at)) {
      at += 2;
      return quoted(text[at - 1] ?? '');
    }
    if (take('[')) return list(']', depth + 1);
    if (take('(')) return list(')', depth + 1);
    if (take('{')) return dictionary(depth + 1);
    if (take('<')) {
      const inner = value(depth + 1);
      if (!take('>')) fail();
      return inner;
    }
    const word = match(WORD);
    if (word) return word === 'nothing' ? null : word === 'true';
    const number = match(NUMBER);
    // The longest that its types have; more digits take time by their square.
    if (number === null || number.length > MOST_DIGITS) return fail();
    return /^[-+]?(0x[0-9a-f]+|\d+)$/i.test(number) ? whole(number) : Number(number);
  }

  const result = value(0);
  match(SPACE);
  return at === text.length ? result : fail();
}

function whole(text: string): number | bigint {
  const negative = text.startsWith('-');
  const big = BigInt(text.replace(/^[-+]/, ''));
  const signed = negative ? -big : big;
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

/** A string in GVariant's text. */
export function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
}

/** A member of a dictionary that an answer brought; undefined where it is none. */
export function member(value: Variant | undefined, name: string): Variant | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : undefined;
}
