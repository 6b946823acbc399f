import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { confirm, nameElement } from '../../../core/annotate/edit.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { addClicks } from '../../documents/clicks-for-tests.ts';
import { type Documents, openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { openReviews, type Reviews } from '../../documents/review/service.ts';
import { openJobs } from '../jobs/queue.ts';
import { claimAgain, insertJob } from '../jobs.ts';
import { insertPerson, listPeople } from '../people.ts';
import { temporaryFolders } from '../recording-for-tests.ts';
import { readReviewEvents } from '../review-events.ts';
import { ensureTask } from '../tasks.ts';
import { linesSince, wholeLog } from '../transactions.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { openPostgresStore } from './open.ts';
import { openServer, type PostgresServer } from './server.ts';
import { postgresWorkspace } from './workspace.ts';

/**
 * Several people in several studios over one database: however their gestures, reviews and claims meet, the documents and the
 * reviews end as if they had come one after another, and nobody hears of a deadlock.
 */

type Studio = { workspace: Workspace; documents: Documents; reviews: Reviews };

const PEOPLE = ['Ada', 'Ben', 'Cleo', 'Dan'];
const folders = temporaryFolders();
const servers: PostgresServer[] = [];
let postgres: TestPostgres;
let studios: Studio[];
/** Where the same is done one after another. */
let serial: Studio;

function studioOf(workspace: Workspace): Studio {
  const documents = openDocuments(workspace, reviewGate());
  return { workspace, documents, reviews: openReviews(workspace, documents) };
}

beforeAll(async () => {
  postgres = await startPostgres();
  const address = await postgres.make();
  const dir = folders.make();
  studios = [];
  for (let at = 0; at < 3; at++) {
    const server = await openServer(address);
    servers.push(server);
    studios.push(studioOf(postgresWorkspace(dir, await openPostgresStore(server), server)));
  }
  serial = studioOf(openWorkspace(folders.make(), { create: true }));
  for (const { workspace } of [studios[0]!, serial]) {
    for (const name of PEOPLE) await insertPerson(workspace.store, { id: `id-${name}`, name, email: null });
  }
});
afterAll(async () => {
  for (const { documents, workspace } of [...(studios ?? []), ...(serial ? [serial] : [])]) {
    await documents.close();
    workspace.close();
  }
  await Promise.all(servers.map((server) => server.close().catch(() => undefined)));
  postgres?.stop();
  folders.clean();
});

const actArbitrary = fc.record({
  studio: fc.nat(2),
  person: fc.nat(PEOPLE.length - 1),
  step: fc.nat(3),
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('gesture' as const) },
    { weight: 1, arbitrary: fc.constantFrom('undo', 'redo', 'release', 'decide') },
    { weight: 7, arbitrary: fc.constantFrom('submit', 'claim', 'approve', 'reject') },
  ),
});
type Act = typeof actArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** One thing of one person; refused it leaves nothing, and says so in the words for it. */
async function does({ studio, person: at, step, kind }: Act, id: string): Promise<void> {
  const { documents, reviews } = studios[studio]!;
  const person = `id-${PEOPLE[at]!}`;
  const send = (act: ReviewAct) => reviews.send(id, person, randomUUID(), act);
  try {
    const steps = (await documents.openRecording(id)).steps.map((one) => one.id);
    const { version, records: list } = await documents.get(id);
    const records = toRecords(list);
    if (kind === 'gesture') {
      const named = nameElement(records, steps[step]!, `${person} ${version}`, 'hand');
      const changes = version % 2 === 0 ? named : [...named, ...confirm(records, steps[(step + 1) % 4]!, true)];
      await documents.apply(id, { id: randomUUID(), label: `${person} at ${version}`, changes }, person);
    } else if (kind === 'undo') await documents.undo(id, person);
    else if (kind === 'redo') await documents.redo(id, person);
    else if (kind === 'submit') await send({ type: 'submit', document: id, version });
    else if (kind === 'claim') await send({ type: 'claim' });
    else if (kind === 'release') await send({ type: 'release' });
    else if (kind === 'decide') {
      const item = { kind: 'step' as const, action: steps[step]! };
      await send({ type: 'decide', item, version, verdict: 'accept', reason: null, comment: '' });
    } else {
      const reasons = kind === 'reject' ? (['wrong-element'] as const) : [];
      await send({ type: 'verdict', verdict: kind, version, reasons: [...reasons], comment: '' });
    }
  } catch (error) {
    if (error instanceof StudioError && ['CONFLICT', 'USAGE'].includes(error.code)) return;
    throw error;
  }
}

