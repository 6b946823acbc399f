import { describe, expect, test } from 'vitest';
import { ERROR_EXIT, StudioError } from '../../schemas/errors.ts';
import { clockText, megabytes, textTable } from './table.ts';
import { parseDuration, parseList, parseRegion, parseWhole, wrongValue } from './values.ts';

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof StudioError) return error.code;
  }
  return 'nothing was thrown';
}

describe('values of options', () => {
  test.each([
    ['20s', 20_000],
    ['20', 20_000],
    ['500ms', 500],
    ['1.5m', 90_000],
    ['2h', 7_200_000],
  ])('the duration %s is %d ms', (text, ms) => {
    expect(parseDuration('--duration', text)).toBe(ms);
  });

  test.each(['', '0', '-5s', '5 days', 'soon', '0.1ms', '1e9'])('the duration "%s" is refused', (text) => {
    expect(codeOf(() => parseDuration('--duration', text))).toBe('USAGE');
  });

  test('a region is four whole numbers; it may start left of the first display', () => {
    expect(parseRegion('-1920, 0,1280,720')).toEqual({ x: -1920, y: 0, width: 1280, height: 720 });
  });

  test.each(['0,0,-5,10', '0,0,5,-10', '0,0,0,10'])('the region %s is negative or empty', (text) => {
    expect(codeOf(() => parseRegion(text))).toBe('BAD_REGION');
    expect(ERROR_EXIT.BAD_REGION).toBe(2);
  });

  test.each(['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '1.5,0,10,10'])('the region "%s" is no region', (text) => {
    expect(codeOf(() => parseRegion(text))).toBe('USAGE');
  });

  test('a whole number lies inside its bounds', () => {
    expect(parseWhole('--fps', '60', 5, 60)).toBe(60);
    for (const text of ['4', '61', '30.5', 'x', ''])
      expect(codeOf(() => parseWhole('--fps', text, 5, 60))).toBe('USAGE');
  });

  test('a list stands between commas', () => {
    expect(parseList(' a, b c ,,d,')).toEqual(['a', 'b c', 'd']);
    expect(parseList(' , ')).toEqual([]);
  });

  test('a value that cannot be taken is named with its option and what that takes', () => {
    expect(wrongValue('--steps', 'x', 'a range')).toMatchObject({
      code: 'USAGE',
      message: '--steps "x" cannot be taken: it takes a range.',
      details: { option: '--steps', value: 'x' },
    });
  });
});

describe('text for people', () => {
  test('a table is aligned, numbers to the right', () => {
    expect(
      textTable(
        [
          ['A', 'N'],
          ['é', '10'],
          ['long', '5'],
        ],
        [1],
      ),
    ).toBe('A      N\né     10\nlong   5');
  });

  test.each([
    [1_234_567, '0:01.235'],
    [62_000_000, '1:02.000'],
    [3_723_456_000, '1:02:03.456'],
    [-500_000, '-0:00.500'],
    [59_999_900, '1:00.000'],
  ])('%d µs are %s', (us, text) => {
    expect(clockText(us)).toBe(text);
  });

  test('megabytes are of a million bytes', () => {
    expect([0, 49_999, 50_000, 1_048_576].map(megabytes)).toEqual(['0.0 MB', '0.0 MB', '0.1 MB', '1.0 MB']);
  });
});
