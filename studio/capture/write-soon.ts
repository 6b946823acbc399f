/**
 * Writes what waits a moment after it came: many things come together, and what comes alone is written soon. Where nothing comes
 * nothing is done: a process that wakes twenty-five times a second for nothing uses more of a still screen's time than looking at it.
 */
export type WriteSoon = {
  /** Something waits. */
  wake(): void;
  /** Nothing is written by itself any more. */
  stop(): void;
};

/** `write` gives how much still waits: as long as it does, it is tried again. */
export function writeSoon(write: () => number, ms: number): WriteSoon {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  function wake(): void {
    if (timer === null && !stopped) timer = setTimeout(turn, ms);
  }
  function turn(): void {
    timer = null;
    if (write() > 0) wake();
  }
  return {
    wake,
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
