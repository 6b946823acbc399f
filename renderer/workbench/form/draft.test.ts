import { expect, test } from 'vitest';
import { shownText } from './draft.ts';

const typed = (text: string, stored: boolean) => ({ identity: 'a1', text, stored });

test('what is being typed is shown for what it was typed for, and for nothing else', () => {
  expect(shownText(null, 'a1', 'Crop')).toBe('Crop');
  expect(shownText(typed('Crop 3', false), 'a1', 'Crop')).toBe('Crop 3');
  expect(shownText(typed('Crop 3', false), 'a2', 'Rotate')).toBe('Rotate');
});

test('the blank after a word stays while somebody types on, also when the words before it were stored', () => {
  expect(shownText(typed('Crop ', true), 'a1', 'Crop')).toBe('Crop ');
  expect(shownText(typed('Open it\n', true), 'a1', 'Open it')).toBe('Open it\n');
});

test('what was stored otherwise since is shown', () => {
  expect(shownText(typed('Crop ', true), 'a1', 'Crop tool')).toBe('Crop tool');
  expect(shownText(typed('Crop ', true), 'a1', '')).toBe('');
});
