import { expect, test } from 'vitest';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import { fileLabel, firstFiles, withOneAid } from './files.ts';

const file = (name: string, level: QuestionSet['files'][number]['level'], aid: 'som' | 'ocr' | null = null) => ({
  file: name,
  level,
  counts: { click: 1200 },
  reach: null,
  aid: aid && { kind: aid, source: 'edges', hash: aid.repeat(22).slice(0, 64) },
});
const setOf = (...files: QuestionSet['files']): QuestionSet => ({
  id: 's',
  name: 's',
  madeAt: '2026-01-01T00:00:00Z',
  source: 'files',
  tasks: null,
  dataset: null,
  files,
  leftOut: [],
  leftOutCount: 0,
});
const SET = setOf(
  file('action.jsonl', 'action'),
  file('mid.jsonl', 'mid'),
  file('action-som.jsonl', 'action', 'som'),
  file('action-ocr.jsonl', 'action', 'ocr'),
);

test('everything without an aid is scored at first; where all have one, those of the first', () => {
  expect(firstFiles(SET)).toEqual(['action.jsonl', 'mid.jsonl']);
  expect(firstFiles(setOf(...SET.files.slice(1)))).toEqual(['mid.jsonl', 'action-som.jsonl']);
});

test('one aid a run: a file that comes in sends those with another out, plans stay', () => {
  expect(withOneAid(SET, ['action.jsonl', 'mid.jsonl'], ['action.jsonl', 'mid.jsonl', 'action-som.jsonl'])).toEqual([
    'mid.jsonl',
    'action-som.jsonl',
  ]);
  expect(withOneAid(SET, ['action-som.jsonl'], ['action-som.jsonl', 'mid.jsonl'])).toEqual([
    'action-som.jsonl',
    'mid.jsonl',
  ]);
  expect(withOneAid(SET, ['action.jsonl', 'mid.jsonl'], ['mid.jsonl'])).toEqual(['mid.jsonl']);
  const two = setOf(file('a.jsonl', 'action'), file('b.jsonl', 'action'));
  expect(withOneAid(two, ['a.jsonl'], ['a.jsonl', 'b.jsonl'])).toEqual(['a.jsonl', 'b.jsonl']);
});

test('a file says what is in it and what it was asked with', () => {
  expect(fileLabel(SET.files[2]!)).toBe('action-som.jsonl (1,200 click), with SoM by edges');
  expect(fileLabel(SET.files[1]!)).toBe('mid.jsonl (1,200 click)');
});
