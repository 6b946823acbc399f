import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Change, Transaction } from '../../schemas/annotation.ts';
import type { Job } from '../../schemas/api/models.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { type SmallDisk, smallDisk } from '../store/small-disk-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

/** Every route that writes, while the disk is full: the error is itself, and the same request succeeds when there is room. */

const MB = 2 ** 20;
const folders = temporaryFolders();
let server: TestServer;
let open: OpenWorkspace;
let disk: SmallDisk | null = null;
let dir: string;
let ws: string;
let archive: string;
let ann: string;

beforeAll(async () => {
  const folder = folders.make();
  server = await startTestServer(folder);
  dir = join(folder, 'small', 'workspace');
  disk = smallDisk(join(folder, 'small'), 300 * MB);
  ws = (await server.client.workspaces.open({ dir, create: true })).id;
  open = await server.studio.workspaces.get(ws);
  for (const id of ['aaaa', 'bbbb']) await addRecording(open.workspace, { id, screens: [10, 90, 200] });
  await open.refresh({ now: true });
  ann = (await server.client.people.add({ ws, name: 'Ann' })).id;
  archive = join(folder, 'all.tar');
  expect(await over(server.client.archives.make({ ws, out: archive, version: null }))).toMatchObject({ state: 'done' });
});
afterEach(() => room());
afterAll(async () => {
  await server.close();
  disk?.remove();
  folders.clean();
});

/** No room: on a disk of its own where there is one, else as SQLite itself counts its pages. */
async function full(): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(sqlOf(open.workspace.store));
  await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(sqlOf(open.workspace.store));
  disk?.fill();
}
async function room(): Promise<void> {
  disk?.free();
  await sql.raw('pragma max_page_count = 1000000').execute(sqlOf(open.workspace.store));
}

const codeOf = (error: unknown): string => (error instanceof ORPCError ? error.code : String(error));

/** Does it again and again while there is no room, until it is refused; gives how often it went well. */
async function untilRefused(work: () => Promise<unknown>): Promise<number> {
  for (let done = 0; done < 3000; done++) {
    try {
      await work();
    } catch (error) {
      expect(codeOf(error)).toBe('DISK_FULL');
      return done;
    }
  }
  throw new Error('there was always room');
}

async function over(adding: Promise<Job>): Promise<Job> {
  return open.jobs.finished((await adding).id);
}

async function renamed(recording: string, text: string): Promise<Transaction> {
  const { records } = await server.client.annotation.get({ ws, recording });
  const before = records.find((record) => record.kind === 'goal')!;
  const changes: Change[] = [{ op: 'change', before, after: { ...before, text } }];
  return { id: randomUUID(), label: 'Set goal', changes };
}

/** More than a page holds, so that soon one more is needed. */
const words = (n: number): string => `${n} ${'word '.repeat(900)}`;

describe('with no room on the disk', () => {
  test('a gesture is refused as DISK_FULL, each time, and the same one is stored when there is room', async () => {
    const recording = 'aaaa';
    await renamed(recording, 'begun');
    await full();
    let n = 0;
    const fits = await untilRefused(async () => {
      const transaction = await renamed(recording, words(n++));
      await server.client.annotation.apply({ ws, recording, person: ann, transaction });
    });
    const transaction = await renamed(recording, words(n));
    for (let again = 0; again < 5; again++) {
      const answer = await server.client.annotation.apply({ ws, recording, person: ann, transaction }).catch(codeOf);
      expect(answer).toBe('DISK_FULL');
    }
    expect(await server.client.annotation.undo({ ws, recording, person: ann }).catch(codeOf)).toBe('DISK_FULL');
    await room();
    const stored = await server.client.annotation.apply({ ws, recording, person: ann, transaction });
    expect(stored).toMatchObject({ id: transaction.id, version: fits + 2 });
    const { version } = await server.client.annotation.get({ ws, recording });
    expect(version).toBe(fits + 2);
  });

  test('an act of a review', async () => {
    const act = (n: number): ReviewAct => ({
      type: 'comment',
      thread: null,
      text: words(n).slice(0, 2000),
      pin: { action: null, role: null, place: null, t: null },
    });
    await full();
    const send = (id: string, n: number) =>
      server.client.review.send({ ws, recording: 'bbbb', person: ann, id, act: act(n) });
    await untilRefused(() => send(randomUUID(), 1));
    const id = randomUUID();
    expect(await send(id, 2).catch(codeOf)).toBe('DISK_FULL');
    await room();
    await send(id, 2);
    const { threads } = await server.client.review.get({ ws, recording: 'bbbb', person: ann });
    expect(threads.filter((thread) => thread.id === id)).toHaveLength(1);
  });

  test.each<[string, (n: number) => Promise<unknown>]>([
    [
      'tags',
      (n) =>
        server.client.dataset.tag({
          ws,
          recordings: ['aaaa', 'bbbb'],
          add: [`tag-${n}-${'x'.repeat(30)}`],
          remove: [],
        }),
    ],
    ['a task', (n) => server.client.tasks.create({ ws, software: 'gimp', goal: words(n) })],
    ['a person', (n) => server.client.people.add({ ws, name: `Person ${n} ${'x'.repeat(70)}` })],
  ])('%s: the list is as it was before', async (_what, write) => {
    await full();
    let n = 0;
    await untilRefused(() => write(n++));
    expect(await write(n).catch(codeOf)).toBe('DISK_FULL');
    await room();
    await write(n);
  });
});

