import type { MissingKind } from '../../schemas/missing.ts';
import { tr } from '../language/tr.ts';

/** Gaps (N11) as the list names them: what core/annotate/missing.ts says, in the language shown. */
export const GAP_WORDS: Readonly<Record<MissingKind, string>> = {
  goal: tr('No goal'),
  title: tr('No title'),
  box: tr('No box around the element'),
  'end-box': tr('No box where the drag ends'),
  narration: tr('No narration'),
  pixels: tr('The narration says pixels'),
};
