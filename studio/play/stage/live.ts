import { openCaller } from '../../../native/process/calls.ts';
import { endingInWords } from '../../../native/process/ending.ts';
import { startProcess } from '../../../native/process/start-process.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import type { StageAct } from '../../../schemas/stage-acts.ts';

/** A stage as people look at it and act on it now. A process of its own holds the display, as for every other work on one. */
export type LiveStage = {
  /**
   * The next frame (core/play/live-frames.ts) after the one of this number; 0: the whole screen. Resolves after some seconds also where
   * nothing has changed. Throws CAPTURE_FAILED when the stage is gone.
   */
  next(since: number): Promise<Uint8Array>;
  /** Does what a person did, in its order; gives the characters that the layout lacks, for which a key was changed. */
  act(acts: readonly StageAct[]): Promise<string[]>;
  /** Lets go of every key and button that is held. */
  release(): Promise<void>;
  /** Waits until the program that has the keyboard has taken in what it was sent, and the screen is at rest; at most so long, ms, each. */
  settle(atMostMs: number): Promise<void>;
  /** Never throws, and can be called twice. */
  close(): Promise<void>;
};

/** What its process (live-main.ts) offers. */
export type LiveStageCalls = {
  next(asked: { since: number }): Promise<Uint8Array>;
  act(acts: readonly StageAct[]): Promise<string[]>;
  release(_: null): Promise<void>;
  settle(asked: { atMostMs: number }): Promise<void>;
};

/** A process that does not answer for so long is given up, ms. */
const SILENT_MS = 45_000;

/** Opens the display that `env` names; its process starts with the first call. */
export function openLiveStage(env: NodeJS.ProcessEnv): LiveStage {
  const entry = new URL('./live-main.ts', import.meta.url);
  const open = () =>
    openCaller<LiveStageCalls>(
      (wishes) => startProcess(entry, { ...wishes, env, isCloned: true }),
      ({ why, ...how }) => gone(why === 'killed' ? 'it is over' : endingInWords({ why, ...how })),
    );
  let caller: ReturnType<typeof open> | null = null;
  let isClosed = false;
  async function ask<C extends keyof LiveStageCalls>(
    call: C,
    asked: Parameters<LiveStageCalls[C]>[0],
  ): Promise<Awaited<ReturnType<LiveStageCalls[C]>>> {
    if (isClosed) throw gone('it is over');
    caller ??= open();
    try {
      return await caller.call(call, asked, { limitMs: SILENT_MS });
    } catch (error) {
      throw error instanceof StudioError && error.code === 'CAPTURE_FAILED' ? error : gone(whyNot(error));
    }
  }
  return {
    next: (since) => ask('next', { since }),
    act: (acts) => ask('act', acts),
    release: () => ask('release', null),
    settle: (atMostMs) => ask('settle', { atMostMs }),
    async close() {
      isClosed = true;
      await caller?.call('release', null, { limitMs: 2000 }).catch(() => undefined);
      await caller?.kill();
    },
  };
}

const gone = (why: string): StudioError =>
  new StudioError('CAPTURE_FAILED', `The stage cannot be seen any more: ${why.replace(/\.$/, '')}.`, { why });
