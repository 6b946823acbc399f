import type { AnnotationRecord } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { Agreement } from '../../schemas/api/review-models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { RESAMPLES } from './agreement/bootstrap.ts';
import { agreementOf } from './agreement/figures.ts';
import type { AgreementUnits } from './agreement/units.ts';
import { agreedOf } from './compare-agreed.ts';
import { compareItems } from './compare-differences.ts';
import { readDocument } from './compare-read.ts';
import type { CheckScore, ComparedDocument, CompareOptions, DocumentComparison } from './compare-types.ts';
import { unitsOf } from './compare-units.ts';

export type { AgreementUnits } from './agreement/units.ts';
export { thoughtOf } from './compare-differences.ts';
export { takeSide } from './compare-settle.ts';
export type { CheckScore, DocumentComparison } from './compare-types.ts';

/**
 * The differences between two or more annotations of one recording, in the recording's order, how many things they say
 * alike, and how well they agree by kind of data (AGREEMENT.md). Pure: the same documents give the same answer, intervals
 * too. Throws USAGE for fewer than two documents, or for one that is there twice.
 */
export function compareDocuments(
  steps: readonly Step[],
  documents: readonly ComparedDocument[],
  options: CompareOptions = {},
): DocumentComparison {
  const read = readAll(steps, documents);
  const items = compareItems(steps, read, options);
  const units = unitsOf(steps, read, options);
  return {
    differences: items.filter(({ same }) => !same).map(({ difference }) => difference),
    agreed: items.filter(({ same, drafted }) => same && drafted !== true).length,
    agreement: agreementOf([units], options.resamples ?? RESAMPLES),
    units,
  };
}

/** The records on which all documents agree: what an adjudicated document begins with (R16). Throws as `compareDocuments`. */
export function agreedRecords(
  steps: readonly Step[],
  documents: readonly ComparedDocument[],
  options: CompareOptions = {},
): AnnotationRecord[] {
  return agreedOf(steps, readAll(steps, documents), options);
}

/**
 * The agreement of many comparisons as one: from their pooled units, not a mean of their figures (R14). Of one pair of
 * people, or over all recordings.
 */
export function poolAgreement(
  comparisons: readonly AgreementUnits[],
  options: Pick<CompareOptions, 'resamples'> = {},
): Agreement {
  return agreementOf(comparisons, options.resamples ?? RESAMPLES);
}

/** How well the answer to a hidden check agrees with the known one (R17). */
export function checkScore(
  steps: readonly Step[],
  answer: ComparedDocument,
  known: ComparedDocument,
  options: CompareOptions = {},
): CheckScore {
  const { agreement, agreed, differences, units } = compareDocuments(steps, [answer, known], options);
  return { score: agreement.overall.value, right: agreed, of: agreed + differences.length, agreement, units };
}

function readAll(steps: readonly Step[], documents: readonly ComparedDocument[]) {
  const ids = documents.map(({ id }) => id);
  if (ids.length < 2 || new Set(ids).size < ids.length) {
    throw new StudioError('USAGE', `Two or more different documents can be compared, not [${ids.join(', ')}].`, {
      documents: ids,
    });
  }
  return documents.map((document) => readDocument(steps, document));
}
