import { expect, test } from 'vitest';
import { reporter } from './progress.ts';

test('progress is a line for each tenth of each message', () => {
  const lines: string[] = [];
  const report = reporter({ progress: (text) => lines.push(text) });
  for (const share of [0, 0.05, 0.099, 0.1, 0.55, 0.59]) report(share, 'hashing');
  for (const share of [0.59, 1]) report(share, 'writing');
  expect(lines).toEqual(['hashing 0 %', 'hashing 10 %', 'hashing 50 %', 'writing 50 %', 'writing 100 %']);
});
