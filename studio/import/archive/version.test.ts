import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { nameElement } from '../../../core/annotate/edit.ts';
import { FORMATS } from '../../../core/export/formats.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { writePictureMaster } from '../../../native/ffmpeg/picture-master.ts';
import { runExport } from '../../datasets/export/exports.ts';
import { freezeVersion } from '../../datasets/freeze.ts';
import { assignSplits, tagRecordings } from '../../datasets/tags.ts';
import { listVersions, readVersion, VERSIONS_FOLDER } from '../../datasets/versions.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { attach } from '../../store/attachments.ts';
import { readRecording, writeRecording } from '../../store/recording-folder.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { type Both, calm, take, workspacesIn, write as writeArchive } from './bench-for-tests.ts';
import { checkArchive } from './read-archive.ts';

const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
const workspaceOf = workspaces.open;
let elsewhere: string;
beforeEach(() => {
  elsewhere = folders.make();
});
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});

async function name({ documents }: Both, recording: string, element: string, person = 'Bo'): Promise<void> {
  const { steps } = await documents.openRecording(recording);
  const records = toRecords((await documents.get(recording)).records);
  const changes = nameElement(records, steps[0]!.id, element, 'hand');
  await documents.apply(recording, { id: randomUUID(), label: 'Name', changes }, person);
}

const freeze = ({ workspace }: Both, called: string, filter = {}) =>
  freezeVersion(workspace, { name: called, changelog: `What ${called} is`, filter }, { toolVersion: '1' });
const write = (from: Both, out: string, dataset: string | null) => writeArchive(from, out, { dataset });

/** Makes a master of a recording's stills, so that they can be cut from it again. */
async function film(folder: string): Promise<void> {
  const size = { width: 64, height: 40 };
  const times = [0, 1, 2];
  async function* pictures() {
    for (const t of times) {
      const file = join(folder, 'keyframes', `${t}.png`);
      const bgr0 = await sharp(file).ensureAlpha().raw().toBuffer();
      for (let at = 0; at < bgr0.length; at += 4) [bgr0[at], bgr0[at + 2]] = [bgr0[at + 2]!, bgr0[at]!];
      yield { pts: t, bgr0 };
    }
  }
  rmSync(join(folder, 'screen.mkv'), { force: true });
  await writePictureMaster(await findFfmpeg(), join(folder, 'screen.mkv'), size, pictures());
  writeFileSync(join(folder, 'frames.jsonl'), times.map((t) => `${JSON.stringify({ i: t, pts: t, t })}\n`).join(''));
  const segments = [{ index: 0, file: 'screen.mkv', ...size, firstFrame: 0, frames: times.length }];
  writeRecording(folder, { ...readRecording(folder), segments });
}

/** Three recordings; v1 holds two of them, whose tasks are split, one with a file and a person. */
async function home(prepare: (folder: string) => unknown = () => undefined): Promise<Both> {
  const both = workspaceOf();
  const { workspace } = both;
  for (const [at, id] of ['aaaa', 'bbbb', 'cccc'].entries()) {
    const folder = await addRecording(workspace, { id, task: `GIMP_${at + 1}`, screens: [40 + at, 200, 90] });
    writeFileSync(join(folder, 'screen.mkv'), Buffer.alloc(50_000, id));
    if (id === 'aaaa') await prepare(folder);
  }
  await name(both, 'aaaa', 'Crop tool');
  await tagRecordings(workspace, { recordings: ['aaaa', 'bbbb'], add: ['pilot'], remove: [] });
  await assignSplits(
    workspace,
    [
      { task: 'GIMP_1', split: 'train' },
      { task: 'GIMP_2', split: 'test' },
    ],
    'hand',
  );
  const body = (): Readable => Readable.from([Buffer.from('hello')]);
  for (const task of ['GIMP_1', 'GIMP_3'])
    await attach(workspace, { task, role: 'material', name: 'a.txt', body: body() });
  await freeze(both, 'v1', { tags: ['pilot'] });
  return both;
}

