import { z } from 'zod';
import type { JudgeOpinion } from '../../../schemas/judge.ts';
import { modelText, type Refused, readOneObject } from '../one-answer.ts';

/** Answers of judges are taken in one form alone: what is anything else is refused, with the reason in a sentence. */

export type Criterion = Pick<JudgeOpinion['criteria'][number], 'about' | 'text'>;

const text = modelText(2000);
const number = z.int().min(1).max(8);
const rubricSchema = z.strictObject({
  code: z.string(),
  criteria: z
    .array(z.strictObject({ about: z.enum(['outcome', 'process']), text }))
    .min(1)
    .max(8),
});
const partSchema = z.strictObject({
  code: z.string(),
  seen: z.array(z.strictObject({ criterion: number, what: text })).max(50),
});
const verdictSchema = z.strictObject({
  code: z.string(),
  criteria: z.array(z.strictObject({ criterion: number, met: z.boolean().nullable(), why: text })).max(8),
  outcome: z.enum(['succeeded', 'failed', 'unsure']),
  why: text,
});

export function readRubric(answer: string, code: string): { criteria: Criterion[] } | Refused {
  const read = readOneObject(answer, code, rubricSchema);
  if ('refused' in read) return read;
  const { criteria } = read.value;
  if (!criteria.some(({ about }) => about === 'outcome'))
    return { refused: 'none of its criteria is about the outcome' };
  return { criteria };
}

export type SeenOf = z.infer<typeof partSchema>['seen'];

export function readPart(answer: string, code: string, criteria: readonly Criterion[]): { seen: SeenOf } | Refused {
  const read = readOneObject(answer, code, partSchema);
  if ('refused' in read) return read;
  const { seen } = read.value;
  const other = seen.find(({ criterion }) => criterion > criteria.length);
  return other ? { refused: `it speaks of criterion ${other.criterion}, and there are ${criteria.length}` } : { seen };
}

export function readVerdict(
  answer: string,
  code: string,
  criteria: readonly Criterion[],
): { opinion: JudgeOpinion } | Refused {
  const read = readOneObject(answer, code, verdictSchema);
  if ('refused' in read) return read;
  const { outcome, why, criteria: said } = read.value;
  const numbers = said.map(({ criterion }) => criterion).sort((a, b) => a - b);
  if (numbers.length !== criteria.length || numbers.some((one, at) => one !== at + 1))
    return { refused: `it does not judge each of the ${criteria.length} criteria once` };
  const judged = criteria.map((one, at) => {
    const { met, why: because } = said.find(({ criterion }) => criterion === at + 1)!; // Each is there, as said above.
    return { ...one, met, why: because };
  });
  const met = (about: Criterion['about']) => judged.filter((one) => one.about === about).map((one) => one.met);
  if (outcome !== outcomeOf(met('outcome')))
    return { refused: `it says ${outcome}, and its own criteria say ${outcomeOf(met('outcome'))}` };
  const way = met('process');
  const process = way.includes(false) ? false : way.length === 0 || way.includes(null) ? null : true;
  return { opinion: { outcome, process, criteria: judged, why } };
}

function outcomeOf(met: readonly (boolean | null)[]): JudgeOpinion['outcome'] {
  if (met.includes(false)) return 'failed';
  return met.includes(null) ? 'unsure' : 'succeeded';
}
