import { type JudgementUnits, judgementAgreement, judgementUnits } from '../../core/review/agreement/judgements.ts';
import { type JudgedStep, judgedSteps } from '../../core/review/judged.ts';
import { foldJudgement } from '../../core/review/project.ts';
import type { Dashboard, Judgement } from '../../schemas/api/review-models.ts';
import type { ReviewActOf } from '../../schemas/review.ts';
import { type Store, sqlOf } from '../store/store.ts';
import type { ReviewReader } from './log.ts';

type Judgements = Dashboard['judgements'];

/** The judgements of a recording's steps, by action, as far as they are settled. */
export async function judgedIn(store: Store, recording: string): Promise<Map<string, JudgedStep>> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .select(['person', 'at', 'act'])
    .where('recording_id', '=', recording)
    .where('type', '=', 'judge')
    .orderBy('n')
    .execute();
  const judgements = new Map<string, Judgement>();
  for (const { act, ...by } of rows) {
    // Checked by its schema before it was written; the type says that it is one.
    foldJudgement(judgements, JSON.parse(act) as ReviewActOf<'judge'>, by);
  }
  return judgedSteps(judgements.values());
}

/** How many judgements each recording's log holds, taken back ones too: what was counted before is old when it grows. */
export async function judgedUntil(store: Store): Promise<Map<string, number>> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .select((eb) => ['recording_id', eb.fn.countAll<number>().as('count')])
    .where('type', '=', 'judge')
    .groupBy('recording_id')
    .execute();
  return new Map(rows.map(({ recording_id, count }) => [recording_id, Number(count)]));
}

/** How well people agree who judged the trajectories of these recordings, all together and each two. */
export async function judgementsOf(
  store: Store,
  reader: ReviewReader,
  recordings: ReadonlySet<string>,
): Promise<Judgements> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .select('recording_id')
    .distinct()
    .where('type', '=', 'judge')
    .orderBy('recording_id')
    .execute();
  const all: JudgementUnits[] = [];
  const byPair = new Map<string, { people: [string, string]; units: JudgementUnits[] }>();
  for (const { recording_id } of rows) {
    if (!recordings.has(recording_id)) continue;
    const said = [...(await reader.load(store, recording_id)).judgements.values()];
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
