import { looksAtElements } from '../../core/play/checks.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import type { CheckReport } from '../../schemas/checks.ts';
import type { Recipe } from '../../schemas/play.ts';
import { captureOrder } from '../capture/order.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Beside } from './beside.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { homeFiles } from './checks/written.ts';
import { filesOfTask } from './recipe.ts';
import { checkAfter, checkNow, recordWhile, UNATTENDED } from './record-while.ts';
import { stageClockIn } from './stage/clock.ts';
import { setStage } from './stage/set-stage.ts';
import {
  type AnyStage,
  endStageTelling,
  PLAIN_LAYOUT,
  PLAIN_SCREEN,
  presentStage,
  type VirtualStage,
} from './stage/stage.ts';

/**
 * An episode: a task on a stage, a recorder, an actor, and the task's checks: at the end, and at points in between where the actor asks. Who acts (the player of a demonstration,
 * a script, a model, a person) is all in which they differ.
 */

/** The present display; a stage of its own, which is thrown away afterwards; or one that is there, and goes on afterwards as it is left. */
export type EpisodeStage =
  | { kind: 'display' }
  | { kind: 'kept'; stage: VirtualStage }
  | {
      kind: 'virtual';
      recipe: Recipe;
      /** The screen, px, and the keyboard's layout, where the recipe names none. */
      width: number;
      height: number;
      layout: { layout: string; variant: string };
      /** Its programs tell of their elements, also where no check asks for them. */
      elements: boolean;
      /** As of a stage. */
      withoutCage: boolean;
    };

export type EpisodeWishes = {
  workspace: Workspace;
  ffmpeg: FfmpegInfo;
  /** The program's own version. */
  version: string;
  task: string;
  stage: EpisodeStage;
  record: Pick<Parameters<typeof captureOrder>[1], 'target' | 'fps' | 'played' | 'elements'> & {
    /** Whose recording it is; absent: nobody's. */
    person?: string | null;
  };
  /** Whether the recording gets a playback copy; absent: none. */
  playback?: 'now';
  /**
   * Episodes that follow one another: what an earlier one left to be done goes on until this one's recording has begun, and its own
   * keyframes are cut beside the next. Absent: all is there at its end.
   */
  beside?: Beside | undefined;
  /** Its recording has begun, and nothing is acted yet. */
  onRecording?: ((recording: string) => void) | undefined;
  progress(text: string, share?: number): void;
  signal: AbortSignal;
};

/** A stage that is there; or a new one by a recipe. */
export type StageGiven = { recipe: Recipe } | { stage: VirtualStage };

/** The stage of an actor that repeats no demonstration. */
export function stageOfActor(given: StageGiven, more: { elements: boolean; withoutCage: boolean }): EpisodeStage {
  if ('stage' in given) return { kind: 'kept', stage: given.stage };
  return {
    kind: 'virtual',
    recipe: given.recipe,
    layout: PLAIN_LAYOUT,
    ...PLAIN_SCREEN,
    ...given.recipe.screen,
    ...more,
  };
}

/** Stops an episode that has not begun to act; one that acts ends by itself, since its checks are still to be looked at. */
export function stopBeforeActing(signal: AbortSignal): { signal: AbortSignal; acting(): void; over(): void } {
  const setUp = new AbortController();
  const stop = (): void => setUp.abort(signal.reason);
  const over = (): void => signal.removeEventListener('abort', stop);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  return { signal: setUp.signal, acting: over, over };
}

/** How the whole screen of an actor is recorded that has no demonstration to be compared with. */
export const WHOLE_SCREEN = { target: { kind: 'display', display: null }, fps: 30 } as const;

/** What an actor acts in. */
export type Scene = {
  stage: AnyStage;
  /** The episode's own recording. */
  recording: string;
  folder: string;
  /** Looks at the task's checks as the stage is now; null where it has none. The actor waits, and goes on. */
  check(): Promise<CheckReport | null>;
};

export type Actor<T> = {
  /** The stage is set, and nothing is recorded yet. */
  enter?(scene: Scene): void;
  /** Acts while everything is recorded. */
  act(scene: Scene): Promise<T>;
  /** What it answered at the end, for checks of an answer; null or absent: nothing. */
  answer?(done: T): string | null;
};

export type Played<T> = Pick<Scene, 'recording' | 'folder'> & { done: T; checked: CheckReport | null };

/**
 * Sets the stage, records while `actor` acts, looks at the checks while the stage is still there, and ends the stage whatever
 * happens. Throws what setting the stage up, recording and the actor throw.
 */
export async function runEpisode<T>(wishes: EpisodeWishes, actor: Actor<T>): Promise<Played<T>> {
  const { stage, progress } = wishes;
  if (stage.kind === 'display') return actOn(wishes, presentStage(), actor);
  if (stage.kind === 'kept') return actOn(wishes, stage.stage, actor);
  const set = await setStageOf(wishes, stage);
  for (const note of set.notes) progress(`note: ${note}`);
  try {
    return await actOn(wishes, set, actor);
  } finally {
    await endStageTelling(set, progress);
  }
}

/** A stage for a task, with the task's files on it. Throws what setting it up throws. */
export async function setStageOf(
  { workspace, task, progress, signal }: Pick<EpisodeWishes, 'workspace' | 'task' | 'progress' | 'signal'>,
  { kind: _, elements, ...stage }: EpisodeStage & { kind: 'virtual' },
): Promise<VirtualStage> {
  progress('setting the stage …');
  const fileOf = await filesOfTask(workspace.store, workspace.dir, task);
  const asked = elements || looksAtElements(await checksOfTask(workspace, task));
  return setStage({ ...stage, elements: asked, fileOf, task, workspace: workspace.dir, signal });
}

async function actOn<T>(wishes: EpisodeWishes, stage: AnyStage, actor: Actor<T>): Promise<Played<T>> {
  const { workspace, ffmpeg, version, signal, record } = wishes;
  const { env, home } = stage;
  const task = await taskById(workspace.store, wishes.task);
  const checks = await checksOfTask(workspace, task.id);
  const software = await workspace.findSoftware(task.software);
  const order = captureOrder(workspace, {
    ...UNATTENDED,
    ...record,
    ffmpeg,
    software,
    task,
    version,
    stageClock: stageClockIn(env),
  });
  const { folder, id: recording } = order;
  const look = { workspace, task: task.id, checks, home, env, signal };
  const scene: Scene = { stage, recording, folder, check: () => checkNow({ ...look, answer: null }) };
  actor.enter?.(scene);
  // The present display's home is the person's own: nothing of it is looked through.
  const before = stage.kind === 'virtual' ? homeFiles(home) : null;
  return recordWhile(wishes, order, env, async () => {
    wishes.onRecording?.(recording);
    await wishes.beside?.done();
    const done = await actor.act(scene);
    const answer = actor.answer?.(done) ?? null;
    return { recording, folder, done, checked: await checkAfter({ ...look, answer, folder, before }) };
  });
}
