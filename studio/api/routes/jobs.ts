import { api, OK, safely } from './base.ts';

/** Long work of a workspace. */
export const jobRoutes = {
  jobs: {
    list: api.jobs.list.handler(async ({ context, input }) => (await context.workspaces.get(input.ws)).jobs.list()),
    get: api.jobs.get.handler(async ({ context, input: { ws, job: id } }) => {
      const { job, ...more } = await (await context.workspaces.get(ws)).jobs.get(id);
      return { ...job, ...more };
    }),
    cancel: api.jobs.cancel.handler(async ({ context, input: { ws, job } }) => {
      await (await context.workspaces.get(ws)).jobs.cancel(job);
      return OK;
    }),
    again: api.jobs.again.handler(async ({ context, input: { ws, job } }) => {
      const { beginCall } = await import('./begin-again.ts');
      const { jobs } = await context.workspaces.get(ws);
      return jobs.again(job, (call) => beginCall(call, ws, context));
    }),
    failure: api.jobs.failure.handler(async ({ context, input: { ws, job } }) =>
      (await context.workspaces.get(ws)).jobs.failure(job),
    ),
    result: api.jobs.result.handler(async ({ context, input: { ws, job } }) =>
      (await context.workspaces.get(ws)).jobs.result(job),
    ),
    watch: api.jobs.watch.handler(async ({ context, input, signal }) =>
      safely((await context.workspaces.get(input.ws)).jobs.watch(signal)),
    ),
  },
};
