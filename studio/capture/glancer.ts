import { log } from '../../native/log/log.ts';
import { type Caller, openCaller } from '../../native/process/calls.ts';
import { startProcess } from '../../native/process/start-process.ts';
import type { ScreenPictures } from '../../schemas/api/models.ts';
import type { Rect } from '../../schemas/events.ts';
import type { FrontLists } from './front.ts';

export type GlanceWishes = FrontLists & {
  /** The running recording's target; a picture of it is wanted too. */
  view: Rect | null;
  /** Nothing else is. */
  viewAlone?: boolean;
};

/** What its process (glance-main.ts) offers. */
export type GlanceCalls = { take(wishes: GlanceWishes): Promise<ScreenPictures> };

/** The process that takes pictures of the screen: started when they are asked for, gone soon after. */
export type Glancer = {
  /** None where this system shows none, or does not answer. Never throws. */
  take(wishes: GlanceWishes): Promise<ScreenPictures>;
  close(): void;
};

const MAIN = new URL('./glance-main.ts', import.meta.url);
/** A page that is open asks every few seconds. */
const IDLE_MS = 10_000;
/** A display that hangs is a display that is not there. */
const WITHIN_MS = 10_000;

export const NO_PICTURES: ScreenPictures = { displays: [], windows: [], view: null };

/** `env`: of the display, when it is not the present one. */
export function createGlancer({ env = process.env }: { env?: NodeJS.ProcessEnv } = {}): Glancer {
  let open: Caller<GlanceCalls> | null = null;
  let idle: NodeJS.Timeout | undefined;
  // One question at a time; who asks meanwhile waits.
  let turn: Promise<unknown> = Promise.resolve();

  function close(): void {
    clearTimeout(idle);
    void open?.kill();
    open = null;
  }

  function begin(): Caller<GlanceCalls> {
    const caller = openCaller<GlanceCalls>((wishes) => startProcess(MAIN, { ...wishes, env }));
    void caller.ended.then(() => {
      if (open === caller) open = null;
    });
    return caller;
  }

  async function ask(wishes: GlanceWishes): Promise<ScreenPictures> {
    clearTimeout(idle);
    open ??= begin();
    try {
      return await open.call('take', wishes, { limitMs: WITHIN_MS });
    } catch (error) {
      log.warn('no pictures of the screen', { error });
      return NO_PICTURES;
    } finally {
      idle = setTimeout(close, IDLE_MS).unref();
    }
  }

  return {
    take(wishes) {
      const asked = turn.then(() => ask(wishes));
      turn = asked;
      return asked;
    },
    close,
  };
}
