import { z } from 'zod';

/** Where an imported recording was made. `archive` and our own folders keep the origin that they have. */
/** `agent`: a run of an agent, which another program kept. */
/** `owamcap`, `codex`, `videocua`: recordings of open-world-agents, of Codex Record & Replay and of CUA-Suite. */
const importSourceSchema = z.enum([
  'video',
  'ducktrack',
  'agentnet',
  'naturalgaia',
  'agent',
  'owamcap',
  'codex',
  'videocua',
]);

/** recording.json `origin`: what an import knows of itself, so that nobody takes a guess for a measurement. */
export const originSchema = z.object({
  source: importSourceSchema,
  /** The file or folder as it was called, without its path. */
  name: z.string().max(300),
  /** Everything that the source holds and the recording does not, each in words. */
  lost: z.array(z.string()),
  /** Everything that the source does not say and that was concluded, each in words with its error where there is one. */
  guessed: z.array(z.string()),
});
export type Origin = z.infer<typeof originSchema>;

/** Seconds of a monotonic counter, or since 1970: up to the year 2096, so that µs of it are whole numbers. */
const seconds = z.number().min(0).max(4e9);
const at = { x: z.number().min(-1e6).max(1e6), y: z.number().min(-1e6).max(1e6) };
const key = { name: z.string().max(100).nullable(), pynput_key: z.string().max(200).optional() };
const head = { time_stamp: seconds, event_idx: z.int().optional() };

/** A line of DuckTrack's events.jsonl, and of AgentNet's, which adds `event_idx` and `pynput_key`. Seconds; screen points. */
export const ducktrackEventSchema = z.discriminatedUnion('action', [
  z.object({ ...head, action: z.literal('move'), ...at }),
  z.object({ ...head, action: z.literal('click'), ...at, button: z.string().max(40), pressed: z.boolean() }),
  z.object({ ...head, action: z.literal('scroll'), ...at, dx: z.number(), dy: z.number() }),
  z.object({ ...head, action: z.literal('press'), ...key }),
  z.object({ ...head, action: z.literal('release'), ...key }),
  z.object({ ...head, action: z.literal('pause') }),
  z.object({ ...head, action: z.literal('resume') }),
]);
export type DucktrackEvent = z.infer<typeof ducktrackEventSchema>;

/** metadata.json of both. Fields that are not named here are not used. */
export const ducktrackMetadataSchema = z.object({
  system: z.string().max(100).optional(),
  release: z.string().max(200).optional(),
  machine: z.string().max(100).optional(),
  screen_width: z.number().positive().max(100_000),
  screen_height: z.number().positive().max(100_000),
  /** -1: natural scrolling. */
  scroll_direction: z.number().optional(),
  /** Local time, `2023-10-20 17:19:53`. */
  start_time: z.string().max(40).optional(),
  obs_record_state_timings: z.record(z.string(), z.array(seconds)).optional(),
  /** AgentNet only: when the recorder had been told to start. */
  video_start_timestamp: seconds.optional(),
});
export type DucktrackMetadata = z.infer<typeof ducktrackMetadataSchema>;

/** AgentNet's top_window.jsonl: the application in front, one line a change. */
export const topWindowSchema = z.object({ time_stamp: seconds, top_window_name: z.string().max(1000) });
/** AgentNet's element.jsonl: the tree under a click, as uiautomation (Windows) or AX (macOS) gives it. */
export const elementTreeSchema = z.object({ time_stamp: seconds, a11y_tree: z.unknown() });
/** AgentNet's reduced_events_vis.jsonl: its actions as annotators left them; `target` is what they called the element. */
export const reducedEventSchema = z.object({
  start_time: seconds.optional(),
  time_stamp: seconds.optional(),
  target: z.unknown(),
});
/** AgentNet's task_name.json. */
export const taskNameSchema = z.object({ task_name: z.string(), description: z.string().nullable().optional() });

/** OWAMcap's messages, each the JSON of a channel of an MCAP. Fields that are not named here are not used. */
export const owaKeyboardSchema = z.object({ event_type: z.enum(['press', 'release']), vk: z.int().min(0).max(0xffff) });
export const owaMouseSchema = z.discriminatedUnion('event_type', [
  z.object({ event_type: z.literal('move'), ...at }),
  z.object({ event_type: z.literal('click'), ...at, button: z.string().max(40), pressed: z.boolean() }),
  z.object({ event_type: z.literal('scroll'), ...at, dx: z.number(), dy: z.number() }),
]);
const edge = z.number().min(-1e6).max(1e6);
export const owaWindowSchema = z.object({
  title: z.string().max(10_000),
  /** Left, top, right, bottom, px of the virtual desktop. */
  rect: z.tuple([edge, edge, edge, edge]),
});
export type OwaWindow = z.infer<typeof owaWindowSchema>;
const nanoseconds = z.number().min(0).max(4e18);
/** A picture of the video beside it: `media_ref` since version 0.5, `path` and `pts` before. */
export const owaScreenSchema = z.object({
  utc_ns: nanoseconds,
  path: z.string().max(1000).optional(),
  pts: nanoseconds.optional(),
  media_ref: z.object({ uri: z.string().max(1000), pts_ns: nanoseconds.optional() }).optional(),
});

