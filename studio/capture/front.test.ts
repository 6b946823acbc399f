import { expect, test } from 'vitest';
import { type Front, frontJudge, hasLists, judgeFront } from './front.ts';

const window = (app: string, title = '') => ({ app, title });
const front = (active: Front['active'], more: Partial<Front> = {}): Front => ({
  active,
  focused: active,
  topmost: active,
  ...more,
});
const exclude = { exclude: ['KeePass', 'bank'], only: [] };
const only = { exclude: [], only: ['gimp'] };

test('a word of the exclude list counts in the application and in the title, in any case', () => {
  expect(judgeFront(front(window('keepassxc', 'Passwords')), exclude)).toBe('left-out');
  expect(judgeFront(front(window('Firefox', 'My Bank - Firefox')), exclude)).toBe('left-out');
  expect(judgeFront(front(window('Gimp', 'picture')), exclude)).toBe('allowed');
});

test.each([
  ['Überweisung', 'U\u0308berweisung 12.pdf'],
  ['Passwo\u0308rter', 'PASSWÖRTER'],
  ['straße', 'Hauptstrasse'],
  ['finance', 'My \ufb01nance'],
  ['bank', '\uff22\uff21\uff2e\uff2b'],
  ['bank', 'b\u200ba\u00adnk'],
  ['my bank', 'My\u00a0Bank'],
  ['İstanbul', 'istanbul'],
  ['istanbul', 'İSTANBUL'],
])('%j leaves out %j, however its letters are written', (word, title) => {
  expect(judgeFront(front(window('Firefox', title)), { exclude: [word], only: [] })).toBe('left-out');
  expect(judgeFront(front(window(title)), { exclude: [], only: [word] })).toBe('allowed');
});

test.each(['', ' ', '\u200b'])('%j is no word: nothing fits it', (word) => {
  expect(judgeFront(front(window('Gimp', 'a picture')), { exclude: [word], only: [] })).toBe('allowed');
  expect(judgeFront(front(window('Gimp', 'a picture')), { exclude: [], only: [word] })).toBe('left-out');
});

test('so does a window that has the keyboard or was raised, before it is called active', () => {
  const active = window('Gimp');
  expect(judgeFront(front(active, { focused: window('KeePass') }), exclude)).toBe('left-out');
  expect(judgeFront(front(active, { topmost: window('KeePass') }), exclude)).toBe('left-out');
});

test('an allow list looks at applications, not at titles, and leaves out everything else', () => {
  expect(judgeFront(front(window('Gimp-2.10')), only)).toBe('allowed');
  expect(judgeFront(front(window('Firefox', 'gimp tutorial')), only)).toBe('left-out');
  expect(judgeFront(front(window('Gimp'), { focused: window('Firefox') }), only)).toBe('left-out');
  expect(judgeFront(front(window('Gimp'), { topmost: window('Panel') }), only)).toBe('allowed');
  expect(judgeFront(front(window('Gimp', 'bank')), { ...only, exclude: ['bank'] })).toBe('left-out');
});

test('no window and one without any name are waited with, and then judged as they stand', () => {
  for (const [lists, at, end] of [
    [exclude, front(window('', '')), true],
    [only, front(null), false],
  ] as const) {
    const judge = frontJudge(lists);
    expect(judge(1_000_000, at)).toBe(null);
    expect(judge(1_299_000, at)).toBe(null);
    expect(judge(1_300_000, at)).toBe(end);
    expect(judge(1_400_000, front(window('Gimp')))).toBe(true);
    expect(judge(1_500_000, at)).toBe(null);
  }
  expect(judgeFront(front(null), exclude)).toBe('allowed');
});

test('what was there for a moment counts as what is there', () => {
  const gimp = front(window('Gimp'));
  expect(judgeFront({ ...gimp, seen: [window('rofi', 'bank')] }, exclude)).toBe('left-out');
  expect(judgeFront({ ...gimp, typed: [window('KeePassXC')] }, exclude)).toBe('left-out');
  expect(judgeFront({ ...gimp, seen: [window('rofi')], typed: [window('rofi')], missed: false }, exclude)).toBe(
    'allowed',
  );
  // With an allow list only what is typed into: panels and notes of others are on every screen.
  expect(judgeFront({ ...gimp, seen: [window('panel')] }, only)).toBe('allowed');
  expect(judgeFront({ ...gimp, typed: [window('Gimp-2.10')] }, only)).toBe('allowed');
  expect(judgeFront({ ...gimp, typed: [window('i3lock')] }, only)).toBe('left-out');
});

test('a window that was gone before it said its name may have been any', () => {
  for (const lists of [exclude, only]) {
    const judge = frontJudge(lists);
    expect(judge(1_000_000, { ...front(window('Gimp')), missed: true })).toBe(false);
    expect(judge(1_010_000, front(window('Gimp')))).toBe(true);
  }
});

test('an empty word fits nothing, and no words need no looks', () => {
  expect(judgeFront(front(window('a', 'b')), { exclude: [''], only: [] })).toBe('allowed');
  expect(hasLists({ exclude: [], only: [] })).toBe(false);
  expect(hasLists(exclude) && hasLists(only)).toBe(true);
});
