import type { TeamRole } from '../../schemas/team-terms.ts';
import { type Store, type StoreTransaction, sqlOf } from './store.ts';

/** Members of a team's server, with sessions, invitations and tokens by the hashes of their secrets. */

export type MemberRow = {
  id: string;
  name: string;
  email: string;
  role: TeamRole;
  createdAt: string;
  /** argon2id's own text form; null: none was set. */
  password: string | null;
  /** JSON. */
  settings: string;
  leftAt: string | null;
};

const membersIn = (store: Store) =>
  sqlOf(store)
    .selectFrom('members')
    .innerJoin('people', 'people.id', 'members.id')
    .select([
      'members.id as id',
      'people.name as name',
      'members.email as email',
      'members.role as role',
      'members.created_at as createdAt',
      'members.password as password',
      'members.settings as settings',
      'members.left_at as leftAt',
    ]);

/** Only this room writes the column, and only roles. */
const asMember = (row: Omit<MemberRow, 'role'> & { role: string }): MemberRow => row as MemberRow;

/** Those who are members now, by their names; `left`: and those who were. */
export async function listMembers(store: Store, { left }: { left: boolean }): Promise<MemberRow[]> {
  const rows = await membersIn(store).orderBy('people.name').orderBy('members.id').execute();
  return rows.filter(({ leftAt }) => left || leftAt === null).map(asMember);
}

/** By id or address; whether they are a member still is in the row. */
export async function findMember(store: Store, idOrEmail: string): Promise<MemberRow | undefined> {
  const row = await membersIn(store)
    .where((by) => by.or([by('members.id', '=', idOrEmail), by('members.email', '=', idOrEmail)]))
    .executeTakeFirst();
  return row && asMember(row);
}

/** The member of a new person, or of one who was there; who had left is one again. */
export async function putMember(
  trx: StoreTransaction,
  member: { id: string; email: string; role: TeamRole; password: string | null },
): Promise<void> {
  const { id, email, role, password } = member;
  await sqlOf(trx)
    .insertInto('members')
    .values({ id, email, role, password, settings: '{}', created_at: new Date().toISOString(), left_at: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ email, role, password, left_at: null }))
    .execute();
}

export async function writeMember(
  store: Store,
  id: string,
  changes: { role?: TeamRole; password?: string; settings?: string; left_at?: string },
): Promise<void> {
  await sqlOf(store).updateTable('members').set(changes).where('id', '=', id).execute();
}

export type SessionRow = { id: string; member: string; createdAt: string; seenAt: string; endsAt: string };

const sessionsIn = (store: Store) =>
  sqlOf(store)
    .selectFrom('sessions')
    .select(['id', 'member_id as member', 'created_at as createdAt', 'seen_at as seenAt', 'ends_at as endsAt']);

export const findSession = (store: Store, hash: string): Promise<SessionRow | undefined> =>
  sessionsIn(store).where('hash', '=', hash).executeTakeFirst();

export const listSessions = (store: Store): Promise<SessionRow[]> => sessionsIn(store).execute();

export async function addSession(store: Store, session: SessionRow & { hash: string }): Promise<void> {
  const { id, member, hash, createdAt, seenAt, endsAt } = session;
  await sqlOf(store)
    .insertInto('sessions')
    .values({ id, member_id: member, hash, created_at: createdAt, seen_at: seenAt, ends_at: endsAt })
    .execute();
}

export async function touchSession(store: Store, id: string, seenAt: string): Promise<void> {
  await sqlOf(store).updateTable('sessions').set({ seen_at: seenAt }).where('id', '=', id).execute();
}

export async function endSession(store: Store, id: string): Promise<void> {
  await sqlOf(store).deleteFrom('sessions').where('id', '=', id).execute();
}