/** Ada's work, so that it can be handed in and reviewed; some of it is changed meanwhile. */
async function confirmAll(id: string): Promise<void> {
  const { documents } = studios[0]!;
  for (const step of (await documents.openRecording(id)).steps) {
    const named = nameElement(toRecords((await documents.get(id)).records), step.id, 'OK', 'hand');
    await documents.apply(id, { id: randomUUID(), label: 'Name', changes: named }, 'id-Ada');
    const confirmed = confirm(toRecords((await documents.get(id)).records), step.id, true);
    await documents.apply(id, { id: randomUUID(), label: 'Confirm', changes: confirmed }, 'id-Ada');
  }
}

const storyOf = async ({ workspace: { store } }: Studio, id: string) => ({
  lines: (await wholeLog(store, id)).map(({ id: _id, at: _at, ...line }) => line),
  events: (await readReviewEvents(store, id)).map(({ id: _id, at: _at, act, ...event }) => ({ ...event, act })),
});

/** Does what was accepted again, one after another: each act of a review behind the version that it speaks of. */
async function again(id: string): Promise<void> {
  const { store } = studios[0]!.workspace;
  const events = (await readReviewEvents(store, id)).filter(({ act }) => act.type !== 'begin');
  const upTo = async (version: number): Promise<void> => {
    while (events[0] && (events[0].facts.version ?? 0) <= version) {
      const { person, act } = events.shift()!;
      await serial.reviews.send(id, person, randomUUID(), act);
    }
  };
  for (const line of await linesSince(store, id, 1)) {
    await upTo(line.version - 1);
    if (line.undoes !== null) await serial.documents.undo(id, line.person);
    else if (line.redoes !== null) await serial.documents.redo(id, line.person);
    else await serial.documents.apply(id, { id: line.id, label: line.label, changes: line.changes }, line.person);
  }
  await upTo(Number.POSITIVE_INFINITY);
}

/** `undoes` and `redoes` name lines by ids, which differ: only which line it is counts. */
const numbered = (story: Awaited<ReturnType<typeof storyOf>>, ids: ReadonlyMap<string, number>) => ({
  events: story.events,
  lines: story.lines.map((line) => ({
    ...line,
    undoes: line.undoes && ids.get(line.undoes),
    redoes: line.redoes && ids.get(line.redoes),
  })),
});
const idsOf = async ({ workspace: { store } }: Studio, id: string) =>
  new Map((await linesSince(store, id, 0)).map((line) => [line.id, line.version]));

let runs = 0;

