import { type Review, startReview, UNASSIGNED } from './project.ts';
import { replicaId, type Situation } from './rules.ts';

/** The number of annotators that a hidden check pretends are wanted, where the rules of the data set say one. */
const PRETENDED = 2;

/** Whether it is this person's hidden check, and not submitted yet (RV12). */
export function isOpenCheck({ recording, review, person, check }: Situation): boolean {
  const own = review.documents.get(replicaId(recording, person.id));
  return check || (own?.check === true && own.submitted === null);
}

/**
 * The situation as a person is to see it. A hidden check passes for a recording that nobody has worked on and several are to
 * annotate blind: whatever is told or refused then follows from the same rules as for one of these, to the letter. Anything
 * else is as it is.
 */
export function disguise(situation: Situation): Situation {
  if (!isOpenCheck(situation)) return situation;
  const { recording, review, person, policy } = situation;
  const own = review.documents.get(replicaId(recording, person.id));
  const wanted = review.pretended.get(person.id) ?? Math.max(policy.replicas, PRETENDED);
  const theirs = [...review.threads.values()].filter(({ entries }) => entries[0]!.person === person.id);
  const seen: Review = {
    ...startReview(own ? 'annotating' : 'recorded'),
    replicas: own || review.pretended.has(person.id) ? wanted : null,
    documents: new Map(own ? [[own.id, { ...own, check: false }]] : []),
    assigned: review.pretendedAssigned.get(person.id) ?? UNASSIGNED,
    threads: new Map(theirs.map((thread) => [thread.id, thread])),
  };
  return { ...situation, review: seen, planned: wanted, demonstrator: null, check: false, main: null };
}
