import { expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import type { KeyMade } from '../../schemas/key-made.ts';
import { unknownKeys } from './unknown-keys.ts';

const down = (t: number, code: string, made?: KeyMade): RawEvent => ({
  type: 'keydown',
  t: t * 1_000_000,
  code,
  ...(made && { made }),
});

test('keys that nothing is known of are a warning of the recording, with their number and the time of the first', () => {
  expect(unknownKeys([down(1, 'KeyA'), down(2, 'Unknown', { key: '☃', text: '☃' })])).toBeNull();
  expect(unknownKeys([down(3, 'Unknown', { key: 'Unidentified' })])?.message).toBe(
    '1 key was pressed of which the system does not say what it made (the first at 3.0 s); text may be missing there.',
  );
  const two = unknownKeys([down(2.25, 'Unknown'), down(3, 'Unknown', { key: 'Unidentified' }), down(4, 'KeyB')]);
  expect(two).toMatchObject({ code: 'keys-unknown' });
  expect(two?.message).toMatch(/^2 keys were pressed .* 2\.\d s/);
});
