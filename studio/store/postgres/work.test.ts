import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import type { Claimed, WorkQueue } from '../work.ts';
import { openServer, type PostgresServer } from './server.ts';
import { postgresWork } from './work.ts';

/** Work that is handed out by PostgreSQL: to one at a time, again when who had it is gone, and never counted twice. */

let postgres: TestPostgres;
let address: string;
let servers: PostgresServer[];
let queues: WorkQueue[];

beforeAll(async () => {
  postgres = await startPostgres();
  address = await postgres.make();
  servers = await Promise.all([1, 2, 3, 4].map(() => openServer(address)));
  queues = servers.map((server) => postgresWork(server));
  // All make the tables at once.
  await Promise.all(queues.map((queue) => queue.workers()));
});
beforeEach(async () => {
  await postgres.inside(address, 'delete from studio_work');
  await postgres.inside(address, 'delete from studio_workers');
});
afterAll(async () => {
  for (const server of servers ?? []) await server.close();
  postgres?.stop();
});

const first = (): WorkQueue => queues[0]!;
const put = (task = 'export', id: string = randomUUID()): Promise<string> =>
  first()
    .put({ id, task, input: { out: 'x' } })
    .then(() => id);
const silent = (id: string) =>
  postgres.inside(address, `update studio_work set leased_until = now() - interval '1 day' where id = '${id}'`);

test('of many who take at once each has others, in the order that they came, and of kinds that it does', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 40; n++) ids.push(await put());
  await put('other');
  const taken = await Promise.all(
    queues.map(async (queue, n) => {
      const mine: Claimed[] = [];
      for (let piece = await queue.claim(`w${n}`, ['export']); piece; piece = await queue.claim(`w${n}`, ['export']))
        mine.push(piece);
      return mine;
    }),
  );
  expect(
    taken
      .flat()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ids.toSorted());
  for (const mine of taken) {
    const order = mine.map(({ id }) => ids.indexOf(id));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  }
  expect(taken.flat()[0]).toMatchObject({ task: 'export', input: { out: 'x' }, attempt: 1 });
  expect(await first().workers()).toBe(4);
});

test('who says nothing loses it to another, and what comes of it counts nothing', async () => {
  const id = await put();
  const lost = (await first().claim('a', ['export']))!;
  expect(await first().claim('b', ['export'])).toBeNull();
  expect(await first().beat('a', lost, { share: 0.5, message: 'half' })).toBe('go on');
  expect((await first().look([id])).get(id)).toEqual({ state: 'running', share: 0.5, message: 'half' });
  await silent(id);
  const again = (await first().claim('b', ['export']))!;
  expect(again).toMatchObject({ id, attempt: 2 });
  expect(await first().beat('a', lost, { share: 0.9, message: null })).toBe('lost');
  expect(await first().end('a', lost, { result: 'a' })).toBe(false);
  expect(await first().end('b', again, { result: 'b' })).toBe(true);
  expect(await first().end('b', again, { result: 'twice' })).toBe(false);
  expect((await first().look([id])).get(id)).toEqual({ state: 'done', result: 'b' });
});

test('what ends every worker is given up after five, and says so', async () => {
  const id = await put();
  for (let n = 1; n <= 5; n++) {
    expect(await first().claim(`w${n}`, ['export'])).toMatchObject({ attempt: n });
    await silent(id);
  }
  expect(await first().claim('w6', ['export'])).toBeNull();
  expect((await first().look([id])).get(id)).toMatchObject({ state: 'failed', error: { code: 'INTERRUPTED' } });
});

test('what passes by itself is tried again later and later, and what does not fails at once', async () => {
  const busy = { code: 'DISK_FULL' as const, message: 'full', details: {} };
  const id = await put();
  const waits: number[] = [];
  for (let n = 1; n <= 5; n++) {
    const piece = (await first().claim('a', ['export']))!;
    expect(piece.attempt).toBe(n);
    await first().end('a', piece, { error: busy, again: true });
    expect(await first().claim('a', ['export'])).toBeNull();
    const [row] = await postgres.inside(
      address,
      `update studio_work set not_before = now() where id = '${id}' returning (select extract(epoch from w.not_before - now())::float8 from studio_work w where w.id = '${id}') as wait`,
    );
    waits.push(Math.round(Number(row?.wait)));
  }
  for (const [at, wait] of waits.slice(1, 4).entries()) expect(wait).toBeGreaterThan(2 * waits[at]!);
  expect((await first().look([id])).get(id)).toEqual({ state: 'failed', error: busy });
  const other = await put();
  const piece = (await first().claim('a', ['export']))!;
  await first().end('a', piece, { error: { ...busy, code: 'BAD_FILE' }, again: false });
  expect((await first().look([other])).get(other)).toMatchObject({ state: 'failed' });
});

test('it is stopped, taken back and given back', async () => {
  const stopped = await put();
  const piece = (await first().claim('a', ['export']))!;
  expect(await first().takeBack(stopped)).toBe(false);
  await first().stop(stopped);
  expect(await first().beat('a', piece, { share: 0, message: null })).toBe('stop');
  await first().giveBack('a', piece);
  // Work that is to stop is not begun.
  expect(await first().claim('b', ['export'])).toBeNull();
  expect(await first().takeBack(stopped)).toBe(true);
  const given = await put();
  await first().giveBack('a', (await first().claim('a', ['export']))!);
  expect(await first().claim('b', ['export'])).toMatchObject({ id: given, attempt: 1 });
});

test('nobody begins work for a process that is gone, and who is at it stops', async () => {
  const [begun, waiting] = [await put(), await put()];
  const piece = (await first().claim('a', ['export']))!;
  expect(piece.id).toBe(begun);
  await postgres.inside(address, "update studio_work set asked_until = now() - interval '1 s'");
  expect(await first().claim('b', ['export'])).toBeNull();
  expect(await first().beat('a', piece, { share: 0, message: null })).toBe('stop');
  // It asks again: it was only slow.
  await first().look([waiting]);
  expect(await first().claim('b', ['export'])).toMatchObject({ id: waiting });
});

test('a server that ends and starts again has lost nothing', async () => {
  const ids = [await put(), await put()];
  const piece = (await first().claim('a', ['export']))!;
  await postgres.crash();
  let isTold = false;
  for (let n = 0; n < 100 && !isTold; n++) {
    isTold = await first()
      .end('a', piece, { result: 1 })
      .catch(() => false);
    if (!isTold) await sleep(100);
  }
  expect(isTold).toBe(true);
  const states = await first().look(ids);
  expect(ids.map((id) => states.get(id)?.state)).toEqual(['done', 'waiting']);
});
