import type { Action } from '../../schemas/actions.ts';
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
  type MediaRef,
  type PictureRef,
} from '../export/model.ts';
import { WITHHELD } from '../export/pyautogui/calls.ts';
import { endingOf, planRefusal } from '../export/videogui/rows.ts';
import { append } from '../lists.ts';
import { oneLine } from '../words.ts';
import { LEAST_ELEMENTS, shownElements, textList } from './aids.ts';
import { canonicalKey } from './keys/names.ts';
import { fillPrompt, type PromptName, type Prompts, planPrompt } from './prompts.ts';
import { optionOrder } from './scroll.ts';

/** The questions of the paper's tables 18 to 27, from what was annotated (M8, M9). */

type QuestionOptions = {
  prompts: Prompts;
  /** `table27`: A none, B down, C up in every question; else shuffled by the question's id and the seed. */
  scrollOrder: 'shuffled' | 'table27';
  seed: number;
  /** The aid for clicks and drags; null: none. */
  aid?: QuestionAid | null;
  /** The pictures that stand for a video of a visual query; a text: why there are none. Absent: videos are not shown. */
  frames?: (video: MediaRef) => readonly { path: string }[] | string;
};

/** Elements of a question's picture, from whoever found them; never from the truth. */
export type QuestionAid = { kind: Aid; elements(question: string): readonly AidElement[] };

/** A question whose pictures are still files of the recording. */
export type MadeQuestion = { question: Question & { truth: Truth }; pictures: readonly { path: string }[] };
type MadeQuestions = { questions: MadeQuestion[]; leftOut: LeftOut[] };

const TABLE_27: ScrollTruth['order'] = ['none', 'down', 'up'];
const OPTION_TEXT = { none: 'No need to scroll.', down: 'Scroll down.', up: 'Scroll up.' } as const;
/** Pictures that may be animated. */
const MOVING = /^\.(?:gif|webp)$/i;
/** Pictures that models read; a video is shown by frames of it, which whoever asks has cut. */
const PICTURE = /^\.(?:png|jpe?g|webp|gif)$/i;

/** Questions of one level, tasks by id, actions by rank; what cannot be asked is in `leftOut` with its reason. */
export function makeQuestions(
  tasks: readonly ExportTask[],
  level: QuestionLevel,
  options: QuestionOptions,
): MadeQuestions {
  const made: MadeQuestions = { questions: [], leftOut: [] };
  for (const task of tasks.toSorted(byTaskId)) {
    const others = tasks.filter(({ another }) => another !== undefined && another === task.id);
    if (level === 'high' && task.another === undefined) highQuestions(made, task, others, options);
    for (const subtask of task.subtasks.toSorted((a, b) => a.id - b.id)) {
      if (level === 'mid') midQuestions(made, task, subtask, { tasks, others }, options);
      if (level !== 'action') continue;
      for (const action of subtask.actions.toSorted((a, b) => a.rank - b.rank)) {
        const asked = actionQuestions(task, subtask, action, options);
        if (typeof asked === 'string') {
          made.leftOut.push({ item: itemName(task.id, subtask.id, action.rank), from: 'questions', reason: asked });
        } else append(made.questions, asked);
      }
    }
  }
  return made;
}

