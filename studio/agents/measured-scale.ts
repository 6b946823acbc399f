import { createHash } from 'node:crypto';
import sharp from 'sharp';
import {
  type KnownSquare,
  knownSquares,
  type MeasuredScale,
  placeSaid,
  scaleOf,
  squareRequest,
} from '../../core/agents/measured-scale.ts';
import type { AgentHead } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { ModelPicture } from '../../schemas/model-requests.ts';
import { spending } from '../models/spending.ts';
import type { Workspace } from '../store/workspace.ts';
import { endOfAsking, type PaidModel, paidAsker } from './paid.ts';
import { agentRuns } from './runs.ts';

/** Asks a model where known squares are, so that it is known what its places count; what was measured before is taken from its runs. */

export type ScaleWishes = Pick<PaidModel, 'model' | 'signal'> & {
  head: AgentHead;
  spent: ReturnType<typeof spending>;
  progress(text: string): void;
};

/**
 * The unit that an earlier run of the same model at the same endpoint was begun with, else measured. Throws USAGE, with the reason,
 * where it is not known then, unless answers say themselves what their places count; and what the signal is aborted with.
 */
export async function knownScale(workspace: Workspace, wishes: ScaleWishes): Promise<AgentHead['coordinates']> {
  const { head, progress } = wishes;
  for (const { recording, head: one } of await agentRuns(workspace)) {
    if (one.agent === 'human' || one.coordinates === null) continue;
    if (one.endpoint !== head.endpoint || one.model !== head.model || one.protocol !== head.protocol) continue;
    progress(`What its places count: ${one.coordinates}, as for its run ${recording}.`);
    return one.coordinates;
  }
  const { scale, isSaid, why } = await measureScale(wishes);
  wishes.signal.throwIfAborted();
  progress(`What its places count: ${scale ?? (isSaid ? 'each answer says it' : 'not known')} (${why}).`);
  if (scale !== null || isSaid) return scale;
  throw new StudioError(
    'USAGE',
    `What the places of ${head.model} count could not be measured: ${why}. Say what they count (--coordinates), or leave it open.`,
    { option: '--coordinates' },
  );
}

/**
 * The head with the unit that `knownScale` finds, and with what the questions left of its budget: both are for the runs that follow.
 * Throws as `knownScale` does.
 */
export async function measuredHead(workspace: Workspace, wishes: Omit<ScaleWishes, 'spent'>): Promise<AgentHead> {
  const { prices, limits } = wishes.head;
  const spent = spending(prices ?? { input: 0, output: 0 }, limits.budget);
  const coordinates = await knownScale(workspace, { ...wishes, spent });
  const budget = limits.budget === null ? null : Math.max(0, limits.budget - spent.cost);
  return { ...wishes.head, coordinates, limits: { ...limits, budget } };
}

/** Never throws for what the endpoint or the model did: then the unit is not known, and why. */
async function measureScale({ head, model, spent, signal }: ScaleWishes): Promise<MeasuredScale> {
  const squares = knownSquares(head.screen);
  const pictures = new Map<string, Buffer>();
  const shown: ModelPicture[] = [];
  for (const square of squares) {
    const png = await drawSquare(square, head.screen);
    const sha256 = createHash('sha256').update(png).digest('hex');
    pictures.set(sha256, png);
    shown.push({ sha256, ...head.screen });
  }
  const { budget } = head.limits;
  const ask = paidAsker({ ...head, budget, models: [head.model], pictures, model, spent, signal });
  const said: ReturnType<typeof placeSaid>[] = [];
  try {
    for (const picture of shown) {
      const { reply } = await ask(head.model, squareRequest(head, picture), null);
      said.push(placeSaid(reply));
    }
  } catch (error) {
    const { why } = endOfAsking(error, signal);
    return { scale: null, isSaid: false, why };
  }
  return scaleOf(said, squares, head.screen);
}

/** A red square on a grey picture of this size. */
const drawSquare = ({ x, y, side }: KnownSquare, { width, height }: AgentHead['screen']): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#d8d8d8' } })
    .composite([
      {
        input: { create: { width: side, height: side, channels: 3, background: '#d01010' } },
        left: x - Math.floor(side / 2),
        top: y - Math.floor(side / 2),
      },
    ])
    .png()
    .toBuffer();
