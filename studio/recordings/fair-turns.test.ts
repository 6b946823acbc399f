import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairTurns } from './fair-turns.ts';

const ASKERS = ['a', 'b', 'c'];
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

test('no more are taken than may be, in all and by one; each comes to its turn', async () => {
  const asks = fc.array(fc.record({ asker: fc.constantFrom(...ASKERS), free: fc.nat(5) }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      asks,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (list, most, ofOne) => {
        const turns = fairTurns(most, ofOne);
        const held: { asker: string; release(): void }[] = [];
        let came = 0;
        const check = (): void => {
          expect(held.length).toBeLessThanOrEqual(most);
          for (const one of ASKERS) expect(held.filter(({ asker }) => asker === one).length).toBeLessThanOrEqual(ofOne);
        };
        for (const { asker, free } of list) {
          void turns.take(asker).then((release) => {
            came++;
            held.push({ asker, release });
          });
          await settled();
          check();
          const [over] = held.splice(free % Math.max(1, held.length), free > 2 ? 1 : 0);
          // Said twice, it gives back one place.
          over?.release();
          over?.release();
        }
        await settled();
        while (held.length > 0) {
          held.shift()!.release();
          await settled();
          check();
        }
        expect(came).toBe(list.length);
      },
    ),
  );
});

test('whoever asks once waits for no more than one turn of somebody who asked a thousand times', async () => {
  const turns = fairTurns(1);
  const order: string[] = [];
  const waiting = [...Array<string>(1000).fill('flood'), 'once'].map(async (asker) => {
    const release = await turns.take(asker);
    order.push(asker);
    release();
  });
  await Promise.all(waiting);
  expect(order.indexOf('once')).toBeLessThanOrEqual(2);
});
