import { z } from 'zod';

/** CUAVerifierBench: trajectories with the words of judges and of people on them. JSON Schemas come from these. */

const text = z.string();
const label = z.union([z.literal(0), z.literal(1)]).nullable();
const share = z.number().min(0).max(1).nullable();
const said = z.enum(['Correct', 'Incorrect', '']);

/** A row of `trajectories`. Of a picture the schema has its name; its bytes are PNG or JPEG. */
export const verifierTrajectorySchema = z.strictObject({
  /** Once in the whole export. */
  task_id: text.min(1),
  instruction: text.min(1),
  /** Empty: a desktop has none. */
  init_url: z.literal(''),
  start_timestamp: text,
  end_timestamp: text,
  /** `<no_answer>` where none was given. */
  final_answer: text.min(1),
  /** The run did not end by the agent's own word. */
  is_aborted: z.boolean(),
  /** A line of JSON an action. */
  web_surfer_log: text,
  /** The screen before each action, and the one after the last where it is known. */
  screenshots: z.array(z.looseObject({ path: text })).min(1),
  n_screenshots: z.int().min(1),
  /** The judging as JSON; empty where there is none. */
  gpt_eval_json: text,
  /** The panel that judged it last in the workspace: the share of its judges' criteria that are met, and its verdict. */
  uv_rubric_score: share,
  uv_outcome_success: label,
  /** Older verifiers of Microsoft, which are not here. */
  mm_is_success: z.null(),
  verifier_is_success: z.null(),
  /** The conclusion of people who reviewed, on the outcome and on the steps. */
  final_human_outcome_label: label,
  final_human_process_label: label,
  median_human_rubric_score_agnostic: share,
  majority_human_outcome_vote: label,
  /** Facts that the other columns have no place for, as JSON. */
  trajectory_studio: text,
});
export type VerifierTrajectory = z.infer<typeof verifierTrajectorySchema>;

/** A row of `annotations`: one person's word on one trajectory. */
export const verifierAnnotationSchema = z.strictObject({
  task_id: text.min(1),
  /** A person has one number in the whole export. */
  annotator: text.regex(/^Judge[1-9]\d*$/),
  human_judgement_outcome: said,
  human_judgement_process: said,
  human_process_score: share,
  outcome_comment: text,
  process_comment: text,
  // Reviewers are never shown a judge's verdict before they say theirs.
  informed_outcome_agreement: z.literal(''),
  informed_process_agreement: z.literal(''),
  informed_outcome_comment: z.literal(''),
  informed_process_comment: z.literal(''),
});
export type VerifierAnnotation = z.infer<typeof verifierAnnotationSchema>;

const place = z.tuple([z.number(), z.number()]);

/** An action of Qwen's and Fara's `computer_use`, or `other` where they have no word for it. Places are px. */
const verifierCallSchema = z.looseObject({
  action: text.min(1),
  /** Where; of a drag, where it ends. */
  coordinate: place.optional(),
  /** Where a drag begins. */
  start_coordinate: place.optional(),
  /** So often, one after the other. */
  times: z.int().min(2).optional(),
  thoughts: text,
});

/** A line of `web_surfer_log`. */
export const verifierActionSchema = z.strictObject({
  timestamp: text,
  source: z.enum(['WebSurfer', 'WebSurfer (person)']),
  action: text.min(1),
  arguments: verifierCallSchema,
  url: z.literal(''),
});
export type VerifierAction = z.infer<typeof verifierActionSchema>;

/** `gpt_eval_json`, and in it `gpt_response_text`. */
export const verifierEvalSchema = z.strictObject({ score: label, gpt_response_text: text });
export const verifierResponseSchema = z.strictObject({
  rubric_outcome_verification: z.strictObject({ output_success: z.boolean().nullable() }),
  rubric_score: share,
  panel: z.record(z.string(), z.unknown()),
  judges: z.array(z.record(z.string(), z.unknown())).min(1),
});
export type VerifierResponse = z.infer<typeof verifierResponseSchema>;
