import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Job } from '../../../schemas/api/models.ts';
import { describeHolder } from '../../files/process-id.ts';
import {
  attach,
  attachedFiles,
  detach,
  findAttachment,
  hasAttachment,
  insertAttachment,
  listAllAttachments,
  listAttachments,
} from '../attachments.ts';
import {
  addDismissed,
  changeTags,
  dismissedGroups,
  keepFinding,
  readFinding,
  readSplits,
  readTags,
  removeDismissed,
  replaceSplits,
  splitOfRecording,
  splitOfTask,
  tagsOf,
} from '../curation.ts';
import { notedExports, noteValidation } from '../exports.ts';
import { keepFacts, keepReviewFigures, listFacts, readFigures, readReviewFigures } from '../facts.ts';
import { findFileHash, keepFileHashes, keepScreenHashes, listFileHashes, listScreenHashes } from '../hashes.ts';
import {
  askedToStop,
  askToStop,
  claimAgain,
  cutInterrupted,
  dropClaims,
  findJob,
  forgetOldJobs,
  insertJob,
  latestJobs,
  setNext,
  updateJob,
} from '../jobs.ts';
import { ensureNotedTask, readTaskNote, takeTaskBack } from '../made-task.ts';
import { readMeta, writeMeta } from '../meta.ts';
import { otherTask } from '../other-task.ts';
import { isOwnMark, ownMark } from '../own-mark.ts';
import { addPerson, ensurePerson, findPerson, insertPerson, listPeople, personOf, verifierName } from '../people.ts';
import { sampleRecording, writeSample } from '../recording-for-tests.ts';
import { folderOfKnown } from '../recordings.ts';
import { setCategory } from '../software.ts';
import { filesNamed, newestOfRole } from '../task-files.ts';
import { createTask, getTask, listTaskRows, removeTask, updateTask } from '../task-rows.ts';
import { answerOf, countTasks, fillAnswer, listBriefs, listStoredTasks, taskIds, taskInWaiting } from '../tasks.ts';
import type { Workspace } from '../workspace.ts';
import { type StoreEngine, workspacesOver } from './engines-for-tests.ts';

/** Texts whose order by bytes is another than that of any language, and that SQL must keep as they are. */
const ODD = [
  'a%_b',
  "O'Neil",
  'Zoë',
  '_low',
  'Émile',
  '中文',
  'été',
  '😀',
  '\u{FFFD}x',
  'A',
  'a',
  'B',
  '"quoted"',
  '\\back',
];
/** As both engines order texts: by their bytes. */
const byBytes = (texts: readonly string[]): string[] =>
  texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

const job = (more: Partial<Job> = {}): Job => ({
  id: randomUUID(),
  kind: 'export',
  subject: 'videogui',
  state: 'waiting',
  progress: 0,
  message: null,
  error: null,
  createdAt: new Date().toISOString(),
  ...more,
});
const owner = (): string => JSON.stringify(describeHolder('token', process.pid));
/** Of a machine of which nothing is known here. */
const far = JSON.stringify({ token: 'x', pid: 1, started: '1', machine: 'far', since: '2026-01-01T00:00:00.000Z' });

