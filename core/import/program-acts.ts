import type { Act } from '../evaluate/keys/acts.ts';
import { traceProgram } from '../evaluate/keys/run.ts';
import { codeInAnswer } from '../evaluate/keys/score.ts';
import { CodeError } from '../evaluate/keys/tokens.ts';
import type { AnswerAct, AnswerActs } from '../evaluate/reading/tool-acts.ts';

/** A program of PyAutoGUI, as an agent's call brings it: read as answers are (M7, M10), never run. */

const FORM = 'PyAutoGUI';
/** Longer is no step of an agent. */
const LONGEST = 100_000;
/** OpenCUA and others write parts of the screen where PyAutoGUI takes pixels: then all places are such. */
const SHARE = /\(\s{0,9}(?:x\s{0,9}=\s{0,9})?[01]?\.\d{1,20}\s{0,9},\s{0,9}(?:y\s{0,9}=\s{0,9})?[01]?\.\d/;

/** Null for a text that calls nothing of PyAutoGUI. */
export function programActs(text: string): AnswerActs | null {
  if (!/\bpyautogui\b/.test(text)) return null;
  const other = (why: string): AnswerActs => ({ form: FORM, scale: null, acts: [], others: [why] });
  if (text.length > LONGEST) return other(`a program of more than ${LONGEST} characters`);
  try {
    const { acts, error } = traceProgram(codeInAnswer(text), {
      mouseCalls: 'ignored',
      screen: null,
      pictures: 'refused',
    });
    if (error !== null) return other(`a program that would end with ${error}`);
    const made = answerActs(acts);
    if (made === null) return other('a drag by another button than the left one');
    return { form: FORM, scale: SHARE.test(text) ? '0-1' : 'pixels', acts: made, others: [] };
  } catch (error) {
    if (!(error instanceof CodeError)) throw error;
    return other(error.message);
  }
}

/** Presses and releases in the order of hands, as combinations and texts; null where an answer has no word for it. */
export function answerActs(acts: readonly Act[]): AnswerAct[] | null {
  const made: AnswerAct[] = [];
  const held: string[] = [];
  // The keys that are down have done nothing yet.
  let isFresh = false;
  const press = (keys: readonly string[]): void => {
    const [char] = keys;
    const last = made.at(-1);
    const isText = keys.length === 1 && char !== undefined && [...char].length === 1;
    if (isText && last?.do === 'type') made[made.length - 1] = { do: 'type', text: last.text + char };
    else made.push(isText ? { do: 'type', text: char } : { do: 'chord', keys: [...keys], ms: null });
  };
  for (const act of acts) {
    if (act.do === 'key') {
      const at = held.indexOf(act.key);
      if (act.down) {
        if (at < 0) held.push(act.key);
        isFresh = true;
        continue;
      }
      if (at < 0) continue;
      if (isFresh) press(held);
      isFresh = false;
      held.splice(at, 1);
      continue;
    }
    isFresh = false;
    if (act.do === 'drag') {
      if (act.button !== 'left') return null;
      made.push({ do: 'drag', path: [act.from, ...(act.path ?? []), act.to], held: [...held] });
    } else if (act.do === 'click') {
      const { at, button, count } = act;
      made.push({ do: 'click', at, button: buttonOf(button), count, held: [...held] });
    } else if (act.do === 'button') {
      const { at, button, down } = act;
      made.push({ do: 'button', at, button: buttonOf(button), down });
    } else if (act.do === 'scroll') {
      const { at, dx, dy } = act;
      made.push({ do: 'scroll', at, dx, dy, held: [...held] });
    } else made.push(act);
  }
  for (const key of held) made.push({ do: 'key', key, down: true });
  return made;
}

type Button = Extract<AnswerAct, { do: 'click' }>['button'];
const buttonOf = (name: string): Button => (name === 'right' || name === 'middle' ? name : 'left');
