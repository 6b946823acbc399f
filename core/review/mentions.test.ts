import { expect, test } from 'vitest';
import { askedIn, mentionsOf } from './mentions.ts';

const PEOPLE = [
  { id: 'ada', name: 'Ada' },
  { id: 'adal', name: 'Ada Lovelace' },
  { id: 'cem', name: 'Cem Yıldız' },
  { id: 'wei', name: '王伟' },
];
const mentions = mentionsOf(PEOPLE);
const named = (text: string) => mentions(text).flatMap(({ person }) => person ?? []);

test('a whole name after @ names a person, the longest that fits, in any case', () => {
  expect(named('@Ada Lovelace, is it this? @cem yıldız')).toEqual(['adal', 'cem']);
  expect(named('@Ada, look')).toEqual(['ada']);
  expect(named('（@王伟）')).toEqual(['wei']);
  expect(named('Ada, a@Ada.org, @Adam, @ Ada, @')).toEqual([]);
});

test('the parts of a text are the text, letter by letter', () => {
  for (const text of ['', '@Ada', 'to @Ada and @Ada Lovelace.', '@@Ada@Ada', 'no @body'])
    expect(
      mentions(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  expect(mentions('to @Ada.')).toEqual([
    { text: 'to ', person: null },
    { text: '@Ada', person: 'ada' },
    { text: '.', person: null },
  ]);
});

test('a person is asked until they answer or the thread is resolved; their own words ask nobody', () => {
  const entry = (event: string, person: string, text: string) => ({
    event,
    person,
    at: '2026-01-01T00:00:00.000Z',
    text,
  });
  const asks = entry('1', 'cem', 'Is it so, @Ada?');
  const ask = (open: boolean, ...entries: (typeof asks)[]) =>
    askedIn({ open, entries }, 'ada', mentions)?.event ?? null;
  expect(ask(true, asks)).toBe('1');
  expect(ask(true, asks, entry('2', 'wei', 'I think so'))).toBe('1');
  expect(ask(true, asks, entry('2', 'ada', 'Yes'))).toBeNull();
  expect(ask(true, asks, entry('2', 'ada', 'Yes'), entry('3', 'cem', '@Ada sure?'))).toBe('3');
  expect(ask(false, asks)).toBeNull();
  expect(ask(true, entry('1', 'ada', 'Note to @Ada'))).toBeNull();
  expect(ask(true, entry('1', 'cem', 'An old comment without names'))).toBeNull();
});
