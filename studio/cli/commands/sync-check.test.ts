import { expect, test } from 'vitest';
import { syncReport } from '../../capture/sync.ts';
import { describe as words } from './sync-check.ts';

const paint = (error: number | null) => ({ p: 0, without: 0, with: error === null ? null : 1, error });

test('sync-check names the pictures that were dropped, and none where none were', () => {
  const text = words(syncReport([paint(0), paint(null), paint(null)], { dropped: 14, shared: false }), 'x11-shm');
  expect(text).toMatch(/^sync failed \(x11-shm\): Only 1 of 3 .* 14 pictures were dropped during the check\./);
  expect(text.split('\n')[1]).toMatch(/found 1 of 3; .*; 14 dropped$/);
  expect(words(syncReport([paint(0)], { dropped: 0, shared: false }), 'x11-shm')).not.toContain('dropped');
  expect(words(null, 'x11-shm')).toBe('The sync check did not run.');
});
