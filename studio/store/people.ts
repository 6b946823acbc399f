import { randomUUID } from 'node:crypto';
import { NOBODY } from '../../core/review/rules.ts';
import { StudioError } from '../../schemas/errors.ts';
import { type Store, sqlOf } from './store.ts';

/** Somebody who demonstrates, annotates or reviews. */
type KnownPerson = { id: string; name: string; email: string | null };

/**
 * A name that somebody chose who is not known yet: without signs that are not seen, by which two people could look like one, or
 * turn round what is written behind it.
 */
export const nameAsSeen = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();

export async function listPeople(store: Store): Promise<KnownPerson[]> {
  return sqlOf(store).selectFrom('people').select(['id', 'name', 'email']).orderBy('name').orderBy('id').execute();
}

/** Adds one. Throws USAGE for an empty name, CONFLICT when the name is taken: people are told apart by it. */
export async function addPerson(store: Store, wanted: { name: string; email: string | null }): Promise<KnownPerson> {
  const name = wanted.name.trim();
  if (name === '') throw new StudioError('USAGE', 'A person needs a name.', { field: 'name' });
  const known = await findPerson(store, name);
  if (known) throw new StudioError('CONFLICT', `"${known.name}" is already in this workspace.`, { person: known.id });
  const person = { id: randomUUID(), name, email: wanted.email?.trim() || null };
  await insertPerson(store, person);
  return person;
}

/** Adds one who is known not to be here. */
export async function insertPerson(store: Store, person: KnownPerson): Promise<void> {
  await sqlOf(store)
    .insertInto('people')
    .values({ ...person, created_at: new Date().toISOString() })
    .execute();
}

/** The person of this id or name, in any case; undefined when there is none. */
export const findPerson = async (store: Store, idOrName: string): Promise<KnownPerson | undefined> =>
  findAmong(await listPeople(store), idOrName);

function findAmong(people: readonly KnownPerson[], idOrName: string): KnownPerson | undefined {
  const wanted = idOrName.trim().toLowerCase();
  return people.find(({ id, name }) => id === idOrName || name.toLowerCase() === wanted);
}

/** The person of this name, added when missing. */
export async function ensurePerson(store: Store, name: string): Promise<KnownPerson> {
  return (await findPerson(store, name)) ?? addPerson(store, { name, email: null });
}

/**
 * The person that a gesture is by: of a name that somebody here has, their id, so that nobody is two. Other names stay as
 * they are: a script may annotate, but only people of the workspace review.
 */
export async function personOf(store: Store, idOrName: string): Promise<{ id: string; known: boolean }> {
  if (NOBODY.has(idOrName)) return { id: idOrName, known: false };
  return personAmong(await listPeople(store), idOrName);
}

/** The same where the people of the workspace were read already. */
export function personAmong(people: readonly KnownPerson[], idOrName: string): { id: string; known: boolean } {
  const found = NOBODY.has(idOrName) ? undefined : findAmong(people, idOrName);
  return found ? { id: found.id, known: true } : { id: idOrName, known: false };
}

/** The name of who did something: the person of this id or name, else the only one there is; undefined: nobody can be named. */
export async function verifierName(store: Store, person?: string): Promise<string | undefined> {
  if (person !== undefined) return (await findPerson(store, person))?.name;
  const [only, more] = await listPeople(store);
  return more ? undefined : only?.name;
}
