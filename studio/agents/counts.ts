import type { AgentHead, AgentLine, AgentReport } from '../../schemas/agents.ts';
import type { ModelReply } from '../../schemas/model-requests.ts';

/** What a run has cost, and how much it did, from the lines of its log. */

export type Counts = Pick<AgentReport, 'rounds' | 'steps' | 'unclear' | 'refused' | 'questions' | 'tokens' | 'cost'>;

/** Floating point: a sum of costs may miss the budget by this. */
const ROUNDING = 1e-9;

/** Money for an answer; null: nobody said a price, or the endpoint did not count. */
export function costOf({ usage }: ModelReply, prices: AgentHead['prices']): number | null {
  if (!prices || !usage) return null;
  return (usage.input * prices.input + usage.output * prices.output) / 1e6;
}

export function runCounts(lines: readonly AgentLine[], { prices }: Pick<AgentHead, 'prices'>): Counts {
  const answers = lines.filter((line) => line.type === 'answered');
  const tokens = { input: 0, output: 0, uncounted: 0 };
  const questions = answers.flatMap(({ question }) => question ?? []);
  let cost = 0;
  for (const { reply, cost: paid } of answers) {
    tokens.input += reply.usage?.input ?? 0;
    tokens.output += reply.usage?.output ?? 0;
    if (!reply.usage) tokens.uncounted++;
    cost += paid ?? 0;
  }
  return {
    rounds: answers.length,
    steps: lines.filter((line) => line.type === 'acted' && line.problem === null).length,
    unclear: answers.filter(({ note }) => note?.kind === 'unclear').length,
    refused: answers.filter(({ note }) => note?.kind === 'refused').length,
    ...(questions.length > 0 && { questions }),
    tokens,
    cost: prices ? cost : null,
  };
}

/**
 * Whether one more request fits the budget, where it may be as dear as the dearest so far; null: how much was spent is not known,
 * since the endpoint did not count.
 */
export function fitsBudget(lines: readonly AgentLine[], { limits, prices }: AgentHead): boolean | null {
  const { budget } = limits;
  if (budget === null) return true;
  const answers = lines.filter((line) => line.type === 'answered');
  if (answers.some(({ reply }) => !reply.usage)) return null;
  const costs = answers.map(({ cost }) => cost ?? 0);
  const spent = costs.reduce((sum, one) => sum + one, 0);
  const isFree = !prices || (prices.input === 0 && prices.output === 0);
  return isFree || (spent < budget && spent + costs.reduce((most, one) => Math.max(most, one), 0) <= budget + ROUNDING);
}
