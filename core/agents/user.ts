import type { SimulatedUser, UserQuestion } from '../../schemas/agents.ts';
import type { ModelReply, ModelRequest } from '../../schemas/model-requests.ts';
import { answerPart } from '../evaluate/reading/answer-part.ts';
import type { Came, Next, Strategy } from './machine.ts';

/**
 * A simulated user (scendroid.txt 3.3, C.2): it holds what the exact instruction says, answers a question about a value that was
 * left out with that value alone, and says to go on otherwise. Pure: a run's log asks and answers the same again.
 */

/** A question alone on a line, as DONE is; or the paper's own tag. Beside acts it is none: those are done. */
const LINE = /^[\s`*]{0,9}ASK\b[`*]{0,4}\s{0,9}[:：]\s{0,9}(.{1,2000})$/m;
const TAG = /<ask>([^<]{1,2000})<\/ask>/i;

export function questionIn(reply: ModelReply): string | null {
  if (reply.calls.length > 0) return null;
  const text = answerPart(reply.text);
  if (/\bpyautogui\b/.test(text)) return null;
  const question = (LINE.exec(text)?.[1] ?? TAG.exec(text)?.[1] ?? '').trim();
  return question === '' ? null : question;
}

/** Of a text the words that name something, small, without an s at the end. */
const wordsIn = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]{2,40}/gu) ?? []).map((word) => word.replace(/(?<=\p{L}{3})s$/u, '')));

/** What it says, by the seed and how much was asked: the same run hears the same. */
const GO_ON: readonly [string, ...string[]] = [
  'Please go on with what you know.',
  'That is all that I can say. Please go on.',
  'I cannot help with that. Please go on.',
];
const THERE_IT_IS = ['It is', 'That would be', 'Take'];
const oneOf = (all: readonly string[], { seed }: SimulatedUser, n: number): string =>
  all[(Math.imul(seed ^ (n + 1), 0x9e3779b1) >>> 8) % all.length] ?? '';

/**
 * Its answer to a question, after those before. `valid`: it asks for a value that nobody told it; `redundant`: for one that the
 * instruction or an answer told; `irrelevant`: for none.
 */
export function userAnswer(user: SimulatedUser, before: readonly UserQuestion[], question: string): UserQuestion {
  const words = wordsIn(question);
  const meant = user.knows.filter(({ words: names }) =>
    names.some((name) => [...wordsIn(name)].every((w) => words.has(w))),
  );
  const told = new Set(before.flatMap(({ values }) => values));
  const news = meant.filter(({ isTold, value }) => !isTold && !told.has(value));
  const values = [...new Set(news.map(({ value }) => value))];
  if (values.length > 0) {
    const answer = `${oneOf(THERE_IT_IS, user, before.length)} ${values.join(' and ')}.`;
    return { question, answer, kind: 'valid', values };
  }
  const kind = meant.length > 0 ? 'redundant' : 'irrelevant';
  return { question, answer: oneOf(GO_ON, user, before.length), kind, values: [] };
}

/** The paper's words for the model that plays the user (scendroid.txt C.2), with what it knows in their place. */
const PLAYED = `You are simulating a human user who is giving instructions to an AI agent.

The AI agent is trying to complete a task based on an obfuscated (unclear) instruction, but you know the original clear instruction.

When the agent asks you a question for clarification, you should:

1. Answer ONLY what was asked; be concise and direct.
2. Base your answer on the original clear instruction.
3. Do not volunteer extra information unless asked.
4. Answer as a natural human would: friendly but brief.
5. If the question asks for multiple pieces of information, provide all of them.

Keep your response SHORT (1 to 2 sentences maximum). When the original clear instruction does not say what is asked, tell the agent to go on.`;

