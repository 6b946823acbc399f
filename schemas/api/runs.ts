import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { agentReportSchema, runFilterSchema } from '../agents.ts';
import { OUTCOMES_SAID } from '../judge.ts';
import { HOTTEST, MOST_SHOTS } from '../limits.ts';
import { INJECTED, PAGE_AGENTS, PROTOCOLS } from '../protocols.ts';
import { SCALES } from '../scales.ts';
import { MOST_STAGE_ACTS, stageActSchema } from '../stage-acts.ts';
import { TASK_KINDS } from '../task-terms.ts';
import { printedSchema } from './composition-verification.ts';
import { givenKeySchema } from './given-key.ts';
import { jobSchema } from './models.ts';

/** Runs of models and of people on stages: what came of them, and those that go on now (docs/agents.md). */
const ws = z.object({ ws: z.string() });
const ofRun = ws.extend({ run: z.string() });
const done = z.object({ ok: z.literal(true) });

const liveLineSchema = z.object({
  /** From 1. */
  n: z.int().min(1),
  /** Since it began, ms. */
  ms: z.int().min(0),
  by: z.enum(['agent', 'person']),
  /** `thought`: what an answer says beside its acts; `hand`: mouse and keyboard changed hands. */
  kind: z.enum(['plan', 'thought', 'acted', 'problem', 'unclear', 'refused', 'hand']),
  text: z.string(),
});
export type LiveLine = z.infer<typeof liveLineSchema>;

const liveRunSchema = z.object({
  id: z.string(),
  task: z.string(),
  goal: z.string(),
  /** `human`: a person does the task. */
  agent: z.string(),
  /** The model; the person's name; empty: nobody said. */
  model: z.string(),
  phase: z.enum(['setting', 'acting', 'checking', 'over']),
  /** Who has the mouse and the keyboard. `taking`: the agent's last act ends first. */
  hand: z.enum(['agent', 'taking', 'person']),
  /** What goes on, in words. */
  note: z.string(),
  began: z.iso.datetime(),
  /** Of its own recording; null: it has none yet. */
  recording: z.string().nullable(),
  limits: z.object({ rounds: z.int().nullable(), timeMs: z.int().nullable(), budget: z.number().nullable() }),
  /** The one that the model is asked with; null: none was given. */
  temperature: z.number().nullable(),
  /** The person gives an answer at its end. */
  answers: z.boolean(),
  /** The run of the next task on the same stage, of somebody who does a composition; null: there is none yet, or no more. */
  next: z.string().nullable(),
  rounds: z.int(),
  steps: z.int(),
  cost: z.number().nullable(),
  /** The newest ones. */
  lines: z.array(liveLineSchema),
  /** When it is over; null: it goes on, it failed, or the task has no checks. */
  outcome: agentReportSchema.pick({ how: true, why: true, passed: true, score: true, checks: true }).nullable(),
  /** Why it could not go on. */
  error: z.string().nullable(),
});
export type LiveRunState = z.infer<typeof liveRunSchema>;

const runRowSchema = z.object({
  recording: z.string(),
  at: z.iso.datetime(),
  task: z.string(),
  software: z.string(),
  /** `minimal+high,mid`: with what was given it. */
  agent: z.string(),
  model: z.string(),
  /** How freely it was asked to answer, 0 to 2; null: nobody said. */
  temperature: z.number().nullable(),
  how: z.string(),
  why: z.string(),
  passed: z.boolean(),
  score: z.number(),
  rounds: z.int(),
  steps: z.int(),
  /** Steps of the newest demonstration of its task. */
  demonstrated: z.int().nullable(),
  /** Shares of that demonstration's steps that were done, and of what the run did that is one (mobile-agent-v.txt A.3.3); null: not known. */
  completion: z.number().nullable(),
  accuracy: z.number().nullable(),
  /** Of its task. */
  level: z.enum(TASK_KINDS),
  cost: z.number().nullable(),
  tookMs: z.int(),
  /** How often a person took it over. */
  helped: z.int(),
  /** It says done, the checks say otherwise. */
  silentWrong: z.boolean(),
  /** The run that goes on with it, and counts in its place. */
  goneOnIn: z.string().nullable(),
  /** What a panel of judges said last; null: none was asked here. It counts nowhere. */
  judged: z.object({ verdict: z.enum(OUTCOMES_SAID), models: z.int(), prompts: z.int() }).nullable(),
});
export type RunTableRow = z.infer<typeof runRowSchema>;

const runGroupSchema = z.object({
  by: z.enum(['agent', 'software', 'level', 'task']),
  name: z.string(),
  runs: z.int(),
  succeeded: z.int(),
  /** Runs that a person took over: they count as runs, never as successes of the model. */
  helped: z.int(),
  score: z.number(),
  rounds: z.number(),
  passAt4: z.number().nullable(),
  completion: z.number().nullable(),
  accuracy: z.number().nullable(),
  stepsOver: z.number().nullable(),
  silentWrong: z.int(),
  overHalt: z.int(),
  cost: z.number().nullable(),
});

