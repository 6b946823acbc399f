import { z } from 'zod';
import { checkResultSchema } from './checks.ts';
import { HOTTEST, MOST_SHOT_STEPS, MOST_SHOTS } from './limits.ts';
import { modelPictureSchema, modelReplySchema, modelRequestSchema } from './model-requests.ts';
import { recordingIdSchema } from './names.ts';
import { PROTOCOLS } from './protocols.ts';
import { SCALES } from './scales.ts';

/** Runs of models (docs/agents.md): agent.jsonl, what was asked, answered and done, and agent.json, what came of it. */

export const AGENTS = ['direct', 'minimal', 'planner-actor', 'video-guided', 'hierarchical'] as const;
export type AgentName = (typeof AGENTS)[number];

/** Subtasks, and of each the steps; null: the planner writes them. */
const agentPlanSchema = z.object({
  high: z.array(z.string().max(4000)).max(500).nullable(),
  mid: z
    .array(z.array(z.string().max(4000)).max(1000))
    .max(500)
    .nullable(),
});
export type AgentPlan = z.infer<typeof agentPlanSchema>;

/**
 * How a run ended. `done`: the model says that the goal is reached; `gave-up`: that it cannot be; `lost`: nothing could be read of
 * its last answers; `stopped`: by the person; `failed`: the stage could not be used any more.
 */
const RUN_ENDS = [
  'done',
  'gave-up',
  'lost',
  'rounds',
  'time',
  'budget',
  'uncounted',
  'endpoint',
  'stopped',
  'failed',
] as const;
const runEndSchema = z.enum(RUN_ENDS);
export type RunEnd = z.infer<typeof runEndSchema>;

const pricesSchema = z.object({ input: z.number().min(0), output: z.number().min(0) });

const guiCallSchema = z.object({
  module: z.enum(['pyautogui', 'computer']),
  name: z.string(),
  args: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
});

/** A demonstration that a video-guided agent follows (mobile-agent-v.txt 3.3 to 3.6). */
const agentVideoSchema = z.object({
  /** It may be of another task. */
  recording: recordingIdSchema,
  /** What is done in it, in words. */
  task: z.string(),
  /** The number of its keyframes: the screens before its steps, and the one after the last. */
  frames: z.int().min(1).max(1000),
  /** W: so many of them are shown at once. */
  window: z.int().min(1).max(12),
  /** Whether an act is compared with the film before it is done. */
  reflects: z.boolean(),
  /** The picture of the window that begins at each keyframe; it lies where the run's screens are. */
  windows: z.array(modelPictureSchema).min(1).max(1000),
});
export type AgentVideo = z.infer<typeof agentVideoSchema>;

/**
 * A demonstration that an agent is shown before its task. `calls`: a step as PyAutoGUI's, places from 0 to 1 of its picture; none
 * where it has no words for it. Requests say them in the unit that the model counts in.
 */
const agentShotSchema = z.object({
  recording: recordingIdSchema,
  /** In words. */
  goal: z.string(),
  software: z.string(),
  steps: z
    .array(
      z.object({
        words: z.string(),
        calls: z.array(guiCallSchema).max(1000),
        /** The screen before it; it lies where the run's screens are. Null: there is none. */
        picture: modelPictureSchema.nullable(),
      }),
    )
    .min(1)
    .max(MOST_SHOT_STEPS),
});
export type AgentShot = z.infer<typeof agentShotSchema>;

/**
 * Who answers an agent's questions (docs/compositions.md, "Questions"): the exact instruction's values, each with the words by which
 * it is asked for. No request says them; they are told to who asks for them.
 */
const simulatedUserSchema = z.object({
  kind: z.enum(['slots', 'model']),
  /** So many questions are answered. */
  most: z.int().min(1).max(100),
  seed: z.int().min(0).max(0x7fff_ffff),
  knows: z.array(z.object({ words: z.array(z.string()), value: z.string(), isTold: z.boolean() })).max(1000),
  /** When a model plays the user: the exact instruction that it knows, and who it is. */
  played: z
    .object({ exact: z.string(), endpoint: z.string(), protocol: z.enum(PROTOCOLS), model: z.string() })
    .optional(),
});
export type SimulatedUser = z.infer<typeof simulatedUserSchema>;

