import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { growthProblem } from '../../test/support/growth.ts';
import { readEvents } from './recording-folder.ts';
import { temporaryFolders } from './recording-for-tests.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

test('a million lines are read, and of a quarter of them each costs no more than three times one of 25,000', async () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `{"type":"move","t":${i * 1000},"x":${i},"y":${i % 700}}\n`);
  const thousand = lines.join('');
  const reading = (thousands: number) => {
    const folder = folders.make();
    for (let i = 0; i < 5; i++) appendFileSync(join(folder, 'events.jsonl'), thousand.repeat(thousands / 5));
    return () => readEvents(folder);
  };
  const { events, warnings } = reading(1000)();
  expect([events.length, warnings.length]).toEqual([1_000_000, 0]);
  expect(await growthProblem(reading, { parts: 25, step: 10, most: 30 })).toBeNull();
});
