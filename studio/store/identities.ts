import { type Store, type StoreTransaction, sqlOf } from './store.ts';

/** Accounts of sign-in services by which members came in (OpenID Connect). */

export type Identity = { issuer: string; subject: string };

/** An issuer is an address, so there is no space in it. */
const idOf = ({ issuer, subject }: Identity): string => `${issuer} ${subject}`;

/** The member's id; undefined for an account that nobody came in by. */
export async function memberOfIdentity(store: Store, identity: Identity): Promise<string | undefined> {
  const row = await sqlOf(store)
    .selectFrom('identities')
    .select('member_id as member')
    .where('id', '=', idOf(identity))
    .executeTakeFirst();
  return row?.member;
}

/** Whether the member has an account of this issuer. */
export async function hasIdentity(store: Store, member: string, issuer: string): Promise<boolean> {
  const row = await sqlOf(store)
    .selectFrom('identities')
    .select('id')
    .where('member_id', '=', member)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return row !== undefined;
}

/** From now on the account is this member's, and theirs alone of this issuer. */
export async function putIdentity(trx: StoreTransaction, member: string, identity: Identity): Promise<void> {
  const sql = sqlOf(trx);
  await sql
    .deleteFrom('identities')
    .where((by) => by.or([by('id', '=', idOf(identity)), by.and({ member_id: member, issuer: identity.issuer })]))
    .execute();
  const created_at = new Date().toISOString();
  await sql
    .insertInto('identities')
    .values({ id: idOf(identity), member_id: member, issuer: identity.issuer, created_at })
    .execute();
}
