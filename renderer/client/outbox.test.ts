import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Outbox } from './outbox.ts';
import { NO_ANSWER } from './refusal.ts';

/** A page that sends numbers, and a studio that answers as `answers` says, in order; then it takes everything. */
function page(answers: (Error | 'taken')[] = []) {
  let queue: readonly number[] = [];
  const taken: number[] = [];
  const notices: string[] = [];
  const awaited = new Set<number>();
  const stored: number[][] = [];
  let running = 0;
  let most = 0;
  const set = (next: readonly number[]): void => {
    queue = next;
    outbox.keep();
  };
  const outbox = new Outbox<number, never>({
    payload: {
      idOf: String,
      nameOf: (item) => `Number ${item}`,
      waiting: () => queue,
      next: () => queue[0],
      async send(item) {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 10));
        running--;
        const answer = answers.shift() ?? 'taken';
        if (answer !== 'taken') throw answer;
        taken.push(item);
        set(queue.filter((one) => one !== item));
      },
      drop: (id) => set(queue.filter((one) => String(one) !== id)),
      refused: (item, { what }) => void notices.push(`${item} ${what}`),
      isAwaited: (item) => awaited.has(item),
      reread: async () => {},
    },
    storage: { load: () => [], save: (now) => stored.push([...now]) > 0 },
    stream: {
      async open(signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return (async function* () {})();
      },
      onItem: () => {},
    },
    onChange: () => {},
    onNotice: (text) => void notices.push(text),
  });
  const add = (item: number): void => {
    set([...queue, item]);
    outbox.send();
  };
  return { outbox, add, taken, notices, awaited, stored, waiting: () => queue, most: () => most };
}

const coded = (code: string): Error => Object.assign(new Error('Its words.'), { code });
const offline = (): Error => new TypeError('Failed to fetch');

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('items go out one at a time, in order, also those added while one is on its way', async () => {
  const one = page();
  one.add(1);
  await vi.advanceTimersByTimeAsync(5);
  one.add(2);
  one.add(3);
  await vi.advanceTimersByTimeAsync(100);
  expect([one.taken, one.most(), one.waiting()]).toEqual([[1, 2, 3], 1, []]);
  expect(one.stored.at(-1)).toEqual([]);
});

test('without an answer everything waits, and goes out in order after', async () => {
  const one = page([offline(), offline()]);
  one.add(1);
  one.add(2);
  await vi.advanceTimersByTimeAsync(20);
  expect([one.outbox.state.lost, one.waiting()]).toEqual([NO_ANSWER, [1, 2]]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([one.taken, one.outbox.state.lost]).toEqual([[1, 2], null]);
});

test('an item that is refused is dropped and reported, and the next one goes out', async () => {
  const one = page([coded('CONFLICT'), coded('USAGE')]);
  for (const item of [1, 2, 3]) one.add(item);
  await vi.advanceTimersByTimeAsync(100);
  expect([one.notices, one.taken, one.outbox.state.lost]).toEqual([['1 conflict', '2 refused'], [3], null]);
});

test('an item that fails in the studio holds the others, until it is tried again or left out', async () => {
  const defect = coded('INTERNAL');
  const one = page([defect, defect, defect, defect, defect, defect]);
  one.add(1);
  one.add(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(one.outbox.state.stuck).toEqual({ id: '1', label: 'Number 1', message: 'Its words.' });
  one.outbox.reached();
  expect(one.outbox.state).toMatchObject({ lost: 'Its words.', stuck: { id: '1' } });
  one.outbox.retry();
  expect(one.outbox.state.stuck).toBeNull();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([one.outbox.state.stuck?.id, one.waiting()]).toEqual(['1', [1, 2]]);
  one.outbox.leaveOut();
  await vi.advanceTimersByTimeAsync(100);
  expect([one.taken, one.notices]).toEqual([[2], ['Number 1 was left out. Its words.']]);
});

test('an item whose answer is awaited is refused after a defect, not held', async () => {
  const defect = coded('INTERNAL');
  const one = page([defect, defect, defect]);
  one.awaited.add(1);
  one.add(1);
  one.add(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([one.outbox.state.stuck, one.notices, one.taken]).toEqual([null, ['1 defect'], [2]]);
});

test('nothing is sent after it is closed, and what waits is left for the next page', async () => {
  const one = page([offline()]);
  one.add(1);
  await vi.advanceTimersByTimeAsync(20);
  one.outbox.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([one.taken, one.stored.at(-1)]).toEqual([[], [1]]);
});
