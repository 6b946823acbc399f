import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { derive } from './derive.ts';
import { listMarks, nameMark, removeMark } from './marks.ts';

const folders = temporaryFolders();
let folder: string;
afterEach(() => folders.clean());

const mark = (t: number, kind: 'subtask' | 'moment'): RawEvent => ({ type: 'mark', t, kind });

function record(...marks: RawEvent[]): void {
  const events: RawEvent[] = [
    { type: 'down', t: 1e6, x: 10, y: 10, button: 'left' },
    { type: 'up', t: 1_050_000, x: 10, y: 10, button: 'left' },
    ...marks,
  ];
  folder = writeSample(folders.make(), sampleRecording({ version: 8 }), events);
}

test('moments and ends of subtasks are listed by time; moments divide nothing', () => {
  record(mark(2e6, 'subtask'), mark(3e6, 'moment'));
  expect(listMarks(folder)).toEqual([
    { number: 1, t: 2e6, kind: 'subtask', words: '' },
    { number: 2, t: 3e6, kind: 'moment', words: '' },
  ]);
  expect(derive(folder).marks).toEqual([2e6]);
});

test('words are given, changed and taken away; a mark that is taken away leaves the numbers of the others', async () => {
  record(mark(2e6, 'moment'), mark(3e6, 'moment'));
  const events = readFileSync(join(folder, 'events.jsonl'), 'utf8');
  await nameMark(folder, 2, 'it went wrong here');
  expect(listMarks(folder).map(({ words }) => words)).toEqual(['', 'it went wrong here']);
  await removeMark(folder, 1);
  expect(listMarks(folder)).toEqual([{ number: 2, t: 3e6, kind: 'moment', words: 'it went wrong here' }]);
  expect(await nameMark(folder, 2, '')).toEqual([{ number: 2, t: 3e6, kind: 'moment', words: '' }]);
  await expect(nameMark(folder, 1, 'x')).rejects.toThrow('The recording has no mark 1. It has 2.');
  await removeMark(folder, 2);
  await expect(removeMark(folder, 2)).rejects.toThrow('It has none.');
  expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toBe(events);
});

test('a file of a newer program is refused, one that is none says where', () => {
  record(mark(2e6, 'moment'));
  const write = (value: unknown): void => writeFileSync(join(folder, 'marks.json'), JSON.stringify(value));
  write({ schema: 'trajectory-studio/marks', version: 2, marks: [] });
  expect(() => listMarks(folder)).toThrow('has version 2; this program knows versions up to 1');
  write({ schema: 'trajectory-studio/marks', version: 1, marks: [{ t: 'now' }] });
  expect(() => listMarks(folder)).toThrow('field `marks.0.t`');
});

test('naming at once loses nothing (two pages, a page and a terminal)', async () => {
  const times = fc.uniqueArray(fc.integer({ min: 1, max: 1e7 }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(times, async (all) => {
      record(...all.map((t) => mark(t, 'moment')));
      await Promise.all(all.map((_, at) => nameMark(folder, at + 1, `w${at}`)));
      expect(listMarks(folder).map(({ words }) => words)).toEqual(all.map((_, at) => `w${at}`));
    }),
    { numRuns: 8 },
  );
});
