import type { AnnotationRecord, Change, StoredTransaction } from '../../../schemas/annotation.ts';

/** A stored transaction in words: what was done, and each value before and after, of one action when it is named. */
type HistoryEntry = { title: string; lines: string[] };

const FIELDS: Readonly<Record<string, string>> = {
  element: 'Element',
  startName: 'Start position',
  endName: 'End position',
  purpose: 'Purpose',
  dragKind: 'Movement or resizing',
  narration: 'Narration',
  text: 'Corrected text',
  confirmed: 'Confirmed',
  flagged: 'Flagged',
  box: 'Box',
  reason: 'Removed for',
  comment: 'Comment',
  frame: 'Frame',
  title: 'Title',
  first: 'Begins at',
};

export function historyEntry(stored: StoredTransaction, action: string | null): HistoryEntry {
  const what = stored.undoes !== null ? 'Undo: ' : stored.redoes !== null ? 'Redo: ' : '';
  const label = stored.label.replace(/^(?:Undo|Redo)[: ]+/i, '');
  const lines = stored.changes
    .filter((change) => action === null || actionOf(change) === action)
    .flatMap(changeLines)
    .slice(0, 12);
  return { title: `${what}${label}`, lines };
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
    .map((field) => `${FIELDS[field]}: ${words(old[field]) || 'none'} → ${words(now[field]) || 'none'}`);
}

function fieldsOf(record: AnnotationRecord | null): Record<string, unknown> {
  return record ? { ...record } : {};
}

function words(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return 'yes';
  if (typeof value === 'object' && 'width' in value && 'height' in value && 'x' in value && 'y' in value) {
    return `${value.x}, ${value.y}, ${value.width} × ${value.height}`;
  }
  const text = String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
