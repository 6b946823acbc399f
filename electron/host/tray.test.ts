import { afterEach, expect, test, vi } from 'vitest';
import { readRecorder } from './recorder-state.ts';
import { type TrayActs, trayPicture, trayTemplate, trayWords } from './tray.ts';

const acts: TrayActs = {
  start() {},
  stop() {},
  pause() {},
  privacy() {},
  mark() {},
  moment() {},
  forget() {},
  openRecording() {},
  show() {},
  quit() {},
};
const state = (more: object) =>
  readRecorder({ recording: 'r', task: 'GIMP_1', phase: 'recording', paused: null, t: 65_000_000, marks: 0, ...more });
const last = [{ ws: 'w', id: 'r1', goal: `Crop & save ${'very '.repeat(20)}`, startedAt: '2026-11-21T22:28:14.000Z' }];
const keys = { stop: 'Ctrl+Shift+F12' };
const labels = (now: ReturnType<typeof state>) => trayTemplate({ now, last, keys }, acts).map(({ label }) => label);

afterEach(() => vi.unstubAllEnvs());

test('says what goes on, in words and by its picture', () => {
  expect([trayPicture(null), trayWords(null)]).toEqual(['idle', 'Trajectory Studio: Not recording']);
  expect([trayPicture(state({})), trayWords(state({}))]).toEqual([
    'recording',
    'Trajectory Studio: Recording GIMP_1, 1:05',
  ]);
  expect(trayPicture(state({ paused: 'user' }))).toBe('paused');
  expect(trayPicture(state({ paused: 'sync' }))).toBe('recording');
  expect(trayPicture(state({ phase: 'countdown' }))).toBe('recording');
  expect(trayPicture(state({ phase: 'closing' }))).toBe('idle');
  expect(trayWords(state({ phase: 'keyframes' }))).toContain('Closing the recording of GIMP_1');
});

test('offers what can be done now', () => {
  expect(labels(null)).toContain('Start Recording (Ctrl+Shift+F12)');
  expect(labels(state({}))).toEqual(
    expect.arrayContaining(['Stop Recording (Ctrl+Shift+F12)', 'Pause', 'Privacy Pause', 'Mark the End of a Subtask']),
  );
  expect(labels(state({ paused: 'user' }))).toContain('Go On');
  const pause = trayTemplate({ now: state({ paused: 'privacy' }), last, keys }, acts).find(({ id }) => id === 'pause');
  expect(pause?.enabled).toBe(false);
  const privacy = (paused: string) =>
    trayTemplate({ now: state({ paused }), last, keys }, acts).find(({ id }) => id === 'privacy');
  expect(privacy('privacy')).toMatchObject({ label: 'End the Privacy Pause', enabled: true });
  expect(privacy('user')?.enabled).toBe(false);
  const start = trayTemplate({ now: state({ phase: 'closing' }), last, keys }, acts).find(({ id }) => id === 'start');
  expect(start?.enabled).toBe(false);
});

test('offers to forget, and says how much, also in a pause', () => {
  const forget = (more: object) =>
    trayTemplate({ now: state({ forgetMinutes: 2, ...more }), last, keys: { forget: 'Ctrl+Shift+F8' } }, acts).find(
      ({ id }) => id === 'forget',
    );
  expect(forget({})).toMatchObject({ label: 'Forget the Last 2 Minutes (Ctrl+Shift+F8)', enabled: true });
  expect(forget({ forgetMinutes: 1, paused: 'user' })).toMatchObject({
    label: 'Forget the Last Minute (Ctrl+Shift+F8)',
    enabled: true,
  });
  expect(forget({ paused: 'forgotten' })?.enabled).toBe(false);
  expect(trayWords(state({ paused: 'forgotten' }))).toBe('Trajectory Studio: Forgetting GIMP_1, 1:05');
});

test('says that the key that starts is no use where another program has it', () => {
  const label = (startTaken: boolean) =>
    trayTemplate({ now: null, last, keys, startTaken }, acts).find(({ id }) => id === 'start')?.label;
  expect(label(false)).toBe('Start Recording (Ctrl+Shift+F12)');
  expect(label(true)).toBe('Start Recording (Ctrl+Shift+F12 cannot be used: choose another key in the settings)');
});

test('lists the last recordings, short and with an & as one', () => {
  const item = trayTemplate({ now: null, last, keys }, acts).find(({ id }) => id === 'recording:r1');
  expect(item?.label).toMatch(/ {2}Crop && save very .*…$/);
  expect(trayTemplate({ now: null, last: [], keys }, acts).map(({ label }) => label)).toContain('No Recordings Yet');
});

test('times of recordings are those of the clock on the wall', () => {
  const labelIn = (zone: string): string | undefined => {
    vi.stubEnv('TZ', zone);
    return trayTemplate({ now: null, last, keys }, acts).find(({ id }) => id === 'recording:r1')?.label;
  };
  expect(labelIn('UTC')).toMatch(/^2026-11-21 22:28 {2}/);
  expect(labelIn('Asia/Kolkata')).toMatch(/^2026-11-22 03:58 {2}/);
});
