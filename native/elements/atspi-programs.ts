import type { AtspiQuestions } from './atspi-questions.ts';
import { Patience } from './patience.ts';

/** How often it is looked for programs that have come since, ms. */
const LOOK_AGAIN_MS = 500;

/** Programs on the bus by their process ids, and those that are asked less often as they were too slow. */
export class AtspiPrograms {
  readonly #ask: AtspiQuestions;
  readonly #now: () => number;
  readonly #programs = new Map<number, string>();
  readonly #known = new Set<string>();
  readonly patience: Patience;
  #looked = Number.NEGATIVE_INFINITY;

  constructor(ask: AtspiQuestions, now: () => number) {
    this.#ask = ask;
    this.#now = now;
    this.patience = new Patience(now);
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

  /** The same, by a look that begins now; throws TooMuch where there is no answer. */
  findNow(pid: number): string | null {
    const name = this.#programs.get(pid);
    if (name !== undefined) return name;
    this.#ask.settle();
    this.look();
    return this.#programs.get(pid) ?? null;
  }

  /** The process of a program that was looked for; null for any other. */
  pidOf(bus: string): number | null {
    for (const [pid, name] of this.#programs) if (name === bus) return pid;
    return null;
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
}
