import { LRUCache } from 'lru-cache';
import {
  type AgreementUnits,
  type CheckScore,
  checkScore,
  compareDocuments,
  type DocumentComparison,
} from '../../../core/review/compare.ts';
import { ACTION_RULES_VERSION } from '../../../schemas/actions.ts';
import type { Agreement } from '../../../schemas/api/review-models.ts';
import { breathe } from '../../store/breathe.ts';
import { documentVersions } from '../../store/documents.ts';
import { keepReviewFigures, readReviewFigures } from '../../store/facts.ts';
import type { Store } from '../../store/store.ts';
import type { Documents, Looked } from '../documents.ts';
import { withDraftOrigins } from '../drafts.ts';

/** Comparisons of documents, and their figures, which are worked out once for each state of the documents. */

/** Whole comparisons kept in memory: one of 200 steps takes about 1 MB. */
const KEPT = 12;

/** The version of the figures that are kept in the database; raised when their shape or their making changes. */
const FIGURES_VERSION = 3;

/** The part of a comparison that is kept in the database. */
export type ReviewFigures = { agreement: Agreement; differences: number; units: AgreementUnits };
type CheckFigures = Pick<CheckScore, 'score' | 'units'>;

type Compared = DocumentComparison & { documents: Looked[] };

export type FigureSide = { id: string; person: string | null };

export function comparisons(store: Store, documents: Documents) {
  const kept = new LRUCache<string, Compared>({ max: KEPT });

  /** With whose words it holds: a model's are no agreement (core/review/AGREEMENT.md, R20). */
  async function look(recording: string, document?: string): Promise<Looked> {
    const looked = await documents.look(recording, document);
    const { id, folder, records } = looked;
    return { ...looked, records: await withDraftOrigins({ store }, { id: recording, folder }, id, records) };
  }

  async function compare(recording: string, sides: readonly FigureSide[]): Promise<Compared> {
    const looked: Looked[] = [];
    for (const { id } of sides) looked.push(await look(recording, id));
    const key = looked.map(({ id, version }) => `${id}@${version}`).join(' ');
    const known = kept.get(key);
    if (known) return known;
    const compared = sides.map((side, at) => ({ ...side, records: looked[at]!.records }));
    const found = { ...compareDocuments(looked[0]!.steps, compared), documents: looked };
    kept.set(key, found);
    return found;
  }

  /** The figures in the database while the documents have these versions; otherwise `work`'s, which are then kept there. */
  async function remembered<T>(recording: string, what: string, ids: readonly string[], work: () => Promise<T>) {
    const about = [what, FIGURES_VERSION, ACTION_RULES_VERSION, ...ids].join(' ');
    const versions = await versionsOf(ids);
    const place = { recording, about, versions };
    const known = await readReviewFigures(store, place);
    if (known !== null) return JSON.parse(known) as T; // Written below.
    const found = await work();
    await keepReviewFigures(store, place, JSON.stringify(found));
    // A page that asks for something else meanwhile is answered between two recordings.
    await breathe();
    return found;
  }

  async function versionsOf(ids: readonly string[]): Promise<string> {
    const versions = await documentVersions(store, ids);
    return ids.map((id) => versions.get(id) ?? 0).join(' ');
  }

  return {
    compare,
    /** How well documents of a recording agree. */
    figures: (recording: string, sides: readonly FigureSide[]): Promise<ReviewFigures> =>
      remembered(
        recording,
        'agreement',
        sides.map(({ id }) => id),
        async () => {
          const { agreement, differences, units } = await compare(recording, sides);
          return { agreement, differences: differences.length, units };
        },
      ),
    /** How well the answer to a hidden check agrees with the approved document. */
    check: (recording: string, answer: FigureSide): Promise<CheckFigures> =>
      remembered(recording, 'check', [answer.id, recording], async () => {
        const [mine, known] = [await look(recording, answer.id), await look(recording)];
        const { score, units } = checkScore(
          mine.steps,
          { ...answer, records: mine.records },
          { id: recording, person: null, records: known.records },
        );
        return { score, units };
      }),
  };
}
export type Comparisons = ReturnType<typeof comparisons>;