/** Settings, people, long work. */
export function officeContract(start: () => Promise<StoreEngine>): void {
  let workspace: Workspace;
  workspacesOver(start, (fresh) => {
    workspace = fresh;
  });
  const store = () => workspace.store;

  test('settings are kept as JSON, and the last one counts', async () => {
    expect(await readMeta(store(), 'mine')).toEqual({});
    await writeMeta(store(), 'mine', { a: [1, 'zwei', null], yes: true });
    await writeMeta(store(), 'mine', { a: 2.5, text: ODD });
    expect(await readMeta(store(), 'mine')).toEqual({ a: 2.5, text: ODD });
  });

  test('a mark of this workspace is known again, and none of another', async () => {
    expect(await isOwnMark(store(), 'this', 'x')).toBe(false);
    const [one, same] = await Promise.all([ownMark(store(), 'this'), ownMark(store(), 'this')]);
    expect(same).toBe(one);
    expect(await isOwnMark(store(), 'this', one)).toBe(true);
    expect(await isOwnMark(store(), 'that', one)).toBe(false);
  });

  test('people are found by id and by name in any case, and listed by the bytes of their names', async () => {
    for (const name of ODD.filter((name) => name !== 'a')) await addPerson(store(), { name, email: null });
    const listed = await listPeople(store());
    expect(listed.map(({ name }) => name)).toEqual(byBytes(ODD.filter((name) => name !== 'a')));
    expect((await findPerson(store(), ' ZOË '))?.name).toBe('Zoë');
    await expect(addPerson(store(), { name: 'zoë', email: null })).rejects.toMatchObject({ code: 'CONFLICT' });
    const ada = await ensurePerson(store(), 'Ada');
    expect(await ensurePerson(store(), 'ada')).toEqual(ada);
    await insertPerson(store(), { id: 'known', name: 'Known', email: 'k@lab.org' });
    expect(await findPerson(store(), 'known')).toEqual({ id: 'known', name: 'Known', email: 'k@lab.org' });
    expect(await personOf(store(), 'ADA')).toEqual({ id: ada.id, known: true });
    expect(await personOf(store(), 'a script')).toEqual({ id: 'a script', known: false });
    expect(await verifierName(store())).toBeUndefined();
    await expect(insertPerson(store(), { id: 'known', name: 'Twice', email: null })).rejects.toThrow();
  });

  test('a job is noted, goes on and ends as it was told, with its fractions', async () => {
    const call = { name: 'exports.start', input: { out: '/tmp/x', all: true }, mark: '0' };
    const noted = job({ person: 'Ada' });
    await insertJob(store(), noted, owner(), call);
    await insertJob(store(), job({ createdAt: '2030-01-01T00:00:00.000Z' }), owner(), null);
    for (const progress of [1 / 3, 0.1, 0.999_999_999_9, 1]) {
      await updateJob(store(), { ...noted, state: 'running', progress, message: 'half' }, {});
      expect((await findJob(store(), noted.id))?.job.progress).toBe(progress);
    }
    const error = { code: 'DISK_FULL', message: 'full', details: { free: 0 } };
    const ended = { ...noted, state: 'failed' as const, error, finishedAt: '2026-11-28T00:00:00.000Z' };
    await updateJob(store(), ended, { owner: null, result: JSON.stringify({ recordings: ['r'], result: { n: 1 } }) });
    const found = (await findJob(store(), noted.id.slice(0, 9)))!;
    expect(found).toMatchObject({ call, failure: error, result: { n: 1 }, next: null });
    expect(found.job).toMatchObject({ state: 'failed', person: 'Ada', recordings: ['r'], startedAt: null });
    expect((await latestJobs(store())).map((one) => one.job.createdAt)).toEqual([
      '2030-01-01T00:00:00.000Z',
      noted.createdAt,
    ]);
    expect(await findJob(store(), '%')).toBeNull();
    expect(await findJob(store(), '____')).toBeNull();
  });

  test('of two who begin a job again one does, and claims that were left are dropped', async () => {
    const ended = job();
    await insertJob(store(), ended, owner(), null);
    await updateJob(store(), { ...ended, state: 'cancelled' }, { owner: null });
    const claims = await Promise.all([claimAgain(store(), ended.id), claimAgain(store(), ended.id)]);
    expect(claims.toSorted()).toEqual([false, true]);
    await dropClaims(store());
    expect(await claimAgain(store(), ended.id)).toBe(true);
    await setNext(store(), ended.id, 'another');
    expect((await findJob(store(), ended.id))?.next).toBe('another');
    expect(await claimAgain(store(), ended.id)).toBe(false);
  });

  test('work of processes that ended is failed work, and old work is forgotten', async () => {
    const [mine, gone, unknown] = [job(), job({ state: 'waiting' }), job()];
    await insertJob(store(), mine, owner(), null);
    await insertJob(store(), gone, '{}', null);
    await insertJob(store(), unknown, far, null);
    await askToStop(store(), mine.id);
    expect(await askedToStop(store())).toEqual([mine.id]);
    expect(await cutInterrupted(store(), { sure: true })).toEqual([gone.id]);
    expect((await findJob(store(), gone.id))?.failure?.code).toBe('INTERRUPTED');
    await insertJob(store(), job({ state: 'done', createdAt: '2020-01-01T00:00:00.000Z' }), owner(), null);
    await forgetOldJobs(store(), 3);
    expect((await latestJobs(store())).map(({ job: { id } }) => id).toSorted()).toEqual(
      [mine.id, gone.id, unknown.id].toSorted(),
    );
  });

  test('a whole is kept or undone, and a reading sees one moment', async () => {
    const failed = store().transaction(async (trx) => {
      await insertPerson(trx, { id: 'x', name: 'X', email: null });
      throw new Error('stopped here');
    });
    await expect(failed).rejects.toThrow('stopped here');
    expect(await listPeople(store())).toEqual([]);
    await store().transaction((trx) => insertPerson(trx, { id: 'x', name: 'X', email: null }));
    expect(await store().reading((trx) => listPeople(trx))).toHaveLength(1);
    const twice = store().transaction(async (trx) => {
      await insertPerson(trx, { id: 'y', name: 'Y', email: null });
      await insertPerson(trx, { id: 'x', name: 'X', email: null }).catch(() => undefined);
      await insertPerson(trx, { id: 'z', name: 'Z', email: null });
    });
    // A refused row undoes the whole (PostgreSQL) or is left out of it (SQLite): never half of another kind.
    await twice.catch(() => undefined);
    expect([1, 3]).toContain((await listPeople(store())).length);
  });
}

