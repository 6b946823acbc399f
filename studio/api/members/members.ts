import { mayManageRole } from '../../../core/team/rights.ts';
import type { TeamMember } from '../../../schemas/api/team.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { TeamRole } from '../../../schemas/team-terms.ts';
import {
  dropInvitationsOf,
  dropTokensOf,
  endSessionsOf,
  findMember,
  listMembers,
  listSessions,
  type MemberRow,
  writeMember,
} from '../../store/members.ts';
import type { Store } from '../../store/store.ts';
import type { Principal } from './principal.ts';

/** The members of a workspace and their roles. The account of the machine may do everything; a member what their role says. */

export async function showMembers(store: Store): Promise<TeamMember[]> {
  const [rows, sessions] = await Promise.all([listMembers(store, { left: false }), listSessions(store)]);
  return rows.map(({ id, name, email, role, createdAt }) => {
    const own = sessions.filter(({ member }) => member === id);
    const seenAt =
      own
        .map((one) => one.seenAt)
        .sort()
        .at(-1) ?? null;
    return { id, name, email, role, createdAt, sessions: own.length, seenAt };
  });
}

/** The member of this id, address or name, as they are shown. Throws USAGE with who there is. */
export async function theMember(store: Store, given: string): Promise<MemberRow> {
  const wanted = given.trim().toLowerCase();
  const all = await listMembers(store, { left: false });
  // In this order: whoever calls themselves by somebody's address is not taken for them, nor in their way.
  const exact = all.find(({ id }) => id === given) ?? all.find(({ email }) => email === wanted);
  const found = exact ? [exact] : all.filter(({ name }) => name.toLowerCase() === wanted);
  if (found.length === 1) return found[0]!;
  const names = all.map(({ email }) => email).join(', ');
  throw new StudioError(
    'USAGE',
    `"${given.slice(0, 100)}" is no member of this workspace. Members: ${names || 'none yet; `npm run studio -- invite` invites one'}.`,
    { field: 'member' },
  );
}

/** Throws FORBIDDEN: a manager has no say over owners, whose equal they would become by it. */
export function mayManage(by: Principal, role: TeamRole): void {
  if (by.kind === 'account' || mayManageRole(by.role, role)) return;
  throw new StudioError('FORBIDDEN', `Only an owner decides about ${role === 'owner' ? 'owners' : `a ${role}`}.`, {});
}

/** Throws CONFLICT: a workspace that nobody can administer any more would need the server's command line. */
async function keepAnOwner(store: Store, member: MemberRow): Promise<void> {
  if (member.role !== 'owner') return;
  const owners = (await listMembers(store, { left: false })).filter(({ role }) => role === 'owner');
  if (owners.length > 1) return;
  throw new StudioError('CONFLICT', `${member.name} is the only owner. Make somebody else an owner first.`, {
    member: member.id,
  });
}

/** It holds from their next request on. */
export function changeRole(store: Store, by: Principal, given: string, role: TeamRole): Promise<TeamMember> {
  return store.transaction(async (trx) => {
    const member = await theMember(trx, given);
    mayManage(by, member.role);
    mayManage(by, role);
    if (role !== 'owner') await keepAnOwner(trx, member);
    await writeMember(trx, member.id, { role });
    return (await showMembers(trx)).find(({ id }) => id === member.id)!;
  });
}

/** Their work and their name stay; they are signed out, and their tokens and open invitations hold no more. */
export function takeOut(store: Store, by: Principal, given: string): Promise<{ id: string; name: string }> {
  return store.transaction(async (trx) => {
    const member = await theMember(trx, given);
    mayManage(by, member.role);
    await keepAnOwner(trx, member);
    await writeMember(trx, member.id, { left_at: new Date().toISOString() });
    await endSessionsOf(trx, member.id);
    await dropTokensOf(trx, member.id);
    await dropInvitationsOf(trx, member.email);
    return { id: member.id, name: member.name };
  });
}

/** Ends every session of theirs. Anybody may sign themselves out. */
export function signOutEverywhere(
  store: Store,
  by: Principal,
  given: string,
): Promise<{ id: string; name: string; sessions: number }> {
  return store.transaction(async (trx) => {
    const member = await theMember(trx, given);
    if (by.kind !== 'member' || by.id !== member.id) {
      if (by.kind === 'member' && !by.rights.has('members')) {
        throw new StudioError('FORBIDDEN', 'You can sign out yourself alone. Ask a manager of this workspace.', {});
      }
      mayManage(by, member.role);
    }
    return { id: member.id, name: member.name, sessions: await endSessionsOf(trx, member.id) };
  });
}

/** The row of somebody who may sign in; undefined for anybody else. */
export async function activeMember(store: Store, idOrEmail: string): Promise<MemberRow | undefined> {
  const row = await findMember(store, idOrEmail);
  return row?.leftAt === null ? row : undefined;
}
