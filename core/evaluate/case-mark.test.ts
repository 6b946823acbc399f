import { expect, test } from 'vitest';
import { caseMark } from './case-mark.ts';

test('a case has the score that its table counts', () => {
  expect(caseMark({ kind: 'click', scores: { dist: 0.5, recall: 1 } })).toBe(1);
  expect(caseMark({ kind: 'keys', scores: { recall: 1, precision: 0.25 } })).toBe(0.25);
  expect(caseMark({ kind: 'scroll', scores: { accuracy: 0 } })).toBe(0);
});

test('a plan has the judge’s score where there is one, else step F1', () => {
  expect(caseMark({ kind: 'mid', scores: { score: 4, stepF1: 0.1, order: 1 } })).toBe(0.8);
  expect(caseMark({ kind: 'high', scores: { score: null, stepF1: 0.1, order: 1 } })).toBe(0.1);
});

test('nothing counted is no score', () => {
  expect(caseMark({ kind: 'click', scores: { recall: null } })).toBe(null);
  expect(caseMark({ kind: 'unheard', scores: { recall: 1 } })).toBe(null);
});
