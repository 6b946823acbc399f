import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import { AGENTNET, agentnetLine } from '../../../core/export/trajectories/agentnet.ts';
import { agentnetBenchOf } from '../../../core/export/trajectories/agentnetbench.ts';
import { OPENCUA, opencuaLine } from '../../../core/export/trajectories/opencua.ts';
import type { Trajectory } from '../../../core/export/trajectories/steps.ts';
import { append } from '../../../core/lists.ts';
import { openText } from './text-file.ts';
import { type FormatWriter, putPictures, type WriterContext } from './writer.ts';

/** Writers of the trajectory formats: AgentNet, OpenCUA, AgentNetBench. */

type Line = { line: object | null; trajectory: Trajectory };

/** `<name>.jsonl`, a task a line, with the pictures in `images/`. */
async function openLines(
  name: string,
  project: (task: ExportTask) => Line,
  folder: string,
  context: WriterContext,
): Promise<FormatWriter> {
  const file = await openText(path.join(folder, `${name}.jsonl`));
  const counts = { [`${name}.jsonl`]: 0, steps: 0, images: 0 };
  const leftOut: LeftOut[] = [];
  return {
    async add(task) {
      const { line, trajectory } = project(task);
      append(leftOut, trajectory.leftOut);
      if (!line) return;
      counts.images! += await putPictures(trajectory.pictures, (image) => path.join(folder, 'images', image), context);
      await file.line(line);
      counts[`${name}.jsonl`]!++;
      counts.steps! += stepsOf(trajectory);
    },
    async finish() {
      await file.close();
      return { counts, leftOut };
    },
    abandon: file.close,
  };
}

/** With the one that terminates. */
const stepsOf = ({ steps, end }: Trajectory): number => steps.length + (end ? 1 : 0);

export function openAgentnet(folder: string, context: WriterContext): Promise<FormatWriter> {
  return openLines(AGENTNET, agentnetLine, folder, context);
}

export function openOpencua(folder: string, context: WriterContext): Promise<FormatWriter> {
  return openLines(OPENCUA, opencuaLine, folder, context);
}

/** `<task>.json` beside `images/`, as AgentNetBench's evaluator takes them. */
export async function openAgentnetBench(folder: string, context: WriterContext): Promise<FormatWriter> {
  const counts = { tasks: 0, steps: 0, images: 0 };
  const leftOut: LeftOut[] = [];
  const data = path.join(folder, 'data');
  // Not left to the first picture: a preview puts none.
  await mkdir(data, { recursive: true });
  return {
    async add(task) {
      const { file, trajectory } = agentnetBenchOf(task);
      append(leftOut, trajectory.leftOut);
      if (!file) return;
      counts.images += await putPictures(trajectory.pictures, (image) => path.join(data, 'images', image), context);
      await writeFile(path.join(data, `${task.id}.json`), `${JSON.stringify(file, null, 2)}\n`);
      counts.tasks++;
      counts.steps += stepsOf(trajectory);
    },
    finish: async () => ({
      counts: { 'data/*.json': counts.tasks, steps: counts.steps, images: counts.images },
      leftOut,
    }),
    abandon: async () => undefined,
  };
}
