import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { confirm, nameElement } from '../../../core/annotate/edit.ts';
import { project } from '../../../core/review/project.ts';
import type { HistoryHead, HistoryTransaction } from '../../../schemas/history.ts';
import { startTestServer, type TestServer } from '../../api/server-for-tests.ts';
import { addClicks } from '../../documents/clicks-for-tests.ts';
import { openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { teamOf } from '../../documents/review/people-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { readReviewEvents } from '../../store/review-events.ts';
import { sqlOf } from '../../store/store.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { noteArrival } from '../arrival-file.ts';
import { carriedAlone, carriedTexts } from '../carried.ts';
import { exportRecording } from '../export-recording.ts';
import { checkHistory, HISTORY_FILE, headLine, openHistory, transactionLines } from '../history-file.ts';
import { importRecording } from '../import-recording.ts';
import { LIMITS } from '../limits.ts';
import { takeCarried } from '../take-carried.ts';
import { calm, take, workspacesIn, write } from './bench-for-tests.ts';

const folders = temporaryFolders();
const [REVIEWED, REPLICATED, FRESH] = ['rec-a', 'rec-b', 'rec-c'];
let home: Workspace;
let server: TestServer;
let people: string[];
let archive: string;
const workspaces = workspacesIn(folders);
const away = workspaces.open;

/** A reviewed recording whose annotator has undone something, a replicated and adjudicated one, one that nobody has touched. */
beforeAll(async () => {
  const folder = folders.make();
  const dir = join(folder, 'data');
  const made = openWorkspace(dir, { create: true });
  for (const id of [REVIEWED, REPLICATED, FRESH]) writeFileSync(join(addClicks(made, id), 'screen.mkv'), id);
  made.close();
  server = await startTestServer(folder);
  const { id: ws } = await server.client.workspaces.open({ dir, create: false });
  people = [];
  for (const name of ['Ada', 'Ben', 'Cleo']) people.push((await server.client.people.add({ ws, name })).id);
  const [ada, ben, cleo] = people as [string, string, string];
  const team = teamOf(server, ws);
  await team.write(ada, REVIEWED, (records, [first]) => nameElement(records, first!, 'Wrong', 'hand'));
  await server.client.annotation.undo({ ws, recording: REVIEWED, person: ada });
  await team.annotate(ada, REVIEWED, (at) => `Button ${at}`);
  await team.send(ben, REVIEWED, { type: 'claim' });
  await team.acceptRest(ben, REVIEWED);
  await team.decide(ben, REVIEWED, (await team.steps(REVIEWED))[0]!.id, 'reject', 'Not that one');
  await team.verdict(ben, REVIEWED, 'reject');
  await team.write(ada, REVIEWED, (records, [first]) => nameElement(records, first!, 'Better', 'hand'));
  await team.write(ada, REVIEWED, (records, [first]) => confirm(records, first!, false));
  await server.client.annotation.undo({ ws, recording: REVIEWED, person: ada });
  await team.send(ada, REPLICATED, { type: 'plan', replicas: 2 });
  await team.annotate(ada, REPLICATED, (at) => `Button ${at}`);
  await team.annotate(ben, REPLICATED, (at) => (at === 1 ? 'OK' : `Button ${at}`));
  await team.send(cleo, REPLICATED, { type: 'claim' });
  await team.settleAll(cleo, REPLICATED);
  await team.verdict(cleo, REPLICATED, 'approve');
  home = openWorkspace(dir, { create: false });
  archive = join(folder, 'w.tar');
  await write({ workspace: home }, archive);
});
afterEach(workspaces.close);
afterAll(async () => {
  home?.close();
  await server?.close();
  folders.clean();
});

const lines = ({ store }: Workspace) =>
  sqlOf(store).selectFrom('annotation_transactions').selectAll().orderBy('document_id').orderBy('version').execute();
const stateOf = async (workspace: Workspace, id: string) => (await workspace.getRecording(id)).state;

describe('the history of a recording that travels', () => {
  test('tells the same story: every line of every document, every event of the review, the state, what undo does next', async () => {
    const { workspace, documents } = away();
    expect((await take({ workspace, documents }, archive)).warnings).toEqual([]);
    const told = (rows: Awaited<ReturnType<typeof lines>>) =>
      rows.map(({ changes, ...line }) => ({ ...line, changes: JSON.parse(changes) }));
    const kept = (await lines(home)).filter((line) => !line.document_id.startsWith(FRESH));
    expect(kept.length).toBeGreaterThan(20);
    expect(told((await lines(workspace)).filter((line) => !line.document_id.startsWith(FRESH)))).toEqual(told(kept));
    for (const id of [REVIEWED, REPLICATED]) {
      const events = await readReviewEvents(workspace.store, id);
      expect(events.length).toBeGreaterThan(5);
      expect(events).toEqual(await readReviewEvents(home.store, id));
      expect(await stateOf(workspace, id)).toBe(project(events).state);
      expect(await stateOf(workspace, id)).toBe(await stateOf(home, id));
      expect(existsSync(join(workspace.recordingsDir, id, HISTORY_FILE))).toBe(false);
    }
    expect(await stateOf(workspace, REPLICATED)).toBe('approved');
    const there = openDocuments(home, reviewGate());
    const [ada] = people as [string];
    const [mine, theirs] = [await documents.get(REVIEWED, ada), await there.get(REVIEWED, ada)];
    expect(mine).toEqual(theirs);
    expect(mine.undo).not.toBeNull();
    expect(mine.redo).not.toBeNull();
    const first = (await documents.openRecording(REVIEWED)).steps[0]!.id;
    const about = { action: first, limit: 50 };
    expect(await documents.history(REVIEWED, about)).toEqual(await there.history(REVIEWED, about));
    await there.close();
    // What was undone there is done again here, and taken back again.
    const redone = await documents.redo(REVIEWED, ada);
    expect(redone?.redoes).toBe((await documents.history(REVIEWED, { limit: 3 }))[2]!.id);
    await documents.undo(REVIEWED, ada);
    expect((await documents.get(REVIEWED, ada)).records).toEqual(mine.records);
    expect(
      (await sqlOf(workspace.store).selectFrom('people').select(['id', 'name']).orderBy('name').execute()).map(
        ({ id }) => id,
      ),
    ).toEqual(people);
  });

  test('the copy gives the same archive, byte for byte', async () => {
    const { workspace, documents } = away();
    await take({ workspace, documents }, archive);
    const again = join(folders.make(), 'again.tar');
    await write({ workspace }, again);
    expect(readFileSync(again).equals(readFileSync(archive))).toBe(true);
  });

  test('people of the same name are one: their replicas, decisions and undo are those of the person here', async () => {
    const { workspace, documents } = away();
    const mine = randomUUID();
    await sqlOf(workspace.store)
      .insertInto('people')
      .values({ id: mine, name: 'ADA', email: null, created_at: new Date().toISOString() })
      .execute();
    expect((await take({ workspace, documents }, archive)).warnings).toEqual([]);
    const [ada, ben] = people as [string, string];
    const ids = (
      await sqlOf(workspace.store).selectFrom('documents').select('id').where('recording_id', '=', REPLICATED).execute()
    ).map(({ id }) => id);
    expect(ids.sort()).toEqual([REPLICATED, `${REPLICATED}~${ben}`, `${REPLICATED}~${mine}`].sort());
    const events = JSON.stringify(await readReviewEvents(workspace.store, REPLICATED));
    expect(events).not.toContain(ada);
    expect(events).toContain(mine);
    expect(await documents.undo(REVIEWED, 'ada')).not.toBeNull();
  });

  test('a recording that has a history of its own here keeps it, and the annotation comes as one change', async () => {
    const { workspace, documents } = away();
    const folder = addClicks(workspace, REVIEWED);
    await workspace.syncIndex();
    const { steps } = await documents.openRecording(REVIEWED);
    const records = new Map((await documents.get(REVIEWED)).records.map((record) => [record.id, record]));
    const changes = nameElement(records, steps[1]!.id, 'Mine', 'hand');
    await documents.apply(REVIEWED, { id: randomUUID(), label: 'Name', changes }, 'bot');
    for (const { name, text } of await carriedTexts(home, REVIEWED)) writeFileSync(join(folder, name), text);
    noteArrival(folder, REVIEWED);
    const { warnings } = await takeCarried(workspace, documents, REVIEWED, folder);
    expect(warnings.join()).toContain('has a history of its own here, which stays');
    const history = await documents.history(REVIEWED, { limit: 9 });
    expect(history.map(({ label }) => label)).toEqual(['Import annotation', 'Name', 'Begin']);
    // The history is kept aside, and what is taken twice is told once.
    expect(readdirSync(folder).filter((name) => name.includes('history'))).toEqual(['refused-history.jsonl']);
    for (const { name, text } of await carriedTexts(home, REVIEWED)) writeFileSync(join(folder, name), text);
    noteArrival(folder, REVIEWED);
    await takeCarried(workspace, documents, REVIEWED, folder);
    expect(await documents.history(REVIEWED, { limit: 9 })).toEqual(history);
    expect(existsSync(join(folder, 'refused-2-history.jsonl'))).toBe(true);
  });

  test('a single recording takes its history, tags and split along', async () => {
    await sqlOf(home.store).insertInto('recording_tags').values({ recording_id: REVIEWED, tag: 'pilot' }).execute();
    const { task } = await home.getRecording(REVIEWED);
    await sqlOf(home.store)
      .insertInto('task_splits')
      .values({ task_id: task, split: 'test', origin: 'hand', assigned_at: new Date().toISOString() })
      .execute();
    for (const name of ['one.tar', 'folder']) {
      const { workspace, documents } = away();
      const out = join(folders.make(), name);
      await exportRecording(home, REVIEWED, out, { ...calm, carried: await carriedAlone(home, REVIEWED) });
      const { entry } = await importRecording(workspace, out, calm);
      expect((await takeCarried(workspace, documents, entry.id, entry.folder)).warnings).toEqual([]);
      expect((await documents.history(REVIEWED, { limit: 100 })).length).toBeGreaterThan(8);
      expect(await stateOf(workspace, REVIEWED)).toBe(await stateOf(home, REVIEWED));
      expect(await sqlOf(workspace.store).selectFrom('recording_tags').select('tag').execute()).toEqual([
        { tag: 'pilot' },
      ]);
      expect(await sqlOf(workspace.store).selectFrom('task_splits').select('split').execute()).toEqual([
        { split: 'test' },
      ]);
      expect(
        ['annotation.json', 'history.jsonl', 'curation.json'].filter((one) => existsSync(join(entry.folder, one))),
      ).toEqual([]);
    }
    await sqlOf(home.store).deleteFrom('recording_tags').execute();
    await sqlOf(home.store).deleteFrom('task_splits').execute();
  });
});

test('a history that gives a reason of later says so in its version; others stay what older programs read', async () => {
  const version = async (): Promise<unknown> => {
    const text = (await carriedTexts(home, REVIEWED)).find(({ name }) => name === HISTORY_FILE)?.text ?? '';
    return JSON.parse(text.split('\n')[0] ?? '').version;
  };
  expect(await version()).toBe(1);
  const rejection = await sqlOf(home.store)
    .selectFrom('review_events')
    .select(['id', 'act'])
    .where('recording_id', '=', REVIEWED)
    .where('act', 'like', '%"verdict":"reject","reason"%')
    .executeTakeFirstOrThrow();
  const { reason } = JSON.parse(rejection.act);
  const store = (act: string) =>
    sqlOf(home.store).updateTable('review_events').set({ act }).where('id', '=', rejection.id).execute();
  await store(rejection.act.replace(`"reason":"${reason}"`, '"reason":"missing-box"'));
  expect(await version()).toBe(2);
  const { workspace, documents } = away();
  const out = join(folders.make(), 'later.tar');
  await exportRecording(home, REVIEWED, out, { ...calm, carried: await carriedAlone(home, REVIEWED) });
  const { entry } = await importRecording(workspace, out, calm);
  expect((await takeCarried(workspace, documents, entry.id, entry.folder)).warnings).toEqual([]);
  await store(rejection.act);

  const last = await sqlOf(home.store)
    .selectFrom('review_events')
    .selectAll()
    .where('recording_id', '=', REVIEWED)
    .orderBy('n', 'desc')
    .executeTakeFirstOrThrow();
  const person = last.person;
  const assignment = { type: 'assign', work: 'annotate', to: [person], due: '2026-12-05' };
  const id = randomUUID();
  await sqlOf(home.store)
    .insertInto('review_events')
    .values({ ...last, id, n: last.n + 1, type: 'assign', act: JSON.stringify(assignment) })
    .execute();
  expect(await version()).toBe(3);
  const there = away();
  const assigned = join(folders.make(), 'assigned.tar');
  await exportRecording(home, REVIEWED, assigned, { ...calm, carried: await carriedAlone(home, REVIEWED) });
  const taken = (await importRecording(there.workspace, assigned, calm)).entry;
  expect((await takeCarried(there.workspace, there.documents, taken.id, taken.folder)).warnings).toEqual([]);
  const row = await sqlOf(there.workspace.store)
    .selectFrom('review_events')
    .select('act')
    .where('recording_id', '=', taken.id)
    .where('type', '=', 'assign')
    .executeTakeFirstOrThrow();
  expect(JSON.parse(row.act)).toMatchObject({ due: '2026-12-05', to: [expect.any(String)] });
  await sqlOf(home.store).deleteFrom('review_events').where('id', '=', id).execute();
});

test('an archive of the first version, which knew no history, still opens: its annotation as one change', async () => {
  const { workspace, documents } = away();
  const old = join(import.meta.dirname, 'version-1.tar');
  expect(await take({ workspace, documents }, old)).toMatchObject({
    recordings: ['rec-old'],
    dataset: null,
    warnings: ['rec-old: screen.mkv is missing: steps have no picture from it'],
  });
  const history = await documents.history('rec-old', { limit: 9 });
  expect(history.map(({ label, person }) => [label, person])).toEqual([
    ['Import annotation', 'import'],
    ['Begin', 'studio'],
  ]);
  const names = (await documents.get('rec-old')).records.flatMap((one) => (one.kind === 'label' ? [one.element] : []));
  expect(names).toEqual(['Crop tool']);
  expect(await stateOf(workspace, 'rec-old')).toBe('annotating');
  expect(await sqlOf(workspace.store).selectFrom('recording_tags').select('tag').execute()).toEqual([{ tag: 'pilot' }]);
  expect(await sqlOf(workspace.store).selectFrom('attachments').select('name').execute()).toEqual([
    { name: 'notes.txt' },
  ]);
});

test('a large gesture goes on over several short lines, and comes back as one', async () => {
  const changes = Array.from({ length: 400 }, (_, n) => ({
    op: 'add' as const,
    record: { kind: 'subtask' as const, id: `subtask:${n}`, first: `${n}`, title: '<'.repeat(9000) },
  }));
  const transaction: HistoryTransaction = {
    document: FRESH,
    id: randomUUID(),
    version: 1,
    person: 'me',
    at: '2026-05-04T10:20:30.456Z',
    label: 'All',
    undoes: null,
    redoes: null,
    state: 'fixed',
    changes,
  };
  const made = [...transactionLines(transaction)];
  expect(made.length).toBeGreaterThan(5);
  for (const line of made) expect(Buffer.byteLength(line)).toBeLessThan(LIMITS.lineBytes / 4);
  const head: HistoryHead = {
    schema: 'trajectory-studio/history',
    version: 1,
    recording: FRESH,
    state: 'annotating',
    people: [],
    documents: [{ id: FRESH, person: null, version: 1, createdAt: transaction.at }],
  };
  const file = join(folders.make(), HISTORY_FILE);
  writeFileSync(file, headLine(head) + made.join(''));
  const { items } = await openHistory(file, LIMITS, calm.signal);
  const read: unknown[] = [];
  for await (const item of items) read.push(item);
  expect(read).toEqual([{ number: 2, transaction }]);
  expect((await checkHistory(file, FRESH, LIMITS, calm.signal))?.size).toBe(400);
  writeFileSync(file, headLine(head) + made.slice(0, -1).join(''));
  await expect(checkHistory(file, FRESH, LIMITS, calm.signal)).rejects.toThrow(
    'history.jsonl line 2: its changes end early',
  );
});

describe('a history that nobody can have written is refused, with file and line', () => {
  type Lines = Record<string, unknown>[];
  const transaction = (all: Lines, version: number): Record<string, unknown> =>
    all.find((line) => line.line === 'transaction' && line.version === version)!;
  const cases: [what: string, spoil: (all: Lines) => Lines | string, message: string | RegExp][] = [
    [
      'of another recording',
      ([head, ...rest]) => [{ ...head, recording: 'x' }, ...rest],
      'line 1: it is the history of x',
    ],
    ['of a later version', ([head, ...rest]) => [{ ...head, version: 9 }, ...rest], 'history.jsonl has version 9'],
    ['without a head', ([, ...rest]) => rest, 'line 1: schema'],
    ['empty', () => '', 'line 1: it is empty'],
    ['no JSON', () => '{"a":', 'line 1: it is not JSON'],
    [
      'a person called "me"',
      ([head, ...rest]) => [{ ...head, people: [{ id: 'me', name: 'Me' }] }, ...rest],
      'line 1: "me" cannot be',
    ],
    [
      'a document of another recording',
      ([head, ...rest]) => [
        { ...head, documents: [{ id: 'other', person: null, version: 1, createdAt: '2026-01-01T00:00:00.000Z' }] },
        ...rest,
      ],
      'line 1: "other" is no document',
    ],
    [
      'a version that is left out',
      (all) => all.filter((line) => line.version !== 3),
      /line 4: version 4 follows version 2/,
    ],
    ['a line twice', (all) => [...all.slice(0, 3), all[2]!, ...all.slice(3)], /line 4: the id .* stands in it twice/],
    [
      'an undo of what never was',
      (all) => all.map((line) => (line.undoes ? { ...line, undoes: randomUUID() } : line)),
      /line \d+: it takes back .*, which is not before it/,
    ],
    [
      'a beginning that could be undone',
      (all) => all.map((line) => (line.version === 1 ? { ...line, state: 'done' } : line)),
      'line 2: its state cannot be "done"',
    ],
    [
      'a change of what was never there',
      (all) => {
        const line = transaction(all, 2);
        const changes = [{ op: 'remove', record: { kind: 'goal', id: 'nothing', text: '' } }];
        return all.map((one) => (one === line ? { ...one, changes } : one));
      },
      'line 3:',
    ],
    [
      'an end that is missing',
      (all) => all.filter((line) => line.line !== 'event').slice(0, -1),
      /line \d+: the document "rec-a" ends at version \d+, not at \d+/,
    ],
    [
      'another end than the annotation has',
      (all) => {
        const events = all.filter((line) => line.line === 'event');
        const rest = all.filter((line) => line.line !== 'event').slice(0, -1);
        const { version } = rest.at(-1) as { version: number };
        const [head, ...others] = rest;
        const documents = (head!.documents as object[]).map((one) => ({ ...one, version }));
        return [{ ...head, documents }, ...others, ...events];
      },
      'does not lead to what annotation.json says',
    ],
    ['an event that is left out', (all) => all.filter((line) => line.n !== 2), /line \d+: event 3 follows event 1/],
    [
      'an event of another recording',
      (all) => all.map((line) => (line.n === 1 ? { ...line, recording: 'x' } : line)),
      /line \d+: it is an event of x/,
    ],
    [
      'an act of no kind',
      (all) => all.map((line) => (line.n === 1 ? { ...line, act: { type: 'reign' } } : line)),
      /line \d+: act/,
    ],
    [
      'a document of somewhere else in an event',
      (all) =>
        all.map((line) =>
          line.n === 1 ? { ...line, facts: { ...(line.facts as object), document: '../../etc' } } : line,
        ),
      /line \d+: "..\/..\/etc" is no document of it/,
    ],
    [
      'changes that belong to nothing',
      (all) => [...all.slice(0, 2), { line: 'changes', changes: transaction(all, 2).changes }, ...all.slice(2)],
      'line 3: there is nothing that these changes belong to',
    ],
    [
      'changes that never end',
      (all) => all.map((line) => (line.version === 2 ? { ...line, more: true } : line)),
      'line 4: changes should go on here',
    ],
    [
      'a line without end',
      ([head]) => `${JSON.stringify(head)}\n{"line":"${'x'.repeat(5_000_000)}`,
      'line 2: the line is longer',
    ],
    ['something else', ([head, ...rest]) => [head!, { line: 'sql', run: 'drop table' }, ...rest], 'line 2: line'],
  ];
  test.each(cases)('%s', async (_what, spoil, message) => {
    const { workspace } = away();
    const folder = join(folders.make(), 'rec');
    const carried = await carriedTexts(home, REVIEWED);
    await exportRecording(home, REVIEWED, folder, { ...calm, carried });
    const whole = carried.find(({ name }) => name === HISTORY_FILE)!.text;
    const spoilt = spoil(
      whole
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    const text = typeof spoilt === 'string' ? spoilt : spoilt.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(folder, HISTORY_FILE), text);
    const error: unknown = await importRecording(workspace, folder, calm).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: expect.stringMatching(/^(BAD_FILE|FUTURE_VERSION)$/) });
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain('history.jsonl');
    expect(await workspace.listRecordings()).toEqual([]);
    expect(await lines(workspace)).toEqual([]);
  });

  test('what was not spoilt by this table is taken: the table refuses for its own reasons', async () => {
    const { workspace } = away();
    const folder = join(folders.make(), 'rec');
    mkdirSync(folder, { recursive: true });
    const out = join(folder, 'whole');
    await exportRecording(home, REVIEWED, out, { ...calm, carried: await carriedTexts(home, REVIEWED) });
    expect((await importRecording(workspace, out, calm)).entry.id).toBe(REVIEWED);
  });
});
