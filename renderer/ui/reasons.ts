import type { RejectReason, ReviewItem } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';

/** Why something is rejected, in the order of the dialog; a letter chooses. `about`: what of a step the reason speaks of. */
export type Reason = { reason: RejectReason; key: string; label: string; about: ReviewItem['kind'] | null };

export const REASONS: readonly Reason[] = [
  { reason: 'wrong-element', key: 'E', label: tr('Wrong element'), about: 'element' },
  { reason: 'wrong-box', key: 'B', label: tr('Box around something else'), about: 'box' },
  { reason: 'loose-box', key: 'L', label: tr('Box too loose or too tight'), about: 'box' },
  { reason: 'missing-box', key: 'A', label: tr('Box missing'), about: 'box' },
  { reason: 'wrong-narration', key: 'N', label: tr('Wrong narration'), about: 'narration' },
  { reason: 'wrong-text', key: 'T', label: tr('Wrong text'), about: 'text' },
  { reason: 'wrong-edge', key: 'G', label: tr('Wrong subtask boundary'), about: 'edge' },
  { reason: 'wrong-title', key: 'I', label: tr('Wrong title'), about: 'title' },
  { reason: 'should-be-removed', key: 'R', label: tr('The step should be removed'), about: 'removal' },
  { reason: 'should-be-kept', key: 'K', label: tr('The step should be kept'), about: 'removal' },
  { reason: 'missing-step', key: 'M', label: tr('A step is missing'), about: null },
  { reason: 'private', key: 'P', label: tr('Private content'), about: null },
  { reason: 'unclear', key: 'U', label: tr('Unclear'), about: null },
  { reason: 'other', key: 'O', label: tr('Another reason'), about: null },
];

export const reasonLabel = (reason: RejectReason): string =>
  REASONS.find((one) => one.reason === reason)?.label ?? reason;
