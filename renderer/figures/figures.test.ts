import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Agreement, agreementSchema, type Figure } from '../../schemas/api/review-models.ts';
import {
  AGREEMENT_KINDS,
  byAgreement,
  figureText,
  figureWords,
  intervalText,
  kindsWithFigures,
  placeOf,
  scaleStart,
  scaleTicks,
} from './figures.ts';

const NOTHING: Figure = { value: null, n: 0, low: null, high: null };
const figure = (value: number, low: number | null = null, high: number | null = null, n = 12): Figure => ({
  value,
  n,
  low,
  high,
});
const agreement = (given: Partial<Agreement>): Agreement =>
  agreementSchema.parse({
    ...Object.fromEntries(AGREEMENT_KINDS.map(({ kind }) => [kind, NOTHING])),
    ...given,
  });

describe('agreement figures', () => {
  it('have a name and an explanation for every kind of the schema, each once', () => {
    expect(AGREEMENT_KINDS.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(agreementSchema.shape).toSorted());
  });

  it('are written with two decimals, a real minus, and a dash when there is nothing to compare', () => {
    expect([figureText(0.8345), figureText(-0.2), figureText(-0.001), figureText(1), figureText(null)]).toEqual([
      '0.83',
      '−0.20',
      '0.00',
      '1.00',
      '–',
    ]);
  });

  it('always say how many things were compared', () => {
    expect(figureWords(figure(0.8, 0.7, 0.9, 1200))).toBe('0.80, 95 % interval 0.70 to 0.90, n = 1,200');
    expect(figureWords(figure(0.8, null, null, 1))).toBe('0.80, n = 1');
    expect(figureWords(NOTHING)).toBe('nothing to compare');
  });

  it('have no interval without both ends', () => {
    expect(intervalText({ low: null, high: 0.4 })).toBe('');
  });
});

describe('the scale', () => {
  it('begins at 0, and lower only when something lies lower', () => {
    expect(scaleStart([figure(0.2, 0.1, 0.3), NOTHING])).toBe(0);
    expect(scaleStart([figure(0.2, -0.1, 0.3)])).toBe(-0.5);
    expect(scaleStart([figure(-0.7)])).toBe(-1);
  });

  it('holds every figure that decided where it begins', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1 }), (values) => {
        const start = scaleStart(values.map((value) => figure(value)));
        for (const value of values) expect(value).toBeGreaterThanOrEqual(start);
      }),
    );
  });

  it('keeps the order of values and ends at the edges', () => {
    expect(scaleTicks(-1)).toEqual([-1, -0.5, 0, 0.5, 1]);
    expect(scaleTicks(0).map((tick) => placeOf(tick, 0))).toEqual([0, 25, 50, 75, 100]);
    expect([placeOf(-3, 0), placeOf(7, 0)]).toEqual([0, 100]);
  });
});

describe('the queue by agreement', () => {
  const rows = [
    { id: 'none', agreement: agreement({}) },
    { id: 'good', agreement: agreement({ boxIou: figure(0.9), edgeDistance: figure(0.1) }) },
    { id: 'poor', agreement: agreement({ boxIou: figure(0.2), edgeDistance: figure(3) }) },
  ];

  it('has the lowest first and what has no figure last', () => {
    expect(byAgreement(rows, 'boxIou').map(({ id }) => id)).toEqual(['poor', 'good', 'none']);
  });

  it('has the farthest first where the figure is a distance', () => {
    expect(byAgreement(rows, 'edgeDistance').map(({ id }) => id)).toEqual(['poor', 'good', 'none']);
  });

  it('stays as it was where nothing can be told apart', () => {
    expect(byAgreement(rows, 'removedKappa').map(({ id }) => id)).toEqual(['none', 'good', 'poor']);
  });

  it('offers only kinds of which somebody has a figure', () => {
    expect(kindsWithFigures(rows.map((row) => row.agreement))).toEqual(['overall', 'boxIou', 'edgeDistance']);
  });
});
