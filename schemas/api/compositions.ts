import { oc } from '@orpc/contract';
import { z } from 'zod';
import { compositionSchema, instanceOriginSchema, memberSchema, variesSchema } from '../composition.ts';
import { compositionRunSchema, ranEventSchema } from '../composition-run.ts';
import { VERIFICATION_STATES } from '../composition-terms.ts';
import { verificationActSchema } from '../composition-verification.ts';
import { INSTRUCTION_LEVELS } from '../instruction-levels.ts';
import { COMPOSITION_LIMITS } from '../limits.ts';
import { command, commandField } from './command.ts';
import { printedSchema, verificationItemSchema, verificationShownSchema } from './composition-verification.ts';
import { jobSchema } from './models.ts';

/** Tasks joined (docs/compositions.md): as a page shows them, and as it edits them. */
const ws = z.object({
  ws: z.string(),
  /** The person who asks: things are kept from them while they do one blind. */
  person: z.string().min(1).max(300).optional(),
});
const ofOne = ws.extend({ composition: z.string().max(100) });
const level = z.enum(INSTRUCTION_LEVELS);
const kind = z.enum(['pathway', 'scenario']);

const lawSchema = z.object({
  /** Its id in core/compositions/RULES.md. */
  law: z.string(),
  kind: z.enum(['broken', 'note']),
  member: z.string().nullable(),
  level: level.nullable(),
  /** In English. */
  why: z.string(),
  /** The same for who says it in another language: a text with its values in braces. */
  sentence: z.object({ text: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) }),
});
export type LawShown = z.infer<typeof lawSchema>;

const levelTextSchema = z.object({
  level,
  /** The text in pieces; `slot`: the name of one, `value`: what is in it when all before it was done right. */
  pieces: z.array(z.object({ text: z.string(), slot: z.string().nullable(), value: z.string().nullable() })),
  /** What L0 says and this one leaves out, so that it may be asked for. */
  asks: z.array(z.string()),
});

const memberShownSchema = z.object({
  id: z.string(),
  /** The task of the library; null: it is none yet. */
  task: z.string().nullable(),
  /** The stage that it is done on; null: the composition declares none. */
  stage: z.string().nullable(),
  /** From when to when it is done, `08:50`; null: at any time. */
  window: z.object({ day: z.int(), from: z.string(), to: z.string().nullable() }).nullable(),
  place: z.string().nullable(),
  narration: z.string().nullable(),
  levels: z.array(levelTextSchema),
  outputs: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Files and folders of earlier tasks, which are put into its stage's home before it begins. */
  files: z.array(z.object({ from: z.string(), path: z.string(), to: z.string(), isFolder: z.boolean() })),
});
export type MemberShown = z.infer<typeof memberShownSchema>;

const lineSchema = z.object({
  kind: z.enum(['data', 'hard', 'time']),
  from: z.string(),
  output: z.string().nullable(),
  to: z.array(z.string()),
  first: z.int(),
  last: z.int(),
  lane: z.int(),
});
export type LineShown = z.infer<typeof lineSchema>;

/** An event of a scenario. Where `happens` has several, the seed draws one of them. `about`: what that brings, in its own words. */
const eventShownSchema = z.object({
  id: z.string(),
  /** The task after which it comes; null: it has a time. */
  after: z.string().nullable(),
  /** The name of its stage; null: none is named. */
  stage: z.string().nullable(),
  window: z.object({ day: z.int(), from: z.string(), to: z.string().nullable() }).nullable(),
  happens: z.array(
    z.object({ kind: z.enum(['file', 'mail', 'notification', 'service', 'window']), about: z.string() }),
  ),
});
export type EventShown = z.infer<typeof eventShownSchema>;

const compositionShownSchema = z.object({
  id: z.string(),
  kind,
  title: z.string(),
  task: z.string().nullable(),
  level: z.int().nullable(),
  persona: z.string().nullable(),
  preferences: z.array(z.string()),
  /** `varies`: in each instance of it; null: it stays equal. */
  given: z.array(z.object({ name: z.string(), value: z.string(), varies: variesSchema.nullable() })),
  /** The template that it is an instance of, and whether that is here; null: of none. */
  origin: instanceOriginSchema.extend({ isHere: z.boolean() }).nullable(),
  /** In the order in which they are done; where there is none, as they are written. */
  members: z.array(memberShownSchema),
  /** What joins them, as lines beside their rows. */
  lines: z.array(lineSchema),
  /** The day on which its clock begins; null: it has none, and no event with a time comes. */
  begins: z.string().nullable(),
  events: z.array(eventShownSchema),
  /** All of them are up at once; none: all of it is done on one. */
  stages: z.array(z.object({ name: z.string(), platform: z.string() })),
});
export type CompositionShown = z.infer<typeof compositionShownSchema>;

