import { z } from 'zod';
import { PAGE_AGENTS } from '../../schemas/api/runs.ts';
import { PROTOCOLS } from '../../schemas/model-requests.ts';

/** What a model's run was begun with last, so that it need not be typed again. A typed key is never in it. */
const keptSchema = z.object({
  agent: z.enum(PAGE_AGENTS),
  protocol: z.enum(PROTOCOLS),
  endpoint: z.string().max(2000),
  model: z.string().max(200),
  keyFrom: z.enum(['none', 'env', 'typed']),
  variable: z.string().max(1000),
  rounds: z.int().min(1).max(10_000),
  budget: z.number().positive().nullable(),
  prices: z.object({ input: z.number().min(0), output: z.number().min(0) }),
});
export type KeptModel = z.infer<typeof keptSchema>;

const KEY = 'studio.model-run';
const FRESH: KeptModel = {
  agent: 'direct',
  protocol: 'openai',
  endpoint: '',
  model: '',
  keyFrom: 'none',
  variable: '',
  rounds: 30,
  budget: null,
  prices: { input: 0, output: 0 },
};

export function keptModel(): KeptModel {
  try {
    return keptSchema.parse(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  } catch {
    return FRESH; // Nothing was kept, or something else stands there.
  }
}

export function keepModel(model: KeptModel): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(model));
  } catch {
    // The browser keeps nothing: it is typed again the next time.
  }
}
