import type { ReviewState } from '../../../schemas/api/review-models.ts';
import type { RecordingState } from '../../../schemas/task-terms.ts';
import { tr } from '../../language/tr.ts';

/** A person's rights in a document, as the studio says them: the page asks before a key, the studio decides. */
export type Access = {
  review: ReviewState | null;
  person: string | null;
  /** The document that is open. */
  document: string;
  recording: string;
  /** The state in the recording's row, for when nobody was chosen and no review was asked for. */
  state: RecordingState;
};

/** Why nothing may be written in the document now, in words; null when it may. */
export function readOnlyReason({ review, person, document, recording, state }: Access): string | null {
  if (!review || person === null) {
    if (['recorded', 'annotating', 'rejected'].includes(state)) return null;
    return tr('{why} Choose your name to see what you may do.', {
      why: AT_REST[state] ?? tr('It is not being annotated now.'),
    });
  }
  if (holdsClaim(review, person)) {
    return document === recording
      ? null
      : tr('A reviewer writes in the main document; a replica stays as it was submitted.');
  }
  if (document !== (review.own ?? recording)) return tr('This is somebody else’s annotation.');
  const mine = review.documents.find((one) => one.id === document);
  const inWork = review.state === 'annotating' || review.state === 'rejected' || review.state === 'recorded';
  if (mine?.submitted != null && review.state === 'approved') return AT_REST.approved ?? null;
  if (mine?.submitted != null && review.state !== 'rejected') {
    return tr('It is submitted for review. {withdraw}', {
      withdraw: review.may.withdraw ?? tr('Withdraw it to change it.'),
    });
  }
  // Begun already, or begun by the first gesture.
  if (review.may.submit === null || review.may.begin === null) return null;
  if (mine && inWork && review.own === document) return null;
  return review.may.begin ?? AT_REST[review.state] ?? null;
}

export function holdsClaim(review: ReviewState | null, person: string | null): boolean {
  return review?.claim != null && review.claim.person === person;
}

const AT_REST: Partial<Record<RecordingState, string>> = {
  annotated: tr('It is submitted for review.'),
  'in-review': tr('It is being reviewed.'),
  approved: tr('It is approved.'),
};