/** A model would be asked in a model's words, or measured by them. */
const DRAFTED = "its words come from a model's draft";

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
  if (exported.drafted?.element || exported.drafted?.narration) return DRAFTED;
  if (action.kind === 'type' || action.kind === 'press') {
    const keys = keysOfAction(action);
    if (keys.length === 0) return action.withheld ? WITHHELD : 'it presses no key';
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
  // With these keys a wheel zooms, turns sideways or does what the program likes; a model could not know.
  const [modifier] = exported.action.modifiers;
  if (modifier !== undefined) return `it is a wheel turned with ${modifier} held, which is no scroll`;
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

/** Nobody would plan a wait, and the paper's plans have none. */
const midSteps = ({ actions }: ExportSubtask): string[] =>
  actions
    .toSorted((a, b) => a.rank - b.rank)
    .filter(({ action }) => action.kind !== 'wait')
    .map(({ narration }) => oneLine(narration));

/** A subtask of the same title in another recording of the task is another way to it (M31), and no question of its own. */
const sameTitle = (a: ExportSubtask, b: ExportSubtask): boolean => {
  const title = oneLine(a.query).toLowerCase();
  return title !== '' && title === oneLine(b.query).toLowerCase();
};

function midQuestions(
  all: MadeQuestions,
  task: ExportTask,
  subtask: ExportSubtask,
  { tasks, others }: { tasks: readonly ExportTask[]; others: readonly ExportTask[] },
  options: QuestionOptions,
): void {
  const first = tasks.find(({ id }) => id === task.another);
  if (first?.subtasks.some((one) => sameTitle(one, subtask))) return;
  const item = itemName(task.id, subtask.id);
  if (subtask.drafted || subtask.actions.some(({ drafted }) => drafted?.narration)) {
    all.leftOut.push({ item, from: 'questions', reason: DRAFTED });
    return;
  }
  const steps = midSteps(subtask);
  const ways = others.flatMap(({ subtasks }) => subtasks.filter((one) => sameTitle(one, subtask)).map(midSteps));
  const base = { task, actions: subtask.actions.length };
  const { startImage: start, endImage: end } = subtask;
  const from = (...pictures: (PictureRef | null)[]): Shown => {
    const files = pictures.filter((file) => file !== null);
    return { files, refusal: files.length < pictures.length ? MISSING : null, start: false, words: {} };
  };
  const shown: Record<PlanQuery, Shown> = { vision: from(start, end), text: from(), 'vision+text': from(start) };
  planQuestions(all, base, 'mid', item, { steps, ways }, oneLine(subtask.query), shown, options);
}

const highSteps = ({ subtasks }: ExportTask): string[] =>
  subtasks.toSorted((a, b) => a.id - b.id).map(({ query }) => oneLine(query));

function highQuestions(
  all: MadeQuestions,
  task: ExportTask,
  others: readonly ExportTask[],
  options: QuestionOptions,
): void {
  const refusal = planRefusal(task) ?? (task.subtasks.some(({ drafted }) => drafted) ? DRAFTED : null);
  if (refusal !== null) {
    all.leftOut.push({ item: task.id, from: 'questions', reason: refusal });
    return;
  }
  const steps = highSteps(task);
  const ways = others.filter((other) => planRefusal(other) === null).map(highSteps);
  const actions = task.subtasks.reduce((sum, subtask) => sum + subtask.actions.length, 0);
  const { start, end } = task.visualQuery;
  const [first, last] = [shownBy(start, options), shownBy(end, options)];
  // A beginning that cannot be shown is not passed over in silence: the ways that would show it are left out.
  const groups = start ? [first, last] : [last];
  const odd = groups.find((group) => typeof group === 'string');
  const files = groups.map((group) => (typeof group === 'string' ? [] : group));
  const shown: Shown = { files: files.flat(), refusal: odd ?? null, start: start !== null, words: {} };
  if (files.some(({ length }) => length > 1)) shown.words = wordsOf(files, shown.start);
  const none: Shown = { files: [], refusal: null, start: false, words: {} };
  const by: Record<PlanQuery, Shown> = { vision: shown, text: none, 'vision+text': shown };
  planQuestions(all, { task, actions }, 'high', task.id, { steps, ways }, oneLine(task.goal), by, options);
}

/** The pictures that a plan is asked from. `words`: which pictures are frames of what; empty where each stands for itself. */
type Shown = {
  files: readonly { path: string }[];
  refusal: string | null;
  start: boolean;
  words: Record<string, string>;
};

const MISSING = 'a picture of its beginning or end is missing';

function shownBy(file: MediaRef | null, { frames }: QuestionOptions): readonly { path: string }[] | string {
  if (file === null) return MISSING;
  if (PICTURE.test(endingOf(file))) {
    // An animated one is a sequence, too; to a model that reads pictures its first alone would be the whole.
    const moving = MOVING.test(endingOf(file)) ? frames?.(file) : undefined;
    return typeof moving === 'object' ? moving : [file];
  }
  return frames ? frames(file) : `${MISSING}, or is a video`;
}

/** Table 18: sequences of frames of the beginning and of the result. */
function wordsOf(groups: readonly (readonly unknown[])[], start: boolean): Record<string, string> {
  let before = 0;
  const [first, last] = groups.map(({ length }) => {
    const from = before + 1;
    before += length;
    return length === 1 ? `Picture ${from} shows` : `Pictures ${from} to ${before}, in the order of time, show`;
  });
  return start ? { begin: first!, end: last! } : { end: first! };
}

function planQuestions(
  all: MadeQuestions,
  base: Base,
  kind: 'mid' | 'high',
  item: string,
  { steps, ways }: { steps: string[]; ways: readonly string[][] },
  query: string,
  shown: Record<PlanQuery, Shown>,
  { prompts }: QuestionOptions,
): void {
  const leave = (reason: string) => all.leftOut.push({ item, from: 'questions', reason });
  if (steps.length === 0) {
    leave('it has no steps');
    return;
  }
  const alternatives = otherWays(steps, ways);
  const truth = { kind, steps, ...(alternatives.length > 0 && { alternatives }) };
  for (const way of ['vision', 'text', 'vision+text'] as const) {
    const { files, refusal, start, words } = shown[way];
    if (refusal !== null) {
      leave(`${way}: ${refusal}`);
      continue;
    }
    if (way !== 'vision' && query === '') {
      leave(`${way}: it has no description`);
      continue;
    }
    if (way !== 'vision' && [steps, ...alternatives].some((plan) => tellsPlan(query, plan))) {
      leave(`${way}: its description is its answer`);
      continue;
    }
    const fields = { software: base.task.app.name, ...words, ...(way === 'vision' ? {} : { query }) };
    const frames = Object.keys(words).length > 0;
    const prompt = fill(prompts, planPrompt(kind, way, { start, frames }), fields);
    all.questions.push(made(base, { id: `${item}/${way}`, kind, query: way, prompt, truth }, files));
  }
}

/** Whether a description says every step in the step's own words: who repeats it would be right (M9). */
function tellsPlan(query: string, steps: readonly string[]): boolean {
  const said = ` ${wordsIn(query)} `;
  const wanted = steps.map(wordsIn).filter((words) => words !== '');
  return wanted.length > 0 && wanted.every((words) => said.includes(` ${words} `));
}

const wordsIn = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';

/** Each once, and none that is the first one's. */
function otherWays(steps: readonly string[], ways: readonly string[][]): string[][] {
  const seen = new Set([steps.join('\n')]);
  return ways.filter((way) => {
    const text = way.join('\n');
    const isNew = way.length > 0 && !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

type Base = { task: ExportTask; actions: number };
type Part = Pick<Question, 'id' | 'kind' | 'prompt' | 'marks'> & { query?: PlanQuery; truth: Truth };

function made({ task, actions }: Base, { query, ...part }: Part, pictures: readonly { path: string }[]): MadeQuestion {
  const { id, kind, prompt, marks, truth } = part;
  const about = { software: task.app.name, task: task.id, actions, difficulty: null };
  const shown = marks ? { marks } : {};
  return { question: { id, kind, query: query ?? null, ...about, prompt, images: [], ...shown, truth }, pictures };
}

function fill(prompts: Prompts, name: PromptName, values: Record<string, string | number>): string {
  return fillPrompt(prompts[name], values);
}

/** The truth of a type or press, and what a performed answer is read back as (M32): what goes down, in order, as often as it was pressed. */
export function keysOfAction(action: Pick<Action, 'kind' | 'text' | 'keys' | 'count'>): string[] {
  if (action.kind === 'type') return [...(action.text ?? '')].map(canonicalKey);
  const keys = (action.keys ?? []).map(canonicalKey);
  return Array.from({ length: action.count }, () => keys).flat();
}

/** A narration made without names says where it happens: the answer would stand in the question. */
function tellsPosition(text: string, positions: readonly (readonly [number, number])[]): boolean {
  return positions.some(([x, y]) => new RegExp(`[(\\[]\\s*${x}\\s*,\\s*${y}\\s*[)\\]]`).test(text));
}
