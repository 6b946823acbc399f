import type { AgentHead } from '../../schemas/agents.ts';
import { type Came, MOST_LOST, type Next, type Strategy } from './machine.ts';
import { directSystem } from './prompts.ts';
import { type SaidEnd, wantedOf } from './reading.ts';
import { shotParts } from './shots.ts';
import { answered, type ModelTalk, newTalk, say, talkRequest, told, toldOfActs, windowLine } from './talk.ts';

/** The goal and the screen go to the model, and what it answers is done, until it says that the goal is reached. */

export type DirectState = {
  head: AgentHead;
  talk: ModelTalk;
  /** A note to the model, sent with the next picture. */
  saying: string;
  held: readonly string[];
  /** Said together with the acts that are done now. */
  ending: SaidEnd | null;
  /** Answers in a row of which nothing could be done. */
  lost: number;
  /** The purpose of the acts, for the log. */
  plan: string;
};

export const direct: Strategy<DirectState> = {
  begin: (head) => directFor(head, `The goal: ${head.goal}`, 'actor', ''),
  next: (state, came) => directNext(state, came),
};

export const directFor = (head: AgentHead, first: string, role: string, plan: string): DirectState => ({
  head,
  talk: newTalk(role, directSystem(head), shotParts(head)),
  saying: first,
  held: [],
  ending: null,
  lost: 0,
  plan,
});

export function directNext(state: DirectState, came: Came): Next<DirectState> {
  const { head, talk } = state;
  if (came.came === 'screen') {
    const next = say(talk, `${state.saying}\n${windowLine(came.seen)}`, came.seen);
    return {
      state: { ...state, talk: next, saying: '' },
      command: { do: 'ask', request: talkRequest(next, head, true) },
      note: null,
    };
  }
  if (came.came === 'acted') {
    const saying = toldOfActs(came.problem);
    // It said that it was done with acts that were not.
    const { ending } = state;
    if (ending && came.problem === null) return { state, command: { do: 'end', ...ending }, note: null };
    return { state: { ...state, saying, ending: null }, command: { do: 'look' }, note: null };
  }
  const { screen, coordinates } = head;
  const wanted = wantedOf(came.reply, { screen, coordinates, held: state.held });
  const heard = { ...state, talk: answered(talk, came.reply) };
  switch (wanted.kind) {
    case 'acts': {
      const thought = came.reply.text.trim();
      const command = { do: 'act', steps: wanted.steps, thought, plan: state.plan } as const;
      return { state: { ...heard, lost: 0, held: wanted.held, ending: wanted.ending }, command, note: null };
    }
    case 'end':
      return { state: heard, command: { do: 'end', ...wanted.ending }, note: null };
    default: {
      const lost = state.lost + 1;
      const over = {
        do: 'end',
        how: 'lost',
        why: `nothing could be done of ${lost} answers in a row: ${wanted.why}`,
      } as const;
      const next = { ...heard, lost, saying: told(wanted) };
      return { state: next, command: lost >= MOST_LOST ? over : { do: 'look' }, note: wanted };
    }
  }
}
