import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Act } from '../../core/evaluate/keys/acts.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import type { RgbImage } from '../../schemas/picture.ts';

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
/** Still for `stillMs`, looked at every `lookMs`, waited for at most `atMostMs`. */
export type RestTimes = { stillMs: number; lookMs: number; atMostMs: number };

/** What the process is asked, and what it gives; structured clones. */
export type StageDisplayCalls = {
  layout: { asks: []; gives: KeyboardLayout };
  do: { asks: [act: Act]; gives: string | null };
  answered: { asks: [atMostMs: number]; gives: boolean };
  rest: { asks: [rect: Rect, times: RestTimes]; gives: number };
  look: { asks: [rect: Rect]; gives: RgbImage | null };
  titles: { asks: []; gives: string[] };
  screen: { asks: []; gives: Rect };
  release: { asks: []; gives: null };
};
export type DisplayCall = keyof StageDisplayCalls;
export type ToDisplay = { [C in DisplayCall]: { call: C; with: StageDisplayCalls[C]['asks']; n: number } }[DisplayCall];
export type FromDisplay = { n: number } & ({ gives: unknown } | { fails: string });

/** A process that does not answer for so long beyond what the call itself may take is given up, ms. */
const SILENT_MS = 30_000;
/** A drag's point takes so long at most, ms. */
const POINT_MS = 30;
const MOST_SAID = 2000;

/** Opens the display that `env` names. Throws CAPTURE_FAILED at the first call when it cannot be opened. */
export function openStageDisplay(env: NodeJS.ProcessEnv, { silentMs = SILENT_MS } = {}): StageDisplay {
  const child = fork(new URL('./display-main.ts', import.meta.url), [], {
    env,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const waiting = new Map<number, { done(value: unknown): void; fail(error: Error): void; timer: NodeJS.Timeout }>();
  let over: Error | null = null;
  let said = '';
  let count = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString('utf8')}`.slice(-MOST_SAID);
  });
  const giveUp = (why: string): void => {
    over ??= failure(why);
    for (const { fail, timer } of waiting.values()) {
      clearTimeout(timer);
      fail(over);
    }
    waiting.clear();
    child.kill('SIGKILL');
  };
  child.on('message', (message: FromDisplay) => {
    const one = waiting.get(message.n);
    if (!one) return;
    waiting.delete(message.n);
    clearTimeout(one.timer);
    if ('fails' in message) one.fail(failure(message.fails));
    else one.done(message.gives);
  });
  child.once('exit', (status) => giveUp(`it ended with status ${status}. ${said.trim()}`.trim()));
  child.on('error', (error) => giveUp(error.message));

  function ask<C extends DisplayCall>(
    call: C,
    asked: StageDisplayCalls[C]['asks'],
    takesMs = 0,
  ): Promise<StageDisplayCalls[C]['gives']> {
    return new Promise((done, fail) => {
      if (over) return fail(over);
      const n = ++count;
      const silent = (): void => giveUp('it says nothing any more; its display is probably gone');
      const timer = setTimeout(silent, silentMs + takesMs);
      waiting.set(n, { done: (value) => done(value as StageDisplayCalls[C]['gives']), fail, timer });
      child.send({ call, with: asked, n } as ToDisplay, () => undefined);
    });
  }

  return {
    layout: () => ask('layout', []),
    async do(act) {
      // Waited for here, so that the process can be asked and ended meanwhile.
      if (act.do === 'wait') return await sleep(act.ms, null);
      return ask('do', [act], act.do === 'drag' ? (act.path?.length ?? 0) * POINT_MS : 0);
    },
    answered: (atMostMs) => ask('answered', [atMostMs], atMostMs),
    rest: (rect, times) => ask('rest', [rect, times], times.atMostMs),
    look: (rect) => ask('look', [rect]),
    titles: () => ask('titles', []),
    screen: () => ask('screen', []),
    async release() {
      await ask('release', []);
    },
    async close() {
      if (!over) await ask('release', []).catch(() => undefined);
      over ??= failure('it was closed');
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((done) => child.once('exit', () => done()));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

const failure = (why: string): StudioError =>
  new StudioError('CAPTURE_FAILED', `The stage's display could not be used: ${why.replace(/\.$/, '')}.`, { why });
