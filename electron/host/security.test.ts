import { describe, expect, test } from 'vitest';
import {
  externalAddress,
  isOwn,
  isTrustedSender,
  mayHave,
  mayRequest,
  NETWORK_SWITCHES,
  SAFE_PREFERENCES,
} from './security.ts';

describe('whose address', () => {
  test.each(['studio://app/', 'studio://app/w/1?x=1#y'])('%s is ours', (url) => expect(isOwn(url)).toBe(true));
  test.each([
    'studio://other/',
    'studio://app.evil.example/',
    'studio://user@app/',
    'studio:app',
    'http://app/',
    'https://studio/app',
    'file:///etc/passwd',
    'about:blank',
    '',
    'x',
  ])('%s is not', (url) => expect(isOwn(url)).toBe(false));
});

test('a page may ask for its own things and for data that it made; for nothing beyond', () => {
  for (const url of ['studio://app/rpc/x', 'data:image/png;base64,x', 'blob:studio://app/1-2', 'devtools://devtools/x'])
    expect([url, mayRequest(url)]).toEqual([url, true]);
  for (const url of [
    'https://x/',
    'http://127.0.0.1/',
    'wss://x/',
    'blob:https://x/1',
    'file:///x',
    'ftp://x',
    'chrome://gpu',
  ])
    expect([url, mayRequest(url)]).toEqual([url, false]);
});

test('only a plain web address is opened in the browser', () => {
  expect(externalAddress('https://example.org/watch?v=1')).toBe('https://example.org/watch?v=1');
  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'smb://x',
    'https://user:password@x/',
    'studio://app/',
    'x',
  ])
    expect(externalAddress(url)).toBeNull();
});

test('pictures of the screen: for the one hidden page that shares it, and no other', () => {
  expect(mayHave('display-capture', 'studio://app/desktop/screen')).toBe(true);
  for (const url of [
    'studio://app/',
    'studio://app/desktop/screen?x',
    'studio://app/desktop/screen/x',
    'https://x/desktop/screen',
  ])
    expect([url, mayHave('display-capture', url)]).toEqual([url, false]);
  expect(mayHave('media', 'studio://app/desktop/screen')).toBe(false);
});

test('permissions: what pages need, and only for pages of ours', () => {
  expect(mayHave('clipboard-sanitized-write', 'studio://app/')).toBe(true);
  expect(mayHave('clipboard-sanitized-write', 'https://x/')).toBe(false);
  for (const name of [
    'clipboard-read',
    'media',
    'geolocation',
    'notifications',
    'display-capture',
    'usb',
    'openExternal',
    '',
  ])
    expect([name, mayHave(name, 'studio://app/')]).toEqual([name, false]);
});

test('a call counts from the top frame of our page only', () => {
  expect(isTrustedSender({ url: 'studio://app/x', parent: null })).toBe(true);
  expect(isTrustedSender({ url: 'studio://app/x', parent: {} })).toBe(false);
  expect(isTrustedSender({ url: 'https://x/', parent: null })).toBe(false);
  expect(isTrustedSender(null)).toBe(false);
});

test('pages have no Node, and the resolver knows no name', () => {
  expect(SAFE_PREFERENCES).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webviewTag: false,
  });
  expect(NETWORK_SWITCHES).toContainEqual(['host-resolver-rules', 'MAP * ~NOTFOUND']);
});
