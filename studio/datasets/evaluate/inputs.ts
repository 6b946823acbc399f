import type { z } from 'zod';
import { StudioError } from '../../../schemas/errors.ts';
import {
  type Dataset,
  PREDICTIONS_SCHEMA,
  type Prediction,
  type PredictionsHead,
  predictionSchema,
  predictionsHeadSchema,
  QUESTION_KINDS,
  QUESTIONS_SCHEMA,
  QUESTIONS_VERSION,
  type QuestionsHead,
  questionsHeadSchema,
  type UsedAid,
} from '../../../schemas/questions.ts';
import { badFile, placeReader, type TextLine, textLines } from '../../files/text-lines.ts';
import { refuseNewer } from '../../files/versioned.ts';
import { type IdTable, idTable } from './id-table.ts';

/** The files that `evaluate` reads. All of them are looked at from end to end before anything is scored. */

/** Something wrong in a file, by line. */
export type InputProblem = { file: string; line: number; message: string };
/** So many are told; the rest is counted. */
const MOST_TOLD = 20;

/** Throws BAD_FILE with every line that is wrong; does nothing when there is none. `so`: what comes of it. */
export function refuseProblems(
  problems: readonly InputProblem[],
  so = 'so nothing was scored. Mend them and evaluate again.',
): void {
  if (problems.length === 0) return;
  const told = problems.slice(0, MOST_TOLD).map(({ file, line, message }) => `${file}:${line}: ${message}`);
  const more = problems.length > MOST_TOLD ? `\n… and ${problems.length - MOST_TOLD} more` : '';
  throw new StudioError(
    'BAD_FILE',
    `${problems.length === 1 ? 'One line' : `${problems.length} lines`} cannot be taken, ${so}\n${told.join('\n')}${more}`,
    {
      problems: problems.slice(0, 1000),
      count: problems.length,
    },
  );
}

export type TruthFiles<T> = {
  table: IdTable;
  head: QuestionsHead | null;
  /** The aid for clicks and drags in these files. */
  aid: UsedAid | null;
  /** The line at this place of the table. */
  read(place: number): T;
  close(): void;
};

/**
 * Indexes files of truth. `schema` checks each line, `kindOf` gives its tag (0 to 15) or says what it lacks.
 * Throws BAD_FILE, FUTURE_VERSION.
 */
export function openTruth<T extends { id: string }>(
  files: readonly string[],
  schema: z.ZodType<T>,
  kindOf: (value: T) => number | string,
): TruthFiles<T> {
  const table = idTable();
  const problems: InputProblem[] = [];
  let head: QuestionsHead | null = null;
  let aid: UsedAid | null = null;
  for (const [number, file] of files.entries()) {
    for (const line of textLines(file)) {
      const tell = (message: string) => problems.push({ file, line: line.line, message });
      const value = parsed(line, tell);
      if (value === undefined) continue;
      if (line.line === 1 && isHead(value, QUESTIONS_SCHEMA)) {
        const found = headOf(file, value, questionsHeadSchema);
        if (head && found.dataset.hash !== head.dataset.hash) {
          tell(
            `it is of another version of the data set (${short(found.dataset)}) than ${files[0]} (${short(head.dataset)})`,
          );
        }
        if (aid && found.aid && found.aid.hash !== aid.hash) tell(`its questions have another aid than those before`);
        aid ??= found.aid;
        head ??= found;
        continue;
      }
      const { success, data, error } = schema.safeParse(value);
      if (!success) {
        tell(problemOf(error));
        continue;
      }
      const kind = kindOf(data);
      if (typeof kind === 'string') tell(kind);
      else if (!table.add(data.id, { file: number, offset: line.offset, length: line.length, kind })) {
        tell(`the id "${data.id}" stands there twice`);
      }
    }
  }
  refuseProblems(problems);
  if (table.size === 0)
    throw badFile(files.join(', '), 'there is no truth in it; give the file that `questions` wrote');
  const readers = files.map((file) => placeReader(file));
  return {
    table,
    head,
    aid,
    read(place) {
      const { file, offset, length } = table.at(place);
      return schema.parse(JSON.parse(readers[file]!.read(offset, length)));
    },
    close() {
      for (const reader of readers) reader.close();
    },
  };
}

/** Kinds that are asked in another way with an aid. */
const PLACED: ReadonlySet<string> = new Set(['click', 'drag']);

