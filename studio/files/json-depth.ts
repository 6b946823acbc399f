/**
 * How deep values are in each other at most. Nothing of ours is deeper than ten; what reads a value of a hundred thousand
 * lists in lists (JSON.stringify, a copy to a thread, a schema) ends in "Maximum call stack size exceeded".
 */
export const MOST_DEPTH = 100;

/** Whether a JSON text is deeper than that. One pass; a text of fewer brackets than that is not looked at. */
export function isTooDeep(text: string, most = MOST_DEPTH): boolean {
  // A value of this depth opens and closes as often.
  if (text.length <= 2 * most) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > most) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** A JSON text of a file that may be somebody else's. Throws an Error for one that is none, or too deep: that takes seconds. */
export function parseShallow(text: string): unknown {
  if (isTooDeep(text)) throw new Error(`values lie more than ${MOST_DEPTH} deep in each other`);
  return JSON.parse(text);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
