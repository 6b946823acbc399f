import type { ReviewState } from '../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../schemas/review.ts';

/** A recording `r` in review, of which nobody has said anything yet. */
export const emptyReview: ReviewState = {
  recording: 'r',
  n: 0,
  state: 'in-review',
  replicas: 1,
  round: 1,
  claim: null,
  own: 'r',
  blind: false,
  documents: [],
  decisions: [],
  threads: [],
  settled: [],
  judgements: [],
  may: {} as ReviewState['may'],
};

/** The act that accepts a step. */
export const acceptOf = (action: string): ReviewAct => ({
  type: 'decide',
  item: { kind: 'step', action },
  version: 1,
  verdict: 'accept',
  reason: null,
  comment: '',
});
