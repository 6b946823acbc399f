import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { KEPT_FILES_SCHEMA, KEPT_VERSION } from '../../schemas/kept-files.ts';
import { startPglite } from '../../test/support/pglite.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { freezeVersion } from '../datasets/freeze.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { writeKept } from '../files/kept/list.ts';
import { contentKey, FILES_VARIABLE, filesPlace } from '../files/kept/place.ts';
import { emptiedEngine, type StoreEngine, sqliteEngine } from '../store/contract/engines-for-tests.ts';
import { openServer } from '../store/postgres/server.ts';
import { setStateForTests, temporaryFolders } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { deleteExpired, planRetention } from './retention.ts';
import { comingOf, keepRules, NOTICE_DAYS } from './retention-clock.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
afterEach(() => void vi.unstubAllEnvs());

const DAY = 86_400_000;
/** Recordings of addRecording were made on one day. */
const MADE = Date.parse('2026-05-04T10:00:00Z');
const day = (n: number): number => MADE + n * DAY;

/** PostgreSQL itself, and its end with it. */
const postgresEngine = async (): Promise<StoreEngine> => {
  const postgres = await startPostgres();
  const address = await postgres.make();
  const { open, end } = await emptiedEngine(() => openServer(address));
  return { open, end: () => end().finally(() => postgres.stop()) };
};

describe.each([
  ['SQLite', sqliteEngine],
  ['PGlite', () => emptiedEngine(startPglite)],
  ['PostgreSQL', postgresEngine],
])('%s', (_name, start) => {
  let engine: StoreEngine;
  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine?.end());
  const made = async (...ids: string[]): Promise<Workspace> => {
    const workspace = await engine.open(folders.make());
    for (const id of ids) await addRecording(workspace, { id });
    await workspace.syncIndex();
    return workspace;
  };
  const goes = async (workspace: Workspace, rules: [older: number | null, rejected: number | null], now: number) =>
    (await planRetention(workspace, { olderDays: rules[0], rejectedDays: rules[1] }, now)).expired
      .map(({ id, why }) => `${id} ${why}`)
      .sort();

  test('what goes: by age, rejected ones by their own, nothing that was worked on since', async () => {
    const workspace = await made('one', 'two', 'three');
    await setStateForTests(workspace, 'two', 'rejected');
    const [made1] = await workspace.listAll();
    const start = Date.parse(made1!.startedAt);
    const dayAfter = (days: number): number => start + days * DAY + 1000;
    expect(await goes(workspace, [30, 10], dayAfter(9))).toEqual([]);
    expect(await goes(workspace, [30, 10], dayAfter(10))).toEqual(['two rejected']);
    expect(await goes(workspace, [30, null], dayAfter(30))).toEqual(['one old', 'three old', 'two old']);
    expect(await goes(workspace, [null, null], dayAfter(3000))).toEqual([]);
    // A gesture on it today: it is as old as that.
    const documents = openDocuments(workspace, reviewGate());
    await documents.get('three');
    await documents.close();
    expect(await goes(workspace, [30, null], dayAfter(30))).toEqual(['one old', 'two old']);
    expect(await goes(workspace, [30, null], Date.now() + 31 * DAY)).toContain('three old');
    await workspace.close();
  });

  test('never what a frozen version needs; a version that cannot be read stops all', async () => {
    const workspace = await made('kept', 'gone');
    await setStateForTests(workspace, 'kept', 'approved');
    await freezeVersion(
      workspace,
      { name: 'v1', changelog: 'one', filter: { state: ['approved'] }, again: false },
      { toolVersion: '1' },
    );
    const rules = { olderDays: 1, rejectedDays: null };
    const far = Date.now() + 5000 * DAY;
    const plan = await planRetention(workspace, rules, far);
    expect(plan.expired.map(({ id }) => id)).toEqual(['gone']);
    expect(plan.needed).toEqual([{ id: 'kept', why: 'the frozen version v1 holds it' }]);
    writeFileSync(join(workspace.dir, 'versions', 'v1', 'version.json'), '{');
    await expect(keepRules(workspace, rules, far)).rejects.toThrow(
      'Nothing was deleted: the version v1 cannot be read',
    );
    expect(readdirSync(workspace.recordingsDir).sort()).toEqual(['gone', 'kept']);
    await workspace.close();
  });

  test('deleted: a list first, the folder and the index after, and what was said of it stays', async () => {
    const workspace = await made('one', 'two');
    const { expired } = await planRetention(workspace, { olderDays: 1, rejectedDays: null }, day(5000));
    const [first] = expired;
    expect(first!.bytes).toBeGreaterThan(1000);
    const { deleted, list, failed } = await deleteExpired(workspace, [first!], { by: 'a test' });
    expect([deleted.length, failed]).toEqual([1, []]);
    const lines = readFileSync(join(workspace.dir, list!), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ ...first, deletedAt: expect.any(String), by: 'a test' }]);
    const [stays] = ['one', 'two'].filter((id) => id !== first!.id);
    expect(readdirSync(workspace.recordingsDir)).toEqual([stays]);
    expect((await workspace.listAll()).map(({ id }) => id)).toEqual([stays]);
    // Twice is once, also by two servers.
    expect((await deleteExpired(workspace, [first!], { by: 'a test' })).deleted).toEqual([]);
    await workspace.close();
  });

  test.each([-1, 1])(
    'a clock that is wrong by %i hours deletes nothing sooner than a week less an hour after the notice',
    async (off) => {
      const workspace = await made('one');
      const rules = { olderDays: 1, rejectedDays: null };
      const start = day(5000);
      const [HOUR, WEEK] = [3_600_000, NOTICE_DAYS * DAY];
      // One server is wrong, another right.
      expect((await keepRules(workspace, rules, start + off * HOUR)).deleted).toEqual([]);
      for (const wrong of [off, 0])
        expect(
          (await keepRules(workspace, rules, start + WEEK - HOUR - 1000 + (wrong > 0 ? 0 : wrong) * HOUR)).deleted,
        ).toEqual([]);
      expect((await keepRules(workspace, rules, start + WEEK + HOUR)).deleted.map(({ id }) => id)).toEqual(['one']);
      await workspace.close();
    },
  );

  test('a server lists a week before it deletes, and forgets what is worked on meanwhile', async () => {
    const workspace = await made('one', 'two');
    const rules = { olderDays: 1, rejectedDays: null };
    const start = Date.now() + 10 * DAY;
    expect((await keepRules(workspace, rules, start)).deleted).toEqual([]);
    const { expired } = await planRetention(workspace, rules, start);
    const coming = await comingOf(workspace, expired);
    expect(coming.map(({ goesAt }) => Date.parse(goesAt))).toEqual([1, 2].map(() => start + NOTICE_DAYS * DAY));
    expect((await keepRules(workspace, rules, start + NOTICE_DAYS * DAY - 1000)).deleted).toEqual([]);
    await setStateForTests(workspace, 'one', 'approved');
    await freezeVersion(
      workspace,
      { name: 'v1', changelog: 'one', filter: { state: ['approved'] }, again: false },
      { toolVersion: '1' },
    );
    const { deleted } = await keepRules(workspace, rules, start + NOTICE_DAYS * DAY);
    expect(deleted.map(({ id }) => id)).toEqual(['two']);
    expect(readdirSync(workspace.recordingsDir)).toEqual(['one']);
    await workspace.close();
  });
});

