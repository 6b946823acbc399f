/** Background work, one piece after the other and only after a pause, so that it gives way to what one works with. */
export type OneByOne = {
  /** There may be work: begins after the pause, unless it is running. */
  plan(): void;
  readonly signal: AbortSignal;
  stop(): void;
};

/** `next` gives the next piece, undefined when there is none; `work` must not reject. `pauseMs`: the pause, ms. */
export function oneByOne<T>(
  pauseMs: number,
  next: () => T | undefined,
  work: (piece: T, signal: AbortSignal) => Promise<void>,
): OneByOne {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running = false;

  async function run(): Promise<void> {
    timer = null;
    running = true;
    for (let piece = next(); piece !== undefined && !signal.aborted; piece = next()) await work(piece, signal);
    running = false;
  }

  return {
    signal,
    plan() {
      if (running || signal.aborted || next() === undefined) return;
      if (timer) clearTimeout(timer);
      timer = setTimeout(() => void run(), pauseMs);
    },
    stop() {
      controller.abort();
      if (timer) clearTimeout(timer);
    },
  };
}
