import { type JudgementUnits, judgementAgreement, judgementUnits } from '../../core/review/agreement/judgements.ts';
import type { Dashboard } from '../../schemas/api/review-models.ts';
import type { Db } from '../annotate/log.ts';
import type { ReviewReader } from './log.ts';

type Judgements = Dashboard['judgements'];

/** How well people agree who judged the trajectories of these recordings, all together and each two. */
export async function judgementsOf(db: Db, reader: ReviewReader, recordings: ReadonlySet<string>): Promise<Judgements> {
  const rows = await db
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
    const said = [...(await reader.load(db, recording_id)).judgements.values()];
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