const userQuestionSchema = z.object({
  question: z.string(),
  answer: z.string(),
  kind: z.enum(['valid', 'redundant', 'irrelevant']),
  /** What the answer tells. */
  values: z.array(z.string()),
});
export type UserQuestion = z.infer<typeof userQuestionSchema>;

/** What a run was begun with; everything that its requests depend on, beside what it sees and is answered. */
const agentHeadSchema = z.object({
  agent: z.enum(AGENTS),
  task: z.string(),
  software: z.string(),
  goal: z.string(),
  protocol: z.enum(PROTOCOLS),
  /** The endpoint's address, without a key. */
  endpoint: z.string(),
  model: z.string(),
  tool: z.string().nullable(),
  /** Whether the model's own tool for computers is declared. */
  declared: z.boolean(),
  coordinates: z.enum(SCALES).nullable(),
  maxTokens: z.int().nullable(),
  /** How freely answers are sampled; absent: without chance where the protocol lets it be said, else as the endpoint does. */
  temperature: z.number().min(0).max(HOTTEST).optional(),
  plan: agentPlanSchema,
  /** Whom it may ask; absent: nobody. */
  user: simulatedUserSchema.optional(),
  /** Of the agent video-guided alone. */
  video: agentVideoSchema.optional(),
  /** Shown before the task, by their order; absent: none. */
  shots: z.array(agentShotSchema).max(MOST_SHOTS).optional(),
  screen: z.object({ width: z.int().positive(), height: z.int().positive() }),
  /** The sha256 of the recipe, as JSON: a run is gone on with on the same stage alone. */
  recipe: z.string(),
  limits: z.object({
    rounds: z.int().min(1),
    timeMs: z.int().min(0).nullable(),
    budget: z.number().min(0).nullable(),
  }),
  /** Of a million tokens; null: nobody said. */
  prices: pricesSchema.nullable(),
  /** The run that was broken off and is gone on with here; null: none. */
  resumes: recordingIdSchema.nullable(),
});
export type AgentHead = z.infer<typeof agentHeadSchema>;

/** What a person was given, who does the task on a stage in the page: the same, without a model. */
const humanHeadSchema = agentHeadSchema
  .pick({ task: true, software: true, goal: true, plan: true, screen: true, recipe: true, limits: true, resumes: true })
  .extend({
    agent: z.literal('human'),
    /** The person's name; empty: they did not say. */
    model: z.string(),
  });
export type HumanHead = z.infer<typeof humanHeadSchema>;

/**
 * Version 1 is what programs before knew: no person takes part. 2: a person does the task, or may take a run over; those programs
 * then say that theirs is too old. 3: an agent that they do not know. 4: a user whom a model plays. 5: demonstrations that are shown
 * before the task.
 */
export const NEWEST_AGENT_VERSION = 5;
const versionSchema = z.literal([1, 2, 3, 4, 5]);
/** Those of versions 1 and 2. */
const FIRST_AGENTS: readonly AgentName[] = ['direct', 'minimal', 'planner-actor'];
/** The version of a run's files. `shared`: a person may take part in it. */
export function agentVersion(
  { agent, user, shots }: Pick<AgentHead, 'agent' | 'user' | 'shots'>,
  { shared }: { shared: boolean },
): AgentReport['version'] {
  if (shots) return 5;
  if (user?.kind === 'model') return 4;
  if (!FIRST_AGENTS.includes(agent)) return 3;
  return shared ? 2 : 1;
}

export const AGENT_LOG_SCHEMA = 'trajectory-studio/agent-log';
const ms = z.int().min(0);
const noteSchema = z.object({ kind: z.enum(['unclear', 'refused']), why: z.string() });
export type AgentNote = z.infer<typeof noteSchema>;

