import type { EvaluateOptions, PerformedKeys, ScoredCase } from '../../schemas/evaluate.ts';
import { plural } from '../words.ts';
import { canonicalKey } from './keys/names.ts';
import { scoreKeys } from './keys/score.ts';

/** Keys that were performed on a stage and recorded there, beside what was read of the answer (M32). */

/** The keys that were recorded while one answer was performed, or the reason why it was not performed. */
export type PerformedAnswer = { keys: string[] } | { why: string };

/** A case of kind keys with what its performing gave. Its scores stay those of the reading. */
export function withPerformed(
  scored: ScoredCase,
  truth: readonly string[],
  performed: PerformedAnswer,
  options: Pick<EvaluateOptions, 'keysReading'>,
): ScoredCase {
  if ('why' in performed) {
    return {
      ...scored,
      performed: { keys: null, same: null, scores: null, why: performed.why },
      why: `${scored.why} It was not performed: ${performed.why}.`,
      notes: [...scored.notes, 'not-performed'],
    };
  }
  const read = keysRead(scored);
  const keys = performed.keys.map(canonicalKey);
  const same = read.length === keys.length && read.every((key, n) => canonicalKey(key) === keys[n]);
  const scores = scoreKeys(truth, keys, options.keysReading);
  // Its place in a case is a number; of nothing that was seen no share is right.
  const shown: PerformedKeys = { keys, same, scores: { ...scores, precision: scores.precision ?? 0 }, why: null };
  if (same) return { ...scored, performed: shown };
  const why = `Read, it presses ${list(read)}; performed on a stage, the recorder saw ${list(keys)}.`;
  return {
    ...scored,
    performed: { ...shown, why },
    why: `${scored.why} ${why}`,
    notes: [...scored.notes, 'performed-otherwise'],
  };
}

function keysRead({ reading }: ScoredCase): readonly string[] {
  const keys: unknown = typeof reading === 'object' && reading !== null ? Reflect.get(reading, 'keys') : null;
  return Array.isArray(keys) ? keys.map(String) : [];
}

const MOST_SHOWN = 20;
function list(keys: readonly string[]): string {
  if (keys.length === 0) return 'nothing';
  const more = keys.length - MOST_SHOWN;
  const shown = keys.slice(0, MOST_SHOWN).map((key) => (key === ' ' ? 'space' : key));
  return shown.join(' ') + (more > 0 ? ` and ${plural(more, 'key')} more` : '');
}

/** How performing and reading agree over all cases. */
export function performedCounts(): {
  add(scored: ScoredCase): void;
  result(): { same: number; otherwise: number; not: number; recall: number | null; precision: number | null };
} {
  let [same, otherwise, not, recall, precision] = [0, 0, 0, 0, 0];
  return {
    add({ performed }) {
      if (!performed) return;
      if (performed.scores === null) not++;
      else {
        if (performed.same) same++;
        else otherwise++;
        recall += performed.scores.recall;
        precision += performed.scores.precision;
      }
    },
    result() {
      const of = same + otherwise;
      return {
        same,
        otherwise,
        not,
        recall: of === 0 ? null : recall / of,
        precision: of === 0 ? null : precision / of,
      };
    },
  };
}
