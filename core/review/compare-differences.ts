import type { AnnotationRecord, RecordOf } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { Difference } from '../../schemas/api/review-models.ts';
import { GOAL_ID } from '../annotate/ids.ts';
import type { StepRecords } from '../annotate/step-records.ts';
import { boxIou } from '../rect.ts';
import { editSimilarity } from './agreement/text.ts';
import {
  hasDraftedNarration,
  narrationOf,
  pairMean,
  type ReadDocument,
  THOUGHTS,
  type Thought,
  textOf,
} from './compare-read.ts';
import { subtaskItems } from './compare-subtasks.ts';
import type { CompareOptions, DifferenceItem } from './compare-types.ts';
import { likeness } from './compare-units.ts';

/** Boxes that overlap by this much say the same: a hand's tremor on a button, not another element (R12). */
export const SAME_BOX = 0.75;

/** The id of the difference of one of a step's thoughts. */
const thoughtId = (action: string, part: Thought): string => `thought:${action}:${part}`;

/** Which of a step's thoughts a difference is about: the id says it. */
export const thoughtOf = ({ id }: Pick<Difference, 'id'>): Thought =>
  THOUGHTS.find((part) => id.endsWith(`:${part}`)) ?? 'thought';

type Side = { records: AnnotationRecord[]; text: string };

/** Everything that at least one document says (R1), in the recording's order: the goal, then step by step (R12). */
export function compareItems(
  steps: readonly Step[],
  documents: readonly ReadDocument[],
  options: CompareOptions,
): DifferenceItem[] {
  const subtasks = Map.groupBy(subtaskItems(steps, documents, options), ({ difference }) => difference.index!);
  return [
    ...goalItems(documents),
    ...steps.flatMap((step, at) => [...(subtasks.get(at) ?? []), ...stepItems(step, at, documents, options)]),
  ];
}

/** The differences on one step: whether it is removed, then, among those who keep it, the rest. */
function stepItems(
  step: Step,
  at: number,
  documents: readonly ReadDocument[],
  options: CompareOptions,
): DifferenceItem[] {
  const all = documents.map(({ said }) => said[at]!);
  const keepers = all.filter(({ removal }) => removal === null);
  const { language = 'en', boxIou: enough = SAME_BOX } = options;
  const items: DifferenceItem[] = [];
  const add = (
    kind: Difference['kind'],
    id: string,
    among: readonly StepRecords[],
    agreement: (a: StepRecords, b: StepRecords) => number | null,
    same: (a: StepRecords, b: StepRecords) => boolean,
    side: (said: StepRecords) => Side,
    isDrafted: (said: StepRecords) => boolean = () => false,
  ) => {
    const sides = all.map((said, place) => ({
      document: documents[place]!.id,
      ...(among.includes(said) ? side(said) : { records: [], text: '' }),
    }));
    const mean = pairMean(among, agreement) ?? 1;
    const equal = (pairMean(among, (a, b) => Number(same(a, b))) ?? 1) === 1;
    const difference = { id, kind, action: step.id, index: at, sides, agreement: mean };
    items.push({ difference, same: equal, drafted: among.some(isDrafted) });
  };

  if (keepers.length < all.length) {
    const sameRemoval = (a: StepRecords, b: StepRecords) => a.removal?.reason === b.removal?.reason;
    add('removal', `removal:${step.id}`, all, removalAgreement, sameRemoval, ({ removal }) => ({
      records: listOf(removal),
      text: removal ? [removal.reason, removal.comment].filter(Boolean).join(': ') : 'kept',
    }));
  }
  // One person's word alone is no comparison.
  if (keepers.length < 2) return items;

  if (keepers.some(({ label }) => label?.element != null)) {
    const like = (a: StepRecords, b: StepRecords) => likeness(a.label?.element ?? '', b.label?.element ?? '');
    const side = ({ label }: StepRecords) => ({
      records: label?.element == null ? [] : [label],
      text: label?.element ?? '',
    });
    const isDrafted = ({ label }: StepRecords) => label?.drafted?.element !== undefined;
    add('element', `element:${step.id}`, keepers, like, sameFields(['element']), side, isDrafted);
  }
  if (keepers.some(saysDrag)) {
    add('drag', `drag:${step.id}`, keepers, dragLikeness, sameFields(DRAG_FIELDS), (said) => ({
      records: saysDrag(said) ? [said.label!] : [],
      text: dragText(said),
    }));
  }
  for (const role of ['target', 'end'] as const) {
    if (!keepers.some((said) => said[role])) continue;
    const iou = (a: StepRecords, b: StepRecords) => (a[role] && b[role] ? boxIou(a[role].box, b[role].box) : 0);
    add(
      'box',
      `box:${step.id}:${role}`,
      keepers,
      iou,
      (a, b) => iou(a, b) >= enough,
      (said) => ({
        records: listOf(said[role]),
        text: said[role] ? boxText(said[role].box) : '',
      }),
    );
  }
  if (keepers.some(({ label }) => label?.text != null)) {
    const text = (said: StepRecords) => textOf(step, said);
    add(
      'text',
      `text:${step.id}`,
      keepers,
      (a, b) => editSimilarity(text(a), text(b)),
      equal(text),
      (said) => ({
        records: said.label?.text == null ? [] : [said.label],
        text: text(said),
      }),
    );
  }
  if (keepers.some(({ label }) => label?.narration != null)) {
    const narration = (said: StepRecords) => narrationOf(step, said, language);
    const like = (a: StepRecords, b: StepRecords) => likeness(narration(a), narration(b));
    const side = (said: StepRecords) => ({
      records: said.label?.narration == null ? [] : [said.label],
      text: narration(said),
    });
    add('narration', `narration:${step.id}`, keepers, like, equal(narration), side, hasDraftedNarration);
  }
  for (const part of THOUGHTS) {
    const text = ({ reasoning }: StepRecords) => reasoning?.[part] ?? '';
    if (keepers.every((said) => text(said) === '')) continue;
    const like = (a: StepRecords, b: StepRecords) =>
      text(a) === '' && text(b) === '' ? null : likeness(text(a), text(b));
    const side = (said: StepRecords) => ({
      records: text(said) === '' ? [] : listOf(said.reasoning),
      text: text(said),
    });
    const isDrafted = ({ reasoning }: StepRecords) => reasoning?.drafted?.[part] !== undefined;
    add('thought', thoughtId(step.id, part), keepers, like, equal(text), side, isDrafted);
  }
  for (const role of ['before', 'after'] as const) {
    if (!keepers.some((said) => said[role])) continue;
    const same = (a: StepRecords, b: StepRecords) => a[role]?.frame === b[role]?.frame;
    add(
      'keyframe',
      `keyframe:${step.id}:${role}`,
      keepers,
      (a, b) => Number(same(a, b)),
      same,
      (said) => ({
        records: listOf(said[role]),
        text: said[role] ? `frame ${said[role].frame}` : 'as chosen',
      }),
    );
  }
  return items;
}

