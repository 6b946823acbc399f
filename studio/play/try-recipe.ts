import type { TriedRecipe } from '../../schemas/api/setup.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import type { Recipe } from '../../schemas/play.ts';
import { smallJpeg } from '../files/picture.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Asker } from './agreed.ts';
import { needAgreed } from './consent.ts';
import { filesOfTask } from './recipe.ts';
import { setStage } from './stage/set-stage.ts';
import { PLAIN_LAYOUT, PLAIN_SCREEN } from './stage/stage.ts';

const SHOWN = { width: 1280, height: 1280 };
const REST = { stillMs: 400, lookMs: 100, atMostMs: 5000 };

/** Each is a display with its programs, which may ask for all that the machine has. */
const MOST_AT_ONCE = 2;

/** Lets so many run at once; the next one is refused, since a person waits for it and would not know for what. */
export function limitTrials(most: number): <T>(trial: () => Promise<T>) => Promise<T> {
  let running = 0;
  return async (trial) => {
    if (running >= most)
      throw new StudioError(
        'WORKSPACE_BUSY',
        `${running === 1 ? 'Another recipe is' : `${running} other recipes are`} being tried just now, each on a stage of its own, and this studio tries ${most} at once. Wait until one is set up, or stop it, then try again.`,
        { most },
      );
    running++;
    try {
      return await trial();
    } finally {
      running--;
    }
  };
}
const inTurn = limitTrials(MOST_AT_ONCE);

/**
 * Sets a stage up by a recipe before it is kept, and looks at it: a picture of its screen, and the titles of its windows. The stage
 * is gone then. Throws WORKSPACE_BUSY while others are tried, NOT_AGREED while the task's own recipe is somebody else's: what is changed of it by hand rests on it. Throws
 * as setStage does: a window that never came names its program and what it printed.
 */
export async function tryRecipe(
  workspace: Workspace,
  wanted: { task: string; recipe: Recipe },
  asker: Asker,
  signal?: AbortSignal,
): Promise<TriedRecipe> {
  const { id: task } = await taskById(workspace.store, wanted.task);
  await needAgreed(workspace, task, asker, ['recipe']).catch((error: unknown) => {
    // One that cannot be read could not be shown to the person: what they try is all their own.
    if (!['BAD_FILE', 'FUTURE_VERSION'].includes(errorBody(error).code)) throw error;
  });
  return inTurn(() => setUpAndLook(workspace, task, wanted.recipe, signal));
}

async function setUpAndLook(
  workspace: Workspace,
  task: string,
  recipe: Recipe,
  signal: AbortSignal | undefined,
): Promise<TriedRecipe> {
  const began = performance.now();
  const fileOf = await filesOfTask(workspace.store, workspace.dir, task);
  const stage = await setStage({
    recipe,
    ...PLAIN_SCREEN,
    layout: PLAIN_LAYOUT,
    fileOf,
    task,
    workspace: workspace.dir,
    ...(signal && { signal }),
  });
  const took = Math.round(performance.now() - began);
  const display = stage.openDisplay();
  try {
    const screen = await display.screen();
    await display.rest(screen, REST);
    const seen = await display.look(screen);
    const picture = seen && `data:image/jpeg;base64,${(await smallJpeg(seen, SHOWN)).toString('base64')}`;
    return {
      took,
      width: screen.width,
      height: screen.height,
      picture,
      titles: await display.titles(),
      notes: [...stage.notes],
    };
  } finally {
    await display.close();
    await stage.end();
  }
}
