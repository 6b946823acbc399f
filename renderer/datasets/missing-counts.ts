import { MISSING_KINDS, type MissingKind } from '../../schemas/missing.ts';
import { tr } from '../language/tr.ts';

/** Functions: a text is found by the scripts where it is in the call. */
const COUNTED: Readonly<Record<MissingKind, (count: number) => string>> = {
  goal: (count) => tr('{count, plural, one {# goal} other {# goals}}', { count }),
  title: (count) => tr('{count, plural, one {# title} other {# titles}}', { count }),
  box: (count) => tr('{count, plural, one {# box} other {# boxes}}', { count }),
  'end-box': (count) => tr('{count, plural, one {# drag end} other {# drag ends}}', { count }),
  narration: (count) => tr('{count, plural, one {# narration} other {# narrations}}', { count }),
  pixels: (count) => tr('{count, plural, one {# pixel narration} other {# pixel narrations}}', { count }),
};

/** Counts of gaps in words, in the language shown: `2 boxes, 1 title`; empty when nothing is missing. */
export const missingCounts = (counts: Partial<Record<MissingKind, number>>): string =>
  MISSING_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [COUNTED[kind](count)] : [];
  }).join(', ');
