import { expect, test } from 'vitest';
import {
  addSession,
  addToken,
  dropInvitation,
  dropInvitationsOf,
  dropToken,
  dropTokensOf,
  endSession,
  endSessionsOf,
  findInvitation,
  findMember,
  findSession,
  findToken,
  forgetSessions,
  listMembers,
  listSessions,
  listTokens,
  openInvitations,
  putInvitation,
  putMember,
  touchSession,
  touchToken,
  useInvitation,
  writeMember,
} from '../members.ts';
import { insertPerson } from '../people.ts';
import type { Workspace } from '../workspace.ts';
import { type StoreEngine, workspacesOver } from './engines-for-tests.ts';

const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();

/** Members of a team's server, their sessions, invitations and tokens. */
export function membersContract(start: () => Promise<StoreEngine>): void {
  let workspace: Workspace;
  workspacesOver(start, (fresh) => {
    workspace = fresh;
  });
  const store = () => workspace.store;
  async function put(name: string): Promise<void> {
    const member = { id: name, email: `${name}@lab.org`, role: 'annotator' as const, password: 'argon' };
    await store().transaction(async (trx) => {
      await insertPerson(trx, { id: name, name, email: null });
      await putMember(trx, member);
    });
  }

  test('members come, change and leave', async () => {
    for (const name of ['zoë', 'Zoe', 'ada']) await put(name);
    await writeMember(store(), 'ada', { role: 'manager', settings: '{"a":1}', left_at: day(3) });
    expect((await listMembers(store(), { left: true })).map(({ name }) => name)).toEqual(['Zoe', 'ada', 'zoë']);
    expect(await listMembers(store(), { left: false })).toHaveLength(2);
    expect(await findMember(store(), 'ada@lab.org')).toMatchObject({
      role: 'manager',
      leftAt: day(3),
      settings: '{"a":1}',
    });
    const again = { id: 'ada', email: 'new@lab.org', role: 'viewer' as const, password: 'other' };
    await store().transaction((trx) => putMember(trx, again));
    expect(await findMember(store(), 'ada')).toMatchObject({ email: 'new@lab.org', leftAt: null, password: 'other' });
    expect(await findMember(store(), 'nobody')).toBeUndefined();
  });

  test('sessions last until they end, lie idle or are ended', async () => {
    await put('ada');
    for (const at of [1, 2, 3, 4]) {
      const times = { createdAt: day(at), seenAt: day(at), endsAt: day(at + 20) };
      await addSession(store(), { id: `s${at}`, member: 'ada', hash: `h${at}`, ...times });
    }
    await touchSession(store(), 's1', day(15));
    expect(await findSession(store(), 'h1')).toEqual({
      id: 's1',
      member: 'ada',
      createdAt: day(1),
      seenAt: day(15),
      endsAt: day(21),
    });
    await forgetSessions(store(), { ended: day(20), idle: day(3) });
    expect((await listSessions(store())).map(({ id }) => id).toSorted()).toEqual(['s1', 's3', 's4']);
    await endSession(store(), 's3');
    expect(await endSessionsOf(store(), 'ada')).toBe(2);
    expect(await findSession(store(), 'h1')).toBeUndefined();
  });

  test('an invitation is used once, and a newer one takes its place', async () => {
    const row = {
      email: 'eva@lab.org',
      name: 'Eva',
      role: 'reviewer' as const,
      person: null,
      createdBy: null,
      usedAt: null,
    };
    const invite = (id: string, at: number) =>
      store().transaction((trx) =>
        putInvitation(trx, { ...row, id, hash: `hash ${id}`, createdAt: day(at), endsAt: day(at + 7) }),
      );
    await invite('one', 1);
    await invite('two', 2);
    expect(await findInvitation(store(), 'hash one')).toBeUndefined();
    expect((await openInvitations(store())).map(({ id }) => id)).toEqual(['two']);
    const uses = await Promise.all([1, 2].map(() => store().transaction((trx) => useInvitation(trx, 'two'))));
    expect(uses.toSorted()).toEqual([false, true]);
    expect(await dropInvitation(store(), 'two')).toBe(false);
    await invite('three', 3);
    await dropInvitationsOf(store(), 'eva@lab.org');
    expect(await openInvitations(store())).toEqual([]);
  });

  test('tokens are found by their hash, and go', async () => {
    await put('ada');
    const token = { member: 'ada', name: 'script', scopes: '["read"]', endsAt: day(30), usedAt: null };
    for (const at of [1, 2]) await addToken(store(), { ...token, id: `t${at}`, hash: `h${at}`, createdAt: day(at) });
    await touchToken(store(), 't1', day(5));
    expect(await findToken(store(), 'h1')).toEqual({ ...token, id: 't1', createdAt: day(1), usedAt: day(5) });
    expect((await listTokens(store())).map(({ id }) => id)).toEqual(['t2', 't1']);
    await dropToken(store(), 't2');
    await dropTokensOf(store(), 'ada');
    expect(await listTokens(store())).toEqual([]);
  });
}
