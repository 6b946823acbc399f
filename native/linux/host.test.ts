import { expect, test } from 'vitest';
import { codeOf } from '../input/keys.ts';
import { physicalKey } from './host.ts';

test('Back and Forward are themselves, not the keys that uiohook takes them for', () => {
  const named = (hookCode: number): unknown =>
    physicalKey({ type: 'keydown', time: 1, mods: 0, code: codeOf(hookCode), hookCode });
  expect(named(0xe06c)).toMatchObject({ code: 'BrowserBack' });
  expect(named(0xe022)).toMatchObject({ code: 'BrowserForward' });
  expect(named(0x1e)).toMatchObject({ code: 'KeyA' });
  expect(named(0)).toMatchObject({ code: null });
});
