import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { askedReasonSchema, markKindSchema, rectSchema } from '../events.ts';
import { annotationContract } from './annotation.ts';
import { archivesContract } from './archives.ts';
import { arenaContract } from './arena.ts';
import { candidatesContract } from './candidates.ts';
import { compositionsContract } from './compositions.ts';
import { datasets, exportsContract } from './datasets.ts';
import { draftsContract } from './drafts.ts';
import { evaluateContract } from './evaluate.ts';
import { foldersContract } from './folders.ts';
import { jobsContract } from './jobs.ts';
import { judgesContract } from './judges.ts';
import { libraryContract } from './library.ts';
import { marksContract } from './marks.ts';
import { microphoneLevelSchema, microphonesSchema } from './microphones.ts';
import {
  preflightSchema,
  recorderStateSchema,
  recorderTargetSchema,
  screenPicturesSchema,
  workspaceSchema,
} from './models.ts';
import { playContract } from './play.ts';
import { recordingsContract } from './recordings.ts';
import { reviewContract } from './review.ts';
import { runsContract } from './runs.ts';
import { setupContract } from './setup.ts';
import { skillsContract } from './skills.ts';
import { teamContract } from './team.ts';
import { teamServerContract } from './team-server.ts';
import { uploadsContract } from './uploads.ts';
import { voiceContract } from './voice.ts';

/**
 * The one API (architecture.md): contract first. Pages, command line and scripts speak it; /api/openapi.json describes it.
 * Errors are `{code, message, details}` with the codes of schemas/errors.ts.
 */
const text = (most: number) => z.string().max(most);
const ws = z.object({ ws: z.string() });
const done = z.object({ ok: z.literal(true) });

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
  ...foldersContract,
  ...libraryContract,
  recordings: recordingsContract,
  ...marksContract,
  ...voiceContract,
  ...annotationContract,
  ...playContract,
  ...runsContract,
  ...arenaContract,
  ...judgesContract,
  ...draftsContract,
  ...candidatesContract,
  ...compositionsContract,
  ...setupContract,
  ...skillsContract,
  recorder: {
    preflight: oc
      .route({ method: 'GET', path: '/recorder/preflight', summary: 'What is there to record, and what is missing' })
      /** The workspace that is recorded into, whose disk is looked at; absent: the latest one's. */
      .input(z.object({ ws: z.string().optional() }).optional())
      .output(preflightSchema),
    /** Kept nowhere. What these lists leave out, and those of a running recording, is not in them. */
    pictures: oc
      .route({ method: 'POST', path: '/recorder/pictures', summary: 'Small pictures of the screen, to choose by' })
      .input(
        z.object({ exclude: z.array(text(100)).max(50).default([]), only: z.array(text(100)).max(50).default([]) }),
      )
      .output(screenPicturesSchema),
    microphones: oc
      .route({ method: 'GET', path: '/recorder/microphones', summary: 'The microphones of this machine' })
      .output(microphonesSchema),
    /** Listens while it is asked again and again, and for 2.5 s after; what is heard is kept nowhere. */
    level: oc
      .route({ method: 'POST', path: '/recorder/level', summary: 'How loud a microphone is now' })
      /** An empty text: the usual microphone. */
      .input(z.object({ device: text(300).default('') }))
      .output(microphoneLevelSchema),
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
          /** Programs that alone are recorded; none named: all. */
          only: z.array(text(100)).max(50).default([]),
          /** What is typed while an application or title with one of these words has the keyboard is withheld. */
          secretPrograms: z.array(text(100)).max(50).default([]),
          /**
           * Ask programs for the element at each press; keys typed into fields for passwords are then withheld. Absent: on X11
           * where the accessibility bus runs.
           */
          elements: z.boolean().optional(),
          /** False: the role, the box and the way to an element alone are recorded, not its name, which may quote a document. */
          elementNames: z.boolean().optional(),
          /** Record the person's voice, from this microphone; an empty text: the usual one. Absent: no sound is recorded. */
          voice: text(300).optional(),
          /** In a Wayland session input of programs that do not run under X11 is not heard: refused unless accepted. */
          partialInput: z.boolean().default(false),
        }),
      )
      .output(recorderStateSchema),
    command: oc
      .route({
        method: 'POST',
        path: '/recorder/command',
        summary: 'Stop, cancel the countdown, pause, resume, mark, forget what came last; say where own windows lie',
      })
      .input(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('stop') }),
          /** Before the recording has begun: nothing of it is kept. */
          z.object({ type: z.literal('cancel') }),
          z.object({ type: z.literal('mark'), kind: markKindSchema.default('subtask') }),
          z.object({ type: z.literal('forget') }),
          z.object({ type: z.literal('pause'), reason: askedReasonSchema }),
          z.object({ type: z.literal('resume'), reason: askedReasonSchema }),
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
  ...jobsContract,
  dataset: datasets,
  exports: exportsContract,
  archives: archivesContract,
  evaluate: evaluateContract,
  ...teamContract,
  ...uploadsContract,
  ...teamServerContract,
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
