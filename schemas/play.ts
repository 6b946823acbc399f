import { z } from 'zod';
import { checkResultSchema } from './checks.ts';
import { homePathSchema, recordingIdSchema } from './names.ts';
import { RECIPE_VERSION } from './recipe-version.ts';

/** Words of play (docs/play.md): stages, recipes, plays and their verdicts. */

/** How late the screen may be before a play stops, where nothing else is said, seconds. */
export const USUAL_PATIENCE_S = 6;

const RECIPE_SCHEMA = 'trajectory-studio/recipe';
const LOCAL_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;

/** An environment variable that a recipe may set: none that loads code into every program, and none of the stage's own. */
const STAGE_OWN =
  /^(?:LD_|DYLD_|GCONV_PATH|NODE_OPTIONS|PYTHON|PERL|RUBY|BASH_ENV|ENV$|IFS$|HOME$|PATH$|DISPLAY$|XAUTHORITY$|DBUS_|XDG_|TRAJECTORY_)/;
const variableSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/)
  .refine((name) => !STAGE_OWN.test(name), 'is set by the stage itself or changes how every program is loaded');

const programSchema = z.strictObject({
  /** The program's name, looked for in PATH; its arguments go to it as they are, no shell reads them. `~/` is the stage's home. */
  command: z.string().min(1).max(200),
  args: z.array(z.string().max(4000)).max(100).default([]),
  env: z.record(variableSchema, z.string().max(4000)).default({}),
  /** Part of a window's title: the stage is ready when one is there. Absent: nothing of it is waited for. */
  window: z.string().min(1).max(200).optional(),
  /** Where that window is put, px of the stage. */
  place: z.strictObject({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() }).optional(),
  /** It does not bear a clock that is set, and sees the machine's. */
  clock: z.literal('machine').optional(),
});

/** A program of the stage's own network that others talk to: it is there before any window is, and as long as the stage. */
const serviceSchema = programSchema.omit({ window: true, place: true }).extend({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be small letters, digits and "-", a letter first'),
  /** It is ready when it listens on this one of the loopback address. Programs of a stage may open none below 1024. */
  port: z.int().min(1024).max(65535),
  /** Changes of its data that an event may make, each by a program that ends. */
  changes: z
    .array(programSchema.pick({ command: true, args: true, env: true }).extend({ name: z.string().min(1).max(100) }))
    .max(50)
    .default([]),
});
export type Service = z.infer<typeof serviceSchema>;

/** How a stage is set up: data of a task. */
export const recipeSchema = z.strictObject({
  schema: z.literal(RECIPE_SCHEMA),
  version: z.literal([1, 2, RECIPE_VERSION]),
  /** Size of the display, px; as the demonstration's when absent. */
  screen: z.strictObject({ width: z.int().min(320).max(7680), height: z.int().min(200).max(4320) }).optional(),
  /**
   * What is put into the home before any program starts: files by the name of one of the task's files or by their text, what one of
   * the task's archives holds (into a folder; `.` is the home), and empty folders.
   */
  files: z
    .array(
      z.union([
        z.strictObject({ attachment: z.string().min(1).max(300), to: homePathSchema }),
        z.strictObject({
          attachment: z.string().min(1).max(300),
          to: z.union([z.literal('.'), homePathSchema]),
          unpack: z.literal(true),
        }),
        z.strictObject({ text: z.string().max(1_000_000), to: homePathSchema }),
        z.strictObject({ folder: z.literal(true), to: homePathSchema }),
      ]),
    )
    .max(1000)
    .default([]),
  programs: z.array(programSchema).max(20).default([]),
  services: z
    .array(serviceSchema)
    .max(10)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'two services have the same name')
    .default([]),
  /** The time that programs see when the stage is set (libfaketime); a scenario that says its day sets the clock itself. */
  clock: z.string().regex(LOCAL_TIME, 'must be a time like 2026-03-02T08:50').optional(),
  /** Programs may use the network. */
  network: z.boolean().default(false),
  /** The keyboard's layout, as X names it; the demonstration's when absent. */
  layout: z
    .strictObject({ layout: z.string().regex(/^[a-z]{2,20}$/), variant: z.string().regex(/^[a-z0-9_]{0,30}$/) })
    .optional(),
});
export type Recipe = z.infer<typeof recipeSchema>;

export const PACES = ['recorded', 'ready'] as const;
export type Pace = (typeof PACES)[number];
export const stageKindSchema = z.enum(['virtual', 'display']);
export type StageKind = z.infer<typeof stageKindSchema>;

/**
 * `same`: what the step changed on the screen is what it changed in the demonstration; `moved`: the same, found at another
 * place; `different`: something else came of it, or the screen was not as before the step; `missing`: its target was not found.
 */
const stepVerdictSchema = z.enum(['same', 'moved', 'different', 'missing']);

const playedStepSchema = z.object({
  /** The demonstration's action. */
  step: z.string(),
  verdict: stepVerdictSchema,
  /** How far from its recorded place the target was found, px. */
  shift: z.object({ x: z.int(), y: z.int() }),
  /** How long the screen was waited for, before and after the act, ms. */
  waited: z.int().min(0),
  why: z.string(),
  /** The element by which its target was found, as its look was not. Absent: it was found by its look, or not. */
  element: z.object({ role: z.string(), name: z.string() }).optional(),
  /**
   * When the screen was last looked at before and after the act, µs on the clock of the play's own recording: its picture then is
   * what the verdict is about. Null: it was not looked at. Absent: a play from before this was kept.
   */
  seen: z.object({ before: z.int().nullable(), after: z.int().nullable() }).optional(),
});
export type PlayedStep = z.infer<typeof playedStepSchema>;

export const PLAY_SCHEMA = 'trajectory-studio/play';
/** One play of a demonstration: `play --json`, and play.json in the folder of its own recording. */
export const playReportSchema = z.object({
  schema: z.literal(PLAY_SCHEMA),
  version: z.literal(1),
  /** The demonstration. */
  recording: recordingIdSchema,
  /** The play's own recording; null where it was not recorded. */
  played: recordingIdSchema.nullable(),
  stage: stageKindSchema,
  pace: z.enum(PACES),
  steps: z.array(playedStepSchema),
  /** Steps that were the same or moved, of all that the demonstration has. */
  agreed: z.int().min(0),
  of: z.int().min(0),
  /** The step at which it stopped; null when it went to the end. */
  stopped: z.string().nullable(),
  /** Why it stopped, in words; null when it did not. */
  why: z.string().nullable(),
  /** How long the play and the demonstration took, ms. */
  took: z.int().min(0),
  demonstrated: z.int().min(0),
  /** Whether the actions of the play's own recording are the demonstration's; null where it was not recorded. */
  actionsEqual: z.boolean().nullable(),
  /** The step that was left out on purpose (`verify`); null: none. */
  leftOut: z.string().nullable().default(null),
  /** The task's checks, looked at before the stage went away; empty where it has none. */
  checks: z.array(checkResultSchema).default([]),
  /** Whether they passed; null where the task has none. */
  passed: z.boolean().nullable().default(null),
  /** Why the checks prove little, in words; null when they do not. */
  weak: z.string().nullable().default(null),
});
export type PlayReport = z.infer<typeof playReportSchema>;
