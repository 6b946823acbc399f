import { z } from 'zod';
import { displaySchema, rectSchema, settingsSchema } from './events.ts';
import { originSchema } from './import.ts';
import { MOST_PIXELS } from './limits.ts';
import { playbackFileSchema, recordingIdSchema, segmentFileSchema, stillFileSchema } from './names.ts';

/** The version of a new recording; the newest that this program knows. */
export const RECORDING_VERSION = 1;
export const NEWEST_RECORDING_VERSION = 8;
/**
 * A recording of which something was forgotten: its events hold pauses for the reason `forgotten`, which programs that know
 * only version 1 would take for damaged lines. All others stay at 1, so that those programs read them.
 */
export const FORGOTTEN_VERSION = 2;
/** A recording in which keys are withheld, for the same reason: its events hold `withheld` lines. */
export const WITHHELD_VERSION = 3;
/** A recording that holds what arrived in fields (A18), for the same reason: its events hold `text` lines. */
export const ARRIVED_VERSION = 4;
/** The run of an agent that another program kept (`origin.source` is `agent`), for the same reason. */
export const AGENT_VERSION = 5;
/** A recording of OWAMcap or of Codex Record & Replay (`origin.source`), for the same reason. */
export const OTHER_TOOLS_VERSION = 6;
/** A recording of VideoCUA (`origin.source`), for the same reason. */
export const VIDEOCUA_VERSION = 7;
/** A recording in which moments are marked, for the same reason: its events hold `mark` lines of the kind `moment`. */
export const MARKED_VERSION = 8;
export const RECORDING_SCHEMA = 'trajectory-studio/recording';

/** How one change on the screen was seen in the frames (C4): error 0 inside (seen, t], else how far outside, µs. */
const syncPaintSchema = z.object({
  /** When the change was painted, µs. */
  p: z.int(),
  /** The last time the screen was seen without it, µs (null: before the first frame). */
  without: z.int().nullable(),
  /** The first frame with it, µs (null: never seen). */
  with: z.int().nullable(),
  /** Signed error µs: < 0 the frame's time is before the paint, > 0 the screen was seen without it after the paint. */
  error: z.int().nullable(),
});
export type SyncPaint = z.infer<typeof syncPaintSchema>;

export const syncReportSchema = z.object({
  /** `ok`: error 0 for at least 95 of 100 and never over 20 ms; `warn`: worse; `failed`: no patch found; `skipped`. */
  verdict: z.enum(['ok', 'warn', 'failed', 'skipped']),
  paints: z.int(),
  found: z.int(),
  /** Share of found paints with error 0. */
  exact: z.number(),
  /** Largest |error|, µs. */
  maxErrorUs: z.int(),
  /** Median signed error of those outside their interval and 0 for those inside, µs. */
  offsetUs: z.int(),
  /** 95th percentile of |error|, µs. */
  jitterUs: z.int(),
  /**
   * Pictures that were dropped while the checks were painted, as the recorder counted them. Absent: not counted, as in what
   * was recorded before this was, recovered after a crash, or imported.
   */
  dropped: z.int().min(0).optional(),
  message: z.string(),
  detail: z.array(syncPaintSchema),
});
export type SyncReport = z.infer<typeof syncReportSchema>;

export const verdictSchema = z.object({
  /** D3. */
  kind: z.enum(['complete', 'recovered', 'damaged']),
  /** Everything that is missing, each in words with times: empty when complete. */
  missing: z.array(z.string()),
  /** Why it ended: `duration`, `shortcut`, `signal`, `studio-gone`, `disk-full`, `display-lost`, `killed`, … */
  endedBy: z.string(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/**
 * The clock that a stage's programs see: from `at` on, ms since 1970 by the machine, it is `ahead` ms ahead of the machine's, in no
 * zone.
 */
export const clockTurnSchema = z.object({ at: z.number(), ahead: z.number() });
export type ClockTurn = z.infer<typeof clockTurnSchema>;
/** The newest turns alone are kept of a clock that is moved often. */
export const MOST_CLOCK_TURNS = 32;

const segmentSchema = z
  .object({
    index: z.int().min(0),
    file: segmentFileSchema,
    width: z.int().positive(),
    height: z.int().positive(),
    firstFrame: z.int().min(0),
    frames: z.int().min(0),
  })
  .refine(({ width, height }) => width * height <= MOST_PIXELS, 'a picture of it has more than 67 megapixels');
export type Segment = z.infer<typeof segmentSchema>;

export const captureSchema = z.object({
  target: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('display'), display: z.int() }),
    z.object({ kind: z.literal('region'), region: rectSchema }),
    z.object({ kind: z.literal('window'), title: z.string(), windowId: z.string() }),
  ]),
  fps: z.number().min(5).max(60),
  /**
   * How frames were taken: `x11-shm` (our own, Damage-driven), `gdi` (our own on Windows), `x11grab`, `ddagrab`, `gdigrab`, `avfoundation`; `portal`:
   * handed over by the desktop's own screen sharing (Wayland).
   */
  grabber: z.string(),
  /**
   * `damage` (the X server says when nothing changed), `poll` (each picture is compared), `delivered` (portal), `decimate`
   * (ffmpeg compares).
   */
  mode: z.string(),
  encoder: z.string(),
  /**
   * Whether the pointer is (or may be) in the picture. This program leaves it out (V1), but a `portal` may draw it, and what
   * `origin` brought may show it.
   */
  cursor: z.boolean(),
  /** The master's pixels are the screen's pixels (V2). */
  lossless: z.boolean(),
});
export type CaptureInfo = z.infer<typeof captureSchema>;

