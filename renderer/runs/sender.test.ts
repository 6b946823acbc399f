import { expect, test } from 'vitest';
import type { StageAct } from '../../schemas/stage-acts.ts';
import { actSender } from './sender.ts';

const move = (x: number): StageAct => ({ do: 'move', at: [x, 0] });
const button = (down: boolean): StageAct => ({ do: 'button', at: [0, 0], button: 'left', down });
const key = (name: string): StageAct => ({ do: 'key', key: name, down: true });
const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

function open(answer: (n: number) => Promise<unknown>, isLost = false) {
  const sent: [number, StageAct[]][] = [];
  const errors: unknown[] = [];
  const sender = actSender({
    async send(n, acts) {
      sent.push([n, acts]);
      await answer(n);
    },
    isLost: () => isLost,
    onError: (error) => errors.push(error),
    waitMs: 1,
  });
  return { sender, sent, errors };
}

test('what comes while a request is on its way goes with the next, in its order', async () => {
  const first = Promise.withResolvers<void>();
  const { sender, sent } = open((n) => (n === 1 ? first.promise : Promise.resolve()));
  sender.add([key('a')]);
  sender.add([key('b')]);
  sender.add([key('c')]);
  expect(sent).toEqual([[1, [key('a')]]]);
  first.resolve();
  // Whoever ends the run waits for it.
  await sender.sent();
  expect(sent[1]).toEqual([2, [key('b'), key('c')]]);
});

test('of moves only the last is sent, but the whole way of a drag', async () => {
  const first = Promise.withResolvers<void>();
  const { sender, sent } = open((n) => (n === 1 ? first.promise : Promise.resolve()));
  sender.add([key('a')]);
  for (const x of [1, 2, 3]) sender.add([move(x)]);
  sender.add([button(true)]);
  for (const x of [4, 5]) sender.add([move(x)]);
  sender.add([button(false)]);
  for (const x of [6, 7]) sender.add([move(x)]);
  first.resolve();
  await settled();
  expect(sent[1]![1]).toEqual([move(3), button(true), move(4), move(5), button(false), move(7)]);
});

test('a lost line sends the same again by the same number; a refusal is told and dropped', async () => {
  let tries = 0;
  const lost = open(() => (++tries < 3 ? Promise.reject(new TypeError('lost')) : Promise.resolve()), true);
  lost.sender.add([key('a')]);
  await settled();
  expect(lost.sent.map(([n]) => n)).toEqual([1, 1, 1]);
  expect(lost.errors).toEqual([]);
  const refused = open(() => Promise.reject(new Error('no')));
  refused.sender.add([key('a')]);
  await settled();
  refused.sender.add([key('b')]);
  await settled();
  expect(refused.sent.map(([n]) => n)).toEqual([1, 2]);
  expect(refused.errors).toHaveLength(2);
});
