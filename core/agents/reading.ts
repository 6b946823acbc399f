import type { AgentNote, RunEnd } from '../../schemas/agents.ts';
import type { ModelReply } from '../../schemas/model-requests.ts';
import type { CoordinateScale } from '../../schemas/scales.ts';
import { MOST_ACTS } from '../evaluate/keys/acts.ts';
import { traceProgram } from '../evaluate/keys/run.ts';
import { codeInAnswer } from '../evaluate/keys/score.ts';
import { CodeError } from '../evaluate/keys/tokens.ts';
import { answerPart } from '../evaluate/reading/answer-part.ts';
import { placesOfActs, readActs } from '../evaluate/reading/tool-acts.ts';
import { callsOfText, callsOfValue } from '../evaluate/reading/tool-calls.ts';
import { type PerformStep, stepsOfProgram } from '../play/perform.ts';
import { actsOnScreen, stepsOfAnswer } from '../play/perform-answer.ts';
import { forbiddenCall, forbiddenKeys } from './forbidden.ts';

/**
 * A model's answer as it is read: acts, the end, or nothing that can be done. One that can be read in two ways is not guessed, and
 * one that wants something beyond the stage's hands is refused; both are told to the model.
 */

export type SaidEnd = { how: 'done' | 'gave-up'; why: string };

/** The answer that checks get: a run's last words, `FAIL: why` of one that gave up, null of one that ended otherwise. */
export function answerOfEnd({ how, why }: { how: RunEnd; why: string }): string | null {
  if (how === 'done') return why;
  return how === 'gave-up' ? `FAIL: ${why}` : null;
}
export type Wanted =
  | { kind: 'acts'; steps: PerformStep[]; ending: SaidEnd | null; held: readonly string[] }
  | { kind: 'end'; ending: SaidEnd }
  | AgentNote;

export type ReadOptions = {
  screen: { width: number; height: number };
  /** The unit of places where the form does not say it; null: it is not guessed. */
  coordinates: CoordinateScale | null;
  /** Keys that are down since an answer before. */
  held: readonly string[];
};

export function wantedOf(reply: ModelReply, options: ReadOptions): Wanted {
  const text = answerPart(reply.text);
  if (asksConsent(reply.raw))
    return refused('the answer asks a person for their consent, and there is no person here. Do something else');
  const answer: unknown = reply.calls.length > 0 ? reply.raw : text;
  const forbidden = namesOf(answer)
    .map(forbiddenCall)
    .find((why) => why !== null);
  if (forbidden) return refused(forbidden);
  const ending = endingOf(answer, text);
  const isProgram = reply.calls.length === 0 && /\bpyautogui\b/.test(text);
  const wanted = isProgram ? programOf(text, options) : callsOf(answer, options);
  if (wanted === null) return ending ? { kind: 'end', ending } : unclear(nothingIn(text));
  if (wanted.kind !== 'acts') return wanted;
  const acts = wanted.steps.flatMap((step) => step.acts);
  if (acts.length >= MOST_ACTS) return unclear(`it does more than ${MOST_ACTS} things at once`);
  const keys = forbiddenKeys(acts, options.held);
  if (keys.why !== null) return refused(keys.why);
  if (acts.length === 0 && ending) return { kind: 'end', ending };
  return { ...wanted, ending, held: keys.held };
}

const unclear = (why: string): AgentNote => ({ kind: 'unclear', why });
const refused = (why: string): AgentNote => ({ kind: 'refused', why });

const nothingIn = (text: string): string =>
  text.trim() === '' ? 'the answer is empty' : 'no action and no DONE or FAIL was found in the answer';

type Acts = { kind: 'acts'; steps: PerformStep[] };

