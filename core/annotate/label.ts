import type { RecordOf } from '../../schemas/annotation.ts';
import { labelId } from './ids.ts';

type Label = RecordOf<'label'>;

/** A label that says nothing yet. */
export function emptyLabel(action: string): Label {
  return {
    kind: 'label',
    id: labelId(action),
    action,
    element: null,
    elementSource: null,
    startName: null,
    endName: null,
    purpose: null,
    dragKind: null,
    narration: null,
    text: null,
    confirmed: false,
    flagged: false,
  };
}

/** Whether a label says nothing: it then need not be kept (N7). */
export function isEmptyLabel({ kind: _kind, id: _id, action: _action, ...said }: Label): boolean {
  return Object.values(said).every((value) => value === null || value === false);
}