export type PredictionFiles = {
  model: string | null;
  prompts: string | null;
  dataset: Dataset | null;
  /** One bit a question: whether it has a prediction. */
  answered: Uint8Array;
};

/**
 * Looks at every line of the predictions. Throws BAD_FILE with all that are torn, no prediction, of an unknown question,
 * there twice, or for another version of the data set.
 */
export function checkPredictions(files: readonly string[], truth: TruthFiles<unknown>): PredictionFiles {
  const problems: InputProblem[] = [];
  const answered = new Uint8Array(truth.table.size);
  const result: PredictionFiles = { model: null, prompts: null, dataset: null, answered };
  for (const file of files) {
    let unaided = false;
    for (const line of textLines(file)) {
      const tell = (message: string) => problems.push({ file, line: line.line, message });
      const value = parsed(line, tell);
      if (value === undefined) continue;
      if (line.line === 1 && isHead(value, PREDICTIONS_SCHEMA)) {
        const head = headOf(file, value, predictionsHeadSchema);
        takeHead(result, head, truth, tell);
        unaided = head.aid === null && truth.aid !== null;
        continue;
      }
      const { success, data, error } = predictionSchema.safeParse(value);
      if (!success) {
        tell(`it is no {"id", "prediction"}: ${problemOf(error)}`);
        continue;
      }
      const place = truth.table.find(data.id);
      if (place < 0) tell(`the id "${data.id}" is not in the truth`);
      else if (unaided && PLACED.has(QUESTION_KINDS[truth.table.at(place).kind] ?? '')) {
        tell(`it answers the question without an aid; the truth is of those with ${truth.aid?.kind}`);
        unaided = false;
      } else if (answered[place]) tell(`the id "${data.id}" has a prediction already`);
      else answered[place] = 1;
    }
  }
  refuseProblems(problems);
  return result;
}

/** The predictions of files that were checked, with file and line. */
export function* predictionsOf(files: readonly string[]): Generator<Prediction & { line: number; file: string }> {
  for (const file of files) {
    for (const { text, line } of textLines(file)) {
      const value: unknown = JSON.parse(text);
      if (line === 1 && isHead(value, PREDICTIONS_SCHEMA)) continue;
      // `checkPredictions` has looked at this very line.
      yield { ...(value as Prediction), line, file };
    }
  }
}

/** The head of a file of questions or predictions, which others check before they write. Throws BAD_FILE, FUTURE_VERSION. */
export function headOf<T extends { version: number }>(
  file: string,
  value: unknown,
  schema: z.ZodType<T>,
  known = QUESTIONS_VERSION,
): T {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw badFile(file, `line 1: ${problemOf(error)}`);
  refuseNewer(file, data.version, known);
  return data;
}

export const isHead = (value: unknown, schema: string): boolean =>
  typeof value === 'object' && value !== null && 'schema' in value && value.schema === schema;

function takeHead(
  result: PredictionFiles,
  head: PredictionsHead,
  { head: truth, aid }: TruthFiles<unknown>,
  tell: (message: string) => void,
): void {
  if (head.aid && head.aid.hash !== aid?.hash) {
    const found = aid === null ? 'without one' : `with ${aid.kind} by ${aid.source}`;
    tell(
      `the predictions are for questions with ${head.aid.kind} by ${head.aid.source}; the truth is of those ${found}`,
    );
  }
  if (truth && head.dataset && head.dataset.hash !== truth.dataset.hash) {
    tell(
      `the predictions are for another version of the data set (${short(head.dataset)}); the truth is ${short(truth.dataset)}`,
    );
  }
  if (result.model !== null && head.model !== null && head.model !== result.model) {
    tell(`it holds the predictions of ${head.model}, another file those of ${result.model}`);
  }
  result.model ??= head.model;
  result.prompts ??= head.prompts;
  result.dataset ??= head.dataset;
}

const short = ({ name, hash }: Dataset): string => `${name} ${hash.slice(0, 12)}`;

export function parsed({ text, torn }: TextLine, tell: (message: string) => void): unknown {
  try {
    return JSON.parse(text);
  } catch {
    tell(torn ? 'the file ends in the middle of a line' : 'it is no JSON');
    return undefined;
  }
}

export function problemOf(error: z.ZodError): string {
  const { path, message } = error.issues[0]!; // A failed check has at least one.
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}
