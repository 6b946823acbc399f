import type { Change, Proposal, RecordOf, Source } from '../../schemas/annotation.ts';
import type { Rect } from '../../schemas/events.ts';
import { put, type Records } from './document.ts';
import { boxId, GOAL_ID, keyframeId, labelId, reasoningId, removalId } from './ids.ts';
import { emptyLabel, isEmptyLabel } from './label.ts';
import { keepOrigins, originsOf } from './origins.ts';

export { mergeSubtask, moveEdge, setTitle, splitSubtask } from './edit-subtasks.ts';

/**
 * The changes that one gesture makes: the records as they are in, the changes out, empty when nothing would change. Pure;
 * whoever calls makes them a transaction. Gestures on subtasks are in edit-subtasks.ts.
 */

type Label = RecordOf<'label'>;
type BoxRole = RecordOf<'box'>['role'];
type KeyframeRole = RecordOf<'keyframe'>['role'];
export type ReasoningField = 'thought' | 'actionThought' | 'observation';
export type LabelField = 'startName' | 'endName' | 'purpose' | 'dragKind' | 'text';

/** Names the element; empty or null takes the name away. White space around and line breaks inside are not the name's. */
export function nameElement(records: Records, action: string, name: string | null, source: Source): Change[] {
  const element = oneLine(name);
  // The same name again keeps where it came from.
  if (element === labelOf(records, action).element) return [];
  return changeLabel(records, action, { element, elementSource: element === null ? null : source });
}

/** Sets one field. Null (or empty, but for `text`, which may be corrected to nothing) = not said. */
export function setField<F extends LabelField>(records: Records, action: string, field: F, value: Label[F]): Change[] {
  const clean = field === 'text' || field === 'dragKind' ? value : oneLine(value);
  return changeLabel(records, action, { [field]: clean });
}

/** Overwrites the narration (pattern 5); null or empty: the one made from the fields stands again. */
export function setNarration(records: Records, action: string, text: string | null): Change[] {
  return changeLabel(records, action, { narration: withoutBreaks(text) });
}

export function confirm(records: Records, action: string, confirmed: boolean): Change[] {
  return changeLabel(records, action, { confirmed });
}

/** Confirms a step with what stood filled in. */
export function confirmFilled(records: Records, action: string, { name, box, source, confidence }: Proposal): Change[] {
  const element = oneLine(name);
  return [
    ...changeLabel(records, action, { confirmed: true, ...(element !== null && { element, elementSource: source }) }),
    ...(box === null ? [] : setBox(records, action, 'target', box, source, confidence)),
  ];
}

export function flag(records: Records, action: string, flagged: boolean): Change[] {
  return changeLabel(records, action, { flagged });
}

/** Sets or, with null, takes away a box in the frame of the action's `before` picture. `confidence` 0 to 1. */
export function setBox(
  records: Records,
  action: string,
  role: BoxRole,
  box: Rect | null,
  source: Source,
  confidence: number,
): Change[] {
  const id = boxId(action, role);
  return put(records, id, box && { kind: 'box', id, action, role, box, source, confidence });
}

/** Takes a proposal's name and box in one gesture; what the proposal does not have stays as it is. */
export function takeProposal(records: Records, action: string, proposal: Proposal): Change[] {
  const { name, box, source, confidence } = proposal;
  return [
    ...(name === null ? [] : nameElement(records, action, name, source)),
    ...(box === null ? [] : setBox(records, action, 'target', box, source, confidence)),
  ];
}

/** Takes names, drag fields and boxes over from another step; its narration, text and marks are its own. */
export function copyRecords(records: Records, fromAction: string, toAction: string): Change[] {
  if (fromAction === toAction) return [];
  const from = labelOf(records, fromAction);
  const { element, elementSource, startName, endName, purpose, dragKind } = from;
  const fields = { element, elementSource, startName, endName, purpose, dragKind };
  // A field that the other step does not say is left alone.
  const said = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  // A model's words stay a model's on the next step.
  const origin = originsOf(from).element;
  const drafted = origin && { drafted: { ...originsOf(records.get(labelId(toAction))), element: origin } };
  const boxes = (['target', 'end'] as const).flatMap((role) => {
    const box = records.get(boxId(fromAction, role));
    return box?.kind === 'box' ? setBox(records, toAction, role, box.box, box.source, box.confidence) : [];
  });
  return [...changeLabel(records, toAction, { ...said, ...drafted }), ...boxes];
}

/** Marks steps as removed (pattern 7, N5), or gives removed ones this reason and comment. */
export function removeSteps(
  records: Records,
  actions: readonly string[],
  reason: RecordOf<'removal'>['reason'],
  comment: string,
): Change[] {
  return unique(actions).flatMap((action) => {
    const id = removalId(action);
    return put(records, id, { kind: 'removal', id, action, reason, comment: comment.trim() });
  });
}

export function restoreSteps(records: Records, actions: readonly string[]): Change[] {
  return unique(actions).flatMap((action) => put(records, removalId(action), null));
}

/** Moves a keyframe (K5) to a recorded frame (frames.jsonl `i` and `t`); null: the chosen one stands again. */
export function moveKeyframe(
  records: Records,
  action: string,
  role: KeyframeRole,
  to: { frame: number; t: number } | null,
): Change[] {
  const id = keyframeId(action, role);
  return put(records, id, to && { kind: 'keyframe', id, action, role, frame: to.frame, t: to.t });
}

/** Writes one text of the step's reasoning; null or empty takes it away, and the record with the last one (N7). */
export function setReasoning(records: Records, action: string, field: ReasoningField, text: string | null): Change[] {
  const id = reasoningId(action);
  const known = records.get(id);
  const empty = { thought: null, actionThought: null, observation: null };
  const said = known?.kind === 'reasoning' ? known : { kind: 'reasoning' as const, id, action, ...empty };
  const next = keepOrigins(known, { ...said, [field]: text?.trim() || null });
  const nothing = next.thought === null && next.actionThought === null && next.observation === null;
  return put(records, id, nothing ? null : next);
}

export function setGoal(records: Records, text: string): Change[] {
  return put(records, GOAL_ID, { kind: 'goal', id: GOAL_ID, text: text.trim() });
}

function labelOf(records: Records, action: string): Label {
  const label = records.get(labelId(action));
  return label?.kind === 'label' ? label : emptyLabel(action);
}

function changeLabel(records: Records, action: string, fields: Partial<Label>): Change[] {
  const before = labelOf(records, action);
  const next = keepOrigins(before, { ...before, ...fields });
  return put(records, next.id, isEmptyLabel(next) ? null : next);
}

function oneLine(text: string | null): string | null {
  return text?.replace(/\s+/gu, ' ').trim() || null;
}

/** Spaces inside stay: a narration may quote typed text. */
function withoutBreaks(text: string | null): string | null {
  return text?.replace(/(?<!\s)\s*[\r\n]\s*/g, ' ').trim() || null;
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];
