import type { Step } from '../../schemas/api/models.ts';
import type { Decision } from '../../schemas/api/review-models.ts';
import type { ReviewItem } from '../../schemas/review.ts';
import type { Records } from '../annotate/document.ts';
import { boxId, labelId, removalId } from '../annotate/ids.ts';
import { stepIndex } from '../annotate/subtasks.ts';
import { itemKey, itemKeys, stepAspects } from './items.ts';
import type { Review, ReviewThread, StandingDecision } from './project.ts';

/** The standing of decisions over the document as it is now (RV8). */

/** Who touched what of a document when: by key (items.ts), ascending in version. */
export type Touches = ReadonlyMap<string, readonly { version: number; person: string }[]>;

type ReviewedDocument = { steps: readonly Step[]; records: Records; touches: Touches };

export type Assessment = {
  decisions: Decision[];
  /** Kept steps that are not decided. */
  undecided: string[];
  /** Rejections that stand. */
  rejected: StandingDecision[];
};

type Looked = Pick<StandingDecision, 'item' | 'version' | 'person'>;

/** Changed since it was looked at, by anybody but `except`. */
function changedSince({ item, version }: Looked, touches: Touches, except: string | null): boolean {
  return itemKeys(item).some((key) =>
    touches.get(key)?.some((touch) => touch.version > version && touch.person !== except),
  );
}

/** Its item was changed since by somebody else: it has to be decided again. */
const isStale = (decision: StandingDecision, touches: Touches): boolean =>
  changedSince(decision, touches, decision.person);

/**
 * A decision on the whole step that came after one on an aspect of it stands for that too when it is of a later round, or
 * when the aspect was changed since (fixed in place). In the same round, what was said of the aspect itself counts.
 */
function isSuperseded(of: StandingDecision, step: StandingDecision | undefined, touches: Touches): boolean {
  return !!step && step.n > of.n && (step.round > of.round || changedSince(of, touches, null));
}

export function assess({ decisions }: Pick<Review, 'decisions'>, document: ReviewedDocument): Assessment {
  const { steps, records, touches } = document;
  const valid = new Map<string, StandingDecision>();
  const said: Decision[] = [];
  const rejected: StandingDecision[] = [];
  for (const [key, decision] of decisions) {
    if (!isThere(decision.item, document)) continue;
    const stale = isStale(decision, touches);
    const { n: _n, ...rest } = decision;
    said.push({ ...rest, stale });
    const { item } = decision;
    const step = 'action' in item && item.kind !== 'step' ? decisions.get(`step:${item.action}`) : undefined;
    if (stale || isSuperseded(decision, step, touches)) continue;
    valid.set(key, decision);
    if (decision.verdict === 'reject') rejected.push(decision);
  }
  const undecided: string[] = [];
  for (const step of steps) {
    const { id } = step;
    if (records.has(removalId(id)) || valid.has(`step:${id}`)) continue;
    const label = records.get(labelId(id));
    const box = records.has(boxId(id, 'target')) || records.has(boxId(id, 'end'));
    const aspects = stepAspects(step, { label: label?.kind === 'label' ? label : null, box });
    if (!aspects.every((aspect) => valid.has(`${aspect}:${id}`))) undecided.push(id);
  }
  return { decisions: said, undecided, rejected };
}

/** A step of the recording; a subtask that begins there now. */
function isThere(item: ReviewItem, { steps, records }: Pick<ReviewedDocument, 'steps' | 'records'>): boolean {
  if (item.kind === 'goal') return true;
  if ('action' in item) return stepIndex(steps).has(item.action);
  return [...records.values()].some((record) => record.kind === 'subtask' && record.first === item.subtask);
}

/** Why an item cannot be decided on; null when it can. */
export function itemRefusal(item: ReviewItem, document: Pick<ReviewedDocument, 'steps' | 'records'>): string | null {
  if (isThere(item, document)) return null;
  const what = 'action' in item ? `no step "${item.action}"` : `no subtask that begins at "${itemKey(item)}"`;
  return `There is ${what} in this recording. Look at it as it is now.`;
}

/** Threads of rejections that nobody has answered or resolved, and whose item was not changed since. */
export function unansweredThreads({ threads }: Pick<Review, 'threads'>, touches: Touches): ReviewThread[] {
  return [...threads.values()].filter(({ rejection, open, entries, item, version }) => {
    const opener = entries[0]!.person;
    if (!rejection || !open || entries.some(({ person }) => person !== opener)) return false;
    return item === null || !changedSince({ item, version: version ?? 0, person: opener }, touches, opener);
  });
}
