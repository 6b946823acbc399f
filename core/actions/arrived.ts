import type { ArrivedText, DraftAction, State } from './state.ts';

/** An object that is in a text (a picture, a field), as AT-SPI shows it: what is around it is not all of the text. */
const OBJECT = '\uFFFC';
/** Longer texts of one action are not put together, characters; nor those of more changes. */
const MOST = 5000;
/** So many letters may have been in a field before it told of the first. */
const MOST_UNTOLD = 3;
/** Keys that choose a candidate of an input method, before Enter accepts it. */
const CHOOSES = /^(?:Arrow\w+|Page\w+|Home|End|F\d{1,2})$/;

/**
 * Gives each run of typing the text that arrived in its field (A18). `drafts`: by their start; `texts`: in the order of the
 * stream.
 */
export function giveArrivedTexts(drafts: readonly DraftAction[], { texts }: Pick<State, 'texts'>): void {
  if (texts.length === 0) return;
  let at = 0;
  for (const [n, draft] of drafts.entries()) {
    if (draft.kind !== 'type' || draft.text === null || draft.withheldAt !== null) continue;
    while (at < texts.length && texts[at]!.t < draft.start.t) at++;
    const next = drafts[n + 1];
    const own = upTo(texts, at, next?.start.t);
    const text = madeOf(own.length > 0 ? own : accepted(texts, at, drafts, n), draft.text);
    // With more before what the keys make, something from before them was told late.
    if (text === null || draft.text.includes(text) || text.endsWith(draft.text)) continue;
    draft.text = text;
    draft.textFrom = 'field';
  }
}

/** An input method gives its text when it is accepted, by Enter. */
function accepted(
  texts: readonly ArrivedText[],
  at: number,
  drafts: readonly DraftAction[],
  n: number,
): readonly ArrivedText[] {
  let enter = n + 1;
  while (isPressOf(drafts[enter], CHOOSES)) enter++;
  if (!isPressOf(drafts[enter], /^Enter$/)) return [];
  return upTo(texts, at, drafts[enter + 1]?.start.t).filter(({ inserted }) => inserted !== '' && inserted !== '\n');
}

const isPressOf = (draft: DraftAction | undefined, keys: RegExp): boolean =>
  draft?.kind === 'press' && draft.keys?.length === 1 && keys.test(draft.keys[0] ?? '');

function upTo(texts: readonly ArrivedText[], from: number, until = Number.POSITIVE_INFINITY): ArrivedText[] {
  const found: ArrivedText[] = [];
  for (let i = from; i < texts.length && texts[i]!.t < until; i++) found.push(texts[i]!);
  return found;
}

/**
 * The text that the keys made before their field reported anything: a cell of a sheet opens its field with the first letter in it. None where
 * what was told first is no key's letter, or the first key's.
 */
function untold([first]: readonly ArrivedText[], typed: string): string[] {
  const letters = [...typed];
  const n = first && first.removed === 0 ? letters.indexOf(first.inserted) : -1;
  return n > 0 && n <= Math.min(MOST_UNTOLD, first?.at ?? 0) ? letters.slice(0, n) : [];
}

/**
 * The text that is there after these changes: what they put in (with the letters before it that were not told of), less what they
 * took out again. Null when nothing arrived, when it is in several fields or several pieces, and when a part of it cannot be
 * read. `typed`: the text that the keys make.
 */
function madeOf(changes: readonly ArrivedText[], typed: string): string | null {
  const first = changes.find(({ inserted }) => inserted !== '');
  if (!first || changes.length > MOST) return null;
  let made = untold(changes, typed);
  let begin = first.at - made.length;
  for (const { field, at, removed, inserted } of changes) {
    if (field !== first.field) return null;
    const end = begin + made.length;
    // Characters that go before our text only move it; those that go inside it are taken out of it.
    const before = Math.max(0, Math.min(at + removed, begin) - at);
    const from = Math.max(at, begin);
    const inside = Math.max(0, Math.min(at + removed, end) - from);
    if (inside > 0) made.splice(from - begin, inside);
    begin -= before;
    if (inserted === '') continue;
    const place = at - begin;
    // Before anything of it is there, it begins where the first text comes.
    if (made.length === 0) begin = at;
    else if (place < 0 || place > made.length) return null;
    const letters = [...inserted];
    if (made.length + letters.length > MOST) return null;
    made = made.length === 0 ? letters : made.toSpliced(place, 0, ...letters);
  }
  const text = made.join('');
  return text === '' || text.includes(OBJECT) ? null : text;
}
