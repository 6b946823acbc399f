import { type JudgementUnits, judgementAgreement, judgementUnits } from '../../../core/review/agreement/judgements.ts';
import { type JudgedStep, judgedSteps } from '../../../core/review/judged.ts';
import { foldJudgement } from '../../../core/review/project.ts';
import type { Dashboard, Judgement } from '../../../schemas/api/review-models.ts';
import { countByRecording, eventsOfKind } from '../../store/review-events.ts';
import type { Store } from '../../store/store.ts';
import type { ReviewReader } from './log.ts';

type Judgements = Dashboard['judgements'];

/** The judgements of a recording's steps, by action, as far as they are settled. */
export async function judgedIn(store: Store, recording: string): Promise<Map<string, JudgedStep>> {
  const judgements = new Map<string, Judgement>();
  for (const { act, person, at } of await eventsOfKind(store, recording, 'judge')) {
    if (act.type === 'judge') foldJudgement(judgements, act, { person, at });
  }
  return judgedSteps(judgements.values());
}

/** How many judgements each recording's log holds, taken back ones too: what was counted before is old when it grows. */
export const judgedUntil = (store: Store): Promise<Map<string, number>> => countByRecording(store, 'judge');

/** How well people agree who judged the trajectories of these recordings, all together and each two. */
export async function judgementsOf(
  store: Store,
  reader: ReviewReader,
  recordings: ReadonlySet<string>,
): Promise<Judgements> {
  const judged = [...(await judgedUntil(store)).keys()].sort((a, b) => (a < b ? -1 : 1));
  const all: JudgementUnits[] = [];
  const byPair = new Map<string, { people: [string, string]; units: JudgementUnits[] }>();
  for (const recording of judged) {
    if (!recordings.has(recording)) continue;
    const said = [...(await reader.load(store, recording)).judgements.values()];
    const units = judgementUnits(said);
    if (!units) continue;
    all.push(units);
    for (const [at, one] of units.raters.entries()) {
      for (const other of units.raters.slice(at + 1)) {
        const key = [one, other].join(' ');
        const known = byPair.get(key) ?? { people: [one, other], units: [] };
        const pair = judgementUnits(said, known.people);
        if (pair) byPair.set(key, { ...known, units: [...known.units, pair] });
      }
    }
  }
  return {
    recordings: all.length,
    agreement: judgementAgreement(all),
    pairs: [...byPair.values()]
      .map(({ people, units }) => ({ people, recordings: units.length, agreement: judgementAgreement(units) }))
      .toSorted((a, b) => (a.people.join(' ') < b.people.join(' ') ? -1 : 1)),
  };
}
