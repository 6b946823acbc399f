import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type MadeQuestion, makeQuestions } from '../../core/evaluate/questions.ts';
import type { ExportTask, LeftOut } from '../../core/export/model.ts';
import { StudioError } from '../../schemas/errors.ts';
import {
  QUESTIONS_SCHEMA,
  QUESTIONS_VERSION,
  type QuestionLevel,
  type QuestionsHead,
} from '../../schemas/questions.ts';
import { writeFileAtomic } from '../store/atomic.ts';
import { dataSetHash, pictureHasher } from './data-set.ts';
import type { LoadedPrompts } from './prompt-files.ts';

export type WriteQuestionsOptions = {
  level: QuestionLevel;
  out: string;
  /** A file of its own for the truth; without it the truth stands in the questions' lines. */
  truth: string | null;
  prompts: LoadedPrompts;
  /** The data set's name. */
  name: string;
  scrollOrder: 'shuffled' | 'table27';
  seed: number;
};

export type WrittenQuestions = {
  out: string;
  truth: string | null;
  /** The folder of pictures, beside `out`. */
  images: string;
  head: QuestionsHead;
  counts: Record<string, number>;
  pictures: number;
  leftOut: LeftOut[];
};

/**
 * Writes the questions of one level and their pictures, whole or not at all. A picture's name is its hash, which tells
 * nothing about the answer. Throws NOTHING_TO_EXPORT, TARGET_EXISTS, BAD_FILE (a picture is missing).
 */
export function writeQuestions(tasks: readonly ExportTask[], options: WriteQuestionsOptions): WrittenQuestions {
  const out = resolve(options.out);
  const truth = options.truth === null ? null : resolve(options.truth);
  const images = join(dirname(out), `${basename(out, extname(out))}.images`);
  if (truth === out) throw new StudioError('USAGE', '--truth and --out name the same file. Give two.', { out });
  for (const target of [out, truth, images]) if (target !== null) refuseTaken(target);
  const { scrollOrder, seed } = options;
  const { questions, leftOut } = makeQuestions(tasks, options.level, {
    prompts: options.prompts.prompts,
    scrollOrder,
    seed,
  });
  if (questions.length === 0) {
    const reasons = [...new Set(leftOut.map(({ reason }) => reason))].slice(0, 5).join('; ');
    throw new StudioError(
      'NOTHING_TO_EXPORT',
      `There is nothing to ask on level "${options.level}"${reasons === '' ? '' : ` (${reasons})`}. Annotate and approve recordings first, or pass --all.`,
      { level: options.level, leftOut },
    );
  }
  const hash = pictureHasher();
  const head: QuestionsHead = {
    schema: QUESTIONS_SCHEMA,
    version: QUESTIONS_VERSION,
    level: options.level,
    dataset: { name: options.name, hash: dataSetHash(tasks, hash) },
    prompts: options.prompts.questionsHash,
    seed,
    holds: truth === null ? 'both' : 'questions',
  };
  mkdirSync(dirname(out), { recursive: true });
  const files = new Map<string, string>();
  for (const { question, pictures } of questions) {
    question.images = pictures.map(({ path }) => {
      const name = `${hash(path).slice(0, 32)}${extname(path).toLowerCase()}`;
      files.set(name, path);
      return `${basename(images)}/${name}`;
    });
  }
  putPictures(images, files);
  try {
    if (truth !== null) {
      mkdirSync(dirname(truth), { recursive: true });
      writeFileAtomic(truth, truthText({ ...head, holds: 'truth' }, questions));
    }
    writeFileAtomic(out, questionsText(head, questions));
  } catch (error) {
    rmSync(images, { recursive: true, force: true });
    if (truth !== null) rmSync(truth, { force: true });
    throw error;
  }
  const counts: Record<string, number> = {};
  for (const { question } of questions) counts[question.kind] = (counts[question.kind] ?? 0) + 1;
  return { out, truth, images, head, counts, pictures: files.size, leftOut };
}

function refuseTaken(target: string): void {
  if (!existsSync(target)) return;
  throw new StudioError('TARGET_EXISTS', `${target} exists already. Choose another name or remove it first.`, {
    out: target,
  });
}

/** The folder appears with all its pictures in it. */
function putPictures(folder: string, files: ReadonlyMap<string, string>): void {
  if (files.size === 0) return;
  const temporary = mkdtempSync(join(dirname(folder), `.${basename(folder)}-partial-`));
  try {
    for (const [name, path] of files) copyFileSync(path, join(temporary, name));
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

function questionsText(head: QuestionsHead, questions: readonly MadeQuestion[]): string {
  const lines = questions.map(({ question }) => {
    const { truth, ...asked } = question;
    return head.holds === 'both' ? question : asked;
  });
  return linesOf([head, ...lines]);
}

function truthText(head: QuestionsHead, questions: readonly MadeQuestion[]): string {
  return linesOf([head, ...questions.map(({ question: { prompt, ...known } }) => known)]);
}

const linesOf = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
