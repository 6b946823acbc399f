import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { documentSchema, proposalSchema, storedTransactionSchema, transactionSchema } from '../annotation.ts';
import { pauseReasonSchema, rectSchema } from '../events.ts';
import { importWishesSchema } from '../import.ts';
import { archivesContract } from './archives.ts';
import { datasets, exportsContract } from './datasets.ts';
import { evaluateContract } from './evaluate.ts';
import {
  attachmentSchema,
  jobSchema,
  openedRecordingSchema,
  personSchema,
  preflightSchema,
  recorderStateSchema,
  recorderTargetSchema,
  recordingRowSchema,
  softwareSchema,
  taskRowSchema,
  taskSchema,
  workspaceSchema,
} from './models.ts';
import { reviewContract } from './review.ts';

/**
 * The one API (architecture.md): contract first. Pages, command line and scripts speak it; /api/openapi.json describes it.
 * Errors are `{code, message, details}` with the codes of schemas/errors.ts.
 */
const text = (most: number) => z.string().max(most);
const ws = z.object({ ws: z.string() });
const ofRecording = ws.extend({ recording: z.string() });
/** Whose annotation: left out = the recording's main document; `<recording>~<person id>` = a blind replica. */
const ofDocument = ofRecording.extend({ document: z.string().optional() });
/** Who asks: what is kept from them while they annotate blind is left out. */
const asker = z.string().min(1).optional();
const done = z.object({ ok: z.literal(true) });
/** Of `recordings.open`; studio/api/opened-answer.ts takes the same question. */
export const openedInput = ofRecording.extend({ person: asker });

