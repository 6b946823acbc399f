import type { Step } from '../../schemas/api/models.ts';
import type { StepRecords } from '../annotate/step-records.ts';
import { boxIou } from '../rect.ts';
import { clickInBox } from './agreement/boxes.ts';
import { type Interval, matchSpans } from './agreement/spans.ts';
import { editSimilarity, normaliseText, tokenF1 } from './agreement/text.ts';
import { type AgreementUnits, type MeanKind, NO_SAY, noMeans, type RatingCounts } from './agreement/units.ts';
import { hasDraftedNarration, narrationOf, pairMean, type ReadDocument, THOUGHTS, textOf } from './compare-read.ts';
import type { CompareOptions } from './compare-types.ts';

/** Names of things on the screen; the purpose of a drag is a sentence and goes with the narrations (R10). */
const NAMES = ['element', 'startName', 'endName'] as const;

/** The units of all figures (R1, R2): only what at least one of a pair says, on steps that both of it keep. */
export function unitsOf(
  steps: readonly Step[],
  documents: readonly ReadDocument[],
  options: CompareOptions,
): AgreementUnits {
  const means = noMeans();
  const units: AgreementUnits = {
    raters: documents.map(({ rater }) => rater),
    means,
    removed: {},
    removedOrOpen: {},
    dragKind: {},
  };
  for (const [at, step] of steps.entries())
    addStep(
      units,
      step,
      documents.map(({ said }) => said[at]!),
      options,
    );
  for (const [i, a] of documents.entries()) {
    for (const b of documents.slice(i + 1)) addSubtasks(means, steps, a, b, options);
  }
  return units;
}

function addStep(
  units: AgreementUnits,
  step: Step,
  said: readonly StepRecords[],
  { language = 'en' }: CompareOptions,
): void {
  const add = (
    kind: MeanKind,
    items: readonly StepRecords[],
    value: (a: StepRecords, b: StepRecords) => number | null,
  ) => {
    const mean = pairMean(items, value);
    if (mean !== null) units.means[kind].push(mean);
  };
  count(units.removed, said, ({ removal }) => (removal ? 'r' : 'k'));
  count(units.removedOrOpen, said, (one) => (one.removal ? 'r' : isTouched(one) ? 'k' : NO_SAY));
  add('removedShare', said, (a, b) =>
    a.removal || b.removal ? Number(a.removal !== null && b.removal !== null) : null,
  );

  const keepers = said.filter(({ removal }) => removal === null);
  for (const role of ['target', 'end'] as const) {
    const boxes = (value: typeof boxIou) => (a: StepRecords, b: StepRecords) => {
      if (!a[role] || !b[role]) return a[role] || b[role] ? 0 : null;
      return value(a[role].box, b[role].box);
    };
    add('boxIou', keepers, boxes(boxIou));
    add('clickInBox', keepers, boxes(clickInBox));
  }
  // A model's words are no witness (R20).
  const unless =
    (isDrafted: (said: StepRecords) => boolean, value: (a: StepRecords, b: StepRecords) => number | null) =>
    (a: StepRecords, b: StepRecords) =>
      isDrafted(a) || isDrafted(b) ? null : value(a, b);
  for (const field of NAMES) {
    const isDrafted = ({ label }: StepRecords) => field === 'element' && label?.drafted?.element !== undefined;
    const names = (value: typeof tokenF1) =>
      unless(isDrafted, (a, b) => ofEither(a.label?.[field], b.label?.[field], value));
    add('elementSimilarity', keepers, names(likeness));
    add('elementF1', keepers, names(tokenF1));
  }
  const sentences = (value: typeof tokenF1) =>
    unless(hasDraftedNarration, (a, b) =>
      a.label?.narration == null && b.label?.narration == null
        ? null
        : value(narrationOf(step, a, language), narrationOf(step, b, language)),
    );
  const purposes = (value: typeof tokenF1) => (a: StepRecords, b: StepRecords) =>
    ofEither(a.label?.purpose, b.label?.purpose, value);
  for (const read of [sentences, purposes]) {
    add('narrationSimilarity', keepers, read(likeness));
    add('narrationF1', keepers, read(tokenF1));
  }
  add('textSimilarity', keepers, (a, b) =>
    a.label?.text == null && b.label?.text == null ? null : editSimilarity(textOf(step, a), textOf(step, b)),
  );
  for (const part of THOUGHTS) {
    const isDrafted = ({ reasoning }: StepRecords) => reasoning?.drafted?.[part] !== undefined;
    const thoughts = (value: typeof tokenF1) =>
      unless(isDrafted, (a, b) => ofEither(a.reasoning?.[part], b.reasoning?.[part], value));
    add('thoughtSimilarity', keepers, thoughts(likeness));
    add('thoughtF1', keepers, thoughts(tokenF1));
  }
  add('dragKindShare', keepers, (a, b) => {
    const [one, other] = [a.label?.dragKind ?? null, b.label?.dragKind ?? null];
    return one === null && other === null ? null : Number(one === other);
  });
  if (keepers.some(({ label }) => label?.dragKind)) {
    count(units.dragKind, said, ({ removal, label }) => (removal ? NO_SAY : (label?.dragKind?.[0] ?? NO_SAY)));
  }
}

