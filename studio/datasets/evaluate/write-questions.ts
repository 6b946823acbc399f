import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { isReachable, shownElements } from '../../../core/evaluate/aids.ts';
import { type MadeQuestion, makeQuestions } from '../../../core/evaluate/questions.ts';
import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import { StudioError } from '../../../schemas/errors.ts';
import {
  QUESTIONS_SCHEMA,
  QUESTIONS_VERSION,
  type QuestionLevel,
  type QuestionsHead,
} from '../../../schemas/questions.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { copyFound } from '../../files/inside.ts';
import { type AidTools, type AidWish, type GatheredAid, gatherAid, pictureName } from './aids.ts';
import { dataSetHash, type Hasher, pictureHasher, sha256 } from './data-set.ts';
import { markedPicture } from './marked-picture.ts';
import type { LoadedPrompts } from './prompt-files.ts';
import { type GatheredFrames, gatherFrames, QUERY_FRAMES } from './query-frames.ts';
import { predictionTemplate } from './template.ts';

type WriteQuestionsOptions = {
  level: QuestionLevel;
  out: string;
  /** A file of its own for the truth; without it the truth is in the questions' lines. */
  truth: string | null;
  /** A file of predictions for these questions, to be filled in. Absent or null: none. */
  template?: string | null;
  prompts: LoadedPrompts;
  /** The data set's name. */
  name: string;
  scrollOrder: 'shuffled' | 'table27';
  seed: number;
  /** The aid for clicks and drags; absent or null: none. */
  aid?: AidWish | null;
  /** How many frames show a visual query that is a video. */
  frames?: number;
} & AidTools;

export type WrittenQuestions = {
  out: string;
  truth: string | null;
  template: string | null;
  /** The folder of pictures, beside `out`. */
  images: string;
  head: QuestionsHead;
  counts: Record<string, number>;
  pictures: number;
  /** For clicks and drags with an aid: how many targets are in an element at all, so that an answer can name it. */
  reach: { reachable: number; of: number } | null;
  leftOut: LeftOut[];
};

/**
 * Writes the questions of one level and their pictures, whole or not at all. A picture's name is its hash, which tells
 * nothing about the answer. Throws USAGE, NOTHING_TO_EXPORT, TARGET_EXISTS, BAD_FILE (a picture is missing, a wrong line
 * of an aid's file), NO_LIBRARY (an aid's program), CANCELLED.
 */
export async function writeQuestions(
  tasks: readonly ExportTask[],
  options: WriteQuestionsOptions,
): Promise<WrittenQuestions> {
  const out = resolve(options.out);
  const truth = options.truth === null ? null : resolve(options.truth);
  const template = options.template ? resolve(options.template) : null;
  const images = join(dirname(out), `${basename(out, extname(out))}.images`);
  const targets = [out, truth, template, images].filter((target) => target !== null);
  if (new Set(targets).size < targets.length)
    throw new StudioError('USAGE', '--out, --truth and --template name the same file. Give each its own.', { out });
  for (const target of targets) refuseTaken(target);
  if (options.aid && options.level !== 'action') {
    throw new StudioError(
      'USAGE',
      `--aid helps with clicks and drags: it goes with --level action, not ${options.level}.`,
      {
        level: options.level,
      },
    );
  }
  const hash = pictureHasher();
  const aid = options.aid ? await gatherAid(tasks, options.aid, options.prompts, hash, options) : null;
  const videos =
    options.level === 'high' ? await gatherFrames(tasks, options.frames ?? QUERY_FRAMES, options.signal) : null;
  try {
    return await writeAll(tasks, { ...options, out, truth, template, images, hash, aid, videos });
  } finally {
    videos?.clear();
  }
}

type Gathered = Omit<WriteQuestionsOptions, 'aid'> & {
  template: string | null;
  images: string;
  hash: Hasher;
  aid: GatheredAid | null;
  videos: GatheredFrames | null;
};

