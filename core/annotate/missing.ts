import type { ActionKind } from '../../schemas/actions.ts';
import type { MissingItem } from '../../schemas/annotation.ts';
import { MISSING_KINDS, type MissingKind } from '../../schemas/missing.ts';
import { isUnseen } from '../actions/unseen.ts';
import { plural } from '../words.ts';
import { untitledSubtasks } from './subtasks.ts';
import type { DocumentView, StepView } from './view.ts';

/** Gaps of a step that may be confirmed but makes poor training data. */
export type Lack = 'pixels' | 'box';

/** A place as narrations are made with it while nothing is named: `(261, 80)`. */
const PIXELS = /\(-?\d+, -?\d+\)/;

/** Whether a narration as it was made from the fields (nobody wrote it) names a place by pixels. Typed text is as it was typed. */
export const saysPixels = (kind: ActionKind, made: string): boolean => kind !== 'type' && PIXELS.test(made);

/** `pixels`: the narration names a place by coordinates; `box`: a drag without a box at both ends. Removed steps lack nothing. */
export function lacksOf({ step, state, narration, overwritten, target, end }: StepView): Lack[] {
  if (state === 'removed') return [];
  const lacks: Lack[] = [];
  // Somebody who wrote the words themselves means them.
  if (!overwritten && saysPixels(step.kind, narration)) lacks.push('pixels');
  if (step.kind === 'drag' && (target === null || end === null)) lacks.push('box');
  return lacks;
}

/** Actions that point at their element, so that its box says what was meant. */
export const POINTING: ReadonlySet<ActionKind> = new Set(['click', 'drag', 'hover']);

const MESSAGES: Readonly<Record<MissingKind, string>> = {
  goal: 'No goal',
  title: 'No title',
  box: 'No box around the element',
  'end-box': 'No box where the drag ends',
  narration: 'No narration',
  pixels: 'The narration says pixels',
};

/**
 * Lists the gaps of an annotation (N11) in the order of its steps: each with its step or subtask and a short message. `goal`: the task's own, which stands where the annotation has none.
 */
export function findMissing(doc: Pick<DocumentView, 'steps' | 'subtasks' | 'goal'>, goal: string): MissingItem[] {
  const found: MissingItem[] = [];
  const add = (kind: MissingKind, at: number | null): void => {
    const step = at === null ? undefined : doc.steps[at];
    found.push({
      kind,
      action: step?.step.id ?? null,
      step: at === null ? null : at + 1,
      subtask: step && step.subtask >= 0 ? step.subtask + 1 : null,
      message: MESSAGES[kind],
    });
  };
  if (doc.goal.trim() === '' && goal.trim() === '') add('goal', null);
  const untitled = new Set(untitledSubtasks(doc.subtasks));
  const filled = doc.subtasks.filter(({ from, to }) => to > from);
  const begins = new Set(filled.flatMap(({ from }, index) => (untitled.has(index + 1) ? [from] : [])));
  for (const [at, step] of doc.steps.entries()) {
    if (begins.has(at)) add('title', at);
    for (const kind of gapsOfStep(step)) add(kind, at);
  }
  return found;
}

/** How many gaps of each kind; empty when nothing is missing. */
export function countMissing(gaps: readonly Pick<MissingItem, 'kind'>[]): Partial<Record<MissingKind, number>> {
  const counts: Partial<Record<MissingKind, number>> = {};
  for (const { kind } of gaps) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const NOUNS: Readonly<Record<MissingKind, readonly [one: string, many: string]>> = {
  goal: ['goal', 'goals'],
  title: ['title', 'titles'],
  box: ['box', 'boxes'],
  'end-box': ['drag end', 'drag ends'],
  narration: ['narration', 'narrations'],
  pixels: ['pixel narration', 'pixel narrations'],
};

/** Counts in words: `2 boxes, 1 title`; empty when nothing is missing. */
export function missingWords(counts: Partial<Record<MissingKind, number>>): string {
  return MISSING_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [plural(count, ...NOUNS[kind])] : [];
  }).join(', ');
}

/** The gaps of each step's view: views are never changed, and a page asks for all of them after each gesture. */
const looked = new WeakMap<StepView, readonly MissingKind[]>();

/** The gaps of one step, looked for once: its sentence is made for it, of ten thousand steps a tenth of a second's work. */
export function gapsOfStep(view: StepView): readonly MissingKind[] {
  let gaps = looked.get(view);
  if (!gaps) {
    gaps = findGaps(view);
    looked.set(view, gaps);
  }
  return gaps;
}

/** A box can only be drawn in a picture: a step without one lacks none. */
function findGaps(view: StepView): MissingKind[] {
  if (view.state === 'removed') return [];
  const gaps: MissingKind[] = [];
  const { step, before, target, end, overwritten, narration } = view;
  if (POINTING.has(step.kind) && before >= 0) {
    if (target === null) gaps.push('box');
    if (step.kind === 'drag' && end === null) gaps.push('end-box');
  }
  if (narration.trim() === '' || (!overwritten && isUnseen(step))) gaps.push('narration');
  else if (lacksOf(view).includes('pixels')) gaps.push('pixels');
  return gaps;
}
