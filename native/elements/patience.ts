/** A program that was too slow is left alone for so long, ms; twice as long each time, and for good after the last. */
const REST_MS = 500;
/** A single answer that took so long, ms. */
const HANGS_MS = 200;
const MOST_SLOW = 6;

/** Which programs are asked less often as they were too slow, by whatever names them. Times in ms. */
export class Patience {
  readonly #now: () => number;
  readonly #slow = new Map<string, { times: number; until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** It is left alone now. */
  rests(program: string): boolean {
    const late = this.#slow.get(program);
    return late !== undefined && (late.times >= MOST_SLOW || this.#now() < late.until);
  }

  /** It has used up the calls or the time of a question; its longest single answer took so long. */
  wasSlow(program: string, longest: number): void {
    // Many short answers that together take too long are a busy machine's; one that does not come is a program's.
    const times = (this.#slow.get(program)?.times ?? 0) + (longest >= HANGS_MS ? 1 : 0);
    this.#slow.set(program, { times, until: this.#now() + (times === 0 ? 0 : REST_MS * 2 ** (times - 1)) });
  }

  hasAnswered(program: string): void {
    this.#slow.delete(program);
  }
}
