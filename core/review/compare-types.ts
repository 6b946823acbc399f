import type { Agreement, Comparison, Difference } from '../../schemas/api/review-models.ts';
import type { Records } from '../annotate/document.ts';
import type { Language } from '../annotate/narration.ts';
import type { AgreementUnits } from './agreement/units.ts';

/** One of the documents that are compared, over the same steps. */
export type ComparedDocument = {
  id: string;
  /** Whose it is: figures pooled over recordings know people again by it. Absent or null: the document's id. */
  person?: string | null;
  records: Records;
};

export type CompareOptions = {
  /** The language of made narrations, which stand against written ones. Default `en`. */
  language?: Language;
  /** Boxes that overlap by this IoU or more say the same (R12). Default 0.75. */
  boxIou?: number;
  /** The unit of a subtask's length (R8): actions (default), or the session clock. */
  subtasksOver?: 'actions' | 'time';
  /** Resamples of the bootstrap; 0: no intervals. Default 1000. */
  resamples?: number;
};

/** A comparison but for what the studio adds to it: the recording and the documents' states. */
export type DocumentComparison = Pick<Comparison, 'differences' | 'agreed' | 'agreement'> & { units: AgreementUnits };

export type CheckScore = {
  /** 0 to 1 (R15); null when there is nothing to compare. */
  score: number | null;
  /** The number of things that the answer and the known one say alike, of all that either says. */
  right: number;
  of: number;
  agreement: Agreement;
  units: AgreementUnits;
};

/**
 * One thing that is compared: whether all who have a say of it say the same. `drafted`: somebody took a model's words, so that
 * saying the same is no agreement (R20).
 */
export type DifferenceItem = { difference: Difference; same: boolean; drafted?: boolean };
