import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FORMATS } from '../../core/export/formats.ts';
import { recoverRecording } from '../capture/recover.ts';
import { clickAt, head, question, writeLines } from '../datasets/evaluate/files-for-tests.ts';
import { listQuestionSets } from '../datasets/evaluate/question-sets.ts';
import { receivePredictions } from '../datasets/evaluate/receive.ts';
import { listRuns } from '../datasets/evaluate/runs.ts';
import { takeQuestionSet } from '../datasets/evaluate/take-questions.ts';
import { previewOf, runExport } from '../datasets/export/exports.ts';
import { freezeVersion } from '../datasets/freeze.ts';
import { listVersions } from '../datasets/versions.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { type Both, calm, take, workspacesIn, write } from '../import/archive/bench-for-tests.ts';
import { isArchive } from '../import/archive/read-archive.ts';
import { exportRecording } from '../import/export-recording.ts';
import { importAny } from '../import/import-any.ts';
import { openFolder } from '../recordings/closed.ts';
import { restoreRecording, trashRecording } from '../session/recordings.ts';
import { detach, findAttachment } from '../store/attachments.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import { entriesBelow } from './inside.ts';

/**
 * Attacks that worked once, and their like: folders, archives and workspaces from somebody else that name, link to or stand
 * in place of files of the person. Each ends with the person's files as they were, and in nothing that goes out.
 */

const SECRET = 'the private key of the person';
const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
let both: Both;
let victim: string;
let secret: string;
beforeEach(() => {
  both = workspaces.open();
  victim = folders.make();
  secret = join(victim, 'id_rsa');
  writeFileSync(secret, `${SECRET}\nno line end`);
  for (const name of ['history.jsonl', 'annotation.json', 'curation.json', 'index.json', '0.png.part', 'old.txt'])
    writeFileSync(join(victim, name), `${SECRET} ${name}`);
  for (const name of readdirSync(victim)) utimesSync(join(victim, name), 1_000_000, 1_000_000);
});
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});

const contents = (folder: string): [string, string][] =>
  [...entriesBelow(folder)]
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path, 'latin1')];
    })
    .sort();

/** Runs `attack`; the person's files are the same after it, and nothing of them stands below `out`. */
async function harmless(attack: () => unknown, out: string): Promise<unknown> {
  const before = contents(victim);
  const thrown = await (async () => attack())().then(
    () => null,
    (error: unknown) => error,
  );
  expect(contents(victim)).toEqual(before);
  const leaked = existsSync(out) ? contents(out).filter(([, text]) => text.includes(SECRET)) : [];
  expect(leaked).toEqual([]);
  return thrown;
}

const BAD = expect.objectContaining({ code: 'BAD_FILE' });
const exportAll = (out: string, names: readonly (typeof FORMATS)[number][] = FORMATS) =>
  runExport(
    both.workspace,
    {
      formats: names.map(({ name, parts }) => ({ name, parts: parts.map((part) => part.name) })),
      source: { kind: 'filter', filter: {} },
      all: true,
    },
    out,
    { toolVersion: '1' },
  );

/** Puts a link where a file or folder was. */
function link(path: string, to: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(to, path);
}

describe('archives', () => {
  test.each([
    ['that climbs', () => `../../${basename(victim)}`],
    ['that is absolute', () => victim],
    ['that Windows keeps', () => 'con'],
    ['with a folder', () => 'a/b'],
    ['that is hidden', () => '.hidden'],
  ])('an id %s is refused, and nothing is deleted by it', async (_what, id) => {
    const from = workspaces.open();
    await addRecording(from.workspace, { id: 'aaaa' });
    const tar = join(folders.make(), 'a.tar');
    await write(from, tar);
    // The manifest with one id more; its header says its new length.
    const bytes = readFileSync(tar);
    const size = Number.parseInt(bytes.toString('latin1', 512 + 124, 512 + 135), 8);
    const manifest = JSON.parse(bytes.toString('utf8', 1024, 1024 + size));
    manifest.recordings.push(id());
    const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
    const { tarHeader, padding } = await import('./tar.ts');
    const rest = bytes.subarray(1024 + size + padding(size));
    const header = tarHeader({ path: 'workspace/archive.json', size: text.length, kind: 'file' });
    writeFileSync(tar, Buffer.concat([bytes.subarray(0, 512), header, text, Buffer.alloc(padding(text.length)), rest]));
    expect(await harmless(() => take(both, tar), both.workspace.dir)).toEqual(BAD);
    expect(await both.workspace.listRecordings()).toEqual([]);
  });

  test('an id that is only named takes nothing from the recording that is here', async () => {
    const from = workspaces.open();
    await addRecording(from.workspace, { id: 'aaaa' });
    await addRecording(from.workspace, { id: 'bbbb' });
    const tar = join(folders.make(), 'a.tar');
    await write(from, tar, { recordings: ['aaaa'] });
    const folder = await addRecording(both.workspace, { id: 'aaaa' });
    link(join(folder, 'history.jsonl'), join(victim, 'history.jsonl'));
    link(join(folder, 'annotation.json'), join(victim, 'annotation.json'));
    await harmless(() => take(both, tar), folder);
  });

  test.skipIf(process.platform === 'win32')('a pipe is no archive, and nothing waits for its writer', async () => {
    const pipe = join(folders.make(), 'a.tar');
    execFileSync('mkfifo', [pipe]);
    expect(await isArchive(pipe)).toBe(false);
    await expect(take(both, pipe)).rejects.toEqual(BAD);
    for (const kind of ['recording', 'video', 'ducktrack', 'naturalgaia'] as const) {
      const ffmpeg = () => Promise.reject(new Error('not asked'));
      const { documents } = both;
      await expect(importAny(both.workspace, pipe, { ...calm, kind, documents, ffmpeg, version: '1' })).rejects.toEqual(
        BAD,
      );
    }
  });
});

