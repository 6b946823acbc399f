import { expect, test } from 'vitest';
import { fitsPage } from './page-address.ts';

test.each([
  ['/', '/', true],
  ['/', '/settings', false],
  ['/settings', '/settings/', true],
  ['/w/:ws', '/w/a1', true],
  ['/w/:ws', '/w', false],
  ['/w/:ws', '/w/a1/recordings', false],
  ['/w/:ws/recordings/:recording', '/w/a1/recordings/2026.05', true],
  ['/w/:ws/recordings/:recording', '/w/a1/recordings/2026.05/review', false],
  ['/w/:ws/recordings/:recording/review', '/w/a1/recordings/2026.05/review', true],
  ['/w/:ws/dataset/:view?', '/w/a1/dataset', true],
  ['/w/:ws/dataset/:view?', '/w/a1/dataset/rows', true],
  ['/w/:ws/dataset/:view?', '/w/a1/dataset/rows/more', false],
])('of the page %s is %s: %s', (pattern, path, fits) => {
  expect(fitsPage(pattern, path)).toBe(fits);
});
