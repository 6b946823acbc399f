import { z } from 'zod';
import { answerPart } from '../evaluate/reading/answer-part.ts';

/** Answers that are one JSON object in the form that was asked for: what is anything else is refused, with the reason in a sentence. */

export type Refused = { refused: string };

/** Longer is no answer to what was asked, characters. */
const LONGEST_ANSWER = 40_000;
/**
 * Characters that hide, reverse or break a line: C0 and C1 but for tab and line feed, marks of direction, separators of lines,
 * soft hyphens, tags. Joiners stay, which Persian and emoji are written with.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** A text of an answer, without spaces around it. */
export const modelText = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((value) => value.isWellFormed() && !HIDDEN.test(value), 'it holds characters that nobody sees');

const FENCED = /^[ \t]*```[a-z]*[ \t]*\n([\s\S]*?)\n[ \t]*```[ \t]*$/gm;

/** The one object of an answer, bare or in one block; its code is that of the question, which no text on a screen can know. */
export function readOneObject<T extends { code: string }>(
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
