import { randomUUID } from 'node:crypto';
import { ROLE_RIGHTS } from '../../../core/team/rights.ts';
import { plural } from '../../../core/words.ts';
import type { TeamToken } from '../../../schemas/api/team.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { TEAM_RIGHTS, type TeamRight } from '../../../schemas/team-terms.ts';
import {
  addSession,
  addToken,
  dropToken,
  endSession,
  findSession,
  findToken,
  forgetSessions,
  listTokens,
  type MemberRow,
  touchSession,
  touchToken,
} from '../../store/members.ts';
import { listPeople } from '../../store/people.ts';
import type { Store } from '../../store/store.ts';
import { activeMember, mayManage, theMember } from './members.ts';
import { fitsPassword } from './passwords.ts';
import type { Principal, SignedIn } from './principal.ts';
import { hashOfSecret, newSecret } from './secrets.ts';

/** Sessions of browsers and tokens of scripts: looked up at each request, so that what is ended is ended at once. */

const DAY_MS = 86_400_000;
/** A session ends so long after signing in, and when it was not used for so long. */
const SESSION_DAYS = 30;
const IDLE_DAYS = 7;
/** Its last use is written down to so many ms: not at every request. */
const SEEN_MS = 10 * 60_000;

const at = (ms: number): string => new Date(ms).toISOString();

const principalOf = (member: MemberRow, rights: readonly TeamRight[], by: SignedIn['by']): SignedIn => {
  const { id, name, email, role } = member;
  return { kind: 'member', id, name, email, role, rights: new Set(rights), by };
};

/** The member who signs in with these; null where there is none, found out as slowly. */
export async function memberWithPassword(store: Store, email: string, password: string): Promise<MemberRow | null> {
  const member = await activeMember(store, email.trim().toLowerCase());
  return (await fitsPassword(password, member?.password ?? null)) && member ? member : null;
}

/**
 * The secret for its cookie, and when it ends. `days`: fewer for one that another service vouches for, which is asked again
 * then: whoever has no account there any more stays no longer.
 */
export async function beginSession(
  store: Store,
  member: string,
  days: number = SESSION_DAYS,
): Promise<{ secret: string; endsAt: string }> {
  const secret = newSecret('session');
  const now = Date.now();
  await forgetSessions(store, { ended: at(now), idle: at(now - IDLE_DAYS * DAY_MS) });
  const endsAt = at(now + days * DAY_MS);
  const row = { id: randomUUID(), member, hash: hashOfSecret('session', secret)!, endsAt };
  await addSession(store, { ...row, createdAt: at(now), seenAt: at(now) });
  return { secret, endsAt };
}

/** Null where it never was, has ended, or its member has left. */
export async function principalOfSession(
  store: Store,
  secret: string,
): Promise<{ member: SignedIn; settings: string } | null> {
  const hash = hashOfSecret('session', secret);
  const session = hash === null ? undefined : await findSession(store, hash);
  const now = Date.now();
  if (!session || Date.parse(session.endsAt) <= now) return null;
  if (now - Date.parse(session.seenAt) > IDLE_DAYS * DAY_MS) return null;
  const row = await activeMember(store, session.member);
  if (!row) return null;
  if (now - Date.parse(session.seenAt) > SEEN_MS) await touchSession(store, session.id, at(now));
  const by = { kind: 'session', id: session.id, endsAt: session.endsAt } as const;
  return { member: principalOf(row, ROLE_RIGHTS[row.role], by), settings: row.settings };
}

export const endSessionOf = (store: Store, { by }: SignedIn): Promise<void> =>
  by.kind === 'session' ? endSession(store, by.id) : Promise.resolve();

/** The rights of a token are those of its member now, as far as its scopes go. */
export async function principalOfToken(
  store: Store,
  secret: string,
): Promise<{ member: SignedIn; settings: string } | null> {
  const hash = hashOfSecret('token', secret);
  const token = hash === null ? undefined : await findToken(store, hash);
  const now = Date.now();
  if (!token || Date.parse(token.endsAt) <= now) return null;
  const row = await activeMember(store, token.member);
  if (!row) return null;
  if (now - Date.parse(token.usedAt ?? token.createdAt) > SEEN_MS || token.usedAt === null)
    await touchToken(store, token.id, at(now));
  const scopes = scopesOf(token.scopes);
  const rights = ROLE_RIGHTS[row.role].filter((right) => scopes.includes(right));
  return {
    member: principalOf(row, rights, { kind: 'token', id: token.id, endsAt: token.endsAt }),
    settings: row.settings,
  };
}

