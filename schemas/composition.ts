import { z } from 'zod';
import { checksSchema } from './checks.ts';
import {
  COMPOSITION_ID,
  COMPOSITION_SCHEMA,
  COMPOSITION_VERSION,
  SLOT_NAME,
  STAGE_PLATFORM,
  TIME_OF_DAY,
  VERSION_WITH_EVENTS,
  VERSION_WITH_TAKEN_FILES,
  VERSION_WITH_TEMPLATES,
  VERSION_WITH_VERIFICATION,
  VERSION_WITHOUT_EVENTS,
} from './composition-terms.ts';
import { verificationEventSchema } from './composition-verification.ts';
import type { InstructionLevel } from './instruction-levels.ts';
import { COMPOSITION_LIMITS as MOST } from './limits.ts';
import { homePathSchema } from './names.ts';
import { recipeSchema } from './play.ts';

/** Tasks joined (docs/compositions.md): causal pathways of NaturalGAIA and scenarios of ScenDroid in one model. */

/** A name that texts can hold: `{{meeting.time}}`. */
const name = z.string().regex(SLOT_NAME, 'must be small letters, digits and "_", a letter first');
const words = z.string().max(MOST.text);
const shortWords = z.string().min(1).max(MOST.short);
/** A line of a mail's head. */
const headerLine = shortWords.regex(/^[^\p{Cc}]+$/u, 'must be one line');
const timeOfDay = z.string().regex(TIME_OF_DAY, 'must be a time like 08:50');

/** The true value of an output. A number is met within `tolerance`, a list in any order. */
const answerSchema = z.union([
  z.string().min(1).max(MOST.answer),
  z.number(),
  z.array(shortWords).min(1).max(MOST.entries),
]);

const outputSchema = z.strictObject({
  name,
  value: answerSchema,
  tolerance: z.number().min(0).default(0),
  /** Other ways to write the same value, which a person thought of. */
  alternatives: z.array(shortWords).max(MOST.alternatives).default([]),
  /** Where it is read: what was answered, or what a check of the task with this id looks at. */
  from: z.union([z.literal('answer'), z.strictObject({ check: shortWords })]).default('answer'),
  /** False: it may be another one some day, and a file is kept that says what it was, and when. */
  stable: z.boolean().default(true),
  kept: z.strictObject({ file: shortWords, date: z.iso.date() }).optional(),
});
export type MemberOutput = z.infer<typeof outputSchema>;

/** A file or a folder with all that is in it; `to`: where it is put, left out: at the same place. */
const takenSchema = z
  .strictObject({
    from: name,
    file: homePathSchema.optional(),
    folder: homePathSchema.optional(),
    to: homePathSchema.optional(),
  })
  .refine(({ file, folder }) => (file === undefined) !== (folder === undefined), 'must name a file or a folder');

export const memberSchema = z.strictObject({
  /** `given` is what is known before the first. */
  id: name.refine((id) => id !== 'given', 'must be another: `given` names what is known before the first task'),
  /** The task of the library that it is; null where it is not made yet. */
  task: z.string().min(1).max(100).nullable().default(null),
  /** The stage of the composition that it is done on; left out: the first one. */
  stage: name.optional(),
  /** What is asked for; `base` is the question of a pathway. */
  instructions: z.strictObject({
    base: words.min(1),
    L0: words.min(1).optional(),
    L1: words.min(1).optional(),
    L2: words.min(1).optional(),
  }),
  /** What happens to the person, and where. */
  narration: words.optional(),
  place: shortWords.optional(),
  /** The day of the scenario from 1, and when the task may begin; without `to` exactly then. */
  window: z
    .strictObject({ day: z.int().min(1).max(366).default(1), from: timeOfDay, to: timeOfDay.optional() })
    .optional(),
  /** The applications that it is done with, on each platform. */
  apps: z.record(shortWords, z.array(shortWords).max(MOST.apps)).default({}),
  /** The way to the truth, a step a line, and a recording of it. */
  way: z.array(shortWords).max(MOST.steps).default([]),
  recording: z.string().max(100).optional(),
  outputs: z.array(outputSchema).max(MOST.outputs).default([]),
  /** Files and folders of the homes of earlier members; put into its stage's home before it begins. */
  takes: z.array(takenSchema).min(1).max(MOST.takes).optional(),
});
export type Member = z.infer<typeof memberSchema>;

