import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, type Part } from './part.ts';
import { createSender, createUnread, MOST_WAITING } from './sender.ts';

const [WIDTH, HEIGHT] = [3, 4];
const LENGTH = WIDTH * HEIGHT * 4;

/** As the other side puts a part into the picture that it has. */
function put(into: Uint8Array, { left, top, columns, rows }: Part, bytes: Uint8Array): void {
  for (let row = 0; row < rows; row++)
    into.set(bytes.subarray(row * columns * 4, (row + 1) * columns * 4), ((top + row) * WIDTH + left) * 4);
}

test('however slow the other side is: what it puts together is the newest picture, and what it did not get is counted', async () => {
  // Each step: a picture with one byte changed is added, or the hand-over under way ends.
  const steps = fc.array(fc.oneof(fc.record({ at: fc.nat(LENGTH - 1), value: fc.nat(255) }), fc.constant(null)), {
    minLength: 1,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const made = new Uint8Array(LENGTH);
      const screen = new Uint8Array(LENGTH);
      const ends: (() => void)[] = [];
      let [added, got, dropped] = [0, 0, 0];
      const times: number[] = [];
      const sender = createSender((picture, part, left) => {
        put(made, part, bytesOf(picture, part));
        got++;
        dropped += left;
        times.push(picture.t);
        return new Promise((done) => ends.push(done));
      });
      for (const step of all) {
        if (step === null) ends.shift()?.();
        else {
          screen[step.at] = step.value;
          const bytes = sender.room(LENGTH);
          bytes.set(screen);
          sender.add({ t: added++, width: WIDTH, height: HEIGHT, bytes });
        }
        await Promise.resolve();
      }
      const most = got + MOST_WAITING;
      while (ends.length > 0) {
        ends.shift()?.();
        await new Promise((next) => setTimeout(next));
      }
      expect(got).toBeLessThanOrEqual(most);
      expect(got + dropped).toBe(added);
      expect([...made]).toEqual([...screen]);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      if (added > 0) expect(times.at(-1)).toBe(added - 1);
    }),
  );
});

test('a picture of another size is handed over whole', async () => {
  const parts: Part[] = [];
  const sender = createSender(async (_picture, part) => void parts.push(part));
  for (const height of [4, 4, 2]) {
    sender.add({ t: 0, width: WIDTH, height, bytes: sender.room(WIDTH * height * 4) });
    await new Promise((next) => setTimeout(next));
  }
  expect(parts).toEqual([
    { left: 0, top: 0, columns: WIDTH, rows: 4 },
    { left: 0, top: 0, columns: 0, rows: 0 },
    { left: 0, top: 0, columns: WIDTH, rows: 2 },
  ]);
});

test('a hand-over that fails ends it, with its reason', async () => {
  const sender = createSender(() => Promise.reject(new Error('gone')));
  sender.add({ t: 0, width: 1, height: 1, bytes: new Uint8Array(4) });
  await expect(sender.failed).rejects.toThrow('gone');
});

test('what was left out before it came is told with the next picture, once', async () => {
  const told: number[] = [];
  const sender = createSender(async (_picture, _part, left) => void told.push(left));
  for (const count of [4, 0]) {
    sender.leftOut(count);
    sender.add({ t: 0, width: 1, height: 1, bytes: sender.room(4) });
    await new Promise((next) => setTimeout(next));
  }
  expect(told).toEqual([4, 0]);
});

test('pictures that nobody read are counted once, and those that still wait are not', () => {
  const unread = createUnread();
  expect(unread(1, 1)).toBe(0);
  expect(unread(1 + MOST_WAITING, 1)).toBe(0);
  expect(unread(10, 2)).toBe(8 - MOST_WAITING);
  expect(unread(11, 3)).toBe(0);
  // The reader has caught up: those that waited were read, the lost ones stay counted.
  expect(unread(11, 6)).toBe(0);
  expect(unread(20, 7)).toBe(13 - 8);
  // A Chromium that does not say.
  expect(createUnread()(0, 5)).toBe(0);
});
