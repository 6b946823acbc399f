import type { AnnotationRecord, Change, RecordOf } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { ReviewItem } from '../../schemas/review.ts';
import { sameValue } from '../annotate/document.ts';

/**
 * The items that a reviewer decides on, by key: `box:<action>`, `edge:<first action>`, `goal`. A change of the document
 * touches keys too, so whether a decision still speaks of what is there is a look-up.
 */
const ASPECTS = ['element', 'box', 'narration', 'text', 'removal'] as const;
type Aspect = (typeof ASPECTS)[number];

export function itemKey(item: ReviewItem): string {
  if (item.kind === 'goal') return 'goal';
  return `${item.kind}:${'action' in item ? item.action : item.subtask}`;
}

/** The keys that a decision on this item speaks of: a step stands for everything that is said of it. */
export function itemKeys(item: ReviewItem): string[] {
  return item.kind === 'step' ? ASPECTS.map((aspect) => `${aspect}:${item.action}`) : [itemKey(item)];
}

/** The aspects of a step that can be decided by themselves: a step of which all of these are decided is decided. */
export function stepAspects(
  step: Pick<Step, 'kind'>,
  said: { label: RecordOf<'label'> | null; box: boolean },
): Aspect[] {
  const { label, box } = said;
  const named = label !== null && [label.element, label.startName, label.endName, label.purpose].some((one) => one);
  return [
    ...(named ? (['element'] as const) : []),
    ...(box ? (['box'] as const) : []),
    'narration',
    ...(step.kind === 'type' ? (['text'] as const) : []),
  ];
}

/**
 * The keys that a transaction touches. Confirming and flagging change nothing that a reviewer looks at. A name or a text
 * that changes changes the narration that is made of it; a moved keyframe changes the picture that a box is in.
 */
export function keysTouched(changes: readonly Change[]): Set<string> {
  const keys = new Set<string>();
  for (const change of changes) {
    const before = change.op === 'add' ? null : change.op === 'change' ? change.before : change.record;
    const after = change.op === 'remove' ? null : change.op === 'change' ? change.after : change.record;
    for (const key of keysOfRecord(before, after)) keys.add(key);
  }
  return keys;
}

function keysOfRecord(before: AnnotationRecord | null, after: AnnotationRecord | null): string[] {
  const record = after ?? before;
  if (!record) return [];
  switch (record.kind) {
    case 'goal':
      return ['goal'];
    case 'subtask':
      return subtaskKeys(before, after);
    case 'label':
      return labelKeys(record.action, before, after);
    case 'box':
    case 'keyframe':
      return [`box:${record.action}`];
    case 'removal':
      return [`removal:${record.action}`];
    // Thoughts are words of the step, like its narration.
    case 'reasoning':
      return [`narration:${record.action}`];
    // A step that is another is looked at as a whole.
    case 'step':
      return (['element', 'box', 'narration', 'text'] as const).map((aspect) => `${aspect}:${record.action}`);
  }
}

function subtaskKeys(before: AnnotationRecord | null, after: AnnotationRecord | null): string[] {
  const [old, now] = [before?.kind === 'subtask' ? before : null, after?.kind === 'subtask' ? after : null];
  const firsts = [old?.first, now?.first].filter((first) => first !== undefined);
  const moved = old?.first !== now?.first;
  return [
    ...(moved ? firsts.map((first) => `edge:${first}`) : []),
    ...(moved || old?.title !== now?.title ? firsts.map((first) => `title:${first}`) : []),
  ];
}

const FIELDS: Readonly<Record<'element' | 'narration' | 'text', readonly (keyof RecordOf<'label'>)[]>> = {
  element: ['element', 'startName', 'endName', 'purpose', 'dragKind'],
  narration: ['narration', 'element', 'startName', 'endName', 'purpose', 'dragKind', 'text'],
  text: ['text'],
};

function labelKeys(action: string, before: AnnotationRecord | null, after: AnnotationRecord | null): string[] {
  const value = (record: AnnotationRecord | null, field: keyof RecordOf<'label'>): unknown =>
    record?.kind === 'label' ? record[field] : null;
  return (['element', 'narration', 'text'] as const)
    .filter((aspect) => FIELDS[aspect].some((field) => !sameValue(value(before, field), value(after, field))))
    .map((aspect) => `${aspect}:${action}`);
}
