import type { AidElement } from '../../schemas/aids.ts';
import type { Aid, PlanQuery, Question, QuestionLevel, ScrollTruth, Truth } from '../../schemas/questions.ts';
import { scrollDirection } from '../annotate/narration.ts';
import {
  byTaskId,
  type ExportAction,
  type ExportSubtask,
  type ExportTask,
  isInside,
  itemName,
  type LeftOut,
  type PictureRef,
} from '../export/model.ts';
import { LEAST_ELEMENTS, shownElements, textList } from './aids.ts';
import { canonicalKey } from './keys/names.ts';
import { fillPrompt, type PromptName, type Prompts, planPrompt } from './prompts.ts';
import { optionOrder } from './scroll.ts';

/** What the paper's tables 18 to 27 ask, from what was annotated (M8, M9). */

type QuestionOptions = {
  prompts: Prompts;
  /** `table27`: A none, B down, C up in every question; else shuffled by the question's id and the seed. */
  scrollOrder: 'shuffled' | 'table27';
  seed: number;
  /** What clicks and drags are asked with; null: nothing. */
  aid?: QuestionAid | null;
};

/** Elements of a question's picture, from whoever found them; never from the truth. */
export type QuestionAid = { kind: Aid; elements(question: string): readonly AidElement[] };

/** A question whose pictures are still files of the recording. */
export type MadeQuestion = { question: Question & { truth: Truth }; pictures: { path: string }[] };
type MadeQuestions = { questions: MadeQuestion[]; leftOut: LeftOut[] };

const TABLE_27: ScrollTruth['order'] = ['none', 'down', 'up'];
const OPTION_TEXT = { none: 'No need to scroll.', down: 'Scroll down.', up: 'Scroll up.' } as const;
/** Pictures that models read; a video of the result is shown by the frames of its own file, which are not cut here. */
const PICTURE = /\.(?:png|jpe?g|webp|gif)$/i;

/** Questions of one level, tasks by id, actions by rank; what cannot be asked is in `leftOut` with its reason. */
export function makeQuestions(
  tasks: readonly ExportTask[],
  level: QuestionLevel,
  options: QuestionOptions,
): MadeQuestions {
  const made: MadeQuestions = { questions: [], leftOut: [] };
  for (const task of tasks.toSorted(byTaskId)) {
    if (level === 'high') highQuestions(made, task, options);
    for (const subtask of task.subtasks.toSorted((a, b) => a.id - b.id)) {
      if (level === 'mid') midQuestions(made, task, subtask, options);
      if (level !== 'action') continue;
      for (const action of subtask.actions.toSorted((a, b) => a.rank - b.rank)) {
        const asked = actionQuestions(task, subtask, action, options);
        if (typeof asked === 'string') {
          made.leftOut.push({ item: itemName(task.id, subtask.id, action.rank), from: 'questions', reason: asked });
        } else made.questions.push(...asked);
      }
    }
  }
  return made;
}

