import { expect, test } from 'vitest';
import { pieceAround, placeWords } from './place-words.ts';

test('a place is read by the names of its parts, without the lists that they stand in', () => {
  expect(placeWords('members/meeting/outputs/time/value')).toBe('meeting › outputs › time › value');
  expect(placeWords('tasks/CAL_1/checks/checks/said/equals')).toBe('CAL_1 › checks › checks › said › equals');
  expect(placeWords('context/persona')).toBe('context › persona');
});

test('around a value stands what is near it, on one line', () => {
  expect(pieceAround('Meeting at\n11:30 in Lab', '11:30')).toEqual({ before: 'Meeting at ', after: ' in Lab' });
  const long = pieceAround(`${'a'.repeat(90)}11:30${'b'.repeat(90)}`, '11:30');
  expect(long).toEqual({ before: `…${'a'.repeat(40)}`, after: `${'b'.repeat(40)}…` });
  expect(pieceAround('30', '30')).toEqual({ before: '', after: '' });
});
