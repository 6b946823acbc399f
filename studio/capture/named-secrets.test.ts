import { expect, test } from 'vitest';
import type { ElementWindow, KeyboardFocus } from '../../native/elements/contract.ts';
import { withNamedSecrets } from './named-secrets.ts';

const named = (app: string, title: string): ElementWindow => ({
  id: '1',
  pid: 7,
  app,
  title,
  popup: false,
  bounds: null,
});

function asked(words: string[]) {
  const windows: string[] = [];
  const focus: KeyboardFocus = {
    turn: () => undefined,
    version: () => 3,
    window: () => null,
    kindIn(window) {
      windows.push(window?.app ?? 'none');
      return 'unanswered';
    },
    slowest: () => 250,
    why: () => 'field',
    silent: () => 'Ledger',
  };
  return { focus: withNamedSecrets(focus, words), windows };
}

test('a window with a word of the person is one for secrets, by its program or its title, without that anybody is asked', () => {
  const { focus, windows } = asked(['ledger', 'KONTO']);
  for (const window of [named('Ledger-live', ''), named('Tk', 'Mein Konto')]) {
    expect(focus.kindIn(window)).toBe('password');
    // Nothing that was slow before holds up that its keys are judged.
    expect([focus.why?.(), focus.slowest?.(), focus.silent?.()]).toEqual(['program', 0, null]);
  }
  expect(windows).toEqual([]);
});

test('another window is asked about as before', () => {
  const { focus, windows } = asked(['ledger']);
  expect(focus.kindIn(named('Ledger', ''))).toBe('password');
  expect([focus.kindIn(named('Gimp', 'a')), focus.kindIn(null)]).toEqual(['unanswered', 'unanswered']);
  expect([focus.why?.(), focus.slowest?.(), focus.silent?.()]).toEqual(['field', 250, 'Ledger']);
  expect(windows).toEqual(['Gimp', 'none']);
});
