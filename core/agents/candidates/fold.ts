import type { CoordinateScale } from '../../../schemas/scales.ts';
import type { CandidateLine, CandidateSaid } from '../../../schemas/step-candidates.ts';
import { stepQuestion } from './ask.ts';

/** The candidates of a recording's steps as they stand, from their logs. */

export type KnownCandidate = {
  id: string;
  action: string;
  /** Which of the candidates of its step by this model, from 1. */
  n: number;
  model: string;
  at: string;
  /** The question's own words, and the size of the picture that was shown, px. */
  system: string;
  prompt: string;
  screen: { width: number; height: number };
  coordinates: CoordinateScale | null;
  text: string;
  /** The judge's last word; null: it was not asked, or cannot tell. */
  judges: 0 | 1 | null;
  judged: { by: string; right: boolean | null; why: string } | null;
  /** The share of the people who said something of it that say it is right; null: nobody did. */
  people: number | null;
};

/**
 * The newest of each step, model and place among its candidates, in the order of the log. `logs`: the oldest first; `recording`: a log
 * of another recording, in a folder that was copied, counts for nothing.
 */
export function candidatesNow(
  logs: readonly { lines: readonly CandidateLine[] }[],
  said: readonly Pick<CandidateSaid, 'person' | 'candidate' | 'right'>[],
  recording: string,
): KnownCandidate[] {
  const now = new Map<string, KnownCandidate>();
  const judged = new Map<string, KnownCandidate['judged']>();
  for (const { lines } of logs) {
    const begun = lines.find((line) => line.type === 'begun');
    if (!begun || begun.head.subject.recording !== recording) continue;
    const { head, at } = begun;
    const steps = new Map(head.subject.steps.map((step) => [step.action, step]));
    for (const line of lines) {
      if (line.type === 'judged') judged.set(line.candidate, { by: line.by, right: line.right, why: line.why });
      if (line.type !== 'candidate') continue;
      const { id, action, n, text } = line;
      const step = steps.get(action);
      if (!step?.screen) continue;
      const { system, text: prompt } = stepQuestion(head.subject, step);
      const { width, height } = step.screen;
      const key = `${action}\n${head.model}\n${n}`;
      now.delete(key);
      now.set(key, {
        id,
        action,
        n,
        model: head.model,
        at,
        system,
        prompt,
        text,
        screen: { width, height },
        coordinates: head.coordinates,
        judges: null,
        judged: null,
        people: null,
      });
    }
  }
  const people = sharesOf(said);
  return [...now.values()].map((one) => {
    const word = judged.get(one.id) ?? null;
    const judges = word?.right === true ? 1 : word?.right === false ? 0 : null;
    return { ...one, judged: word, judges, people: people.get(one.id) ?? null };
  });
}

/** The share of people's last words on a candidate that say it is right, by candidate. */
function sharesOf(said: readonly Pick<CandidateSaid, 'person' | 'candidate' | 'right'>[]): Map<string, number> {
  const last = new Map(said.map((one) => [`${one.candidate}\n${one.person}`, one]));
  const words = Map.groupBy(last.values(), ({ candidate }) => candidate);
  return new Map(
    [...words].flatMap(([candidate, some]) => {
      const told = some.flatMap(({ right }) => right ?? []);
      return told.length === 0 ? [] : [[candidate, told.filter(Boolean).length / told.length] as const];
    }),
  );
}
