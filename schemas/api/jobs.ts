import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { command, commandForm } from './command.ts';
import { jobSchema } from './models.ts';

/** Long work of a workspace: noted before it begins, and known after the program that did it has ended. */

const ws = z.object({ ws: z.string() });
const job = z.string().min(1).max(100);
const ofJob = ws.extend({ job });

const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

const wholeJobSchema = jobSchema.extend({
  /** The call of this API that began it, and what it was given; null where that is not known to this user's program. */
  call: z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) }).nullable(),
  failure: failureSchema.nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  /** The job that does it again. */
  next: z.string().nullable(),
});
export type WholeJob = z.infer<typeof wholeJobSchema>;

export const jobsContract = {
  jobs: {
    list: command('jobs list', 'list long work, newest first, with what was cut when a program ended', [
      ['jobs list --workspace W', 'the last 200'],
    ])
      .route({ method: 'GET', path: '/workspaces/{ws}/jobs', summary: 'Long work, newest first' })
      .input(ws)
      .output(z.array(jobSchema)),
    get: command('jobs show <id:job>', 'show one job: how it was begun, how it ended, and why', [
      ['jobs show 3f2a --workspace W', 'by the beginning of its id'],
    ])
      .route({ method: 'GET', path: '/workspaces/{ws}/jobs/{job}', summary: 'One job with all that was noted' })
      .input(ofJob)
      .output(wholeJobSchema),
    cancel: command('jobs cancel <id:job>', 'stop a job that runs or waits, whichever program does it', [
      ['jobs cancel 3f2a --workspace W', 'by the beginning of its id'],
    ])
      .route({ method: 'POST', path: '/workspaces/{ws}/jobs/{job}/cancel', summary: 'Stop long work' })
      .input(ofJob)
      .output(z.object({ ok: z.literal(true) })),
    /** Begins one that failed, was stopped or was cut, with what it was given; of two who ask at once one begins it. */
    again: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/jobs/{job}/again', summary: 'Begin a job again' })
      .input(ofJob)
      .output(jobSchema),
    /** Why it failed, with every detail (wrong lines of a file, say); null when it did not fail. */
    failure: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/jobs/{job}/failure', summary: 'Why long work failed' })
      .input(ofJob)
      .output(failureSchema.nullable()),
    /** The full result of finished work, for the command line; null where it gave none. */
    result: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/jobs/{job}/result', summary: 'What long work gave' })
      .input(ofJob)
      .output(z.record(z.string(), z.unknown()).nullable()),
    watch: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/jobs/changes', summary: 'Long work as it goes' })
      .input(ws)
      .output(eventIterator(jobSchema)),
  },
};

/** `jobs` on the command line where it is not one call as it is. */
export const jobForms = {
  again: commandForm(
    'jobs again <id:job>',
    'begin a job again that failed, was stopped or was cut, and wait for it',
    [['jobs again 3f2a --workspace W', 'with what it was given the first time']],
    { job },
  ),
};
