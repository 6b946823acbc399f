import { type ChildProcess, fork } from 'node:child_process';
import type { ScreenPictures } from '../../schemas/api/models.ts';
import type { Rect } from '../../schemas/events.ts';
import type { FrontLists } from '../capture/front.ts';

export type GlanceWishes = FrontLists & {
  /** The running recording's target; a picture of it is wanted too. */
  view: Rect | null;
  /** Nothing else is. */
  viewAlone?: boolean;
};

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

type GlancerOptions = {
  /** The display's environment, when it is not the present one. */
  env?: NodeJS.ProcessEnv;
  main?: URL;
  withinMs?: number;
  idleMs?: number;
};

export function createGlancer(options: GlancerOptions = {}): Glancer {
  const { env = process.env, main = MAIN, withinMs = WITHIN_MS, idleMs = IDLE_MS } = options;
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  // One question at a time; who asks meanwhile waits.
  let turn: Promise<unknown> = Promise.resolve();

  function end(): void {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = null;
  }

  function ask(wishes: GlanceWishes): Promise<ScreenPictures> {
    clearTimeout(idle);
    child ??= fork(main, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [], env });
    const asked = child;
    const { promise, resolve } = Promise.withResolvers<ScreenPictures | null>();
    const slow = setTimeout(() => resolve(null), withinMs);
    const onGone = (): void => resolve(null);
    asked.once('message', (answer: { pictures?: ScreenPictures }) => resolve(answer.pictures ?? NO_PICTURES));
    asked.once('exit', onGone).once('error', onGone);
    if (asked.connected) asked.send(wishes, (error) => error && resolve(null));
    return promise.then((pictures) => {
      clearTimeout(slow);
      asked.off('exit', onGone).off('error', onGone).removeAllListeners('message');
      // Whoever kills a process still hears of its end.
      asked.on('error', () => undefined);
      if (pictures === null) end();
      else idle = setTimeout(end, idleMs).unref();
      return pictures ?? NO_PICTURES;
    });
  }

  return {
    take(wishes) {
      const asked = turn.then(() => ask(wishes));
      turn = asked;
      return asked;
    },
    close: end,
  };
}
