import type { AgentHead } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import { modelUrl } from '../models/model.ts';
import { SCREEN } from './run.ts';

/** What a model's run is begun with, from the command line and from the page alike. */

type Given = Pick<
  AgentHead,
  'agent' | 'task' | 'software' | 'goal' | 'protocol' | 'endpoint' | 'model' | 'limits' | 'prices'
>;

/** Throws USAGE for an address that cannot be taken, and for a budget without prices. */
export function modelHead(given: Given, more: Partial<AgentHead> = {}): AgentHead {
  const { protocol, endpoint, model } = given;
  modelUrl({ protocol, endpoint, model });
  refuseUnpriced(given);
  return {
    tool: null,
    declared: protocol !== 'openai',
    coordinates: null,
    maxTokens: null,
    plan: { high: null, mid: null },
    screen: SCREEN,
    recipe: '',
    resumes: null,
    ...given,
    ...more,
  };
}

export function refuseUnpriced({ limits, prices }: Pick<AgentHead, 'limits' | 'prices'>): void {
  if (limits.budget === null || prices) return;
  const why = 'nobody else knows what tokens cost';
  throw new StudioError('USAGE', `A budget (--budget) needs --price-in and --price-out, the prices of tokens: ${why}.`, {});
}

/** As `run` asks without other wishes. */
export const ASKING = { rate: null, timeoutMs: 120_000, tries: 6, backoffMs: 1000, patienceMs: 6000 };