export const contract = {
  ...reviewContract,
  workspaces: {
    recent: oc
      .route({ method: 'GET', path: '/workspaces', summary: 'Workspaces opened before' })
      .output(z.array(workspaceSchema)),
    /** `create`: make the folder a workspace when it is none yet. */
    open: oc
      .route({ method: 'POST', path: '/workspaces/open', summary: 'Open or make a workspace' })
      .input(z.object({ dir: z.string().min(1), create: z.boolean().default(false) }))
      .output(workspaceSchema),
    /** Copies the shipped sample into the user's own folder once, and opens it. */
    openSample: oc
      .route({ method: 'POST', path: '/workspaces/sample', summary: 'Open the sample' })
      .output(workspaceSchema),
    forget: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/forget',
        summary: 'Close and leave out of the list; the folder stays',
      })
      .input(ws)
      .output(done),
    /** Where a new one would go by default, for the welcome page. */
    suggest: oc
      .route({ method: 'GET', path: '/workspaces/suggest', summary: 'A folder for a new workspace' })
      .output(z.object({ dir: z.string() })),
  },
  software: {
    list: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/software', summary: 'Software of the library' })
      .input(ws)
      .output(z.array(softwareSchema)),
    add: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/software', summary: 'Add software' })
      .input(
        ws.extend({
          name: text(100).min(1),
          prefix: text(20).optional(),
          platforms: text(200).optional(),
          aliases: z.array(text(100)).max(50).optional(),
        }),
      )
      .output(softwareSchema),
  },
  people: {
    list: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/people', summary: 'People of the workspace' })
      .input(ws)
      .output(z.array(personSchema)),
    add: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/people', summary: 'Add a person' })
      .input(ws.extend({ name: text(100).min(1), email: text(200).nullable().default(null) }))
      .output(personSchema),
  },
  tasks: {
    list: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/tasks', summary: 'Every task, compact' })
      .input(ws.extend({ person: asker }))
      .output(z.array(taskRowSchema)),
    get: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/tasks/{task}', summary: 'One task' })
      .input(ws.extend({ task: z.string(), person: asker }))
      .output(taskSchema),
    create: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/tasks', summary: 'Make a task; without `id` the next free one' })
      .input(
        ws.extend({
          id: text(60).optional(),
          software: z.string(),
          goal: text(10_000),
          platform: text(100).default(''),
          sourceUrl: text(2000).default(''),
          notes: text(10_000).default(''),
        }),
      )
      .output(taskSchema),
    update: oc
      .route({ method: 'PATCH', path: '/workspaces/{ws}/tasks/{task}', summary: 'Change a task' })
      .input(
        ws.extend({
          task: z.string(),
          goal: text(10_000).optional(),
          platform: text(100).optional(),
          sourceUrl: text(2000).optional(),
          notes: text(10_000).optional(),
          state: z.enum(['open', 'closed']).optional(),
        }),
      )
      .output(taskSchema),
    /** Only a task without recordings. */
    remove: oc
      .route({ method: 'DELETE', path: '/workspaces/{ws}/tasks/{task}', summary: 'Remove a task without recordings' })
      .input(ws.extend({ task: z.string() }))
      .output(done),
    detach: oc
      .route({ method: 'DELETE', path: '/workspaces/{ws}/attachments/{attachment}', summary: 'Remove an attachment' })
      .input(ws.extend({ attachment: z.string() }))
      .output(done),
    /** Files are sent to POST /files/{ws}/attachments?task=…&role=…&name=… as the body; this lists them. */
    attachments: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/tasks/{task}/attachments', summary: 'Files of a task' })
      .input(ws.extend({ task: z.string() }))
      .output(z.array(attachmentSchema)),
  },
  recordings: {
    list: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/recordings', summary: 'Every recording' })
      .input(ws.extend({ person: asker }))
      .output(z.array(recordingRowSchema)),
    open: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/recordings/{recording}', summary: 'Steps, frames and geometry' })
      .input(openedInput)
      .output(openedRecordingSchema),
    /** Anything on this machine that can be imported: ours, a workspace archive, what other tools recorded; a job. */
    import: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/import',
        summary: 'Import a recording, an archive, a video, or what another tool recorded',
      })
      .input(ws.extend({ path: z.string().min(1), wishes: importWishesSchema.optional() }))
      .output(jobSchema),
    /** Writes a folder copy (or .tar when `out` ends so); a job. */
    export: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/export',
        summary: 'Export one recording',
      })
      .input(ofRecording.extend({ out: z.string().min(1) }))
      .output(jobSchema),
    /** Moves the folder to the workspace's trash/. */
    remove: oc
      .route({
        method: 'DELETE',
        path: '/workspaces/{ws}/recordings/{recording}',
        summary: 'Move a recording to the trash',
      })
      .input(ofRecording)
      .output(done),
    /** What is being typed or clicked is never in it. */
    watch: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/changes', summary: 'Library changes as they happen' })
      .input(ws)
      .output(eventIterator(z.object({ what: z.enum(['tasks', 'recordings', 'software', 'people']) }))),
  },
  annotation: {
    get: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/annotation',
        summary: 'The annotation document',
      })
      .input(ofDocument.extend({ person: asker }))
      .output(documentSchema),
    /** All or nothing; the same id again is answered, not applied twice. Throws CONFLICT when a `before` no longer stands. */
    apply: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/annotation',
        summary: 'Apply a transaction',
      })
      .input(ofDocument.extend({ transaction: transactionSchema, person: z.string().default('me') }))
      .output(storedTransactionSchema),
    undo: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/annotation/undo',
        summary: 'Undo; null when there is nothing',
      })
      .input(ofDocument.extend({ person: z.string().default('me') }))
      .output(storedTransactionSchema.nullable()),
    redo: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/annotation/redo',
        summary: 'Redo; null when there is nothing',
      })
      .input(ofDocument.extend({ person: z.string().default('me') }))
      .output(storedTransactionSchema.nullable()),
    /** Newest first; of one action when named. */
    history: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/annotation/history',
        summary: 'Who changed what, when',
      })
      .input(
        ofDocument.extend({
          person: asker,
          action: z.string().optional(),
          limit: z.coerce.number().int().min(1).max(1000).default(200),
        }),
      )
      .output(z.array(storedTransactionSchema)),
    /** Every transaction after `since`, then each as it happens. */
    watch: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/annotation/changes',
        summary: 'Transactions as they happen',
      })
      .input(ofDocument.extend({ person: asker, since: z.coerce.number().int().min(0) }))
      .output(eventIterator(storedTransactionSchema)),
    proposals: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/steps/{action}/proposals',
        summary: 'Boxes and names for one step, best first',
      })
      .input(ofDocument.extend({ person: asker, action: z.string() }))
      .output(z.array(proposalSchema)),
    /** The box that a click at (x, y) of the step's `before` picture grows to (pattern 3). */
    grow: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/steps/{action}/grow',
        summary: 'Grow a box from a point',
      })
      .input(
        ofDocument.extend({
          person: asker,
          action: z.string(),
          x: z.coerce.number().int(),
          y: z.coerce.number().int(),
        }),
      )
      .output(proposalSchema.nullable()),
    /** Element names used in this software, most used first. */
    vocabulary: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/software/{software}/vocabulary',
        summary: 'Element names of a software',
      })
      .input(ws.extend({ software: z.string(), person: asker }))
      .output(z.array(z.object({ name: z.string(), count: z.int() }))),
  },
  recorder: {
    preflight: oc
      .route({ method: 'GET', path: '/recorder/preflight', summary: 'What is there to record, and what is missing' })
      .output(preflightSchema),
    start: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/recorder/start', summary: 'Record a task' })
      .input(
        ws.extend({
          task: z.string(),
          target: recorderTargetSchema,
          fps: z.int().min(5).max(60).default(30),
          countdown: z.int().min(0).max(60).default(3),
          person: z.string().nullable().default(null),
          exclude: z.array(text(100)).max(50).default([]),
          /** In a Wayland session input of programs that do not run under X11 is not heard: refused unless accepted. */
          partialInput: z.boolean().default(false),
        }),
      )
      .output(recorderStateSchema),
    command: oc
      .route({
        method: 'POST',
        path: '/recorder/command',
        summary: 'Stop, pause, resume, mark; say where own windows lie',
      })
      .input(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('stop') }),
          z.object({ type: z.literal('mark') }),
          z.object({ type: z.literal('pause'), reason: pauseReasonSchema }),
          z.object({ type: z.literal('resume'), reason: pauseReasonSchema }),
          z.object({ type: z.literal('own-windows'), rects: z.array(rectSchema).max(20) }),
        ]),
      )
      .output(done),
    state: oc
      .route({ method: 'GET', path: '/recorder', summary: 'The recorder now' })
      .output(recorderStateSchema.nullable()),
    watch: oc
      .route({ method: 'GET', path: '/recorder/changes', summary: 'The recorder as it goes' })
      .output(eventIterator(recorderStateSchema.nullable())),
  },
  jobs: {
    list: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/jobs', summary: 'Long work, newest first' })
      .input(ws)
      .output(z.array(jobSchema)),
    cancel: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/jobs/{job}/cancel', summary: 'Stop long work' })
      .input(ws.extend({ job: z.string() }))
      .output(done),
    /** Why it failed, with every detail (wrong lines of a file, say); null when it did not fail, or the studio was started anew. */
    failure: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/jobs/{job}/failure', summary: 'Why long work failed' })
      .input(ws.extend({ job: z.string() }))
      .output(
        z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }).nullable(),
      ),
    watch: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/jobs/changes', summary: 'Long work as it goes' })
      .input(ws)
      .output(eventIterator(jobSchema)),
  },
  dataset: datasets,
  exports: exportsContract,
  archives: archivesContract,
  evaluate: evaluateContract,
  settings: {
    /** The user's own, of this machine; JSON by key (`keys`, `theme`, `autoAdvance`, `shortcuts`, …). */
    get: oc
      .route({ method: 'GET', path: '/settings', summary: "The user's settings" })
      .output(z.record(z.string(), z.unknown())),
    set: oc
      .route({ method: 'POST', path: '/settings', summary: 'Change settings; null removes' })
      .input(z.object({ values: z.record(z.string().max(100), z.unknown()) }))
      .output(z.record(z.string(), z.unknown())),
  },
};
export type Contract = typeof contract;
