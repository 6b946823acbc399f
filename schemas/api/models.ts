import { z } from 'zod';
import { actionSchema } from '../actions.ts';
import { displaySchema, pauseReasonSchema, rectSchema } from '../events.ts';
import { captureSchema, syncReportSchema, verdictSchema } from '../recording.ts';
import { assignedSchema } from '../review.ts';
import { attachmentRoleSchema, taskKindSchema } from '../task.ts';
import { RECORDING_STATES } from '../task-terms.ts';

/** The answers of the API. Times: µs on the recording's clock, or ISO 8601 UTC. Positions: physical px of the desktop. */

/** A workspace as the page knows it; `id` is short, stable for its folder, and stands in every address. */
export const workspaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  dir: z.string(),
  /** False: the folder is gone or cannot be opened now. */
  exists: z.boolean(),
  openedAt: z.iso.datetime().nullable(),
});
export type WorkspaceInfo = z.infer<typeof workspaceSchema>;

export const softwareSchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  platforms: z.string(),
  aliases: z.array(z.string()),
  executables: z.array(z.string()),
  /** Its purpose, in words; empty: nobody said. */
  category: z.string(),
  tasks: z.int(),
});
export type SoftwareInfo = z.infer<typeof softwareSchema>;

export const recordingStateSchema = z.enum(RECORDING_STATES);

export const personSchema = z.object({ id: z.string(), name: z.string(), email: z.string().nullable() });
export type Person = z.infer<typeof personSchema>;

