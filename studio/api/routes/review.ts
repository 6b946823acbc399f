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
    get: api.review.get.handler(async ({ context, input: { ws, recording, person, since } }) => {
      const { reviews } = await context.workspaces.get(ws);
      const state = await reviews.get(recording, person);
      return reviews.parts.answer(state, whoseOf(state, person), since);
    }),
    send: api.review.send.handler(async ({ context, input: { ws, recording, person, id, act, since } }) => {
      const { reviews } = await context.workspaces.get(ws);
      const { event, state } = await reviews.send(recording, person, id, act);
      return { event, state: reviews.parts.answer(state, whoseOf(state, person), since) };
    }),
    history: api.review.history.handler(async ({ context, input: { ws, recording, person } }) =>
      (await context.workspaces.get(ws)).reviews.history(recording, person),
    ),
    watch: api.review.watch.handler(async ({ context, input: { ws, recording, person, since }, signal }) => {
      const open = await context.workspaces.get(ws);
      // Asked here, so that an unknown recording is an answer and not a stream that breaks.
      await open.workspace.getRecording(recording);
      return safely(follow(open, { recording, person, since }, signal));
    }),
    compare: api.review.compare.handler(async ({ context, input: { ws, recording, person, documents } }) =>
      (await context.workspaces.get(ws)).reviews.compare(recording, person, documents),
    ),
    dashboard: api.review.dashboard.handler(async ({ context, input: { ws, ...asked } }) => {
      const { workspace, reviews } = await context.workspaces.get(ws);
      return dashboardOf(workspace, reviews, asked);
    }),
    dashboardCsv: api.review.dashboardCsv.handler(async ({ context, input: { ws, table, ...asked } }) => {
      const { workspace, reviews } = await context.workspaces.get(ws);
      return dashboardCsv(await dashboardOf(workspace, reviews, asked), table);
    }),
  },
};

const whoseOf = ({ recording }: ReviewState, person: string): string => `${recording} ${person}`;

/** The state now, then whenever something of it that this person sees has changed. */
async function* follow(
  open: OpenWorkspace,
  { recording, person, since }: { recording: string; person: string; since: string | undefined },
  signal: AbortSignal | undefined,
): AsyncGenerator<ReviewState> {
  // Before the first look: nothing can come between the look and the listening.
  const stirred = open.annotated.subscribe(signal);
  let last: ReviewState | null = null;
  // What was told last is what the next part is of.
  let told = since;
  for (;;) {
    const now = await open.reviews.get(recording, person);
    if (!isDeepStrictEqual(now, last)) {
      const answer = open.reviews.parts.answer(now, whoseOf(now, person), told);
      yield answer;
      told = answer.tag;
    }
    last = now;
    if ((await stirred.next()).done) return;
  }
}
