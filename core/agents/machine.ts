import type { AgentHead, AgentNote, UserQuestion } from '../../schemas/agents.ts';
import type { ModelPicture, ModelReply, ModelRequest } from '../../schemas/model-requests.ts';
import type { PerformStep } from '../play/perform.ts';
import type { SaidEnd } from './reading.ts';

/**
 * An agent is a pure machine: its state and what came of its last command give the next one. A run's log holds everything that
 * comes, so it is replayed without a model or a stage, and asks the same.
 */

/** The screen as it is. */
export type Seen = { picture: ModelPicture; titles: readonly string[] };

/** The outcome of the command before. */
export type Came =
  | { came: 'screen'; seen: Seen }
  /** `said`: what the user answers where the reply asks, of one who is no rule but a model. */
  | { came: 'answer'; reply: ModelReply; said?: UserQuestion }
  /** `problem`: why nothing was done; null: it was done. */
  | { came: 'acted'; problem: string | null };

export type AgentCommand =
  | { do: 'look' }
  | { do: 'ask'; request: ModelRequest }
  | { do: 'act'; steps: PerformStep[]; thought: string; plan: string }
  | { do: 'end'; how: SaidEnd['how'] | 'lost'; why: string };

/** `note`: what was wrong with the answer that came. `question`: it was a question to the user, who answered so. */
export type Next<S> = { state: S; command: AgentCommand; note: AgentNote | null; question?: UserQuestion };

/** One strategy; `S` is plain data. */
export type Strategy<S> = {
  begin(head: AgentHead): S;
  next(state: S, came: Came): Next<S>;
};

/** So many answers of which nothing could be done, one after the other, and the run is over. */
export const MOST_LOST = 3;
