import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { looksAtElements } from '../../core/play/checks.ts';
import { plural } from '../../core/words.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import type { Action } from '../../schemas/actions.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import {
  type Pace,
  PLAY_SCHEMA,
  type PlayedStep,
  type PlayReport,
  type Recipe,
  type StageKind,
} from '../../schemas/play.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { captureOrder } from '../recorder/order.ts';
import { openFolder } from '../recordings/closed.ts';
import { endStageTelling, setStage, type VirtualStage } from '../stage/stage.ts';
import { PLAY_FILE } from '../store/evidence.ts';
import { readRecording } from '../store/recording-folder.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { homeFiles } from './checks/written.ts';
import type { ShownPlay } from './live.ts';
import { mendedTexts } from './mended.ts';
import { filesOfTask } from './recipe.ts';
import { checkAfter, recordWhile, UNATTENDED } from './record-while.ts';
import { runPlayer } from './run-player.ts';
import { type Script, scriptOf } from './script.ts';

export type PlayWishes = {
  workspace: Workspace;
  ffmpeg: FfmpegInfo;
  /** The program's own version. */
  version: string;
  /** The demonstration. */
  recording: { id: string; folder: string };
  stage: StageKind;
  /** How a virtual stage is set up; not needed on the present display. */
  recipe: Recipe | null;
  pace: Pace;
  /** How late a target or an effect may be, ms. */
  patienceMs: number;
  /** As of a stage. */
  withoutCage?: boolean;
  /** A step that is not played, to see what comes of it. */
  leaveOut?: string;
  /** `share`: how much of the play is done, 0 to 1. */
  progress(text: string, share?: number): void;
  /** The stage is there: who watches may look at it until the play says that it is over. */
  show?(env: NodeJS.ProcessEnv, view: Rect): ShownPlay;
  signal: AbortSignal;
};

/**
 * Performs a demonstration again, records that, and compares it step by step. The stage is thrown away afterwards, whatever
 * happens. Throws what setting the stage up, recording and reading the demonstration throw; that a play stops because the
 * screen disagrees is no error but its report.
 */
export async function play(wishes: PlayWishes): Promise<PlayReport> {
  const { workspace, recording, ffmpeg, signal, progress } = wishes;
  const whole = await scriptOf(recording.folder, ffmpeg, signal, await mendedTexts(workspace, recording.id));
  const script = { ...whole, parts: whole.parts.filter(({ step }) => step !== wishes.leaveOut) };
  if (wishes.stage === 'display') return performOn(wishes, script, process.env, homedir());
  const stage = await stageFor(workspace, wishes, script);
  for (const note of stage.notes) progress(`note: ${note}`);
  try {
    return await performOn(wishes, script, { ...process.env, ...stage.state.env }, stage.home);
  } finally {
    await endStageTelling(stage, progress);
  }
}

/** A stage for a demonstration. Throws USAGE without a recipe, and what setting it up throws. */
export async function stageFor(
  workspace: Workspace,
  {
    recipe,
    signal,
    progress,
    recording,
    withoutCage = false,
  }: Pick<PlayWishes, 'recipe' | 'signal' | 'progress' | 'recording' | 'withoutCage'>,
  script: Script,
): Promise<VirtualStage> {
  if (!recipe) {
    throw new StudioError(
      'USAGE',
      `The task ${script.recording.task.id} has no recipe, so nobody knows how its stage is set up. Give one with --recipe FILE, or attach it: \`tasks attach ${script.recording.task.id} recipe.json --role recipe\`. \`play --help\` shows one.`,
      { recording: recording.id },
    );
  }
  progress('setting the stage …');
  const task = script.recording.task.id;
  const fileOf = await filesOfTask(workspace.db, workspace.dir, task);
  const asked = script.parts.some(({ element }) => element !== null);
  const elements = asked || looksAtElements(await checksOfTask(workspace, task));
  const { layout, size } = script;
  return setStage({ recipe, ...size, layout, fileOf, task, workspace: workspace.dir, elements, withoutCage, signal });
}