/** The questions of one action, or why there are none. */
function actionQuestions(
  task: ExportTask,
  subtask: ExportSubtask,
  exported: ExportAction,
  options: QuestionOptions,
): MadeQuestion[] | string {
  const { action, beforeImage, positions, narration } = exported;
  const id = itemName(task.id, subtask.id, exported.rank);
  const base = { task, actions: subtask.actions.length };
  const element = exported.element?.name.trim() ?? '';
  if (action.kind === 'hover' || action.kind === 'wait') return `the benchmark has no action "${action.kind}"`;
  if (action.kind === 'type' || action.kind === 'press') {
    const keys = keysOf(exported);
    if (keys.length === 0) return 'it presses no key';
    const shown = action.kind === 'type' ? (action.text ?? '') : keys.join('+');
    const prompt = fill(options.prompts, 'keys', { goal: narration, element: shown, software: task.app.name });
    return [made(base, { id, kind: 'keys', prompt, truth: { kind: 'keys', keys } }, [])];
  }
  if (!beforeImage || !positions) return 'there is no picture of the screen before it';
  const { width, height } = beforeImage;
  const size = { width, height, software: task.app.name };
  if (action.kind === 'scroll') return scrollQuestions(base, id, exported, element, options);
  for (const position of action.kind === 'drag' ? [positions.start, positions.end] : [positions.start]) {
    if (!isInside(position, beforeImage)) return `its position (${position.join(', ')}) lies outside of the picture`;
  }
  if (action.kind === 'drag') {
    if (tellsPosition(narration, [positions.start, positions.end])) {
      return 'its narration gives a position away: name the element, and where it is dragged';
    }
    const truth: Truth = { kind: 'drag', start: positions.start, end: positions.end, width, height };
    const asked = placeQuestion('drag', id, { ...size, narration, element }, options);
    return typeof asked === 'string' ? asked : [made(base, { id, kind: 'drag', ...asked, truth }, [beforeImage])];
  }
  if (element === '') return 'its element has no name';
  const rect = exported.element?.box;
  const box: [number, number, number, number] | null = rect ? [rect.x, rect.y, rect.width, rect.height] : null;
  const truth: Truth = { kind: 'click', point: positions.start, width, height, box };
  const asked = placeQuestion('click', id, { ...size, element }, options);
  return typeof asked === 'string' ? asked : [made(base, { id, kind: 'click', ...asked, truth }, [beforeImage])];
}

/** The words of a click or a drag, with its marks when it has some (M26, M27); or why it cannot be asked. */
function placeQuestion(
  kind: 'click' | 'drag',
  id: string,
  fields: Record<string, string | number>,
  { prompts, aid }: QuestionOptions,
): { prompt: string; marks?: Question['marks'] } | string {
  if (!aid) return { prompt: fill(prompts, kind, fields) };
  const shown = shownElements(aid.kind, aid.elements(id));
  if (shown.length < LEAST_ELEMENTS) {
    const what = aid.kind === 'som' ? 'elements' : 'texts';
    return `${shown.length} ${what} were found on its picture; one alone would be the answer`;
  }
  const count = shown.length;
  if (aid.kind === 'ocr') return { prompt: fill(prompts, `${kind}-ocr`, { ...fields, count, texts: textList(shown) }) };
  return { prompt: fill(prompts, `${kind}-som`, { ...fields, count }), marks: shown.map(({ box }) => box) };
}

/** Two of them: before it the direction is right, after it there is no need to scroll (A.3, figure 15). */
function scrollQuestions(
  base: Base,
  id: string,
  exported: ExportAction,
  element: string,
  options: QuestionOptions,
): MadeQuestion[] | string {
  const direction = scrollDirection(exported.action);
  if (direction !== 'up' && direction !== 'down')
    return `the question knows up and down only, this scroll goes ${direction}`;
  if (element === '') return 'the element to be seen after it has no name';
  if (!exported.afterImage) return 'there is no picture of the screen after it';
  const ask = (moment: 'before' | 'after', answer: ScrollTruth['answer'], picture: PictureRef): MadeQuestion => {
    const name = `${id}/${moment}`;
    const order = options.scrollOrder === 'table27' ? TABLE_27 : optionOrder(name, options.seed);
    const listed = order.map((option, i) => `[${'ABC'[i]}] ${OPTION_TEXT[option]}`).join('\n');
    const prompt = fill(options.prompts, 'scroll', { element, options: listed, software: base.task.app.name });
    return made(base, { id: name, kind: 'scroll', prompt, truth: { kind: 'scroll', answer, order } }, [picture]);
  };
  return [ask('before', direction, exported.beforeImage!), ask('after', 'none', exported.afterImage)]; // Looked at by the caller.
}

