/** How many pictures were dropped while the sync checks were painted (C4). */
export type DropCount = {
  /** A check begins; one at a time. */
  begin(): void;
  /** Its last paint was made. What the recorder says of it for a moment longer still counts. */
  end(): void;
  /** Over all checks; one that was not settled is counted up to now. For the end of a recording. */
  total(): number;
};

/** The recorder says what it dropped four times a second, and pictures come after their paint. ms. */
const SETTLES_MS = 650;

/**
 * `read` gives the recorder's own count, which only grows. It may be a quarter of a second old, so what was dropped just
 * before a check may be taken for its own.
 */
export function countDrops(read: () => number): DropCount {
  let sum = 0;
  let from: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function settle(): void {
    clearTimeout(timer);
    if (from !== null) sum += read() - from;
    from = null;
  }
  return {
    begin() {
      settle();
      from = read();
    },
    end() {
      clearTimeout(timer);
      timer = setTimeout(settle, SETTLES_MS);
      timer.unref();
    },
    total() {
      settle();
      return sum;
    },
  };
}
