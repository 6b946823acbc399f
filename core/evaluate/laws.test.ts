import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import { SCROLL_ANSWERS, type Truth } from '../../schemas/questions.ts';
import { SCALES } from '../../schemas/scales.ts';
import { caseOf } from './case-for-tests.ts';
import { traceKeys } from './keys/run.ts';
import { scoreKeys } from './keys/score.ts';
import { CodeError } from './keys/tokens.ts';
import { kendallTau, scorePlan, similarity, tokensOf } from './plan.ts';
import { scoreClick, scoreDrag } from './position.ts';
import { randomFrom, shuffled } from './random.ts';
import { PLACE_FORMS } from './reading/forms.ts';
import { scoreCase } from './score-case.ts';
import { goldLetter, optionOrder } from './scroll.ts';
import { addTo, emptyTally, estimate, toMetric } from './tally.ts';
import { summarizeTrajectories } from './trajectories.ts';

const size = fc.integer({ min: 1, max: 4000 });
const screen = fc.record({ width: size, height: size });
const inside = ({ width, height }: { width: number; height: number }) =>
  fc.tuple(fc.integer({ min: 0, max: width - 1 }), fc.integer({ min: 0, max: height - 1 }));
const click = screen.chain((s) => inside(s).map((point) => ({ kind: 'click' as const, point, ...s })));
const drag = screen.chain((s) =>
  fc.tuple(inside(s), inside(s)).map(([start, end]) => ({ kind: 'drag' as const, start, end, ...s })),
);
const steps = fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 7 });
const keys = fc.array(fc.constantFrom('a', 'b', 'ctrl', 'enter', 'A'), { minLength: 1, maxLength: 8 });

