import { type ShotToShow, shotOf } from '../../core/agents/shots.ts';
import { plural } from '../../core/words.ts';
import type { AgentHead, AgentShot } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import { MOST_SHOT_STEPS, MOST_SHOTS } from '../../schemas/limits.ts';
import { collectExport } from '../datasets/collect.ts';
import { taskFamilies } from '../datasets/families.ts';
import { proofsOfIndexed } from '../datasets/proofs.ts';
import { breathe } from '../store/breathe.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { pictureLoader } from './model-pictures.ts';

/** Which demonstrations an agent is shown before its task, and their pictures. */

/** `wanted`: so many, or recordings by their ids. `sameTask`: those of the task itself may be among them. */
export type ShotWishes = { task: string; software: string; wanted: number | readonly string[]; sameTask: boolean };

/**
 * A number asks for the nearest ones of other tasks, one a task: of the same software, proven, approved, the newest. A task's own
 * demonstrations, and those of tasks that came from the same template, would give its way away, so they are shown where that was
 * asked for alone. Throws USAGE where there are not so many, for one that may not be shown, and for too many steps.
 */
export async function chosenShots(workspace: Workspace, wishes: ShotWishes): Promise<ShotToShow[]> {
  const { wanted } = wishes;
  const most = typeof wanted === 'number' ? wanted : wanted.length;
  if (most > MOST_SHOTS)
    throw new StudioError('USAGE', `At most ${MOST_SHOTS} demonstrations are shown before a task.`, {
      most: MOST_SHOTS,
    });
  return typeof wanted === 'number' ? nearest(workspace, wishes, wanted) : named(workspace, wishes, wanted);
}

/** The task, and those that came from the same template. */
async function familyOf(workspace: Workspace, task: string): Promise<ReadonlySet<string>> {
  const families = await taskFamilies(workspace);
  return new Set([task, ...families.filter((family) => family.includes(task)).flat()]);
}

async function nearest(
  workspace: Workspace,
  { task, software, sameTask }: ShotWishes,
  most: number,
): Promise<ShotToShow[]> {
  if (most === 0) return [];
  const family = await familyOf(workspace, task);
  const all = (await workspace.listRecordings()).filter(
    (one) => one.phase === 'closed' && one.state !== 'rejected' && (sameTask || !family.has(one.task)),
  );
  const proofs = await proofsOfIndexed(workspace, all);
  const rank = (one: RecordingEntry): number =>
    (one.app === software ? 4 : 0) + (proofs.get(one.id) === 'proven' ? 2 : 0) + (one.state === 'approved' ? 1 : 0);
  // Equals stay in the order of the list: the newest first.
  const sorted = all.toSorted((a, b) => rank(b) - rank(a));
  const shots: ShotToShow[] = [];
  const tasks = new Set<string>();
  let steps = 0;
  for (let at = 0; at < sorted.length && shots.length < most; at += most) {
    const some = sorted.slice(at, at + most).filter((one) => !tasks.has(one.task));
    const read = await shotsOf(workspace, some);
    for (const one of some) {
      const shot = read.get(one.id);
      if (shots.length === most || tasks.has(one.task)) continue;
      // A longer one gives way to the next: pictures of all of them go with every request.
      if (!shot || steps + shot.steps.length > MOST_SHOT_STEPS) continue;
      shots.push(shot);
      tasks.add(one.task);
      steps += shot.steps.length;
    }
  }
  if (shots.length === most) return shots;
  const whose = sameTask ? '' : ' of other tasks';
  throw new StudioError(
    'USAGE',
    `${plural(most, 'demonstration')}${whose} were asked for, and ${shots.length} can be shown here (of ${plural(tasks.size, 'task')}, ${MOST_SHOT_STEPS} steps in all at most). Ask for fewer, or record more.`,
    { wanted: most, found: shots.length },
  );
}

async function named(
  workspace: Workspace,
  { task, sameTask }: ShotWishes,
  ids: readonly string[],
): Promise<ShotToShow[]> {
  const family = await familyOf(workspace, task);
  const entries: RecordingEntry[] = [];
  for (const id of ids) {
    const entry = await workspace.resolveRecording(id);
    if (!sameTask && family.has(entry.task))
      throw new StudioError(
        'USAGE',
        `${entry.id} is a demonstration of ${entry.task}, which gives the way of ${task} away. Add --same-task where that is meant.`,
        { recording: entry.id, task },
      );
    entries.push(entry);
  }
  const closed = entries.filter(({ phase }) => phase === 'closed');
  const read = await shotsOf(workspace, closed);
  const shots = entries.map(({ id }) => {
    const shot = read.get(id);
    if (shot) return shot;
    throw new StudioError('USAGE', `${id} has no steps that could be shown.`, { recording: id });
  });
  const steps = shots.reduce((sum, one) => sum + one.steps.length, 0);
  if (steps <= MOST_SHOT_STEPS) return shots;
  throw new StudioError(
    'USAGE',
    `These demonstrations have ${plural(steps, 'step')}; ${MOST_SHOT_STEPS} in all are shown at most, since the picture of each goes with every request.`,
    { steps, most: MOST_SHOT_STEPS },
  );
}

/** Their steps by exports' rules: annotated ones, without those that were removed. One that has none is not among them. */
async function shotsOf(
  workspace: Workspace,
  entries: readonly Pick<RecordingEntry, 'id'>[],
): Promise<Map<string, ShotToShow>> {
  const only = new Set(entries.map(({ id }) => id));
  const shots = new Map<string, ShotToShow>();
  const source = await collectExport(workspace, { all: true, recordings: 'every', only });
  for await (const task of source.tasks()) {
    await breathe();
    const shot = shotOf(task);
    if (shot.steps.length > 0) shots.set(shot.recording, shot);
  }
  return shots;
}

/** With their pictures read: for a run's head, and by their sha256 for its requests. Throws BAD_FILE for one that is none. */
export async function loadedShots(
  chosen: readonly ShotToShow[],
): Promise<{ shots: AgentShot[]; pictures: Map<string, Buffer> }> {
  const pictures = new Map<string, Buffer>();
  const load = pictureLoader(pictures);
  const shots: AgentShot[] = [];
  for (const { steps, ...shot } of chosen) {
    const loaded: AgentShot['steps'] = [];
    for (const { picture, ...step } of steps) loaded.push({ ...step, picture: await load(picture?.path) });
    shots.push({ ...shot, steps: loaded });
  }
  return { shots, pictures };
}

/** Refuses demonstrations for an agent that is not shown any. Throws USAGE. */
export function refuseShots(agent: AgentHead['agent'] | 'human' | 'player', wanted: number | readonly string[]): void {
  if (wanted === 0 || (agent !== 'video-guided' && agent !== 'human' && agent !== 'player')) return;
  const why = agent === 'video-guided' ? 'it follows the film of one (--demonstration)' : 'no model is asked';
  throw new StudioError('USAGE', `--demonstrations are not shown to the agent ${agent}: ${why}.`, { agent });
}
