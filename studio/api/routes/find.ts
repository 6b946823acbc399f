import { knownPerson } from '../../documents/review/situation.ts';
import { api } from './base.ts';

/** Finds the person or thing that is meant by a name or the beginning of an id. */
export const findRoutes = {
  recordings: {
    find: api.recordings.find.handler(async ({ context, input: { ws, recording } }) => {
      const open = await context.workspaces.get(ws);
      await open.refresh();
      const { id } = await open.workspace.resolveRecording(recording);
      return { id };
    }),
  },
  people: {
    find: api.people.find.handler(async ({ context, input: { ws, person } }) => ({
      id: await knownPerson((await context.workspaces.get(ws)).workspace.store, person),
    })),
  },
};
