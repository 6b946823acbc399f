import { expect, test } from 'vitest';
import { platformName } from './index.ts';

test('the adapter by system', () => {
  expect(platformName({ platform: 'linux', env: { DISPLAY: ':0' } })).toBe('x11');
  expect(platformName({ platform: 'win32', env: {} })).toBe('windows');
  expect(platformName({ platform: 'darwin', env: {} })).toBe('macos');
});

test('Wayland without X: UNSUPPORTED_PLATFORM says to choose an X11 session', () => {
  expect(() => platformName({ platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' } })).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_PLATFORM', message: expect.stringContaining('X11 session') }),
  );
});

test('XWayland is X11', () => {
  const env = { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' };
  expect(platformName({ platform: 'linux', env })).toBe('x11');
});

test('no display: NO_DISPLAY says how to get one', () => {
  expect(() => platformName({ platform: 'linux', env: {} })).toThrow(
    expect.objectContaining({ code: 'NO_DISPLAY', message: expect.stringContaining('xvfb-run') }),
  );
});

test('any other system: UNSUPPORTED_PLATFORM', () => {
  expect(() => platformName({ platform: 'freebsd', env: { DISPLAY: ':0' } })).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_PLATFORM' }),
  );
});
