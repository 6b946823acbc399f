import { expect, test, vi } from 'vitest';
import { openBus } from './gio.ts';

test('no session bus is started where there is none', () => {
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', undefined);
  vi.stubEnv('XDG_RUNTIME_DIR', '/nowhere');
  expect(() => openBus()).toThrow('This session has no D-Bus session bus.');
  vi.unstubAllEnvs();
});
