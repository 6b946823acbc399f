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

export function historyEntry(stored: StoredTransaction, action: string | null): HistoryEntry {
  const label = labelWords(stored.label.replace(/^(?:Undo|Redo)[: ]+(?!decision)/i, ''));
  const title =
    stored.undoes !== null
      ? tr('Undo: {label}', { label })
      : stored.redoes !== null
        ? tr('Redo: {label}', { label })
        : label;
  const lines = stored.changes
    .filter((change) => action === null || actionOf(change) === action)
    .flatMap(changeLines)
    .slice(0, 12);
  return { title, lines };
}

function actionOf(change: Change): string | null {
  const record = change.op === 'change' ? change.after : change.record;
  return 'action' in record ? record.action : null;
}

function changeLines(change: Change): string[] {
  if (change.op === 'add') return lines(null, change.record);
  if (change.op === 'remove') return lines(change.record, null);
  return lines(change.before, change.after);
}

function lines(before: AnnotationRecord | null, after: AnnotationRecord | null): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return Object.keys(FIELDS)
    .filter((field) => words(old[field]) !== words(now[field]))
    .map((field) => `${FIELDS[field]}: ${words(old[field]) || tr('none')} → ${words(now[field]) || tr('none')}`);
}

function fieldsOf(record: AnnotationRecord | null): Record<string, unknown> {
  return record ? { ...record } : {};
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
