import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startPostgres } from '../../test/support/postgres.ts';
import { startS3, type TestS3 } from '../../test/support/s3.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { type Blobs, streamOf } from '../files/blobs/blobs.ts';
import { keptBlobs, wholeBytes } from '../files/kept/bytes.ts';
import { contentKey, FILES_VARIABLE, type FilesPlace, filesPlace } from '../files/kept/place.ts';
import { sendFiles } from '../files/kept/send.ts';
import { emptiedEngine, type StoreEngine, sqliteEngine } from '../store/contract/engines-for-tests.ts';
import { openServer } from '../store/postgres/server.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { deleteExpired, planRetention } from './retention.ts';

/**
 * Two recordings with the same bytes, which lie once in the place for large files: one is deleted while the other is sent. In
 * whatever order the requests to the place come, no byte is gone that a recording needs, and none stays that no recording has.
 */

const folders = temporaryFolders();
let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3(folders.make());
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  folders.clean();
});

const postgresEngine = async (): Promise<StoreEngine> => {
  const postgres = await startPostgres();
  const address = await postgres.make();
  const { open, end } = await emptiedEngine(() => openServer(address));
  return { open, end: () => end().finally(() => postgres.stop()) };
};

const FILMS = ['screen.mkv', 'screen.mp4'];
const calm = { signal: new AbortController().signal, report: () => undefined };
const bytesOf = async (pieces: AsyncIterable<Uint8Array>): Promise<string> => {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
};

/** The place, whose requests are done in the order that the scheduler says. */
function scheduled(blobs: Blobs, schedule: <T>(work: Promise<T>) => Promise<T>): Blobs {
  const turn = () => schedule(Promise.resolve());
  return {
    ...blobs,
    stat: (...args) => turn().then(() => blobs.stat(...args)),
    put: (...args) => turn().then(() => blobs.put(...args)),
    remove: (...args) => turn().then(() => blobs.remove(...args)),
    range: (...args) =>
      streamOf(
        (async function* () {
          await turn();
          yield* blobs.range(...args);
        })(),
      ),
  };
}

describe.each([
  ['SQLite', 'a folder', sqliteEngine, 40],
  ['SQLite', 'S3', sqliteEngine, 20],
  ['PostgreSQL', 'a folder', postgresEngine, 20],
  ['PostgreSQL', 'S3', postgresEngine, 10],
] as const)('%s, %s', (_engine, kind, start, times) => {
  let engine: StoreEngine;
  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine?.end());

  test('one is deleted, or its sound, while others are sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.constantFrom<'retention' | 'by hand'>('retention', 'by hand'),
        fc.integer({ min: 0, max: 2 }),
        async (scheduler, way, sent) => {
          const address = kind === 'S3' ? `s3://${s3.bucket}/${randomUUID()}` : folders.make();
          vi.stubEnv(FILES_VARIABLE, address);
          const place: FilesPlace = (await filesPlace())!;
          const plain = place.blobs;
          const content = new Map(FILMS.map((name) => [name, `${name} ${randomUUID()}`]));
          const workspace = await engine.open(folders.make());
          const ids = ['gone', 'kept', 'also'];
          for (const id of ids) {
            await addRecording(workspace, { id });
            for (const [name, text] of content) writeFileSync(join(workspace.recordingsDir, id, name), text);
          }
          await workspace.syncIndex();
          const at = (id: string): string => join(workspace.recordingsDir, id);
          // Some of them lie there already.
          for (const id of ids.slice(0, sent + 1)) await sendFiles(at(id), FILMS, place, calm);
          const all = await planRetention(workspace, { olderDays: 1, rejectedDays: null }, Date.now());
          const expired = all.expired.filter(({ id }) => id === 'gone');

          place.blobs = scheduled(plain, (work) => scheduler.schedule(work));
          const remove = async (): Promise<unknown> => {
            if (way === 'retention') return deleteExpired(workspace, expired, { by: 'a test' });
            for (const name of FILMS) await keptBlobs(at('gone')).remove(name);
            return null;
          };
          const works = [remove(), ...['kept', 'also'].map((id) => sendFiles(at(id), FILMS, place, calm))];
          await scheduler.waitFor(Promise.allSettled(works));
          place.blobs = plain;
          await Promise.all(works);

          for (const id of ['kept', 'also'])
            for (const [name, text] of content) expect(await bytesOf(wholeBytes(at(id), name))).toBe(text);
          const keys = [...content.values()].map((text) => contentKey(createHash('sha256').update(text).digest('hex')));
          expect((await plain.list({ prefix: 'content/' })).keys).toEqual(keys.sort());
          // The last two of one content: nothing stays.
          const rest = all.expired.filter(({ id }) => id !== 'gone');
          place.blobs = scheduled(plain, (work) => scheduler.schedule(work));
          const ends = rest.map((one) => deleteExpired(workspace, [one], { by: 'a test' }));
          await scheduler.waitFor(Promise.allSettled(ends));
          place.blobs = plain;
          for (const { failed } of await Promise.all(ends)) expect(failed).toEqual([]);
          if (way === 'retention') expect(readdirSync(workspace.recordingsDir)).toEqual([]);
          expect((await plain.list({ prefix: 'content/' })).keys).toEqual([]);
          await workspace.close();
        },
      ),
      { numRuns: times },
    );
  });
});
