import { expect, test } from 'vitest';
import { keptPictures } from './kept.ts';

const closed: string[] = [];
/** A picture of so many bytes. */
const picture = (name: string, bytes: number): ImageBitmap => ({
  width: bytes / 4,
  height: 1,
  close: () => void closed.push(name),
});
const closedNow = (): string[] => closed.splice(0);

test('what was used longest ago leaves first', () => {
  const kept = keptPictures(12);
  kept.set(1, picture('a', 4));
  kept.set(2, picture('b', 4));
  kept.set(3, picture('c', 4));
  kept.get(1);
  kept.set(4, picture('d', 4));
  expect(closedNow()).toEqual(['b']);
  expect(kept.has(1)).toBe(true);
});

test('bytes count, and the newest stays even when it is too large', () => {
  const kept = keptPictures(12);
  const large = picture('large', 48);
  kept.set(1, picture('small', 4));
  kept.set(2, large);
  expect(closedNow()).toEqual(['small']);
  expect(kept.get(2)).toBe(large);
});

test('a number that is set again closes its old picture once', () => {
  const kept = keptPictures(12);
  kept.set(1, picture('old', 4));
  kept.set(1, picture('new', 8));
  expect(closedNow()).toEqual(['old']);
  expect(kept.calculatedSize).toBe(8);
  kept.clear();
  expect(closedNow()).toEqual(['new']);
  expect(kept.size).toBe(0);
});
