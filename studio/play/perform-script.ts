import { join } from 'node:path';
import { looksAtElements } from '../../core/play/checks.ts';
import { plural } from '../../core/words.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { PERFORM_SCHEMA, type PerformedStep, type PerformReport } from '../../schemas/perform.ts';
import type { Recipe } from '../../schemas/play.ts';
import type { CoordinateScale } from '../../schemas/scales.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { captureOrder } from '../recorder/order.ts';
import { endStageTelling, setStage } from '../stage/stage.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { homeFiles } from './checks/written.ts';
import { filesOfTask } from './recipe.ts';
import { checkAfter, recordWhile, UNATTENDED } from './record-while.ts';
import { runScript } from './run-script.ts';
import { readScript } from './script-file.ts';

/** A run's report, in the folder of its own recording. */
const PERFORM_FILE = 'perform.json';
/** A stage's screen and layout when its recipe names none. */
const SCREEN = { width: 1280, height: 800 };
const LAYOUT = { layout: 'us', variant: '' };
const FPS = 30;

export type PerformWishes = {
  workspace: Workspace;
  ffmpeg: FfmpegInfo;
  /** The program's own version. */
  version: string;
  task: string;
  /** The script's file. */
  file: string;
  recipe: Recipe;
  /** What the numbers of an answer's places count, where its form does not say. */
  coordinates?: CoordinateScale | null;
  /** How long the screen is waited for after a step, ms. */
  patienceMs: number;
  /** As of a stage. */
  withoutCage?: boolean;
  progress(text: string): void;
  signal: AbortSignal;
};

/**
 * Performs a script on a stage of its own, records that, and looks at the task's checks. The script is read whole before
 * anything is done. Throws BAD_FILE, and what setting the stage up and recording throw; nothing is left of the stage then.
 */
export async function performScript(wishes: PerformWishes): Promise<PerformReport> {
  const { workspace, version, task: id, file, recipe, patienceMs, progress, signal } = wishes;
  const task = await taskById(workspace.db, id);
  const software = await workspace.findSoftware(task.software);
  const screen = recipe.screen ?? SCREEN;
  const script = readScript(file, [screen.width, screen.height], wishes.coordinates ?? null);
  const checks = await checksOfTask(workspace, task.id);
  const fileOf = await filesOfTask(workspace.db, workspace.dir, task.id);
  progress('setting the stage …');
  const stage = await setStage({
    recipe,
    ...screen,
    layout: LAYOUT,
    fileOf,
    task: task.id,
    workspace: workspace.dir,
    elements: looksAtElements(checks),
    withoutCage: wishes.withoutCage === true,
    signal,
  });
  for (const note of stage.notes) progress(`note: ${note}`);
  try {
    const env = { ...process.env, ...stage.state.env };
    const order = captureOrder(workspace, {
      ...UNATTENDED,
      software,
      task,
      version,
      fps: FPS,
      target: { kind: 'display', display: null },
      played: 'itself',
    });
    const { folder } = order;
    const of = script.steps.length;
    progress(`performing ${plural(of, 'step')} …`);
    const steps: PerformedStep[] = [];
    const before = homeFiles(stage.home);
    const done = await recordWhile(wishes, order, env, async () => {
      const onStep = (step: PerformedStep): void => {
        steps.push(step);
        progress(`${step.step} of ${of}: ${step.what}`);
      };
      const { stopped, temporary } = await runScript({ steps: script.steps, screen, patienceMs }, env, onStep, signal);
      const checked = await checkAfter({
        workspace,
        task: task.id,
        checks,
        folder,
        home: stage.home,
        before,
        env,
        signal,
      });
      return { stopped, temporary, checked };
    });
    const report: PerformReport = {
      schema: PERFORM_SCHEMA,
      version: 1,
      task: task.id,
      recording: order.id,
      steps,
      of,
      ignored: script.ignored,
      temporary: done.temporary,
      error: script.error,
      stopped: done.stopped,
      checks: done.checked?.checks ?? [],
      passed: done.checked?.passed ?? null,
      weak: done.checked?.weak ?? null,
    };
    writeFileAtomic(join(folder, PERFORM_FILE), `${JSON.stringify(report, null, 2)}\n`);
    return report;
  } finally {
    await endStageTelling(stage, progress);
  }
}