/** Lines of agent.jsonl. `t`: µs on the clock of the run's recording. */
export const agentLineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begun'),
    schema: z.literal(AGENT_LOG_SCHEMA),
    version: versionSchema,
    recording: recordingIdSchema,
    at: z.iso.datetime(),
    head: agentHeadSchema,
    /** The call of a page that began it, by which its job goes on with it; absent: a command did. */
    call: z.string().max(100).optional(),
  }),
  z.object({
    type: z.literal('seen'),
    t: z.int(),
    /** In the folder of the recording. */
    file: z.string(),
    sha256: z.string(),
    width: z.int(),
    height: z.int(),
    titles: z.array(z.string()),
  }),
  /** Written before it is sent. `hash`: sha256 of the request as JSON. */
  z.object({ type: z.literal('asked'), t: z.int(), n: z.int().min(1), hash: z.string(), request: modelRequestSchema }),
  /** Written before anything of it is done. `replayed`: it is an earlier run's, paid for there. */
  z.object({
    type: z.literal('answered'),
    t: z.int(),
    n: z.int().min(1),
    reply: modelReplySchema,
    tookMs: ms,
    cost: z.number().min(0).nullable(),
    replayed: z.boolean(),
    note: noteSchema.nullable(),
    /** What it asked the user, with what was answered; absent: nothing. */
    question: userQuestionSchema.optional(),
  }),
  z.object({
    type: z.literal('acted'),
    t: z.int(),
    end: z.int(),
    /** The answer that it is of. */
    n: z.int().min(1),
    what: z.array(z.string()),
    thought: z.string(),
    /** What the planner wanted just now; empty where there is none. */
    plan: z.string(),
    /** Why it was not done; null: it was. */
    problem: z.string().nullable(),
    /** Characters that a changed key typed. */
    temporary: z.array(z.string()),
  }),
  /** A person has the mouse and the keyboard from here on, or no longer. `ended`: they ended the run. */
  z.object({ type: z.literal('person'), t: z.int(), what: z.enum(['took-over', 'gave-back', 'ended']) }),
  z.object({ type: z.literal('ended'), t: z.int(), how: runEndSchema, why: z.string(), answer: z.string().nullable() }),
]);
export type AgentLine = z.infer<typeof agentLineSchema>;

const someNames = z.array(z.string().min(1).max(500)).min(1).max(1000).optional();
/** Runs that are wanted; without a field, all of them. */
export const runFilterSchema = z.object({
  /** `alone`: no person took it over. */
  help: z.enum(['alone', 'helped']).optional(),
  /** By its checks. `silent-wrong`: it says done, and they say otherwise. */
  outcome: z.enum(['succeeded', 'failed', 'silent-wrong']).optional(),
  tasks: someNames,
  /** `minimal` is `minimal+high`, too. */
  agents: someNames,
  models: someNames,
});
export type RunFilter = z.infer<typeof runFilterSchema>;

export const AGENT_SCHEMA = 'trajectory-studio/agent';
/** agent.json in the folder of the run's recording, and `run --json`. */
export const agentReportSchema = z.object({
  schema: z.literal(AGENT_SCHEMA),
  version: versionSchema,
  recording: recordingIdSchema,
  /** When it began. */
  at: z.iso.datetime(),
  head: z.discriminatedUnion('agent', [agentHeadSchema, humanHeadSchema]),
  how: runEndSchema,
  why: z.string(),
  answer: z.string().nullable(),
  /** Requests that were answered, also in the run that it goes on with; answers that did something. */
  rounds: z.int().min(0),
  steps: z.int().min(0),
  unclear: z.int().min(0),
  refused: z.int().min(0),
  /** What it asked the user; absent: nothing. */
  questions: z.array(userQuestionSchema).optional(),
  tookMs: ms,
  /** A person took it over so often, and for so long, ms: what came of it is not the model's alone. Absent: never. */
  helped: z.object({ times: z.int().min(1), ms }).optional(),
  /** All that was paid for, also in the run that it goes on with. `uncounted`: answers whose tokens the endpoint did not count. */
  tokens: z.object({ input: z.int().min(0), output: z.int().min(0), uncounted: z.int().min(0) }),
  cost: z.number().min(0).nullable(),
  checks: z.array(checkResultSchema),
  passed: z.boolean(),
  /** 0 to 1. */
  score: z.number().min(0).max(1),
  weak: z.string().nullable(),
  /** It said that the task cannot be done, as the checks want. */
  infeasible: z.literal(true).optional(),
});
export type AgentReport = z.infer<typeof agentReportSchema>;
