import { expect, test } from 'vitest';
import { followShown, type ShownChange } from './shown-follow.ts';

test('letters that can be read are told once, from the last time at which they could not', () => {
  let now = 0;
  let answer: boolean | null = null;
  let asked = 0;
  const told: ShownChange[] = [];
  const follow = followShown({
    isShown: () => {
      asked++;
      return answer;
    },
    now: () => now,
    tell: (change) => told.push(change),
  });
  const at = (ms: number, is: boolean | null): void => {
    [now, answer] = [ms * 1000, is];
    follow.turn();
  };
  at(0, null);
  at(300, false);
  at(400, true); // Too soon to be asked again.
  at(600, true);
  at(900, true);
  at(1200, false);
  at(1500, null);
  expect(told).toEqual([
    { shown: true, from: 300_000, t: 600_000 },
    { shown: false, from: 900_000, t: 1_200_000 },
  ]);
  expect(asked).toBe(6);
});
