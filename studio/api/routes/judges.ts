import { allJudgements, judgementsIn } from '../../agents/judge/judgements.ts';
import { api } from './base.ts';

/** What models say of recordings. */
export const judgeRoutes = {
  judges: {
    list: api.judges.list.handler(async ({ context, input: { ws } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return allJudgements(workspace);
    }),
    of: api.judges.of.handler(async ({ context, input: { ws, recording } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return judgementsIn(workspace, await workspace.getRecording(recording));
    }),
  },
};
