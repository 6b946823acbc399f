import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Candidate, candidateLines, candidatesOfTask, pairsOf } from '../../../core/export/chat/candidates.ts';
import { chatLines, type Samples } from '../../../core/export/chat/messages.ts';
import { MS_SWIFT, swiftGroundingLines, swiftTrajectoryLine } from '../../../core/export/chat/swift.ts';
import { ANSWER_WAYS, type AnswerWay } from '../../../core/export/chat/words.ts';
import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import type { NamedPicture } from '../../../core/export/pictures.ts';
import { append } from '../../../core/lists.ts';
import type { ChatLine, DatasetInfo } from '../../../schemas/export-chat.ts';
import { openText, type TextFile } from './text-file.ts';
import { type FormatWriter, putPictures, type WriterContext } from './writer.ts';

/** Writers of the formats that trainers read as conversations: ms-swift, LLaMA-Factory. */

type Projected<Line extends object = object> = { lines: Line[]; pictures: readonly NamedPicture[]; leftOut: LeftOut[] };
type Part = {
  file: string;
  project: (task: ExportTask) => Projected;
  /** Rows that can only be made when all tasks have come. */
  atEnd?: () => Projected;
};

const LLAMAFACTORY = 'llamafactory';
/** The entry of dataset_info.json, the name that goes into `--dataset`. */
const LLAMAFACTORY_DATASET = 'trajectory_studio';
const LLAMAFACTORY_FILE = 'trajectories.jsonl';

const samplesOf = ({ options }: WriterContext): Samples => (options.samples === 'step' ? 'step' : 'task');
const wayOf = ({ options }: WriterContext): AnswerWay => ANSWER_WAYS.find((way) => way === options.answer) ?? 'code';

function conversations(task: ExportTask, from: string, context: WriterContext): Projected<ChatLine> {
  const { lines, trajectory } = chatLines(task, from, samplesOf(context), wayOf(context));
  return { lines, pictures: lines.length > 0 ? trajectory.pictures : [], leftOut: trajectory.leftOut };
}

export function openMsSwift(folder: string, context: WriterContext): Promise<FormatWriter> {
  const parts: Record<string, Part['project']> = {
    candidates: (task) => {
      const { candidates, leftOut } = candidatesOf(task, 'candidates', context);
      return {
        lines: candidates.flatMap(candidateLines),
        pictures: candidates.flatMap(({ pictures }) => pictures),
        leftOut,
      };
    },
    messages: (task) => conversations(task, `${MS_SWIFT}/messages`, context),
    trajectory: (task) => {
      const { line, trajectory } = swiftTrajectoryLine(task);
      return line
        ? { lines: [line], pictures: shown(trajectory.pictures, line.images), leftOut: trajectory.leftOut }
        : { lines: [], pictures: [], leftOut: trajectory.leftOut };
    },
    grounding: (task) => {
      const { lines, elements } = swiftGroundingLines(task);
      return { lines, pictures: elements.pictures, leftOut: elements.leftOut };
    },
  };
  const chosen = Object.entries(parts).filter(([name]) => context.parts.includes(name));
  const pairs = context.parts.includes('pairs') ? [pairsPart(context)] : [];
  return openParts(
    [...chosen.map(([name, project]) => ({ file: `${name}.jsonl`, project })), ...pairs],
    folder,
    context,
  );
}

/** The last answer of a candidate is what it is judged by: an assistant's, never a turn of a tool. */
const candidatesOf = (task: ExportTask, part: string, context: WriterContext) => {
  const way = wayOf(context);
  const from = `${MS_SWIFT}/${part}`;
  return candidatesOfTask(task, { from, samples: samplesOf(context), way: way === 'tools' ? 'openai' : way });
};

/** Runs of a task are anywhere among the others, so the words of each wait (some 10 kB a run); pictures only by their path. */
function pairsPart(context: WriterContext): Part {
  const groups = new Map<string, Candidate[]>();
  return {
    file: 'pairs.jsonl',
    project(task) {
      const { candidates, leftOut } = candidatesOf(task, 'pairs', context);
      for (const one of candidates) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
      return { lines: [], pictures: [], leftOut };
    },
    atEnd() {
      const made = [...groups.values()].map((some) => pairsOf(some, samplesOf(context)));
      const pairs = made.flatMap((one) => one.pairs);
      return {
        lines: pairs.map(({ line }) => line),
        pictures: pairs.flatMap(({ pictures }) => pictures),
        leftOut: made.flatMap((one) => one.leftOut),
      };
    },
  };
}