export type PrintedTable = z.infer<typeof printedSchema>;

const instanceSchema = instanceOriginSchema.omit({ template: true }).extend({ id: z.string() });
export type InstanceListed = z.infer<typeof instanceSchema>;

/** The result of a job that makes instances. */
export const instancesMadeSchema = z.object({
  made: z.array(
    z.object({
      id: z.string(),
      /** The version of its file, with which it is taken back. */
      version: z.string(),
      values: z.record(z.string(), z.string()),
      tasks: z.array(z.string()),
    }),
  ),
  /** Made before by the same seed. */
  there: z.array(z.string()),
  /** Sets of values that would break a law; `why` in English. */
  leftOut: z.array(z.object({ values: z.record(z.string(), z.string()), why: z.string() })),
  /** Sentences, in English, about tasks of instances whose making was broken off before. */
  notes: z.array(z.string()),
});
export type InstancesMade = z.infer<typeof instancesMadeSchema>;

const listedSchema = z.object({
  id: z.string(),
  /** Why its file cannot be read; all else of it is empty then. */
  why: z.string().nullable(),
  kind: kind.nullable(),
  title: z.string(),
  level: z.int().nullable(),
  members: z.int(),
  /** How many laws it breaks, and notes; null: they are looked at when it is opened, as of instances. */
  laws: z.object({ broken: z.int(), notes: z.int() }).nullable(),
  runs: z.int(),
  /** The one that it is an instance of; null: of none. */
  template: z.string().nullable(),
  /** By people. */
  verification: z.enum(VERIFICATION_STATES),
  /** All but the top-level task is kept from the asker, who does it blind; its figures are 0 then. */
  kept: z.boolean(),
});
export type CompositionListed = z.infer<typeof listedSchema>;

const editedSchema = z.object({
  composition: compositionSchema,
  /** Of its file: a save names it, so that nothing of somebody else is written over. */
  version: z.string(),
  /** Why nothing can be kept in this workspace; null: it can. */
  unwritable: z.string().nullable(),
});
export type CompositionEdited = z.infer<typeof editedSchema>;
const version = z.string().max(100);

const runListedSchema = z.object({
  id: z.string(),
  at: z.string(),
  /** `player`, or the agent with its model. */
  actor: z.string(),
  level,
  tasks: z.int(),
  passed: z.int(),
  failed: z.int(),
  /** Blocked, or after the end of its path. */
  passedOver: z.int(),
  steps: z.int(),
  questions: z.int(),
  /** Null: it goes on, or was ended in the middle. */
  ended: z.object({ how: z.enum(['done', 'stopped', 'broke']), why: z.string() }).nullable(),
});
export type RunListed = z.infer<typeof runListedSchema>;

const person = commandField(
  z.string().min(1).max(300),
  'the person: a name or an id of `people list`',
  '-p, --person <name>',
);