/** The request to the model that plays the user: texts alone, with all that it said of this task before. */
export function userRequest(user: SimulatedUser, before: readonly UserQuestion[], question: string): ModelRequest {
  const said = before.map((one) => `The agent asked: ${one.question}\nYou answered: ${one.answer}`);
  const lines = [
    `The original clear instruction: ${user.played?.exact ?? ''}`,
    ...said,
    `The agent asks: ${question}`,
    'Your answer:',
  ];
  return {
    role: 'user',
    system: PLAYED,
    turns: [{ by: 'user', parts: [{ text: lines.join('\n\n') }] }],
    computer: null,
  };
}

/** So much of an answer is told. */
const MOST_SAID = 600;

/**
 * An answer of the model that plays the user, with its kind as the rules find it: `valid` where it tells a value that nobody told; else by what the
 * question asks for. An answer of nothing is one to go on.
 */
export function playedAnswer(
  user: SimulatedUser,
  before: readonly UserQuestion[],
  { question, reply }: { question: string; reply: ModelReply },
): UserQuestion {
  const byRule = userAnswer(user, before, question);
  const answer = answerPart(reply.text).replaceAll(/\s+/g, ' ').trim().slice(0, MOST_SAID);
  const told = new Set(before.flatMap(({ values }) => values));
  const news = user.knows.filter(({ isTold, value }) => !isTold && !told.has(value) && answer.includes(value));
  const values = [...new Set(news.map(({ value }) => value))];
  const kind = values.length > 0 ? 'valid' : byRule.kind === 'valid' ? 'irrelevant' : byRule.kind;
  return { question, answer: answer === '' ? GO_ON[0] : answer, kind, values };
}

/** The question that an agent's answer asks of its user now; null: none, or it may not ask any more. */
export const askedNow = (user: SimulatedUser, before: readonly UserQuestion[], reply: ModelReply): string | null =>
  before.length < user.most ? questionIn(reply) : null;

/** What every request of an agent says that may ask. */
function askingRules({ most }: SimulatedUser, before: readonly UserQuestion[]): string {
  const left = most - before.length;
  const may =
    left > 0
      ? `When you lack something that only the user knows, answer with ASK: and one question on a line, and nothing else; you may ask ${left} more. Do not ask for what you were told or can see.`
      : 'You have asked all that you may: ask nothing more.';
  const said = before.map(({ question, answer }) => `You asked: ${question}\nThe user said: ${answer}`);
  return [may, ...said].join('\n');
}

type Asking<S> = { user: SimulatedUser; inner: S; before: readonly UserQuestion[]; pending: ModelRequest | null };

/**
 * A strategy that may ask. A question is answered between its request and its answer: the same request goes out again with what the
 * user said, so that no strategy has to know of users. Too many questions are answers of which nothing can be done.
 */
export function asking<S>({ begin, next }: Strategy<S>, user: SimulatedUser): Strategy<Asking<S>> {
  const out = (state: Asking<S>, { state: inner, command, note }: Next<S>): Next<Asking<S>> => {
    if (command.do !== 'ask') return { state: { ...state, inner, pending: null }, command, note };
    const request = withRules(command.request, user, state.before);
    return { state: { ...state, inner, pending: command.request }, command: { do: 'ask', request }, note };
  };
  return {
    begin: (head) => ({ user, inner: begin(head), before: [], pending: null }),
    next(state, came: Came) {
      const question = came.came === 'answer' && state.pending !== null ? questionIn(came.reply) : null;
      if (question === null || state.pending === null || state.before.length >= user.most)
        return out(state, next(state.inner, came));
      const asked = (came.came === 'answer' ? came.said : undefined) ?? userAnswer(user, state.before, question);
      const before = [...state.before, asked];
      const request = withRules(state.pending, user, before);
      return { state: { ...state, before }, command: { do: 'ask', request }, note: null, question: asked };
    },
  };
}

const withRules = (request: ModelRequest, user: SimulatedUser, before: readonly UserQuestion[]): ModelRequest => ({
  ...request,
  system: `${request.system}\n\n${askingRules(user, before)}`,
});
