import { z } from 'zod';

/** Rows of the formats that trainers read as conversations (ms-swift, LLaMA-Factory). JSON Schemas are made from these. */

const text = z.string().min(1);
/** A path with `/` from where the file lies, `images/PPT_1_1_1_before.png`; LLaMA-Factory's from the top: `train/images/…`. */
const imagePath = z.string().regex(/^(?:[a-z][a-z0-9_-]*\/)?images\/[A-Za-z0-9_-]+\.(png|jpe?g)$/);
/** Calls of a tool and what it showed have roles of their own, by which ms-swift (the first two) and LLaMA-Factory know them. */
const roles = ['user', 'assistant', 'tool_call', 'tool_response', 'function_call', 'observation'] as const;
const messages = z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: text })).min(2);
const turn = z.strictObject({ role: z.enum(roles), content: text });
export type ChatMessage = z.infer<typeof turn>;

/** messages.jsonl of ms-swift and of LLaMA-Factory: each `<image>` in a content is the next of `images`. */
export const chatLineSchema = z.strictObject({
  messages: z.array(turn).min(2),
  images: z.array(imagePath).min(1),
  /** The tools that its calls are of, as a text of JSON; absent: it has no such calls. */
  tools: text.optional(),
});
export type ChatLine = z.infer<typeof chatLineSchema>;

/** trajectory.jsonl of ms-swift: the form of naturalgaia.txt, appendix E. */
export const swiftTrajectoryLineSchema = z.strictObject({
  messages,
  images: z.array(imagePath).min(1),
  /** `<answer>…</answer>` where the task has an answer in words. */
  solution: z
    .string()
    .regex(/^<answer>[\s\S]+<\/answer>$/)
    .nullable(),
});
export type SwiftTrajectoryLine = z.infer<typeof swiftTrajectoryLineSchema>;

/** grounding.jsonl of ms-swift: `<ref-object>` and `<bbox>` in the contents are the next of `objects`. */
export const swiftGroundingLineSchema = z.strictObject({
  messages,
  images: z.array(imagePath).length(1),
  objects: z.strictObject({
    ref: z.array(text).length(1),
    /** Left, top, right, bottom, px of the picture (`bbox_type` real). */
    bbox: z.array(z.tuple([z.number().min(0), z.number().min(0), z.number().min(0), z.number().min(0)])).length(1),
    bbox_type: z.literal('real'),
  }),
});
export type SwiftGroundingLine = z.infer<typeof swiftGroundingLineSchema>;

const reward = z.number().min(0).max(1);
/** The first is the system's where it is a candidate of a step: the words that the model was asked with. */
const asked = z.strictObject({ role: z.enum(['system', ...roles]), content: text });

/**
 * candidates.jsonl of ms-swift, for GRPO: columns beside `messages` and `images` are given to the reward function. ms-swift takes the last
 * answer out of `messages`.
 */
export const swiftCandidateLineSchema = chatLineSchema.extend({
  messages: z.array(asked).min(2),
  /** The run's answer, or the one at the step; `reward` is its worth. */
  solution: text,
  /** Candidates of one task, or of one step (`TASK/SUBTASK/STEP`), are a group. */
  task: text,
  /** The run's recording; of a step the candidate's own id. */
  candidate: text,
  /** The graded score of the task's checks; of a step how far it is what the person did there. */
  reward,
  reward_success: z.union([z.literal(0), z.literal(1)]),
  /** The judges' last verdict: 1 succeeded, or right, 0 failed, or wrong; null: they were not asked, or are unsure. */
  reward_judges: z.union([z.literal(0), z.literal(1)]).nullable(),
  /** Share of the outcomes beside it that people ranked below it in the arena, a tie as half; of a step the share of people who say that it is right. Null: nobody did. */
  reward_people: reward.nullable(),
  /** The model whose answer to a step it is. Absent: it is one of a run. */
  model: text.optional(),
});
export type SwiftCandidateLine = z.infer<typeof swiftCandidateLineSchema>;

/** pairs.jsonl of ms-swift, for DPO and its kin: what the better of two candidates did, and what the worse one did. */
export const swiftPairLineSchema = chatLineSchema.extend({
  messages: z.array(asked).min(2),
  rejected_messages: z.array(asked).min(2),
  rejected_images: z.array(imagePath).min(1),
  /** By how much the reward of the first is greater. */
  margin: z.number().positive().max(1),
  task: text,
  candidate: text,
  rejected_candidate: text,
  /** The same as in candidates.jsonl. */
  model: text.optional(),
});
export type SwiftPairLine = z.infer<typeof swiftPairLineSchema>;

/** dataset_info.json of LLaMA-Factory, for its `--dataset_dir`. */
export const datasetInfoSchema = z.record(
  z.string(),
  z.strictObject({
    file_name: text,
    formatting: z.literal('sharegpt'),
    columns: z.strictObject({
      messages: z.literal('messages'),
      images: z.literal('images'),
      tools: z.literal('tools').optional(),
    }),
    tags: z.strictObject({
      role_tag: z.literal('role'),
      content_tag: z.literal('content'),
      user_tag: z.literal('user'),
      assistant_tag: z.literal('assistant'),
      function_tag: z.literal('function_call').optional(),
      observation_tag: z.literal('observation').optional(),
    }),
  }),
);
export type DatasetInfo = z.infer<typeof datasetInfoSchema>;