/** How many there were. */
export async function endSessionsOf(store: Store, member: string): Promise<number> {
  const { numDeletedRows } = await sqlOf(store)
    .deleteFrom('sessions')
    .where('member_id', '=', member)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes what ended before this moment: sessions, tokens' rows stay for a list. */
export async function forgetSessions(store: Store, before: { ended: string; idle: string }): Promise<void> {
  await sqlOf(store)
    .deleteFrom('sessions')
    .where((by) => by.or([by('ends_at', '<', before.ended), by('seen_at', '<', before.idle)]))
    .execute();
}

export type InvitationRow = {
  id: string;
  email: string;
  name: string;
  role: TeamRole;
  createdAt: string;
  endsAt: string;
  person: string | null;
  createdBy: string | null;
  usedAt: string | null;
};

const invitationsIn = (store: Store) =>
  sqlOf(store)
    .selectFrom('invitations')
    .select([
      'id',
      'email',
      'name',
      'role',
      'created_at as createdAt',
      'ends_at as endsAt',
      'person_id as person',
      'created_by as createdBy',
      'used_at as usedAt',
    ]);

/** As above. */
const asInvitation = (row: Omit<InvitationRow, 'role'> & { role: string }): InvitationRow => row as InvitationRow;

/** Those that nobody used, the newest first. */
export async function openInvitations(store: Store): Promise<InvitationRow[]> {
  const rows = await invitationsIn(store).where('used_at', 'is', null).orderBy('created_at', 'desc').execute();
  return rows.map(asInvitation);
}

export async function findInvitation(store: Store, hash: string): Promise<InvitationRow | undefined> {
  const row = await invitationsIn(store).where('hash', '=', hash).executeTakeFirst();
  return row && asInvitation(row);
}

/** An address has one that holds: those before it go. */
export async function putInvitation(trx: StoreTransaction, row: InvitationRow & { hash: string }): Promise<void> {
  const { id, hash, email, name, role, createdAt, endsAt, person, createdBy } = row;
  const sql = sqlOf(trx);
  await sql.deleteFrom('invitations').where('email', '=', email).where('used_at', 'is', null).execute();
  await sql
    .insertInto('invitations')
    .values({
      id,
      hash,
      email,
      name,
      role,
      created_at: createdAt,
      ends_at: endsAt,
      person_id: person,
      created_by: createdBy,
      used_at: null,
    })
    .execute();
}

/** False when it was used already: of two who use it at once one does. */
export async function useInvitation(trx: StoreTransaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(trx)
    .updateTable('invitations')
    .set({ used_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function dropInvitation(store: Store, id: string): Promise<boolean> {
  const { numDeletedRows } = await sqlOf(store)
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function dropInvitationsOf(store: Store, email: string): Promise<void> {
  await sqlOf(store).deleteFrom('invitations').where('email', '=', email).where('used_at', 'is', null).execute();
}

export type TokenRow = {
  id: string;
  member: string;
  name: string;
  /** JSON. */
  scopes: string;
  createdAt: string;
  endsAt: string;
  usedAt: string | null;
};

const tokensIn = (store: Store) =>
  sqlOf(store)
    .selectFrom('tokens')
    .select([
      'id',
      'member_id as member',
      'name',
      'scopes',
      'created_at as createdAt',
      'ends_at as endsAt',
      'used_at as usedAt',
    ]);

export const findToken = (store: Store, hash: string): Promise<TokenRow | undefined> =>
  tokensIn(store).where('hash', '=', hash).executeTakeFirst();

/** The newest first. */
export const listTokens = (store: Store): Promise<TokenRow[]> =>
  tokensIn(store).orderBy('created_at', 'desc').orderBy('id').execute();

export async function addToken(store: Store, token: TokenRow & { hash: string }): Promise<void> {
  const { id, member, hash, name, scopes, createdAt, endsAt } = token;
  await sqlOf(store)
    .insertInto('tokens')
    .values({ id, member_id: member, hash, name, scopes, created_at: createdAt, ends_at: endsAt, used_at: null })
    .execute();
}

export async function touchToken(store: Store, id: string, usedAt: string): Promise<void> {
  await sqlOf(store).updateTable('tokens').set({ used_at: usedAt }).where('id', '=', id).execute();
}

export async function dropToken(store: Store, id: string): Promise<void> {
  await sqlOf(store).deleteFrom('tokens').where('id', '=', id).execute();
}

export async function dropTokensOf(store: Store, member: string): Promise<void> {
  await sqlOf(store).deleteFrom('tokens').where('member_id', '=', member).execute();
}
