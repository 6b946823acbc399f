import { z } from 'zod';

/** A task of OSWorld, as its repository keeps them (evaluation_examples/examples); fields that are not known stay. */

const stepSchema = z.looseObject({
  type: z.string().min(1).max(100),
  parameters: z.record(z.string(), z.unknown()).default({}),
});
export type OsworldStep = z.infer<typeof stepSchema>;

/** One entry, or one for each function of the evaluator. */
const getter = z.looseObject({ type: z.string().max(100) });
const each = <T extends z.ZodType>(one: T) => z.union([one, z.array(one.nullable()).max(100)]);

export const osworldTaskSchema = z.looseObject({
  id: z.string().min(1).max(200),
  instruction: z.string().min(1).max(10_000),
  snapshot: z.string().max(200).optional(),
  source: z.union([z.string(), z.array(z.string())]).optional(),
  config: z.array(stepSchema).max(200).default([]),
  related_apps: z.array(z.string().max(200)).max(50).default([]),
  evaluator: z.looseObject({
    func: z.union([z.string().max(200), z.array(z.string().max(200)).min(1).max(50)]),
    conj: z.enum(['and', 'or']).optional(),
    result: each(z.union([getter, z.strictObject({})])).optional(),
    expected: each(z.union([getter, z.strictObject({})])).optional(),
    options: each(z.record(z.string(), z.unknown())).optional(),
    postconfig: z.array(stepSchema).max(200).optional(),
  }),
});
export type OsworldTask = z.infer<typeof osworldTaskSchema>;

const said = z.string().max(1_000_000).nullish();
/** Our member of a line of a run, which OSWorld passes over. */
const osworldOursSchema = z.looseObject({
  narration: said,
  thought: said,
  observation: said,
  /** Of the task, on the first line. */
  run: z.looseObject({ instruction: said, app: said, task_id: said }).optional(),
});

/** A line of a run's traj.jsonl: a step, or what stopped the run (`Error`); agents add fields of their own. */
export const osworldLineSchema = z.looseObject({
  step_num: z.number().optional(),
  action_timestamp: z.string().max(200).optional(),
  /** A program of PyAutoGUI, an action of `computer_13`, or what else the agent acts by. */
  action: z.unknown().optional(),
  response: z.unknown().optional(),
  screenshot_file: z.string().max(1000).nullish(),
  trajectory_studio: osworldOursSchema.optional(),
});
export type OsworldLine = z.infer<typeof osworldLineSchema>;
