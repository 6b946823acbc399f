import { expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import type { Truth } from '../../schemas/questions.ts';
import { caseOf } from './case-for-tests.ts';
import { TRUTHS } from './hostile-answers-for-tests.ts';
import { addChance, type Chance, chanceMetrics } from './random-guess.ts';

test('chance gets what the first row of table 5 prints, as nearly as its questions are known (M30)', () => {
  const chance: Chance = new Map();
  for (let i = 0; i < 2000; i++) {
    const [x, y] = [(i * 7919) % 1920, (i * 104_729) % 1080];
    const size = { width: 1920, height: 1080 };
    const truths: Truth[] = [
      { kind: 'click', point: [x, y], ...size },
      { kind: 'drag', start: [x, y], end: [(x + 200) % 1920, y], ...size },
      TRUTHS.keys,
      TRUTHS.scroll,
    ];
    for (const truth of truths) addChance(chance, caseOf(truth, { id: `${i}` }), DEFAULT_OPTIONS);
  }
  const value = (metric: string) => chanceMetrics(chance).find((one) => one.metric === metric)?.value;
  // Printed: 49.9, 0.7, 47.2, 0.0, 31.3 (20 of 64) and 8.0; on screens like these, with a third for the letters.
  expect(Math.abs(value('click.dist')! - 49.9)).toBeLessThan(4);
  expect(Math.abs(value('click.recall')! - 0.7)).toBeLessThan(1);
  expect(Math.abs(value('drag.dist')! - 47.2)).toBeLessThan(4);
  expect(value('drag.recall')).toBeLessThan(0.1);
  expect(value('scroll.accuracy')).toBeCloseTo(100 / 3, 9);
  expect(Math.abs(value('action.full')! - 8)).toBeLessThan(1);
  expect(value('keys.precision')).toBeUndefined();
  expect(chanceMetrics(new Map())).toEqual([]);
});
