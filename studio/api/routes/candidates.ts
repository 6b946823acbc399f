import { api } from './base.ts';

/** What models answered to the steps of a recording: the session answers as its person may see it. */
export const candidateRoutes = {
  candidates: {
    of: api.candidates.of.handler(async ({ context, input: { ws, recording, person } }) =>
      (await context.workspaces.get(ws)).as(person).candidates.of(recording),
    ),
    say: api.candidates.say.handler(async ({ context, input: { ws, recording, candidate, right, person } }) => {
      await (await context.workspaces.get(ws)).as(person).candidates.say(recording, candidate, right ?? null);
      return {};
    }),
  },
};
