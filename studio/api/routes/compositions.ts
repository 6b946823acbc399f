import { compositionOpened, compositionsListed, runOpened } from '../../compositions/shown.ts';
import { api } from './base.ts';

/** Tasks joined: what they are, which laws they break, and what their runs came to. */
export const compositionRoutes = {
  compositions: {
    list: api.compositions.list.handler(async ({ context, input: { ws } }) =>
      compositionsListed((await context.workspaces.get(ws)).workspace),
    ),
    get: api.compositions.get.handler(async ({ context, input: { ws, composition } }) =>
      compositionOpened((await context.workspaces.get(ws)).workspace, composition),
    ),
    run: api.compositions.run.handler(async ({ context, input: { ws, composition, run } }) =>
      runOpened((await context.workspaces.get(ws)).workspace, composition, run),
    ),
  },
};
