import { expect, test } from 'vitest';
import { isPage, pagesOfSession } from './browser-session.ts';
import { sessionOf } from './session-for-tests.ts';

test('the pages of a session: open ones by window and place, the one in front, those gone left out', () => {
  const bytes = sessionOf([
    { window: 1, tab: 10, place: 1, urls: ['https://a.org/', 'https://a.org/next'], shown: 1 },
    { window: 1, tab: 11, place: 0, urls: ['https://b.org/'] },
    { window: 1, tab: 12, place: 2, urls: ['https://gone.org/'], closed: true },
  ]);
  expect(pagesOfSession(bytes)).toEqual({ open: ['https://b.org/', 'https://a.org/next'], active: 'https://b.org/' });
  // The last command is being written.
  expect(pagesOfSession(bytes.subarray(0, bytes.length - 3)).open).toHaveLength(3);
});

test('what is no session is refused, and an empty one has no page', () => {
  expect(() => pagesOfSession(Buffer.from('PNGS1234'))).toThrow('no session of Chromium');
  expect(pagesOfSession(Buffer.from('SNSS\x01\0\0\0'))).toEqual({ open: [], active: null });
});

test('an address is the wanted one as a whole, by a part, by a pattern', () => {
  expect(isPage('https://www.a.org/', 'http://a.org', 'address')).toBe(true);
  expect(isPage('https://a.org/b', 'a.org', 'address')).toBe(false);
  expect(isPage('https://a.org/b', 'org/b', 'part')).toBe(true);
  expect(isPage('https://a.org/b?id=431', String.raw`b\?id=\d+$`, 'pattern')).toBe(true);
});
