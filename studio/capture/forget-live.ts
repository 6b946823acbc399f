import type { SessionClock } from '../../native/clock/session-clock.ts';
import type { ScreenRecorder } from '../../native/screen/contract.ts';
import { errorBody } from '../../schemas/errors.ts';
import { type Forgot, finishForgetting, markForgetting } from './forget.ts';
import type { RecordingFiles } from './outlet.ts';
import type { Pauses } from './pauses.ts';
import type { FromCapture } from './protocol.ts';
import type { RecordedTime } from './recorded-time.ts';

/** Forgetting in a running recording. It pauses meanwhile, so nothing is written while the files are rewritten. */
export type LiveForgetting = {
  /** Forgets what was recorded from so long before `t` (µs) on. Nothing when it is doing so already. */
  forget(t: number): void;
  /** When nothing is being forgotten; waits so long at most, ms. Nothing is begun, or rewritten, any more after it. */
  end(atMost: number | null): Promise<void>;
};

type Parts = {
  folder: string;
  clock: SessionClock;
  /** How much is forgotten, ms. */
  ms: number;
  /** When the first line was written: there is nothing before it. µs. */
  begin: number;
  pauses: Pick<Pauses, 'forget' | 'resume' | 'release'>;
  screen: Pick<ScreenRecorder, 'forget'>;
  files: RecordingFiles;
  /** Gives room on a full disk, once. */
  reserve: { release(): boolean };
  recorded: Pick<RecordedTime, 'forget' | 'at'>;
  tell(message: FromCapture): void;
  stop(why: string): void;
  /** Why there is nothing to forget now; null when there is. */
  refusal(): string | null;
  onForgot(left: Forgot, times: { from: number; to: number }): void;
};

/** How long the end of a recording waits for a forgetting before closing takes it over, ms. */
const LONGEST_MS = 60_000;

export function createForgetting(parts: Parts): LiveForgetting {
  const { folder, clock, files, pauses, ms } = parts;
  const were = /s$/.test(lengthInWords(ms)) ? 'were' : 'was';
  const failed = (why: string): void =>
    parts.tell({ type: 'notice', code: 'not-forgotten', message: `The last ${lengthInWords(ms)} ${why}` });
  let running: Promise<void> | null = null;
  let over = false;

  /** On a full disk it is tried once more with the room that was set aside. */
  async function withRoom<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (errorBody(error).code !== 'DISK_FULL' || !parts.reserve.release()) throw error;
      return await work();
    }
  }
  function mark(from: number, to: number): void {
    const work = (): void => markForgetting(folder, { from, to });
    try {
      work();
    } catch (error) {
      if (errorBody(error).code !== 'DISK_FULL' || !parts.reserve.release()) throw error;
      work();
    }
  }

  async function rewrite(from: number): Promise<Forgot | null> {
    // Closing has taken it over: two must not write.
    if (over) return null;
    const isKept = (line: object): boolean => 't' in line && typeof line.t === 'number' && line.t < from;
    pauses.release();
    await withRoom(() => {
      for (const file of Object.values(files)) file.letGo(isKept);
    });
    const forgot = await withRoom(() => finishForgetting(folder, 'ended'));
    if (!forgot) return null;
    files.events.goOn(forgot.lines.events);
    files.frames.goOn(forgot.lines.frames);
    files.windows.goOn(forgot.lines.windows);
    files.elements.goOn(forgot.lines.elements);
    return forgot;
  }

  async function work(from: number, all: boolean): Promise<void> {
    let forgot: Forgot | null = null;
    try {
      await parts.screen.forget(from, async () => {
        forgot = await rewrite(from);
        return forgot ?? { frames: 0, segments: 0 };
      });
    } catch (error) {
      const { code, message } = errorBody(error);
      failed(
        `could not be forgotten yet (${message}). The recording ends here, and it is done when that is closed: make room, then open the workspace, or use "recover".`,
      );
      parts.stop(code === 'DISK_FULL' ? 'disk-full' : 'capture-failed');
      return;
    }
    // Assigned in the callback, which the compiler does not see.
    const done = forgot as Forgot | null;
    if (!done) return;
    const to = clock.now();
    parts.recorded.forget(from);
    parts.onForgot(done, { from, to });
    const { frames, inputs, marks } = done;
    const message = all ? 'Everything so far was forgotten.' : `The last ${lengthInWords(ms)} ${were} forgotten.`;
    parts.tell({ type: 'forgotten', message, frames, events: inputs, marks, t: parts.recorded.at(to) });
    pauses.resume('forgotten', to);
  }

  return {
    forget(t) {
      if (running || over) return;
      const refusal = parts.refusal();
      if (refusal) {
        parts.tell({ type: 'notice', code: 'not-forgotten', message: `${refusal}: nothing was forgotten.` });
        return;
      }
      const wanted = t - ms * 1000;
      const from = Math.max(wanted, parts.begin);
      try {
        mark(from, t);
      } catch (error) {
        failed(
          `could not be forgotten (${errorBody(error).message}), and nothing was removed. Make room and try again, or stop and delete the recording.`,
        );
        return;
      }
      pauses.forget(from);
      running = work(from, wanted <= parts.begin).finally(() => {
        running = null;
      });
    },
    async end(atMost) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, atMost ?? LONGEST_MS);
      await Promise.race([running, promise]);
      clearTimeout(timer);
      over = true;
    },
  };
}

/** `2 minutes`, `minute`, `30 seconds`: what comes after "the last". */
export function lengthInWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return count === 1 ? unit : `${count} ${unit}s`;
}