async function performOn(
  wishes: PlayWishes,
  script: Script,
  env: NodeJS.ProcessEnv,
  home: string,
): Promise<PlayReport> {
  const { workspace, version, progress, signal, pace, patienceMs, stage } = wishes;
  const { app, task, capture } = script.recording;
  const checks = await checksOfTask(workspace, task.id);
  const order = captureOrder(workspace, {
    ...UNATTENDED,
    software: await workspace.findSoftware(app.id).catch(() => workspace.findSoftware(app.name)),
    task: await taskById(workspace.db, task.id),
    version,
    target:
      capture.target.kind === 'region'
        ? { kind: 'region', region: capture.target.region }
        : { kind: 'display', display: null },
    fps: capture.fps,
    played: { recording: script.recording.id },
  });
  progress(`playing ${plural(script.parts.length, 'step')} …`, 0);
  const { folder } = order;
  // The present display's home is the person's own: nothing of it is looked through.
  const before = stage === 'virtual' ? homeFiles(home) : null;
  const view = script.parts[0]?.before;
  const shown = view && wishes.show?.(env, view);
  const { played, checked } = await recordWhile(wishes, order, env, async () => {
    let count = 0;
    const all = script.parts.length;
    // Steps keep their numbers in the demonstration when one is left out.
    const numbers = new Map(script.actions.map(({ id }, n) => [id, n + 1]));
    const onStep = (step: PlayedStep): void => {
      const share = Math.min(1, ++count / Math.max(1, all));
      progress(`${numbers.get(step.step)} of ${script.actions.length}: ${lineOf(step)}`, share);
    };
    const { startNs } = readRecording(folder).clock;
    const heard = { onStep, onBegan: (step: string) => shown?.began(step) };
    const ended = await runPlayer(
      { parts: script.parts, restless: script.restless, pace, patienceMs, startNs },
      env,
      heard,
      signal,
    );
    return {
      played: ended,
      checked: await checkAfter({ workspace, task: task.id, checks, folder, home, before, env, signal }),
    };
  }).finally(() => shown?.over());
  const { stopped, steps, took } = played;
  const first = script.actions[0];
  const last = script.actions.at(-1);
  const report: PlayReport = {
    schema: PLAY_SCHEMA,
    version: 1,
    recording: script.recording.id,
    played: order.id,
    stage,
    pace,
    steps,
    agreed: steps.filter(({ verdict }) => verdict === 'same' || verdict === 'moved').length,
    of: script.parts.length,
    stopped: stopped?.step ?? null,
    why: stopped?.why ?? null,
    took,
    demonstrated: first && last ? Math.round((last.end.t - first.start.t) / 1000) : 0,
    leftOut: wishes.leaveOut ?? null,
    checks: checked?.checks ?? [],
    passed: checked?.passed ?? null,
    weak: checked?.weak ?? null,
    actionsEqual: equalActions(script.actions, openFolder(order.folder).actions, steps),
  };
  writeFileAtomic(join(order.folder, PLAY_FILE), `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

const lineOf = ({ verdict, waited, why }: PlayedStep): string =>
  `${verdict}${why ? ` (${why})` : ''}, waited ${(waited / 1000).toFixed(1)} s`;

/** Whether the play's own recording came back as the same actions, each moved as its step was. Null when it stopped. */
function equalActions(wanted: readonly Action[], got: readonly Action[], steps: readonly PlayedStep[]): boolean | null {
  if (steps.length < wanted.length) return null;
  if (got.length !== wanted.length) return false;
  return wanted.every((action, n) => {
    const other = got[n];
    const shift = steps[n]?.shift ?? { x: 0, y: 0 };
    if (other === undefined) return false;
    // Of keys that were withheld in one of them nothing can be compared.
    if ((action.withheld || other.withheld) && action.kind === 'type') return other.kind === 'type';
    return isDeepStrictEqual(essence(action, shift), essence(other, { x: 0, y: 0 }));
  });
}

const essence = (
  { kind, button, modifiers, text, keystrokes, keys, count, scroll, start, end, withheld }: Action,
  { x, y }: { x: number; y: number },
): unknown => {
  const placed = kind === 'click' || kind === 'drag' || kind === 'scroll';
  const moved = (point: Action['start']) => [(point.x ?? 0) + x, (point.y ?? 0) + y];
  const at = placed ? [moved(start), moved(end)] : null;
  // The text that arrived in the field (A18) is known only where elements are asked for; a play repeats keys.
  const typed = withheld ? null : (keystrokes ?? text);
  return { kind, button, modifiers, typed, keys, count, scroll, at };
};
