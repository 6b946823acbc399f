import { chooseCheck, isCheckTurn, plannedReplicas } from '../../../core/review/policy.ts';
import type { Review } from '../../../core/review/project.ts';
import type { DocumentNow, Situation } from '../../../core/review/rules.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { ReviewPolicy } from '../../../schemas/review.ts';
import { breathe } from '../../store/breathe.ts';
import { listDocuments } from '../../store/documents.ts';
import { listPeople, personOf } from '../../store/people.ts';
import { countBegun, unseenApproved } from '../../store/review-events.ts';
import type { Store } from '../../store/store.ts';
import { writersIn, wroteOutside } from '../../store/transactions.ts';
import { writersOf } from './writers.ts';

/** The answers that the rules need from the database. */

/** Somebody of the workspace, by id or name. Throws USAGE with who there is. */
export async function knownPerson(store: Store, idOrName: string): Promise<string> {
  const { id, known } = await personOf(store, idOrName);
  if (known) return id;
  const names = (await listPeople(store)).map(({ name }) => name).slice(0, 20);
  const there = names.length > 0 ? `People here: ${names.join(', ')}.` : 'There is nobody yet.';
  throw new StudioError(
    'USAGE',
    `"${idOrName.slice(0, 100)}" is nobody of this workspace. ${there} \`people add NAME\` adds somebody.`,
    { person: idOrName },
  );
}

export type PersonNames = (person: string) => string;

export const namesOf = async (store: Store): Promise<PersonNames> => namesAmong(await listPeople(store));

/** An id of nobody here stays as it is. */
export function namesAmong(people: readonly { id: string; name: string }[]): PersonNames {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return (person) => names.get(person) ?? (person === 'me' ? 'Somebody' : person);
}

/** The part that stays the same for all recordings of a question. */
export type SituationFrame = { policy: ReviewPolicy; person: Situation['person']; names: PersonNames; now: string };

type RecordingFacts = { recording: string; review: Review; demonstrator: string | null };

/** A recording's situation but for what only a look into its documents tells. */
export function situationFrom(
  { policy, person, names, now }: SituationFrame,
  { recording, review, demonstrator }: RecordingFacts,
  more: Partial<Situation> = {},
): Situation {
  return {
    recording,
    review,
    policy,
    planned: plannedReplicas(policy, recording),
    demonstrator,
    person,
    check: false,
    main: null,
    own: null,
    undecided: 0,
    rejected: 0,
    unanswered: 0,
    unsettled: 0,
    now,
    name: names,
    ...more,
  };
}

type ListedDocument = Awaited<ReturnType<typeof listDocuments>>[number];
type ReviewOf = (recording: string) => Review | undefined;

/** Documents as they are now, these or (null) all, by id; `reviews` says which versions are in claims. */
export async function documentsNow(
  store: Store,
  ids: readonly string[] | null,
  reviewOf: ReviewOf,
): Promise<Map<string, DocumentNow>> {
  const rows = await listDocuments(store, ids);
  return ids === null ? listedNow(store, rows, reviewOf) : asNow(store, rows, await writersNow(store, ids), reviewOf);
}

/** The same of documents that were listed, many of them: who wrote in them is kept in memory. */
export const listedNow = async (
  store: Store,
  rows: readonly ListedDocument[],
  reviewOf: ReviewOf,
): Promise<Map<string, DocumentNow>> => asNow(store, rows, await writersOf(store, rows), reviewOf);

async function asNow(
  store: Store,
  rows: readonly ListedDocument[],
  writers: ReadonlyMap<string, Iterable<string>>,
  reviewOf: ReviewOf,
): Promise<Map<string, DocumentNow>> {
  const found = new Map<string, DocumentNow>();
  for (const { id, recording_id, version, steps, done } of rows) {
    await breathe();
    const claims = reviewOf(recording_id)?.claims ?? [];
    const authors: string[] = [];
    for (const person of writers.get(id) ?? []) {
      const spans = claims.filter((claim) => claim.person === person);
      if (spans.length === 0 || (await wroteOutside(store, id, person, spans))) authors.push(person);
    }
    found.set(id, { version, steps, done, authors: authors.sort() });
  }
  return found;
}

/** Who wrote in these documents after their beginning, as a transaction sees it now. */
async function writersNow(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, Iterable<string>>> {
  const rows = await writersIn(store, ids, 1);
  const byDocument = Map.groupBy(rows, ({ document_id }) => document_id);
  return new Map([...byDocument].map(([id, some]) => [id, some.map(({ person }) => person)]));
}

/** The approved recording that this person's next piece of work is to be a hidden check of; null when it is to be none. */
export async function checkFor(
  store: Store,
  policy: ReviewPolicy,
  person: Situation['person'],
): Promise<string | null> {
  if (!person.known || policy.checkShare <= 0) return null;
  const begun = await countBegun(store, person.id);
  if (!isCheckTurn(policy, person.id, begun)) return null;
  return chooseCheck(policy, person.id, begun, await unseenApproved(store, person.id));
}
