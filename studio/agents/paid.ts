import type { DraftLine } from '../../schemas/draft.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import type { JudgeHead, JudgeLine } from '../../schemas/judge.ts';
import type { ModelReply, ModelRequest } from '../../schemas/model-requests.ts';
import type { CandidateLine } from '../../schemas/step-candidates.ts';
import { type ModelOptions, openModel } from '../models/model.ts';
import type { spending } from '../models/spending.ts';
import { costOf } from './counts.ts';

/** Requests about recordings that cost money: what was paid for before is not asked again, and the budget holds. */

export type PaidModel = Pick<JudgeHead, 'endpoint' | 'protocol' | 'maxTokens' | 'prices' | 'budget' | 'models'> & {
  pictures: ReadonlyMap<string, Buffer>;
  /** As a run asks; the model's name comes with each request. */
  model: Omit<ModelOptions, 'signal' | 'model' | 'endpoint' | 'protocol' | 'tool' | 'maxTokens'>;
  /** Of all that the command asks. */
  spent: ReturnType<typeof spending>;
  signal: AbortSignal;
};

export type Answered = { reply: ModelReply; tookMs: number; cost: number | null; kept: boolean };
/** `before`: an earlier answer to the same; null: there is none. */
export type AskPaid = (model: string, request: ModelRequest, before: ModelReply | null) => Promise<Answered>;

export type AskedEnd = 'budget' | 'uncounted' | 'endpoint' | 'stopped' | 'failed';

/** A limit: not an error, but how it ended. */
class Ended extends Error {
  readonly how: AskedEnd;
  constructor(how: AskedEnd, why: string) {
    super(why);
    this.how = how;
  }
}

const UNCOUNTED = 'the endpoint does not say how many tokens its answers take, so that the budget cannot be held';

export type PaidLine = DraftLine | JudgeLine | CandidateLine;

/** How many answers a log has and what they cost, an earlier one's left out; `cost` is null where nothing is known of prices. */
export function answersIn(lines: readonly PaidLine[], prices: PaidModel['prices']) {
  const answers = lines.filter((line) => line.type === 'answered');
  const kept = answers.filter((one) => one.kept).length;
  return {
    asked: answers.length - kept,
    kept,
    refused: answers.flatMap((one) => one.refused ?? []),
    cost: prices ? answers.reduce((sum, one) => sum + (one.kept ? 0 : (one.cost ?? 0)), 0) : null,
  };
}

/** What it gives throws where a limit is reached or the endpoint fails: see `endOfAsking`. */
export function paidAsker({ pictures, model, spent, signal, ...head }: PaidModel): AskPaid {
  const { endpoint, protocol, maxTokens, prices, budget } = head;
  const png = (sha256: string): string => {
    const picture = pictures.get(sha256);
    if (!picture) throw new RangeError(`there is no picture ${sha256}`);
    return picture.toString('base64');
  };
  const models = new Map(
    head.models.map((name) => [
      name,
      openModel({ ...model, endpoint, protocol, model: name, tool: null, maxTokens, signal }, png),
    ]),
  );
  return async (name, request, before) => {
    signal.throwIfAborted();
    if (before) return { reply: before, tookMs: 0, cost: 0, kept: true };
    if (budget !== null && spent.guessed > 0) throw new Ended('uncounted', UNCOUNTED);
    if (!spent.begin()) throw new Ended('budget', `one more request might go over the budget of ${budget}`);
    const began = performance.now();
    let usage: ModelReply['usage'] = null;
    let answered = false;
    try {
      const reply = await models.get(name)!.ask(request); // One for each model of the head.
      answered = true;
      usage = reply.usage;
      return { reply, tookMs: Math.round(performance.now() - began), cost: costOf(reply, prices), kept: false };
    } finally {
      spent.end(answered ? { input: usage?.input ?? 0, output: usage?.output ?? 0, told: usage !== null } : null);
    }
  };
}

export function endOfAsking(error: unknown, signal: AbortSignal): { how: AskedEnd; why: string } {
  if (error instanceof Ended) return { how: error.how, why: error.message };
  if (signal.aborted) return { how: 'stopped', why: 'it was stopped' };
  const isEndpoint = error instanceof StudioError && error.code === 'ENDPOINT_FAILED';
  return isEndpoint ? { how: 'endpoint', why: error.message } : { how: 'failed', why: whyNot(error) };
}

/** By which an answer is found again. `hash`: of the request. */
export const answerKey = (model: string, hash: string): string => `${model}\n${hash}`;

/** Answers of the same endpoint that were paid for before, by `answerKey`. */
export function keptAnswers(
  logs: readonly { lines: readonly (JudgeLine | DraftLine | CandidateLine)[] }[],
  { endpoint, protocol }: Pick<PaidModel, 'endpoint' | 'protocol'>,
): Map<string, ModelReply> {
  const kept = new Map<string, ModelReply>();
  for (const { lines } of logs) {
    const head = lines.find((line) => line.type === 'begun')?.head;
    if (head?.endpoint !== endpoint || head.protocol !== protocol) continue;
    const asked = new Map(lines.flatMap((line) => (line.type === 'asked' ? [[line.n, line] as const] : [])));
    for (const line of lines) {
      const of = line.type === 'answered' ? asked.get(line.n) : undefined;
      if (!of || line.type !== 'answered') continue;
      kept.set(answerKey('judge' in of ? of.judge.model : of.model, of.hash), line.reply);
    }
  }
  return kept;
}
