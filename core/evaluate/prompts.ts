import type { Aid, PlanQuery, QuestionKind } from '../../schemas/questions.ts';

/** Prompt files (M9, M16): plain text with `{names}` that are filled in; a folder of a user's own may replace any. */

export const PROMPT_NAMES = [
  'click',
  'drag',
  'click-som',
  'drag-som',
  'click-ocr',
  'drag-ocr',
  'scroll',
  'keys',
  'mid-vision',
  'mid-text',
  'mid-vision+text',
  'high-vision',
  'high-vision-start',
  'high-text',
  'high-vision+text',
  'high-vision+text-start',
  'high-vision-frames',
  'high-vision-frames-start',
  'high-vision+text-frames',
  'high-vision+text-frames-start',
  'critic',
] as const;
export type PromptName = (typeof PROMPT_NAMES)[number];
export type Prompts = Readonly<Record<PromptName, string>>;

/** Only these are asked with an aid; without one they are not used. */
export const AID_PROMPTS: Readonly<Record<Aid, readonly PromptName[]>> = {
  som: ['click-som', 'drag-som'],
  ocr: ['click-ocr', 'drag-ocr'],
};

/** Only these are asked where a visual query is a video; without one they are not used. */
export const FRAME_PROMPTS: readonly PromptName[] = [
  'high-vision-frames',
  'high-vision-frames-start',
  'high-vision+text-frames',
  'high-vision+text-frames-start',
];

/** The fields that each prompt may have; those that it must have are marked. */
const PROMPT_FIELDS: Readonly<Record<PromptName, { may: readonly string[]; must: readonly string[] }>> = {
  click: { may: ['software', 'width', 'height'], must: ['element'] },
  drag: { may: ['software', 'width', 'height', 'element'], must: ['narration'] },
  'click-som': { may: ['software', 'width', 'height', 'count'], must: ['element'] },
  'drag-som': { may: ['software', 'width', 'height', 'count', 'element'], must: ['narration'] },
  'click-ocr': { may: ['software', 'width', 'height', 'count'], must: ['element', 'texts'] },
  'drag-ocr': { may: ['software', 'width', 'height', 'count', 'element'], must: ['narration', 'texts'] },
  scroll: { may: ['software'], must: ['element', 'options'] },
  keys: { may: ['software', 'element'], must: ['goal'] },
  'mid-vision': { may: ['software'], must: [] },
  'mid-text': { may: ['software'], must: ['query'] },
  'mid-vision+text': { may: ['software'], must: ['query'] },
  'high-vision': { may: ['software'], must: [] },
  'high-vision-start': { may: ['software'], must: [] },
  'high-text': { may: ['software'], must: ['query'] },
  'high-vision+text': { may: ['software'], must: ['query'] },
  'high-vision+text-start': { may: ['software'], must: ['query'] },
  'high-vision-frames': { may: ['software'], must: ['end'] },
  'high-vision-frames-start': { may: ['software'], must: ['begin', 'end'] },
  'high-vision+text-frames': { may: ['software'], must: ['end', 'query'] },
  'high-vision+text-frames-start': { may: ['software'], must: ['begin', 'end', 'query'] },
  critic: { may: ['software'], must: ['truth', 'prediction'] },
};

const FIELD = /\{([a-z]+)\}/g;

/** Faults of a prompt file: fields that nobody fills, fields that it lacks. Empty when it can be used. */
export function promptProblems(name: PromptName, text: string): string[] {
  const { may, must } = PROMPT_FIELDS[name];
  const found = new Set([...text.matchAll(FIELD)].map((match) => match[1]!));
  const unknown = [...found].filter((field) => !may.includes(field) && !must.includes(field));
  const absent = must.filter((field) => !found.has(field));
  return [
    ...unknown.map(
      (field) => `{${field}} is not known; known: ${[...must, ...may].map((one) => `{${one}}`).join(', ')}`,
    ),
    ...absent.map((field) => `{${field}} is missing`),
  ];
}

/** Fills a prompt in. A value may hold braces: it is never looked at again. */
export function fillPrompt(text: string, values: Readonly<Record<string, string | number>>): string {
  return text
    .replace(FIELD, (mark, field: string) => (Object.hasOwn(values, field) ? String(values[field]) : mark))
    .trim();
}

/** The prompt for a plan: by what it is asked from, whether pictures of the beginning are there, and frames of a video. */
export function planPrompt(
  kind: Extract<QuestionKind, 'mid' | 'high'>,
  query: PlanQuery,
  { start, frames }: { start: boolean; frames: boolean },
): PromptName {
  if (kind === 'mid') return `mid-${query}`;
  if (query === 'text') return 'high-text';
  if (frames) return start ? `high-${query}-frames-start` : `high-${query}-frames`;
  return start ? `high-${query}-start` : `high-${query}`;
}