function programOf(text: string, { screen, coordinates }: ReadOptions): Acts | AgentNote {
  // Some models write their own unit in code, too, though they are told pixels (Qwen3-VL, OpenCUA).
  const scale = coordinates ?? 'pixels';
  try {
    const [width, height] = [screen.width, screen.height];
    const whole = { pixels: [width, height], '0-1': [1, 1], '0-100': [100, 100], '0-1000': [1000, 1000] } as const;
    const size = whole[scale];
    const { acts, error } = traceProgram(codeInAnswer(text), {
      mouseCalls: 'ignored',
      screen: size,
      pictures: 'refused',
    });
    if (error !== null) return unclear(`the program would end with ${error}`);
    if (scale !== '0-1' && inShares(text))
      return unclear('its places are parts of the screen or pixels: write whole pixels');
    const { steps, ignored } = stepsOfProgram(scale === 'pixels' ? acts : actsOnScreen(acts, scale, screen));
    if (ignored.length > 0) return unclear(`PyAutoGUI has no key called ${ignored.join(', ')}`);
    return { kind: 'acts', steps };
  } catch (error) {
    if (error instanceof RangeError) return unclear(error.message);
    if (!(error instanceof CodeError)) throw error;
    return error.kind === 'refused'
      ? refused(`${error.message}: only the keyboard and the mouse are used`)
      : unclear(error.message);
  }
}

/** OpenCUA and others write parts of the screen where PyAutoGUI takes pixels. */
const SHARES =
  /\b(?:click|leftClick|rightClick|middleClick|doubleClick|tripleClick|moveTo|dragTo|mouseDown|mouseUp)\(\s{0,9}(?:x\s{0,9}=\s{0,9})?0?\.\d/;
const inShares = (text: string): boolean => SHARES.test(text);

function callsOf(answer: unknown, { screen, coordinates }: ReadOptions): Acts | AgentNote | null {
  const read = readActs(answer);
  if (!read) return null;
  const [other] = read.others;
  if (other !== undefined) return unclear(`the call “${other}” is nothing that hands do`);
  const scale = read.scale ?? coordinates;
  if (scale === null && placesOfActs(read.acts).length > 0)
    return unclear(
      `the form of the answer (${read.form}) does not say whether its places are pixels or parts of the screen: write PyAutoGUI code with pixels`,
    );
  try {
    return { kind: 'acts', steps: stepsOfAnswer(read.acts, scale ?? 'pixels', screen) };
  } catch (error) {
    if (error instanceof RangeError) return unclear(error.message);
    throw error;
  }
}

const callsIn = (answer: unknown): ReturnType<typeof callsOfValue> =>
  typeof answer === 'string' ? callsOfText(answer) : callsOfValue(answer);
const namesOf = (answer: unknown): string[] => callsIn(answer).map(({ name }) => name);

/** Words of OSWorld's agents, alone on a line or in a block. */
const WORD = /^[\s`*]{0,9}(DONE|FAIL|INFEASIBLE)\b[`*]{0,4}(?:\s{0,9}[:：]\s{0,9}(.{0,2000}))?[\s`*.]{0,9}$/m;
const CALLS_DONE = /^(?:terminate|finished|done|answer)$/i;

/** What the answer says of the end, and why; null: nothing. */
function endingOf(answer: unknown, text: string): SaidEnd | null {
  const [, word, why = ''] = WORD.exec(text) ?? [];
  if (word !== undefined) return { how: word === 'DONE' ? 'done' : 'gave-up', why: why.trim() };
  const call = callsIn(answer).find(({ name }) => CALLS_DONE.test(name));
  if (!call) return null;
  const told = Object.values(call.args).filter((value) => typeof value === 'string');
  const failed = told.some((value) => /^(?:fail|failure|failed|infeasible|error)$/i.test(value));
  return { how: failed ? 'gave-up' : 'done', why: told.join(' ').slice(0, 2000) };
}

/** Gemini's and OpenAI's own doubts, which only a person may set aside. */
function asksConsent(raw: unknown): boolean {
  const text = JSON.stringify(raw);
  return (
    /"pending_safety_checks":\[\{/.test(text) ||
    /"safety_decision":\{[^{}]{0,2000}"decision":"require_confirmation"/.test(text)
  );
}
