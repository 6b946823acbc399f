import { expect, test } from 'vitest';
import { findMissing } from '../../core/annotate/missing.ts';
import { stepsFrom } from '../../core/annotate/steps-for-tests.ts';
import { viewDocument } from '../../core/annotate/view.ts';
import type { MissingItem } from '../../schemas/annotation.ts';
import { gapField, gapKey, lookOn, nextGap } from './missing.ts';

const gap = (kind: MissingItem['kind'], step: number | null): MissingItem => ({
  kind,
  step,
  action: step === null ? null : `s${step}`,
  subtask: null,
  message: '',
});
const GAPS = [gap('goal', null), gap('box', 2), gap('pixels', 2), gap('box', 5)];

test('the next gap is that after the one in hand, then that of a later step, then the first', () => {
  const walk: string[] = [];
  let from = { at: 0, gap: null as string | null };
  for (let n = 0; n < 5; n++) {
    const next = nextGap(GAPS, from)!;
    walk.push(gapKey(next));
    from = { at: next.step === null ? from.at : next.step - 1, gap: gapKey(next) };
  }
  expect(walk).toEqual(['box:s2', 'pixels:s2', 'box:s5', 'goal:', 'box:s2']);
  // Who went on by hand begins from there.
  expect(nextGap(GAPS, { at: 3, gap: 'box:s2' })).toBe(GAPS[3]);
  // The one in hand was mended: its step's others come first.
  expect(nextGap(GAPS.toSpliced(1, 1), { at: 1, gap: 'box:s2' })).toBe(GAPS[2]);
  expect(nextGap([], { at: 1, gap: null })).toBeNull();
  expect(nextGap([GAPS[3]!], { at: 4, gap: 'box:s5' })).toBe(GAPS[3]);
});

test('each gap has the field in which it is mended', () => {
  expect(gapField(GAPS[0]!, null)).toBe('goal');
  expect(gapField(gap('end-box', 1), null)).toBe('boxEnd');
  expect(gapField(gap('pixels', 1), null)).toBe('element');
  // A drag whose element is named still lacks its end.
  expect(gapField(gap('pixels', 1), { element: 'Slider' })).toBe('endName');
});

test('steps are looked at once, in pieces for as long as there is time', () => {
  const looked = new Set<string>();
  let sentences = 0;
  const view = viewDocument(stepsFrom(1000), new Map());
  const steps = view.steps.map((step) => ({
    ...step,
    get narration(): string {
      looked.add(step.step.id);
      sentences++;
      return 'Click';
    },
  }));
  // No time is left: a piece all the same, or a busy page would never come to an end.
  const at = lookOn(steps, 0, () => 0);
  expect([looked.size, at < 1000]).toEqual([at, true]);
  expect(lookOn(steps, at, () => 5)).toBe(1000);
  const [once] = [sentences];
  expect(findMissing({ ...view, steps }, 'Crop').length).toBe(1000);
  expect(sentences).toBe(once);
});
