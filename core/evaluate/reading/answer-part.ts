/** The part of a text that is the answer: what a model thinks aloud before it is passed over (M7). */

/** Parts that models mark as reasoning, by the names of their tags. */
const REASONING = 'think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|seed:think';
const TAG = new RegExp(`[<◁\\[](/?)(?:${REASONING})[>▷\\]]`, 'gi');
/** gpt-oss: each part of an answer names its channel. */
const CHANNEL = /<\|channel\|>\s{0,9}(\w{1,20})[^<]{0,80}<\|message\|>/g;
const ANSWER_TAG = /<answer>/gi;
/** With which models end what they say; some servers hand it on. */
const TURN_END =
  /(?:\s{0,9}(?:<\|(?:im_end|eot_id|eom_id|end|endoftext|end_of_text|return)\|>|<\/s>|<eos>|<end_of_turn>)){1,9}\s{0,9}$/;

/** Throws nothing; '' when nothing but reasoning came (a model that ran out of its tokens). */
export function answerPart(text: string): string {
  const spoken = afterAction(withoutTags(finalChannel(text.replace(TURN_END, ''))));
  const start = [...spoken.matchAll(ANSWER_TAG)].at(-1);
  if (!start) return spoken;
  const rest = spoken.slice(start.index + start[0].length);
  const end = rest.toLowerCase().indexOf('</answer>');
  return end < 0 ? rest : rest.slice(0, end);
}

/** Drops everything between an opening and its closing tag; an end without a beginning ends what comes before it. */
function withoutTags(text: string): string {
  const kept: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: tag, 1: slash, index } of text.matchAll(TAG)) {
    if (slash === '') {
      if (depth === 0) kept.push(text.slice(from, index));
      depth++;
    } else if (depth > 0) {
      depth--;
      from = index + tag.length;
    } else {
      // The opening tag often is in the prompt's template.
      kept.length = 0;
      from = index + tag.length;
    }
  }
  if (depth === 0) kept.push(text.slice(from));
  return kept.join(' ');
}

function finalChannel(text: string): string {
  const channels = [...text.matchAll(CHANNEL)];
  if (channels.length === 0) return text;
  const last = channels.findLast(([, name]) => name!.toLowerCase() !== 'analysis');
  if (!last) return '';
  const rest = text.slice(last.index + last[0].length);
  const end = rest.search(/<\|(?:end|return|call|start)\|>/);
  return end < 0 ? rest : rest.slice(0, end);
}

/** `Thought: … Action: …`, as UI-TARS and ReAct write: the last action. */
function afterAction(text: string): string {
  if (!/^\s{0,20}(?:\*\*)?(?:thought|reflection|action_summary)/im.test(text)) return text;
  const last = [...text.matchAll(/^[*\s]{0,20}action[*\s]{0,20}:/gim)].at(-1);
  return last ? text.slice(last.index + last[0].length) : text;
}

const MARKER =
  /(?:\b(?:final\s{1,9})?answer(?:\s{1,9}is)?[*_\s]{0,9}[:：]|\banswer\s{1,9}is\b|\\boxed\{(?:\\(?:text|mathrm|mathbf)\{)?|答案[是为]?[:：]?)[*_\s]{0,9}/gi;

/** Wide brackets, commas and digits, as models that think in Chinese or Japanese write them, one sign for one. */
export const plainSigns = (text: string): string =>
  text.replace(/[\uff01-\uff5e【】]/g, (sign) =>
    sign === '【' ? '[' : sign === '】' ? ']' : String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  );

/** Where the answer begins by the text's own word ("Answer: …"); null when it does not say. */
export function markedAnswer(text: string): number | null {
  const last = [...text.matchAll(MARKER)].at(-1);
  return last ? last.index + last[0].length : null;
}