test('gestures, reviews and claims that meet end as some order of them', { timeout: 300_000 }, async () => {
  const batches = fc.array(fc.array(actArbitrary, { minLength: 2, maxLength: 8 }), { minLength: 3, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(batches, fc.integer({ min: 0, max: 2 }), async (acts, handedIn) => {
      const id = `run-${++runs}`;
      for (const { workspace } of [studios[0]!, serial]) {
        addClicks(workspace, id);
        await workspace.syncIndex();
      }
      await serial.documents.get(id);
      await confirmAll(id);
      const begin = { studio: 0, step: 0 };
      // Two thirds of the stories begin in review, where a claim is what many want.
      if (handedIn > 0) await does({ ...begin, person: 0, kind: 'submit' }, id);
      if (handedIn > 1) await does({ ...begin, person: 1, kind: 'claim' }, id);
      for (const batch of acts) await Promise.all(batch.map((act) => does(act, id)));
      await again(id);
      const [met, ordered] = [await storyOf(studios[1]!, id), await storyOf(serial, id)];
      expect(numbered(met, await idsOf(studios[1]!, id))).toEqual(numbered(ordered, await idsOf(serial, id)));
      expect(met.lines.map(({ version }) => version)).toEqual(met.lines.map((_, at) => at + 1));
      const expected = (await serial.documents.get(id)).records;
      for (const { documents } of studios) expect((await documents.get(id)).records).toEqual(expected);
      const states = studios.map(async ({ workspace }) => (await workspace.getRecording(id)).state);
      const { state } = await serial.workspace.getRecording(id);
      expect(await Promise.all(states)).toEqual(studios.map(() => state));
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

test('twenty people at one document at once: each gesture is kept once, none is lost', async () => {
  const id = 'crowd';
  addClicks(studios[0]!.workspace, id);
  await studios[0]!.workspace.syncIndex();
  const { steps } = await studios[0]!.documents.openRecording(id);
  await studios[0]!.documents.get(id);
  const names = Array.from({ length: 20 }, (_, at) => `name ${at}`);
  await Promise.all(
    names.map(async (name, at) => {
      const { documents } = studios[at % studios.length]!;
      const gesture = randomUUID();
      for (;;) {
        const records = toRecords((await documents.get(id)).records);
        const changes = nameElement(records, steps[at % 4]!.id, name, 'hand');
        try {
          await documents.apply(id, { id: gesture, label: name, changes }, 'id-Ada');
          return;
        } catch (error) {
          // Somebody named it first: made anew from what is there now, as the page does.
          if (!(error instanceof StudioError) || error.code !== 'CONFLICT') throw error;
        }
      }
    }),
  );
  const labels = (await linesSince(studios[2]!.workspace.store, id, 1)).map(({ label }) => label);
  expect(labels.toSorted()).toEqual(names.toSorted());
});

test('who looks before a change meets nobody in between, whatever rows it looked at', async () => {
  const stores = studios.map(({ workspace: { store } }) => store);
  const before = (await listPeople(stores[0]!)).length;
  await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      stores[at % 3]!.transaction(async (trx) => {
        // Each adds a row of its own, so that no row is locked by two.
        if ((await listPeople(trx)).length < before + 5)
          await insertPerson(trx, { id: `more-${at}`, name: `More ${at}`, email: null });
      }),
    ),
  );
  expect(await listPeople(stores[0]!)).toHaveLength(before + 5);
});

test('of many who begin the same at once one does, and numbers are given once', async () => {
  const stores = studios.map(({ workspace: { store } }) => store);
  const job = {
    id: randomUUID(),
    kind: 'export',
    subject: 's',
    state: 'cancelled' as const,
    progress: 0,
    message: null,
    error: null,
  };
  await insertJob(stores[0]!, { ...job, createdAt: new Date().toISOString() }, '{}', null);
  const claims = await Promise.all(Array.from({ length: 12 }, (_, at) => claimAgain(stores[at % 3]!, job.id)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  const software = await studios[0]!.workspace.findSoftware('vlc');
  const tasks = await Promise.all(
    Array.from({ length: 12 }, (_, at) => ensureTask(stores[at % 3]!, { software, goal: `Goal ${at}` })),
  );
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(12);
});

test('jobs of one member that are begun at several servers at once are counted together', async () => {
  const queues = await Promise.all(studios.map(({ workspace }) => openJobs(workspace)));
  const endless = ({ signal }: { signal: AbortSignal }): Promise<string> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const asked = { name: 'exports.start', input: {}, person: 'id-Ada', most: 4 } as const;
  const many = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => queues[n % queues.length]!.add('export', `of Ada ${n}`, endless, asked)),
  );
  const codes = many.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(codes).toEqual(Array.from({ length: 8 }, () => 'TOO_MANY_TRIES'));
  for (const queue of queues) await queue.close();
});
