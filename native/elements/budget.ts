/** The most that one question of the studio may cost: calls to a program, and ms until nobody is asked any more. */
export const MOST_CALLS = 150;
export const MOST_MS = 400;

/** A question ran out of calls or time. */
export class TooMuch extends Error {}

/** Counts what a question costs. Times in ms. */
export class Budget {
  readonly #now: () => number;
  #calls = 0;
  #longest = 0;
  #began = 0;
  #deadline = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(ms = MOST_MS): void {
    this.#calls = 0;
    this.#longest = 0;
    this.#began = this.#now();
    this.#deadline = this.#began + ms;
  }

  /** Makes one call, which is handed the ms that are left. Throws TooMuch instead where there are none, or no calls. */
  spend<T>(call: (leftMs: number) => T): T {
    const asked = this.#now();
    const left = this.#deadline - asked;
    if (++this.#calls > MOST_CALLS || left <= 0) throw new TooMuch();
    try {
      return call(Math.max(1, Math.ceil(left)));
    } finally {
      this.#longest = Math.max(this.#longest, this.#now() - asked);
    }
  }

  /** Whether it has taken no longer than this since `begin`. */
  isWithin(ms: number): boolean {
    return this.#now() - this.#began <= ms && this.#calls < MOST_CALLS;
  }

  /** The longest that a single call took since `begin`. */
  get longest(): number {
    return this.#longest;
  }
}
