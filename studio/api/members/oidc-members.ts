import { NOBODY } from '../../../core/review/rules.ts';
import type { DOMAIN_ROLES } from '../../../schemas/team-terms.ts';
import { hasIdentity, type Identity, memberOfIdentity, putIdentity } from '../../store/identities.ts';
import {
  findMember,
  type InvitationRow,
  listMembers,
  openInvitations,
  putMember,
  useInvitation as takeInvitation,
} from '../../store/members.ts';
import { addPerson, findPerson, nameAsSeen } from '../../store/people.ts';
import type { Store, StoreTransaction } from '../../store/store.ts';
import { invitationHolds } from './invitations.ts';
import { activeMember } from './members.ts';
import { OidcFault } from './oidc-fault.ts';

/** Which member an account of the sign-in service is, and who may become one. */

/** As the service says it: its signature was looked at. */
export type OidcAccount = Identity & {
  /** In small letters. Null: none, or one that the service has not verified; anybody could have typed it. */
  email: string | null;
  /** Empty: the service tells none. */
  name: string;
};

/** Whoever has a verified address of one of these domains comes in without an invitation. */
export type OidcDomains = { domains: readonly string[]; role: (typeof DOMAIN_ROLES)[number] };

/**
 * The member's id. An account that came in before is the same member whatever its address is now. Else its verified address
 * counts: a member's, an invitation's, or the domain's. Throws OidcFault.
 */
export function memberOfAccount(
  store: Store,
  account: OidcAccount,
  { domains, role }: OidcDomains,
): Promise<{ id: string; isNew: boolean }> {
  return store.transaction(async (trx) => {
    const known = await memberOfIdentity(trx, account);
    const knownMember = known === undefined ? undefined : await activeMember(trx, known);
    if (knownMember) return { id: knownMember.id, isNew: false };
    const { email } = account;
    if (email === null) throw new OidcFault(known === undefined ? 'mail' : 'left');
    const invitation = await invitationOf(trx, email);
    const id = invitation
      ? await byInvitation(trx, account, invitation)
      : await byAddress(trx, account, { email, wasHere: known !== undefined, domains, role });
    await putIdentity(trx, id, account);
    return { id, isNew: true };
  });
}

async function invitationOf(store: Store, email: string): Promise<InvitationRow | undefined> {
  const found = (await openInvitations(store)).find((one) => one.email === email);
  return found && invitationHolds(found, await listMembers(store, { left: true })) ? found : undefined;
}

/** A member who was invited anew keeps role and password; from now on this account is theirs. */
async function byInvitation(trx: StoreTransaction, account: OidcAccount, invitation: InvitationRow): Promise<string> {
  const { email, role, person } = invitation;
  if (!(await takeInvitation(trx, invitation.id))) throw new OidcFault('uninvited');
  const member = await findMember(trx, email);
  if (member?.leftAt === null) return member.id;
  const id = member?.id ?? person ?? (await personFor(trx, { ...account, name: invitation.name || account.name }));
  await putMember(trx, { id, email, role, password: null });
  return id;
}

type Wanted = OidcDomains & { email: string; wasHere: boolean };

async function byAddress(
  trx: StoreTransaction,
  account: OidcAccount,
  { email, wasHere, domains, role }: Wanted,
): Promise<string> {
  if (wasHere) throw new OidcFault('left');
  const member = await findMember(trx, email);
  if (member) {
    // An account that the service made anew for an address may be another person's.
    if (member.leftAt !== null) throw new OidcFault('left');
    if (await hasIdentity(trx, member.id, account.issuer)) throw new OidcFault('other');
    return member.id;
  }
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1))) throw new OidcFault('uninvited');
  const id = await personFor(trx, account);
  await putMember(trx, { id, email, role, password: null });
  return id;
}

/** A new person: a name that somebody has already gets the address behind it, so that who did what stays known. */
async function personFor(trx: StoreTransaction, { name, email }: OidcAccount): Promise<string> {
  const address = email ?? '';
  const plain = nameAsSeen(name);
  const wished = (plain || address.slice(0, address.lastIndexOf('@'))).slice(0, 100).toWellFormed();
  const taken = NOBODY.has(wished) || (await findPerson(trx, wished)) !== undefined;
  const own = taken ? `${wished.slice(0, 60)} (${address})` : wished;
  return (await addPerson(trx, { name: own.slice(0, 200), email: address })).id;
}
