import { api } from './base.ts';

/** What models propose for a recording's annotation: the session answers as its person may see it. */
export const draftRoutes = {
  drafts: {
    of: api.drafts.of.handler(async ({ context, input: { ws, recording, document, person } }) =>
      (await context.workspaces.get(ws)).as(person).drafts.of(recording, document),
    ),
    reject: api.drafts.reject.handler(
      async ({ context, input: { ws, recording, document, draft, rejected, person } }) => {
        await (await context.workspaces.get(ws)).as(person).drafts.reject(recording, draft, rejected, document);
        return {};
      },
    ),
  },
};
