import { dashboardCsv } from '../../documents/review/csv.ts';
import { changePolicy, readPolicy } from '../../documents/review/policy.ts';
import { api, safely, tell } from './base.ts';

/** Cross-validation: the session answers as its person may see it, here it meets the wire. */
export const reviewRoutes = {
  review: {
    policy: api.review.policy.handler(async ({ context, input: { ws } }) =>
      readPolicy((await context.workspaces.get(ws)).workspace.store),
    ),
    setPolicy: api.review.setPolicy.handler(async ({ context, input: { ws, policy, person } }) => {
      const open = await context.workspaces.get(ws);
      const written = await changePolicy(open.workspace.store, policy, person);
      tell(open, 'recordings');
      return written;
    }),
    assign: api.review.assign.handler(async ({ context, input: { ws, person, ...wishes } }) => {
      const open = await context.workspaces.get(ws);
      // A recording may have been put there a moment ago.
      await open.refresh({ now: true });
      const outcome = await open.as(person).reviews.assign(wishes);
      if (outcome.assigned.length > 0) tell(open, 'recordings');
      return outcome;
    }),
    queue: api.review.queue.handler(async ({ context, input: { ws, person } }) => {
      const open = await context.workspaces.get(ws);
      await open.refresh();
      return open.as(person).reviews.queue();
    }),
    get: api.review.get.handler(async ({ context, input: { ws, recording, person, since } }) =>
      (await context.workspaces.get(ws)).as(person).reviews.get(recording, since),
    ),
    send: api.review.send.handler(async ({ context, input: { ws, recording, person, id, act, since } }) =>
      (await context.workspaces.get(ws)).as(person).reviews.send(recording, id, act, since),
    ),
    history: api.review.history.handler(async ({ context, input: { ws, recording, person } }) =>
      (await context.workspaces.get(ws)).as(person).reviews.history(recording),
    ),
    watch: api.review.watch.handler(async ({ context, input: { ws, recording, person, since }, signal }) =>
      safely(await (await context.workspaces.get(ws)).as(person).reviews.watch(recording, { since, signal })),
    ),
    compare: api.review.compare.handler(async ({ context, input: { ws, recording, person, documents } }) =>
      (await context.workspaces.get(ws)).as(person).reviews.compare(recording, documents),
    ),
    dashboard: api.review.dashboard.handler(async ({ context, input: { ws, person, software } }) => {
      const open = await context.workspaces.get(ws);
      await open.refresh();
      return open.as(person).reviews.dashboard(software);
    }),
    dashboardCsv: api.review.dashboardCsv.handler(async ({ context, input: { ws, person, software, table } }) =>
      dashboardCsv(await (await context.workspaces.get(ws)).as(person).reviews.dashboard(software), table),
    ),
  },
};
