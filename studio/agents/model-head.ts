import type { AgentHead } from '../../schemas/agents.ts';
import type { BegunModel } from '../../schemas/api/runs.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Recipe } from '../../schemas/play.ts';
import { givenKey } from '../models/given-key.ts';
import { modelUrl } from '../models/model.ts';
import { PLAIN_SCREEN } from '../play/stage/stage.ts';
import type { Workspace } from '../store/workspace.ts';
import { type AgentFilm, filmOf } from './film.ts';
import { type Inject, injectedPlan } from './plan.ts';
import { type RunWishes, recipeHash } from './run.ts';
import { chosenShots, loadedShots, refuseShots } from './shots.ts';

/** What a model's run is begun with, from the command line and from the page alike. */

type Given = Pick<
  AgentHead,
  'agent' | 'task' | 'software' | 'goal' | 'protocol' | 'endpoint' | 'model' | 'limits' | 'prices'
>;

/** Throws USAGE for an address that cannot be taken, and as `refuseUnpriced` does. */
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
    screen: PLAIN_SCREEN,
    recipe: '',
    resumes: null,
    ...given,
    ...more,
  };
}

/** Throws USAGE for a budget without prices, and for one of nothing where a request costs something: nothing could be asked. */
export function refuseUnpriced({ limits, prices }: Pick<AgentHead, 'limits' | 'prices'>): void {
  if (limits.budget === null) return;
  if (prices) {
    if (limits.budget > 0 || (prices.input === 0 && prices.output === 0)) return;
    const message = 'A budget (--budget) of 0 pays for no request. Give more, or leave it out.';
    throw new StudioError('USAGE', message, { option: '--budget' });
  }
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

/**
 * What a page wishes, for runAgent; `earlier`: the run that it goes on with, whose film and plan it has. Throws as `modelHead`, `filmOf`
 * and `injectedPlan` do, and USAGE for a key that is not there.
 */
export async function askedInPage(
  workspace: Workspace,
  { task, goal, software }: Pick<AgentHead, 'task' | 'goal' | 'software'>,
  recipe: Recipe,
  wanted: BegunModel,
  earlier: { head: AgentHead; film: AgentFilm['pictures'] } | null,
): Promise<Pick<RunWishes, 'head' | 'film' | 'model' | 'patienceMs'>> {
  const {
    agent,
    protocol,
    endpoint,
    model,
    limits,
    prices,
    key,
    inject = 'none',
    window = 4,
    reflects = true,
    coordinates = null,
    temperature,
    shots: most = 0,
  } = wanted;
  const given = { agent, task, software, goal, protocol, endpoint, model, limits, prices };
  const freely = temperature === undefined ? {} : { temperature };
  const asking = {
    model: { ...askingWith(key), endpoint, protocol, model, tool: null, maxTokens: null, ...freely },
    patienceMs: PATIENCE_MS,
  };
  const stage = { screen: recipe.screen ?? PLAIN_SCREEN, recipe: recipeHash(recipe) };
  // Checked before pictures are made of a film. A unit that is to be measured is not known yet.
  const scale = coordinates === 'measure' ? null : coordinates;
  const head = modelHead(given, { ...stage, coordinates: scale, ...freely });
  if (earlier) return { ...asking, film: earlier.film, head: { ...earlier.head, limits, prices } };
  refuseInject(agent, inject);
  refuseShots(agent, most);
  const demonstration = wanted.demonstration ?? null;
  const film = agent === 'video-guided' ? await filmOf(workspace, { task, demonstration, window, reflects }) : null;
  const plan = await injectedPlan(workspace, { task, goal, inject, demonstration });
  const chosen = await chosenShots(workspace, { task, software, wanted: most, sameTask: false });
  const { shots, pictures } = await loadedShots(chosen);
  return {
    ...asking,
    head: { ...head, plan, ...(film && { video: film.video }), ...(shots.length > 0 && { shots }) },
    film: film?.pictures ?? pictures,
  };
}

/** Throws USAGE for a plan that is given to an agent that has no planner. */
export function refuseInject(agent: string, inject: Inject): void {
  if (inject === 'none' || agent === 'minimal') return;
  throw new StudioError('USAGE', `--inject gives plans to the planner of the agent minimal; ${agent} takes none.`, {});
}
