import type { AtspiQuestions } from './atspi-questions.ts';

/** A program that was too slow is left alone for so long, ms; twice as long each time, and for good after the last. */
const REST_MS = 500;
/** A single answer that took so long, ms. */
const HANGS_MS = 200;
const MOST_SLOW = 6;
/** How often it is looked for programs that have come since, ms. */
const LOOK_AGAIN_MS = 500;

/** Programs on the bus by their process ids, and those that are asked less often as they were too slow. */
export class AtspiPrograms {
  readonly #ask: AtspiQuestions;
  readonly #now: () => number;
  readonly #programs = new Map<number, string>();
  readonly #known = new Set<string>();
  readonly #slow = new Map<string, { times: number; until: number }>();
  #looked = Number.NEGATIVE_INFINITY;

  constructor(ask: AtspiQuestions, now: () => number) {
    this.#ask = ask;
    this.#now = now;
  }

  pids(): Set<number> {
    return new Set(this.#programs.keys());
  }

  /** A program's name on the bus; null where it is not there. */
  find(pid: number): string | null {
    const name = this.#programs.get(pid);
    if (name !== undefined) return name;
    if (this.#now() - this.#looked < LOOK_AGAIN_MS) return null;
    this.look();
    return this.#programs.get(pid) ?? null;
  }

  look(): void {
    this.#looked = this.#now();
    const refs = this.#ask.programs();
    const there = new Set(refs.map(({ bus }) => bus));
    for (const [pid, bus] of this.#programs) if (!there.has(bus)) this.#programs.delete(pid);
    for (const bus of this.#known) if (!there.has(bus)) this.#known.delete(bus);
    for (const { bus } of refs) {
      if (this.#known.has(bus)) continue;
      const pid = this.#ask.pidOf(bus);
      // Not before it has answered: it is asked again otherwise.
      this.#known.add(bus);
      if (pid !== null) this.#programs.set(pid, bus);
    }
  }

  /** It is left alone now. */
  rests(bus: string): boolean {
    const late = this.#slow.get(bus);
    return late !== undefined && (late.times >= MOST_SLOW || this.#now() < late.until);
  }

  /** It has used up the calls or the time of a question; its longest single answer took so long, ms. */
  wasSlow(bus: string, longest: number): void {
    // Many short answers that together take too long are a busy machine's; one that does not come is a program's.
    const times = (this.#slow.get(bus)?.times ?? 0) + (longest >= HANGS_MS ? 1 : 0);
    this.#slow.set(bus, { times, until: this.#now() + (times === 0 ? 0 : REST_MS * 2 ** (times - 1)) });
  }

  hasAnswered(bus: string): void {
    this.#slow.delete(bus);
  }
}
