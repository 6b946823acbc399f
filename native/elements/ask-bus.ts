import type { Answer, BusQuestion } from '../bus/dbus.ts';
import type { Variant } from '../bus/gvariant.ts';

/** Asks the bus all of this at once, and waits no longer than `withinMs` until all of it is answered. */
export type AskBus = (questions: readonly BusQuestion[], withinMs: number) => readonly Answer[];

/** One question alone. Throws the error that the bus gives instead of an answer. */
export function askOne(ask: AskBus, question: BusQuestion, withinMs: number): readonly Variant[] {
  const [answer] = ask([question], withinMs);
  if (answer instanceof Error) throw answer;
  return answer ?? [];
}