export const compositionsContract = {
  compositions: {
    list: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/compositions', summary: 'Compositions of a workspace' })
      .input(ws)
      .output(z.array(listedSchema)),
    /** The papers' tables over all of them, and why nothing can be kept in this workspace (null: it can). */
    about: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/compositions/about', summary: 'Tables over all compositions' })
      .input(ws)
      .output(z.object({ tables: z.array(printedSchema), unwritable: z.string().nullable() })),
    /** As its file has it, to be edited. */
    edit: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/compositions/{composition}/content',
        summary: 'One composition as its file has it',
      })
      .input(ofOne)
      .output(editedSchema),
    /**
     * Keeps it in the place of what was there. `version`: of what it was made from, null for a new one. Throws CONFLICT where the
     * file is another one by now, WORKSPACE_UNWRITABLE, USAGE for what does not fit.
     */
    save: oc
      .route({
        method: 'PUT',
        path: '/workspaces/{ws}/compositions/{composition}',
        summary: 'Keep a composition, if nobody else changed it',
      })
      .input(ofOne.extend({ content: compositionSchema, version: version.nullable() }))
      .output(editedSchema),
    /** Its runs stay. Gives it as it was, for an undo. Throws CONFLICT as `save`. */
    remove: oc
      .route({ method: 'DELETE', path: '/workspaces/{ws}/compositions/{composition}', summary: 'Remove a composition' })
      .input(ofOne.extend({ version }))
      .output(z.object({ composition: compositionSchema })),
    /** What tasks of the library are as members: their goals, and their answers as outputs. Throws UNKNOWN_TASK. */
    members: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/compositions/members', summary: 'Tasks as members' })
      .input(ws.extend({ tasks: z.array(z.string().max(100)).min(1).max(COMPOSITION_LIMITS.members) }))
      .output(z.array(memberSchema)),
    /**
     * Those of these tasks that are there, with the ids of their checks, and the services of their recipes with the changes that
     * these name; null: none that can be read. For the laws CP14 and CP23.
     */
    known: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/compositions/known', summary: 'Tasks that are there' })
      .input(ws.extend({ tasks: z.array(z.string().max(100)).max(COMPOSITION_LIMITS.members) }))
      .output(
        z.array(
          z.object({
            task: z.string(),
            checks: z.array(z.string()).nullable(),
            services: z.array(z.object({ name: z.string(), changes: z.array(z.string()) })).nullable(),
          }),
        ),
      ),
    /** The content of tasks in which values of a template may stand; without those that are kept from the asker. */
    contents: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/compositions/contents',
        summary: 'Tasks as values stand in them',
      })
      .input(ws.extend({ tasks: z.array(z.string().max(100)).max(COMPOSITION_LIMITS.members) }))
      .output(
        z.array(
          z.object({
            task: z.string(),
            goal: z.string(),
            answer: z.string(),
            /** The contents of their files; null: there is none. */
            recipe: z.unknown(),
            checks: z.unknown(),
          }),
        ),
      ),
    /**
     * A job that makes instances of a template until there are `count` of this seed, each with tasks of its own
     * (docs/compositions.md, "Templates"). It fails with USAGE where nothing varies, a law is broken, or there are not so many.
     */
    makeInstances: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/compositions/{composition}/instances',
        summary: 'Make instances of a template',
      })
      .input(
        ofOne.extend({
          count: z.int().min(1).max(COMPOSITION_LIMITS.instances),
          seed: z.int().min(0).max(COMPOSITION_LIMITS.seed),
        }),
      )
      .output(jobSchema),
    /**
     * Takes instances back that were made, with those of their tasks that nothing else has and nobody recorded. Throws CONFLICT for
     * one that was changed since.
     */
    removeInstances: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/compositions/{composition}/instances/removed',
        summary: 'Take back instances that were made',
      })
      .input(
        ofOne.extend({
          instances: z
            .array(
              z.object({
                id: z.string().max(100),
                version,
                tasks: z.array(z.string().max(100)).max(COMPOSITION_LIMITS.members),
              }),
            )
            .max(COMPOSITION_LIMITS.instances),
        }),
      )
      .output(z.object({ ok: z.literal(true) })),
    /** With the laws that it breaks, its runs, newest first, and the papers' tables of both. */
    get: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/compositions/{composition}', summary: 'One composition' })
      .input(ofOne)
      .output(
        z.object({
          composition: compositionShownSchema,
          laws: z.array(lawSchema),
          /** Instances of this template that are here, by their seeds and numbers. */
          instances: z.array(instanceSchema),
          runs: z.array(runListedSchema),
          /** Files of runs that cannot be read. */
          unread: z.array(z.object({ id: z.string(), why: z.string() })),
          tables: z.array(printedSchema),
          scores: z.array(printedSchema),
        }),
      ),
    /** A run, with its composition as it was then. */
    run: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/compositions/{composition}/runs/{run}',
        summary: 'One run of a composition',
      })
      .input(ofOne.extend({ run: z.string().max(40) }))
      .output(
        z.object({
          run: runListedSchema,
          results: compositionRunSchema.shape.results,
          begun: z.string().nullable(),
          /** The recording of the task that has no result, up to where it was broken off, or is now. */
          half: compositionRunSchema.shape.half.unwrap().nullable(),
          composition: compositionShownSchema,
          /** The events that came, in the order in which they did. */
          events: z.array(ranEventSchema),
        }),
      ),
    /** Where its verification by people stands, and what of it the asker may see. */
    verification: command(
      'compositions verify show <id:composition>',
      'where a composition stands: its three stages, answers side by side, and what you may do',
      [['compositions verify show alex-monday --person Ada --workspace W', 'in words; --json for a script']],
    )
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/compositions/{composition}/verification',
        summary: 'Where the verification of a composition stands, as somebody may see it',
      })
      .input(ofOne.extend({ person: person.optional() }))
      .output(verificationShownSchema),
    /**
     * One act in its log; one that is sent twice (`event`) is done once. Throws CONFLICT where the asker cannot, USAGE for a recording
     * of something else.
     */
    verify: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/compositions/{composition}/verification',
        summary: 'Claim a stage of the verification, give it back, or hand it in',
      })
      .input(ofOne.extend({ person: z.string().min(1).max(300), event: z.uuid(), act: verificationActSchema }))
      .output(verificationShownSchema),
    queue: command('compositions queue', 'what a person can verify: what they have in hand first', [
      ['compositions queue --person Ada --workspace W', 'a table; the first is the next'],
      ['compositions queue --person Ada --workspace W --json', 'for a script'],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/compositions/queue',
        summary: 'Compositions that a person can verify, the next first',
      })
      .input(ws.extend({ person }))
      .output(z.array(verificationItemSchema)),
  },
};
