import { largestOf, smallestOf } from '../../core/lists.ts';

/** Says that keys or buttons are lost: a moment after the first, together with those that come meanwhile. */
export type SayLost = {
  /** One that was pressed or let go at this time, µs. */
  lost(t: number): void;
  /** Says at once what is still to be said. */
  finish(): void;
};

/** A notice, and so a warning of the recording, whose verdict is not "complete" (close.ts). */
export const INPUT_LOST = 'input-lost';

export function sayLost(notice: (code: string, message: string) => void, ms = 200): SayLost {
  let times: number[] = [];
  let timer: NodeJS.Timeout | null = null;
  function finish(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (times.length === 0) return;
    const [from, to] = [smallestOf(times), largestOf(times)].map((t) => (t / 1e6).toFixed(2));
    const what = times.length === 1 ? '1 press or release' : `${times.length} presses and releases`;
    const when = from === to ? `at ${from} s` : `from ${from} s to ${to} s`;
    times = [];
    notice(INPUT_LOST, `${what} of keys or buttons ${when}, which the system lost on a busy machine`);
  }
  return {
    lost(t) {
      times.push(t);
      timer ??= setTimeout(finish, ms);
    },
    finish,
  };
}
