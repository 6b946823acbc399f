import type { AgentHead, AgentNote } from '../../schemas/agents.ts';
import type { ModelCall, ModelPart, ModelReply, ModelRequest, ModelTurn } from '../../schemas/model-requests.ts';
import type { Seen } from './machine.ts';

/** A talk with a model: its turns, of whose pictures only the newest are sent again. `before` stands before all of them, whole. */

export type ModelTalk = {
  role: string;
  system: string;
  before: readonly ModelPart[];
  turns: readonly ModelTurn[];
  calls: readonly ModelCall[];
};

/** Older pictures cost much and say little. */
const PICTURES = 3;
const LEFT_OUT: ModelPart = { text: '(An earlier picture of the screen was left out.)' };

export const newTalk = (role: string, system: string, before: readonly ModelPart[] = []): ModelTalk => ({
  role,
  system,
  before,
  turns: [],
  calls: [],
});

/** What is said to the model next, with the screen: as what became of its calls, where it made some. */
export function say(talk: ModelTalk, text: string, seen: Seen): ModelTalk {
  const picture: ModelPart = { picture: seen.picture };
  const { calls } = talk;
  const turn: ModelTurn =
    calls.length > 0
      ? { by: 'tools', results: calls.map((call) => ({ call, text })), parts: [picture] }
      : { by: 'user', parts: [{ text }, picture] };
  return { ...talk, turns: [...talk.turns, turn], calls: [] };
}

export const answered = (talk: ModelTalk, { raw, calls }: ModelReply): ModelTalk => ({
  ...talk,
  turns: [...talk.turns, { by: 'model', raw, calls }],
  calls,
});

export function talkRequest(
  { role, system, before, turns }: ModelTalk,
  { declared, screen }: AgentHead,
  acts: boolean,
): ModelRequest {
  let left = PICTURES;
  let kept = turns
    .toReversed()
    .map((turn): ModelTurn => {
      if (turn.by === 'model') return turn;
      const parts = turn.parts.map((part) => ('picture' in part && left-- <= 0 ? LEFT_OUT : part));
      return { ...turn, parts };
    })
    .toReversed();
  const [first, ...rest] = kept;
  if (before.length > 0 && first && first.by !== 'model')
    kept = [{ ...first, parts: [...before, ...first.parts] }, ...rest];
  return { role, system, turns: kept, computer: declared && acts ? screen : null };
}

/** What a model is told of an answer of which nothing was done. */
export const told = ({ kind, why }: AgentNote): string =>
  kind === 'refused'
    ? `Nothing was done. This was refused: ${why}.`
    : `Nothing was done. The answer is not clear: ${why}.`;

/** What it was told of its acts. */
export const toldOfActs = (problem: string | null): string =>
  problem === null ? 'It was done. This is the screen now.' : `Nothing was done: ${problem}. This is the screen now.`;

/** The windows that are there, as a line of text. */
export const windowLine = ({ titles }: Seen): string =>
  titles.length === 0
    ? 'No window has a title.'
    : `Windows: ${titles.map((title) => JSON.stringify(title)).join(', ')}.`;
