import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { nameElement } from '../../core/annotate/edit.ts';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { freezeVersion } from '../datasets/freeze.ts';
import { assignSplits, tagRecordings } from '../datasets/tags.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { addClicks } from '../documents/clicks-for-tests.ts';
import { openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { entriesBelow } from '../files/inside.ts';
import { describeHolder } from '../files/process-id.ts';
import { openSession as openLibrary } from '../session/open-workspace.ts';
import { attach } from '../store/attachments.ts';
import { ensurePerson } from '../store/people.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { calm, write } from './archive/bench-for-tests.ts';
import { importArchive } from './archive/import-archive.ts';
import { carriedAlone } from './carried.ts';
import { exportRecording } from './export-recording.ts';
import { importAny } from './import-any.ts';
import { fakeRecording, squareVideo } from './videos-for-tests.ts';

/**
 * Counts what an import does to the disk that lasts. The one numbered `once` fails, and all goes on. Past `at` of them the
 * process is as good as dead: nothing is done any more, whoever tries, also what would clean up.
 */
const death = vi.hoisted(() => {
  const state = { at: Number.POSITIVE_INFINITY, done: 0, once: -1 };
  const step = (code: string): void => {
    if (state.done === state.once) {
      state.done++;
      throw Object.assign(new Error('it failed'), { code });
    }
    if (state.done >= state.at) throw Object.assign(new Error('killed'), { code: 'KILLED' });
    state.done++;
  };
  const before = <F extends (...args: never[]) => unknown>(work: F): F =>
    ((...args: Parameters<F>) => {
      step('EIO');
      return work(...args);
    }) as F; // The same function, a step earlier.
  return { state, step, before };
});

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return { ...fs, renameSync: death.before(fs.renameSync), rmSync: death.before(fs.rmSync) };
});
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  return { ...fs, rename: death.before(fs.rename), rm: death.before(fs.rm) };
});
vi.mock('../store/statements.ts', async (original) => {
  const { watchedStatements } = await import('../store/statements-for-tests.ts');
  return watchedStatements(await original<typeof import('../store/statements.ts')>(), (sql) => {
    if (/^(insert|update|delete|commit)/i.test(sql)) death.step('SQLITE_IOERR_WRITE');
  });
});

const folders = temporaryFolders();
/** Made once for all tests. */
const lasting = temporaryFolders();
let archive = '';
/** The same, with a frozen version. */
let frozen = '';
let single = '';
/** What other tools left: a video with its transcript, a folder of events, trajectories. */
const foreign = { video: '', ducktrack: '', naturalgaia: '' };
const IDS = ['rec-a', 'rec-b'];

/** Two recordings: one with a history of several hands and a review, one in a state of its own; tags, split, a task's file. */
beforeAll(async () => {
  const dir = lasting.make();
  const workspace = openWorkspace(join(dir, 'home'), { create: true });
  const documents = openDocuments(workspace, reviewGate());
  for (const id of IDS) {
    const folder = addClicks(workspace, id);
    writeFileSync(join(folder, 'screen.mkv'), id);
    const recording = readRecording(folder);
    writeRecording(folder, {
      ...recording,
      person: 'Ada',
      task: { id: `GIMP_${IDS.indexOf(id) + 1}`, goal: `Goal ${id}` },
    });
  }
  await workspace.syncIndex();
  const ada = (await ensurePerson(workspace.store, 'Ada')).id;
  const { steps } = await documents.openRecording('rec-a');
  for (const [at, { id: step }] of steps.entries()) {
    const records = new Map((await documents.get('rec-a')).records.map((record) => [record.id, record]));
    const changes = nameElement(records, step, `Button ${at}`, 'hand');
    const id = `00000000-0000-4000-8000-00000000000${at}`;
    await documents.apply('rec-a', { id, label: 'Name', changes }, ada);
  }
  await documents.undo('rec-a', ada);
  await sqlOf(workspace.store).updateTable('recordings').set({ state: 'approved' }).where('id', '=', 'rec-b').execute();
  for (const id of IDS) await tagRecordings(workspace, { recordings: [id], add: [`tag-${id}`], remove: [] });
  await assignSplits(workspace, [{ task: 'GIMP_1', split: 'test' }], 'hand');
  await sqlOf(workspace.store).updateTable('tasks').set({ notes: 'with care' }).execute();
  const body = Readable.from([Buffer.from('hello')]);
  await attach(workspace, { task: 'GIMP_2', role: 'material', name: 'notes.txt', body });
  archive = join(dir, 'w.tar');
  await write({ workspace }, archive);
  single = join(dir, 'one');
  await exportRecording(workspace, 'rec-a', single, { ...calm, carried: await carriedAlone(workspace, 'rec-a') });
  await documents.close();
  workspace.close();

  const other = openWorkspace(join(dir, 'other'), { create: true });
  for (const [at, id] of IDS.entries())
    await addRecording(other, { id, task: `GIMP_${at + 1}`, screens: [40 + at, 90] });
  const file = Readable.from([Buffer.from('hello')]);
  await attach(other, { task: 'GIMP_2', role: 'material', name: 'notes.txt', body: file });
  for (const id of IDS) await tagRecordings(other, { recordings: [id], add: [`tag-${id}`], remove: [] });
  await freezeVersion(other, { name: 'v1', changelog: 'first', filter: {} }, { toolVersion: '1' });
  frozen = join(dir, 'v1.tar');
  await write({ workspace: other }, frozen, { dataset: 'v1' });
  other.close();

  foreign.video = join(dir, 'How_to.mp4');
  squareVideo(foreign.video, 2, [
    { t: 0, x: 40, y: 40 },
    { t: 1, x: 200, y: 90 },
  ]);
  writeFileSync(join(dir, 'How_to.srt'), '1\n00:00:00,500 --> 00:00:01,000\nMove it\n');
  foreign.ducktrack = join(dir, 'duck');
  fakeRecording(foreign.ducktrack, { offset: 0.2, kind: 'ducktrack', clicks: 4 });
  foreign.naturalgaia = await trajectories(dir);
});

