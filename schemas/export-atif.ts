import { z } from 'zod';

/**
 * The Agent Trajectory Interchange Format, version 1.7 (Harbor): one JSON file a run, pictures beside it. Every object is
 * closed, as its readers are: what has no field stands in `extra`.
 */

export const ATIF_VERSION = 'ATIF-v1.7';
/** Those that are read. Each later one only added fields. */
export const ATIF_READ = [0, 1, 2, 3, 4, 5, 6, 7].map((minor) => `ATIF-v1.${minor}`);

const text = z.string();
const extra = z.record(z.string(), z.unknown());
const count = z.int().min(0);
const someNumber = z.number();

const pictureSourceSchema = z.strictObject({
  media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** Relative to the file that names it. */
  path: text.min(1),
});
const partSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text, extra: extra.nullish() }),
  z.strictObject({ type: z.literal('image'), source: pictureSourceSchema, extra: extra.nullish() }),
]);
export type AtifPart = z.infer<typeof partSchema>;
const contentSchema = z.union([text, z.array(partSchema)]);

const callSchema = z.strictObject({
  tool_call_id: text.min(1),
  function_name: text,
  arguments: z.record(z.string(), z.unknown()),
  extra: extra.nullish(),
});

const resultSchema = z.strictObject({
  /** A `tool_call_id` of the same step. */
  source_call_id: text.nullish(),
  content: contentSchema.nullish(),
  subagent_trajectory_ref: z.array(z.record(z.string(), z.unknown())).nullish(),
  extra: extra.nullish(),
});

const metricsSchema = z.strictObject({
  prompt_tokens: count.nullish(),
  completion_tokens: count.nullish(),
  cached_tokens: count.nullish(),
  cost_usd: someNumber.nullish(),
  prompt_token_ids: z.array(z.int()).nullish(),
  completion_token_ids: z.array(z.int()).nullish(),
  logprobs: z.array(someNumber).nullish(),
  extra: extra.nullish(),
});

const stepSchema = z.strictObject({
  /** From 1, without a gap. */
  step_id: z.int().min(1),
  /** ISO 8601. */
  timestamp: text.nullish(),
  source: z.enum(['system', 'user', 'agent']),
  model_name: text.nullish(),
  reasoning_effort: z.union([text, someNumber]).nullish(),
  message: contentSchema,
  reasoning_content: text.nullish(),
  tool_calls: z.array(callSchema).nullish(),
  observation: z.strictObject({ results: z.array(resultSchema), extra: extra.nullish() }).nullish(),
  metrics: metricsSchema.nullish(),
  is_copied_context: z.boolean().nullish(),
  /** 0: no model was asked, a person or a program did it. */
  llm_call_count: count.nullish(),
  extra: extra.nullish(),
});
export type AtifStep = z.infer<typeof stepSchema>;

/** trajectories/<task>.json. */
export const atifSchema = z.strictObject({
  schema_version: text,
  session_id: text.nullish(),
  trajectory_id: text.nullish(),
  agent: z.strictObject({
    name: text,
    version: text,
    model_name: text.nullish(),
    tool_definitions: z.array(z.record(z.string(), z.unknown())).nullish(),
    extra: extra.nullish(),
  }),
  steps: z.array(stepSchema).min(1),
  notes: text.nullish(),
  final_metrics: z
    .strictObject({
      total_prompt_tokens: count.nullish(),
      total_completion_tokens: count.nullish(),
      total_cached_tokens: count.nullish(),
      total_cost_usd: someNumber.nullish(),
      total_steps: count.nullish(),
      extra: extra.nullish(),
    })
    .nullish(),
  continued_trajectory_ref: text.nullish(),
  /** Trajectories of the same form, each with a `trajectory_id` of its own. */
  subagent_trajectories: z.array(z.record(z.string(), z.unknown())).nullish(),
  extra: extra.nullish(),
});
export type Atif = z.infer<typeof atifSchema>;

/** runs.jsonl: the runs of an export, a line each, so that they are found without opening every file. */
export const atifRunSchema = z.strictObject({
  task_id: text.min(1),
  /** The run's file, from the folder that this one lies in. */
  file: text.regex(/^trajectories\/[^/]+\.json$/),
  instruction: text,
  steps: count,
  images: count,
});
