import { chooseCheck, isCheckTurn, plannedReplicas } from '../../core/review/policy.ts';
import type { Review } from '../../core/review/project.ts';
import { type DocumentNow, NOBODY, type Situation } from '../../core/review/rules.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { ReviewPolicy } from '../../schemas/review.ts';
import type { Db } from '../annotate/log.ts';
import { findPerson, listPeople } from '../store/people.ts';

/** What the rules ask of the database. */

/**
 * The person that a gesture is by: of a name that somebody here has, their id, so that nobody is two. Other names stay as
 * they are: a script may annotate, but only people of the workspace review.
 */
export async function personOf(db: Db, idOrName: string): Promise<{ id: string; known: boolean }> {
  if (NOBODY.has(idOrName)) return { id: idOrName, known: false };
  const found = await findPerson(db, idOrName);
  return found ? { id: found.id, known: true } : { id: idOrName, known: false };
}

/** Somebody of the workspace, by id or name. Throws USAGE with who there is. */
export async function knownPerson(db: Db, idOrName: string): Promise<string> {
  const { id, known } = await personOf(db, idOrName);
  if (known) return id;
  const names = (await listPeople(db)).map(({ name }) => name).slice(0, 20);
  const there = names.length > 0 ? `People here: ${names.join(', ')}.` : 'There is nobody yet.';
  throw new StudioError(
    'USAGE',
    `"${idOrName.slice(0, 100)}" is nobody of this workspace. ${there} \`people add NAME\` adds somebody.`,
    { person: idOrName },
  );
}

export type Names = (person: string) => string;

export async function namesOf(db: Db): Promise<Names> {
  const names = new Map((await listPeople(db)).map(({ id, name }) => [id, name]));
  return (person) => names.get(person) ?? (person === 'me' ? 'Somebody' : person);
}

/** What stays the same for all recordings of a question. */
export type Frame = { policy: ReviewPolicy; person: Situation['person']; names: Names; now: string };

type RecordingFacts = { recording: string; review: Review; demonstrator: string | null };

/** A recording's situation but for what only a look into its documents tells. */
export function situationFrom(
  { policy, person, names, now }: Frame,
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

export async function demonstratorOf(db: Db, recording: string): Promise<string | null> {
  const row = await db.selectFrom('recordings').select('person_id').where('id', '=', recording).executeTakeFirst();
  return row?.person_id ?? null;
}

/** Documents as they are now, by id; `reviews` says which versions lie in claims. */
export async function documentsNow(
  db: Db,
  ids: readonly string[] | null,
  reviewOf: (recording: string) => Review | undefined,
): Promise<Map<string, DocumentNow>> {
  let documents = db.selectFrom('documents').select(['id', 'recording_id', 'version', 'steps', 'done']);
  if (ids !== null) documents = documents.where('id', 'in', ids);
  const found = new Map<string, DocumentNow & { authors: string[] }>();
  const recordings = new Map<string, string>();
  for (const { id, recording_id, version, steps, done } of await documents.execute()) {
    found.set(id, { version, steps, done, authors: [] });
    recordings.set(id, recording_id);
  }
  let writers = db
    .selectFrom('annotation_transactions')
    .select(['document_id', 'person'])
    .select((eb) => eb.fn.min('version').as('first'))
    .where('version', '>', 1)
    .groupBy(['document_id', 'person']);
  if (ids !== null) writers = writers.where('document_id', 'in', ids);
  for (const { document_id, person } of await writers.execute()) {
    const spans = reviewOf(recordings.get(document_id) ?? '')?.claims.filter((claim) => claim.person === person) ?? [];
    const isAuthor = spans.length === 0 || (await wroteOutside(db, document_id, person, spans));
    if (isAuthor) found.get(document_id)?.authors.push(person);
  }
  return found;
}

/** Wrote in a document other than while holding a claim on it. */
async function wroteOutside(db: Db, document: string, person: string, spans: Review['claims']): Promise<boolean> {
  let query = db
    .selectFrom('annotation_transactions')
    .select('version')
    .where('document_id', '=', document)
    .where('person', '=', person)
    .where('version', '>', 1);
  for (const { from, to } of spans) {
    query = query.where((eb) => eb.or([eb('version', '<=', from), ...(to === null ? [] : [eb('version', '>', to)])]));
  }
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** The approved recording that this person's next piece of work is to be a hidden check of; null when it is to be none. */
export async function checkFor(db: Db, policy: ReviewPolicy, person: Situation['person']): Promise<string | null> {
  if (!person.known || policy.checkShare <= 0) return null;
  const { begun } = await db
    .selectFrom('review_events')
    .select((eb) => eb.fn.countAll<number>().as('begun'))
    .where('person', '=', person.id)
    .where('type', '=', 'begin')
    .executeTakeFirstOrThrow();
  if (!isCheckTurn(policy, person.id, Number(begun))) return null;
  const acted = db.selectFrom('review_events').select('recording_id').where('person', '=', person.id);
  const wrote = db
    .selectFrom('annotation_transactions as line')
    .innerJoin('documents', 'documents.id', 'line.document_id')
    .select('documents.recording_id')
    .where('line.person', '=', person.id);
  const rows = await db
    .selectFrom('recordings')
    .innerJoin('documents', 'documents.id', 'recordings.id')
    .select('recordings.id')
    .where('state', '=', 'approved')
    .where('present', '=', 1)
    .where((eb) => eb.or([eb('person_id', 'is', null), eb('person_id', '!=', person.id)]))
    .where('recordings.id', 'not in', acted)
    .where('recordings.id', 'not in', wrote)
    .execute();
  const candidates = rows.map(({ id }) => id);
  return chooseCheck(policy, person.id, Number(begun), candidates);
}
