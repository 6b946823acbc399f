import type { RejectReason, ReviewItem } from '../../schemas/review.ts';

/** Why something is rejected, in the order of the dialog; a letter chooses. `about`: what of a step the reason speaks of. */
export type Reason = { reason: RejectReason; key: string; label: string; about: ReviewItem['kind'] | null };

export const REASONS: readonly Reason[] = [
  { reason: 'wrong-element', key: 'E', label: 'Wrong element', about: 'element' },
  { reason: 'wrong-box', key: 'B', label: 'Box around something else', about: 'box' },
  { reason: 'loose-box', key: 'L', label: 'Box too loose or too tight', about: 'box' },
  { reason: 'wrong-narration', key: 'N', label: 'Wrong narration', about: 'narration' },
  { reason: 'wrong-text', key: 'T', label: 'Wrong text', about: 'text' },
  { reason: 'wrong-edge', key: 'G', label: 'Wrong subtask boundary', about: 'edge' },
  { reason: 'wrong-title', key: 'I', label: 'Wrong title', about: 'title' },
  { reason: 'should-be-removed', key: 'R', label: 'The step should be removed', about: 'removal' },
  { reason: 'should-be-kept', key: 'K', label: 'The step should be kept', about: 'removal' },
  { reason: 'missing-step', key: 'M', label: 'A step is missing', about: null },
  { reason: 'private', key: 'P', label: 'Private content', about: null },
  { reason: 'unclear', key: 'U', label: 'Unclear', about: null },
  { reason: 'other', key: 'O', label: 'Another reason', about: null },
];

export const reasonLabel = (reason: RejectReason): string =>
  REASONS.find((one) => one.reason === reason)?.label ?? reason;