/** Two trajectories of two pictures each. */
async function trajectories(dir: string): Promise<string> {
  const images = ['a.png', 'b.png'];
  for (const [at, name] of images.entries()) {
    const background = { r: 80 * at, g: 10, b: 200 };
    await sharp({ create: { width: 64, height: 48, channels: 3, background } }).toFile(join(dir, name));
  }
  const step = `=== Step1 ===\n<think>\n<a.png>\n**Thought**\nI think.\n**Action**\nTap on "x".\n</think>\n<Observation>\n<b.png>\n**Observation**\nSeen.\n</Observation>\n`;
  const entries = ['Find the album', 'Find the song'].map((goal) => ({
    images,
    messages: [
      { role: 'user', content: goal },
      { role: 'assistant', content: step },
    ],
    solution: '<answer>Jay</answer>',
  }));
  const file = join(dir, 'data.json');
  writeFileSync(file, JSON.stringify(entries));
  return file;
}
afterEach(() => {
  death.state.at = Number.POSITIVE_INFINITY;
  folders.clean();
});
afterAll(() => lasting.clean());

/** Everything that an import leaves, but for when it was and what it calls its own. */
async function everything(workspace: Workspace) {
  await workspace.syncIndex();
  const { store } = workspace;
  const people = await sqlOf(store).selectFrom('people').select(['id', 'name']).execute();
  // Who comes without an id is given one.
  const named = (text: string): string => people.reduce((all, { id, name }) => all.replaceAll(id, name), text);
  const timeless = (rows: readonly object[]): string[] =>
    rows
      .map((row) => named(JSON.stringify(row, (key, value) => (/_at$|^stamp$|^at$/.test(key) ? undefined : value))))
      .sort();
  const files = ['recordings', 'attachments', 'versions'].flatMap((name) => {
    const root = join(workspace.dir, name);
    if (!existsSync(root)) return [];
    return (
      [...entriesBelow(root)]
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        // A process that is killed cannot clean up; see below for who does.
        .filter((path) => !/\.import-|\.tmp|derived/.test(path))
        .map((path) => `${path.slice(workspace.dir.length)} ${contentOf(path)}`)
    );
  });
  return {
    files: files.sort(),
    hidden: readdirSync(workspace.recordingsDir).filter((name) => /^\.(?!import-)/.test(name)),
    recordings: timeless(await sqlOf(store).selectFrom('recordings').selectAll().execute()),
    tasks: timeless(await sqlOf(store).selectFrom('tasks').selectAll().execute()),
    tags: timeless(await sqlOf(store).selectFrom('recording_tags').selectAll().execute()),
    splits: timeless(await sqlOf(store).selectFrom('task_splits').selectAll().execute()),
    attachments: timeless(await sqlOf(store).selectFrom('attachments').selectAll().execute()),
    people: timeless(await sqlOf(store).selectFrom('people').selectAll().execute()),
    documents: timeless(await sqlOf(store).selectFrom('documents').selectAll().execute()),
    transactions: timeless(await sqlOf(store).selectFrom('annotation_transactions').selectAll().execute()),
    records: timeless(await sqlOf(store).selectFrom('annotation_records').selectAll().execute()),
    events: timeless(await sqlOf(store).selectFrom('review_events').selectAll().execute()),
  };
}

