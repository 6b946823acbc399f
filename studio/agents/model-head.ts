import type { AgentHead } from '../../schemas/agents.ts';
import type { BegunModel } from '../../schemas/api/runs.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Recipe } from '../../schemas/play.ts';
import { givenKey } from '../models/given-key.ts';
import { modelUrl } from '../models/model.ts';
import { type RunWishes, recipeHash, SCREEN } from './run.ts';

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
  throw new StudioError(
    'USAGE',
    `A budget (--budget) needs --price-in and --price-out, the prices of tokens: ${why}.`,
    {},
  );
}

/** As commands ask without other wishes. */
const ASKING = { rate: null, timeoutMs: 120_000, tries: 6, backoffMs: 1000 };
/** The same with the key that a page names. Throws USAGE for one that is not there. */
export const askingWith = (key: BegunModel['key']): typeof ASKING & { key: string | null } => ({
  ...ASKING,
  key: givenKey(key),
});
const PATIENCE_MS = 6000;

/** What a page wishes, for runAgent. Throws as `modelHead` does, and USAGE for a key that is not there. */
export function askedInPage(
  { task, goal, software }: Pick<AgentHead, 'task' | 'goal' | 'software'>,
  recipe: Recipe,
  { agent, protocol, endpoint, model, limits, prices, key }: BegunModel,
): Pick<RunWishes, 'head' | 'model' | 'patienceMs'> {
  const given = { agent, task, software, goal, protocol, endpoint, model, limits, prices };
  return {
    head: modelHead(given, { screen: recipe.screen ?? SCREEN, recipe: recipeHash(recipe) }),
    model: { ...askingWith(key), endpoint, protocol, model, tool: null, maxTokens: null },
    patienceMs: PATIENCE_MS,
  };
}