/** Software, tasks, their files, recordings. */
export function libraryContract(start: () => Promise<StoreEngine>): void {
  let workspace: Workspace;
  workspacesOver(start, (fresh) => {
    workspace = fresh;
  });
  const store = () => workspace.store;
  const empty = { software: 'gimp', goal: 'Crop', platform: '', sourceUrl: '', notes: '' };

  test('software is found and added, and has a category', async () => {
    const added = await workspace.addSoftware({ name: 'Krita' });
    expect(added).toMatchObject({ id: 'krita', prefix: 'KRIT' });
    await expect(workspace.addSoftware({ name: 'krita' })).rejects.toMatchObject({ code: 'USAGE' });
    expect((await setCategory(store(), 'KRIT', ' Painting ')).category).toBe('Painting');
    const names = (await workspace.listSoftware()).map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
    expect((await workspace.findSoftware('GNU image manipulation program')).id).toBe('gimp');
  });

  test('tasks are made, numbered, changed, listed by number and removed', async () => {
    const gimp = await workspace.findSoftware('gimp');
    for (let at = 0; at < 11; at++) await workspace.ensureTask({ software: gimp, goal: `Goal ${at}` });
    const later = await workspace.ensureTask({ id: 'GIMP_400', software: gimp, goal: '' });
    expect((await workspace.ensureTask({ software: gimp, goal: 'after' })).id).toBe('GIMP_401');
    expect((await workspace.ensureTask({ id: later.id, software: gimp, goal: 'filled' })).goal).toBe('filled');
    expect((await workspace.listTasks()).map(({ id }) => id).slice(8)).toEqual([
      'GIMP_9',
      'GIMP_10',
      'GIMP_11',
      'GIMP_400',
      'GIMP_401',
    ]);
    const made = await createTask(workspace, { ...empty, goal: "it's 100% _done_", answer: '42' });
    await expect(createTask(workspace, { ...empty, id: made.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await answerOf(store(), made.id)).toBe('42');
    await fillAnswer(store(), made.id, 'other');
    expect(await updateTask(store(), made.id, { state: 'closed', notes: 'n' })).toMatchObject({
      answer: '42',
      state: 'closed',
      notes: 'n',
    });
    expect((await taskInWaiting(store(), gimp, 'Goal 3'))?.id).toBe('GIMP_4');
    expect((await countTasks(store())).get('gimp')).toBe(14);
    expect((await taskIds(store())).size).toBe(14);
    expect((await listBriefs(store())).find(({ id }) => id === made.id)?.category).toBe('Media editing');
    const ids = (await listStoredTasks(store(), 'id')).map(({ id }) => id);
    expect(ids).toEqual(byBytes(ids));
    expect((await listStoredTasks(store(), 'age'))[0]?.id).toBe('GIMP_1');
    await removeTask(store(), made.id);
    await expect(getTask(store(), made.id)).rejects.toMatchObject({ code: 'UNKNOWN_TASK' });
    expect((await listTaskRows(store()))[0]).toMatchObject({ id: 'GIMP_1', recordings: 0, furthest: null });
  });

  test('a task that was made for what did not come is taken back', async () => {
    const software = await workspace.findSoftware('gimp');
    const note = join(workspace.dir, 'note.json');
    const { id } = await ensureNotedTask(store(), note, { software, goal: 'Never done' });
    await takeTaskBack(store(), readTaskNote(note)!);
    expect((await taskIds(store())).has(id)).toBe(false);
    const there = await workspace.ensureTask({ software, goal: '' });
    await ensureNotedTask(store(), note, { id: there.id, software, goal: 'Given' });
    await takeTaskBack(store(), readTaskNote(note)!);
    expect(await getTask(store(), there.id)).toMatchObject({ goal: '' });
    await workspace.ensureTask({ id: there.id, software, goal: 'Its own' });
    expect(await otherTask(store(), there.id, { software, goal: 'Its own' })).toBeNull();
    expect(await otherTask(store(), there.id, { software, goal: 'Quite another' })).toMatchObject({ isNew: true });
  });

  test('files of a task keep the order in which they came, also of one moment', async () => {
    const { id } = await createTask(workspace, empty);
    const body = async function* (text: string) {
      yield Buffer.from(text);
    };
    const first = await attach(workspace, { task: id, role: 'material', name: 'a.txt', body: body('one') });
    await attach(workspace, { task: id, role: 'checks', name: 'b.json', body: body('{}') });
    const row = (await listAllAttachments(store(), 'id'))[0]!;
    const same = {
      task_id: id,
      role: 'checks',
      mime: 'text/plain',
      bytes: 5_000_000_000,
      created_at: '2031-01-01T00:00:00.000Z',
    };
    // The ids are in the other order than the files came.
    for (const name of ['z', 'y', 'x']) {
      await insertAttachment(store(), { ...same, id: name, name: `${name}.json`, file: `attachments/${id}/${name}` });
    }
    expect(Object.keys(row)).toEqual(expect.arrayContaining(['id', 'file', 'bytes']));
    expect(await newestOfRole(workspace, id, 'checks')).toBe(join(workspace.dir, 'attachments', id, 'x'));
    expect((await listAttachments(store(), id)).map(({ name }) => name)).toEqual([
      'a.txt',
      'b.json',
      'x.json',
      'y.json',
      'z.json',
    ]);
    expect((await listAttachments(store(), id)).at(-1)?.bytes).toBe(5_000_000_000);
    expect((await attachedFiles(store(), id)).size).toBe(5);
    expect(await filesNamed(workspace, 'x.json')).toEqual([{ task: id, file: `attachments/${id}/x` }]);
    expect(await hasAttachment(workspace, first.id)).toBe(true);
    await detach(workspace, first.id);
    await expect(findAttachment(workspace, first.id)).rejects.toMatchObject({ code: 'UNKNOWN_FILE' });
    await expect(removeTask(store(), id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('the index follows the folders', async () => {
    const add = (id: string, more: Parameters<typeof sampleRecording>[0] = {}) =>
      writeSample(workspace.recordingsDir, sampleRecording({ id, ...more }));
    add('aa-1', { person: 'Ada' });
    add('aa-2', { task: { id: 'made elsewhere', goal: 'Odd' }, played: undefined });
    add('bb-1', { app: { id: 'own', name: 'Own Program' }, span: { start: 0, end: 9_000_000_000 } });
    expect((await workspace.syncIndex()).added).toEqual(['aa-1', 'aa-2', 'bb-1']);
    expect((await workspace.syncIndex()).changed).toEqual([]);
    expect(await workspace.resolveRecording('bb')).toMatchObject({
      durationUs: 9_000_000_000,
      state: 'recorded',
      steps: null,
    });
    await expect(workspace.resolveRecording('aa')).rejects.toMatchObject({ code: 'AMBIGUOUS_ID' });
    expect((await workspace.getRecording('aa-1')).person).toBe('Ada');
    expect((await workspace.listRecordings()).map(({ id }) => id)).toEqual(['aa-1', 'aa-2', 'bb-1']);
    expect((await workspace.listTasks()).find(({ id }) => id === 'GIMP_1')?.recordings).toBe(2);
    rmSync(join(workspace.recordingsDir, 'aa-1'), { recursive: true });
    expect((await workspace.syncIndex()).gone).toEqual(['aa-1']);
    await expect(workspace.getRecording('aa-1')).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
    expect(await folderOfKnown({ store: store() }, 'aa-1')).toBe('aa-1');
    expect(await workspace.listPlays()).toEqual([]);
  });
}

/** Tags, splits, what is kept because it takes long to work out. */
export function curationContract(start: () => Promise<StoreEngine>): void {
  let workspace: Workspace;
  workspacesOver(start, (fresh) => {
    workspace = fresh;
  });
  const store = () => workspace.store;

  test('tags and splits', async () => {
    writeSample(workspace.recordingsDir, sampleRecording({ id: 'r1' }));
    await workspace.syncIndex();
    await store().transaction((trx) => changeTags(trx, ['r1', 'r2'], { add: ODD, remove: [] }));
    await store().transaction((trx) => changeTags(trx, ['r1'], { add: ['A', 'new'], remove: ['a%_b', '中文'] }));
    expect(await tagsOf(store(), 'r1')).toEqual(
      byBytes([...ODD.filter((tag) => tag !== 'a%_b' && tag !== '中文'), 'new']),
    );
    expect((await readTags(store())).get('r2')).toEqual(byBytes(ODD));
    const put = (split: string | null) =>
      store().transaction((trx) =>
        replaceSplits(
          trx,
          [
            { task: 'GIMP_1', split },
            { task: 'X', split: 'test' },
          ],
          'hand',
        ),
      );
    await put('train');
    expect(await splitOfRecording(store(), 'r1')).toBe('train');
    await put(null);
    expect(await splitOfTask(store(), 'GIMP_1')).toBeNull();
    expect(await readSplits(store())).toEqual(new Map([['X', 'test']]));
  });

  test('findings and dismissed groups', async () => {
    expect(await readFinding(store(), 'near')).toBeNull();
    await keepFinding(store(), 'near', { groups: [] });
    await keepFinding(store(), 'near', { groups: [1] });
    expect(await readFinding(store(), 'near')).toEqual({ groups: [1] });
    await store().transaction((trx) => addDismissed(trx, { id: 'g', kind: 'goals', members: ['b', 'a'] }));
    expect(await dismissedGroups(store())).toEqual([{ id: 'g', kind: 'goals', members: new Set(['a', 'b']) }]);
    await store().transaction((trx) => removeDismissed(trx, 'g'));
    expect(await dismissedGroups(store())).toEqual([]);
  });

  test('hashes and figures are kept, and the newer ones count', async () => {
    const file = { recording_id: 'r', path: 'screen.mkv', stamp: '1', bytes: 7_000_000_000, sha256: 'x' };
    const many = Array.from({ length: 2500 }, (_, at) => ({ ...file, path: `f${at}` }));
    await keepFileHashes(store(), [file, ...many]);
    await keepFileHashes(store(), [{ ...file, sha256: 'y' }]);
    expect(await findFileHash(store(), 'r', 'screen.mkv')).toEqual({ ...file, sha256: 'y' });
    expect(await listFileHashes(store(), 'r')).toHaveLength(2501);
    const screen = { recording_id: 'r', file: 'a.png', stamp: '1', hash: 'ff', pixels: 'p' };
    await keepScreenHashes(store(), [screen]);
    await keepScreenHashes(store(), [{ ...screen, hash: '00' }]);
    expect(await listScreenHashes(store(), 'r')).toEqual([{ ...screen, hash: '00' }]);
    writeSample(workspace.recordingsDir, sampleRecording({ id: 'r' }));
    await workspace.syncIndex();
    expect(await listFacts(store())).toMatchObject([{ id: 'r', version: null, facts: null, counted: null }]);
    const facts = { stamp: 's', document_version: 3, facts: '{"n":1}', figures: '[]' };
    await keepFacts(store(), 'r', facts);
    await keepFacts(store(), 'r', { ...facts, document_version: 4 });
    expect(await listFacts(store())).toMatchObject([{ counted: 's', at: 4, facts: '{"n":1}' }]);
    expect(await readFigures(store())).toEqual(new Map([['r', '[]']]));
    const about = { recording: 'r', about: 'all', versions: '1' };
    await keepReviewFigures(store(), about, '"old"');
    await keepReviewFigures(store(), { ...about, versions: '2' }, '"new"');
    expect(await readReviewFigures(store(), about)).toBeNull();
    expect(await readReviewFigures(store(), { ...about, versions: '2' })).toBe('"new"');
  });

  describe('exports', () => {
    test('are noted with what was found when they were read back, the newest first', async () => {
      const note = { format: 'videogui', folder: '/out', filters: { a: 1 }, counts: { n: 3 } };
      const id = await workspace.noteExport(note);
      await noteValidation(store(), id, { ok: true });
      expect(await notedExports(store())).toMatchObject([{ id, counts: '{"n":3}', validation: '{"ok":true}' }]);
    });
  });
}
