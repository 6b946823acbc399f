import type { AnnotationRecord, Change, StoredTransaction } from '../../../schemas/annotation.ts';
import { tr } from '../../language/tr.ts';
import { labelWords } from '../labels.ts';

/** A stored transaction in words: what was done, and each value before and after, of one action when it is named. */
type HistoryEntry = { title: string; lines: string[] };

const FIELDS: Readonly<Record<string, string>> = {
  element: tr('Element'),
  startName: tr('Start position'),
  endName: tr('End position'),
  purpose: tr('Purpose'),
  dragKind: tr('Movement or resizing'),
  narration: tr('Narration'),
  text: tr('Corrected text'),
  confirmed: tr('Confirmed'),
  flagged: tr('Flagged'),
  box: tr('Box'),
  reason: tr('Removed for'),
  comment: tr('Comment'),
  frame: tr('Frame'),
  title: tr('Title'),
  first: tr('Begins at'),
};

/** `stepName`: how a step is called on the page, by its action. */
export function historyEntry(
  stored: StoredTransaction,
  action: string | null,
  stepName: (action: string) => string = (id) => id,
): HistoryEntry {
  const label = labelWords(stored.label.replace(/^(?:Undo|Redo)[: ]+(?!decision)/i, ''));
  const title =
    stored.undoes !== null
      ? tr('Undo: {label}', { label })
      : stored.redoes !== null
        ? tr('Redo: {label}', { label })
        : label;
  const lines = stored.changes
    .filter((change) => action === null || recordsOf(change).some((record) => stepOf(record) === action))
    .flatMap((change) => changeLines(change, stepName))
    .slice(0, 12);
  return { title, lines };
}

const recordsOf = (change: Change): AnnotationRecord[] =>
  change.op === 'change' ? [change.before, change.after] : [change.record];

/** The step that a record is about: of a subtask the one that it begins at. */
function stepOf(record: AnnotationRecord): string | null {
  if (record.kind === 'subtask') return record.first;
  return 'action' in record ? record.action : null;
}

function changeLines(change: Change, stepName: (action: string) => string): string[] {
  const [before, after] =
    change.op === 'change'
      ? [change.before, change.after]
      : change.op === 'add'
        ? [null, change.record]
        : [change.record, null];
  const [old, now] = [before, after].map((record) => fieldsOf(record, stepName)) as [Fields, Fields];
  return Object.keys(FIELDS)
    .filter((field) => words(old[field]) !== words(now[field]))
    .map((field) => `${FIELDS[field]}: ${words(old[field]) || tr('none')} → ${words(now[field]) || tr('none')}`);
}

type Fields = Record<string, unknown>;

function fieldsOf(record: AnnotationRecord | null, stepName: (action: string) => string): Fields {
  if (record === null) return {};
  return record.kind === 'subtask' ? { ...record, first: stepName(record.first) } : { ...record };
}

function words(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return tr('yes');
  if (typeof value === 'object' && 'width' in value && 'height' in value && 'x' in value && 'y' in value) {
    return `${value.x}, ${value.y}, ${value.width} × ${value.height}`;
  }
  const text = String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
