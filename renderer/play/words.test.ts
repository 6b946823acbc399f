import { expect, test } from 'vitest';
import { playReport } from '../../core/play/report-for-tests.ts';
import { outcomeWords, paceWords, playWords, sentence, tellingMoment } from './words.ts';

const report = playReport();

test('a mark says in words what came of its step', () => {
  expect(outcomeWords('moved', { shift: { x: -4, y: 20 }, why: '' })).toContain('4 px left and 20 px down');
  const element = { role: 'push button', name: 'OK' };
  for (const mark of ['same', 'moved'] as const) {
    const words = outcomeWords(mark, { shift: { x: 0, y: 300 }, why: '', element });
    expect(words).toContain('Its look was not found; its element was: push button “OK”.');
    expect(outcomeWords(mark, { shift: { x: 0, y: 300 }, why: '' })).not.toContain('element');
  }
  expect(outcomeWords('missing', { shift: { x: 0, y: 0 }, why: 'nothing looks like it' })).toBe(
    'Nothing looks like it.',
  );
  expect(outcomeWords('not reached', undefined)).toBe('The play did not get here.');
  expect(outcomeWords('left out', undefined)).toMatch(/^It was left out on purpose/);
});

test('a play is told by what agreed and by its checks', () => {
  expect(playWords({ report })).toBe('1 of 2 steps');
  expect(playWords({ report: { ...report, passed: false } })).toBe('1 of 2 steps, failed');
  expect(playWords({ report: null })).toBe('ended in the middle');
  expect(playWords({ report: { ...report, leftOut: 'a2', passed: false } })).toBe('without one step, failed as wanted');
  expect(playWords({ report: { ...report, leftOut: 'a2', passed: true } })).toBe(
    'without one step, passed all the same',
  );
});

test('its pace is told against the person', () => {
  expect(paceWords(report)).toBe('3.0 times as fast as the person');
  expect(paceWords({ took: 3000, demonstrated: 3000 })).toContain('slower');
  expect(paceWords({ took: 0, demonstrated: 3000 })).toBe('');
});

test('a sentence begins with a capital, unless it begins with the name of a file', () => {
  expect(sentence('no program answers')).toBe('No program answers.');
  expect(sentence('note.txt is not there')).toBe('note.txt is not there.');
  expect(sentence('out/note is not there')).toBe('out/note is not there.');
  expect(sentence('')).toBe('');
});

test('what a step did is seen after it; a screen that never came is seen before it', () => {
  expect(tellingMoment({ verdict: 'different', seen: { before: 1, after: 2 } })).toBe('after');
  expect(tellingMoment({ verdict: 'different', seen: { before: 1, after: null } })).toBe('before');
  expect(tellingMoment({ verdict: 'missing', seen: { before: 1, after: null } })).toBe('before');
  expect(tellingMoment({ verdict: 'same', seen: { before: 1, after: 2 } })).toBe('before');
  expect(tellingMoment(undefined)).toBe('before');
});