describe.skipIf(process.platform === 'win32')('a recording folder that was copied in', () => {
  const PLACES = [
    'recording.json',
    'events.jsonl',
    'frames.jsonl',
    'windows.jsonl',
    'screen.mkv',
    'screen.mp4',
    'keyframes',
    'keyframes/0.png',
    'keyframes/index.json',
    'attachments/notes.txt',
    'attachments',
    'derived',
    'annotation.json',
    '.capture.pid',
  ];

  test.each(PLACES)('with a link as %s is not listed, and says why', async (place) => {
    const made = await addRecording(both.workspace, { id: 'aaaa' });
    const folder = `${made}-copy`;
    renameSync(made, folder);
    link(join(folder, place), place.includes('.') ? secret : victim);
    const found = await both.workspace.syncIndex();
    expect(found.unreadable).toMatchObject([{ folder, message: expect.stringContaining('is a link') }]);
    expect(await both.workspace.listRecordings()).toEqual([]);
  });

  test.each(PLACES.slice(1))('with a link as %s once it is listed: no export takes what it leads to', async (place) => {
    const folder = await addRecording(both.workspace, { id: 'aaaa' });
    writeFileSync(join(folder, 'screen.mkv'), 'video');
    link(join(folder, place), place.includes('.') ? secret : victim);
    const out = join(folders.make(), 'out');
    await harmless(() => exportAll(out), out);
    await harmless(
      () => freezeVersion(both.workspace, { name: 'v1', changelog: '', filter: {} }, { toolVersion: '1' }),
      out,
    );
    await harmless(() => write(both, join(out, 'a.tar')), out);
    await harmless(() => exportRecording(both.workspace, 'aaaa', join(out, 'r'), { ...calm, carried: [] }), out);
    await harmless(() => openFolder(folder), out);
    await harmless(() => trashRecording(both.workspace, 'aaaa'), out);
  });

  test.each(FORMATS.map(({ name }) => name))('a list of stills that leads elsewhere: not in %s', async (name) => {
    const folder = await addRecording(both.workspace, { id: 'aaaa' });
    const index = join(folder, 'keyframes', 'index.json');
    const wanted = `${'../'.repeat(8)}${secret.slice(1)}`;
    writeFileSync(index, readFileSync(index, 'utf8').replaceAll('"0.png"', JSON.stringify(wanted)));
    const out = join(folders.make(), 'out');
    const only = FORMATS.filter((format) => format.name === name);
    // Left out by name, with the reason, as any recording that cannot be read.
    const reason = expect.stringContaining('keyframes/index.json');
    expect(await harmless(() => exportAll(out, only), out)).toMatchObject({
      code: 'NOTHING_TO_EXPORT',
      message: expect.stringContaining('recording aaaa'),
      details: { leftOut: [{ from: 'recording aaaa', reason }] },
    });
    const wishes = {
      formats: only.map((one) => ({ name: one.name, parts: one.parts.map((part) => part.name) })),
      all: true,
    };
    const preview = await previewOf(both.workspace, { ...wishes, source: { kind: 'filter', filter: {} } });
    expect(preview).toMatchObject({ tasks: 0, leftOut: [{ from: 'recording aaaa', reason }] });
  });

  test('with a link as its events is not recovered: no line is cut from what it leads to', async () => {
    const folder = writeSample(both.workspace.recordingsDir, sampleRecording({ id: 'aaaa', state: 'recording' }), []);
    link(join(folder, 'events.jsonl'), secret);
    link(join(folder, 'keyframes'), victim);
    expect(await harmless(() => recoverRecording(folder), join(folder, 'none'))).toEqual(BAD);
  });
});

