/** Blocks of code in an answer, between ``` and ``` (table 26 asks for one). */

export type Fence = { from: number; to: number; code: string };

/** Blocks of something else than Python: how to install it, what it prints. */
const OTHER = /^(?:bash|sh|shell|console|text|txt|output|json|xml|yaml|html)$/i;

/** Those of Python, or of no name, in their order. The last may lack its end, when a model ran out of tokens. */
export function fencesIn(text: string): Fence[] {
  const found: Fence[] = [];
  for (let from = text.indexOf('```'); from >= 0; ) {
    const begin = from + 3;
    const close = text.indexOf('```', begin);
    const end = close < 0 ? text.length : close;
    const inside = text.slice(begin, end);
    const language = /^[ \t]{0,9}([\w+#.-]{0,20})[ \t]{0,9}(?:\r?\n|$)/.exec(inside);
    // A block on one line may begin with the language's name, or with the code.
    const named = language ?? /^(python3?|py)(?=\s)/i.exec(inside);
    const to = close < 0 ? end : end + 3;
    if (!OTHER.test(named?.[1] ?? '')) found.push({ from, to, code: inside.slice(named?.[0].length ?? 0) });
    from = text.indexOf('```', to);
  }
  return found;
}