const codexElementSchema = z.object({
  role: z.string().max(200).optional(),
  title: z.string().max(10_000).optional(),
  description: z.string().max(10_000).optional(),
  placeholder: z.string().max(10_000).optional(),
  identifier: z.string().max(10_000).optional(),
});
export type CodexElement = z.infer<typeof codexElementSchema>;
const codexEnd = z.object({ element: codexElementSchema.optional() });

/** A line of events.jsonl of Codex Record & Replay. What is not named here (trees of accessibility) is not used. */
export const codexEventSchema = z.object({
  id: z.int(),
  kind: z.string().max(100),
  timestamp: z.iso.datetime({ offset: true }),
  app: z.object({ name: z.string().max(1000) }).optional(),
  window: z.object({ title: z.string().max(10_000).optional() }).optional(),
  mouse: z
    .object({
      button: z.string().max(40).optional(),
      clickCount: z.int().min(0).max(100).optional(),
      target: codexElementSchema.optional(),
      origin: codexEnd.optional(),
      destination: codexEnd.optional(),
    })
    .optional(),
  keyboard: z
    .object({
      text: z.string().max(100_000).optional(),
      keyEquivalent: z.string().max(100).optional(),
      target: codexElementSchema.optional(),
    })
    .optional(),
  selection: z
    .object({
      target: codexElementSchema.optional(),
      selectedItems: z.array(codexElementSchema).max(10_000).optional(),
    })
    .optional(),
  ax: z.unknown().optional(),
});
export type CodexEvent = z.infer<typeof codexEventSchema>;
/** Its session.json. */
export const codexSessionSchema = z.object({
  id: z.string().max(300),
  startedAt: z.iso.datetime({ offset: true }),
  eventsPath: z.literal('events.jsonl').optional(),
});

const words = z.string().max(100_000).nullish();
/** action_log.json of a task of VideoCUA (CUA-Suite); `trajectory_studio` is in those that are exports of ours. */
export const videocuaSourceSchema = z.object({
  task_id: z.string().min(1).max(300),
  task_instruction: z.string().max(100_000),
  platform: z.string().min(1).max(100),
  action_log: z
    .array(
      z.object({
        action_type: z.string().max(100),
        /** Seconds of the video. */
        timestamp: z.number().min(0).max(1e6),
        action_params: z.record(z.string(), z.unknown()).default({}),
        trajectory_studio: z
          .object({
            action_id: z.string().max(300),
            subtask: words,
            narration: words,
            element: words,
            thought: words,
            /** Seconds of the recording. */
            recorded_at: z.number(),
          })
          .optional(),
      }),
    )
    .min(1)
    .max(200_000),
});
export type VideocuaSource = z.infer<typeof videocuaSourceSchema>;

/** One trajectory as naturalgaia.txt, appendix E prints it. */
export const naturalgaiaSchema = z.object({
  messages: z
    .array(z.object({ role: z.string().max(40), content: z.string().max(2_000_000) }))
    .min(1)
    .max(20_000),
  images: z.array(z.string().min(1).max(1000)).max(20_000),
  /** Null in our own exports where nobody answered. */
  solution: z.string().max(100_000).nullish(),
});
export type NaturalgaiaEntry = z.infer<typeof naturalgaiaSchema>;

/** A person's word on what another tool made; anything left out is taken from it, or guessed and told. */
export const importWishesSchema = z.object({
  /** The software that is demonstrated, by name. */
  app: z.string().max(100).optional(),
  goal: z.string().max(10_000).optional(),
  /** PPT_15; the next free one when left out. */
  task: z.string().max(100).optional(),
  /** A video's .srt or .vtt; absent: one of the same name beside it, where it can be read. */
  transcript: z.string().optional(),
  /**
   * For videos: the rule (K6 where it is left out), d, s and f. K10 and K11 take none of the three. Without all of it: K11.
   */
  sampling: z
    .object({
      rule: z.enum(['K6', 'K9', 'K10', 'K11']).optional(),
      everyMs: z.int().min(40).max(3_600_000),
      share: z.number().min(0).max(1),
      gapMs: z.int().min(0),
    })
    .optional(),
});