describe('the right answer scores 100', () => {
  test('as a model writes it', () => {
    fc.assert(
      fc.property(click, drag, fc.constantFrom(...SCROLL_ANSWERS), fc.string(), (point, line, answer, id) => {
        const score = (truth: Truth, text: string) => scoreCase(caseOf(truth), text, DEFAULT_OPTIONS).scores;
        expect(score(point, `[${point.point.join(', ')}]`)).toMatchObject({ dist: 0, recall: 1 });
        expect(score(line, `[${line.start.join(', ')}] -> [${line.end.join(',')}]`)).toMatchObject({
          dist: 0,
          recall: 1,
        });
        const scroll = { kind: 'scroll' as const, answer, order: optionOrder(id, 1) };
        expect(score(scroll, `[${goldLetter(scroll)}]`)).toEqual({ accuracy: 1 });
      }),
    );
  });

  test('in every form and every scale that models write', () => {
    const whole = { pixels: null, '0-1': 1, '0-100': 100, '0-1000': 1000 } as const;
    const scales = fc.constantFrom(...SCALES);
    const forms = fc.constantFrom(...PLACE_FORMS);
    fc.assert(
      fc.property(click, drag, scales, forms, (point, line, coordinates, { click: one, drag: two }) => {
        const options = { ...DEFAULT_OPTIONS, coordinates, threshold: 10 };
        const part = whole[coordinates];
        const written = (example: string, { width, height }: { width: number; height: number }, places: number[]) =>
          example.replace(/\b(?:79|115|300|200)\b/g, (number) => {
            const i = ['79', '115', '300', '200'].indexOf(number);
            const value = part === null ? places[i]! : (places[i]! / (i % 2 === 0 ? width : height)) * part;
            return String(Number(value.toFixed(4)));
          });
        if (one !== null) {
          const text = written(one, point, [...point.point]);
          expect([text, scoreCase(caseOf(point), text, options).scores.recall]).toEqual([text, 1]);
        }
        if (two !== null && line.start.join() !== line.end.join()) {
          const text = written(two, line, [...line.start, ...line.end]);
          expect([text, scoreCase(caseOf(line), text, options).scores.recall]).toEqual([text, 1]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('keys in every reading, plans in any order', () => {
    fc.assert(
      fc.property(keys, steps, fc.integer(), (truth, plan, seed) => {
        for (const reading of ['contained', 'multiset', 'orderedLcs'] as const) {
          expect(scoreKeys(truth, truth, reading)).toEqual({ recall: 1, precision: 1 });
        }
        expect(scorePlan(plan, shuffled(plan, randomFrom(seed))).stepF1).toBeCloseTo(1, 9);
      }),
    );
  });
});

describe('bounds', () => {
  test('a position inside the picture is at most as far as the farthest corner', () => {
    const both = screen.chain((s) => fc.tuple(inside(s), inside(s), inside(s)).map((points) => ({ ...s, points })));
    fc.assert(
      fc.property(both, ({ width, height, points: [point, a, b] }) => {
        const truth = { kind: 'click' as const, point, width, height };
        for (const place of [a, [...a, ...b] as [number, number, number, number]]) {
          const { dist } = scoreClick(truth, place, DEFAULT_OPTIONS);
          expect(dist).toBeGreaterThanOrEqual(0);
          expect(dist).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('recall never falls when the threshold grows', () => {
    fc.assert(
      fc.property(drag, drag, fc.nat(3000), fc.nat(3000), (truth, other, t1, t2) => {
        const recall = (threshold: number) =>
          scoreDrag(truth, [other.start, other.end], { ...DEFAULT_OPTIONS, threshold }).recall;
        expect(recall(Math.min(t1, t2))).toBeLessThanOrEqual(recall(Math.max(t1, t2)));
      }),
    );
  });

  test('keys and plans stay between 0 and 1, tau between -1 and 1, whatever is predicted', () => {
    fc.assert(
      fc.property(keys, keys, steps, steps, (truth, pressed, plan, other) => {
        for (const reading of ['contained', 'multiset', 'orderedLcs'] as const) {
          for (const value of Object.values(scoreKeys(truth, pressed, reading))) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
        }
        const { stepF1, order } = scorePlan(plan, other);
        expect(stepF1).toBeGreaterThanOrEqual(0);
        expect(stepF1).toBeLessThanOrEqual(1 + 1e-9);
        expect(Math.abs(order ?? 0)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('an interval holds its mean and lies inside what the metric can be', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 60 }), (values) => {
        const tally = emptyTally();
        for (const value of values) addTo(tally, value);
        const { value, interval } = toMetric('m', '%', estimate(tally, 1000, randomFrom(1)), { level: 0.999 }, [0, 1]);
        expect(interval!.low).toBeLessThanOrEqual(value! + 1e-9);
        expect(interval!.high).toBeGreaterThanOrEqual(value! - 1e-9);
        expect(interval!.low).toBeGreaterThanOrEqual(0);
        expect(interval!.high).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('symmetries', () => {
  test('a box is the same by any two opposite corners, and a drag by both ends swapped in truth and prediction', () => {
    const place = fc.tuple(fc.integer({ min: -50, max: 4000 }), fc.integer({ min: -50, max: 4000 }));
    fc.assert(
      fc.property(click, place, place, drag, (truth, [x1, y1], [x2, y2], line) => {
        const score = (box: [number, number, number, number]) => scoreClick(truth, box, DEFAULT_OPTIONS).pixels!;
        expect(score([x1, y1, x2, y2])).toBeCloseTo(score([x2, y1, x1, y2]), 6);
        const there = scoreDrag(
          line,
          [
            [x1, y1],
            [x2, y2],
          ],
          DEFAULT_OPTIONS,
        );
        const swapped = { ...line, start: line.end, end: line.start };
        const back = scoreDrag(
          swapped,
          [
            [x2, y2],
            [x1, y1],
          ],
          DEFAULT_OPTIONS,
        );
        expect([back.dist, back.recall]).toEqual([there.dist, there.recall]);
      }),
    );
  });

  test('similarity and step F1 do not care which plan is the truth', () => {
    fc.assert(
      fc.property(steps, steps, (a, b) => {
        expect(scorePlan(a, b).stepF1).toBeCloseTo(scorePlan(b, a).stepF1, 9);
        expect(similarity(tokensOf(a[0]!), tokensOf(b[0]!))).toBe(similarity(tokensOf(b[0]!), tokensOf(a[0]!)));
      }),
    );
  });

  test('options: over many questions each answer stands behind each letter about as often', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = optionOrder(`GIMP_1/1/${i}/before`, 1).join();
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  test("Kendall's tau turns its sign when the order is turned round (M15)", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(100), { minLength: 2, maxLength: 12 }), (places) => {
        const matches = places.map((prediction, truth) => ({ truth, prediction }));
        const turned = matches.map(({ truth, prediction }) => ({ truth, prediction: -prediction }));
        expect(kendallTau(turned)).toBeCloseTo(-kendallTau(matches)!, 12);
      }),
    );
  });
});

describe('the matching of steps', () => {
  /** Every one-to-one matching, one after the other. */
  function best(table: number[][], row = 0, taken = 0): number {
    if (row === table.length) return 0;
    let most = best(table, row + 1, taken);
    for (const [column, value] of table[row]!.entries()) {
      if (!(taken & (1 << column))) most = Math.max(most, value + best(table, row + 1, taken | (1 << column)));
    }
    return most;
  }

  test('is the best there is', () => {
    const word = fc.constantFrom('click', 'save', 'file', 'open', 'menu', 'text');
    const plan = fc.array(
      fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(plan, plan, (truth, prediction) => {
        const table = truth.map((a) => prediction.map((b) => similarity(tokensOf(a), tokensOf(b))));
        const most = (2 * best(table)) / (truth.length + prediction.length);
        expect(scorePlan(truth, prediction).stepF1).toBeCloseTo(most, 9);
      }),
    );
  });
});

describe('any program at all', () => {
  test('is traced, refused or found unreadable, and nothing else happens', () => {
    const piece = fc.constantFrom(
      ...['pyautogui', '.', 'press', '(', ')', "'a'", ',', '\n', '    ', 'for', 'in', 'range', ':', '=', '*', '[', ']'],
      ...[
        'with',
        'hold',
        '"',
        "'''",
        '\\',
        'import',
        'os',
        '3',
        '-',
        'raise',
        'write',
        '#',
        ';',
        'f"',
        '{x}',
        'é',
        '\t',
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
          fc.string(),
        ),
        (code) => {
          try {
            expect(Array.isArray(traceKeys(code).events)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(CodeError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('whole tasks', () => {
  test('all successes are 100 in every score, none 0, and each score is between', () => {
    const run = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 8 }), (runs) => {
        const cases = runs.map((atomic, i) => ({
          truth: { id: `${i}`, software: '', task: '', difficulty: null, nodes: atomic.length, applications: 2 },
          outcome: { atomic, errors: [] },
        }));
        const { sr, cr, wpsr, matcr, patsr } = summarizeTrajectories(cases, DEFAULT_OPTIONS);
        const every = runs.every((atomic) => atomic.every(Boolean));
        const none = runs.every((atomic) => !atomic.some(Boolean));
        for (const value of [sr, cr, wpsr, matcr, patsr]) {
          if (every) expect(value).toBeCloseTo(1, 12);
          if (none) expect(value).toBe(0);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
        // A whole success is a prefix of all, and a prefix is part of what succeeded.
        expect(sr).toBeLessThanOrEqual(matcr! + 1e-12);
        expect(matcr).toBeLessThanOrEqual(cr! + 1e-12);
      }),
    );
  });
});
