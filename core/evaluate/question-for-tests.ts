import type { Action } from '../../schemas/actions.ts';
import type { QuestionLevel } from '../../schemas/questions.ts';
import { type ExportAction, type ExportTask, type PictureRef, picturePositions } from '../export/model.ts';
import { actionFrom } from '../keyframes/example-for-tests.ts';
import { PROMPT_NAMES, type Prompts } from './prompts.ts';
import { type MadeQuestion, makeQuestions } from './questions.ts';

/** Tasks of one subtask, and what is asked about them. */

export const still = (path: string): PictureRef => ({ path, width: 800, height: 600, origin: { x: 1000, y: 0 } });
export const at = (x: number, y: number) => ({ x: 1000 + x, y, display: 1, t: 0 });

export function exported(
  rank: number,
  more: Partial<Action>,
  name = 'Insert tab',
  narration = `Do ${name}`,
): ExportAction {
  const action = actionFrom(`a${rank}`, rank * 1000, rank * 1000, more);
  const beforeImage = still(`/b${rank}.png`);
  return {
    id: action.id,
    rank,
    recording: 'r',
    action,
    narration,
    element: name ? { name, box: null } : null,
    beforeImage,
    afterImage: still(`/a${rank}.png`),
    positions: picturePositions(action, beforeImage),
    thought: null,
    actionThought: null,
    observation: null,
  };
}

export function task(actions: ExportAction[], more: Partial<ExportTask> = {}): ExportTask {
  return {
    id: 'PPT_1',
    app: { id: 'ppt', name: 'PowerPoint', prefix: 'PPT' },
    goal: 'Make a slide',
    recordings: [],
    state: 'approved',
    visualQuery: { start: null, end: still('/end.png') },
    source: null,
    durationUs: 0,
    answer: null,
    platform: null,
    subtasks: [{ id: 1, query: 'Insert it', startImage: still('/s.png'), endImage: still('/e.png'), actions }],
    resolution: { width: 800, height: 600 },
    ...more,
  };
}

/** The same with a second subtask, so that it has a high-level plan. */
export function divided(actions: ExportAction[], more: Partial<ExportTask> = {}): ExportTask {
  const one = task(actions, more);
  return { ...one, subtasks: [...one.subtasks, { ...one.subtasks[0]!, id: 2, query: 'Save it' }] };
}

/** Each prompt shows its own name and its fields. */
export const prompts = Object.fromEntries(
  PROMPT_NAMES.map((name) => [
    name,
    `${name}: {element}{narration}{goal}{query} {options} {width}x{height} {software}`,
  ]),
) as Prompts; // Every name of PROMPT_NAMES.
export const ask = (level: QuestionLevel, ...tasks: ExportTask[]) =>
  makeQuestions(tasks, level, { prompts, scrollOrder: 'shuffled', seed: 1 });

export const askOne = (action: ExportAction): MadeQuestion[] => ask('action', task([action])).questions;
