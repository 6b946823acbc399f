import { criticPrompt, readCritic } from '../../../core/evaluate/critic.ts';
import type { Evaluation, ScoredCase } from '../../../schemas/evaluate.ts';
import type { PlanTruth } from '../../../schemas/questions.ts';
import { type ChatOptions, createChat, endpointUrl } from '../../models/chat.ts';
import { type Prices, spending } from '../../models/spending.ts';
import { openCache } from './answer-cache.ts';
import { sha256 } from './data-set.ts';

export type CriticOptions = ChatOptions & {
  /** Answers that were paid for, by content. */
  cache: string;
  prices: Prices;
  concurrency: number;
};

/** `by`: who said so, for the case's line. */
type Verdict = { score: number | null; comment: string; by?: ScoredCase['critic'] };
/** Whoever scores plans: a model that is asked, or scores that it gave before. */
export type Critic = {
  /** Whether it has a say in plans of this kind. */
  judges(kind: PlanTruth['kind']): boolean;
  judge(plan: JudgedPlan): Promise<Verdict>;
  counts(): NonNullable<Evaluation['critic']>;
  /** SHA-256 of its prompt; null when nobody knows. */
  promptHash: string | null;
};
type JudgedPlan = { id: string; truth: PlanTruth; prediction: string; software: string };

/** The critic (M16). An answer without a score is asked once more, then it counts as unreadable. Throws as the chat does. */
export function openCritic(template: string, promptHash: string, options: CriticOptions): Critic {
  const chat = createChat(options);
  const cache = openCache(options.cache);
  const spent = spending(options.prices, null);
  const url = endpointUrl(options.endpoint);
  const counts = { asked: 0, cached: 0, again: 0, unreadable: 0 };
  // Two cases with the same texts that are judged at once are one question.
  const underWay = new Map<string, Promise<string>>();

  const answer = (prompt: string, round: 1 | 2): Promise<string> => {
    const key = sha256(JSON.stringify([url, options.model, options.maxTokens, prompt, round]));
    const known = cache.get(key);
    if (known) {
      counts.cached++;
      return Promise.resolve(known.text);
    }
    const running = underWay.get(key);
    if (running) return running;
    const asking = ask(key, prompt).finally(() => underWay.delete(key));
    underWay.set(key, asking);
    return asking;
  };
  const ask = async (key: string, prompt: string): Promise<string> => {
    spent.begin();
    counts.asked++;
    try {
      const reply = await chat.ask([{ type: 'text', text: prompt }]);
      cache.put(key, reply);
      spent.end(reply.usage);
      return reply.text;
    } catch (error) {
      spent.end(null);
      throw error;
    }
  };
  const by = { model: options.model, prompt: promptHash };
  return {
    promptHash,
    judges: () => true,
    async judge({ truth, prediction, software }) {
      const prompt = criticPrompt(template, truth, prediction, software);
      const first = readCritic(await answer(prompt, 1));
      if (first) return { ...first, by };
      counts.again++;
      const second = readCritic(await answer(prompt, 2));
      if (second) return { ...second, by };
      counts.unreadable++;
      return { score: null, comment: '', by };
    },
    counts: () => ({ model: options.model, loaded: 0, ...counts, tokens: { ...spent.tokens }, cost: spent.cost }),
  };
}
