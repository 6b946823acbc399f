import { z } from 'zod';
import type { DraftField, DraftStep, DraftSubject } from '../../../schemas/draft.ts';
import type { ModelPart, ModelRequest } from '../../../schemas/model-requests.ts';
import { modelText, type Refused, readOneObject } from '../one-answer.ts';
import { quoted } from '../quoted.ts';
import { askAgain, cutsText, DRAFT_STANCE, REFLECT_STANCE, reflectText, stepText } from './prompts.ts';

/** The questions that drafts are asked by, and the reading of their answers: pure, so that a log leads to the same again. */

/** One proposal for a field of a step. */
export type Drafted = { action: string; field: DraftField; text: string | null };

/** One thing that is asked: of a step, or of all of them their subtasks. */
export type DraftPart = { is: 'step'; step: DraftStep } | { is: 'cuts' };

/** The questions in their order. Subtasks come last: they are asked for in words alone. */
export function partsOfDraft({ steps, cuts }: DraftSubject): DraftPart[] {
  const parts = steps.filter(({ fields }) => fields.length > 0).map((step): DraftPart => ({ is: 'step', step }));
  return cuts && steps.length > 0 ? [...parts, { is: 'cuts' }] : parts;
}

/** The pictures of a part: those before the step, and after it where what came of it is asked for. */
const picturesOfPart = (part: DraftPart): ModelPart[] =>
  part.is === 'cuts'
    ? []
    : [
        ...(part.step.before ? [{ text: 'Before the step:' }, { picture: part.step.before }] : []),
        ...(part.step.after ? [{ text: 'After the step:' }, { picture: part.step.after }] : []),
      ];

/** `again`: why the last answer was refused; null: there is none. */
export function draftRequest(subject: DraftSubject, part: DraftPart, code: string, again: string | null): ModelRequest {
  const ask = part.is === 'cuts' ? cutsText(code) : stepText(code, part.step.fields);
  return request('draft', DRAFT_STANCE, [...shown(subject, part), { text: ask }], again);
}

export function reflectRequest(
  subject: DraftSubject,
  part: DraftPart,
  drafts: readonly Drafted[],
  code: string,
  again: string | null,
): ModelRequest {
  const numbers = new Map(subject.steps.map(({ action, number }) => [action, number]));
  const list = drafts.map(
    ({ action, field, text }, at) => `${at + 1}. ${field} of step ${numbers.get(action) ?? '?'}: ${quoted(text ?? '')}`,
  );
  const parts = [...shown(subject, part), { text: `The drafts:\n${list.join('\n')}` }, { text: reflectText(code) }];
  return request('reflect', REFLECT_STANCE, parts, again);
}

const request = (role: string, system: string, parts: ModelPart[], again: string | null): ModelRequest => ({
  role,
  system,
  turns: [{ by: 'user', parts: again === null ? parts : [...parts, { text: askAgain(again) }] }],
  computer: null,
});

/** So many steps before one are told in words. */
const STEPS_BEFORE = 3;

function shown(subject: DraftSubject, part: DraftPart): ModelPart[] {
  const { goal, software, steps } = subject;
  const task = `The task was: ${quoted(goal)}${software === '' ? '' : `, in the software ${quoted(software)}`}.`;
  if (part.is === 'cuts') return [{ text: `${task}\n\nThe steps:\n${steps.map(stepWords).join('\n')}` }];
  const at = steps.indexOf(part.step);
  const before = steps.slice(Math.max(0, at - STEPS_BEFORE), at).map(stepWords);
  const { point } = part.step;
  const where = point ? ` It was done at x ${point.x}, y ${point.y} of the picture before it.` : '';
  const story = before.length > 0 ? `\n\nBefore it:\n${before.join('\n')}` : '';
  return [{ text: `${task}${story}\n\nThe step:\n${stepWords(part.step)}${where}` }, ...picturesOfPart(part)];
}

const stepWords = ({ number, words }: DraftStep): string => `${number}. ${quoted(words)}`;

const LONGEST: Readonly<Record<DraftField, number>> = {
  element: 200,
  narration: 500,
  thought: 1000,
  actionThought: 1000,
  observation: 1000,
  subtask: 200,
};

/** A draft is a text for people: the question's own code or form in it was copied from somewhere. */
const fieldText = (field: DraftField, code: string) =>
  modelText(LONGEST[field])
    .refine((text) => !/[\r\n\t]/.test(text), 'it has more than one line')
    .refine((text) => !text.includes(code) && !/\{\s*"code"|["']code["']\s*:/.test(text), 'it repeats the question')
    .nullable();

/** The drafts in an answer to a part; a text that cannot stand in its field refuses all of it. */
export function readDrafts(
  answer: string,
  part: DraftPart,
  steps: readonly DraftStep[],
  code: string,
): { drafts: Drafted[] } | Refused {
  if (part.is === 'cuts') return readCuts(answer, steps, code);
  const { action, fields } = part.step;
  const schema = z.strictObject({ code: z.string(), ...forEach(fields, (field) => fieldText(field, code)) });
  const read = readOneObject(answer, code, schema);
  if ('refused' in read) return read;
  const said = z.record(z.string(), z.string().nullable()).parse(read.value);
  return { drafts: fields.map((field) => ({ action, field, text: said[field] ?? null })) };
}

const forEach = <T>(fields: readonly DraftField[], make: (field: DraftField) => T): Record<string, T> =>
  Object.fromEntries(fields.map((field) => [field, make(field)]));

/** More subtasks than this are no division. */
const MOST_CUTS = 200;

function readCuts(answer: string, steps: readonly DraftStep[], code: string): { drafts: Drafted[] } | Refused {
  const title = fieldText('subtask', code).unwrap();
  const cut = z.strictObject({ first: z.int().min(1), title });
  const read = readOneObject(
    answer,
    code,
    z.strictObject({ code: z.string(), subtasks: z.array(cut).min(1).max(MOST_CUTS) }),
  );
  if ('refused' in read) return read;
  const { subtasks } = read.value;
  const byNumber = new Map(steps.map((step) => [step.number, step.action]));
  const other = subtasks.find(({ first }) => !byNumber.has(first));
  if (other) return { refused: `a subtask begins at step ${other.first}, which is none of the steps` };
  if (subtasks.some(({ first }, at) => at > 0 && first <= subtasks[at - 1]!.first))
    return { refused: 'its subtasks are not in the order of their steps' };
  if (subtasks[0]!.first !== steps[0]?.number) return { refused: 'its first subtask does not begin at the first step' };
  return {
    drafts: subtasks.map(({ first, title: text }) => ({ action: byNumber.get(first)!, field: 'subtask', text })),
  };
}

/** The reflector's doubt of each draft, in their order; null: none. */
export function readDoubts(answer: string, drafts: number, code: string): { doubts: (string | null)[] } | Refused {
  const doubt = z.strictObject({ draft: z.int().min(1), why: modelText(1000) });
  const read = readOneObject(answer, code, z.strictObject({ code: z.string(), doubts: z.array(doubt).max(MOST_CUTS) }));
  if ('refused' in read) return read;
  const doubts = new Array<string | null>(drafts).fill(null);
  for (const { draft, why } of read.value.doubts) {
    if (draft > drafts) return { refused: `it speaks of draft ${draft}, and there are ${drafts}` };
    doubts[draft - 1] ??= why;
  }
  return { doubts };
}
