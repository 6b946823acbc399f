import { expect, test } from 'vitest';
import { createLogins, proofOf, sameSecret, sessionOf } from './logins.ts';

test('codes end by their use or their age', () => {
  let now = 0;
  const logins = createLogins(() => now);
  const [once, printed] = [logins.issue('once'), logins.issue('printed')];
  expect([logins.knows(once), logins.take(once), logins.take(once)]).toEqual([true, true, false]);
  expect([logins.take(printed), logins.take(printed)]).toEqual([true, true]);
  now += 9 * 60_000;
  expect(logins.take(printed)).toBe(true);
  now += 2 * 60_000;
  expect([logins.knows(printed), logins.take(printed)]).toEqual([false, false]);
  const late = logins.issue('once');
  now += 3 * 60_000;
  expect(logins.take(late)).toBe(false);
});

test('codes that nobody uses do not pile up', () => {
  const logins = createLogins();
  const first = logins.issue('printed');
  for (let n = 0; n < 500; n++) logins.issue('once');
  expect(logins.knows(first)).toBe(false);
});

test('a session is another secret than the token, at each host another, and the same after a restart with the same token', () => {
  const token = 'x'.repeat(43);
  const [one, other] = [sessionOf(token, 'a.localhost:1'), sessionOf(token, 'a.localhost:2')];
  expect(new Set([token, one, other, proofOf(token, 'session a.localhost:1')]).size).toBe(4);
  expect(sessionOf(token, 'a.localhost:1')).toBe(one);
  expect([sameSecret(one, one), sameSecret(one, other), sameSecret(one, '')]).toEqual([true, false, false]);
});
