import type { TaskLevel } from '../../schemas/evaluate.ts';
import type { Aid, QuestionKind } from '../../schemas/questions.ts';

/** How each kind of question is answered, as its prompt asks (assets/prompts); other forms are read too (M7, M8, M10). */
const FORMS: Readonly<Record<QuestionKind, string>> = {
  click: '[x, y]',
  drag: '[x1, y1] -> [x2, y2]',
  scroll: '[A]',
  keys: "import pyautogui\npyautogui.hotkey('ctrl', 's')",
  mid: '1. …\n2. …',
  high: '1. …\n2. …',
};

/** With numbered elements on the picture, the numbers are the answer (M26). */
const MARKED: Readonly<Partial<Record<QuestionKind, string>>> = { click: '[n]', drag: '[n] -> [m]' };

/** The outcome of a run of a whole task (docs/metrics.md, "Whole tasks"). */
const OUTCOMES: Readonly<Record<TaskLevel, object>> = {
  trajectories: { atomic: [1, 0], steps: 12 },
  scenario: { score: 1, steps: 8, clarifications: 0 },
};

/**
 * A line of a file of predictions that is still to be filled in: `prediction` is null, which counts as missing (M5), and `form`
 * shows what belongs there. Readers of predictions pass over `form`.
 */
export type TemplateLine = { id: string; prediction: null; form: unknown };

export function templateLine(question: { id: string; kind: QuestionKind }, aid: Aid | null): TemplateLine {
  const { id, kind } = question;
  return { id, prediction: null, form: (aid === 'som' && MARKED[kind]) || FORMS[kind] };
}

/** The same for a whole task. */
export const taskTemplateLine = (id: string, level: TaskLevel): TemplateLine => ({
  id,
  prediction: null,
  form: OUTCOMES[level],
});