/** `from` is before `to`, each the name of a member. */
const between = { from: name, to: name };
const edgeSchema = z.discriminatedUnion('kind', [
  /** This output of `from` fills a slot of `to`. */
  z.strictObject({ kind: z.literal('data'), ...between, output: name }),
  /** `to` can be done only after `from` was. */
  z.strictObject({ kind: z.literal('hard'), ...between }),
  /** `to` begins after `from` did, at least and at most so many minutes later. */
  z.strictObject({
    kind: z.literal('time'),
    ...between,
    atLeast: z.int().min(0).max(MOST.minutes).default(0),
    atMost: z.int().min(0).max(MOST.minutes).optional(),
  }),
]);
export type Edge = z.infer<typeof edgeSchema>;

const ownValues = z.array(shortWords).max(MOST.values);
const puts = z.array(z.string().min(1).max(MOST.short)).max(MOST.places).default([]);
const whole = z.int().min(-1_000_000_000).max(1_000_000_000);
const step = z.int().min(1).max(1_000_000).default(1);

/**
 * How a given value is another one in each instance of the composition, which is a template then. Its own value is the template's.
 * `puts`: where the value stands as it is written, apart from slots (core/compositions/places.ts).
 */
export const variesSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('list'), values: ownValues, puts }),
  /** Both ends may be drawn, and every `step` between them. */
  z.strictObject({ kind: z.literal('whole'), from: whole, to: whole, step, puts }),
  /** `step` in minutes. */
  z.strictObject({ kind: z.literal('time'), from: timeOfDay, to: timeOfDay, step, puts }),
  /** `step` in days. */
  z.strictObject({ kind: z.literal('date'), from: z.iso.date(), to: z.iso.date(), step, puts }),
  /** The n-th of these where the given value `of` has the n-th of its list. */
  z.strictObject({ kind: z.literal('along'), of: name, values: ownValues, puts }),
  /** So much more than `of`: units of a whole number, minutes of a time, days of a date; less than 0: before it. */
  z.strictObject({ kind: z.literal('after'), of: name, plus: whole, puts }),
]);
export type Varies = z.infer<typeof variesSchema>;

/** Where an instance comes from. The same template, seed and number are the same instance. */
export const instanceOriginSchema = z.strictObject({
  template: z.string().regex(COMPOSITION_ID),
  seed: z.int().min(0).max(MOST.seed),
  number: z.int().min(1),
  values: z.array(z.strictObject({ name, value: shortWords })).max(MOST.given),
});
export type InstanceOrigin = z.infer<typeof instanceOriginSchema>;

/** What is known before the first task: `{{given.name}}` in texts. */
const contextSchema = z.strictObject({
  persona: words.optional(),
  preferences: z.array(words.min(1)).max(MOST.given).default([]),
  given: z
    .array(z.strictObject({ name, value: shortWords, varies: variesSchema.optional() }))
    .max(MOST.given)
    .default([]),
  /** The day on which the scenario's clock begins. */
  begins: z.iso.date().optional(),
});

/** Something that happens on the stage by itself. */
const happeningSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('file'), to: homePathSchema, text: z.string().max(MOST.eventText) }),
  /** Into a Maildir of the home, as servers deliver it. */
  z.strictObject({
    kind: z.literal('mail'),
    folder: homePathSchema,
    from: headerLine,
    to: headerLine,
    subject: headerLine,
    text: words,
  }),
  /** By notify-send; a recipe starts the program that shows it. */
  z.strictObject({ kind: z.literal('notification'), title: shortWords, text: words.default('') }),
  /** One of the changes that a recipe's service names. */
  z.strictObject({ kind: z.literal('service'), service: shortWords, change: shortWords }),
  /** A window comes to the front. */
  z.strictObject({ kind: z.literal('window'), title: shortWords }),
]);
export type Happening = z.infer<typeof happeningSchema>;