describe.runIf(process.getuid?.() === 0)('long work with no room on the disk', () => {
  /** The database has room in its own files, so that jobs are noted; nothing else on the disk has. */
  async function roomInDatabase(): Promise<void> {
    const { store } = open.workspace;
    await sql`create table ballast (bytes blob)`.execute(sqlOf(store));
    await sql`insert into ballast values (randomblob(${2 * MB}))`.execute(sqlOf(store));
    await sql`drop table ballast`.execute(sqlOf(store));
    // On a connection of its own: the studio's makes a change within a transaction, in which SQLite does not do this.
    const beside = new Sqlite(join(dir, 'studio.sqlite'));
    beside.pragma('wal_checkpoint(full)');
    beside.close();
  }

  /** Begins it while there is room, and lets it work when there is none. */
  async function withoutRoom(begin: () => Promise<Job>): Promise<Job> {
    await roomInDatabase();
    const hold = Promise.withResolvers<null>();
    // In both lanes that the tests below use: a job of a lane that is free would begin while there is room.
    for (const kind of ['import', 'export']) await open.jobs.add(kind, 'hold', () => hold.promise);
    const { id } = await begin().finally(() => {
      disk!.fill();
      hold.resolve(null);
    });
    const job = await open.jobs.finished(id);
    expect(job).toMatchObject({ state: 'failed', error: { code: 'DISK_FULL' } });
    // Told by the list, too, whatever could be written.
    const listed = (await server.client.jobs.list({ ws })).find((one) => one.id === id);
    expect(listed).toMatchObject({ state: 'failed', error: { code: 'DISK_FULL', message: job.error!.message } });
    return job;
  }

  const hidden = (folder: string): string[] =>
    readdirSync(join(dir, folder)).filter((name) => name.startsWith('.') || name.includes('.part'));

  test('freezing', async () => {
    const freeze = (name: string) => server.client.dataset.freeze({ ws, name, changelog: '', filter: {} });
    await withoutRoom(() => freeze('v1'));
    await room();
    expect(await over(freeze('v1'))).toMatchObject({ state: 'done' });
    expect(hidden('versions')).toEqual([]);
  });

  test('exporting', async () => {
    const wishes = { source: { kind: 'filter' as const, filter: {} }, all: true, formats: [{ name: 'videogui' }] };
    const out = join(dir, 'exports', 'one');
    const begin = () => server.client.exports.start({ ws, wishes, out });
    await withoutRoom(begin);
    expect(readdirSync(join(dir, 'exports'))).toEqual([]);
    await room();
    expect(await over(begin())).toMatchObject({ state: 'done' });
    expect(readdirSync(join(dir, 'exports'))).toEqual(['one']);
  });

  test('making an archive', async () => {
    const out = join(dir, 'exports', 'all.tar');
    const begin = () => server.client.archives.make({ ws, out, version: null });
    await withoutRoom(begin);
    await room();
    expect(await over(begin())).toMatchObject({ state: 'done' });
    expect(hidden('exports')).toEqual([]);
  });

  test('importing an archive that has no room from the start leaves nothing, and is done where there is room', async () => {
    const other = await server.client.workspaces.open({ dir: join(dir, '..', 'other'), create: true });
    const before = [ws, open, dir] as const;
    [ws, open, dir] = [other.id, await server.studio.workspaces.get(other.id), other.dir];
    const begin = () => server.client.archives.take({ ws, path: archive });
    await withoutRoom(begin);
    expect(hidden('recordings')).toEqual([]);
    await room();
    expect(await over(begin())).toMatchObject({
      state: 'done',
      error: null,
      message: expect.stringContaining('Imported 2'),
    });
    expect(readdirSync(join(dir, 'recordings')).toSorted()).toEqual(['aaaa', 'bbbb']);
    [ws, open, dir] = before;
  });
});
