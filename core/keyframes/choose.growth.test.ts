import { expect, test } from 'vitest';
import type { Frame } from '../../schemas/frames.ts';
import { growthProblem } from '../../test/support/growth.ts';
import { chooseKeyframes } from './choose.ts';
import { actionFrom } from './example-for-tests.ts';

test('K8: 10,000 actions over 100,000 frames cost each no more than three times what 1,250 over 12,500 do', async () => {
  const options = { fps: 30, syncErrorUs: 0, pressStepUs: 1000, screenPixels: 10_000, end: 4e9 };
  const work = (count: number) => {
    const frames = Array.from(
      { length: count * 10 },
      (_, i): Frame => ({ i, pts: i * 33, t: i * 33_333, changed: i % 7 ? 5 : 500 }),
    );
    const actions = Array.from({ length: count }, (_, at) => actionFrom(`a${at}`, at * 333, at * 333 + 80));
    return () => chooseKeyframes(actions, frames, options);
  };
  expect(work(10_000)()).toHaveLength(20_000);
  expect(await growthProblem(work, { parts: 1250, step: 8, most: 24 })).toBeNull();
});
