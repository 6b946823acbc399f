import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareTables, rowsOfXlsx, sharedTexts, type TableSheet, tableOfCsv, tableOfOds } from './tables.ts';

const EXACT = { formulas: false, anyOrder: false, ignoreCase: false, tolerance: 0 };
const csv = (text: string): TableSheet[] => tableOfCsv(text, ',');
const compare = (a: string, b: string, more: object = {}) => compareTables(csv(a), csv(b), { ...EXACT, ...more });

describe('two tables', () => {
  test('are the same in all cells, or differ in a named one', () => {
    expect(compare('a,1\nb,2\n', 'a,1\nb,2')).toEqual({ compared: 4, other: 0, why: null });
    expect(compare('a,1\nb,3\n', 'a,1\nb,2')).toMatchObject({ other: 1, why: 'B2 is “3”, not “2”' });
    expect(compare('a,1\n', 'a,1\nb,2')).toMatchObject({ other: 2, why: 'A2 is empty, not “b”' });
    expect(compare('a,1\nb,2\n', 'a,1')).toMatchObject({ other: 2, why: 'A2 is “b”, not empty' });
  });

  test('numbers within the tolerance, rows in any order, letters whatever their size, and cells of an area alone', () => {
    expect(compare('a,1.004', 'a,1', { tolerance: 0.01 }).other).toBe(0);
    expect(compare('b,2\na,1', 'a,1\nb,2', { anyOrder: true })).toEqual({ compared: 4, other: 0, why: null });
    expect(compare('b,2\nb,2', 'a,1\nb,2', { anyOrder: true }).why).toBe('no row is “a”, “1”');
    expect(compare('A,1', 'a,1', { ignoreCase: true }).other).toBe(0);
    expect(compare('a,9\nb,2', 'a,1\nb,2', { area: 'A2:B2' })).toMatchObject({ compared: 2, other: 0 });
  });

  test('by their sheets: the number of them, a name, a place', () => {
    const two = [...csv('a'), ...csv('b')];
    expect(compareTables(two, csv('a'), EXACT).why).toBe('it has 2 sheets, not 1');
    expect(compareTables(two, csv('b'), { ...EXACT, sheet: '#2', likeSheet: '#1' }).other).toBe(0);
    expect(() => compareTables(two, csv('b'), { ...EXACT, sheet: 'May' })).toThrow('it has no sheet “May”');
  });

  test('any table is as itself, in any order too', () => {
    const cells = fc.array(fc.array(fc.stringMatching(/^[ab1-3.]{0,3}$/), { minLength: 1, maxLength: 4 }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(cells, fc.boolean(), (rows, anyOrder) => {
        const text = rows.map((row) => row.join(',')).join('\n');
        expect(compare(text, text, { anyOrder }).other).toBe(0);
        expect(
          compare(
            [...rows]
              .reverse()
              .map((row) => row.join(','))
              .join('\n'),
            text,
            { anyOrder: true },
          ).other,
        ).toBe(0);
      }),
    );
  });
});

test('a sheet of Excel: values, shared and inner texts, formulas', () => {
  const sheet =
    '<sheetData><row r="2"><c r="B2" t="s"><v>1</v></c><c t="b"><v>1</v></c><c r="D2"><f>B1+1</f><v>3.5</v></c></row><row><c t="inlineStr"><is><t>x</t></is></c><c><f t="shared" si="0"/><v>4</v></c></row></sheetData>';
  const rows = rowsOfXlsx(sheet, sharedTexts('<sst><si><t>a</t></si><si><r><t>b</t></r><r><t>c</t></r></si></sst>'));
  expect([...rows].map(([row, cells]) => [row, [...cells]])).toEqual([
    [
      1,
      [
        [1, { value: 'bc', formula: null }],
        [2, { value: true, formula: null }],
        [3, { value: 3.5, formula: '=B1+1' }],
      ],
    ],
    [
      2,
      [
        [0, { value: 'x', formula: null }],
        [1, { value: 4, formula: '=' }],
      ],
    ],
  ]);
});

test('an open sheet: repeated cells and rows, notes left out, and more of them than is read', () => {
  const row = (repeat: number) =>
    `<table:table table:name="S"><table:table-row table:number-rows-repeated="${repeat}"><table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="2" table:formula="of:=1+1"><office:annotation><text:p>no</text:p></office:annotation><text:p>2</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1000"/></table:table-row></table:table>`;
  const [sheet] = tableOfOds(row(2));
  expect(sheet?.name).toBe('S');
  expect([...sheet!.rows.values()].map((cells) => cells.size)).toEqual([2, 2]);
  expect(sheet?.rows.get(1)?.get(1)).toEqual({ value: 2, formula: '=1+1' });
  expect(() => tableOfOds(row(9_000_000))).toThrow('more than 1,000,000 cells');
});
