import { keepWithTask, lookForTask, taskSetup, tryChecks } from '../../play/setup.ts';
import { api, tell } from './base.ts';

/** The recipe and the checks of a task. */
export const setupRoutes = {
  setup: {
    get: api.setup.get.handler(async ({ context, input: { ws, task } }) =>
      taskSetup((await context.workspaces.get(ws)).workspace, task),
    ),
    saveRecipe: api.setup.saveRecipe.handler(async ({ context, input: { ws, task, recipe } }) => {
      const open = await context.workspaces.get(ws);
      await keepWithTask(open.workspace, task, recipe);
      tell(open, 'tasks');
      return taskSetup(open.workspace, task);
    }),
    saveChecks: api.setup.saveChecks.handler(async ({ context, input: { ws, task, checks } }) => {
      const open = await context.workspaces.get(ws);
      await keepWithTask(open.workspace, task, checks);
      tell(open, 'tasks');
      return taskSetup(open.workspace, task);
    }),
    tryChecks: api.setup.tryChecks.handler(async ({ context, input: { ws, task, checks }, signal }) =>
      tryChecks((await context.workspaces.get(ws)).workspace, task, checks, signal),
    ),
    look: api.setup.look.handler(async ({ context, input: { ws, task, check } }) =>
      lookForTask((await context.workspaces.get(ws)).workspace, task, check),
    ),
  },
};
