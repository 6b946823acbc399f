import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  PREDICTIONS_SCHEMA,
  type Prediction,
  QUESTIONS_SCHEMA,
  type Question,
  type QuestionsHead,
  type Truth,
} from '../../../schemas/questions.ts';

/** Small files of questions and predictions. */

export const HASH = 'a'.repeat(64);
export const head = (more: Partial<QuestionsHead> = {}): QuestionsHead => ({
  schema: QUESTIONS_SCHEMA,
  version: 1,
  level: 'action',
  dataset: { name: 'test', hash: HASH },
  prompts: 'b'.repeat(64),
  seed: 1,
  aid: null,
  holds: 'both',
  ...more,
});

export const question = (id: string, truth: Truth, more: Partial<Question> = {}): Question => ({
  id,
  kind: truth.kind,
  query: null,
  software: 'GIMP',
  task: 'GIMP_1',
  actions: 3,
  difficulty: null,
  prompt: `Question ${id}`,
  images: [],
  truth,
  ...more,
});

export const clickAt = (x: number, y: number): Truth => ({ kind: 'click', point: [x, y], width: 1920, height: 1080 });
export const plan = (...steps: string[]): Truth => ({ kind: 'mid', steps });

export function writeLines(folder: string, name: string, lines: readonly unknown[]): string {
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return file;
}

export const predictionsHead = (more: object = {}): object => ({
  schema: PREDICTIONS_SCHEMA,
  version: 1,
  model: 'm',
  dataset: { name: 'test', hash: HASH },
  prompts: null,
  ...more,
});

export const predict = (id: string, prediction: Prediction['prediction']): Prediction => ({ id, prediction });
