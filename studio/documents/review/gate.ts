import { randomUUID } from 'node:crypto';
import { disguise } from '../../../core/review/disguise.ts';
import type { Review } from '../../../core/review/project.ts';
import { inReplicas, mayWrite, replicasWanted, type Situation } from '../../../core/review/rules.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { listPeople, personAmong } from '../../store/people.ts';
import { takeRecording } from '../../store/recording-states.ts';
import type { StoreTransaction } from '../../store/store.ts';
import type { WriterGate } from '../writer.ts';
import { appendEvents, reviewReader } from './log.ts';
import { readPolicy } from './policy.ts';
import { checkFor, namesAmong, situationFrom } from './situation.ts';
import { shownState } from './view.ts';

/**
 * The gate that every gesture on a document passes: whether its person may write there now (RV5). The first one begins the
 * work: the event is in the same SQL transaction as the gesture, so a kill leaves both or neither.
 */
export function reviewGate(): WriterGate {
  const reader = reviewReader();
  return {
    /** Gives the person's id. Throws CONFLICT, saying why not and what to do. */
    async admit(
      trx: StoreTransaction,
      { recording, document, person: given }: { recording: string; document: string; person: string },
    ): Promise<string> {
      const taken = await takeRecording(trx, recording);
      const people = await listPeople(trx);
      const person = personAmong(people, given);
      const review = await reader.load(trx, recording, taken?.state);
      const policy = await readPolicy(trx);
      const now = new Date().toISOString();
      const frame = { policy, person, names: namesAmong(people), now };
      const check = review.state === 'approved' && (await checkFor(trx, policy, person)) === recording;
      const facts = { recording, review, demonstrator: taken?.demonstrator ?? null };
      const situation = situationFrom(frame, facts, { check });
      const answer = mayWrite(disguise(situation), document);
      if (typeof answer === 'string') {
        throw new StudioError('CONFLICT', `Nothing was changed. ${answer}`, {
          recording,
          document,
          state: shownState(situation),
        });
      }
      if (answer.begin) await begin(trx, situation, { id: randomUUID(), document });
      return person.id;
    },
  };
}

/** Appends a `begin`, and before the first one of replicas what the policy plans (RV4). */
export async function begin(
  trx: StoreTransaction,
  situation: Situation,
  { id, document }: { id: string; document: string },
) {
  const { recording, person, check, now: at } = situation;
  let review: Review = situation.review;
  if (document !== recording && !check && review.replicas === null && inReplicas(situation)) {
    const act = { type: 'plan', replicas: replicasWanted(situation) } as const;
    review = (await appendEvents(trx, review, { id: randomUUID(), recording, person: 'studio', at, act })).review;
  }
  const facts = { document, check: check || null };
  return appendEvents(trx, review, { id, recording, person: person.id, at, act: { type: 'begin' }, facts });
}
