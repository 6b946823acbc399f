import { expect, it } from 'vitest';
import { FIRST_OPTIONS, optionsOf } from '../recorder/options.ts';
import { RECORDER_SHORTCUTS, recorderShortcuts, shortcutProblem } from './recorder-shortcuts.ts';

it('takes the user’s keys where there are some', () => {
  expect(recorderShortcuts({ stop: 'Alt+F4' })).toEqual({ ...RECORDER_SHORTCUTS, stop: 'Alt+F4' });
});

it('refuses a key that would be typed into what is recorded', () => {
  expect(shortcutProblem('stop', 'S', RECORDER_SHORTCUTS)).toContain('needs Ctrl, Alt or Meta');
  expect(shortcutProblem('stop', 'Shift+F9', RECORDER_SHORTCUTS)).toContain('needs Ctrl, Alt or Meta');
});

it('refuses a key of another of the four, and one that cannot be listened for', () => {
  expect(shortcutProblem('stop', 'Ctrl+Shift+F9', RECORDER_SHORTCUTS)).toContain('Mark a subtask boundary');
  expect(shortcutProblem('stop', 'Ctrl+ArrowUp', RECORDER_SHORTCUTS)).toContain('cannot listen for ArrowUp');
  expect(shortcutProblem('stop', 'Ctrl+Shift+F12', RECORDER_SHORTCUTS)).toBeNull();
});

it('remembers how one recorded, as far as the API would take it', () => {
  expect(optionsOf({})).toEqual(FIRST_OPTIONS);
  const kept = {
    fps: 500,
    countdown: 0,
    exclude: ['Mail', 7],
    secretPrograms: ['Vault', null],
    only: 'gimp',
    person: 'me',
    elements: true,
  };
  expect(optionsOf({ recorder: kept })).toEqual({
    fps: 30,
    countdown: 0,
    exclude: ['Mail'],
    only: [],
    secretPrograms: ['Vault'],
    person: 'me',
    elements: true,
    elementNames: true,
  });
  expect(optionsOf({ recorder: { elements: 'yes' } }).elements).toBeNull();
  expect(optionsOf({ recorder: { elementNames: false } }).elementNames).toBe(false);
});
