import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyBytes, isExactFormat, readBegin, readEnd, readPicture, writeQuery } from './screen-source.ts';

const params = (text: string): URLSearchParams => new URLSearchParams(text);

describe('what a page says of the screen’s pictures', () => {
  test('a picture is read as it was written', () => {
    const side = fc.integer({ min: 1, max: 16_384 });
    const pictures = fc
      .tuple(fc.nat(2 ** 50), side, side, fc.nat(9), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([t, width, height, dropped, share]) => {
        const [left, top] = [Math.floor(share * width), Math.floor(share * height)];
        return { t, width, height, left, top, columns: width - left, rows: height - top, dropped };
      });
    fc.assert(
      fc.property(pictures, (picture) => {
        expect(readPicture(params(writeQuery(picture)))).toEqual(picture);
      }),
    );
  });

  test('what does not fit is refused: no number, a sign, rows outside, a side that no display has', () => {
    const good = { t: 5, width: 100, height: 50, left: 0, top: 0, columns: 100, rows: 50, dropped: 0 };
    expect(readPicture(params(writeQuery(good)))).toEqual(good);
    const wrong: object[] = [
      { t: -1 },
      { t: 'now' },
      { t: 1.5 },
      { width: 0 },
      { height: 20_000 },
      { top: 1 },
      { left: 1 },
      { rows: 51 },
      { dropped: '' },
    ];
    for (const change of wrong)
      expect([change, readPicture(params(writeQuery({ ...good, ...change })))]).toEqual([change, null]);
    expect(readPicture(params('t=1'))).toBeNull();
  });

  test('a beginning says whether the pointer is drawn, where the system says so', () => {
    const begin = { width: 1920, height: 1080, cursor: null, format: 'I420' };
    for (const cursor of [true, false, null])
      expect(readBegin(params(writeQuery({ ...begin, cursor })))).toEqual({ ...begin, cursor });
    expect(readBegin(params(writeQuery({ ...begin, cursor: 'perhaps' })))).toBeNull();
    expect(readBegin(params(writeQuery({ ...begin, format: 'a b' })))).toBeNull();
    expect(readBegin(params(writeQuery({ ...begin, width: 0 })))).toBeNull();
  });

  test('an end has a known reason, and its words are cut', () => {
    expect(readEnd(params('why=refused'))).toEqual({ why: 'refused', message: '' });
    expect(readEnd(params('why=bored'))).toBeNull();
    expect(readEnd(params(`why=failed&message=${'x'.repeat(900)}`))?.message).toHaveLength(500);
  });

  test('only formats with a value for each colour are the screen’s own pixels', () => {
    expect(['BGRX', 'RGBA', 'I420', 'NV12', ''].map(isExactFormat)).toEqual([true, true, false, false, false]);
    expect(bodyBytes({ columns: 10, rows: 3 })).toBe(120);
  });
});
