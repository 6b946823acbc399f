import { z } from 'zod';
import type { JudgeOpinion } from '../../../schemas/judge.ts';
import { answerPart } from '../../evaluate/reading/answer-part.ts';

/** Answers of judges are taken in one form alone: what is anything else is refused, with the reason in a sentence. */

export type Criterion = Pick<JudgeOpinion['criteria'][number], 'about' | 'text'>;
type Refused = { refused: string };

/** Longer is no answer to what was asked, characters. */
const LONGEST_ANSWER = 40_000;
const LONGEST_TEXT = 2000;
/** Characters that hide, reverse or break a line: C0 and C1 but for tab and line feed, marks of direction, separators of lines. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

const text = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_TEXT)
  .refine((value) => !HIDDEN.test(value), 'it holds characters that nobody sees');
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
  const read = readObject(answer, code, rubricSchema);
  if ('refused' in read) return read;
  const { criteria } = read.value;
  if (!criteria.some(({ about }) => about === 'outcome'))
    return { refused: 'none of its criteria is about the outcome' };
  return { criteria };
}

export type SeenOf = z.infer<typeof partSchema>['seen'];

export function readPart(answer: string, code: string, criteria: readonly Criterion[]): { seen: SeenOf } | Refused {
  const read = readObject(answer, code, partSchema);
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
  const read = readObject(answer, code, verdictSchema);
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

const FENCED = /^[ \t]*```[a-z]*[ \t]*\n([\s\S]*?)\n[ \t]*```[ \t]*$/gm;

/** The one object of an answer, bare or in one block; its code is that of the question, which no text on a screen can know. */
function readObject<T extends { code: string }>(
  answer: string,
  code: string,
  schema: z.ZodType<T>,
): { value: T } | Refused {
  if (answer.length > LONGEST_ANSWER) return { refused: `it is longer than ${LONGEST_ANSWER} characters` };
  const said = answerPart(answer).trim();
  if (said === '') return { refused: 'it is empty' };
  const blocks = [...said.matchAll(FENCED)].flatMap(([, inside]) => inside ?? []);
  if (blocks.length > 1) return { refused: 'it holds more than one answer' };
  let value: unknown;
  try {
    value = JSON.parse(blocks[0] ?? said);
  } catch {
    return { refused: 'it is not one JSON object alone' };
  }
  const { success, data, error } = schema.safeParse(value);
  if (!success) return { refused: faultOf(error) };
  if (data.code !== code) return { refused: 'its code is not that of the question' };
  return { value: data };
}

function faultOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const place = issue?.path.join('.') ?? '';
  const what = issue?.message.replace(/\.$/, '').slice(0, 200) ?? 'it has another form';
  return place === '' ? `the object has another form (${what})` : `${place} is not as asked (${what})`;
}
