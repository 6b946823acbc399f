import type { AgentHead } from '../../schemas/agents.ts';
import type { ModelPicture, ModelReply, ModelRequest } from '../../schemas/model-requests.ts';
import { type CoordinateScale, SCALES } from '../../schemas/scales.ts';
import { traceProgram } from '../evaluate/keys/run.ts';
import { codeInAnswer } from '../evaluate/keys/score.ts';
import { answerPart } from '../evaluate/reading/answer-part.ts';
import { SCALE_NAMES, scaledPlace } from '../evaluate/reading/scale.ts';
import { readActs } from '../evaluate/reading/tool-acts.ts';
import { directSystem } from './prompts.ts';

/** Measures by squares whose places are known whether a model's places are pixels or parts of the picture (M29). */

type Size = { width: number; height: number };
/** The middle and the side, px of the picture. */
export type KnownSquare = { x: number; y: number; side: number };

/** Shares of the picture, away from its middle, where all units of about a thousand would be alike, but for one. */
const PLACES = [
  [0.12, 0.8],
  [0.86, 0.24],
  [0.5, 0.5],
  [0.24, 0.9],
  [0.92, 0.68],
  [0.66, 0.84],
] as const;

export const knownSquares = ({ width, height }: Size): KnownSquare[] =>
  PLACES.map(([x, y]) => ({
    x: Math.round(x * width),
    y: Math.round(y * height),
    side: Math.max(16, Math.round(Math.min(width, height) / 16)),
  }));

/** Asked as the agent `direct` asks, so that the answer has the form of its answers. */
export const squareRequest = (head: AgentHead, picture: ModelPicture): ModelRequest => ({
  role: 'actor',
  system: directSystem(head),
  turns: [{ by: 'user', parts: [{ text: 'The goal: click once in the middle of the red square.' }, { picture }] }],
  computer: head.declared ? head.screen : null,
});

/** `own`: the form of the answer says what its numbers count. */
type Said = { numbers: readonly number[]; own: CoordinateScale | null };

/** The first place of an answer, as it was written; null: it names none. */
export function placeSaid(reply: Pick<ModelReply, 'text' | 'calls' | 'raw'>): Said | null {
  const text = answerPart(reply.text);
  if (reply.calls.length === 0 && /\bpyautogui\b/.test(text)) {
    try {
      const { acts } = traceProgram(codeInAnswer(text), { mouseCalls: 'ignored', screen: null, pictures: 'refused' });
      const at = acts.flatMap((act) => ('at' in act && act.at ? [act.at] : []))[0];
      return at ? { numbers: at, own: null } : null;
    } catch {
      return null;
    }
  }
  const read = readActs(reply.calls.length > 0 ? reply.raw : text);
  const at = read?.acts.flatMap((act) => ('at' in act && act.at ? [act.at] : []))[0];
  return read && at ? { numbers: at, own: read.scale } : null;
}

/** `scale` null: it is not known for the reason `why`, or need not be: `isSaid`, the form of the answers says it. */
export type MeasuredScale = { scale: CoordinateScale | null; isSaid: boolean; why: string };

/** Two units are told apart where one reads the places at least so many times as near to the squares as the other. */
const CLEARLY_NEARER = 2;

/**
 * Finds the unit in which most squares were hit; of two that hit about as many (a picture of about a thousand pixels, where
 * pixels and thousandths are nearly one) the one that reads the places clearly nearer. `said`: the answered place for each square.
 */
export function scaleOf(said: readonly (Said | null)[], squares: readonly KnownSquare[], size: Size): MeasuredScale {
  const of = squares.length;
  if (said.length === of && said.every((one) => one !== null && one.own !== null))
    return { scale: null, isSaid: true, why: 'the form of its answers says what their places count' };
  const fits = SCALES.map((scale) => fitOf(scale, said, squares, size)).sort(
    (a, b) => b.hits - a.hits || a.beside - b.beside,
  );
  const [best, next] = fits as [Fit, Fit];
  const counted = `${best.hits} of ${of} known squares were hit, read as ${SCALE_NAMES[best.scale]}`;
  const unknown = (why: string): MeasuredScale => ({ scale: null, isSaid: false, why });
  if (best.hits < Math.ceil(of * 0.6)) return unknown(`no unit fits: at best ${counted}`);
  if (best.hits - next.hits < 2 && next.beside < best.beside * CLEARLY_NEARER)
    return unknown(`two units fit about as well: ${counted}`);
  return { scale: best.scale, isSaid: false, why: counted };
}

/** `hits`: squares; `beside`: how far the places are beside their squares, px in the middle of all answers. */
type Fit = { scale: CoordinateScale; hits: number; beside: number };

function fitOf(
  scale: CoordinateScale,
  said: readonly (Said | null)[],
  squares: readonly KnownSquare[],
  size: Size,
): Fit {
  const far = squares.flatMap(({ x, y, side }, n) => {
    const one = said[n];
    if (!one) return [];
    const [a, b, c = a, d = b] = scaledPlace({ numbers: one.numbers, scale }, scale, size);
    return [{ px: Math.max(Math.abs((a + c) / 2 - x), Math.abs((b + d) / 2 - y)), side }];
  });
  // A model that hits beside the square by less than its side means it.
  const hits = far.filter(({ px, side }) => px <= side).length;
  const sorted = far.map(({ px }) => px).sort((a, b) => a - b);
  return { scale, hits, beside: sorted[sorted.length >> 1] ?? Number.POSITIVE_INFINITY };
}
