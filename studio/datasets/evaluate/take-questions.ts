import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { QuestionSet } from '../../../schemas/api/evaluate.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { TaskLevel } from '../../../schemas/evaluate.ts';
import {
  QUESTION_KINDS,
  questionSchema,
  scenarioTruthSchema,
  trajectoryTruthSchema,
} from '../../../schemas/questions.ts';
import { copyFrom, copyGiven } from '../../files/inside.ts';
import { breathe } from '../../store/breathe.ts';
import type { Workspace } from '../../store/workspace.ts';
import { openTruth } from './inputs.ts';
import { type AboutSet, putSet, type SetTools } from './question-sets.ts';

/** Question sets from files that were written elsewhere. */

const PICTURE = /\.(?:png|jpe?g|webp|gif)$/i;

/** Copies files that `questions` wrote, with the pictures beside them. Throws BAD_FILE with every wrong line, USAGE. */
export function takeQuestionSet(
  workspace: Workspace,
  { name, paths, tasks = null }: TakeQuestions,
  tools: SetTools = {},
): Promise<QuestionSet> {
  const sources = paths.map((path) => resolve(path));
  const names = sources.map((path) => basename(path));
  if (new Set(names).size < names.length || names.includes('set.json')) {
    throw new StudioError('USAGE', 'Files of one question set need names of their own, none of them set.json.', {
      paths,
    });
  }
  const about = {
    name: name ?? basename(names[0]!, extname(names[0]!)),
    source: 'files' as const,
    tasks,
    id: tools.id,
  };
  if (tasks !== null) return takeTasks(workspace, about, tasks, sources);
  return putSet(workspace, about, async (folder) => {
    let dataset: QuestionSet['dataset'] = null;
    const files: QuestionSet['files'] = [];
    for (const [i, source] of sources.entries()) {
      tools.signal?.throwIfAborted();
      tools.report?.(i / sources.length, names[i]!);
      const { counts, pictures, head } = lookAt(source);
      dataset ??= head?.dataset ?? null;
      copyGiven(source, join(folder, names[i]!));
      for (const picture of pictures) copyPicture(dirname(source), picture, folder, source);
      files.push({ file: names[i]!, level: head?.level ?? null, aid: head?.aid ?? null, counts, reach: null });
      await breathe();
    }
    // Together: ids that stand in two files, files of two versions. A click may be there once for each aid.
    for (const aid of new Set(files.map((file) => file.aid?.hash ?? null))) {
      const ofAid = (file: QuestionSet['files'][number] | undefined) =>
        (file?.aid?.hash ?? null) === aid || (file?.aid === null && file.level !== 'action');
      openAll(sources.filter((_, i) => ofAid(files[i]))).close();
    }
    return { dataset, files, leftOut: [] };
  });
}

type TakeQuestions = {
  name?: string | undefined;
  paths: readonly string[];
  /** The files hold whole tasks, not questions. */
  tasks?: TaskLevel | null;
};

/** Files of whole tasks, whose runs are to be scored (`evaluate trajectories`, `evaluate scenario`). */
function takeTasks(workspace: Workspace, about: AboutSet, level: TaskLevel, sources: readonly string[]) {
  const open = (files: readonly string[]) =>
    level === 'trajectories'
      ? openTruth(files, trajectoryTruthSchema, () => 0)
      : openTruth(files, scenarioTruthSchema, () => 0);
  return putSet(workspace, about, async (folder) => {
    open(sources).close();
    const files = sources.map((source): QuestionSet['files'][number] => {
      const truth = open([source]);
      truth.close();
      copyGiven(source, join(folder, basename(source)));
      return { file: basename(source), level: null, aid: null, counts: { tasks: truth.table.size }, reach: null };
    });
    return { dataset: null, files, leftOut: [] };
  });
}

function openAll(files: readonly string[]) {
  return openTruth(files, questionSchema, ({ kind, truth }) =>
    truth ? QUESTION_KINDS.indexOf(kind) : 'it holds no truth: give the file that `questions --truth` wrote',
  );
}

function lookAt(file: string) {
  const truth = openAll([file]);
  try {
    const counts: Record<string, number> = {};
    const pictures = new Set<string>();
    for (let place = 0; place < truth.table.size; place++) {
      const { kind, images } = truth.read(place);
      counts[kind] = (counts[kind] ?? 0) + 1;
      for (const image of images) pictures.add(image);
    }
    return { counts, pictures, head: truth.head };
  } finally {
    truth.close();
  }
}

/** A path of a file from outside: only a picture in one folder beside it is taken. */
function copyPicture(from: string, picture: string, folder: string, source: string): void {
  const parts = picture.split('/');
  const plain = parts.length <= 2 && parts.every((part) => /^[^/\\\0]+$/.test(part) && part !== '.' && part !== '..');
  if (!plain || !PICTURE.test(picture)) {
    throw new StudioError(
      'BAD_FILE',
      `${source}: the picture "${picture}" does not lie in a folder beside it. Give the file as \`questions\` wrote it.`,
      { file: source, picture },
    );
  }
  const target = join(folder, picture);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  try {
    copyFrom(from, picture, target);
  } catch (error) {
    throw new StudioError(
      'BAD_FILE',
      `${source}: its picture ${picture} cannot be read. Keep the folder of pictures beside the file, with the files themselves in it.`,
      { file: source, picture },
      { cause: error },
    );
  }
}
