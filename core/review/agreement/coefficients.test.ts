import fc from 'fast-check';
import { expect, test } from 'vitest';
import { krippendorffAlpha, type ScaleOfMeasure } from './alpha.ts';
import { cohenKappa, fleissKappa } from './kappa.ts';

/** Worked examples of the sources, then the laws. */

test("Cohen's kappa of his own tables: 0.492 of 200 in frequencies, -0.09 where chance agrees more (R3)", () => {
  // Cohen 1960, table 2 (p_o = 0.70, p_e = 0.41) and table 1 (p_o = 0.29, p_e = 0.35).
  const table2 = [
    [88, 14, 18],
    [10, 40, 10],
    [2, 6, 12],
  ];
  const table1 = [
    [25, 13, 12],
    [12, 2, 16],
    [3, 15, 2],
  ];
  expect(cohenKappa(table2)).toBeCloseTo(0.492, 3);
  expect(cohenKappa(table1)).toBeCloseTo(-0.06 / 0.65, 10);
});

/** Fleiss 1971, table 1: 30 patients, 6 psychiatrists; depression, personality disorder, schizophrenia, neurosis, other. */
const PSYCHIATRIC = `
  00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
  10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
  00006 01050 02013 20040 10041 05010 40002 02040 10500 00006`;

/** 10 subjects, 14 raters, 5 categories: the example most often met (it stands in Wikipedia's article on the coefficient). */
const FOURTEEN_RATERS = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
];

test("Fleiss' kappa of the 1971 table is 0.430, of the 14 raters' 0.210 (R4)", () => {
  const patients = PSYCHIATRIC.trim()
    .split(/\s+/)
    .map((row) => [...row].map(Number));
  // The column sums of the paper: p_j = 0.144, 0.144, 0.167, 0.306, 0.239.
  const sums = [0, 1, 2, 3, 4].map((j) => patients.reduce((sum, row) => sum + row[j]!, 0));
  expect(sums).toEqual([26, 26, 30, 55, 43]);
  expect(fleissKappa(patients.map((counts) => ({ counts, units: 1 })))).toBeCloseTo(0.43, 3);
  expect(fleissKappa(FOURTEEN_RATERS.map((counts) => ({ counts, units: 1 })))).toBeCloseTo(0.21, 3);
});

const _ = null;
/** Krippendorff 2011, C and D: four observers, twelve units, values missing. */
const FOUR_OBSERVERS = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
  [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
];
const unitsOf = (raters: readonly (readonly (number | null)[])[]) =>
  raters[0]!.map((_value, unit) => ({ values: raters.map((of) => of[unit]!) }));

test.each<[ScaleOfMeasure, number]>([
  ['nominal', 0.743],
  ['ordinal', 0.815],
  ['interval', 0.849],
  ['ratio', 0.797],
])("Krippendorff's alpha of his four observers, %s: %d (R5)", (metric, expected) => {
  expect(krippendorffAlpha(unitsOf(FOUR_OBSERVERS), metric)).toBeCloseTo(expected, 3);
});

test("Krippendorff's alpha of his two observers: binary 0.095, five categories 0.692 (R5)", () => {
  // Krippendorff 2011, A and B.
  const binary = unitsOf([
    [0, 1, 0, 0, 0, 0, 0, 0, 1, 0],
    [1, 1, 1, 0, 0, 1, 0, 0, 0, 0],
  ]);
  const code = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0));
  expect(krippendorffAlpha(binary, 'nominal')).toBeCloseTo(0.095, 3);
  expect(krippendorffAlpha(unitsOf([code('aabbdcccedda'), code('babbbccceddd')]), 'nominal')).toBeCloseTo(0.692, 3);
});

test('where all is of one category nothing can be told: no coefficient, not a perfect one (R3, R4, R5)', () => {
  expect(cohenKappa([[12]])).toBeNull();
  expect(
    cohenKappa([
      [0, 0],
      [0, 7],
    ]),
  ).toBeNull();
  expect(fleissKappa([{ counts: [3, 0], units: 5 }])).toBeNull();
  expect(krippendorffAlpha([{ values: [1, 1] }, { values: [1, 1] }], 'nominal')).toBeNull();
  expect(cohenKappa([])).toBeNull();
  expect(fleissKappa([{ counts: [1, 0], units: 5 }])).toBeNull();
  expect(krippendorffAlpha([{ values: [1, null] }, { values: [2] }], 'interval')).toBeNull();
});

const ratings = fc.tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 12 })).chain(([raters, units]) =>
  fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: raters, maxLength: raters }), {
    minLength: units,
    maxLength: units,
  }),
);
const metric = fc.constantFrom<ScaleOfMeasure>('nominal', 'ordinal', 'interval', 'ratio');