describe('files and faults', () => {
  test('what lies in the place for large files goes too, but not what another recording has as well', async () => {
    const dir = folders.make();
    vi.stubEnv(FILES_VARIABLE, join(folders.make(), 'films'));
    const place = (await filesPlace())!;
    const workspace = await (await sqliteEngine()).open(dir);
    for (const id of ['one', 'two']) await addRecording(workspace, { id });
    await workspace.syncIndex();
    const [own, shared] = ['a'.repeat(64), 'b'.repeat(64)];
    for (const sha256 of [own, shared]) await place.blobs.put(contentKey(sha256), 'film');
    const far = (path: string, sha256: string) => ({ path, sha256, bytes: 4, at: new Date(MADE).toISOString() });
    const head = {
      schema: KEPT_FILES_SCHEMA,
      version: KEPT_VERSION,
      place: place.id,
      where: place.blobs.place,
    } as const;
    writeKept(join(workspace.recordingsDir, 'one'), { ...head, files: [far('a.mkv', own), far('b.mkv', shared)] });
    writeKept(join(workspace.recordingsDir, 'two'), { ...head, files: [far('b.mkv', shared)] });
    const all = (await planRetention(workspace, { olderDays: 1, rejectedDays: null }, day(5000))).expired;
    const one = all.filter(({ id }) => id === 'one');
    // Without the place it is said, and the next time goes on.
    vi.stubEnv(FILES_VARIABLE, '');
    const first = await deleteExpired(workspace, one, { by: 'a test' });
    expect([first.deleted, first.failed[0]?.message]).toEqual([[], expect.stringContaining('no place was given')]);
    expect((await workspace.listAll()).map(({ id }) => id)).toEqual(['two']);
    vi.stubEnv(FILES_VARIABLE, place.blobs.place);
    expect((await deleteExpired(workspace, [], { by: 'a test' })).failed).toEqual([]);
    expect(readdirSync(workspace.recordingsDir)).toEqual(['two']);
    expect([await place.blobs.stat(contentKey(own)), (await place.blobs.stat(contentKey(shared)))?.size]).toEqual([
      null,
      4,
    ]);
    await workspace.close();
  });

  test('a deletion that was killed is brought to its end by the next', async () => {
    const workspace = await (await sqliteEngine()).open(folders.make());
    await addRecording(workspace, { id: 'one' });
    const going = join(workspace.recordingsDir, '.one.deleted');
    renameSync(join(workspace.recordingsDir, 'one'), going);
    mkdirSync(join(workspace.recordingsDir, '.other'));
    await deleteExpired(workspace, [], { by: 'a test' });
    expect([existsSync(going), existsSync(join(workspace.recordingsDir, '.other'))]).toEqual([false, true]);
    await workspace.close();
  });
});
