import { expect, test } from 'vitest';
import { workStateOf } from './bar.tsx';

test('C7: blind work that is submitted is annotated, while the others are still at theirs', () => {
  const documents = [
    { id: 'mine', submitted: 4 },
    { id: 'theirs', submitted: null },
  ];
  expect(workStateOf({ state: 'annotating', documents }, 'mine', 'recorded')).toBe('annotated');
  expect(workStateOf({ state: 'annotating', documents }, 'theirs', 'recorded')).toBe('annotating');
  expect(workStateOf({ state: 'in-review', documents }, 'mine', 'recorded')).toBe('in-review');
  // The page has not heard of its review yet.
  expect(workStateOf(null, 'mine', 'recorded')).toBe('recorded');
});
