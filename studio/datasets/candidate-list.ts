import type { CandidateShown } from '../../schemas/api/candidates.ts';
import { openFolder } from '../recordings/closed.ts';
import { picturesOf, readKeyframeIndex } from '../recordings/stills.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { annotatedSubtasks } from './annotated.ts';
import { recordsOf } from './collect.ts';
import { stepCandidatesIn, worthOfCandidates } from './step-candidates.ts';

/** Those of the recording as it is annotated now, with their rewards. Throws BAD_FILE, FUTURE_VERSION, and what reading it throws. */
export async function candidateList(
  workspace: Workspace,
  { id, folder, task, goal }: Pick<RecordingEntry, 'id' | 'folder' | 'task' | 'goal'>,
): Promise<CandidateShown[]> {
  const known = stepCandidatesIn(folder, id);
  if (known.length === 0) return [];
  const closed = openFolder(folder);
  const records = await recordsOf(workspace, closed);
  const index = await readKeyframeIndex(folder);
  const pictures = picturesOf(folder, index);
  const frames = new Map(
    index?.keyframes.flatMap(({ role, action, frame }) => (role === 'before' ? [[action, frame] as const] : [])),
  );
  const naming = { task, recording: id, goal, language: undefined };
  const { subtasks } = annotatedSubtasks(closed.actions, records, pictures, naming);
  const steps = subtasks.flatMap(({ actions }) => actions);
  const did = new Map(steps.map((step) => [step.id, step.narration]));
  const worth = worthOfCandidates(steps, known);
  const numbers = new Map(closed.actions.map((action, at) => [action.id, at + 1]));
  return [...worth].flatMap(([action, some]) =>
    some.map(
      ({ id: candidate, n, model, at, text, reward, why, judged, people }): CandidateShown => ({
        id: candidate,
        action,
        number: numbers.get(action) ?? 1,
        did: did.get(action) ?? '',
        frame: frames.get(action) ?? null,
        n,
        model,
        at,
        text,
        reward,
        why,
        judged,
        people,
      }),
    ),
  );
}
