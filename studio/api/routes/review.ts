import { isDeepStrictEqual } from 'node:util';
import type { ReviewState } from '../../../schemas/api/review-models.ts';
import type { OpenWorkspace } from '../../library/open-workspace.ts';
import { dashboardCsv } from '../../review/csv.ts';
import { dashboardOf } from '../../review/dashboard.ts';
import { readPolicy, writePolicy } from '../../review/policy.ts';
import { workQueue } from '../../review/queue.ts';
import { api, safely, tell } from './base.ts';

/** Cross-validation: studio/review does the work, here it meets the wire. */
export const reviewRoutes = {
  review: {
    policy: api.review.policy.handler(async ({ context, input: { ws } }) =>
      readPolicy((await context.workspaces.get(ws)).workspace.db),
    ),
    setPolicy: api.review.setPolicy.handler(async ({ context, input: { ws, policy } }) => {
      const open = await context.workspaces.get(ws);
      const written = await writePolicy(open.workspace.db, policy);
      tell(open, 'recordings');
      return written;
    }),
    queue: api.review.queue.handler(async ({ context, input: { ws, person } }) => {
      const open = await context.workspaces.get(ws);
      await open.refresh();
      return workQueue(open.workspace, open.reviews, person);
    }),
    get: api.review.get.handler(async ({ context, input: { ws, recording, person } }) =>
      (await context.workspaces.get(ws)).reviews.get(recording, person),
    ),
    send: api.review.send.handler(async ({ context, input: { ws, recording, person, id, act } }) =>
      (await context.workspaces.get(ws)).reviews.send(recording, person, id, act),
    ),
    history: api.review.history.handler(async ({ context, input: { ws, recording, person } }) =>
      (await context.workspaces.get(ws)).reviews.history(recording, person),
    ),
    watch: api.review.watch.handler(async ({ context, input: { ws, recording, person }, signal }) => {
      const open = await context.workspaces.get(ws);
      // Asked here, so that an unknown recording is an answer and not a stream that breaks.
      await open.workspace.getRecording(recording);
      return safely(follow(open, recording, person, signal));
    }),
    compare: api.review.compare.handler(async ({ context, input: { ws, recording, person, documents } }) =>
      (await context.workspaces.get(ws)).reviews.compare(recording, person, documents),
    ),
    dashboard: api.review.dashboard.handler(async ({ context, input: { ws, software } }) => {
      const { workspace, reviews } = await context.workspaces.get(ws);
      return dashboardOf(workspace, reviews, software);
    }),
    dashboardCsv: api.review.dashboardCsv.handler(async ({ context, input: { ws, software, table } }) => {
      const { workspace, reviews } = await context.workspaces.get(ws);
      return dashboardCsv(await dashboardOf(workspace, reviews, software), table);
    }),
  },
};

/** The state now, then whenever something of it that this person sees has changed. */
async function* follow(
  open: OpenWorkspace,
  recording: string,
  person: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReviewState> {
  // Before the first look: nothing can come between the look and the listening.
  const stirred = open.annotated.subscribe(signal);
  let last: ReviewState | null = null;
  for (;;) {
    const now = await open.reviews.get(recording, person);
    if (!isDeepStrictEqual(now, last)) yield now;
    last = now;
    if ((await stirred.next()).done) return;
  }
}
