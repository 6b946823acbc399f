import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedLook } from './shared-look.ts';

test('whoever asks in the same turn shares one look; another version or document is another question', async () => {
  const asked: string[] = [];
  const look = sharedLook(async (recording: string, version: number, document: string | undefined) => {
    asked.push(`${recording} ${version} ${document ?? ''}`);
    return asked.length;
  });
  const same = Array.from({ length: 50 }, () => look('a', 3, undefined));
  const others = [look('a', 4, undefined), look('b', 3, undefined), look('a', 3, 'a~ada')];
  expect(new Set(await Promise.all(same)).size).toBe(1);
  await Promise.all(others);
  expect(asked.toSorted()).toEqual(['a 3 ', 'a 3 a~ada', 'a 4 ', 'b 3 ']);
});

test('an answer holds what was stored before it was asked for, whatever is under way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.boolean()), { maxLength: 25 }), async (acts) => {
      let stored = 0;
      let looks = 0;
      const look = sharedLook(async (..._asked: [string, number, undefined]) => {
        looks++;
        // What it sees is fixed when it begins, as in a database.
        const seen = stored;
        await sleep(looks % 3);
        return seen;
      });
      const asked: Promise<void>[] = [];
      for (const [wait, askers, isStored] of acts) {
        if (isStored) stored++;
        const least = stored;
        for (let n = 0; n < askers; n++) {
          asked.push(look('a', 1, undefined).then((seen) => expect(seen).toBeGreaterThanOrEqual(least)));
        }
        if (wait > 0) await sleep(wait - 1);
      }
      await Promise.all(asked);
      expect(looks).toBeLessThanOrEqual(asked.length);
    }),
    { numRuns: 30 },
  );
});

test('a look that fails is told to those who shared it, and the next question is asked anew', async () => {
  let isBroken = true;
  const look = sharedLook(async (..._asked: [string, number, undefined]) => {
    if (isBroken) throw new Error('away');
    return 'here';
  });
  const shared = await Promise.allSettled([look('a', 1, undefined), look('a', 1, undefined)]);
  expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await look('a', 1, undefined)).toBe('here');
});
