import { oc } from '@orpc/contract';
import { z } from 'zod';
import { checkReportSchema, checkSchema, checksSchema } from '../checks.ts';
import { PICTURE_MODES } from '../checks-plain.ts';
import { askedSetupSchema } from '../consent.ts';
import { seenElementSchema } from '../elements.ts';
import { recipeSchema } from '../play.ts';
import { wholeTaskSchema } from './task-state.ts';

/** How a task is set up to be played, and when it counts as done (docs/play.md). */
const ofTask = z.object({ ws: z.string(), task: z.string() });

/** Who does it: what they make themselves, they are not asked about when it runs. */
const person = z.string().min(1).max(100).optional();

const errorSchema = z.string().nullable();
const taskSetupSchema = z.object({
  recipe: recipeSchema.nullable(),
  /** Why the task's own file of it cannot be read. */
  recipeError: errorSchema,
  checks: checksSchema.nullable(),
  checksError: errorSchema,
  /** The place where checks are tried: the stage that is set up for the task, else its newest play, else its newest recording. */
  source: z
    .object({
      kind: z.enum(['stage', 'play', 'recording']),
      id: z.string(),
      at: z.iso.datetime().nullable(),
      /** The frame of its last screen, where it is a recording. */
      frame: z.int().nullable(),
      size: z.object({ width: z.int(), height: z.int() }).nullable(),
    })
    .nullable(),
  /** Whether it is complete, sound and proven. */
  whole: wholeTaskSchema,
  /** Files that were written there, by their paths in the home. */
  written: z.array(z.object({ path: z.string(), bytes: z.int() })),
});
export type TaskSetup = z.infer<typeof taskSetupSchema>;

/** Everything that a check can look at. */
const seenSchema = z.discriminatedUnion('of', [
  z.object({ of: z.literal('none'), why: z.string() }),
  z.object({ of: z.literal('file'), bytes: z.int(), sha256: z.string() }),
  z.object({ of: z.literal('text'), text: z.string() }),
  z.object({ of: z.literal('value'), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) }),
  z.object({
    of: z.literal('picture'),
    width: z.int(),
    height: z.int(),
    mode: z.enum(PICTURE_MODES).nullable(),
  }),
  z.object({ of: z.literal('titles'), titles: z.array(z.string()) }),
  z.object({ of: z.literal('elements'), elements: z.array(seenElementSchema) }),
  z.object({ of: z.literal('table'), names: z.array(z.string()) }),
  z.object({ of: z.literal('document'), slides: z.int().nullable(), pictures: z.int(), text: z.string() }),
  z.object({ of: z.literal('pdf'), pages: z.int(), text: z.string() }),
  z.object({ of: z.literal('sound'), seconds: z.number().nullable(), tags: z.record(z.string(), z.string()) }),
  z.object({ of: z.literal('pages'), open: z.array(z.string()), active: z.string().nullable() }),
  z.object({ of: z.literal('archive'), names: z.array(z.string()) }),
]);
export type SeenByCheck = z.infer<typeof seenSchema>;

const installedProgramSchema = z.object({
  /** As PATH has it. */
  command: z.string(),
  /** As menus have it. */
  name: z.string(),
});
export type InstalledProgram = z.infer<typeof installedProgramSchema>;

const triedRecipeSchema = z.object({
  /** How long it took until its windows were there, ms. */
  took: z.int().min(0),
  width: z.int(),
  height: z.int(),
  /** Its screen, as a data address; null where it could not be looked at. */
  picture: z.string().nullable(),
  titles: z.array(z.string()),
  /** Wishes of the recipe that could not be met, in words. */
  notes: z.array(z.string()),
});
export type TriedRecipe = z.infer<typeof triedRecipeSchema>;

export const setupContract = {
  setup: {
    get: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/tasks/{task}/setup',
        summary: 'The recipe and the checks of a task, and what they can be made from',
      })
      .input(ofTask)
      .output(taskSetupSchema),
    /** Kept as the task's newest file of that role; those before it stay with the task. */
    saveRecipe: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/tasks/{task}/recipe', summary: 'Keep a recipe with a task' })
      .input(ofTask.extend({ recipe: recipeSchema, person }))
      .output(taskSetupSchema),
    programs: oc
      .route({ method: 'GET', path: '/programs', summary: 'The programs with windows that this machine has, by name' })
      .input(z.object({}))
      .output(z.array(installedProgramSchema)),
    /** Before it is kept; the stage is gone then. Throws NOT_AGREED while the task's own recipe is somebody else's. */
    tryRecipe: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/{task}/recipe/try',
        summary: 'Set a stage up by a recipe and show its screen',
      })
      .input(ofTask.extend({ recipe: recipeSchema, person }))
      .output(triedRecipeSchema),
    saveChecks: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/tasks/{task}/checks', summary: 'Keep checks with a task' })
      .input(ofTask.extend({ checks: checksSchema, person }))
      .output(taskSetupSchema),
    /** Empty: it is the asker's own, or they agreed to it. */
    asked: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/tasks/{task}/asked',
        summary: "What of a task's recipe and checks somebody else made, and what it would do here",
      })
      .input(ofTask.extend({ person }))
      .output(z.array(askedSetupSchema)),
    /** Remembered on this machine, until it changes. Throws USAGE for a hash of what is not there any more. */
    agree: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/{task}/asked',
        summary: "Agree to run what somebody else made of a task's recipe and checks",
      })
      .input(ofTask.extend({ hashes: z.array(askedSetupSchema.shape.hash).min(1).max(10), person }))
      .output(z.array(askedSetupSchema)),
    /** Before they are kept. Throws USAGE when there is nothing to try them on. */
    tryChecks: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/{task}/checks/try',
        summary: 'Try checks on the stage, the newest play or the newest recording of a task',
      })
      .input(ofTask.extend({ checks: checksSchema }))
      .output(checkReportSchema),
    /** For forms that take what is there. Throws USAGE as above. */
    look: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/{task}/checks/look',
        summary: 'What there is for a check to look at, whatever it wants',
      })
      .input(ofTask.extend({ check: checkSchema }))
      .output(seenSchema),
  },
};
