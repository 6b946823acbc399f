import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Followed, follow, retrying } from './follow.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

type Push = (item: string | Error | null) => void;

/** A studio whose stream a test says and breaks things on; `opened` are the times at which it was asked for, ms. */
function studio() {
  const start = Date.now();
  const opened: number[] = [];
  const line = { answers: true };
  const streams: Push[] = [];
  async function open(signal: AbortSignal): Promise<AsyncIterable<string>> {
    opened.push(Date.now() - start);
    if (!line.answers) throw new TypeError('Failed to fetch');
    const items: (string | Error | null)[] = [];
    let wake = (): void => {};
    const push: Push = (item) => {
      items.push(item);
      wake();
    };
    streams.push(push);
    signal.addEventListener('abort', () => push(null));
    return (async function* () {
      for (;;) {
        const item = items.shift();
        if (item === null) return;
        if (item instanceof Error) throw item;
        if (item !== undefined) yield item;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    })();
  }
  return {
    opened,
    line,
    open,
    say: (item: string) => streams.at(-1)?.(item),
    /** Ends the stream; with an error, breaks it. */
    end(error: Error | null = null) {
      for (const push of streams.splice(0)) push(error);
    },
  };
}

function page(of: ReturnType<typeof studio>, more: Partial<Followed<string>> = {}) {
  const told: string[] = [];
  const stream = follow<string>({
    open: of.open,
    onItem: (item) => told.push(item),
    onLost: (error) => told.push(error instanceof Error ? `lost: ${error.message}` : 'ended'),
    ...more,
  });
  return { told, stream };
}

test('what the studio says arrives in order, from a stream that is opened at once', async () => {
  const of = studio();
  const { told, stream } = page(of);
  await settle();
  for (const item of ['a', 'b', 'c']) of.say(item);
  await settle();
  expect(told).toEqual(['a', 'b', 'c']);
  expect(of.opened).toEqual([0]);
  stream.close();
});

test('a stream that ends or breaks is told and opened again after a moment', async () => {
  const of = studio();
  const { told, stream } = page(of);
  await settle();
  of.end();
  await pass(250);
  of.end(new TypeError('network error'));
  await pass(500);
  of.say('again');
  await settle();
  expect(told).toEqual(['ended', 'lost: network error', 'again']);
  expect(of.opened).toEqual([0, 250, 750]);
  stream.close();
});

test('the waits grow to five seconds while nothing answers, and are short again after an item', async () => {
  const of = studio();
  of.line.answers = false;
  const { stream } = page(of);
  await pass(20_000);
  expect(of.opened).toEqual([0, 250, 750, 1750, 3750, 8750, 13_750, 18_750]);
  of.line.answers = true;
  await pass(5_000);
  of.say('there');
  await settle();
  of.end();
  await pass(250);
  expect(of.opened.slice(-2)).toEqual([23_750, 25_250]);
  stream.close();
});

test('an opened stream makes the waits short again only where opening is the sign', async () => {
  for (const onOpen of [undefined, vi.fn()]) {
    const of = studio();
    const { stream } = page(of, onOpen ? { onOpen } : {});
    for (let i = 0; i < 3; i++) {
      await settle();
      of.end();
      await pass(250);
    }
    expect(of.opened).toEqual(onOpen ? [0, 250, 500, 750] : [0, 250, 750]);
    if (onOpen) expect(onOpen).toHaveBeenCalledTimes(4);
    stream.close();
  }
});

test('hidden it keeps no stream and tells no loss; shown it opens one at once', async () => {
  const of = studio();
  const { told, stream } = page(of);
  await settle();
  stream.show(false);
  of.say('unseen');
  await pass(60_000);
  expect(of.opened).toEqual([0]);
  stream.wake();
  await settle();
  expect(of.opened).toEqual([0]);
  stream.show(true);
  await settle();
  of.say('seen');
  await settle();
  expect(of.opened).toEqual([0, 60_000]);
  expect(told).toEqual(['seen']);
  stream.close();
});

test('begun hidden it opens nothing until it is shown', async () => {
  const of = studio();
  const { stream } = page(of, { shown: false });
  await pass(1_000);
  expect(of.opened).toEqual([]);
  stream.show(true);
  await settle();
  expect(of.opened).toEqual([1_000]);
  stream.close();
});

test('hidden and shown in one moment, it follows one stream', async () => {
  const of = studio();
  const { told, stream } = page(of);
  await settle();
  stream.show(false);
  stream.show(true);
  await settle();
  of.say('once');
  await settle();
  expect(of.opened).toEqual([0, 0]);
  expect(told).toEqual(['once']);
  stream.close();
});

test('woken it does not wait for its time', async () => {
  const of = studio();
  of.line.answers = false;
  const { stream } = page(of);
  await pass(4_000);
  of.line.answers = true;
  stream.wake();
  await settle();
  expect(of.opened.at(-1)).toBe(4_000);
  await pass(10_000);
  expect(of.opened.at(-1)).toBe(4_000);
  stream.close();
});

test('closed it is silent, also while it waits or opens', async () => {
  const of = studio();
  const { told, stream } = page(of);
  stream.close();
  await pass(10_000);
  expect([of.opened, told]).toEqual([[0], []]);
  of.line.answers = false;
  const other = page(of);
  await settle();
  other.stream.close();
  await pass(10_000);
  expect(of.opened).toHaveLength(2);
  expect(other.told).toEqual(['lost: Failed to fetch']);
  expect(vi.getTimerCount()).toBe(0);
});

test('work is tried later and later, one try at a time; a reset drops what waits', async () => {
  const start = Date.now();
  const done: number[] = [];
  const tries = retrying(() => {
    done.push(Date.now() - start);
    if (done.length < 6) tries.later();
  });
  tries.later();
  tries.later();
  expect(tries.waiting()).toBe(true);
  await pass(60_000);
  expect(done).toEqual([250, 750, 1750, 3750, 8750, 13_750]);
  expect(tries.waiting()).toBe(false);
  tries.later();
  tries.reset();
  expect(tries.waiting()).toBe(false);
  await pass(60_000);
  expect(done).toHaveLength(6);
  tries.later();
  await pass(250);
  expect(done).toHaveLength(7);
});
