import type { CandidateHead } from '../../../schemas/step-candidates.ts';
import { modelUrl } from '../../models/model.ts';
import { spending } from '../../models/spending.ts';
import { refuseUnpriced } from '../model-head.ts';
import { askForCandidates, type CandidateReport, type CandidateWishes } from './ask.ts';
import type { ShownForCandidates } from './subject.ts';

/** A model is asked for candidates of the steps of a recording, from the command line and from the page alike. */

export type CandidatesAsked = Omit<CandidateHead, 'subject'>;

/** Throws USAGE for an address that cannot be taken, and for a budget without prices. */
export function refuseCandidates(
  asked: Pick<CandidatesAsked, 'protocol' | 'endpoint' | 'model' | 'budget' | 'prices'>,
): void {
  modelUrl(asked);
  refuseUnpriced({ limits: { rounds: 1, timeMs: null, budget: asked.budget }, prices: asked.prices });
}

type Wishes = Pick<CandidateWishes, 'folder' | 'model' | 'again' | 'progress' | 'signal'> & {
  shown: ShownForCandidates;
  asked: CandidatesAsked;
};

/** Throws as `askForCandidates`. */
export const sampleRecording = ({ shown, asked, ...wishes }: Wishes): Promise<CandidateReport> =>
  askForCandidates({
    ...wishes,
    head: { subject: shown.subject, ...asked },
    pictures: shown.pictures,
    spent: spending(asked.prices ?? { input: 0, output: 0 }, asked.budget),
  });