/** Every file of exports of a version in every format, by its path: its hash. */
async function exported(
  { workspace }: Both,
  version: string,
  wanted: (name: string) => boolean = () => true,
): Promise<Map<string, string>> {
  const out = join(folders.make(), 'out');
  const formats = FORMATS.filter((format) => wanted(format.name)).map((format) => ({
    name: format.name,
    parts: format.parts.map((part) => part.name),
  }));
  await runExport(workspace, { formats, source: { kind: 'version', name: version }, all: true }, out, {
    toolVersion: '1',
  });
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(out.length), createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

const ONE = (name: string): boolean => name === 'agentnet';

describe('an archive of a frozen version', () => {
  test('holds exactly what the version needs, and its exports elsewhere are the same bytes in every format', async () => {
    const from = await home();
    const out = join(elsewhere, 'v1.tar');
    const written = await write(from, out, 'v1');
    expect(written).toMatchObject({ recordings: ['aaaa', 'bbbb'], dataset: 'v1', leftOut: [] });
    const names = execFileSync('tar', ['-tf', out]).toString();
    expect(names).not.toContain('cccc');
    expect(names).not.toContain('GIMP_3');
    expect(names).toContain('workspace/versions/v1/snapshot.jsonl');
    expect(await checkArchive(out, calm)).toMatchObject({ dataset: 'v1' });
    const to = workspaceOf();
    expect(await take(to, out)).toMatchObject({ dataset: { name: 'v1', known: false }, recordings: ['aaaa', 'bbbb'] });
    expect(listVersions(to.workspace)).toEqual({
      versions: listVersions(from.workspace).versions,
      unreadable: [],
    });
    expect((await to.workspace.listTasks()).map(({ id }) => id)).toEqual(['GIMP_1', 'GIMP_2']);
    const [here, there] = [await exported(from, 'v1'), await exported(to, 'v1')];
    expect(here.size).toBeGreaterThan(50);
    expect(there).toEqual(here);
  }, 120_000);

  test('comes as it was frozen, beside work that went on: the recordings as they are, the version as it was', async () => {
    const from = await home();
    const before = await exported(from, 'v1', ONE);
    await name(from, 'aaaa', 'Another name');
    await name(from, 'bbbb', 'Move tool');
    const out = join(elsewhere, 'v1.tar');
    await write(from, out, 'v1');
    const to = workspaceOf();
    await take(to, out);
    expect(await exported(to, 'v1', ONE)).toEqual(before);
    const labels = (await to.documents.get('aaaa')).records.flatMap((one) =>
      one.kind === 'label' ? [one.element] : [],
    );
    expect(labels).toContain('Another name');
  }, 120_000);

  test('the same version again is passed over; another content under its name is refused before anything is taken', async () => {
    const from = await home();
    const out = join(elsewhere, 'v1.tar');
    await write(from, out, 'v1');
    const to = workspaceOf();
    await take(to, out);
    expect(await take(to, out)).toMatchObject({
      dataset: { name: 'v1', known: true },
      recordings: [],
      known: ['aaaa', 'bbbb'],
    });
    const other = workspaceOf();
    await addRecording(other.workspace, { id: 'dddd', task: 'GIMP_9' });
    await freeze(other, 'V1');
    const refused = await take(other, out).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'TARGET_EXISTS',
      message: expect.stringContaining('There is a version V1 here'),
    });
    expect((await other.workspace.listRecordings()).map(({ id }) => id)).toEqual(['dddd']);
    expect(await take(other, out, { versionAs: 'v1-lab' })).toMatchObject({
      dataset: { name: 'v1-lab', known: false },
    });
    expect(
      listVersions(other.workspace)
        .versions.map((one) => one.name)
        .sort(),
    ).toEqual(['V1', 'v1-lab']);
    const { info } = await readVersion(other.workspace, 'v1-lab');
    expect(info.hash).toBe((await readVersion(from.workspace, 'v1')).info.hash);
    await expect(take(other, out, { versionAs: '../v1' })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('a recording that is here without the frozen stills gets them; one that has others is told', async () => {
    const from = await home(film);
    const [out, all] = [join(elsewhere, 'v1.tar'), join(elsewhere, 'all.tar')];
    await write(from, out, 'v1');
    await write(from, all, null);
    const to = workspaceOf();
    await take(to, all);
    const keyframes = join(to.workspace.recordingsDir, 'aaaa', 'keyframes');
    rmSync(join(keyframes, '1.png'));
    expect((await take(to, out)).warnings.filter((one) => one.includes('frozen') || one.includes('froze'))).toEqual([]);
    expect(await exported(to, 'v1', ONE)).toEqual(await exported(from, 'v1', ONE));
    const odd = workspaceOf();
    await take(odd, all);
    writeFileSync(join(odd.workspace.recordingsDir, 'aaaa', 'keyframes', '1.png'), 'other');
    expect((await take(odd, out)).warnings.join()).toContain('keyframes/1.png of aaaa is another file here');
  }, 120_000);

  test('what the video here does not show is not taken, whatever the archive vouches for', async () => {
    const honest = await home(film);
    const all = join(elsewhere, 'all.tar');
    await write(honest, all, null);
    const forged = await home(async (folder) => {
      await film(folder);
      const still = await sharp(join(folder, 'keyframes', '1.png'))
        .negate()
        .png()
        .toBuffer();
      writeFileSync(join(folder, 'keyframes', '1.png'), still);
      writeFileSync(join(folder, 'screen.mp4'), 'another video');
      writeRecording(folder, { ...readRecording(folder), playback: 'screen.mp4' });
    });
    const out = join(elsewhere, 'forged.tar');
    await write(forged, out, 'v1');
    for (const master of [true, false]) {
      const to = workspaceOf();
      await take(to, all);
      const folder = join(to.workspace.recordingsDir, 'aaaa');
      rmSync(join(folder, 'keyframes', '1.png'));
      if (!master) rmSync(join(folder, 'screen.mkv'));
      const before = readdirSync(folder, { recursive: true }).sort();
      const { warnings } = await take(to, out);
      expect(warnings.join('\n')).toContain(
        master
          ? 'keyframes/1.png of aaaa was not taken: it is another picture than the video'
          : 'keyframes/1.png of aaaa was not taken: the recording here has no video of that moment',
      );
      expect(warnings.join('\n')).toContain('screen.mp4 of aaaa was not taken');
      expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
    }
  }, 120_000);

  test('a version whose stills are no longer those that were frozen makes no archive; a master that is gone is told', async () => {
    const from = await home();
    const folder = join(from.workspace.recordingsDir, 'aaaa');
    const out = join(elsewhere, 'v1.tar');
    // Another file, and a sound one.
    writeFileSync(join(folder, 'frames.jsonl'), '{"i":0,"pts":0,"t":0}\n');
    expect((await write(from, out, 'v1')).leftOut).toEqual([
      'frames.jsonl of aaaa: not as it was frozen; exports of the version do not need it',
    ]);
    rmSync(out);
    writeFileSync(join(folder, 'keyframes', '0.png'), 'other');
    await expect(write(from, out, 'v1')).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining('keyframes/0.png of aaaa is not the file that was frozen'),
    });
    expect(readdirSync(elsewhere)).toEqual([]);
    renameSync(folder, join(elsewhere, 'aaaa'));
    await expect(write(from, out, 'v1')).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
    await expect(write(from, out, 'v7')).rejects.toMatchObject({ code: 'UNKNOWN_FILE' });
  });

  test('a name that Windows keeps cannot be chosen; an old version of such a name goes out under another', async () => {
    const from = await home();
    for (const called of ['con', 'NUL', 'aux.v1'])
      await expect(freeze(from, called)).rejects.toMatchObject({ code: 'USAGE' });
    const versions = join(from.workspace.dir, VERSIONS_FOLDER);
    renameSync(join(versions, 'v1'), join(versions, 'con'));
    const info = join(versions, 'con', 'version.json');
    writeFileSync(info, readFileSync(info, 'utf8').replace('"name": "v1"', '"name": "con"'));
    const out = join(elsewhere, 'con.tar');
    const written = await write(from, out, 'con');
    expect([written.dataset, written.leftOut]).toEqual(['con_', [expect.stringContaining('"con_"')]]);
    const to = workspaceOf();
    expect((await take(to, out)).dataset).toEqual({ name: 'con_', known: false });
    expect(listVersions(to.workspace).versions.map((one) => one.name)).toEqual(['con_']);
  });

  test('stopped on its way in, nothing of the version is seen, and it goes on', async () => {
    const from = await home();
    const out = join(elsewhere, 'v1.tar');
    await write(from, out, 'v1');
    const to = workspaceOf();
    const control = new AbortController();
    const report = (_share: number, message: string): void => void (message.startsWith('checking') && control.abort());
    await expect(take(to, out, { signal: control.signal, report })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(existsSync(join(to.workspace.dir, VERSIONS_FOLDER))).toBe(false);
    expect((await take(to, out)).resumed).toBeGreaterThan(100_000);
    expect(listVersions(to.workspace).versions).toHaveLength(1);
  });
});

describe('a version that a stranger made up is refused, by file and line', () => {
  type Files = Map<string, Buffer>;
  const SNAPSHOT = 'versions/v1/snapshot.jsonl';
  const INFO = 'versions/v1/version.json';
  const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

  /** Unpacks an archive, spoils it, and packs it again with hashes that are right. */
  async function spoilt(spoil: (files: Files, manifest: Record<string, unknown>) => void): Promise<unknown> {
    const from = await home();
    const out = join(elsewhere, 'v1.tar');
    await write(from, out, 'v1');
    execFileSync('tar', ['-xf', out, '-C', elsewhere]);
    const top = join(elsewhere, 'workspace');
    const manifest = JSON.parse(readFileSync(join(top, 'archive.json'), 'utf8'));
    const files: Files = new Map(
      manifest.files.map(({ path }: { path: string }) => [path, readFileSync(join(top, path))]),
    );
    spoil(files, manifest);
    manifest.files = [...files].map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: hashOf(bytes) }));
    for (const [path, bytes] of files) writeFileSync(join(top, path), bytes);
    writeFileSync(join(top, 'archive.json'), JSON.stringify(manifest));
    const packed = join(elsewhere, 'spoilt.tar');
    const paths = ['archive.json', ...files.keys()].map((path) => `workspace/${path}`);
    execFileSync('tar', ['--format=ustar', '--no-recursion', '-cf', packed, '-C', elsewhere, 'workspace', ...paths]);
    const to = workspaceOf();
    const error: unknown = await take(to, packed).catch((thrown: unknown) => thrown);
    expect(await to.workspace.listRecordings()).toEqual([]);
    expect(readdirSync(to.workspace.dir)).not.toContain('versions');
    expect(readdirSync(to.workspace.recordingsDir)).toEqual([]);
    return error;
  }
  /** Changes the snapshot and lets every hash follow. */
  const snapshot =
    (change: (lines: Record<string, unknown>[]) => string) =>
    (files: Files, manifest: Record<string, unknown>): void => {
      const lines = files
        .get(SNAPSHOT)!
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const text = change(lines);
      files.set(SNAPSHOT, Buffer.from(text));
      const hash = hashOf(Buffer.from(text));
      files.set(INFO, Buffer.from(JSON.stringify({ ...JSON.parse(files.get(INFO)!.toString()), hash })));
      manifest.dataset = { name: 'v1', hash };
    };
  /** In its first recording. */
  const changed = (change: (one: Record<string, unknown>) => Record<string, unknown>) =>
    snapshot(([head, one, ...rest]) =>
      [head, change(one!), ...rest].map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  const cases: [what: string, spoil: Parameters<typeof spoilt>[0], message: string][] = [
    [
      'a snapshot of another hash',
      (files) => files.set(SNAPSHOT, Buffer.concat([files.get(SNAPSHOT)!, Buffer.from('\n')])),
      'the snapshot of the version v1 does not have the hash',
    ],
    [
      'a version.json of another version',
      (files) => files.set(INFO, Buffer.from(files.get(INFO)!.toString().replace('"v1"', '"v2"'))),
      'versions/v1/version.json: field `name`',
    ],
    [
      'counts that are not true',
      (files) =>
        files.set(INFO, Buffer.from(files.get(INFO)!.toString().replace('"recordings": 2', '"recordings": 7'))),
      'says 7 recordings, but holds 2',
    ],
    [
      'a version from the future',
      (files) => files.set(INFO, Buffer.from(files.get(INFO)!.toString().replace('"version": 2', '"version": 9'))),
      'versions/v1/version.json has version 9',
    ],
    [
      'a line that is no recording',
      changed((one) => ({ ...one, actions: 'x' })),
      'snapshot.jsonl line 2: field `actions`',
    ],
    ['a line that is no JSON', snapshot(() => '{\n'), 'snapshot.jsonl line 1 is not JSON'],
    [
      'a recording that is not in it',
      changed((one) => ({ ...one, id: 'zzzz' })),
      'holds the recording zzzz, which is not in it',
    ],
    [
      'a still that leads elsewhere',
      changed((one) => ({
        ...one,
        keyframes: (one.keyframes as object[]).map((still) => ({ ...still, file: '../../evil.png' })),
      })),
      '"../../evil.png" is not a name that a still may have',
    ],
    [
      'a still of another hash than it froze',
      changed((one) => ({
        ...one,
        files: (one.files as object[]).map((file) => ({ ...file, sha256: '0'.repeat(64) })),
      })),
      'is not in it as the version v1 froze it',
    ],
    ['a version without its snapshot', (files) => void files.delete(SNAPSHOT), 'holds no versions/v1/snapshot.jsonl'],
    [
      'a file more in the version',
      (files) => {
        files.set('versions/v1/run.sh', Buffer.from('x'));
      },
      'has no place in an archive',
    ],
    [
      'a version that archive.json does not name',
      (_files, manifest) => void delete manifest.dataset,
      'has no place in an archive',
    ],
    [
      'a name that climbs',
      (_files, manifest) => {
        manifest.dataset = { name: '../v1', hash: '0'.repeat(64) };
      },
      'archive.json: dataset.name',
    ],
  ];
  test.each(cases)('%s', async (_what, spoil, message) => {
    const error = await spoilt(spoil);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(BAD_FILE|FUTURE_VERSION)$/),
      message: expect.stringContaining(message),
    });
    expect((error as Error).message).not.toContain('.archive-');
  });
});
