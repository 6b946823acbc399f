import { expect, it } from 'vitest';
import { tracksOf } from './tracks.ts';

it('a grid scrolls as soon as one of its columns would be narrower than it may', () => {
  const columns = [{ width: 104, narrow: 88 }, { width: 220, narrow: 120, grow: 1 }, { width: 80 }];
  expect(tracksOf(columns, true)).toEqual({
    '--wide': '18px 104px minmax(220px, 1fr) 80px',
    '--wide-least': `${18 + 104 + 220 + 80 + 3 * 14}px`,
    '--narrow': '18px 88px minmax(120px, 1fr) 80px',
    '--narrow-least': `${18 + 88 + 120 + 80 + 3 * 14}px`,
  });
  expect(tracksOf([{ width: 50 }], false)['--wide-least']).toBe('50px');
});