describe('a workspace from somebody else', () => {
  /** Says of a file of a task that it is `file`. */
  async function noted(file: string): Promise<void> {
    await addRecording(both.workspace, { id: 'aaaa', task: 'GIMP_1' });
    const row = { id: 'evil', task_id: 'GIMP_1', role: 'material', name: 'a.txt', file, bytes: 1, mime: 'text/plain' };
    await sqlOf(both.workspace.store)
      .insertInto('attachments')
      .values({ ...row, created_at: '2026-01-01T00:00:00Z' })
      .execute();
  }

  test.each(['up', 'absolute', 'link', 'folder link', 'database'])(
    'a file of a task that is not one of attachments/ (%s) is neither removed, read nor archived',
    async (how) => {
      const { dir } = both.workspace;
      if (how === 'link') link(join(dir, 'attachments', 'GIMP_1', 'a.txt'), secret);
      if (how === 'folder link') link(join(dir, 'attachments'), victim);
      const file = {
        up: `attachments/../../${basename(victim)}/id_rsa`,
        absolute: secret,
        link: 'attachments/GIMP_1/a.txt',
        'folder link': 'attachments/id_rsa',
        database: 'studio.sqlite',
      }[how]!;
      await noted(file);
      const out = join(folders.make(), 'out');
      mkdirSync(out);
      await expect(findAttachment(both.workspace, 'evil')).rejects.toEqual(BAD);
      await harmless(async () => {
        const { leftOut } = await write(both, join(out, 'a.tar'));
        expect(leftOut).toEqual([expect.stringContaining('the file "a.txt" of task GIMP_1')]);
      }, out).then((thrown) => expect(thrown).toBeNull());
      expect(await harmless(() => exportAll(join(out, 'all')), out)).toEqual(BAD);
      await harmless(
        () => freezeVersion(both.workspace, { name: 'v1', changelog: '', filter: {} }, { toolVersion: '1' }),
        out,
      );
      await harmless(() => detach(both.workspace, 'evil'), out);
      expect(existsSync(join(dir, 'studio.sqlite'))).toBe(true);
      expect(await sqlOf(both.workspace.store).selectFrom('attachments').selectAll().execute()).toEqual([]);
    },
  );

  test('a recording whose folder lies elsewhere is unknown: it is not moved to the trash', async () => {
    await addRecording(both.workspace, { id: 'aaaa' });
    const folder = `../../${basename(victim)}`;
    await sqlOf(both.workspace.store).updateTable('recordings').set({ folder }).execute();
    expect(
      await harmless(() => trashRecording(both.workspace, 'aaaa'), join(both.workspace.dir, 'trash')),
    ).toMatchObject({
      code: 'UNKNOWN_RECORDING',
    });
    expect(await both.workspace.indexedRecordings()).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'folders that are links: nothing is listed, written or tidied up there',
    async () => {
      const { dir } = both.workspace;
      await addRecording(both.workspace, { id: 'aaaa' });
      for (const name of ['evaluations', 'versions', 'trash']) link(join(dir, name), victim);
      const body = new Blob(['{}']).stream();
      expect(await harmless(() => receivePredictions(both.workspace, body), dir)).toEqual(BAD);
      expect(await harmless(() => listVersions(both.workspace), dir)).toEqual(BAD);
      expect(await harmless(() => listRuns(both.workspace), dir)).toEqual(BAD);
      expect(await harmless(() => listQuestionSets(both.workspace), dir)).toEqual(BAD);
      expect(await harmless(() => trashRecording(both.workspace, 'aaaa'), dir)).toEqual(BAD);
      expect(await harmless(() => restoreRecording(both.workspace, 'aaaa'), dir)).toEqual(BAD);
      expect(lstatSync(join(dir, 'trash')).isSymbolicLink()).toBe(true);
    },
  );

  test.skipIf(process.platform === 'win32')('questions from elsewhere bring no picture that is a link', async () => {
    const place = folders.make();
    const file = writeLines(place, 'Q.jsonl', [head(), question('a', clickAt(1, 1), { images: ['Q.images/a.png'] })]);
    link(join(place, 'Q.images', 'a.png'), secret);
    expect(await harmless(() => takeQuestionSet(both.workspace, { paths: [file] }), both.workspace.dir)).toEqual(BAD);
  });
});
