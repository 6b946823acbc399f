import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takeTurn } from './turns.ts';

/** Windows of one browser. Its locks as the standard has them: Node's keep a request in their list that was aborted. */

type Granted = (lock: Lock | null) => Promise<void> | undefined;

function browserLocks() {
  const held = new Set<string>();
  const pending: { name: string; grant: () => void }[] = [];
  const next = (name: string): void => {
    const at = pending.findIndex((one) => one.name === name);
    if (!held.has(name) && at >= 0) pending.splice(at, 1)[0]!.grant();
  };
  return {
    request: (name: string, { signal }: { signal: AbortSignal }, granted: Granted) =>
      new Promise<void>((resolve, reject) => {
        const ask = {
          name,
          grant() {
            held.add(name);
            signal.removeEventListener('abort', stop);
            void Promise.resolve()
              .then(() => granted(null))
              .then(() => {
                held.delete(name);
                resolve();
                next(name);
              });
          },
        };
        const stop = (): void => {
          pending.splice(pending.indexOf(ask), 1);
          reject(signal.reason);
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener('abort', stop);
        pending.push(ask);
        next(name);
      }),
    query: async () => ({ pending: pending.map(({ name }) => ({ name })) }),
  };
}

const page = { focused: false };
beforeEach(() => {
  page.focused = false;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.stubGlobal('document', { hasFocus: () => page.focused });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Long enough for locks to be given, which no timer does. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

const locks = browserLocks() as unknown as LockManager; // As far as turns are taken.

/** A stream that wants a place. */
function stream() {
  const stop = new AbortController();
  const one = { makeWay: 0, end: null as (() => void) | null, failed: null as unknown, stop };
  void takeTurn(locks, stop.signal, () => one.makeWay++).then(
    (end) => {
      one.end = end;
    },
    (error: unknown) => {
      one.failed = error;
    },
  );
  return one;
}

async function many(count: number) {
  const all = Array.from({ length: count }, stream);
  await settle();
  return all;
}

const endAll = async (all: readonly ReturnType<typeof stream>[]): Promise<void> => {
  for (const one of all) {
    one.stop.abort();
    one.end?.();
  }
  await settle();
};

test('four streams are open at once; the next has the place that is free first', async () => {
  const all = await many(6);
  expect(all.map(({ end }) => end !== null)).toEqual([true, true, true, true, false, false]);
  all[2]!.end!();
  await settle();
  expect(all.map(({ end }) => end !== null)).toEqual([true, true, true, true, true, false]);
  await endAll(all);
});

test('one that had its time makes way for one that waits, later in the window that is worked in', async () => {
  const four = await many(4);
  await vi.advanceTimersByTimeAsync(60_000);
  // No stream makes way as long as no other waits.
  expect(four.map(({ makeWay }) => makeWay)).toEqual([0, 0, 0, 0]);
  const fifth = stream();
  await settle();
  await vi.advanceTimersByTimeAsync(1000);
  await settle();
  expect(four.every(({ makeWay }) => makeWay > 0)).toBe(true);
  await endAll([...four, fifth]);

  page.focused = true;
  const again = await many(5);
  await vi.advanceTimersByTimeAsync(9000);
  await settle();
  expect(again.map(({ makeWay }) => makeWay)).toEqual([0, 0, 0, 0, 0]);
  await vi.advanceTimersByTimeAsync(2000);
  await settle();
  expect(again[0]!.makeWay).toBeGreaterThan(0);
  await endAll(again);
});

test('one that does not wait any more has no place', async () => {
  const all = await many(6);
  all[4]!.stop.abort(new Error('hidden'));
  await settle();
  expect(all[4]!.failed).toEqual(new Error('hidden'));
  all[0]!.end!();
  await settle();
  expect(all.map(({ end }) => end !== null)).toEqual([true, true, true, true, false, true]);
  await endAll(all);
});

test('whatever comes and goes: never more than four are open, and a place that is free is given to one that waits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), fc.nat(20)), { maxLength: 25 }), async (acts) => {
      let there: ReturnType<typeof stream>[] = [];
      for (const [comes, which] of acts) {
        if (comes || there.length === 0) there.push(stream());
        else {
          const [gone] = there.splice(which % there.length, 1);
          gone!.stop.abort();
          gone!.end?.();
        }
        await settle();
        there = there.filter(({ failed }) => failed === null);
        expect(there.filter(({ end }) => end !== null)).toHaveLength(Math.min(4, there.length));
      }
      await endAll(there);
    }),
    { numRuns: 15 },
  );
});
