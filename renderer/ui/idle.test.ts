import { expect, test } from 'vitest';
import { whenIdle } from './idle.ts';

// Node has no requestIdleCallback, as Safari has none.
test('work is done a moment later where nobody tells of idle time, for a while, and can be called off', async () => {
  const begun: number[] = [];
  whenIdle((left) => begun.push(left()), 300)();
  await new Promise<void>((done) => {
    whenIdle((left) => {
      begun.push(left());
      done();
    }, 300);
  });
  expect(begun).toHaveLength(1);
  expect(begun[0]).toBeGreaterThan(0);
});
