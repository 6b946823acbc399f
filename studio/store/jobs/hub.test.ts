import { expect, test } from 'vitest';
import { createHub } from './hub.ts';

test('a reader is given what it wants, and the same word once while it waits', async () => {
  const hub = createHub<string>();
  const reader = hub.subscribe(undefined, (value) => value !== 'b');
  for (const value of ['a', 'a', 'b', 'a', 'c', 'c', 'a']) hub.publish(value);
  const given = [];
  for (let n = 0; n < 3; n++) given.push((await reader.next()).value);
  expect(given).toEqual(['a', 'c', 'a']);
  hub.publish('a');
  expect((await reader.next()).value).toBe('a');
  hub.close();
  expect((await reader.next()).done).toBe(true);
});
