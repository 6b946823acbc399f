import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { nextOfArena, rankInArena, resultOfArena, undoInArena } from '../../agents/arena.ts';
import { api, OK, tell } from './base.ts';

/** Outcomes that people rank without names. */
export const arenaRoutes = {
  arena: {
    next: api.arena.next.handler(async ({ context, input: { ws, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return nextOfArena(workspace, person, await findFfmpeg());
    }),
    rank: api.arena.rank.handler(async ({ context, input: { ws, person, set, order } }) => {
      const open = await context.workspaces.get(ws);
      await rankInArena(open.workspace, person, set, order);
      tell(open, 'recordings');
      return OK;
    }),
    undo: api.arena.undo.handler(async ({ context, input: { ws, person } }) => {
      const open = await context.workspaces.get(ws);
      await undoInArena(open.workspace, person);
      tell(open, 'recordings');
      return OK;
    }),
    result: api.arena.result.handler(async ({ context, input: { ws, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return resultOfArena(workspace, person);
    }),
  },
};