function midQuestions(all: MadeQuestions, task: ExportTask, subtask: ExportSubtask, options: QuestionOptions): void {
  const item = itemName(task.id, subtask.id);
  const steps = subtask.actions
    .toSorted((a, b) => a.rank - b.rank)
    // Nobody would plan a wait, and the paper's plans have none.
    .filter(({ action }) => action.kind !== 'wait')
    .map(({ narration }) => oneLine(narration));
  const base = { task, actions: subtask.actions.length };
  const { startImage: start, endImage: end } = subtask;
  const pictures: Record<PlanQuery, (PictureRef | null)[]> = { vision: [start, end], text: [], 'vision+text': [start] };
  planQuestions(all, base, 'mid', item, steps, oneLine(subtask.query), pictures, false, options);
}

function highQuestions(all: MadeQuestions, task: ExportTask, options: QuestionOptions): void {
  const steps = task.subtasks.toSorted((a, b) => a.id - b.id).map(({ query }) => oneLine(query));
  const actions = task.subtasks.reduce((sum, subtask) => sum + subtask.actions.length, 0);
  const { start, end } = task.visualQuery;
  const shown = (file: { path: string } | null) => (file && PICTURE.test(file.path) ? file : null);
  const first = shown(start);
  const pictures = first ? [first, shown(end)] : [shown(end)];
  const by: Record<PlanQuery, ({ path: string } | null)[]> = { vision: pictures, text: [], 'vision+text': pictures };
  planQuestions(all, { task, actions }, 'high', task.id, steps, oneLine(task.goal), by, first !== null, options);
}

function planQuestions(
  all: MadeQuestions,
  base: Base,
  kind: 'mid' | 'high',
  item: string,
  steps: string[],
  query: string,
  pictures: Record<PlanQuery, ({ path: string } | null)[]>,
  start: boolean,
  { prompts }: QuestionOptions,
): void {
  const leave = (reason: string) => all.leftOut.push({ item, from: 'questions', reason });
  if (steps.length === 0) {
    leave('it has no steps');
    return;
  }
  for (const way of ['vision', 'text', 'vision+text'] as const) {
    const files = pictures[way].filter((file) => file !== null);
    if (files.length < pictures[way].length) {
      leave(`${way}: a picture of its beginning or end is missing, or is a video`);
      continue;
    }
    if (way !== 'vision' && query === '') {
      leave(`${way}: it has no description`);
      continue;
    }
    const fields = { software: base.task.app.name, ...(way === 'vision' ? {} : { query }) };
    const prompt = fill(prompts, planPrompt(kind, way, start), fields);
    all.questions.push(made(base, { id: `${item}/${way}`, kind, query: way, prompt, truth: { kind, steps } }, files));
  }
}

type Base = { task: ExportTask; actions: number };
type Part = Pick<Question, 'id' | 'kind' | 'prompt' | 'marks'> & { query?: PlanQuery; truth: Truth };

function made({ task, actions }: Base, { query, ...part }: Part, pictures: { path: string }[]): MadeQuestion {
  const { id, kind, prompt, marks, truth } = part;
  const about = { software: task.app.name, task: task.id, actions, difficulty: null };
  const shown = marks ? { marks } : {};
  return { question: { id, kind, query: query ?? null, ...about, prompt, images: [], ...shown, truth }, pictures };
}

function fill(prompts: Prompts, name: PromptName, values: Record<string, string | number>): string {
  return fillPrompt(prompts[name], values);
}

/** The truth of a type or press: what goes down, in order, as often as it was pressed. */
function keysOf({ action }: ExportAction): string[] {
  if (action.kind === 'type') return [...(action.text ?? '')].map(canonicalKey);
  const keys = (action.keys ?? []).map(canonicalKey);
  return Array.from({ length: action.count }, () => keys).flat();
}

/** A narration made without names says where it happens: the answer would stand in the question. */
function tellsPosition(text: string, positions: readonly (readonly [number, number])[]): boolean {
  return positions.some(([x, y]) => new RegExp(`[(\\[]\\s*${x}\\s*,\\s*${y}\\s*[)\\]]`).test(text));
}

const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
