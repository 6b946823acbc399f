import type { Analysis } from '../video/analyse.ts';
import type { Overview } from './read.ts';
import { findStart, type Start } from './start.ts';

/** How their positions become px of the picture, and what is to be said of it. */
export type Positions = {
  scale: { x: number; y: number };
  start: Start | null;
  lost: string[];
  guessed: string[];
  missing: string[];
};

type Size = { width: number; height: number };

/** What systems offer as the size of things on a screen. */
const FACTORS = [1.25, 1.5, 1.75, 2, 2.25, 2.5, 3] as const;
/** Points beyond an edge that are the edge's own (core/import/ducktrack.ts). */
const EDGE = 2;

/**
 * Positions are points of the screen that metadata.json tells. Where they reach beyond it, the screen was told at another scale
 * than they are (150 %), or a second screen lay beside it: the former is seen by the video's size, or by where the pictures
 * change; the latter, and what cannot be told, is said.
 */
export function positionsOf(
  overview: Overview,
  picture: Size,
  seen: Pick<Analysis, 'frames' | 'grid'> | null,
): Positions {
  const { screen_width: sw, screen_height: sh } = overview.metadata;
  const told = { x: picture.width / sw, y: picture.height / sh };
  const start = (scale: Positions['scale']): Start | null => seen && findStart(overview, seen, picture, scale);
  const asTold: Positions = { scale: told, start: start(told), lost: [], guessed: [], missing: [] };
  const outside = beyond(overview.places, told, picture);
  if (outside.length === 0) return withScale(asTold, { sw, sh }, picture);
  const reach = `they reach from ${spanOf(overview.places)}, and metadata.json tells a screen of ${sw} x ${sh}`;

  // A video of the whole screen, larger than it is told to be by just what a system offers: positions are its px.
  const isScaled = FACTORS.some((factor) => [told.x, told.y].every((one) => Math.abs(one / factor - 1) < 0.01));
  const px = { x: 1, y: 1 };
  if (isScaled && beyond(overview.places, px, picture).length === 0) {
    const percent = Math.round(told.x * 100);
    const said = `positions: px of the video, whose screen is scaled by ${percent} % (${reach})`;
    const other = start(px);
    // A Mac tells of points alone, so there it is a second screen unless the pictures say otherwise.
    const least = agreementOf(asTold.start) + (overview.metadata.system === 'Darwin' ? 1 : 0);
    if (agreementOf(other) >= least) return { ...asTold, scale: px, start: other, guessed: [said] };
  }
  for (const factor of FACTORS) {
    const scale = { x: told.x / factor, y: told.y / factor };
    if (beyond(overview.places, scale, picture).length > 0) continue;
    const other = start(scale);
    if (agreementOf(other) <= agreementOf(asTold.start)) break;
    const said = `positions: of a screen scaled by ${factor * 100} %, at which the pictures change where something was pressed (${reach})`;
    return { ...asTold, scale, start: other, guessed: [said] };
  }
  const all = overview.places.length;
  const result = withScale(asTold, { sw, sh }, picture);
  result.lost.push(
    `where ${outside.length} of ${all} clicks and wheel turns were: outside of the recorded screen (${reach}), as on a second one beside it`,
  );
  result.missing.push(
    `the pictures of ${outside.length} of ${all} clicks and wheel turns outside of the recorded screen`,
  );
  return result;
}

function withScale(positions: Positions, { sw, sh }: { sw: number; sh: number }, { width, height }: Size): Positions {
  const { scale } = positions;
  if (scale.x === 1 && scale.y === 1) return positions;
  const guessed = [`positions: ${sw} x ${sh} points of the screen taken to ${width} x ${height} px of the video`];
  const lost =
    Math.min(scale.x, scale.y) < 0.99
      ? ['positions finer than a pixel of the video, which is smaller than the screen']
      : [];
  if (Math.abs(scale.x / scale.y - 1) > 0.02)
    guessed.push('the video has another shape than the screen: positions may be off at its edges');
  return { ...positions, lost, guessed };
}

const beyond = (places: Overview['places'], scale: Positions['scale'], { width, height }: Size): Overview['places'] =>
  places.filter(({ x, y }) => {
    const out = (at: number, by: number, size: number): boolean =>
      Math.round(at * by) < -Math.ceil(EDGE * by) || Math.round(at * by) > size - 1 + Math.ceil(EDGE * by);
    return out(x, scale.x, width) || out(y, scale.y, height);
  });

function spanOf(places: Overview['places']): string {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of places) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return `(${Math.round(left)}, ${Math.round(top)}) to (${Math.round(right)}, ${Math.round(bottom)})`;
}

/** How many inputs are seen in the pictures, when they are at these places. */
const agreementOf = (start: Start | null): number => (start?.found.known ? start.found.agree : 0);