/** Subtasks of a pair, matched one to one (R8). A pair in which neither made a second subtask has nothing to compare. */
function addSubtasks(
  means: AgreementUnits['means'],
  steps: readonly Step[],
  a: ReadDocument,
  b: ReadDocument,
  { subtasksOver = 'actions' }: CompareOptions,
): void {
  const pairs = matchSubtasks(steps, a, b, subtasksOver);
  const split = a.subtasks.length > 1 || b.subtasks.length > 1;
  const [cutsOfA, cutsOfB] = [draftedCuts(a), draftedCuts(b)];
  for (const { one, other, iou } of pairs) {
    const isCutByDraft = (of: typeof one, cuts: ReadonlySet<number>) => of && (cuts.has(of.from) || cuts.has(of.to));
    if (split && !isCutByDraft(one, cutsOfA) && !isCutByDraft(other, cutsOfB)) means.subtaskIou.push(iou);
    if (!one || !other) continue;
    if (one.record.drafted?.subtask || other.record.drafted?.subtask) continue;
    // The first subtask begins at the first step, whatever anybody says (N1).
    if (one.from > 0 && other.from > 0) means.edgeDistance.push(Math.abs(one.from - other.from));
    const title = ofEither(one.record.title || null, other.record.title || null, likeness);
    if (title !== null) means.titleSimilarity.push(title);
  }
}

/** Where a model's draft begins a subtask: the one before it ends there by that draft, too (R20). */
const draftedCuts = ({ subtasks }: ReadDocument): Set<number> =>
  new Set(subtasks.flatMap(({ record, from }) => (record.drafted?.subtask ? [from] : [])));

type MatchedSubtasks = {
  one: ReadDocument['subtasks'][number] | undefined;
  other: ReadDocument['subtasks'][number] | undefined;
  iou: number;
};

export function matchSubtasks(
  steps: readonly Step[],
  a: ReadDocument,
  b: ReadDocument,
  over: 'actions' | 'time',
): MatchedSubtasks[] {
  const spans = ({ subtasks }: ReadDocument) => (over === 'time' ? subtasks.map((of) => timeOf(steps, of)) : subtasks);
  return matchSpans(spans(a), spans(b)).map((pair) => ({
    one: a.subtasks[pair.a],
    other: b.subtasks[pair.b],
    iou: pair.iou,
  }));
}

/** From its first step's start to the next subtask's; the last one to the last step's end. Session clock, µs. */
function timeOf(steps: readonly Step[], { from, to }: Interval): Interval {
  const last = steps.at(-1)!;
  return { from: steps[from]!.start[2], to: steps[to]?.start[2] ?? Math.max(last.end[2], last.start[2] + 1) };
}

/** Two texts of which at least one is said; a missing one is nothing like the other. */
function ofEither(
  a: string | null | undefined,
  b: string | null | undefined,
  value: (a: string, b: string) => number,
): number | null {
  return a == null && b == null ? null : value(a ?? '', b ?? '');
}

export function likeness(a: string, b: string): number {
  return a === b ? 1 : editSimilarity(normaliseText(a), normaliseText(b));
}

function count(into: RatingCounts, said: readonly StepRecords[], rating: (one: StepRecords) => string): void {
  const row = said.map(rating).join('');
  into[row] = (into[row] ?? 0) + 1;
}

const isTouched = (said: StepRecords): boolean => Object.values(said).some((record) => record !== null);
