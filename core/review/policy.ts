import type { ReviewPolicy } from '../../schemas/review.ts';

/** The lot by which the rules of the data set choose (RV4, RV12): the same seed, the same choice, on every machine. */

/** FNV-1a, 32 bits, over UTF-16 code units (www.isthe.com/chongo/tech/comp/fnv), then mixed as in MurmurHash3's fmix32. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** A number from 0 (inclusive) to 1 (exclusive) that belongs to these words. */
export const lot = (...words: readonly (string | number)[]): number => hash(words.join('\u0000')) / 2 ** 32;

/** How many people are to annotate this recording. */
export function plannedReplicas(policy: ReviewPolicy, recording: string): number {
  if (policy.replicas < 2) return 1;
  return lot(policy.seed, 'replicas', recording) < policy.replicaShare ? policy.replicas : 1;
}

/** Whether the piece of work that a person begins after `begun` others is a hidden check. */
export function isCheckTurn(policy: ReviewPolicy, person: string, begun: number): boolean {
  return policy.checkShare > 0 && lot(policy.seed, 'check', person, begun) < policy.checkShare;
}

/** Which of these recordings is the check; null without any. The order they come in makes no difference. */
export function chooseCheck(
  policy: ReviewPolicy,
  person: string,
  begun: number,
  recordings: readonly string[],
): string | null {
  let best: { recording: string; drawn: number } | null = null;
  for (const recording of recordings) {
    const drawn = lot(policy.seed, 'which check', person, begun, recording);
    if (!best || drawn < best.drawn || (drawn === best.drawn && recording < best.recording))
      best = { recording, drawn };
  }
  return best?.recording ?? null;
}
