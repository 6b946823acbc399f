/**
 * Marks that loaders replace by media or boxes, one for each entry of their lists, and those with which models part their
 * reasoning and calls from what they say: an element named `</think>` would end the reasoning of its sample.
 */
const MARKS = /<(\/?)(image|video|audio|bbox|ref-object|think|thinking|tool_call|tool_response)>/g;
/** Begins the tokens with which chat templates part a conversation: `<|im_end|>`. */
const TOKENS = /<\|/g;
/** Marks that part the trajectory form: of its blocks, and of the answer. */
const BLOCKS = /<(\/?)(think|Observation|answer)>/g;
const STEP_LINE = /^=== (Step\d+) ===$/gm;

/** Stands where a picture is shown. */
export const IMAGE = '<image>';

/**
 * A person's text that holds no mark: one more `<image>` than there are pictures, and loaders drop the sample or shift every
 * picture after it. The brackets become `&lt;` and `&gt;`; nothing else is touched.
 */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '&lt;$1$2&gt;').replace(TOKENS, '&lt;|');
}

/** The same for a text inside of the trajectory form, which it shall not part. */
export function withoutBlocks(text: string): string {
  return withoutMarks(text).replace(BLOCKS, '&lt;$1$2&gt;').replace(STEP_LINE, '== $1 ==');
}

/** Code without marks that means the same: they can only stand in its strings, where Python reads `\x3c` as `<`. */
export function codeWithoutMarks(code: string): string {
  return code.replace(MARKS, '\\x3c$1$2>').replace(TOKENS, '\\x3c|');
}

/** The same for what is written as JSON, which reads `\u003c` as `<`. */
export function jsonWithoutMarks(value: unknown): string {
  return JSON.stringify(value).replace(MARKS, '\\u003c$1$2>').replace(TOKENS, '\\u003c|');
}
