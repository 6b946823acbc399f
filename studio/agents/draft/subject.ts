import { draftsNow } from '../../../core/agents/draft/fold.ts';
import type { ExportAction } from '../../../core/export/model.ts';
import type { DraftField, DraftKind, DraftStep, DraftSubject } from '../../../schemas/draft.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { annotatedSubtasks } from '../../datasets/annotated.ts';
import { recordsOf } from '../../datasets/collect.ts';
import { answeredIn, draftAnswers } from '../../documents/drafts.ts';
import { POINTED } from '../../documents/propose.ts';
import { openFolder } from '../../recordings/closed.ts';
import { currentKeyframes, picturesOf } from '../../recordings/stills.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { pictureLoader } from '../model-pictures.ts';

/** A recording as models are shown it for drafts: its steps in words, and pictures of those steps alone that something is asked of. */

export type ShownForDraft = { subject: DraftSubject; pictures: ReadonlyMap<string, Buffer> };

/** Everything of these kinds that is open: what was written or answered is not asked for again. Throws as `draftSubjectOf`. */
export async function openFields(
  workspace: Workspace,
  entry: RecordingEntry,
  kinds: readonly DraftKind[],
): Promise<ShownForDraft> {
  const { drafts, states } = await draftAnswers(workspace, entry);
  const ids = answeredIn(states);
  const answered = draftsNow(drafts, ({ id }) => ids.has(id)).filter(({ id }) => ids.has(id));
  const fields = new Set(answered.map(({ action, field }) => `${field}:${action}`));
  const anyCut = answered.some(({ field }) => field === 'subtask');
  return draftSubjectOf(workspace, entry, kinds, (action, field) =>
    field === 'subtask' ? anyCut : fields.has(`${field}:${action}`),
  );
}

const FIELDS: Readonly<Record<Exclude<DraftKind, 'subtasks'>, readonly DraftField[]>> = {
  names: ['element'],
  narrations: ['narration'],
  thoughts: ['thought', 'actionThought', 'observation'],
};

/**
 * Steps that somebody removed are left out. What somebody wrote already is not asked for, nor where `isAnswered`. Throws CONFLICT
 * for a recording that is still recorded, in review or approved; BAD_FILE, and what cutting pictures throws.
 */
async function draftSubjectOf(
  workspace: Workspace,
  { id, folder, task, app, goal, phase, state }: RecordingEntry,
  kinds: readonly DraftKind[],
  isAnswered: (action: string, field: DraftField) => boolean,
): Promise<ShownForDraft> {
  if (phase === 'recording')
    throw new StudioError('CONFLICT', `${id} is still being recorded. Draft for it when it is over.`, {
      recording: id,
    });
  if (state === 'in-review' || state === 'approved')
    throw new StudioError(
      'CONFLICT',
      `${id} is ${state === 'approved' ? 'approved' : 'reviewed by somebody now'}: drafts are for who annotates. Draft before it is handed in, or after it was rejected.`,
      { recording: id, state },
    );
  const stills = picturesOf(folder, await currentKeyframes(folder));
  const closed = openFolder(folder);
  const records = await recordsOf(workspace, closed);
  const { subtasks } = annotatedSubtasks(closed.actions, records, stills, {
    task,
    recording: id,
    goal,
    language: 'en',
  });
  const numbers = new Map(closed.actions.map((action, at) => [action.id, at + 1]));
  const pictures = new Map<string, Buffer>();
  const load = pictureLoader(pictures);
  const steps: DraftStep[] = [];
  for (const action of subtasks.flatMap((subtask) => subtask.actions)) {
    const label = records.get(`label:${action.id}`);
    const said = label?.kind === 'label' && label.narration !== null;
    const fields = kinds
      .flatMap((kind) => (kind === 'subtasks' ? [] : FIELDS[kind]))
      .filter((field) => !isWritten(action, field, said) && !isAnswered(action.id, field));
    const isShown = fields.length > 0;
    const { positions } = action;
    steps.push({
      action: action.id,
      number: numbers.get(action.id) ?? 1,
      words: action.narration,
      point:
        isShown && positions && POINTED.has(action.action.kind)
          ? { x: positions.start[0], y: positions.start[1] }
          : null,
      before: isShown ? await load(action.beforeImage?.path) : null,
      after: fields.includes('observation') ? await load(action.afterImage?.path) : null,
      fields: action.afterImage ? fields : fields.filter((field) => field !== 'observation'),
    });
  }
  // Who divided it has said what the subtasks are.
  const isDivided = subtasks.length > 1;
  const first = steps[0]?.action ?? '';
  const cuts = kinds.includes('subtasks') && !isDivided && steps.length > 1 && !isAnswered(first, 'subtask');
  return { subject: { recording: id, task, software: app, goal, steps, cuts }, pictures };
}

function isWritten(action: ExportAction, field: DraftField, narrated: boolean): boolean {
  if (field === 'narration') return narrated;
  if (field === 'element') return !POINTED.has(action.action.kind) || (action.element?.name ?? '') !== '';
  return field === 'subtask' || action[field] !== null;
}
