/**
 * Keyframes of a video without events: an instructional video, a phone recording (K6; mobile-agent-v.txt 3.2, A.1.2).
 * Pure: the studio decodes the samples and counts the pixels that differ.
 */

/**
 * How the keyframes of a video are chosen: by K6; by K9, the paper's equations to the letter; by K10, which is for desktops
 * (regions.ts); by K11, the same where a letter counts, too (marks.ts).
 */
export const SAMPLE_RULES = ['K6', 'K9', 'K10', 'K11'] as const;
export type SampleRule = (typeof SAMPLE_RULES)[number];
/** Whether a rule looks where something changed: it takes no interval, share or gap. */
export const isByRegions = (rule: SampleRule): boolean => rule === 'K10' || rule === 'K11';

/** K6: the share of changed pixels at which a sample is kept; which one fits is the person's choice. */
export const SAMPLE_SHARE = { text: 0.3, colourful: 0.5 } as const;

export type SampleOptions = {
  /** `s`: keep a sample when at least this share of its pixels differs from the next sample, 0 to 1. */
  share: number;
  /** `f`: drop a sample nearer than this to the last one kept, in the unit of `times`. */
  gap: number;
};

/**
 * How many of the sample times 0, `every`, 2 `every`, … lie below `duration` (same unit for both). A count, so that a
 * video can be sampled while it is decoded, before its duration is known. Throws RangeError when `every` is not positive.
 */
export function sampleCount(duration: number, every: number): number {
  if (!(every > 0)) throw new RangeError(`the sampling interval must be positive, not ${every}`);
  return Math.max(0, Math.ceil(duration / every));
}

/**
 * The same as equation 3 has it (K9): of samples that are kept one after another, that stays which is at least `gap` before the
 * next of them. So the last of a burst stays, where K6 keeps the first.
 */
export function keepSamplesToTheLetter(
  times: readonly number[],
  shares: readonly number[],
  { share, gap }: SampleOptions,
): number[] {
  const differing = keepSamples(times, shares, { share, gap: Number.NEGATIVE_INFINITY });
  return differing.filter((index, at) => {
    const next = differing[at + 1];
    return next === undefined || times[next]! - times[index]! >= gap;
  });
}

/**
 * The indices of the samples to keep, ascending. `times` ascend; `shares[i]` is the share of pixels that differ between
 * sample i and sample i + 1, so there is one fewer. The last sample always stays.
 * Throws RangeError when the counts do not fit.
 */
export function keepSamples(times: readonly number[], shares: readonly number[], options: SampleOptions): number[] {
  const expected = Math.max(0, times.length - 1);
  if (shares.length !== expected) {
    throw new RangeError(`${times.length} samples have ${expected} changes between them, not ${shares.length}`);
  }
  const kept: number[] = [];
  for (const [index, share] of shares.entries()) {
    if (share < options.share) continue;
    const last = kept.at(-1);
    if (last !== undefined && times[index]! - times[last]! < options.gap) continue;
    kept.push(index);
  }
  if (times.length > 0) kept.push(times.length - 1);
  return kept;
}
