import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
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
import { openFolder } from '../recordings/closed.ts';
import { PLAY_FILE } from '../store/evidence.ts';
import { readRecording } from '../store/recording-folder.ts';
import type { Workspace } from '../store/workspace.ts';
import { type EpisodeStage, type EpisodeWishes, runEpisode } from './episode.ts';
import type { ShownPlay } from './live.ts';
import { mendedTexts } from './mended.ts';
import { runPlayer } from './run-player.ts';
import { type Script, scriptOf } from './script.ts';
import type { VirtualStage } from './stage/stage.ts';

export type PlayWishes = {
  workspace: Workspace;
  ffmpeg: FfmpegInfo;
  /** The program's own version. */
  version: string;
  /** The demonstration. */
  recording: { id: string; folder: string };
  stage: StageKind;
  /** A stage that is there, which goes on afterwards as the play leaves it; absent: a virtual stage is set up for it. */
  on?: VirtualStage;
  /** How a virtual stage is set up; not needed on the present display. */
  recipe: Recipe | null;
  pace: Pace;
  /** How late a target or an effect may be, ms. */
  patienceMs: number;
  /** As of an episode. */
  beside?: EpisodeWishes['beside'];
  onRecording?: EpisodeWishes['onRecording'];
  /** As of a stage. */
  withoutCage?: boolean;
  /** A step that is not played, to see what comes of it. */
  leaveOut?: string;
  /** What is answered at the end, for checks of an answer; null or absent: nothing. */
  answer?: string | null;
  /** `share`: how much of the play is done, 0 to 1. */
  progress(text: string, share?: number): void;
  /** The stage is there: who watches may look at it until the play says that it is over. */
  show?(env: NodeJS.ProcessEnv, view: Rect): ShownPlay;
  /** No step is begun after it, and the checks are looked at then; absent: never. */
  deadline?: AbortSignal;
  signal: AbortSignal;
};

/**
 * Performs a demonstration again, records that, and compares it step by step. The stage is thrown away afterwards, whatever
 * happens. Throws what setting the stage up, recording and reading the demonstration throw; that a play stops because the
 * screen disagrees is no error but its report.
 */
export async function play(wishes: PlayWishes): Promise<PlayReport> {
  const { workspace, recording, ffmpeg, signal, progress, pace, patienceMs, stage } = wishes;
  const whole = await scriptOf(recording.folder, ffmpeg, signal, await mendedTexts(workspace, recording.id));
  const script = { ...whole, parts: whole.parts.filter(({ step }) => step !== wishes.leaveOut) };
  const { task, capture } = script.recording;
  let shown: ShownPlay | undefined;
  let count = 0;
  // Steps keep their numbers in the demonstration when one is left out.
  const numbers = new Map(script.actions.map(({ id }, n) => [id, n + 1]));
  const onStep = (step: PlayedStep): void => {
    const share = Math.min(1, ++count / Math.max(1, script.parts.length));
    progress(`${numbers.get(step.step)} of ${script.actions.length}: ${lineOf(step)}`, share);
  };
  const played = await runEpisode(
    {
      ...wishes,
      task: task.id,
      stage: stageOfPlay(wishes, script),
      record: {
        target:
          capture.target.kind === 'region'
            ? { kind: 'region', region: capture.target.region }
            : { kind: 'display', display: null },
        fps: capture.fps,
        played: { recording: script.recording.id },
      },
    },
    {
      enter({ stage: { env } }) {
        progress(`playing ${plural(script.parts.length, 'step')} …`, 0);
        const view = script.parts[0]?.before;
        shown = view && wishes.show?.(env, view);
      },
      act({ stage: { env }, folder }) {
        const { parts, restless } = script;
        const { clock, stageClock = [] } = readRecording(folder);
        const order = { parts, restless, pace, patienceMs, startNs: clock.startNs, clock: stageClock };
        const stop = wishes.deadline ? AbortSignal.any([signal, wishes.deadline]) : signal;
        return runPlayer(order, env, { onStep, onBegan: (step: string) => shown?.began(step) }, stop);
      },
      answer: () => wishes.answer ?? null,
    },
  ).finally(() => shown?.over());
  const { stopped, steps, took } = played.done;
  const first = script.actions[0];
  const last = script.actions.at(-1);
  const report: PlayReport = {
    schema: PLAY_SCHEMA,
    version: 1,
    recording: script.recording.id,
    played: played.recording,
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
    checks: played.checked?.checks ?? [],
    passed: played.checked?.passed ?? null,
    weak: played.checked?.weak ?? null,
    actionsEqual: equalActions(script.actions, openFolder(played.folder).actions, steps),
  };
  writeFileAtomic(join(played.folder, PLAY_FILE), `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

function stageOfPlay(wishes: PlayWishes, script: Script): EpisodeStage {
  if (wishes.stage === 'display') return { kind: 'display' };
  return wishes.on ? { kind: 'kept', stage: wishes.on } : stageFor(wishes, script);
}

/** A stage for a demonstration. Throws USAGE without a recipe. */
export function stageFor(
  { recipe, recording, withoutCage = false }: Pick<PlayWishes, 'recipe' | 'recording' | 'withoutCage'>,
  { recording: { task }, parts, layout, size }: Script,
): EpisodeStage & { kind: 'virtual' } {
  if (!recipe) {
    throw new StudioError(
      'USAGE',
      `The task ${task.id} has no recipe, so nobody knows how its stage is set up. Give one with --recipe FILE, or attach it: \`tasks attach ${task.id} recipe.json --role recipe\`. \`play --help\` shows one.`,
      { recording: recording.id },
    );
  }
  const elements = parts.some(({ element }) => element !== null);
  return { kind: 'virtual', recipe, ...size, layout, elements, withoutCage };
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
