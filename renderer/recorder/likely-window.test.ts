import { expect, test } from 'vitest';
import { likelyWindow } from './likely-window.ts';

const windowOf = (app: string, title: string) => ({ id: `${app} ${title}`, title, app, bounds: null });
const mousepad = { name: 'Mousepad', aliases: ['xfce text editor'], executables: ['mousepad'] };

test('the window of the task’s software is meant, by its program’s name in any letters', () => {
  const windows = [windowOf('chromium', 'Trajectory Studio'), windowOf('Mousepad', 'Untitled 1')];
  expect(likelyWindow(windows, mousepad)).toBe('Untitled 1');
});

test('the only window is meant, whatever its program', () => {
  expect(likelyWindow([windowOf('leafpad', 'Note')], mousepad)).toBe('Note');
  expect(likelyWindow([windowOf('leafpad', 'Note')], undefined)).toBe('Note');
});

test('nothing is guessed among several, or where a title names two', () => {
  expect(likelyWindow([], mousepad)).toBeNull();
  expect(likelyWindow([windowOf('a', 'A'), windowOf('b', 'B')], mousepad)).toBeNull();
  expect(likelyWindow([windowOf('mousepad', 'A'), windowOf('mousepad', 'B')], mousepad)).toBeNull();
  expect(likelyWindow([windowOf('mousepad', 'A'), windowOf('gimp', 'A')], mousepad)).toBeNull();
});
