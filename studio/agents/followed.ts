import { type StepToDo, stepsDone } from '../../core/agents/steps-done.ts';
import type { AgentReport } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import { annotatedSubtasks } from '../datasets/annotated.ts';
import { recordsOf } from '../datasets/collect.ts';
import { readAgentLog } from '../recordings/agent-log.ts';
import { openFolder } from '../recordings/closed.ts';
import { picturesOf, readKeyframeIndex } from '../recordings/stills.ts';
import { OF_THE_RECORDING } from '../store/recording-folder.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';

/** How far runs followed the demonstration of their task (mobile-agent-v.txt A.3.3). */

/**
 * `completion`: the share of the demonstration's steps that were done, 1 where the checks passed, whichever way was taken.
 * `accuracy`: the share of what the run did, or tried to do, that is such a step. Null: there is no demonstration on a screen of this
 * size, or it cannot be read.
 */
export type RunFollowed = { completion: number | null; accuracy: number | null };

const UNKNOWN: RunFollowed = { completion: null, accuracy: null };

type Shown = { steps: StepToDo[]; resolution: { width: number; height: number } };
type About = Pick<AgentReport, 'head' | 'recording' | 'passed' | 'unclear' | 'refused'>;

/** Each demonstration is read once. A recording whose files are damaged is said elsewhere; here nothing is known of it. */
export function followedIn(
  workspace: Workspace,
  demonstrations: ReadonlyMap<string, RecordingEntry>,
): (run: About, folder: string) => Promise<RunFollowed> {
  const shown = new Map<string, Promise<Shown | null>>();
  return async (run, folder) => {
    const { head, passed, unclear, refused } = run;
    const entry = demonstrations.get(head.task);
    // A person's own run on a stage is a demonstration, too.
    if (!entry || entry.id === run.recording) return passed ? { completion: 1, accuracy: null } : UNKNOWN;
    const found = shown.get(head.task) ?? unlessDamaged(() => stepsOf(workspace, entry));
    shown.set(head.task, found);
    const wanted = await found;
    const own = await unlessDamaged(async () => openFolder(folder));
    const did = own?.actions ?? [];
    const isComparable =
      wanted?.resolution.width === own?.resolution.width && wanted?.resolution.height === own?.resolution.height;
    const done = isComparable && wanted && wanted.steps.length > 0 ? stepsDone(did, wanted.steps) : null;
    if (!wanted || !own || done === null) return passed ? { completion: 1, accuracy: null } : UNKNOWN;
    const failed = (readAgentLog(folder) ?? []).filter((line) => line.type === 'acted' && line.problem !== null).length;
    const tried = did.length + failed + unclear + refused;
    return { completion: passed ? 1 : done / wanted.steps.length, accuracy: tried === 0 ? null : done / tried };
  };
}

async function unlessDamaged<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StudioError && OF_THE_RECORDING.has(error.code)) return null;
    throw error;
  }
}

async function stepsOf(workspace: Workspace, { id, folder, goal }: RecordingEntry): Promise<Shown> {
  const closed = openFolder(folder);
  const { actions, meta, resolution } = closed;
  const records = await recordsOf(workspace, closed);
  const pictures = picturesOf(folder, await readKeyframeIndex(folder));
  const naming = { task: meta.task.id, recording: id, goal, language: undefined };
  const { subtasks } = annotatedSubtasks(actions, records, pictures, naming);
  const steps = subtasks.flatMap((subtask) =>
    subtask.actions.map(({ action, element, beforeImage }): StepToDo => {
      const { x = 0, y = 0 } = beforeImage?.origin ?? {};
      const box = element?.box;
      return { action, box: box ? { ...box, x: box.x + x, y: box.y + y } : null };
    }),
  );
  return { steps, resolution };
}
