import { randomUUID } from 'node:crypto';
import { NOBODY } from '../../../core/review/rules.ts';
import { mayManageRole } from '../../../core/team/rights.ts';
import type { TeamInvitation } from '../../../schemas/api/team.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { INVITATION_PAGE, type TeamRole } from '../../../schemas/team-terms.ts';
import {
  dropInvitation,
  endSessionsOf,
  findInvitation,
  findMember,
  type InvitationRow,
  listMembers,
  type MemberRow,
  openInvitations,
  putInvitation,
  putMember,
  useInvitation,
  writeMember,
} from '../../store/members.ts';
import { addPerson, findPerson, nameAsSeen } from '../../store/people.ts';
import type { Store } from '../../store/store.ts';
import { mayManage } from './members.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import type { Principal } from './principal.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import { teamUrl } from './url.ts';

/** Invitations by a link: for one use and some days. For a member it sets a new password, and their role stays. */

type Wishes = {
  email: string;
  role: TeamRole;
  name: string;
  /** Somebody of the workspace, by id or name, whose work is theirs. */
  person?: string | undefined;
  days: number;
  /** Default: where the server was started for last. */
  url?: string | undefined;
};

const DAY_MS = 86_400_000;
const MOST_EMAIL = 200;

/** In small letters: addresses differ by nothing else in practice. Throws USAGE for what is none. */
function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length <= MOST_EMAIL && /^[^\s\p{C}@<>"]+@[^\s\p{C}@<>"]+$/u.test(email)) return email;
  throw new StudioError('USAGE', `"${text.slice(0, 100)}" is no e-mail address. Write it as ana@lab.org.`, {
    field: 'email',
  });
}

/** The link is told once, here. Throws USAGE, FORBIDDEN. */
export async function invite(
  store: Store,
  by: Principal,
  wishes: Wishes,
): Promise<TeamInvitation & { link: string; known: boolean }> {
  const email = emailOf(wishes.email);
  const url = await teamUrl(store, wishes.url);
  mayManage(by, wishes.role);
  const secret = newSecret('invitation');
  const now = Date.now();
  return store.transaction(async (trx) => {
    const member = await findMember(trx, email);
    const known = member?.leftAt === null;
    // The holder of the link signs in as them.
    if (known) mayManage(by, member.role);
    const person = wishes.person === undefined ? null : await personFor(trx, wishes.person, email);
    const row: InvitationRow = {
      id: randomUUID(),
      email,
      name: wishes.name.trim(),
      role: known ? member.role : wishes.role,
      createdAt: new Date(now).toISOString(),
      endsAt: new Date(now + wishes.days * DAY_MS).toISOString(),
      person: member?.id ?? person,
      createdBy: by.kind === 'member' ? by.id : null,
      usedAt: null,
    };
    await putInvitation(trx, { ...row, hash: hashOfSecret('invitation', secret)! });
    return { ...shown(row, false), link: `${url}${INVITATION_PAGE}#${secret}`, known };
  });
}

/** Throws USAGE for nobody; CONFLICT for somebody who is a member under another address. */
async function personFor(store: Store, given: string, email: string): Promise<string> {
  const person = await findPerson(store, given);
  if (!person) throw new StudioError('USAGE', `Nobody here is called "${given.slice(0, 100)}".`, { field: 'person' });
  const member = await findMember(store, person.id);
  if (member && member.email !== email) {
    throw new StudioError('CONFLICT', `${person.name} signs in as ${member.email}.`, { person: person.id });
  }
  return person.id;
}

const shown = ({ id, email, name, role, createdAt, endsAt }: InvitationRow, ended: boolean): TeamInvitation => ({
  id,
  email,
  name,
  role,
  createdAt,
  endsAt,
  ended,
});

/** Those that do not hold any more are shown as ended. */
export async function showInvitations(store: Store): Promise<TeamInvitation[]> {
  const [rows, members] = await Promise.all([openInvitations(store), listMembers(store, { left: true })]);
  return rows.map((row) => shown(row, !invitationHolds(row, members)));
}

/**
 * Whether it gives now what it gave when it was made. Not where its time is over; where whoever made it has left, or may not
 * invite such a person any more (their own role is another, or the invited member has become an owner since); or where the
 * person whose work it gives came in under another address. `members`: all, also those who have left.
 */
