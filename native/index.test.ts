import { expect, test } from 'vitest';
import { platformName } from './index.ts';

test('the adapter by system', () => {
  expect(platformName({ platform: 'linux', env: { DISPLAY: ':0' } })).toBe('x11');
  expect(platformName({ platform: 'win32', env: {} })).toBe('windows');
  expect(platformName({ platform: 'darwin', env: {} })).toBe('macos');
});

test('a Wayland session is recorded as one, with and without XWayland', () => {
  const wayland = { WAYLAND_DISPLAY: 'wayland-0' };
  expect(platformName({ platform: 'linux', env: wayland })).toBe('wayland');
  expect(platformName({ platform: 'linux', env: { XDG_SESSION_TYPE: 'wayland' } })).toBe('wayland');
  expect(platformName({ platform: 'linux', env: { ...wayland, DISPLAY: ':0' }, xwayland: () => true })).toBe('wayland');
});

test('an X server of its own beside a Wayland session is X11', () => {
  const env = { DISPLAY: ':99', WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_TYPE: 'wayland' };
  expect(platformName({ platform: 'linux', env, xwayland: () => false })).toBe('x11');
});

test('where the desktop app hands over the pictures, XWayland is X11', () => {
  const env = { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' };
  expect(platformName({ platform: 'linux', env, xwayland: () => true }, { shared: true })).toBe('x11');
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
