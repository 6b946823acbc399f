import { isUnseen } from '../../core/actions/unseen.ts';
import type { PlayReady } from '../../schemas/api/play.ts';
import { errorBody } from '../../schemas/errors.ts';
import { openFolder } from '../recordings/closed.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { recipeOfTask } from './recipe.ts';
import { cageUnable, programsMissing, stageUnable } from './stage/set-stage.ts';

/** Whether a demonstration can be played on a virtual stage of this machine, for pages: what is missing, in words. */
export async function readyToPlay(
  workspace: Workspace,
  { folder, phase, task }: Pick<RecordingEntry, 'folder' | 'phase' | 'task'>,
): Promise<PlayReady> {
  const missing: PlayReady['missing'] = [];
  const say = (what: PlayReady['missing'][number]['what'], message: string): void =>
    void missing.push({ what, message });
  const unable = stageUnable() ?? cageUnable();
  if (unable) say('machine', unable.message);
  const unplayable = phase === 'recording' ? 'It is still being recorded.' : whyUnplayable(folder);
  if (unplayable !== null) say('recording', unplayable);
  try {
    const recipe = await recipeOfTask(workspace, task);
    if (!recipe) {
      say('recipe', `Nobody said yet what must be open when ${task} begins: its task has no recipe.`);
    } else {
      for (const name of programsMissing(recipe)) {
        say('program', `The recipe starts “${name}”, which is not installed on this machine.`);
      }
    }
  } catch (error) {
    say('recipe', errorBody(error).message);
  }
  const checks = await checksOfTask(workspace, task).catch(() => null);
  return { missing, checks: checks?.checks.length ?? null };
}

function whyUnplayable(folder: string): string | null {
  try {
    const { actions } = openFolder(folder);
    if (actions.length === 0) return 'It has no steps, so there is nothing to play.';
    if (!actions.some(isUnseen)) return null;
    return 'Its input was not recorded (it was imported from a video or another tool), so it cannot be played.';
  } catch (error) {
    return errorBody(error).message;
  }
}
