import { oc } from '@orpc/contract';
import { z } from 'zod';
import { judgeSchema, OUTCOMES_SAID, opinionSchema } from '../judge.ts';
import { PROTOCOLS } from '../protocols.ts';

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

export const judgesContract = {
  judges: {
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