/** Videos of other tools are put together anew each time, with a number of their own in them. */
const contentOf = (path: string): string =>
  path.endsWith('.mkv') && statSync(path).size > 100 ? '' : readFileSync(path, 'latin1');
/** Without the ids that are drawn at each attempt. */
function unnamed(all: Awaited<ReturnType<typeof everything>>): Record<string, string[]> {
  const id = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  const plain = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll(id, 'id')).sort();
  return Object.fromEntries(Object.entries(all).map(([name, texts]) => [name, plain(texts)]));
}

type Import = (workspace: Workspace) => Promise<unknown>;

/** One process: opens, works until it is over or killed, and is gone. */
async function life(
  dir: string,
  work: Import,
  at = Number.POSITIVE_INFINITY,
): Promise<{ killed: boolean; steps: number }> {
  const workspace = openWorkspace(dir, { create: true });
  Object.assign(death.state, { at, done: 0 });
  try {
    await work(workspace);
  } catch (error) {
    if (death.state.done < at) throw error;
  } finally {
    death.state.at = Number.POSITIVE_INFINITY;
    workspace.close();
  }
  const killed = death.state.done >= at;
  if (killed) bury(join(dir, 'recordings'));
  return { killed, steps: death.state.done };
}

/** Who worked on the imports in it is gone: this process did, and lives on. */
function bury(recordingsDir: string): void {
  gone ??= JSON.stringify(describeHolder('x', spawnSync(process.execPath, ['-e', '']).pid));
  for (const name of readdirSync(recordingsDir))
    if (/^\.import-.*\.holder$/.test(name)) writeFileSync(join(recordingsDir, name), gone);
}
let gone: string | undefined;

async function withDocuments(
  workspace: Workspace,
  work: (documents: ReturnType<typeof openDocuments>) => Promise<unknown>,
) {
  const documents = openDocuments(workspace, reviewGate());
  try {
    return await work(documents);
  } finally {
    await documents.close();
  }
}

const ofArchive: Import = (workspace) =>
  withDocuments(workspace, (documents) => importArchive(workspace, archive, { ...calm, documents }));
const ofFrozen: Import = (workspace) =>
  withDocuments(workspace, (documents) => importArchive(workspace, frozen, { ...calm, documents }));
const ofAny =
  (path: () => string, wishes = {}): Import =>
  (workspace) =>
    withDocuments(workspace, (documents) =>
      importAny(workspace, path(), { ...calm, ...wishes, documents, version: '1', ffmpeg: () => findFfmpeg() }),
    );
const ofOne = ofAny(() => single);
/** Refused because it is here, which is what is wanted. */
const again =
  (work: Import): Import =>
  async (workspace) => {
    await work(workspace).catch((error: unknown) => expect(error).toMatchObject({ code: 'TARGET_EXISTS' }));
  };
const ofVideo = ofAny(() => foreign.video);
const ofDucktrack = ofAny(() => foreign.ducktrack, { app: 'Slack', person: 'Ada' });
const ofDucktrackWithoutGoal = ofAny(() => foreign.ducktrack, { app: 'Slack', goal: ' ' });
/** Its own task is of another software: it comes to a new one. */
const ofOneElsewhere = ofAny(() => single, { app: 'Slack' });
const ofTrajectories = ofAny(() => foreign.naturalgaia, { app: 'Wikipedia' });
/** The studio: it takes what waits by itself. */
async function opened(dir: string): Promise<void> {
  const open = await openLibrary(dir, { create: false });
  for (const { id } of await open.jobs.list()) expect(await open.jobs.finished(id)).toMatchObject({ state: 'done' });
  await open.close();
}

async function found(dir: string) {
  const workspace = openWorkspace(dir, { create: false });
  try {
    return await everything(workspace);
  } finally {
    workspace.close();
  }
}

