import { oc } from '@orpc/contract';
import { z } from 'zod';
import { judgeSchema, OUTCOMES_SAID, opinionSchema } from '../judge.ts';
import { PANEL_LIMITS } from '../limits.ts';
import { PROTOCOLS } from '../protocols.ts';
import { givenKeySchema } from './given-key.ts';
import { jobSchema } from './models.ts';

/** What models say of runs, plays and demonstrations, and what that is worth here (docs/agents.md, "Judges"). */
const ws = z.object({ ws: z.string() });

const panelSchema = z.object({
  models: z.array(z.string()),
  /** Wordings that each model is asked with. */
  prompts: z.int(),
  protocol: z.enum(PROTOCOLS),
  /** Of the endpoint. */
  origin: z.string(),
  rules: z.int(),
});

const judgementSchema = z.object({
  recording: z.string(),
  task: z.string(),
  kind: z.enum(['demonstration', 'play', 'run']),
  at: z.iso.datetime(),
  panel: panelSchema,
  verdict: z.enum(OUTCOMES_SAID),
  cost: z.number().nullable(),
  /** It was judged in this workspace; else somebody says so. */
  own: z.boolean(),
  /** Its log leads to the same without a model; null: it was judged by other rules. */
  replays: z.boolean().nullable(),
  judges: z.array(z.object({ judge: judgeSchema, opinion: opinionSchema.nullable() })),
  /** Why answers were refused. */
  refused: z.array(z.string()),
});
export type JudgementShown = z.infer<typeof judgementSchema>;

const shareSchema = z.object({ value: z.number(), low: z.number(), high: z.number(), n: z.int() }).nullable();
const coefficientSchema = z.object({
  value: z.number().nullable(),
  n: z.int(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});
const cardSchema = z.object({
  judged: z.int(),
  labels: z.object({ all: z.int(), verify: z.int(), review: z.int(), needed: z.int() }),
  /** Null: too few labels to say anything. */
  figures: z.object({ precision: shareSchema, npv: shareSchema, unsure: z.int(), kappa: coefficientSchema }).nullable(),
  among: coefficientSchema.nullable(),
});
const panelShownSchema = z.object({ panel: panelSchema, card: cardSchema });
export type PanelShown = z.infer<typeof panelShownSchema>;

const allSchema = z.object({
  rows: z.array(judgementSchema.omit({ judges: true, refused: true, replays: true })),
  panels: z.array(panelShownSchema),
  unreadable: z.array(z.object({ recording: z.string(), why: z.string() })),
});
export type AllJudgements = z.infer<typeof allSchema>;

const askedJudgesSchema = z.object({
  protocol: z.enum(PROTOCOLS),
  endpoint: z.string().min(1).max(2000),
  models: z.array(z.string().trim().min(1).max(200)).min(1).max(PANEL_LIMITS.models),
  /** Wordings that each is asked with. */
  prompts: z.int().min(1).max(PANEL_LIMITS.prompts),
  /** Most of a recording. */
  pictures: z.int().min(1).max(PANEL_LIMITS.pictures),
  key: givenKeySchema,
  budget: z.number().positive().nullable(),
  /** Of a million tokens; null: not known, and then there is no budget. */
  prices: z.object({ input: z.number().min(0), output: z.number().min(0) }).nullable(),
});

export const judgesContract = {
  judges: {
    labelled: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/judgements/labelled',
        summary: 'How many recordings have a label, by verify or by reviews, that judges can be measured by',
      })
      .input(ws)
      .output(z.object({ n: z.int() })),
    /** Throws USAGE for an address that cannot be taken, no key, a budget without prices, and where there is nothing to judge. */
    ask: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/judgements',
        summary: 'Ask models whether the tasks of recordings came out, as a job',
      })
      .input(
        ws.extend({
          recordings: z.array(z.string().min(1).max(300)).max(PANEL_LIMITS.recordings),
          /** Also those with a label. */
          labelled: z.boolean(),
          person: z.string().min(1).max(100).optional(),
          with: askedJudgesSchema,
        }),
      )
      .output(jobSchema),
    list: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/judgements',
        summary: 'What models say of recordings, and what each panel of them is worth here',
      })
      .input(ws)
      .output(allSchema),
    of: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/judgements/{recording}',
        summary: 'What models say of one recording, with their reasons',
      })
      .input(ws.extend({ recording: z.string() }))
      .output(z.array(judgementSchema)),
  },
};
