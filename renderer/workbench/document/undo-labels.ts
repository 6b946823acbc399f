import type { AnnotationDocument, StoredTransaction } from '../../../schemas/annotation.ts';

/**
 * The next acts of undo and redo, in words. The server has the truth; the page follows it by the transactions it sees.
 * `unknown`: there may be something, made before this page looked.
 */
type NextLabel = { label: string | null; unknown: boolean };
type Entry = { id: string | null; label: string };
export type UndoLabels = { undo: readonly Entry[]; redo: readonly Entry[]; deeper: { undo: boolean; redo: boolean } };

export function labelsOf(document: Pick<AnnotationDocument, 'undo' | 'redo'>): UndoLabels {
  const entry = (label: string | null): Entry[] => (label === null ? [] : [{ id: null, label }]);
  return {
    undo: entry(document.undo),
    redo: entry(document.redo),
    deeper: { undo: document.undo !== null, redo: document.redo !== null },
  };
}

export function followLabels(labels: UndoLabels, stored: StoredTransaction): UndoLabels {
  if (stored.undoes !== null) {
    const undone = labels.undo.at(-1) ?? { id: stored.undoes, label: stored.label };
    return { ...labels, undo: labels.undo.slice(0, -1), redo: [...labels.redo, undone] };
  }
  if (stored.redoes !== null) {
    const redone = labels.redo.at(-1) ?? { id: stored.redoes, label: stored.label };
    return { ...labels, undo: [...labels.undo, redone], redo: labels.redo.slice(0, -1) };
  }
  return {
    undo: [...labels.undo, { id: stored.id, label: stored.label }],
    redo: [],
    deeper: { undo: labels.deeper.undo, redo: false },
  };
}

/** The server had nothing to undo or redo. */
export function nothingMore(labels: UndoLabels, what: 'undo' | 'redo'): UndoLabels {
  return { ...labels, [what]: [], deeper: { ...labels.deeper, [what]: false } };
}

export function nextUndoLabel(labels: UndoLabels, what: 'undo' | 'redo'): NextLabel {
  const last = labels[what].at(-1);
  return { label: last?.label ?? null, unknown: last === undefined && labels.deeper[what] };
}
