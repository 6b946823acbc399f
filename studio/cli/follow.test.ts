import { expect, test } from 'vitest';
import type { Job } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Call } from './calls.ts';
import { followJob } from './follow.ts';

/** A studio whose one job goes as told, and the calls that it was asked. */
function studioWith(changes: AsyncIterable<Partial<Job>>) {
  const asked: string[] = [];
  const call: Call = async (path) => {
    asked.push(path.join('.'));
    if (path[1] === 'watch') return changes;
    if (path[1] === 'failure') return { code: 'DISK_FULL', message: 'The disk is full.', details: { free: 1 } };
    if (path[1] === 'result') return { files: 3 };
    return { ok: true };
  };
  return { asked, call };
}

async function* each(...changes: Partial<Job>[]): AsyncGenerator<Partial<Job>> {
  yield { id: 'other', state: 'failed' };
  for (const change of changes) yield { id: 'one', ...change };
}

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('its progress is told until it is done, and of no other job', async () => {
  const { asked, call } = studioWith(each({ state: 'running', progress: 0.5, message: 'half' }, { state: 'done' }));
  const told: unknown[] = [];
  const result = await followJob(call, { begin: async () => ({ id: 'one' }), report: (...words) => told.push(words) });
  expect([told, asked, result]).toEqual([[[0.5, 'half']], ['jobs.watch', 'jobs.result'], { files: 3 }]);
});

test('why it failed is thrown with its code and details', async () => {
  const { call } = studioWith(each({ state: 'failed' }));
  const error = await errorOf(followJob(call, { begin: async () => ({ id: 'one' }), report: () => undefined }));
  expect(error).toBeInstanceOf(StudioError);
  expect(error).toMatchObject({ code: 'DISK_FULL', details: { free: 1 } });
});

test('a studio that ends before it is INTERRUPTED', async () => {
  const { call } = studioWith(each({ state: 'running', message: null }));
  const error = await errorOf(followJob(call, { begin: async () => ({ id: 'one' }), report: () => undefined }));
  expect(error).toMatchObject({ code: 'INTERRUPTED' });
});

test.each([
  [true, ['jobs.watch', 'jobs.cancel']],
  [false, ['jobs.watch']],
])('Ctrl+C ends it as CANCELLED; a job of others (%s: ours) goes on', async (stops, calls) => {
  const stopped = Promise.withResolvers<void>();
  async function* changes(): AsyncGenerator<Partial<Job>> {
    process.emit('SIGINT');
    await stopped.promise;
    yield { id: 'one', state: 'cancelled' };
  }
  const { asked, call } = studioWith(changes());
  const told: Call = async (path, input) => {
    const answer = await call(path, input);
    if (path[1] === 'cancel') stopped.resolve();
    return answer;
  };
  const work = followJob(told, { begin: async () => ({ id: 'one' }), report: () => undefined, stops });
  expect(await errorOf(work)).toMatchObject({ code: 'CANCELLED' });
  expect(asked).toEqual(calls);
});
