import { expect, test } from 'vitest';
import type { OutcomeSaid } from '../../../schemas/judge.ts';
import { judgeCard, type OutcomeLabel, type PanelVerdict, shareOf } from './card.ts';

/** So many recordings of each kind: what came out, and what the panel says. */
function made(counts: readonly [good: boolean, said: OutcomeSaid, n: number][], from: OutcomeLabel['from'] = 'verify') {
  const labels: OutcomeLabel[] = [];
  const verdicts: PanelVerdict[] = [];
  for (const [good, verdict, n] of counts)
    for (let at = 0; at < n; at++) {
      const recording = `${good} ${verdict} ${at}`;
      labels.push({ recording, good, from });
      verdicts.push({ recording, verdict, opinions: [verdict, verdict] });
    }
  return { labels, verdicts };
}

test('precision and NPV are counted from the labels, with n and intervals that are never of width 0', () => {
  const { labels, verdicts } = made([
    [true, 'succeeded', 18],
    [false, 'succeeded', 2],
    [false, 'failed', 14],
    [true, 'failed', 1],
    [true, 'unsure', 5],
  ]);
  const { figures, labels: n } = judgeCard(verdicts, labels);
  expect(n).toEqual({ all: 40, verify: 40, review: 0, needed: 30 });
  expect(figures).toMatchObject({ precision: { value: 0.9, n: 20 }, npv: { value: 14 / 15, n: 15 }, unsure: 5 });
  // Wilson's interval of 18 of 20, as published tables have it.
  expect(figures?.precision?.low).toBeCloseTo(0.699, 3);
  expect(figures?.precision?.high).toBeCloseTo(0.9721, 3);
  // By hand: p_o = 32/40, p_e = (24 * 20 + 16 * 15) / 1600.
  expect(figures?.kappa.value).toBeCloseTo((0.8 - 0.45) / 0.55, 9);
});

test('with fewer than 30 labels nothing is said, however right the panel was; with 30 it is', () => {
  const { labels, verdicts } = made([[true, 'succeeded', 30]]);
  expect(judgeCard(verdicts.slice(1), labels).figures).toBeNull();
  expect(judgeCard(verdicts, labels.slice(1)).figures).toBeNull();
  const { figures } = judgeCard(verdicts, labels);
  expect(figures?.precision?.low).toBeCloseTo(0.8865, 3);
  // Nothing was said to have failed, and kappa is not defined where all say the same.
  expect(figures).toMatchObject({ npv: null, kappa: { value: null } });
});

test('recordings without a label count for how far the judges agree, and for nothing else', () => {
  const { verdicts } = made([[true, 'succeeded', 29]]);
  const other: PanelVerdict = { recording: 'x', verdict: 'unsure', opinions: ['succeeded', 'failed'] };
  const card = judgeCard([...verdicts, other], []);
  expect(card).toMatchObject({ judged: 30, labels: { all: 0 }, figures: null, among: { n: 30 } });
  expect(judgeCard(verdicts, []).among).toBeNull();
  expect(judgeCard([{ ...other, opinions: ['failed'] }], []).among).toBeNull();
});

test('an interval holds its share, and nothing has none', () => {
  expect(shareOf(0, 0)).toBeNull();
  expect(shareOf(0, 10)).toMatchObject({ value: 0, low: 0, high: expect.closeTo(0.2775, 3) });
});
