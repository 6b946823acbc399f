import { z } from 'zod';
import { type TemplateLine, taskTemplateLine, templateLine } from '../../../core/evaluate/template.ts';
import type { TaskLevel } from '../../../schemas/evaluate.ts';
import {
  PREDICTIONS_SCHEMA,
  type PredictionsHead,
  QUESTION_KINDS,
  QUESTIONS_SCHEMA,
  type QuestionsHead,
  questionsHeadSchema,
} from '../../../schemas/questions.ts';
import { badFile, textLines } from '../../files/text-lines.ts';
import { headOf, isHead, parsed, problemOf } from './inputs.ts';

const askedSchema = z.object({ id: z.string().min(1), kind: z.enum(QUESTION_KINDS) });
const taskSchema = z.object({ id: z.string().min(1) });

/**
 * A file of predictions for these questions, to be filled in: its head, then a line a question, each with its line end. A line
 * of the files is in memory at a time. `tasks`: they hold whole tasks. Throws BAD_FILE, FUTURE_VERSION.
 */
export function* predictionTemplate(files: readonly string[], tasks: TaskLevel | null): Generator<string> {
  let isHeaded = false;
  for (const file of files) {
    let head: QuestionsHead | null = null;
    for (const line of textLines(file)) {
      const bad = (message: string): never => {
        throw badFile(file, `line ${line.line}: ${message}`);
      };
      const value = parsed(line, bad);
      if (line.line === 1 && isHead(value, QUESTIONS_SCHEMA)) {
        head = headOf(file, value, questionsHeadSchema);
        if (!isHeaded) yield `${JSON.stringify(predictionsHead(head))}\n`;
        isHeaded = true;
      } else yield `${JSON.stringify(lineOf(value, head, tasks, bad))}\n`;
    }
  }
}

function lineOf(
  value: unknown,
  head: QuestionsHead | null,
  tasks: TaskLevel | null,
  bad: (message: string) => never,
): TemplateLine {
  if (tasks !== null) {
    const { success, data, error } = taskSchema.safeParse(value);
    return success ? taskTemplateLine(data.id, tasks) : bad(problemOf(error));
  }
  const { success, data, error } = askedSchema.safeParse(value);
  return success ? templateLine(data, head?.aid?.kind ?? null) : bad(problemOf(error));
}

/** The model's name is for who fills the file in. No aid is named: files with one and without may be answered together. */
const predictionsHead = ({ dataset, prompts }: QuestionsHead): PredictionsHead => ({
  schema: PREDICTIONS_SCHEMA,
  version: 1,
  model: null,
  dataset,
  prompts,
});
