import { homedir } from 'node:os';
import { StudioError } from '../../../schemas/errors.ts';
import { openStageDisplay, type StageDisplay } from './display.ts';
import { freeDisplayNumber } from './display-number.ts';
import { homeOf, isOwned, listStages, removeHalfStages, removeStageFolder, type StageState, socketOf } from './home.ts';
import { closeGroup } from './limits.ts';
import { failed } from './place.ts';
import { endProcesses } from './processes.ts';

/**
 * A stage: a display with its programs and a home, on which something is done, recorded and checked. Everybody who needs one has
 * it as this: the present display (`presentStage`), a new one (`setStage`), or one that was kept (`findStage`, `keptStages`).
 */
export type AnyStage = PresentStage | VirtualStage;

/** The screen, px, and the keyboard's layout of a stage where neither its recipe nor a demonstration names any. */
export const PLAIN_SCREEN = { width: 1280, height: 800 };
export const PLAIN_LAYOUT = { layout: 'us', variant: '' };

type StageBase = {
  /** The environment of a process that looks at it or acts on it. */
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Wishes of the recipe that could not be met, in words. */
  readonly notes: readonly string[];
  /** Hands and eyes on its display. Who opens it closes it. */
  openDisplay(): StageDisplay;
  /**
   * Ends every program on it and removes its folder; the present display stays. Gives what is left all the same, in words; null:
   * nothing. Can be called twice, and never throws: what was done on the stage counts whatever becomes of it.
   */
  end(): Promise<string | null>;
};

/** The display that the person works at, with the person's own home. */
export type PresentStage = StageBase & { readonly kind: 'display' };

/**
 * A display with a window manager, a session bus and a home of its own, and no network unless the recipe asks for it. Two of them
 * side by side do not meet. Linux only.
 */
export type VirtualStage = StageBase & {
  readonly kind: 'virtual';
  readonly id: string;
  /** Its display's name; empty while it is being set up. */
  readonly display: string;
  readonly width: number;
  readonly height: number;
  /** The task that it was set up for, and the folder of that task's workspace. */
  readonly task: string | null;
  readonly workspace: string | null;
  /** It stays when the process that set it up ends, and goes on after a task, until it is ended. */
  readonly isKept: boolean;
};

export function presentStage(): PresentStage {
  const env = process.env;
  return {
    kind: 'display',
    env,
    home: homedir(),
    notes: [],
    openDisplay: () => openStageDisplay(env),
    end: async () => null,
  };
}

/** The stage that `state` describes. */
export function virtualStage(
  state: StageState,
  notes: readonly string[] = [],
  end: VirtualStage['end'] = once(() => clearAway(state).catch(String)),
): VirtualStage {
  const { id, display, width, height, task, workspace, owner, env: own } = state;
  const env = { ...process.env, ...own };
  const facts = { id, display, width, height, task, workspace, isKept: owner === null };
  return { kind: 'virtual', ...facts, env, home: homeOf(id), notes, openDisplay: () => openStageDisplay(env), end };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work();
    return running;
  };
}

/** Ends a stage; what is left of it is a warning beside the result of what was done on it. */
export async function endStageTelling(stage: Pick<AnyStage, 'end'>, tell: (text: string) => void): Promise<void> {
  const left = await stage.end();
  if (left !== null) tell(`warning: ${left}`);
}

/** Ends what runs on a stage and removes its folder. Gives what is left, in words. */
export async function clearAway(state: StageState): Promise<string | null> {
  const { id, display } = state;
  const left = await endProcesses(id);
  closeGroup(id);
  if (display !== '') {
    const number = Number(display.slice(1));
    freeDisplayNumber(number, socketOf(id, number));
  }
  const stays = removeStageFolder(state);
  return left.length > 0 ? `Programs of the stage cannot be ended: ${left.join(', ')}. End them by hand.` : stays;
}

/**
 * Ends a stage that was kept, by its id, the beginning of it, or its task. Throws UNKNOWN_DISPLAY; CAPTURE_FAILED when something
 * of it is left.
 */
export async function endStage(id: string): Promise<void> {
  const left = await findStage(id).end();
  if (left !== null) throw failed(left);
}

/**
 * A stage by its id, the beginning of it, or its task; a task is one of `workspace`, where one is given, and its stage one that
 * is kept. Throws UNKNOWN_DISPLAY when it is none or not one alone.
 */
export function findStage(id: string, workspace?: string): VirtualStage {
  const ofTask = (stage: VirtualStage): boolean =>
    stage.isKept && stage.task === id && (workspace === undefined || stage.workspace === workspace);
  const found = allStages().filter((stage) => stage.id.startsWith(id) || ofTask(stage));
  const [stage, more] = found;
  if (!stage || more) {
    throw new StudioError(
      'UNKNOWN_DISPLAY',
      `${found.length === 0 ? 'No' : 'More than one'} stage is called “${id}”. \`stage list\` shows them.`,
      { id },
    );
  }
  return stage;
}

/** This person's virtual stages, also those of plays that run. */
export const allStages = (): VirtualStage[] => listStages().map((state) => virtualStage(state));

/** Stages that were set up for a task of this workspace and are kept; one of a play that runs is that play's alone. */
export const keptStages = (workspace: string, task: string): VirtualStage[] =>
  allStages().filter((one) => one.isKept && one.task === task && one.workspace === workspace);

/** Removes stages whose owner was killed, with everything that still runs on them. */
export async function sweepStages(): Promise<void> {
  for (const state of listStages().filter((stage) => !isOwned(stage))) await clearAway(state);
  removeHalfStages();
}
