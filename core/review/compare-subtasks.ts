import type { Step } from '../../schemas/api/models.ts';
import type { Difference } from '../../schemas/api/review-models.ts';
import type { SubtaskSpan } from '../annotate/subtasks.ts';
import { largestOf, smallestOf } from '../lists.ts';
import { type Interval, matchSpans } from './agreement/spans.ts';
import { pairMean, type ReadDocument } from './compare-read.ts';
import type { CompareOptions, DifferenceItem } from './compare-types.ts';
import { likeness, matchSubtasks } from './compare-units.ts';

/**
 * Where subtasks begin, and what they are called (R12). A beginning that all have is one thing on which they agree, and its
 * title is another. The rest falls into stretches of steps that do not touch each other, so that each can be settled by
 * itself and the subtasks still part the steps (N1), whichever sides are taken.
 */
export function subtaskItems(
  steps: readonly Step[],
  documents: readonly ReadDocument[],
  options: CompareOptions,
): DifferenceItem[] {
  const starts = documents.map(({ subtasks }) => new Map(subtasks.map((subtask) => [subtask.from, subtask])));
  const all = [...new Set(starts.flatMap((of) => [...of.keys()]))].sort((a, b) => a - b);
  const shared = all.filter((at) => starts.every((of) => of.has(at)));
  const items = shared.flatMap((at) => sharedItems(steps, documents, starts, at));
  for (const stretch of stretches(steps, documents, new Set(shared), options)) {
    items.push({ difference: stretchDifference(steps, documents, all, stretch), same: false });
  }
  return items;
}

/** Stretches of beginnings that belong together: those of matched subtasks, and whatever lies between them. */
function stretches(
  steps: readonly Step[],
  documents: readonly ReadDocument[],
  shared: ReadonlySet<number>,
  { subtasksOver = 'actions' }: CompareOptions,
): Interval[] {
  const found: Interval[] = [];
  const add = (...starts: number[]) => {
    const own = starts.filter((at) => at > 0 && !shared.has(at));
    if (own.length > 0) found.push({ from: smallestOf(own), to: largestOf(own) + 1 });
  };
  for (const [i, a] of documents.entries()) {
    for (const { from } of a.subtasks) add(from);
    for (const b of documents.slice(i + 1)) {
      for (const { one, other } of matchSubtasks(steps, a, b, subtasksOver)) {
        // Matched subtasks overlap, so no beginning that all have lies between theirs.
        if (one && other) add(one.from, other.from);
      }
    }
  }
  found.sort((a, b) => a.from - b.from);
  const merged: Interval[] = [];
  for (const span of found) {
    const last = merged.at(-1);
    if (last && span.from < last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

function stretchDifference(
  steps: readonly Step[],
  documents: readonly ReadDocument[],
  starts: readonly number[],
  { from, to }: Interval,
): Difference {
  const inside = ({ subtasks }: ReadDocument) => subtasks.filter((of) => of.from >= from && of.from < to);
  // How near they are, between the beginnings around the stretch.
  const around: Interval = {
    from: starts.findLast((at) => at < from) ?? 0,
    to: starts.find((at) => at >= to) ?? steps.length,
  };
  const parts = (document: ReadDocument): Interval[] => {
    const edges = [around.from, ...inside(document).map((of) => of.from), around.to];
    return edges.slice(1).map((edge, at) => ({ from: edges[at]!, to: edge }));
  };
  const iou = (a: ReadDocument, b: ReadDocument) => {
    const pairs = matchSpans(parts(a), parts(b));
    return pairs.reduce((sum, pair) => sum + pair.iou, 0) / pairs.length;
  };
  return {
    id: `subtask:${steps[from]!.id}`,
    kind: 'subtask',
    action: steps[from]!.id,
    index: from,
    sides: documents.map((document) => ({
      document: document.id,
      records: inside(document).map(({ record }) => record),
      text: inside(document).map(describe).join('; '),
    })),
    agreement: pairMean(documents, iou) ?? 1,
  };
}

/** The beginning itself, but for the first, which nobody chose; and the title where somebody gave one. */
function sharedItems(
  steps: readonly Step[],
  documents: readonly ReadDocument[],
  starts: readonly ReadonlyMap<number, SubtaskSpan>[],
  at: number,
): DifferenceItem[] {
  const records = starts.map((of) => of.get(at)!.record);
  const action = steps[at]!.id;
  const base = { action, index: at };
  const drafted = records.some((record) => record.drafted?.subtask !== undefined);
  const items: DifferenceItem[] = [];
  if (at > 0) {
    const sides = records.map((record, place) => ({
      document: documents[place]!.id,
      records: [record],
      text: describe({ record, from: at }),
    }));
    const difference: Difference = { ...base, id: `subtask:${action}`, kind: 'subtask', sides, agreement: 1 };
    items.push({ difference, same: true, drafted });
  }
  if (records.some(({ title }) => title !== '')) {
    const sides = records.map((record, place) => ({
      document: documents[place]!.id,
      records: record.title === '' ? [] : [record],
      text: record.title,
    }));
    const agreement = pairMean(records, (a, b) => likeness(a.title, b.title)) ?? 1;
    items.push({
      difference: { ...base, id: `title:${action}`, kind: 'title', sides, agreement },
      same: records.every(({ title }) => title === records[0]!.title),
      drafted,
    });
  }
  return items;
}

const describe = ({ record, from }: Pick<SubtaskSpan, 'record' | 'from'>): string =>
  `from step ${from + 1}${record.title === '' ? '' : `: ${record.title}`}`;