const begunModelSchema = z.object({
  agent: z.enum(PAGE_AGENTS),
  protocol: z.enum(PROTOCOLS),
  endpoint: z.string().min(1).max(2000),
  model: z.string().trim().min(1).max(200),
  /** The one that is followed, or whose plan is given, which may be of another task; absent: the newest of the task. */
  demonstration: z.string().min(1).max(200).optional(),
  /** For video-guided: keyframes that are shown at once, and whether an act is compared with the film before it is done. */
  window: z.int().min(1).max(12).default(4),
  reflects: z.boolean().default(true),
  inject: z.enum(INJECTED).default('none'),
  /** So many demonstrations of other tasks are shown to it before; absent: none. */
  shots: z.int().min(0).max(MOST_SHOTS).optional(),
  /** The unit of the places in its answers, where their form does not say it; absent: it stays open, and code counts pixels. */
  coordinates: z.enum([...SCALES, 'measure']).optional(),
  /** How freely it answers; absent: without chance where the protocol lets it be said, else as the endpoint does. */
  temperature: z.number().min(0).max(HOTTEST).optional(),
  key: givenKeySchema,
  limits: z.object({
    rounds: z.int().min(1).max(10_000),
    timeMs: z.int().min(1).nullable(),
    budget: z.number().positive().nullable(),
  }),
  /** Of a million tokens; null: not known, and then there is no budget. */
  prices: z.object({ input: z.number().min(0), output: z.number().min(0) }).nullable(),
});
export type BegunModel = z.input<typeof begunModelSchema>;

const runCommandSchema = z.enum(['take-over', 'give-back', 'end', 'done', 'give-up', 'stop']);
export type RunCommand = z.infer<typeof runCommandSchema>;

export const runsContract = {
  runs: {
    list: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/agent-runs', summary: 'Runs on stages, and what they come to' })
      .input(ws.extend(runFilterSchema.pick({ help: true, outcome: true }).shape))
      .output(z.object({ runs: z.array(runRowSchema), groups: z.array(runGroupSchema) })),
    /** The rank of the arena is in them only where the asker has nothing left to rank. */
    tables: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/agent-runs/tables',
        summary: 'Runs on stages and of compositions, as the papers lay them out',
      })
      .input(ws.extend({ person: z.string().min(1).max(100).optional() }))
      .output(z.array(printedSchema)),
    live: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/agent-runs/live', summary: 'Runs that go on in this studio' })
      .input(ws)
      .output(z.array(liveRunSchema)),
    /** Throws NOT_AGREED with `asked` for what somebody else made (setup.agree); USAGE for a task without a recipe. */
    human: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/{task}/human',
        summary: 'Set up a stage of a task for a person, and record what they do on it',
      })
      .input(ws.extend({ task: z.string(), person: z.string().min(1).max(100).optional() }))
      .output(z.object({ run: z.string() })),
    /** Throws NOT_AGREED as `human` does; USAGE for a task without a recipe or checks, an address that cannot be taken, no key, a budget without prices. */
    model: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/{task}/model-run',
        summary: 'Set up a stage of a task, and let a model do it',
      })
      .input(
        ws.extend({
          task: z.string(),
          person: z.string().min(1).max(100).optional(),
          with: begunModelSchema,
          /** By which the run is found when its job is begun again: it is gone on with. Absent: a new one is made. */
          call: z.uuid().optional(),
        }),
      )
      .output(z.object({ run: z.string(), job: jobSchema })),
    watch: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/agent-runs/live/{run}/changes', summary: 'One run as it goes' })
      .input(ofRun)
      .output(eventIterator(liveRunSchema)),
    /** Only while a person has the mouse and the keyboard. `client` and `n`: what is sent again is done once. */
    act: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/agent-runs/live/{run}/acts',
        summary: 'Act on the stage by hand',
      })
      .input(
        ofRun.extend({
          client: z.string().min(1).max(100),
          n: z.int().min(1),
          acts: z.array(stageActSchema).max(MOST_STAGE_ACTS),
        }),
      )
      .output(done),
    /**
     * `take-over`, `give-back` and `end` a model's run; `done` and `give-up` say how a person's own ends. `stop` ends both; the
     * checks are looked at all the same.
     */
    command: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/agent-runs/live/{run}/command',
        summary: 'Take a run over, end it',
      })
      .input(
        ofRun.extend({
          what: runCommandSchema,
          /** With `done`: what the person answers, where an answer is asked for. */
          answer: z.string().max(20_000).optional(),
        }),
      )
      .output(done),
  },
};