function goalItems(documents: readonly ReadDocument[]): DifferenceItem[] {
  const text = ({ goal }: ReadDocument) => goal?.text ?? '';
  // Every document begins with the task's goal (N6): that it still stands in all is nothing that they agree on.
  if (new Set(documents.map(text)).size === 1) return [];
  const difference: Difference = {
    id: GOAL_ID,
    kind: 'goal',
    action: null,
    index: null,
    sides: documents.map((document) => ({
      document: document.id,
      records: listOf(document.goal),
      text: text(document),
    })),
    agreement: pairMean(documents, (a, b) => likeness(text(a), text(b))) ?? 1,
  };
  return [{ difference, same: false }];
}

const DRAG_FIELDS = ['startName', 'endName', 'purpose', 'dragKind'] as const;
type LabelField = (typeof DRAG_FIELDS)[number] | 'element';

const saysDrag = ({ label }: StepRecords): boolean => DRAG_FIELDS.some((field) => label?.[field] != null);

/** The mean over the fields that one of the two says; null where neither says any. */
function dragLikeness(a: StepRecords, b: StepRecords): number | null {
  const fields = DRAG_FIELDS.filter((field) => a.label?.[field] != null || b.label?.[field] != null);
  if (fields.length === 0) return null;
  const sum = fields.reduce((total, field) => {
    const [one, other] = [a.label?.[field] ?? '', b.label?.[field] ?? ''];
    return total + (field === 'dragKind' ? Number(one === other) : likeness(one, other));
  }, 0);
  return sum / fields.length;
}

function dragText({ label }: StepRecords): string {
  const { startName = null, endName = null, purpose = null, dragKind = null } = label ?? {};
  return [startName && `from ${startName}`, endName && `to ${endName}`, purpose && `to ${purpose}`, dragKind]
    .filter(Boolean)
    .join(', ');
}

/** Kept against removed is 0; removed by both for another reason is half. */
function removalAgreement(a: StepRecords, b: StepRecords): number {
  if (a.removal?.reason === b.removal?.reason) return 1;
  return a.removal && b.removal ? 0.5 : 0;
}

const sameFields = (fields: readonly LabelField[]) => (a: StepRecords, b: StepRecords) =>
  fields.every((field) => (a.label?.[field] ?? null) === (b.label?.[field] ?? null));

const equal = (text: (said: StepRecords) => string) => (a: StepRecords, b: StepRecords) => text(a) === text(b);

const boxText = ({ x, y, width, height }: RecordOf<'box'>['box']): string => `${x}, ${y}, ${width} × ${height}`;

const listOf = <T>(record: T | null): T[] => (record === null ? [] : [record]);
