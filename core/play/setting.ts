const NUMBER = /^(?:(?:u?int(?:16|32|64)|handle|double) )?(-?\d{1,300}(?:\.\d{1,300})?(?:e[-+]?\d{1,3})?)$/;
const BYTE = /^byte (0x[0-9a-f]{2})$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

/**
 * A setting's value as `gsettings get` prints it (the text form of a GVariant): a text without its quotes, a number without its
 * type, true or false; a list and anything else as it is printed.
 */
export function valueOfSetting(printed: string): string | number | boolean {
  const text = printed.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  const number = NUMBER.exec(text)?.[1] ?? BYTE.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  const quote = text[0];
  if ((quote !== "'" && quote !== '"') || text.length < 2 || text.at(-1) !== quote) return text;
  return text
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gs, (whole, four?: string, eight?: string, one?: string) => {
      if (one !== undefined) return ESCAPES[one] ?? one;
      const code = Number.parseInt(four ?? eight ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