/** Somebody as whom work that they had begun goes on; null where they have left. `job`: the work. */
export async function principalOfWork(
  store: Store,
  member: string,
  job: string,
): Promise<{ member: SignedIn; settings: string } | null> {
  const row = await activeMember(store, member);
  if (!row) return null;
  const by = { kind: 'session', id: job, endsAt: at(Date.now()) } as const;
  return { member: principalOf(row, ROLE_RIGHTS[row.role], by), settings: row.settings };
}

const scopesOf = (json: string): TeamRight[] => {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? TEAM_RIGHTS.filter((right) => list.includes(right)) : [];
};

/** All tokens for somebody who manages members; else one's own. */
export async function showTokens(store: Store, by: Principal): Promise<TeamToken[]> {
  const names = new Map((await listPeople(store)).map(({ id, name }) => [id, name]));
  const all = by.kind === 'account' || by.rights.has('members');
  return (await listTokens(store))
    .filter(({ member }) => all || (by.kind === 'member' && by.id === member))
    .map(({ id, member, name, scopes, createdAt, endsAt, usedAt }) => ({
      id,
      member,
      name,
      createdAt,
      endsAt,
      usedAt,
      memberName: names.get(member) ?? member,
      scopes: scopesOf(scopes),
      ended: Date.parse(endsAt) <= Date.now(),
    }));
}

/**
 * The secret is told once, here. A member makes tokens of their own; the server's command line one for anybody. Throws
 * FORBIDDEN for rights that they do not have, and for a token that would make another; USAGE for a member who has too many.
 */
export async function makeToken(
  store: Store,
  by: Principal,
  wishes: { member?: string | undefined; name: string; scopes: readonly TeamRight[]; days: number },
): Promise<TeamToken & { secret: string }> {
  if (by.kind === 'member' && by.by.kind === 'token') {
    throw new StudioError('FORBIDDEN', 'A token makes no tokens: sign in, or use the command line of the server.', {});
  }
  const given = wishes.member ?? (by.kind === 'member' ? by.id : undefined);
  if (given === undefined) {
    throw new StudioError('USAGE', 'Say whose it is: --member ana@lab.org. A token acts as a member.', {
      field: 'member',
    });
  }
  const member = await theMember(store, given);
  if (by.kind === 'member' && member.id !== by.id) {
    throw new StudioError('FORBIDDEN', 'A token acts as its member, so everybody makes their own.', {});
  }
  const beyond = wishes.scopes.filter((scope) => !ROLE_RIGHTS[member.role].includes(scope));
  if (beyond.length > 0) {
    throw new StudioError(
      'FORBIDDEN',
      `${member.name} is ${member.role} and has no right to ${beyond.join(', ')}. Rights: ${ROLE_RIGHTS[member.role].join(', ')}.`,
      { field: 'scopes' },
    );
  }
  const now = Date.now();
  if (by.kind === 'member') await refuseMoreTokens(store, member.id, now);
  const secret = newSecret('token');
  const row = {
    id: randomUUID(),
    member: member.id,
    name: wishes.name.trim(),
    scopes: JSON.stringify(wishes.scopes),
    createdAt: at(now),
    endsAt: at(now + wishes.days * DAY_MS),
    usedAt: null,
  };
  await addToken(store, { ...row, hash: hashOfSecret('token', secret)! });
  return { ...row, memberName: member.name, scopes: [...wishes.scopes], ended: false, secret };
}

/** Most tokens of one member that still hold, so that every list of them has an end. */
const MOST_TOKENS = 50;

async function refuseMoreTokens(store: Store, who: string, now: number): Promise<void> {
  const own = (await listTokens(store)).filter(({ member, endsAt }) => member === who && Date.parse(endsAt) > now);
  if (own.length < MOST_TOKENS) return;
  const message = `You have ${plural(own.length, 'token')} that hold. Revoke those that nothing uses any more, then make another.`;
  throw new StudioError('USAGE', message, { tokens: own.length });
}

/** Throws USAGE for one that is not there, or is somebody else's. */
export async function revokeToken(store: Store, by: Principal, given: string): Promise<{ name: string }> {
  const found = (await showTokens(store, by)).filter(
    ({ id }) => id === given || (given.length >= 4 && id.startsWith(given)),
  );
  const [token, other] = found;
  if (!token || other) {
    throw new StudioError('USAGE', `There is no one token "${given.slice(0, 60)}" that you can revoke.`, {
      field: 'token',
    });
  }
  if (by.kind === 'member' && token.member !== by.id) mayManage(by, (await theMember(store, token.member)).role);
  await dropToken(store, token.id);
  return { name: token.name };
}
