import { expect, test } from 'vitest';
import { headOfPieces, type LevelPiece, timesOf } from './words.ts';

const text = (words: string): LevelPiece => ({ text: words, slot: null, value: null });
const slot = (value: string | null): LevelPiece => ({ text: '', slot: 'mail.address', value });
const lengthOf = (pieces: readonly LevelPiece[]): number =>
  pieces.reduce((sum, piece) => sum + (piece.slot === null ? piece.text : (piece.value ?? '')).length, 0);

test('a text that has room is shown whole, one that is a little too long too', () => {
  expect(headOfPieces([])).toBe(null);
  expect(headOfPieces([text('Set an alarm for '), slot('8:50'), text('.')])).toBe(null);
  expect(headOfPieces([text('a'.repeat(599)), slot('1')])).toBe(null);
});

test('a very long one shows its beginning, cut in its words or in a value', () => {
  const cut = headOfPieces([text('Go to '), slot('Lab 305'), text('b'.repeat(2000)), text('the end')]);
  expect(cut?.slice(0, 2)).toEqual([text('Go to '), slot('Lab 305')]);
  expect(cut).toHaveLength(3);
  expect(cut?.at(-1)?.text).toMatch(/^b+…$/);
  expect(lengthOf(cut ?? [])).toBe(401);
  const value = headOfPieces([text('Write '), slot('c'.repeat(900)), text('.')]);
  expect(value?.at(-1)).toEqual(slot(`${'c'.repeat(394)}…`));
  // A slot that nothing fills has no length of its own, and stays.
  expect(headOfPieces([slot(null), text('d'.repeat(700))])?.[0]).toEqual(slot(null));
});

test('no character of two units is cut in its middle', () => {
  const cut = headOfPieces([text('e'), text('🗓'.repeat(400))]);
  expect(cut?.at(-1)?.text).toBe(`${'🗓'.repeat(199)}…`);
});

test('the time of a task is in no language', () => {
  expect(timesOf({ day: 1, from: '08:30', to: '08:45' })).toBe('08:30–08:45');
  expect(timesOf({ day: 1, from: '10:00', to: null })).toBe('10:00');
  expect(timesOf({ day: 2, from: '10:00' })).toBe('Day 2, 10:00');
  expect(timesOf(null)).toBe('');
});
