import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { toRecords } from '../../core/annotate/document.ts';
import { nameElement } from '../../core/annotate/edit.ts';
import { startPglite } from '../../test/support/pglite.ts';
import { addPerson } from '../store/people.ts';
import type { PostgresEngine } from '../store/postgres/engine.ts';
import { openPostgresStore } from '../store/postgres/open.ts';
import { postgresWorkspace } from '../store/postgres/workspace.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { setStateForTests, temporaryFolders } from '../store/recording-for-tests.ts';
import { lastEvents, unseenApproved } from '../store/review-events.ts';
import type { statementCache } from '../store/statements.ts';
import { getTask } from '../store/task-rows.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { addClicks } from './clicks-for-tests.ts';
import { type Documents, openDocuments } from './documents.ts';
import { reviewGate } from './review/gate.ts';
import { workQueue } from './review/queue.ts';
import { openReviews, type ReviewParts, type Reviews } from './review/service.ts';

/**
 * A question about one recording asks the database the same, whatever else is in the workspace: as many statements, as many rows,
 * and each of them finds its rows by an index. Time says little on a busy machine; a statement is a way to a server and back.
 */

type Asked = { sql: string; rows: number; plan: string };
const asked: Asked[] = [];
/** Statements are noted. */
let watches = false;

/** Tables that people fill, not recordings. */
const SMALL = new Set(['people', 'software', 'meta']);
/** The tables that a statement reads from end to end. */
const scanned = ({ plan }: Asked): string[] =>
  [...plan.matchAll(/SCAN (\w+)|Seq Scan on (\w+)/g)]
    .map(([, one, other]) => one ?? other ?? '')
    .filter((table) => !SMALL.has(table) && table !== 'CONSTANT');

vi.mock('../store/statements.ts', async (original) => {
  const real = await original<{ statementCache: typeof statementCache }>();
  return {
    statementCache(sqlite: Sqlite.Database) {
      const { prepare, size } = real.statementCache(sqlite);
      const watched = (sql: string): Sqlite.Statement => {
        const statement = prepare(sql);
        const note = (rows: number, parameters: unknown): void => {
          if (!watches) return;
          const told = /^(?:begin|commit|rollback)/.test(sql)
            ? []
            : (sqlite.prepare(`explain query plan ${sql}`).all(parameters ?? []) as { detail: string }[]);
          asked.push({ sql, rows, plan: told.map(({ detail }) => detail).join('\n') });
        };
        return {
          reader: statement.reader,
          readonly: statement.readonly,
          all(parameters: unknown) {
            const rows = statement.all(parameters);
            note(rows.length, parameters);
            return rows;
          },
          run(parameters: unknown) {
            const done = parameters === undefined ? statement.run() : statement.run(parameters);
            note(0, parameters);
            return done;
          },
        } as Sqlite.Statement; // The driver uses no more of it.
      };
      return { prepare: watched, size };
    },
  };
});

/** Whether a newer program has changed the tables is looked at by the clock (postgres/version.ts), whatever is asked. */
const LOOK =
  /^begin isolation level read committed read only$|^rollback$|^select value from meta where key = 'version'$/;

/** PostgreSQL that tells the plan of each statement as if no table could be read from end to end. */
async function watchedPglite(): Promise<PostgresEngine> {
  const engine = await startPglite();
  return {
    ...engine,
    async connect() {
      const { query, release } = await engine.connect();
      return {
        release,
        async query(sql, parameters) {
          if (!watches || LOOK.test(sql)) return query(sql, parameters);
          let plan = '';
          if (/^(?:select|insert|update|delete)/.test(sql)) {
            await query('set enable_seqscan = off', []);
            const { rows } = await query(`explain ${sql}`, parameters);
            plan = (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n');
          }
          const answer = await query(sql, parameters);
          asked.push({ sql, rows: answer.changed === null || /^select/.test(sql) ? answer.rows.length : 0, plan });
          return answer;
        },
      };
    },
  };
}

const folders = temporaryFolders();
let workspace: Workspace | null = null;
let pglite: PostgresEngine | null = null;
afterEach(() => {
  watches = false;
  asked.length = 0;
  workspace?.close();
  workspace = null;
  folders.clean();
});
afterAll(() => pglite?.close());

const ENGINES: Readonly<Record<string, (dir: string) => Promise<Workspace>>> = {
  SQLite: async (dir) => openWorkspace(dir, { create: true }),
  async PGlite(dir) {
    pglite ??= await watchedPglite();
    const store = await openPostgresStore(pglite);
    mkdirSync(dir, { recursive: true });
    return postgresWorkspace(dir, store, { where: pglite.where, close: async () => undefined });
  },
};

type Place = { workspace: Workspace; documents: Documents; reviews: Reviews & ReviewParts; ann: string };
const ONE = 'one5';
const NOWHERE = { action: null, role: null, place: null, t: null };

/** So many recordings, each of a task of its own and with a gesture by Ann; every second one is approved. */
async function grow({ workspace, documents, ann }: Place, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) {
    const folder = addClicks(workspace, `one${n}`);
    const recording = readRecording(folder);
    writeRecording(folder, { ...recording, task: { ...recording.task, id: `GIMP_${n + 1}` } });
  }
  await workspace.syncIndex();
  for (let n = from; n < to; n++) {
    await name(documents, `one${n}`, ann);
    if (n % 2 === 0) await setStateForTests(workspace, `one${n}`, 'approved');
  }
}

let names = 0;
async function name(documents: Documents, recording: string, person: string): Promise<void> {
  const { steps } = await documents.look(recording);
  const { records } = await documents.get(recording, person);
  const changes = nameElement(toRecords(records), steps[0]!.id, `name ${names++}`, 'hand');
  await documents.apply(recording, { id: randomUUID(), label: 'Name', changes }, person);
}

