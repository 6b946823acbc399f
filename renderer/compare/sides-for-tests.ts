import type { Records } from '../../core/annotate/document.ts';
import { viewDocument } from '../../core/annotate/view.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { ComparedSide } from './sides.ts';

/** Documents of one recording as the sides of a comparison. */
export const sidesFor = (steps: readonly Step[], documents: readonly Records[]): ComparedSide[] =>
  documents.map((records, place) => ({
    document: `r~${place}`,
    person: String(place),
    place,
    records,
    view: viewDocument(steps, records),
  }));
