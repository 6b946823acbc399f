import type { RecordOf } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import { type Language, narrate, stepAction } from '../annotate/narration.ts';
import { NO_RECORDS, type StepRecords } from '../annotate/step-records.ts';
import { type SubtaskSpan, stepIndex, subtaskSpans } from '../annotate/subtasks.ts';
import { narrationFields } from '../annotate/view.ts';
import type { ComparedDocument } from './compare-types.ts';

/** The texts of a step's reasoning; each is compared by itself. */
export const THOUGHTS = ['thought', 'actionThought', 'observation'] as const;
export type Thought = (typeof THOUGHTS)[number];

/** A document by its steps' places. */
export type ReadDocument = {
  id: string;
  rater: string;
  said: StepRecords[];
  /** Subtasks that have steps. */
  subtasks: SubtaskSpan[];
  goal: RecordOf<'goal'> | null;
};

/** Records of steps that are not there are passed over: they were refused on writing (N2). */
export function readDocument(steps: readonly Step[], { id, person, records }: ComparedDocument): ReadDocument {
  const index = stepIndex(steps);
  const said: StepRecords[] = new Array(steps.length).fill(NO_RECORDS);
  for (const record of records.values()) {
    if (record.kind === 'subtask' || record.kind === 'goal') continue;
    const at = index.get(record.action);
    if (at === undefined) continue;
    const key = record.kind === 'box' || record.kind === 'keyframe' ? record.role : record.kind;
    said[at] = { ...said[at]!, [key]: record };
  }
  const goal = records.get('goal');
  return {
    id,
    rater: person ?? id,
    said,
    subtasks: subtaskSpans(steps, records).filter(({ from, to }) => to > from),
    goal: goal?.kind === 'goal' ? goal : null,
  };
}

/** The narration as it goes out: written, or made from what the label says (N8). */
export function narrationOf(step: Step, { label }: StepRecords, language: Language): string {
  if (label?.narration != null) return label.narration;
  const action = stepAction(step);
  return narrate(label?.text == null ? action : { ...action, text: label.text }, narrationFields(label), { language });
}

/** Whether its narration holds words of a model (R20), written or made from a name. */
export function hasDraftedNarration({ label }: StepRecords): boolean {
  const field = label?.narration == null ? 'element' : 'narration';
  return label?.drafted?.[field] !== undefined;
}

/** The typed text as it goes out. */
export function textOf(step: Step, { label }: StepRecords): string {
  return label?.text ?? step.text ?? '';
}

/** The mean over the pairs of items for which there is a value; null when there is none for any. Order does not matter. */
export function pairMean<T>(items: readonly T[], value: (a: T, b: T) => number | null): number | null {
  let [sum, n] = [0, 0];
  for (const [i, a] of items.entries()) {
    for (let j = i + 1; j < items.length; j++) {
      const one = value(a, items[j]!);
      if (one === null) continue;
      sum += one;
      n++;
    }
  }
  return n === 0 ? null : sum / n;
}
