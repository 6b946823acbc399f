import { oc } from '@orpc/contract';
import { z } from 'zod';
import { command, commandForm } from './command.ts';
import { jobSchema, taskToRecordSchema } from './models.ts';

/** The other side of a team's server: a studio of one machine whose tasks come from there, and whose recordings go there. */

const ws = z.object({ ws: z.string() });
const at = (path: string) => `/workspaces/{ws}/team-server${path}` as const;
const whySchema = z.object({ code: z.string(), message: z.string() });

/** Wishes for recordings that go there by themselves; each a setting of this machine. */
export type SendingWishes = {
  /** Finished recordings of the server's tasks are sent. */
  on: boolean;
  /** The copy here goes once the server has confirmed the hash of every file. */
  free: boolean;
  /** With what was said while recording. */
  voice: boolean;
};

const serverSchema = z.object({ origin: z.string() });

const serverTasksSchema = z.object({
  origin: z.string(),
  /** The person whose token this machine has; null while the server cannot be asked. */
  person: z.object({ name: z.string(), email: z.string() }).nullable(),
  /** Why the server could not be asked; the tasks are then those that were taken before. */
  away: whySchema.nullable(),
  /** The clock of this machine differs from the server's, in words. */
  clock: z.string().nullable(),
  tasks: z.array(
    taskToRecordSchema.extend({
      /** It is a task of this workspace already. */
      taken: z.boolean(),
    }),
  ),
});
export type ServerTaskList = z.infer<typeof serverTasksSchema>;

const outgoingSchema = z.object({
  recording: z.string(),
  task: z.string().nullable(),
  goal: z.string(),
  /** It is in this workspace still. */
  here: z.boolean(),
  /** `held`: it is not sent by itself, since a person stopped it or the server refused it (`error`). */
  state: z.enum(['recording', 'waiting', 'sending', 'held', 'there']),
  job: z.string().nullable(),
  progress: z.number(),
  message: z.string().nullable(),
  /** When the server had confirmed every hash. */
  confirmedAt: z.string().nullable(),
  error: whySchema.nullable(),
});
export type OutgoingRecording = z.infer<typeof outgoingSchema>;

const task = z.string().max(60);

/** It also waits for the task's files. */
export const serverTake = commandForm(
  'server take <task>',
  "make a task of the team's server one of this workspace, with its files, to record it",
  [['server take PPT_15 --workspace W', 'then `record` with --task PPT_15; the studio sends the recording by itself']],
  { task },
);

export const teamServerContract = {
  teamServer: {
    get: oc
      .route({
        method: 'GET',
        path: '/team-server',
        summary: "The team's server that this machine sends recordings to",
      })
      .output(serverSchema.nullable()),
    connect: oc
      .route({ method: 'POST', path: '/team-server', summary: "Name the team's server, with a token for it" })
      .input(z.object({ address: z.string().max(500), token: z.string().max(300) }))
      .output(serverSchema),
    forget: oc
      .route({ method: 'DELETE', path: '/team-server', summary: 'Forget the server and its token' })
      .output(serverSchema.nullable()),
    tasks: command('server tasks', "list the tasks of the team's server that you are to record", [
      ['server tasks --workspace W', 'yours first, then those for anybody'],
    ])
      .route({ method: 'GET', path: at('/tasks'), summary: 'Tasks of the server that are to be recorded here' })
      .input(ws)
      .output(serverTasksSchema),
    take: oc
      .route({ method: 'POST', path: at('/tasks/{task}'), summary: 'Take a task of the server, with its files' })
      .input(ws.extend({ task }))
      .output(z.object({ task: z.string(), job: jobSchema.nullable() })),
    outgoing: command('server outgoing', "list the recordings that go to the team's server, and how far they are", [
      ['server outgoing --workspace W', 'those of its tasks, and those that were pushed'],
    ])
      .route({ method: 'GET', path: at('/outgoing'), summary: 'Recordings on their way to the server' })
      .input(ws)
      .output(
        z.object({
          origin: z.string(),
          /** Why nothing goes on. */
          away: whySchema.nullable(),
          recordings: z.array(outgoingSchema),
        }),
      ),
    /** Stopped by `jobs.cancel`; then it goes on by this. */
    push: oc
      .route({ method: 'POST', path: at('/push'), summary: 'Send a recording to the server now' })
      .input(ws.extend({ recording: z.string() }))
      .output(jobSchema),
  },
};