describe('an import that was killed anywhere and begun again ends as an undisturbed one', () => {
  test.each([
    { name: 'an archive', work: ofArchive, again: ofArchive },
    { name: 'an archive of a frozen version', work: ofFrozen, again: ofFrozen },
    { name: 'a recording with its history', work: ofOne, again: again(ofOne) },
    { name: 'a recording that comes to a new task', work: ofOneElsewhere, again: again(ofOneElsewhere) },
  ])('$name', async ({ work, again }) => {
    const whole = join(folders.make(), 'w');
    const { steps } = await life(whole, work);
    const wanted = await found(whole);
    expect(wanted.tags.length).toBeGreaterThan(0);
    expect(steps).toBeGreaterThan(20);
    let open = 0;
    for (let at = 0; at < steps; at++) {
      const dir = join(folders.make(), 'w');
      expect((await life(dir, work, at)).killed).toBe(true);
      // What has its name is finished by the studio alone; the rest by the next import.
      const present = existsSync(join(dir, 'recordings', IDS[0]!));
      if (present && at % 2 === 0) {
        await opened(dir);
        open++;
      }
      await life(dir, again);
      expect(await found(dir), `killed before step ${at} of ${steps}`).toEqual(wanted);
      folders.clean();
    }
    expect(open).toBeGreaterThan(2);
  });

  test.each([
    { name: 'a video with its transcript', work: ofVideo, each: 1 },
    { name: 'a DuckTrack folder', work: ofDucktrack, each: 1 },
    { name: 'a DuckTrack folder without a goal', work: ofDucktrackWithoutGoal, each: 1 },
    // Two of them, each as the other.
    { name: 'NaturalGAIA trajectories', work: ofTrajectories, each: 5 },
  ])(
    '$name',
    async ({ work, each }) => {
      const whole = join(folders.make(), 'w');
      const { steps } = await life(whole, work);
      const wanted = unnamed(await found(whole));
      expect(steps).toBeGreaterThan(5);
      for (let at = 0; at < steps; at += each) {
        const dir = join(folders.make(), 'w');
        expect((await life(dir, work, at)).killed).toBe(true);
        // What has its name is finished by the studio alone.
        const landed = readdirSync(join(dir, 'recordings')).some((one) => !one.startsWith('.'));
        if (landed && at % 2 === 0) await opened(dir);
        await life(dir, again(work));
        expect(unnamed(await found(dir)), `killed before step ${at} of ${steps}`).toEqual(wanted);
        folders.clean();
      }
    },
    120_000,
  );

  test('an archive, met by a disk that fails once, anywhere', async () => {
    const whole = join(folders.make(), 'w');
    const { steps } = await life(whole, ofArchive);
    const wanted = await found(whole);
    for (let at = 0; at < steps; at++) {
      const dir = join(folders.make(), 'w');
      // It ends with the error, or says what is still to be taken.
      await life(dir, (workspace) => {
        death.state.once = at;
        return ofArchive(workspace).catch(() => undefined);
      });
      death.state.once = -1;
      await life(dir, ofArchive);
      expect(await found(dir), `failed at step ${at} of ${steps}`).toEqual(wanted);
      folders.clean();
    }
  });

  test('an archive, by a kill that nobody can hear', async () => {
    const whole = join(folders.make(), 'w');
    await life(whole, ofArchive);
    const dir = join(folders.make(), 'w');
    openWorkspace(dir, { create: true }).close();
    const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `
      const { openWorkspace } = await import(${here('../store/workspace.ts')});
      const { openDocuments } = await import(${here('../documents/documents.ts')});
      const { reviewGate } = await import(${here('../documents/review/gate.ts')});
      const { importArchive } = await import(${here('./archive/import-archive.ts')});
      const workspace = openWorkspace(${JSON.stringify(dir)}, { create: false });
      const { indexRecording } = workspace;
      workspace.indexRecording = async (folder) => {
        const entry = await indexRecording(folder);
        process.kill(process.pid, 'SIGKILL');
        return entry;
      };
      const signal = new AbortController().signal;
      const options = { signal, report: () => undefined, documents: openDocuments(workspace, reviewGate()) };
      await importArchive(workspace, ${JSON.stringify(archive)}, options);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(readdirSync(join(dir, 'recordings'))).toContain('rec-a');
    await life(dir, ofArchive);
    expect(await found(dir)).toEqual(await found(whole));
  });
});
