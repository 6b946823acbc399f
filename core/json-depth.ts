/**
 * How deep values are in each other at most. Nothing of ours is deeper than ten; what reads a value of a hundred thousand
 * lists in lists (JSON.stringify, a copy to a thread, a schema) ends in "Maximum call stack size exceeded".
 */
const MOST_DEPTH = 100;

/**
 * Values in one line at most. The longest lines of ours (a keyboard's layout, what the recorder did itself) hold some thousands;
 * sixteen megabytes of empty lists are half a gigabyte of memory.
 */
export const MOST_LINE_VALUES = 200_000;

/** Whether a JSON text is deeper than that. One pass; a text of fewer brackets than that is not looked at. */
export const isTooDeep = (text: string, most = MOST_DEPTH): boolean =>
  whyTooMuch(text, Number.POSITIVE_INFINITY, most) !== null;

/** Why a line is too much to be read, in words; null for one that is not. */
export function whyTooMuch(text: string, mostValues = MOST_LINE_VALUES, mostDepth = MOST_DEPTH): string | null {
  // A value of this depth opens and closes as often.
  return text.length <= 2 * mostDepth ? null : whyTooMuchSoFar(mostValues, mostDepth)(text);
}

/** Looks at a text that comes in pieces: why the pieces so far are too much. */
export function whyTooMuchSoFar(mostValues: number, mostDepth = MOST_DEPTH): (piece: string) => string | null {
  let depth = 0;
  // Each is the first of its list or object, or comes after a comma.
  let values = 1;
  let inText = false;
  /** Where the next piece is looked at from: its first sign may belong to a backslash before it. */
  let from = 0;
  return (piece) => {
    let at = from;
    for (; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (inText) {
        if (code === BACKSLASH) at++;
        else if (code === QUOTE) inText = false;
      } else if (code === QUOTE) inText = true;
      else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        values++;
        if (++depth > mostDepth) return `values lie more than ${mostDepth} deep in each other`;
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
      else if (code === COMMA) values++;
      if (values > mostValues) return `it holds more than ${mostValues} values`;
    }
    from = at - piece.length;
    return null;
  };
}

/** The same of a file that is read whole, at most 64 MB: an annotation of such a size has three millions. */
export const MOST_VALUES_WHOLE = 5_000_000;

/**
 * A JSON text of a file that may be somebody else's. Throws an Error for one that is none, too deep (that takes seconds), or of
 * too many values (that takes gigabytes).
 */
export function parseShallow(text: string): unknown {
  const tooMuch = whyTooMuch(text, MOST_VALUES_WHOLE);
  if (tooMuch !== null) throw new Error(tooMuch);
  return JSON.parse(text);
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