async function writeAll(tasks: readonly ExportTask[], options: Gathered): Promise<WrittenQuestions> {
  const { out, truth, template, images, hash, aid, videos, seed, scrollOrder } = options;
  const { questions, leftOut } = makeQuestions(tasks, options.level, {
    prompts: options.prompts.prompts,
    scrollOrder,
    seed,
    aid,
    ...(videos && { frames: videos.of }),
  });
  const frames = videos?.used === true ? videos.count : null;
  if (questions.length === 0) {
    const reasons = [...new Set(leftOut.map(({ reason }) => reason))].slice(0, 5).join('; ');
    throw new StudioError(
      'NOTHING_TO_EXPORT',
      `There is nothing to ask on level "${options.level}"${reasons === '' ? '' : ` (${reasons})`}. Annotate and approve recordings first, or pass --all.`,
      { level: options.level, leftOut },
    );
  }
  const head: QuestionsHead = {
    schema: QUESTIONS_SCHEMA,
    version: aid ? QUESTIONS_VERSION : 1,
    level: options.level,
    dataset: { name: options.name, hash: dataSetHash(tasks, hash) },
    prompts: options.prompts.questionsHash(aid?.kind ?? null, frames),
    seed,
    aid: aid?.used ?? null,
    ...(frames !== null && { frames }),
    holds: truth === null ? 'both' : 'questions',
  };
  mkdirSync(dirname(out), { recursive: true });
  const files = await namePictures(questions, basename(images), hash, options.signal);
  putPictures(images, files);
  try {
    if (truth !== null) {
      mkdirSync(dirname(truth), { recursive: true });
      writeFileAtomic(truth, truthText({ ...head, holds: 'truth' }, questions));
    }
    writeFileAtomic(out, questionsText(head, questions));
    if (template !== null) {
      mkdirSync(dirname(template), { recursive: true });
      writeFileAtomic(template, predictionTemplate([out], null));
    }
  } catch (error) {
    rmSync(images, { recursive: true, force: true });
    for (const file of [truth, out]) if (file !== null) rmSync(file, { force: true });
    throw error;
  }
  const counts: Record<string, number> = {};
  for (const { question } of questions) counts[question.kind] = (counts[question.kind] ?? 0) + 1;
  return {
    out,
    truth,
    template,
    images,
    head,
    counts,
    pictures: files.size,
    reach: aid && reachOf(questions, aid),
    leftOut,
  };
}

/** A picture as it is, by its path, or as it was drawn. */
type Picture = string | Buffer;

/** Gives each question its pictures' names; one that has marks is drawn, once for all questions with the same marks. */
async function namePictures(
  questions: readonly MadeQuestion[],
  folder: string,
  hash: Hasher,
  signal: AbortSignal | undefined,
): Promise<Map<string, Picture>> {
  const files = new Map<string, Picture>();
  const drawn = new Map<string, string>();
  for (const { question, pictures } of questions) {
    const names: string[] = [];
    for (const { path } of pictures) {
      signal?.throwIfAborted();
      if (!question.marks) {
        const name = `${pictureName(hash(path))}${extname(path).toLowerCase()}`;
        files.set(name, path);
        names.push(name);
        continue;
      }
      const key = JSON.stringify([hash(path), question.marks]);
      let name = drawn.get(key);
      if (name === undefined) {
        const data = await markedPicture(path, question.marks);
        name = `${pictureName(sha256(data))}.png`;
        drawn.set(key, name);
        files.set(name, data);
      }
      names.push(name);
    }
    question.images = names.map((name) => `${folder}/${name}`);
  }
  return files;
}

function reachOf(questions: readonly MadeQuestion[], aid: GatheredAid): NonNullable<WrittenQuestions['reach']> {
  const reach = { reachable: 0, of: 0 };
  for (const { question } of questions) {
    const { truth } = question;
    if (truth.kind !== 'click' && truth.kind !== 'drag') continue;
    const targets = truth.kind === 'click' ? [truth.point] : [truth.start, truth.end];
    const boxes = shownElements(aid.kind, aid.elements(question.id)).map(({ box }) => box);
    reach.of++;
    if (targets.every((target) => isReachable(target, boxes))) reach.reachable++;
  }
  return reach;
}

function refuseTaken(target: string): void {
  if (!existsSync(target)) return;
  throw new StudioError('TARGET_EXISTS', `${target} exists already. Choose another name or remove it first.`, {
    out: target,
  });
}

/** The folder appears with all its pictures in it. */
function putPictures(folder: string, files: ReadonlyMap<string, Picture>): void {
  if (files.size === 0) return;
  const temporary = mkdtempSync(join(dirname(folder), `.${basename(folder)}-partial-`));
  try {
    for (const [name, picture] of files) {
      if (typeof picture === 'string') copyFound(picture, join(temporary, name));
      else writeFileSync(join(temporary, name), picture);
    }
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
