import type { AgentHead, AgentNote } from '../../schemas/agents.ts';
import { answerPart } from '../evaluate/reading/answer-part.ts';
import type { PerformStep } from '../play/perform.ts';
import { type DirectState, directFor, directNext } from './direct.ts';
import { type Came, MOST_LOST, type Next, type Seen, type Strategy } from './machine.ts';
import { highSystem, listIn, midSystem, stepSystem } from './prompts.ts';
import { shotParts } from './shots.ts';
import { newTalk, say, talkRequest, windowLine } from './talk.ts';

/**
 * VideoGUI's minimal agent (figure 7): a planner breaks the goal into subtasks (high) and each subtask into steps (mid), an actor
 * does one step at a time, and the screen goes back to the planner. Either level can be given from a demonstration (tables 6, 7).
 */

type MinimalState = {
  head: AgentHead;
  /** The level at which an answer, or the screen, is waited for. */
  at: 'high' | 'mid' | 'step';
  high: readonly string[];
  mid: readonly string[];
  /** Which subtask, and which step of it. */
  subtask: number;
  step: number;
  actor: DirectState | null;
  /** It acts now: more than a wait or a look. */
  acts: boolean;
  lost: number;
  /** A note to the planner on its last answer. */
  saying: string;
};

export const minimal: Strategy<MinimalState> = {
  begin(head) {
    const { high, mid } = head.plan;
    const state: MinimalState = {
      head,
      at: 'high',
      high: [],
      mid: [],
      subtask: 0,
      step: 0,
      actor: null,
      acts: false,
      lost: 0,
      saying: '',
    };
    return high === null ? state : { ...state, high, ...atSubtask(mid, 0) };
  },
  next(state, came) {
    if (state.at === 'step') return acting(state, came);
    if (came.came === 'screen') return planning(state, came.seen);
    return came.came === 'answer'
      ? planned(state, answerPart(came.reply.text))
      : { state, command: { do: 'look' }, note: null };
  },
};

/** A subtask begins: its steps are given, or asked for. */
function atSubtask(
  given: readonly (readonly string[])[] | null,
  subtask: number,
): Pick<MinimalState, 'at' | 'mid' | 'step' | 'actor'> {
  return given === null
    ? { at: 'mid', mid: [], step: 0, actor: null }
    : { at: 'step', mid: given[subtask] ?? [], step: 0, actor: null };
}

function planning(state: MinimalState, seen: Seen): Next<MinimalState> {
  const { head, at, high, subtask, saying } = state;
  const done = high.slice(0, subtask).map((one) => `Done: ${one}`);
  const wanted = at === 'high' ? [] : [...done, `The subtask: ${high[subtask]}`];
  const texts = [`The goal: ${head.goal}`, `The software: ${head.software}`, ...wanted, windowLine(seen), saying];
  const talk = say(
    newTalk(`planner-${at}`, at === 'high' ? highSystem() : midSystem()),
    texts.filter((text) => text !== '').join('\n'),
    seen,
  );
  return { state, command: { do: 'ask', request: talkRequest(talk, head, false) }, note: null };
}

function planned(state: MinimalState, text: string): Next<MinimalState> {
  const given = /^\s{0,9}FAIL\b[:：]?\s{0,9}(.{0,2000})/.exec(text);
  if (given) return { state, command: { do: 'end', how: 'gave-up', why: given[1] ?? '' }, note: null };
  const list = listIn(text);
  if (list.length === 0) {
    const note: AgentNote = { kind: 'unclear', why: 'the plan is empty' };
    const lost = state.lost + 1;
    const over = { do: 'end', how: 'lost', why: `the planner wrote no plan in ${lost} answers` } as const;
    const next = { ...state, lost, saying: 'Your last answer held no list.' };
    return { state: next, command: lost >= MOST_LOST ? over : { do: 'look' }, note };
  }
  const next: MinimalState =
    state.at === 'high'
      ? { ...state, high: list, subtask: 0, ...atSubtask(state.head.plan.mid, 0) }
      : { ...state, at: 'step', mid: list, step: 0, actor: null };
  return { state: { ...next, lost: 0, saying: '' }, command: { do: 'look' }, note: null };
}

/** The next step, of this subtask or of the next one; the end behind the last. */
function advanced(state: MinimalState, note: AgentNote | null): Next<MinimalState> {
  const held = state.actor?.held ?? [];
  if (state.step + 1 < state.mid.length) {
    const next = { ...state, step: state.step + 1, actor: null };
    return { state: { ...next, actor: held.length > 0 ? actorOf(next, held) : null }, command: { do: 'look' }, note };
  }
  const subtask = state.subtask + 1;
  if (subtask < state.high.length)
    return { state: { ...state, subtask, ...atSubtask(state.head.plan.mid, subtask) }, command: { do: 'look' }, note };
  const why = 'every step of the plan was done';
  return { state, command: { do: 'end', how: 'done', why }, note };
}

function actorOf(state: MinimalState, held: readonly string[]): DirectState {
  const { head, high, mid, subtask, step } = state;
  const before = mid.slice(0, step).map((one) => `Done: ${one}`);
  const words = [`The goal: ${head.goal}`, `The subtask: ${high[subtask]}`, ...before, `The step now: ${mid[step]}`];
  const actor = directFor(head, words.join('\n'), 'actor', `${high[subtask]}: ${mid[step]}`);
  return { ...actor, talk: newTalk('actor', stepSystem(head), shotParts(head)), held };
}

function acting(state: MinimalState, came: Came): Next<MinimalState> {
  // A subtask without steps is over.
  if (state.mid.length === 0) return advanced(state, null);
  const actor = state.actor ?? actorOf(state, []);
  const { state: after, command, note } = directNext(actor, came);
  const acts = command.do === 'act' ? command.steps.some(doesMore) : state.acts;
  const next = { ...state, actor: after, acts };
  const isOver = command.do === 'end' && command.how === 'done';
  // One answer does one step, unless it only waited for the screen or looked at it again.
  const isDone = came.came === 'acted' && came.problem === null && command.do !== 'end' && state.acts;
  return isOver || isDone ? advanced(next, note) : { state: next, command, note };
}

const doesMore = ({ acts }: PerformStep): boolean => acts.some((act) => act.do !== 'wait');
