import type { ActionKind } from '../../schemas/actions.ts';
import type { AnnotationRecord } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { DataRow, Figures } from '../../schemas/dataset.ts';
import { benchmarkActionType } from '../actions/kinds.ts';
import type { Records } from '../annotate/document.ts';
import { GOAL_ID } from '../annotate/ids.ts';
import { countMissing, findMissing } from '../annotate/missing.ts';
import { originsOf } from '../annotate/origins.ts';
import { type DocumentView, viewDocument } from '../annotate/view.ts';
import { wordsOf } from './words.ts';

/** The figures of a recording, counted once, and again only when its files or its annotation have changed. */
type Counted = {
  row: Pick<DataRow, 'steps' | 'subtasks' | 'kinds' | 'boxes' | 'names' | 'missing' | 'drafted'>;
  figures: Figures;
};

/** The paper counts what a person does; resting and waiting are steps of ours that it does not have (videogui.txt 3.1). */
const isAction = ({ kind }: Pick<Step, 'kind'>): boolean => kind !== 'hover' && kind !== 'wait';

/** Counts kept steps (N5); subtasks all of whose steps were removed are none. `goal` stands where the annotation has none. */
export function countRecording(steps: readonly Step[], records: Records, goal: string): Counted {
  const view = viewDocument(steps, records);
  const kept = view.steps.filter(({ removal }) => removal === null);
  const kinds: Partial<Record<ActionKind, number>> = {};
  const names: Record<string, number> = {};
  for (const { step } of kept) {
    kinds[step.kind] = (kinds[step.kind] ?? 0) + 1;
    if (!isAction(step)) continue;
    const name = benchmarkActionType(step);
    names[name] = (names[name] ?? 0) + 1;
  }
  const subtasks = subtasksOf(view);
  const said = records.get(GOAL_ID);
  const goalText = said?.kind === 'goal' && said.text !== '' ? said.text : goal;
  const goalWords = wordsOf(goalText);
  const narrations = kept.map(({ narration }) => wordsOf(narration));
  const titles = subtasks.flatMap(({ title }) => wordsOf(title));
  const words = new Map<string, number>();
  for (const word of [...goalWords, ...titles, ...narrations.flat()]) words.set(word, (words.get(word) ?? 0) + 1);
  const share = (count: number): number | null => (kept.length === 0 ? null : count / kept.length);
  return {
    row: {
      steps: kept.length,
      subtasks: subtasks.length,
      kinds,
      boxes: share(kept.filter(({ target }) => target !== null).length),
      names: share(kept.filter(({ label }) => (label?.element ?? '') !== '').length),
      missing: countMissing(findMissing(view, goal)),
      drafted: draftedOf(view),
    },
    figures: {
      kinds: names,
      subtasks: subtasks.map(({ steps: count, seconds, title }) => ({
        steps: count,
        seconds,
        words: title === '' ? null : wordsOf(title).length,
      })),
      goalWords: goalWords.length,
      narrationWords: narrations.map(({ length }) => length),
      words: Object.fromEntries([...words].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function draftedOf({ steps, subtasks }: DocumentView): { taken: number; edited: number } {
  const counts = { taken: 0, edited: 0 };
  const count = (record: AnnotationRecord | null): void => {
    for (const { edited } of Object.values(originsOf(record ?? undefined))) counts[edited ? 'edited' : 'taken']++;
  };
  for (const { record, kept } of subtasks) if (kept > 0) count(record);
  for (const { removal, label, reasoning } of steps) {
    if (removal !== null) continue;
    count(label);
    count(reasoning);
  }
  return counts;
}

function subtasksOf({ steps, subtasks }: DocumentView): { steps: number; seconds: number; title: string }[] {
  const parts = subtasks.length > 0 ? subtasks : [{ from: 0, to: steps.length, title: '' }];
  return parts.flatMap(({ from, to, title }) => {
    const kept = steps.slice(from, to).filter(({ removal }) => removal === null);
    if (kept.length === 0) return [];
    // Not spread into Math.max: a recording may have 10,000 steps.
    const start = kept.reduce((least, { step }) => Math.min(least, step.start[2]), Number.POSITIVE_INFINITY);
    const end = kept.reduce((most, { step }) => Math.max(most, step.end[2]), Number.NEGATIVE_INFINITY);
    return [
      { steps: kept.filter(({ step }) => isAction(step)).length, seconds: (end - start) / 1e6, title: title.trim() },
    ];
  });
}
