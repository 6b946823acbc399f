import { describe, expect, test } from 'vitest';
import { readRecorder } from './recorder-state.ts';
import { acceleratorOf, shortcutAct, stillWanted } from './shortcuts.ts';

const state = (more: object) =>
  readRecorder({
    recording: 'r',
    task: 'GIMP_1',
    phase: 'recording',
    paused: null,
    t: 0,
    frames: 1,
    events: 2,
    marks: 0,
    ...more,
  })!;

describe('a chord as Electron takes it', () => {
  test.each([
    ['Ctrl+Shift+F12', 'Control+Shift+F12'],
    ['ctrl+alt+k', 'Control+Alt+K'],
    ['Meta+PageUp', 'Super+PageUp'],
    ['Alt+ScrollLock', 'Alt+Scrolllock'],
    ['Ctrl+f9', 'Control+F9'],
  ])('%s is %s', (chord, accelerator) => expect(acceleratorOf(chord)).toBe(accelerator));

  test.each(['F12', 'Ctrl+Pause', 'Ctrl+', '', 'Hyper+A', 'Ctrl+ArrowUp'])('%s is none', (chord) =>
    expect(acceleratorOf(chord)).toBeNull(),
  );
});

describe('a global shortcut', () => {
  test('starts when nothing is recorded; the other three do nothing then', () => {
    expect(shortcutAct('stop', null)).toBe('start');
    expect(shortcutAct('stop', state({ phase: 'done' }))).toBe('start');
    expect(shortcutAct('mark', null)).toBe('nothing');
  });

  test('is left to the capture process while it records, and to nobody while the recording is closed', () => {
    expect(shortcutAct('stop', state({}))).toBe('check');
    expect(shortcutAct('stop', state({ phase: 'closing' }))).toBe('nothing');
    expect(shortcutAct('pause', state({ phase: 'keyframes' }))).toBe('nothing');
  });

  test('is done by the host when the capture process did not hear it', () => {
    expect(stillWanted('stop', state({}), state({ t: 5 }))).toEqual({ type: 'stop' });
    expect(stillWanted('mark', state({}), state({ t: 5 }))).toEqual({ type: 'mark', kind: 'subtask' });
    expect(stillWanted('moment', state({}), state({ t: 5 }))).toEqual({ type: 'mark', kind: 'moment' });
    expect(stillWanted('pause', state({}), state({}))).toEqual({ type: 'pause', reason: 'user' });
    expect(stillWanted('pause', state({ paused: 'user' }), state({ paused: 'user' }))).toEqual({
      type: 'resume',
      reason: 'user',
    });
    expect(stillWanted('privacy', state({}), state({}))).toEqual({ type: 'pause', reason: 'privacy' });
    expect(stillWanted('forget', state({ paused: 'user' }), state({ paused: 'user' }))).toEqual({ type: 'forget' });
  });

  test('is not done a second time', () => {
    expect(stillWanted('stop', state({}), state({ phase: 'closing' }))).toBeNull();
    expect(stillWanted('mark', state({}), state({ marks: 1 }))).toBeNull();
    expect(stillWanted('pause', state({}), state({ paused: 'user' }))).toBeNull();
    expect(stillWanted('forget', state({}), state({ paused: 'forgotten' }))).toBeNull();
    expect(stillWanted('forget', state({}), state({ forgotten: { times: 1, message: '' } }))).toBeNull();
    const refused = { notices: [{ code: 'not-forgotten', message: '' }] };
    expect(stillWanted('forget', state({}), state(refused))).toBeNull();
    expect(stillWanted('stop', state({}), state({ recording: 'another' }))).toBeNull();
    expect(stillWanted('stop', state({}), null)).toBeNull();
  });
});

test('a recorder’s state of another shape is no state', () => {
  for (const value of [null, 7, 'x', {}, { phase: 7 }]) expect(readRecorder(value)).toBeNull();
  expect(readRecorder({ phase: 'recording', view: { x: 1, y: 2, width: 3 } })?.view).toBeNull();
});