async function placeOn(engine: string): Promise<Place> {
  const made = await ENGINES[engine]!(folders.make());
  workspace = made;
  const documents = openDocuments(made, reviewGate());
  const { id: ann } = await addPerson(made.store, { name: `Ann ${randomUUID()}`, email: null });
  return { workspace: made, documents, reviews: openReviews(made, documents), ann };
}

/** With the most statements that each may ask: fewer is better, and more a way to the server more. */
const QUESTIONS: Readonly<Record<string, { most: number; ask(place: Place): Promise<unknown> }>> = {
  'a recording now': { most: 2, ask: ({ documents }) => documents.recordingNow(ONE) },
  'what somebody may read of it': { most: 5, ask: ({ reviews, ann }) => reviews.mayRead(ONE, undefined, ann) },
  'its document': { most: 5, ask: ({ documents, ann }) => documents.get(ONE, ann) },
  'a gesture and what it asks before': { most: 23, ask: ({ documents, ann }) => name(documents, ONE, ann) },
  'what is new in it': { most: 2, ask: ({ documents }) => documents.since(ONE, 1) },
  'its history': { most: 2, ask: ({ documents }) => documents.history(ONE, { limit: 2 }) },
  'its review': { most: 8, ask: ({ reviews, ann }) => reviews.get(ONE, ann) },
  'one task': { most: 4, ask: ({ workspace }) => getTask(workspace.store, 'GIMP_6') },
};

describe.each(Object.keys(ENGINES))('%s', (engine) => {
  test('one of six recordings asks as one of eighteen does', async () => {
    const place = await placeOn(engine);
    const costs = async (): Promise<Record<string, { statements: number; rows: number }>> => {
      const found: Record<string, { statements: number; rows: number }> = {};
      for (const [question, { ask, most }] of Object.entries(QUESTIONS)) {
        // The first fills what is kept in memory.
        await ask(place);
        watches = true;
        await ask(place);
        watches = false;
        expect(asked.length, `${question}: ${asked.map(({ sql }) => sql).join('\n')}`).toBeLessThanOrEqual(most);
        for (const one of asked) expect(scanned(one), `${question}: ${one.sql}\n${one.plan}`).toEqual([]);
        // Its own history grows by what is asked here.
        const own = question === 'what is new in it' ? 0 : asked.reduce((sum, { rows }) => sum + rows, 0);
        found[question] = { statements: asked.length, rows: own };
        asked.length = 0;
      }
      return found;
    };
    await grow(place, 0, 6);
    const few = await costs();
    await grow(place, 6, 18);
    expect(await costs()).toEqual(few);
  });

  test('what somebody is to do next is asked in as many statements, whatever the number of logs', async () => {
    const place = await placeOn(engine);
    const statements = async (): Promise<string[]> => {
      await workQueue(place.workspace, place.reviews, place.ann);
      watches = true;
      const work = await workQueue(place.workspace, place.reviews, place.ann);
      watches = false;
      expect(work.length).toBeGreaterThan(1);
      return asked.splice(0).map(({ sql }) => sql);
    };
    await grow(place, 0, 4);
    const few = await statements();
    await grow(place, 4, 12);
    expect(await statements()).toEqual(few);
    expect(few.length).toBeLessThanOrEqual(7);
  });

  test('what is approved costs somebody who looks for work no row', async () => {
    const place = await placeOn(engine);
    await grow(place, 0, 8);
    watches = true;
    const work = await workQueue(place.workspace, place.reviews, place.ann);
    watches = false;
    expect(work.map(({ recording }) => recording).sort()).toEqual(['one1', 'one3', 'one5', 'one7']);
    const counts = asked.filter(({ sql }) => /from "recordings"/.test(sql) && !/review_events/.test(sql));
    expect(counts.map(({ rows }) => rows)).toEqual([4, 4]);
  });

  test('the last event of each log is found, whatever else is there', async () => {
    const { workspace: made, reviews, ann } = await placeOn(engine);
    const { store } = made;
    for (let n = 0; n < 7; n++) addClicks(made, `log${n}`);
    await made.syncIndex();
    const wanted = new Map<string, string>();
    // The first and the last of them are without a log, and so is one between.
    for (const n of [1, 2, 4, 5]) {
      for (let times = 0; times <= n; times++) {
        const act = { type: 'comment' as const, thread: null, pin: NOWHERE, text: `said ${times}` };
        const { event } = await reviews.send(`log${n}`, ann, randomUUID(), act);
        wanted.set(`log${n}`, event.id);
      }
    }
    // Of the tests before there may be others.
    const found = [...(await lastEvents(store))].filter(([recording]) => recording.startsWith('log'));
    expect(new Map(found)).toEqual(wanted);
  });

  test('whose hidden check is looked for reads no line that others wrote', async () => {
    const place = await placeOn(engine);
    await grow(place, 0, 6);
    const { store } = place.workspace;
    const { id: ben } = await addPerson(store, { name: `Ben ${randomUUID()}`, email: null });
    watches = true;
    expect((await unseenApproved(store, ben)).sort()).toEqual(['one0', 'one2', 'one4']);
    // Ann wrote in all of them.
    expect(await unseenApproved(store, place.ann)).toEqual([]);
    expect(asked.map(({ sql }) => sql)).toEqual([expect.stringContaining('annotation_transactions'), asked[0]!.sql]);
    const lines = asked.flatMap((one) => scanned(one)).filter((table) => /line|annotation/.test(table));
    expect(lines, asked[0]!.plan).toEqual([]);
  });
});