/** Only those that a line shows: the trajectory form has no step that terminates. */
function shown(pictures: readonly NamedPicture[], images: readonly string[]): NamedPicture[] {
  const used = new Set(images);
  return pictures.filter(({ name }) => used.has(`images/${name}`));
}

export async function openLlamaFactory(folder: string, context: WriterContext): Promise<FormatWriter> {
  const project = (task: ExportTask) => conversations(task, LLAMAFACTORY, context);
  const { split } = context;
  const below = (task: ExportTask): Projected => {
    const made = conversations(task, LLAMAFACTORY, context);
    const lines = made.lines.map((line) => ({ ...line, images: line.images.map((image) => `${split}/${image}`) }));
    return { ...made, lines };
  };
  // dataset_info.json stands at the top, beside the splits: paths begin there.
  const writer = await openParts(
    [{ file: LLAMAFACTORY_FILE, project: split === null ? project : below }],
    folder,
    context,
  );
  if (split !== null) return writer;
  return {
    ...writer,
    async finish() {
      await writeFile(
        path.join(folder, 'dataset_info.json'),
        `${JSON.stringify(llamaFactoryInfo([], context.options), null, 2)}\n`,
      );
      return writer.finish();
    },
  };
}

/** dataset_info.json: an entry a split, or one where there are none. */
export function llamaFactoryInfo(splits: readonly string[], { answer }: Readonly<Record<string, string>>): DatasetInfo {
  const hasTools = answer === 'tools';
  const entry = (file_name: string): DatasetInfo[string] => ({
    file_name,
    formatting: 'sharegpt',
    columns: { messages: 'messages', images: 'images', ...(hasTools && { tools: 'tools' as const }) },
    tags: {
      role_tag: 'role',
      content_tag: 'content',
      user_tag: 'user',
      assistant_tag: 'assistant',
      ...(hasTools && { function_tag: 'function_call' as const, observation_tag: 'observation' as const }),
    },
  });
  const named = splits.map((split) => [`${LLAMAFACTORY_DATASET}_${split}`, entry(`${split}/${LLAMAFACTORY_FILE}`)]);
  return splits.length === 0 ? { [LLAMAFACTORY_DATASET]: entry(LLAMAFACTORY_FILE) } : Object.fromEntries(named);
}

/** JSON Lines side by side, which share the pictures in `images/`. */
async function openParts(parts: readonly Part[], folder: string, context: WriterContext): Promise<FormatWriter> {
  const files = new Map<Part, TextFile>();
  const counts: Record<string, number> = {};
  const leftOut = new Map<Part, LeftOut[]>();
  for (const part of parts) {
    files.set(part, await openText(path.join(folder, part.file)));
    counts[part.file] = 0;
    leftOut.set(part, []);
  }
  counts.images = 0;
  const close = async () => {
    for (const file of files.values()) await file.close();
  };
  const written = new Set<string>();
  const write = async (projects: (part: Part) => Projected | undefined): Promise<void> => {
    const pictures = new Map<string, NamedPicture>();
    for (const [part, file] of files) {
      const projected = projects(part);
      if (!projected) continue;
      for (const each of projected.pictures) if (!written.has(each.name)) pictures.set(each.name, each);
      for (const line of projected.lines) await file.line(line);
      counts[part.file]! += projected.lines.length;
      append(leftOut.get(part)!, projected.leftOut);
    }
    const images = [...pictures.values()];
    counts.images! += await putPictures(images, (name) => path.join(folder, 'images', name), context);
    // Names of earlier tasks are only asked for again by what is made at the end.
    if (parts.some(({ atEnd }) => atEnd)) for (const { name } of images) written.add(name);
  };
  return {
    add: (task) => write((part) => part.project(task)),
    async finish() {
      await write((part) => part.atEnd?.());
      await close();
      return { counts, leftOut: [...leftOut.values()].flat() };
    },
    abandon: close,
  };
}