const eventSchema = z.strictObject({
  id: name,
  /** After a task, whatever came of it; or at a time of the scenario, with `to` at a minute up to then that the seed draws. */
  at: z.union([
    z.strictObject({ after: name }),
    z.strictObject({ day: z.int().min(1).max(366).default(1), from: timeOfDay, to: timeOfDay.optional() }),
  ]),
  /** The stage that it happens on; left out: the first one. */
  stage: name.optional(),
  /** Of several the seed draws one. */
  happens: z.array(happeningSchema).min(1).max(MOST.happenings),
});
export type ScenarioEvent = z.infer<typeof eventSchema>;

/** A stage that tasks are done on, all of which are up at once. It is set up by the recipes of its tasks. */
const compositionStageSchema = z.strictObject({ name, platform: shortWords.default(STAGE_PLATFORM) });
export type CompositionStage = z.infer<typeof compositionStageSchema>;

/** A task with what sets it up and checks it, so that the file can be taken into another workspace. */
const carriedTaskSchema = z.strictObject({
  id: z.string().min(1).max(100),
  software: shortWords,
  goal: words,
  answer: words.default(''),
  recipe: recipeSchema.nullable(),
  checks: checksSchema.nullable(),
  /** Names of files that its recipe or checks take of the task; they are not in this file. */
  files: z.array(shortWords).max(1000).default([]),
});
export type CarriedTask = z.infer<typeof carriedTaskSchema>;

export const compositionSchema = z.strictObject({
  schema: z.literal(COMPOSITION_SCHEMA),
  version: z.literal([
    VERSION_WITHOUT_EVENTS,
    VERSION_WITH_EVENTS,
    VERSION_WITH_VERIFICATION,
    VERSION_WITH_TEMPLATES,
    VERSION_WITH_TAKEN_FILES,
    COMPOSITION_VERSION,
  ]),
  /** Its file's name. */
  id: z.string().regex(COMPOSITION_ID, 'must be small letters, digits and "-"'),
  kind: z.enum(['pathway', 'scenario']),
  title: shortWords,
  /** The whole task as somebody is told it who does not know its members. */
  task: words.optional(),
  /** Of a pathway; by its members and applications (CP8). */
  level: z.int().min(1).max(3).optional(),
  context: contextSchema.default({ preferences: [], given: [] }),
  members: z
    .array(memberSchema)
    .min(1)
    .max(MOST.members)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two members have the same id'),
  edges: z.array(edgeSchema).max(MOST.edges).default([]),
  events: z
    .array(eventSchema)
    .max(MOST.events)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two events have the same id')
    .optional(),
  /** The template that it is an instance of. */
  origin: instanceOriginSchema.optional(),
  /** Left out: one, for all members. The first is that of members that name none. */
  stages: z
    .array(compositionStageSchema)
    .min(1)
    .max(MOST.stages)
    .refine((all) => new Set(all.map((one) => one.name)).size === all.length, 'two stages have the same name')
    .optional(),
  tasks: z.array(carriedTaskSchema).max(MOST.members).optional(),
  /** How people verified it, in a file that goes to another workspace; `version`: of the composition itself. */
  verification: z
    .strictObject({
      version: z.literal([
        VERSION_WITHOUT_EVENTS,
        VERSION_WITH_EVENTS,
        VERSION_WITH_TEMPLATES,
        VERSION_WITH_TAKEN_FILES,
        COMPOSITION_VERSION,
      ]),
      events: z.array(verificationEventSchema).min(1).max(MOST.verification),
    })
    .optional(),
});
export type Composition = z.infer<typeof compositionSchema>;

/** A law that a composition breaks, or something to know of it (`note`), at its place. */
export type BrokenLaw = {
  law: string;
  kind: 'broken' | 'note';
  member: string | null;
  level: InstructionLevel | null;
  /** In English. */
  why: string;
  /** The same for a page, which says it in its own language. */
  sentence: LawSentence;
};
/** A sentence with its values in braces, such as `Nothing gives {slot}.` */
export type LawSentence = { text: string; values: Readonly<Record<string, string | number>> };
