import { StudioError } from '../../schemas/errors.ts';
import { annotatedSubtasks } from '../datasets/annotated.ts';
import { recordsOf } from '../datasets/collect.ts';
import { openFolder } from '../recordings/closed.ts';
import { currentKeyframes, picturesOf } from '../recordings/stills.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * The steps of a recording as models are shown them, with their words: without those that somebody removed, as in exports. `recorded`:
 * its actions, those too. Throws CONFLICT for a recording that is still recorded, with `again`, which says what to do when it is over;
 * BAD_FILE, and what cutting pictures throws.
 */
export async function shownSteps(
  workspace: Workspace,
  { id, folder, task, goal, phase }: RecordingEntry,
  again: string,
) {
  if (phase === 'recording')
    throw new StudioError('CONFLICT', `${id} is still being recorded. ${again} when it is over.`, { recording: id });
  const stills = picturesOf(folder, await currentKeyframes(folder));
  const closed = openFolder(folder);
  const records = await recordsOf(workspace, closed);
  const naming = { task, recording: id, goal, language: 'en' as const };
  const { subtasks } = annotatedSubtasks(closed.actions, records, stills, naming);
  return { recorded: closed.actions, actions: subtasks.flatMap((subtask) => subtask.actions) };
}
