import { join } from 'node:path';
import { plural } from '../../core/words.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import type { Checks } from '../../schemas/checks.ts';
import { StudioError } from '../../schemas/errors.ts';
import { PERFORM_SCHEMA, type PerformedStep, type PerformReport } from '../../schemas/perform.ts';
import type { CoordinateScale } from '../../schemas/scales.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { runEpisode, type Scene, type StageGiven, stageOfActor, WHOLE_SCREEN } from './episode.ts';
import { runScript } from './run-script.ts';
import { readScript } from './script-file.ts';
import { PLAIN_SCREEN, type VirtualStage } from './stage/stage.ts';

/** A run's report, in the folder of its own recording. */
const PERFORM_FILE = 'perform.json';

export type PerformWishes = {
  workspace: Workspace;
  ffmpeg: FfmpegInfo;
  /** The program's own version. */
  version: string;
  task: string;
  /** The script's file. */
  file: string;
  /** How its stage is set up; or a stage that is there, and goes on afterwards as the script leaves it. */
  on: StageGiven;
  /** What the numbers of an answer's places count, where its form does not say. */
  coordinates?: CoordinateScale | null;
  /** What is answered at the end, for checks of an answer; null or absent: nothing. */
  answer?: string | null;
  /** Numbers of steps after which the checks are looked at, beside the end. */
  points?: readonly number[];
  /** How long the screen is waited for after a step, ms. */
  patienceMs: number;
  /** As of a stage. */
  withoutCage?: boolean;
  progress(text: string): void;
  signal: AbortSignal;
};

/**
 * Performs a script on a stage, records that, and looks at the task's checks. The script is read whole before
 * anything is done. Throws BAD_FILE, and what setting the stage up and recording throw; nothing is left of the stage then.
 */
export async function performScript(wishes: PerformWishes): Promise<PerformReport> {
  const { workspace, file, on, patienceMs, progress, signal } = wishes;
  const screen = 'stage' in on ? sizeOf(on.stage) : (on.recipe.screen ?? PLAIN_SCREEN);
  const task = (await taskById(workspace.store, wishes.task)).id;
  const { answer = null } = wishes;
  const script = readScript(file, [screen.width, screen.height], {
    coordinates: wishes.coordinates ?? null,
    idle: answer !== null,
  });
  const of = script.steps.length;
  const steps: PerformedStep[] = [];
  const points: NonNullable<PerformReport['points']> = [];
  const { withoutCage = false, points: wanted = [] } = wishes;
  refusePoints(wanted, of, await checksOfTask(workspace, task));
  const onStep = async (step: PerformedStep, scene: Scene): Promise<void> => {
    steps.push(step);
    progress(`${step.step} of ${of}: ${step.what}`);
    if (!wanted.includes(step.step)) return;
    const report = await scene.check();
    if (report) points.push({ step: step.step, passed: report.passed, checks: report.checks });
  };
  const played = await runEpisode(
    {
      ...wishes,
      task,
      stage: stageOfActor(on, { elements: false, withoutCage }),
      record: { ...WHOLE_SCREEN, played: 'itself' },
    },
    {
      enter: () => progress(`performing ${plural(of, 'step')} …`),
      act: (scene) => {
        const order = { steps: script.steps, screen, patienceMs };
        return runScript(order, scene.stage, (step) => onStep(step, scene), signal);
      },
      answer: () => answer,
    },
  );
  const { done, checked } = played;
  const report: PerformReport = {
    schema: PERFORM_SCHEMA,
    version: 1,
    task,
    recording: played.recording,
    steps,
    of,
    ignored: script.ignored,
    temporary: done.temporary,
    error: script.error,
    stopped: done.stopped,
    ...(wanted.length > 0 && { points }),
    checks: checked?.checks ?? [],
    passed: checked?.passed ?? null,
    weak: checked?.weak ?? null,
  };
  writeFileAtomic(join(played.folder, PERFORM_FILE), `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

/** Throws USAGE. */
function refusePoints(points: readonly number[], of: number, checks: Checks | null): void {
  if (points.length === 0) return;
  const none = points.find((step) => step > of);
  const why =
    checks === null
      ? 'the task has no checks. Attach them: `tasks attach`'
      : none === undefined
        ? null
        : `the script has ${of} steps, and no step ${none}`;
  if (why !== null) throw new StudioError('USAGE', `Nothing could be checked after a step: ${why}.`, {});
}

const sizeOf = ({ width, height }: VirtualStage): { width: number; height: number } => ({ width, height });
