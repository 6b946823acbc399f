import { agreeTo, askedOf, byOwnHand } from '../../play/consent.ts';
import { installedPrograms } from '../../play/installed.ts';
import { keepWithTask, lookForTask, taskSetup, tryChecks } from '../../play/setup.ts';
import { tryRecipe } from '../../play/try-recipe.ts';
import { taskById } from '../../store/tasks.ts';
import { askerIn } from '../asker.ts';
import { api, tell } from './base.ts';

/** The recipe and the checks of a task. */
export const setupRoutes = {
  setup: {
    get: api.setup.get.handler(async ({ context, input: { ws, task } }) =>
      taskSetup((await context.workspaces.get(ws)).workspace, task),
    ),
    saveRecipe: api.setup.saveRecipe.handler(async ({ context, input: { ws, task, recipe, person } }) => {
      const open = await context.workspaces.get(ws);
      const keep = () => keepWithTask(open.workspace, task, recipe);
      await byOwnHand(open.workspace, task, askerIn(context, person), 'recipe', keep);
      tell(open, 'tasks');
      return taskSetup(open.workspace, task);
    }),
    programs: api.setup.programs.handler(() => installedPrograms()),
    tryRecipe: api.setup.tryRecipe.handler(async ({ context, input: { ws, task, recipe, person }, signal }) => {
      const { workspace } = await context.workspaces.get(ws);
      return tryRecipe(workspace, { task, recipe }, askerIn(context, person), signal);
    }),
    saveChecks: api.setup.saveChecks.handler(async ({ context, input: { ws, task, checks, person } }) => {
      const open = await context.workspaces.get(ws);
      const keep = () => keepWithTask(open.workspace, task, checks);
      await byOwnHand(open.workspace, task, askerIn(context, person), 'checks', keep);
      tell(open, 'tasks');
      return taskSetup(open.workspace, task);
    }),
    asked: api.setup.asked.handler(async ({ context, input: { ws, task, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const { id } = await taskById(workspace.store, task);
      return askedOf(workspace, id, askerIn(context, person));
    }),
    agree: api.setup.agree.handler(async ({ context, input: { ws, task, hashes, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const { id } = await taskById(workspace.store, task);
      await agreeTo(workspace, id, askerIn(context, person), hashes);
      return askedOf(workspace, id, askerIn(context, person));
    }),
    tryChecks: api.setup.tryChecks.handler(async ({ context, input: { ws, task, checks }, signal }) =>
      tryChecks((await context.workspaces.get(ws)).workspace, task, checks, signal),
    ),
    look: api.setup.look.handler(async ({ context, input: { ws, task, check } }) =>
      lookForTask((await context.workspaces.get(ws)).workspace, task, check),
    ),
  },
};
