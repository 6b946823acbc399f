import type { RgbImage } from '../../schemas/picture.ts';
import { CARET_BLOCKS } from './likeness.ts';
import { changedBlocks } from './sight.ts';

/** When a screen is at rest, by looks at it. It has no clock: every look says its time. */

/** Still for `stillMs`, looked at every `lookMs`, waited for at most `atMostMs`. */
export type RestTimes = { stillMs: number; lookMs: number; atMostMs: number };

/** After whoever's act: whatever followed it is there when nothing changes for so long. */
export const SETTLED = { stillMs: 300, lookMs: 60 };

/**
 * A busy machine looks rarely: what grows bit by bit is no more than a caret from one look to the next, so that it takes so many
 * looks to see that it does not grow.
 */
const LEAST_LOOKS = 4;

/**
 * `first`: the look since which it is still, at `since`; null: the screen could not be looked at. `looks`: how many since then, that
 * one too. Times in ms.
 */
export type Rest = {
  readonly began: number;
  readonly since: number;
  readonly first: RgbImage | null;
  readonly looks: number;
};

export const beginRest = (now: number, first: RgbImage | null): Rest => ({ began: now, since: now, first, looks: 1 });

/**
 * After another look. Nothing but a caret may have changed since the first of the still looks, always that one: what grows bit by
 * bit is no caret.
 */
export function restAfter(rest: Rest, now: number, picture: RgbImage | null): Rest {
  const { first } = rest;
  const isStill = first && picture && (changedBlocks(first, picture)?.size ?? CARET_BLOCKS + 1) <= CARET_BLOCKS;
  return isStill ? { ...rest, looks: rest.looks + 1 } : { ...rest, since: now, first: picture, looks: 1 };
}

/** Whether it is at rest, or was waited for long enough: a screen that is never at rest is taken as it is. */
export const isRestOver = ({ began, since, looks }: Rest, now: number, { stillMs, atMostMs }: RestTimes): boolean =>
  (now - since >= stillMs && looks >= LEAST_LOOKS) || now - began >= atMostMs;