const tableOf = (units: readonly (readonly number[])[]) => {
  const table = [0, 1, 2, 3].map(() => [0, 0, 0, 0]);
  for (const [a, b] of units) table[a!]![b!]! += 1;
  return table;
};
const countsOf = (units: readonly (readonly number[])[]) =>
  units.map((values) => ({ counts: [0, 1, 2, 3].map((c) => values.filter((v) => v === c).length), units: 1 }));
const alphaOf = (units: readonly (readonly (number | null)[])[], by: ScaleOfMeasure) =>
  krippendorffAlpha(
    units.map((values) => ({ values })),
    by,
  );
const same = (a: number | null, b: number | null) =>
  a === null || b === null ? expect(a).toBe(b) : expect(a).toBeCloseTo(b, 10);

test('the order of raters and of units does not matter, and no coefficient is above 1 (R3, R4, R5)', () => {
  fc.assert(
    fc.property(ratings, metric, (units, by) => {
      const turned = units.map((values) => values.toReversed()).toReversed();
      const two = (list: readonly number[][]) => list.map((values) => values.slice(0, 2));
      same(cohenKappa(tableOf(two(units))), cohenKappa(tableOf(two(units).map((values) => values.toReversed()))));
      same(fleissKappa(countsOf(units)), fleissKappa(countsOf(turned)));
      same(alphaOf(units, by), alphaOf(turned, by));
      for (const value of [cohenKappa(tableOf(two(units))), fleissKappa(countsOf(units)), alphaOf(units, by)]) {
        if (value === null) continue;
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
        expect(Number.isFinite(value)).toBe(true);
      }
    }),
  );
});

test('raters who say the same agree fully, or, without variation, cannot be told (R3, R4, R5)', () => {
  fc.assert(
    fc.property(ratings, metric, (units, by) => {
      const alike = units.map(([first, ...rest]) => [first!, ...rest.map(() => first!)]);
      const varied = new Set(alike.flat()).size > 1;
      const expected = varied ? 1 : null;
      same(cohenKappa(tableOf(alike)), expected);
      same(fleissKappa(countsOf(alike)), expected);
      same(alphaOf(alike, by), expected);
    }),
  );
});

test('a unit that one rater alone rated changes nothing, and a missing value is as good as no rater (R5)', () => {
  fc.assert(
    fc.property(ratings, metric, fc.integer({ min: 0, max: 3 }), (units, by, value) => {
      expect(alphaOf([...units, [value, ...units[0]!.slice(1).map(() => null)]], by)).toBe(alphaOf(units, by));
      expect(
        alphaOf(
          units.map((values) => [...values, null]),
          by,
        ),
      ).toBe(alphaOf(units, by));
    }),
  );
});

test('alpha is what its definition says, pair by pair over all values (R5)', () => {
  const delta = (by: ScaleOfMeasure, all: readonly number[]) => (a: number, b: number) => {
    if (by === 'nominal') return a === b ? 0 : 1;
    if (by === 'interval') return (a - b) ** 2;
    if (by === 'ratio') return a + b === 0 ? 0 : ((a - b) / (a + b)) ** 2;
    const between = all.filter((v) => v >= Math.min(a, b) && v <= Math.max(a, b)).length;
    const ends = all.filter((v) => v === a).length + all.filter((v) => v === b).length;
    return a === b ? 0 : (between - ends / 2) ** 2;
  };
  fc.assert(
    fc.property(ratings, metric, (units, by) => {
      const all = units.flat();
      const distance = delta(by, all);
      const pairs = (values: readonly number[]) =>
        values.flatMap((a, i) => values.filter((_b, j) => i !== j).map((b) => distance(a, b)));
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const observed = sum(units.map((values) => sum(pairs(values)) / (values.length - 1))) / all.length;
      const expected = sum(pairs(all)) / (all.length * (all.length - 1));
      same(alphaOf(units, by), expected === 0 ? null : 1 - observed / expected);
    }),
  );
});

test("Fleiss' kappa of two raters is Scott's pi, whatever the counts' weights (R4)", () => {
  fc.assert(
    fc.property(ratings, (units) => {
      const pairs = units.map((values) => values.slice(0, 2));
      const n = pairs.length;
      const observed = pairs.filter(([a, b]) => a === b).length / n;
      const share = (c: number) => pairs.flat().filter((value) => value === c).length / (2 * n);
      const expected = [0, 1, 2, 3].reduce((sum, c) => sum + share(c) ** 2, 0);
      const pi = new Set(pairs.flat()).size < 2 ? null : (observed - expected) / (1 - expected);
      same(fleissKappa(countsOf(pairs)), pi);
      // A row that stands for three units is three rows.
      const [thrice, rows] = [countsOf(pairs).map((row) => ({ ...row, units: 3 })), countsOf(pairs)];
      same(fleissKappa(thrice), fleissKappa([...rows, ...rows, ...rows]));
    }),
  );
});
