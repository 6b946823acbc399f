import { setTimeout as sleep } from 'node:timers/promises';
import type { Act } from '../../../core/evaluate/keys/acts.ts';
import type { RestTimes } from '../../../core/play/at-rest.ts';
import { openCaller } from '../../../native/process/calls.ts';
import { endingOnDisplay } from '../../../native/process/ending.ts';
import { startProcess } from '../../../native/process/start-process.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import type { Rect } from '../../../schemas/events.ts';
import type { KeyboardLayout } from '../../../schemas/layout.ts';
import type { RgbImage } from '../../../schemas/picture.ts';

/**
 * A stage's display: acts are done on it and it is looked at, call by call. A process of its own holds the display, since one
 * that goes away stops the thread that used it for ever.
 */
export type StageDisplay = {
  /** The layout of its keyboard now. */
  layout(): Promise<KeyboardLayout>;
  /**
   * Does one act, and resolves when its last event was sent. A character that the layout lacks is typed by a key that is changed
   * for it, and given. Throws CAPTURE_FAILED where it has no such key; nothing is done then.
   */
  do(act: Act): Promise<string | null>;
  /** Waits, at most so long, ms, until the program that has the keyboard has taken in what it was sent. */
  answered(atMostMs: number): Promise<boolean>;
  /** Waits until the screen is at rest; gives how long that took, ms. */
  rest(rect: Rect, times: RestTimes): Promise<number>;
  /** The screen now; null when the rectangle is not all on it. */
  look(rect: Rect): Promise<RgbImage | null>;
  /** The titles of all windows that a person sees. */
  titles(): Promise<string[]>;
  /** The whole desktop, px. */
  screen(): Promise<Rect>;
  /** Lets go of every key and button that is held. */
  release(): Promise<void>;
  /** Lets go of everything and ends the process. Never throws, and can be called twice. */
  close(): Promise<void>;
};

/** What its process (display-main.ts) offers. */
export type StageDisplayCalls = {
  layout(_: null): Promise<KeyboardLayout>;
  do(act: Act): Promise<string | null>;
  answered(atMostMs: number): Promise<boolean>;
  rest(asked: { rect: Rect; times: RestTimes }): Promise<number>;
  look(rect: Rect): Promise<RgbImage | null>;
  titles(_: null): Promise<string[]>;
  screen(_: null): Promise<Rect>;
  release(_: null): Promise<void>;
};

/** A process that does not answer for so long beyond what the call itself may take is given up, ms. */
const SILENT_MS = 30_000;
/** And for its own start, however busy the machine is. */
const START_MS = 30_000;
/** A drag's point takes so long at most, with those on the way to it, ms. */
const POINT_MS = 600;

/** Opens the display that `env` names. Throws CAPTURE_FAILED at the first call when it cannot be opened. */
export function openStageDisplay(env: NodeJS.ProcessEnv, { silentMs = SILENT_MS } = {}): StageDisplay {
  const entry = new URL('./display-main.ts', import.meta.url);
  const display = openCaller<StageDisplayCalls>(
    (wishes) => startProcess(entry, { ...wishes, env, isCloned: true }),
    (ending) => failure(ending.why === 'killed' ? 'it was closed' : endingOnDisplay(ending)),
  );

  let hasAnswered = false;
  /** `takesMs`: beyond what any call may take. */
  async function ask<C extends keyof StageDisplayCalls>(
    call: C,
    asked: Parameters<StageDisplayCalls[C]>[0],
    takesMs = 0,
  ): Promise<Awaited<ReturnType<StageDisplayCalls[C]>>> {
    try {
      const given = await display.call(call, asked, { limitMs: silentMs + takesMs + (hasAnswered ? 0 : START_MS) });
      hasAnswered = true;
      return given;
    } catch (error) {
      throw error instanceof StudioError && error.code === 'CAPTURE_FAILED' ? error : failure(whyNot(error));
    }
  }

  return {
    layout: () => ask('layout', null),
    async do(act) {
      // Waited for here, so that the process can be asked and ended meanwhile.
      if (act.do === 'wait') return await sleep(act.ms, null);
      return ask('do', act, act.do === 'drag' ? (act.path?.length ?? 0) * POINT_MS : 0);
    },
    answered: (atMostMs) => ask('answered', atMostMs, atMostMs),
    rest: (rect, times) => ask('rest', { rect, times }, times.atMostMs),
    look: (rect) => ask('look', rect),
    titles: () => ask('titles', null),
    screen: () => ask('screen', null),
    release: () => ask('release', null),
    async close() {
      await ask('release', null).catch(() => undefined);
      await display.kill();
    },
  };
}

const failure = (why: string): StudioError =>
  new StudioError('CAPTURE_FAILED', `The stage's display could not be used: ${why.replace(/\.$/, '')}.`, { why });