export const recordingSchema = z.object({
  schema: z.literal(RECORDING_SCHEMA),
  version: z.union([
    z.literal(RECORDING_VERSION),
    z.literal(FORGOTTEN_VERSION),
    z.literal(WITHHELD_VERSION),
    z.literal(ARRIVED_VERSION),
    z.literal(AGENT_VERSION),
    z.literal(OTHER_TOOLS_VERSION),
    z.literal(VIDEOCUA_VERSION),
    z.literal(MARKED_VERSION),
  ]),
  id: recordingIdSchema,
  /** `recording` until it was closed; a folder found so without a live capture process wants `recover`. */
  state: z.enum(['recording', 'closed']),
  tool: z.object({ name: z.string(), version: z.string() }),
  app: z.object({ id: z.string(), name: z.string() }),
  task: z.object({ id: z.string(), goal: z.string() }),
  person: z.string().nullable(),
  /** Where it was made, when not by this program's recorder, and what of it was lost or guessed. Absent: recorded here. */
  origin: originSchema.optional(),
  /** The demonstration that this is a play of (docs/play.md); its own id: a script was performed, or a model acted. Absent: it is a demonstration itself. */
  played: z.object({ recording: recordingIdSchema }).optional(),
  /**
   * The newest verdict of `verify` (verify.json beside this file has the reasons), with the sha256 of the task's checks that
   * it was reached by. Absent: nobody tried to prove it. It counts where the workspace can show the plays behind it.
   */
  verified: z
    .object({
      proven: z.boolean(),
      at: z.iso.datetime(),
      checks: z.string().regex(/^[0-9a-f]{64}$/),
      /** The name of who had it verified. Absent: nobody was named. */
      by: z.string().max(200).optional(),
    })
    .optional(),
  os: z.object({ platform: z.string(), release: z.string(), arch: z.string(), session: z.string() }),
  clock: z.object({
    /** `CLOCK_MONOTONIC`, `QueryPerformanceCounter`, `mach_absolute_time`. */
    source: z.string(),
    /** The session's zero on that clock, nanoseconds, as a decimal string (exceeds 2^53). */
    startNs: z.string().regex(/^\d+$/),
    /** The wall clock then, ISO 8601 with milliseconds, UTC. */
    startedAt: z.iso.datetime(),
  }),
  /** The clock of the stage that it was recorded on, as it was set until then, the oldest first. Absent: programs saw the machine's. */
  stageClock: z.array(clockTurnSchema).max(MOST_CLOCK_TURNS).optional(),
  /** The demonstration without the sync checks around it, µs. Null while recording. */
  span: z.object({ start: z.int(), end: z.int() }).nullable(),
  /** Geometry over time. */
  displays: z.array(z.object({ t: z.int(), displays: z.array(displaySchema) })),
  settings: settingsSchema,
  capture: captureSchema,
  segments: z.array(segmentSchema),
  playback: playbackFileSchema.nullable(),
  /** What the person said, in voice.wav: its first sample is at the session's zero. Absent: no sound was recorded, or it was deleted. */
  voice: z.object({ rate: z.int().positive() }).optional(),
  counts: z.object({
    frames: z.int(),
    dropped: z.int(),
    late: z.int(),
    /**
     * How often all of the screen was black for a second or longer: it was locked, off, or hidden by a driver (V6). 0 where
     * ffmpeg takes the pictures (`capture.grabber`) and in imports: nobody looks there.
     */
    black: z.int(),
    /** Ticks at which the screen was looked at. */
    ticks: z.int(),
    events: z.int(),
  }),
  sync: syncReportSchema.nullable(),
  verdict: verdictSchema.nullable(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});
export type Recording = z.infer<typeof recordingSchema>;

/** keyframes/index.json of a recording, and of `keyframes ID --out DIR`. */
export const KEYFRAME_RULES_VERSION = 3;
export const keyframeSchema = z.object({
  action: z.string(),
  role: z.enum(['before', 'after']),
  /** frames.jsonl `i` and `t`. */
  frame: z.int(),
  t: z.int(),
  file: stillFileSchema,
  width: z.int(),
  height: z.int(),
  /** Top left of the picture on the virtual desktop, px: a position minus this is the pixel in the picture. */
  origin: z.object({ x: z.int(), y: z.int() }),
});
export type Keyframe = z.infer<typeof keyframeSchema>;
export const keyframeIndexSchema = z.object({
  schema: z.literal('trajectory-studio/keyframes'),
  version: z.literal(1),
  recording: z.string(),
  actionRulesVersion: z.int(),
  keyframeRulesVersion: z.int(),
  keyframes: z.array(keyframeSchema),
});
export type KeyframeIndex = z.infer<typeof keyframeIndexSchema>;
