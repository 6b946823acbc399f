import type { Selectable } from 'kysely';
import { smallestOf } from '../../core/lists.ts';
import { editDistance } from '../../core/words.ts';
import { StudioError } from '../../schemas/errors.ts';
import { type Store, sqlOf } from './store.ts';
import type { SoftwareTable } from './tables.ts';

/** An application that demonstrations are recorded in. */
export type Software = {
  id: string;
  name: string;
  /** The prefix of its task ids: PPT in PPT_15. */
  prefix: string;
  platforms: string;
  aliases: string[];
  executables: string[];
  /** Its purpose, in words ("Media editing"); empty: nobody said. */
  category: string;
};

export type NewSoftware = Pick<Software, 'name'> & Partial<Omit<Software, 'name'>>;

const PREFIX = /^[A-Z][A-Z0-9]*$/;

/** Lower case, letters and digits only: "DaVinci Resolve" and "davinci-resolve" are one. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const fromRow = ({
  id,
  name,
  prefix,
  platforms,
  aliases,
  executables,
  category,
}: Selectable<SoftwareTable>): Software => ({
  id,
  name,
  prefix,
  platforms,
  aliases: JSON.parse(aliases),
  executables: JSON.parse(executables),
  category,
});

export async function listSoftware(store: Store): Promise<Software[]> {
  const rows = await sqlOf(store).selectFrom('software').selectAll().execute();
  // Sorted as people sort names: SQLite would put all capitals first, and "leafpad" behind "YouTube".
  return rows.map(fromRow).sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
}

/**
 * The software of this id, name, prefix, alias or executable, in any case.
 * Throws UNKNOWN_APP with the nearest ones. An executable that several share (a browser's) names none of them.
 */
export async function findSoftware(store: Store, query: string): Promise<Software> {
  const all = await listSoftware(store);
  const wanted = plain(query);
  const byName = all.find((one) =>
    [one.id, one.name, one.prefix, ...one.aliases].some((name) => plain(name) === wanted),
  );
  if (byName && wanted) return byName;
  const byExecutable = all.filter((one) => one.executables.some((name) => plain(name) === wanted));
  if (byExecutable.length === 1 && byExecutable[0]) return byExecutable[0];
  const nearest = nearestSoftware(all, query);
  throw new StudioError(
    'UNKNOWN_APP',
    `No software "${query}" is known here. Nearest: ${nearest.map((one) => one.name).join(', ')}. \`software list\` shows all; add one with \`npm run studio -- software add "${query}" --prefix ABC --workspace …\`.`,
    { app: query, nearest: nearest.map((one) => one.id) },
  );
}

/** The three most alike by id, name or alias. */
export function nearestSoftware(all: readonly Software[], query: string): Software[] {
  const wanted = plain(query);
  const distance = (one: Software): number =>
    smallestOf([one.id, one.name, ...one.aliases].map((name) => unlikeness(wanted, plain(name))));
  return [...all].sort((a, b) => distance(a) - distance(b) || a.name.localeCompare(b.name, 'en')).slice(0, 3);
}

/** 0 for equal; contained counts less than any edit; else the edit distance by the longer one's length. */
function unlikeness(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length > 1 && b.length > 1 && (a.includes(b) || b.includes(a))) return 0.1;
  return editDistance(a, b) / Math.max(a.length, b.length, 1);
}

/** Adds one. Without id, prefix: made from the name. Throws USAGE when a name, id or prefix is taken or cannot be one. */
export async function addSoftware(store: Store, entry: NewSoftware): Promise<Software> {
  const all = await listSoftware(store);
  const added = complete(entry, all);
  if (!plain(added.name)) throw new StudioError('USAGE', 'A software needs a name with letters or digits in it.', {});
  if (!PREFIX.test(added.prefix)) {
    throw new StudioError(
      'USAGE',
      `"${added.prefix}" cannot be a prefix of task ids: it must be capital letters and digits, a letter first, such as PPT.`,
      { prefix: added.prefix },
    );
  }
  for (const other of all) {
    const names = [other.id, other.name, other.prefix, ...other.aliases].map(plain);
    const clash = [added.id, added.name, added.prefix, ...added.aliases].find((name) => names.includes(plain(name)));
    if (clash === undefined) continue;
    throw new StudioError('USAGE', `"${clash}" is already ${other.name} (${other.id}, prefix ${other.prefix}).`, {
      name: clash,
      software: other.id,
    });
  }
  const { aliases, executables, ...rest } = added;
  const row = { ...rest, aliases: JSON.stringify(aliases), executables: JSON.stringify(executables) };
  await sqlOf(store)
    .insertInto('software')
    .values({ ...row, created_at: new Date().toISOString() })
    .execute();
  return added;
}

/** Says what a software is for. Throws UNKNOWN_APP. */
export async function setCategory(store: Store, query: string, category: string): Promise<Software> {
  const { id } = await findSoftware(store, query);
  await sqlOf(store).updateTable('software').set({ category: category.trim() }).where('id', '=', id).execute();
  return findSoftware(store, id);
}

function complete(entry: NewSoftware, all: readonly Software[]): Software {
  const id = entry.id ?? (entry.name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-');
  return {
    id,
    name: entry.name,
    prefix: entry.prefix ?? freePrefix(entry.name, all),
    platforms: entry.platforms ?? '',
    aliases: entry.aliases ?? [],
    executables: entry.executables ?? [],
    category: entry.category?.trim() ?? '',
  };
}

/** The name's initials, or the start of its one word, with a number when taken. */
function freePrefix(name: string, all: readonly Software[]): string {
  const words = name.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
  const initials = words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '').slice(0, 4);
  const base = /^[A-Z]/.test(initials) ? initials : `S${initials}`;
  const taken = (prefix: string): boolean =>
    all.some((one) => [one.id, one.name, one.prefix, ...one.aliases].some((other) => plain(other) === plain(prefix))) &&
    plain(prefix) !== plain(name);
  let prefix = base;
  for (let n = 2; taken(prefix) || all.some((one) => one.prefix === prefix); n++) prefix = `${base}${n}`;
  return prefix;
}
