import type { AnnotationRecord, RecordOf } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import { firstSubtaskId, reasoningId } from '../annotate/ids.ts';
import { emptyLabel, isEmptyLabel } from '../annotate/label.ts';
import { draftableTexts, originsFrom, originsOf } from '../annotate/origins.ts';
import type { StepRecords } from '../annotate/step-records.ts';
import { append, smallestOf } from '../lists.ts';
import { boxIou } from '../rect.ts';
import { meanBox } from './agreement/boxes.ts';
import { SAME_BOX } from './compare-differences.ts';
import { narrationOf, pairMean, type ReadDocument, type Thought, textOf } from './compare-read.ts';
import type { CompareOptions } from './compare-types.ts';

type Label = RecordOf<'label'>;

/**
 * The beginning of an adjudicated document (R16): all on which no two documents differ. A step that somebody removed and
 * others keep is not removed yet, and holds what those who keep it agree on.
 */
export function agreedOf(
  steps: readonly Step[],
  documents: readonly ReadDocument[],
  options: CompareOptions,
): AnnotationRecord[] {
  const goals = documents.map(({ goal }) => goal);
  const records: AnnotationRecord[] = [];
  if (goals[0] && goals.every((goal) => goal?.text === goals[0]!.text)) records.push(goals[0]);
  append(records, agreedSubtasks(steps, documents));
  for (const [at, step] of steps.entries()) {
    records.push(
      ...agreedStep(
        step,
        documents.map(({ said }) => said[at]!),
        options,
      ),
    );
  }
  return records;
}

function agreedSubtasks(steps: readonly Step[], documents: readonly ReadDocument[]): AnnotationRecord[] {
  const starts = documents.map(({ subtasks }) => new Map(subtasks.map(({ from, record }) => [from, record])));
  return steps.flatMap((step, at): AnnotationRecord[] => {
    const records = starts.flatMap((of) => of.get(at) ?? []);
    // The first subtask begins at the first step, even where a document has none yet (N1).
    if (at > 0 && records.length < documents.length) return [];
    const titles = new Set(records.map(({ title }) => title));
    const title = titles.size === 1 ? [...titles][0]! : '';
    const agreed: RecordOf<'subtask'> = { kind: 'subtask', id: firstSubtaskId(step.id), first: step.id, title };
    return [withOriginOfAny(agreed, records)];
  });
}

function agreedStep(step: Step, said: readonly StepRecords[], options: CompareOptions): AnnotationRecord[] {
  const keepers = said.filter(({ removal }) => removal === null);
  if (keepers.length === 0) {
    const removals = said.map(({ removal }) => removal!);
    if (removals.some(({ reason }) => reason !== removals[0]!.reason)) return [];
    // No comment is wrong: the one that says most stands.
    const comments = removals.map(({ comment }) => comment).sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    return [{ ...removals[0]!, comment: comments[0]! }];
  }
  const records: AnnotationRecord[] = [];
  const label = agreedLabel(step, keepers, options);
  if (!isEmptyLabel(label)) records.push(label);
  for (const role of ['target', 'end'] as const) {
    const boxes = keepers.flatMap((one) => one[role] ?? []);
    const box = boxes.length === keepers.length ? agreedBox(boxes, options) : null;
    if (box) records.push(box);
  }
  const reasoning = agreedReasoning(step, keepers);
  if (reasoning) records.push(reasoning);
  for (const role of ['before', 'after'] as const) {
    const moved = keepers.flatMap((one) => one[role] ?? []);
    if (moved.length === keepers.length && moved.every(({ frame }) => frame === moved[0]!.frame)) {
      records.push(moved[0]!);
    }
  }
  return records;
}

function agreedLabel(step: Step, keepers: readonly StepRecords[], { language = 'en' }: CompareOptions): Label {
  const labels = keepers.map(({ label }) => label ?? emptyLabel(step.id));
  const all = <F extends keyof Label>(field: F): Label[F] | null =>
    labels.every((label) => label[field] === labels[0]![field]) ? labels[0]![field] : null;
  const element = all('element');
  const agreed = (label: Label): Label => withOriginOfAny(label, labels);
  const drag = (['startName', 'endName', 'purpose', 'dragKind'] as const).every((field) =>
    labels.every((label) => label[field] === labels[0]![field]),
  );
  return agreed({
    ...emptyLabel(step.id),
    element,
    elementSource: element === null ? null : (all('elementSource') ?? 'hand'),
    // The quadruple is settled as one (R12), so it is agreed on as one.
    startName: drag ? labels[0]!.startName : null,
    endName: drag ? labels[0]!.endName : null,
    purpose: drag ? labels[0]!.purpose : null,
    dragKind: drag ? labels[0]!.dragKind : null,
    narration: writtenByAll(keepers, (said) => narrationOf(step, said, language), 'narration'),
    text: writtenByAll(keepers, (said) => textOf(step, said), 'text'),
    confirmed: labels.every(({ confirmed }) => confirmed),
    flagged: labels.some(({ flagged }) => flagged),
  });
}

/** On what one of them took from a model they do not agree by themselves: its origin stands where its words do. */
function withOriginOfAny<R extends AnnotationRecord>(agreed: R, from: readonly AnnotationRecord[]): R {
  const fields = Object.keys(draftableTexts(agreed));
  return fields.reduce((record, field) => {
    const one = from.find((other) => field in originsOf(other));
    return one ? originsFrom(record, one, [field]) : record;
  }, agreed);
}

/**
 * A narration that one wrote and one that another's fields make may have the same words: then they agree, and the words are
 * written down.
 */
function writtenByAll(
  keepers: readonly StepRecords[],
  goesOut: (said: StepRecords) => string,
  field: 'narration' | 'text',
): string | null {
  if (keepers.every(({ label }) => label?.[field] == null)) return null;
  const texts = new Set(keepers.map(goesOut));
  return texts.size === 1 ? [...texts][0]! : null;
}

/** Each thought that all who keep the step write alike; null when there is none. */
function agreedReasoning({ id }: Step, keepers: readonly StepRecords[]): RecordOf<'reasoning'> | null {
  const all = (part: Thought): string | null => {
    const texts = new Set(keepers.map(({ reasoning }) => reasoning?.[part] ?? null));
    return texts.size === 1 ? [...texts][0]! : null;
  };
  const [thought, actionThought, observation] = [all('thought'), all('actionThought'), all('observation')];
  if (thought === null && actionThought === null && observation === null) return null;
  const agreed = { kind: 'reasoning' as const, id: reasoningId(id), action: id, thought, actionThought, observation };
  return withOriginOfAny(
    agreed,
    keepers.flatMap(({ reasoning }) => reasoning ?? []),
  );
}

function agreedBox(boxes: readonly RecordOf<'box'>[], { boxIou: enough = SAME_BOX }: CompareOptions) {
  const apart = pairMean(boxes, (a, b) => Number(boxIou(a.box, b.box) < enough)) ?? 0;
  if (apart > 0) return null;
  const [first] = boxes;
  const sameSource = boxes.every(({ source }) => source === first!.source);
  return {
    ...first!,
    box: meanBox(boxes.map(({ box }) => box)),
    source: sameSource ? first!.source : ('hand' as const),
    confidence: smallestOf(boxes.map(({ confidence }) => confidence)),
  };
}
