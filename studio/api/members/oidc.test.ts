import { afterEach, describe, expect, test, vi } from 'vitest';
import { CLIENT, startSignInService } from '../../../test/support/sign-in-service.ts';
import { issuerOf, type OidcWishes, openOidc, tryOidc } from './oidc.ts';
import { OidcFault } from './oidc-fault.ts';

/** What an administrator is told of a service of OpenID Connect when the server starts. */

const ORIGIN = 'https://studio.test';
const wishes = (issuer: string): OidcWishes => ({
  issuer: new URL(issuer),
  client: CLIENT.id,
  secret: CLIENT.secret,
  name: 'x',
  domains: [],
  role: 'annotator',
});

afterEach(() => {
  vi.doUnmock('openid-client');
  vi.resetModules();
});

describe('an issuer', () => {
  test.each(['https://id.lab.org', 'https://id.lab.org/realms/lab', 'http://127.0.0.1:8080', 'http://localhost/x'])(
    '%s is one',
    (text) => {
      expect(issuerOf(text).href.startsWith(text)).toBe(true);
    },
  );
  test.each([
    '',
    'id.lab.org',
    'http://id.lab.org',
    'ftp://id.lab.org',
    'https://a:b@id.lab.org',
    'https://id.lab.org?x',
    'https://id.lab.org#x',
    'javascript:1',
    'http://127.0.0.1.evil.test',
  ])('%s is none', (text) => {
    expect(() => issuerOf(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});

test('without the package it is said what to install', async () => {
  vi.doMock('openid-client', () => {
    throw new Error('not there');
  });
  const { openOidc: open } = await import('./oidc.ts');
  const error: unknown = await open(wishes('https://id.lab.org'), ORIGIN).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'NO_LIBRARY', message: expect.stringContaining('npm install openid-client@') });
});

test('a service that is away, and one that is none, is warned of, and asked again later', async () => {
  const service = await startSignInService(`${ORIGIN}/x`);
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  try {
    // Nothing of it is at this path.
    await tryOidc(await openOidc(wishes(`${service.issuer}/realms/none`), ORIGIN), tell);
    // The service calls itself 127.0.0.1.
    await tryOidc(await openOidc(wishes(service.issuer.replace('127.0.0.1', 'localhost')), ORIGIN), tell);
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(/no description of an OpenID Connect service/);
    expect(told[1]).toMatch(/calls itself otherwise/);
    const provider = await openOidc(wishes(service.issuer), ORIGIN);
    await tryOidc(provider, tell);
    expect(told).toHaveLength(2);
    await service.close();
    // What is known of it is kept for a while, so a browser is still led there.
    expect((await provider.begin(false)).url.origin).toBe(service.issuer);
    const late = await openOidc(wishes(service.issuer), ORIGIN);
    await tryOidc(late, tell);
    expect(told[2]).toMatch(/does not answer/);
    await expect(late.begin(false)).rejects.toBeInstanceOf(OidcFault);
    const again = await startSignInService(`${ORIGIN}/x`, Number(new URL(service.issuer).port));
    try {
      expect((await late.begin(false)).url.origin).toBe(service.issuer);
    } finally {
      await again.close();
    }
  } finally {
    await service.close();
  }
});