export function invitationHolds(row: InvitationRow, members: readonly MemberRow[]): boolean {
  const { email, role, person, createdBy, usedAt, endsAt } = row;
  if (usedAt !== null || Date.parse(endsAt) <= Date.now()) return false;
  const member = members.find((one) => one.email === email);
  const maker = members.find(({ id }) => id === createdBy);
  const mayMake = (other: TeamRole): boolean =>
    createdBy === null || (maker?.leftAt === null && mayManageRole(maker.role, other));
  if (!mayMake(role) || (member?.leftAt === null && !mayMake(member.role))) return false;
  const named = members.find(({ id }) => id === person);
  return named === undefined || named.email === email;
}

/** Throws USAGE when there is none of this id or address that nobody used. */
export function uninvite(store: Store, by: Principal, given: string): Promise<{ email: string }> {
  return store.transaction(async (trx) => {
    const found = (await openInvitations(trx)).find(
      ({ id, email }) => id === given || email === given.trim().toLowerCase(),
    );
    if (!found || !(await dropInvitationOf(trx, by, found))) {
      throw new StudioError('USAGE', `No invitation of "${given.slice(0, 100)}" waits. It may have been used.`, {
        field: 'invitation',
      });
    }
    return { email: found.email };
  });
}

function dropInvitationOf(store: Store, by: Principal, { id, role }: InvitationRow): Promise<boolean> {
  mayManage(by, role);
  return dropInvitation(store, id);
}

/** The same words for one that was used, that ended and that never was: a guess learns nothing. */
const gone = (): StudioError =>
  new StudioError(
    'SIGNED_OUT',
    'This invitation does not hold: it was used, it has ended, or the link is not whole. Ask who invited you for a new one.',
    {},
  );

async function standing(store: Store, code: string): Promise<InvitationRow> {
  const hash = hashOfSecret('invitation', code);
  const row = hash === null ? undefined : await findInvitation(store, hash);
  if (!row || !invitationHolds(row, await listMembers(store, { left: true }))) throw gone();
  return row;
}

/** For the page that asks for a password. Throws SIGNED_OUT. */
export async function lookAtInvitation(
  store: Store,
  code: string,
): Promise<{ email: string; name: string; role: TeamRole; known: boolean }> {
  const { email, name, role, person } = await standing(store, code);
  const member = await findMember(store, email);
  const named = person === null ? undefined : await findPerson(store, person);
  return {
    email,
    name: named?.name ?? name,
    role: member?.leftAt === null ? member.role : role,
    known: Boolean(named),
  };
}

/**
 * Uses it up: makes the member with this password, or gives a member a new one and ends their sessions. Gives the member's
 * id. Throws SIGNED_OUT; USAGE for the password or the name; CONFLICT for a name that somebody has.
 */
export async function acceptInvitation(
  store: Store,
  given: { code: string; name: string; password: string },
): Promise<string> {
  const { email } = await standing(store, given.code);
  checkNewPassword(given.password, email);
  const password = await hashPassword(given.password);
  return store.transaction(async (trx) => {
    const row = await standing(trx, given.code);
    if (!(await useInvitation(trx, row.id))) throw gone();
    const member = await findMember(trx, row.email);
    if (member?.leftAt === null) {
      await writeMember(trx, member.id, { password });
      await endSessionsOf(trx, member.id);
      return member.id;
    }
    const id = member?.id ?? row.person ?? (await newPerson(trx, given.name || row.name, row.email));
    await putMember(trx, { id, email: row.email, role: row.role, password });
    return id;
  });
}

/** A name that somebody has is never given to another: who did what would not be known any more. */
async function newPerson(store: Store, given: string, email: string): Promise<string> {
  const name = nameAsSeen(given).slice(0, 100).toWellFormed();
  if (NOBODY.has(name.toLowerCase())) {
    throw new StudioError('USAGE', `"${name}" is a word of this program's own. Take another name.`, { field: 'name' });
  }
  try {
    return (await addPerson(store, { name, email })).id;
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'CONFLICT') throw error;
    throw new StudioError(
      'CONFLICT',
      `Somebody in this workspace is called "${name}" already. Take another name, or ask for an invitation of that person.`,
      { field: 'name' },
      { cause: error },
    );
  }
}
