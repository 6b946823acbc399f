import type { AgentHead, AgentNote } from '../../schemas/agents.ts';
import { answerPart } from '../evaluate/reading/answer-part.ts';
import { type DirectState, directFor, directNext } from './direct.ts';
import { type Came, MOST_LOST, type Next, type Strategy } from './machine.ts';
import { plannerSystem } from './prompts.ts';
import { answered, type ModelTalk, newTalk, say, talkRequest, told, windowLine } from './talk.ts';

/** ScenDroid's third group: a planner says one subgoal after the other, an actor reaches each and says so. */

type PlannerState = {
  head: AgentHead;
  planner: ModelTalk;
  saying: string;
  lost: number;
  actor: DirectState | null;
  /** Answers that the actor had for its subgoal. */
  tries: number;
};

/** An actor that goes on for longer gives the screen back to the planner. */
const MOST_TRIES = 10;

export const plannerActor: Strategy<PlannerState> = {
  begin: (head) => ({
    head,
    planner: newTalk('planner', plannerSystem()),
    saying: `The goal: ${head.goal}\nThe software: ${head.software}`,
    lost: 0,
    actor: null,
    tries: 0,
  }),
  next: (state, came) => (state.actor ? acting(state, state.actor, came) : planning(state, came)),
};

function planning(state: PlannerState, came: Came): Next<PlannerState> {
  const { head, planner } = state;
  if (came.came === 'screen') {
    const talk = say(planner, `${state.saying}\n${windowLine(came.seen)}`, came.seen);
    return {
      state: { ...state, planner: talk },
      command: { do: 'ask', request: talkRequest(talk, head, false) },
      note: null,
    };
  }
  if (came.came === 'acted') return { state, command: { do: 'look' }, note: null };
  const heard = { ...state, planner: answered(planner, came.reply) };
  const text = answerPart(came.reply.text).trim();
  const [, word, why = ''] = /^[`*\s]{0,9}(DONE|FAIL)\b[`*\s]{0,9}[:：]?\s{0,9}(.{0,2000})/.exec(text) ?? [];
  if (word !== undefined)
    return { state: heard, command: { do: 'end', how: word === 'DONE' ? 'done' : 'gave-up', why }, note: null };
  if (text === '') {
    const note: AgentNote = { kind: 'unclear', why: 'the answer is empty' };
    const lost = state.lost + 1;
    const over = { do: 'end', how: 'lost', why: `the planner said nothing in ${lost} answers` } as const;
    return { state: { ...heard, lost, saying: told(note) }, command: lost >= MOST_LOST ? over : { do: 'look' }, note };
  }
  const goal = text.slice(0, 2000);
  const first = `The goal, of which this is a part: ${head.goal}\nReach this subgoal, and then say DONE: ${goal}`;
  return {
    state: { ...heard, lost: 0, tries: 0, actor: directFor(head, first, 'actor', goal) },
    command: { do: 'look' },
    note: null,
  };
}

function acting(state: PlannerState, actor: DirectState, came: Came): Next<PlannerState> {
  const { state: after, command, note } = directNext(actor, came);
  const tries = state.tries + (came.came === 'answer' ? 1 : 0);
  const back = (saying: string): Next<PlannerState> => ({
    state: { ...state, actor: null, tries: 0, saying },
    command: { do: 'look' },
    note,
  });
  if (command.do === 'end' && command.how === 'done') return back('The subgoal was reached, as the actor says.');
  if (command.do === 'end') return back(`The subgoal was not reached: ${command.why || 'the actor gave up'}.`);
  if (command.do === 'look' && tries >= MOST_TRIES)
    return back('The actor has done much and did not say that it is done.');
  return { state: { ...state, actor: after, tries }, command, note };
}