/** A file kept with a task: copied into the workspace. `role` says what for. */
export const attachmentSchema = z.object({
  id: z.string(),
  task: z.string(),
  role: attachmentRoleSchema,
  name: z.string(),
  bytes: z.int(),
  mime: z.string(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** One row of the library. Compact: a library of 5,000 is one answer. */
export const taskRowSchema = z.object({
  id: z.string(),
  software: z.string(),
  goal: z.string(),
  platform: z.string(),
  state: z.enum(['open', 'closed']),
  recordings: z.int(),
  /** The state of its recording that is furthest; null without one. */
  furthest: recordingStateSchema.nullable(),
  /** The id of that recording, whose picture is shown for the task; null without one. */
  picture: z.string().nullable(),
  /** Share of annotated steps of that recording, 0 to 1. */
  progress: z.number().min(0).max(1),
  createdAt: z.iso.datetime(),
});
export type TaskRow = z.infer<typeof taskRowSchema>;

export const taskSchema = taskRowSchema.extend({
  sourceUrl: z.string(),
  notes: z.string(),
  /** To the question that it asks; empty where it asks none. */
  answer: z.string(),
  kind: taskKindSchema,
  attachments: z.array(attachmentSchema),
  /** Ids of the people who are to record it; absent: anybody may. */
  recorders: z.array(z.string()).optional(),
});
export type TaskInfo = z.infer<typeof taskSchema>;

/** A task that somebody is to record, with what the machine that records it needs to know of it. */
export const taskToRecordSchema = z.object({
  id: z.string(),
  software: z.object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    platforms: z.string(),
    executables: z.array(z.string()),
  }),
  goal: z.string(),
  platform: z.string(),
  sourceUrl: z.string(),
  notes: z.string(),
  kind: taskKindSchema,
  /** With the newest recipe and the newest checks. */
  attachments: z.array(attachmentSchema),
  /** How often it was recorded, by anybody. */
  recordings: z.int(),
  /** The person is named for it; else it is for anybody. */
  mine: z.boolean(),
});
export type TaskToRecord = z.infer<typeof taskToRecordSchema>;

export const recordingRowSchema = z.object({
  id: z.string(),
  task: z.string(),
  software: z.string(),
  goal: z.string(),
  state: recordingStateSchema,
  phase: z.enum(['recording', 'closed']),
  verdict: verdictSchema.shape.kind.nullable(),
  sync: syncReportSchema.shape.verdict.nullable(),
  startedAt: z.iso.datetime(),
  durationUs: z.int().nullable(),
  frames: z.int(),
  dropped: z.int(),
  events: z.int(),
  person: z.string().nullable(),
  steps: z.int().nullable(),
  done: z.int().nullable(),
  /** Who is to annotate and to review it, in lists; absent where nobody is. */
  assigned: assignedSchema.optional(),
});
export type RecordingRow = z.infer<typeof recordingRowSchema>;

/** x, y, t; without a place where keys were used before anybody knew the pointer's (A13). */
const stepPointSchema = z.tuple([z.int().nullable(), z.int().nullable(), z.int()]);

const { shape: action } = actionSchema;

/** An action as pages need it: no path, no raw indices, its places as triples. 10,000 of them are one answer. */
const stepSchema = z.object({
  id: action.id,
  kind: action.kind,
  button: action.button,
  modifiers: action.modifiers,
  start: stepPointSchema,
  end: stepPointSchema,
  text: action.text,
  withheld: action.withheld,
  withheldKeys: action.withheldKeys,
  withheldWhy: action.withheldWhy,
  /** type: the keys pressed, where `text` is what arrived in the field (A18). */
  typedAs: z.string().optional(),
  keys: action.keys,
  count: action.count,
  scroll: action.scroll.unwrap().omit({ natural: true }).nullable(),
  holdMs: action.holdMs,
  incomplete: action.incomplete,
  /** The title of the active window at the press, or its program. */
  window: z.string().nullable(),
  /** Index into `frames` of the chosen keyframes (K1, K2); -1 when there is none. */
  before: z.int(),
  after: z.int(),
  /** In a model's run: whose it is. A person may have taken it over. */
  by: z.enum(['agent', 'person']).optional(),
});
export type Step = z.infer<typeof stepSchema>;

/** Everything a page needs of one recording but the pictures. */
export const openedRecordingSchema = z.object({
  row: recordingRowSchema,
  steps: z.array(stepSchema),
  /** [i, t, segment] of every recorded frame, in order: pictures are asked for by `i`. */
  frames: z.array(z.tuple([z.int(), z.int(), z.int()])),
  /** The rectangle that the picture shows from `t` on. */
  views: z.array(z.object({ t: z.int(), segment: z.int(), rect: rectSchema })),
  span: z.object({ start: z.int(), end: z.int() }),
  marks: z.array(z.int()),
  displays: z.array(displaySchema),
  capture: captureSchema,
  sync: syncReportSchema.nullable(),
  verdict: verdictSchema.nullable(),
  /** The playback copy, or null. Its second 0 is `playbackStart` (µs). */
  playback: z.boolean(),
  playbackStart: z.int(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  /** The picture and the coordinates do not fit (pattern 11): say so on the page. */
  misfit: z.string().nullable(),
});
export type OpenedRecording = z.infer<typeof openedRecordingSchema>;

/** The part of it that changes with the raw files and the rules alone: GET /files/{ws}/recordings/{id}/page.json. */
export type RecordingPage = Omit<OpenedRecording, 'row' | 'playback'>;

/** The part that comes and goes while the raw files stay; its warnings are of videos that are missing. */
export const recordingNowSchema = openedRecordingSchema.pick({ row: true, playback: true, warnings: true });
export type RecordingNow = z.infer<typeof recordingNowSchema>;

export const jobSchema = z.object({
  id: z.string(),
  kind: z.string(),
  subject: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  progress: z.number().min(0).max(1),
  message: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable().optional(),
  finishedAt: z.iso.datetime().nullable().optional(),
  /** Who asked for it; null or absent: it was not said. */
  person: z.string().nullable().optional(),
  /** It ended without a result and can be begun again as it was (jobs.again). */
  again: z.boolean().optional(),
  /** Recordings that came of it, for the way to them. */
  recordings: z.array(z.string()).optional(),
});
export type Job = z.infer<typeof jobSchema>;

const checkSchema = z.object({
  id: z.string(),
  status: z.enum(['ok', 'warn', 'fail']),
  what: z.string(),
  fix: z.string().nullable(),
  /** Something that can be chosen: it is on where nobody did. */
  byDefault: z.boolean().optional(),
});
export const preflightSchema = z.object({
  status: z.enum(['ok', 'warn', 'fail']),
  checks: z.array(checkSchema),
  displays: z.array(displaySchema),
  windows: z.array(z.object({ id: z.string(), title: z.string(), app: z.string(), bounds: rectSchema.nullable() })),
  freeBytes: z.number().nullable(),
  /** Wayland: the screen comes through the system's own question, and only X11 programs' input is heard. */
  shared: z.boolean().optional(),
});
export type Preflight = z.infer<typeof preflightSchema>;

/** Small pictures of the screen as data URLs; null where one cannot or may not be shown. */
export const screenPicturesSchema = z.object({
  displays: z.array(z.object({ id: z.int(), picture: z.string().nullable() })),
  /** Those on the screen; `leftOut`: a list leaves it out. */
  windows: z.array(z.object({ id: z.string(), leftOut: z.boolean(), picture: z.string().nullable() })),
  /** The rectangle or window that is recorded now; null in a pause, and when nothing is recorded. */
  view: z.string().nullable(),
});
export type ScreenPictures = z.infer<typeof screenPicturesSchema>;

export const recorderTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('display'), display: z.int().nullable() }),
  z.object({ kind: z.literal('region'), region: rectSchema }),
  z.object({ kind: z.literal('window'), title: z.string() }),
]);

/** The recorder as the page shows it; null when nothing is recorded. */
export const recorderStateSchema = z.object({
  recording: z.string(),
  task: z.string(),
  phase: z.enum(['starting', 'countdown', 'recording', 'closing', 'keyframes', 'done', 'failed']),
  countdown: z.int().nullable(),
  paused: pauseReasonSchema.nullable(),
  /** How much is recorded, µs: the time outside of pauses, less what was forgotten. */
  t: z.int(),
  frames: z.int(),
  dropped: z.int(),
  events: z.int(),
  freeBytes: z.number().nullable(),
  marks: z.int(),
  /** The person's voice is recorded, or is to be and no sound comes. Absent: it is not. */
  voice: z.enum(['heard', 'lost']).optional(),
  /** How much "forget" forgets, minutes. */
  forgetMinutes: z.number().optional(),
  /** How often the person had something forgotten, and what was the last time, in words. */
  forgotten: z.object({ times: z.int(), message: z.string() }).optional(),
  /** The rectangle that is captured, physical px of the desktop; absent or null before it is known. */
  view: rectSchema.nullish(),
  /** Wayland: the desktop app is to share the screen, which the system asks the person about. */
  shared: z.boolean().optional(),
  notices: z.array(z.object({ code: z.string(), message: z.string() })),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** It failed, but there is a recording that can be opened. */
  kept: z.boolean().optional(),
});
export type RecorderState = z.infer<typeof recorderStateSchema>;
