import { expect, test } from 'vitest';
import { openBeside } from './beside.ts';

test('what was begun until now is waited for, and what is begun later is not', async () => {
  const beside = openBeside();
  await beside.done();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const over: string[] = [];
  beside.begin(() => first.promise.then(() => void over.push('first')));
  const earlier = beside.done();
  beside.begin(() => second.promise.then(() => void over.push('second')));
  first.resolve();
  await earlier;
  expect(over).toEqual(['first']);
  second.resolve();
  await beside.done();
  expect(over).toEqual(['first', 'second']);
});

test('a failure is thrown when it is asked for, however late, and after the rest is over', async () => {
  const beside = openBeside();
  const slow = Promise.withResolvers<void>();
  let isOver = false;
  beside.begin(() => Promise.reject(new Error('the disk is full')));
  // vitest fails a test whose failures nobody waits for.
  await new Promise((next) => setImmediate(next));
  beside.begin(async () => {
    await slow.promise;
    isOver = true;
  });
  const done = beside.done();
  slow.resolve();
  await expect(done).rejects.toThrow('the disk is full');
  expect(isOver).toBe(true);
  await expect(beside.done()).rejects.toThrow('the disk is full');
});
