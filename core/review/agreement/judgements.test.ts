import { describe, expect, test } from 'vitest';
import type { StepError } from '../../../schemas/review.ts';
import { judgementAgreement, judgementUnits } from './judgements.ts';

type Said = { grounded: boolean | null; error: StepError | null };
const error = (kind: StepError['kind'], execution: StepError['execution'] = null): StepError => ({
  kind,
  execution,
  recoverable: false,
});
const fine: Said = { grounded: true, error: null };
const loose: Said = { grounded: false, error: null };
const missed: Said = { grounded: true, error: error('execution', 'operational') };
const misread: Said = { grounded: false, error: error('execution', 'perceptual') };

/** Each person's word on the steps, in order; null: not judged. */
const judged = (by: Record<string, readonly (Said | null)[]>) =>
  Object.entries(by).flatMap(([person, all]) =>
    all.flatMap((said, at) => (said ? [{ action: `s${at}`, person, ...said }] : [])),
  );
const agreementOf = (by: Record<string, readonly (Said | null)[]>) =>
  judgementAgreement([judgementUnits(judged(by))!], 200);

describe('agreement of judgements (R19)', () => {
  test("is Cohen's kappa for two, of the steps that both judged", () => {
    const { groundedKappa, errorKappa } = agreementOf({
      ada: [fine, fine, fine, loose, loose, fine, fine, fine, loose, misread, fine],
      ben: [fine, fine, fine, loose, fine, fine, fine, fine, fine, misread, null],
    });
    // Grounded: 8 of 10 alike; 0.6 * 0.8 + 0.4 * 0.2 = 0.56 by chance.
    expect(groundedKappa.value).toBeCloseTo((0.8 - 0.56) / 0.44, 10);
    expect(groundedKappa.n).toBe(10);
    expect(groundedKappa.low).toBeLessThan(groundedKappa.value!);
    // Errors: all alike, one of ten a misreading.
    expect(errorKappa).toMatchObject({ value: 1, n: 10 });
  });

  test('tells the kinds of execution errors apart, and an error from none', () => {
    const { errorKappa } = agreementOf({ ada: [missed, misread, fine, fine], ben: [misread, missed, fine, fine] });
    // 2 of 4 alike; 0.5² + 0.25² + 0.25² by chance.
    expect(errorKappa.value).toBeCloseTo((0.5 - 0.375) / 0.625, 10);
  });

  test("alpha takes gaps, and who only left a comment has no say (Krippendorff's by hand)", () => {
    const { groundedAlpha, errorAlpha } = agreementOf({
      ada: [fine, loose, fine, null, { grounded: null, error: null }],
      ben: [fine, loose, loose, fine, fine],
      cleo: [fine, null, fine, null, null],
    });
    // Units g g g | u u | g u g; eight values, five g and three u.
    const observed = (0 + 0 + (2 * 2) / 2) / 8;
    const expected = (2 * 5 * 3) / (8 * 7);
    expect(groundedAlpha.value).toBeCloseTo(1 - observed / expected, 10);
    expect(groundedAlpha.n).toBe(3);
    expect(errorAlpha.value).toBeNull();
  });

  test("of more than two is Fleiss'; of a pair out of them Cohen's, whoever else judged", () => {
    const said = judged({ ada: [fine, loose], ben: [fine, loose], cleo: [loose, fine] });
    expect(judgementAgreement([judgementUnits(said)!]).groundedKappa.value).toBeCloseTo((1 / 3 - 0.5) / 0.5, 10);
    const pair = judgementUnits(said, ['ada', 'ben'])!;
    expect(pair.raters).toEqual(['ada', 'ben']);
    expect(judgementAgreement([pair]).groundedKappa.value).toBe(1);
  });

  test('is none of one person, and nothing where everybody always said the same', () => {
    expect(judgementUnits(judged({ ada: [fine] }))).toBeNull();
    expect(judgementUnits(judged({ ada: [fine], ben: [fine] }), ['ada'])).toBeNull();
    expect(judgementAgreement([]).groundedAlpha).toEqual({ value: null, n: 0, low: null, high: null });
    expect(agreementOf({ ada: [fine, fine], ben: [fine, fine] }).groundedKappa).toMatchObject({ value: null, n: 2 });
  });
});
