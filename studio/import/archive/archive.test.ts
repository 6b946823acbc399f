import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { labelId } from '../../../core/annotate/ids.ts';
import { emptyLabel } from '../../../core/annotate/label.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { assignSplits, tagRecordings } from '../../datasets/tags.ts';
import { padding, TAR_BLOCK, tarHeader } from '../../files/tar.ts';
import { attach, listAttachments } from '../../store/attachments.ts';
import { readSplits, readTags } from '../../store/curation.ts';
import { sampleRecording, setStateForTests, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { sqlOf } from '../../store/store.ts';
import type { Workspace } from '../../store/workspace.ts';
import { LIMITS } from '../limits.ts';
import { calm, take, workspacesIn, write } from './bench-for-tests.ts';
import { checkArchive, isArchive } from './read-archive.ts';

const folders = temporaryFolders();
let elsewhere: string;
const workspaces = workspacesIn(folders);
const workspaceOf = workspaces.open;
beforeEach(() => {
  elsewhere = folders.make();
});
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});

const CLICK = [
  { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
  { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
] as const;

/** Two recordings of two tasks, one annotated, one approved, with a file kept with the first one's task. */
async function filled() {
  const both = workspaceOf();
  const { workspace, documents } = both;
  for (const id of ['20260504-102030-aaaa', '20260504-102030-bbbb']) {
    const task = { id: id.endsWith('aaaa') ? 'GIMP_1' : 'GIMP_2', goal: `Goal of ${id}` };
    const folder = writeSample(workspace.recordingsDir, sampleRecording({ id, task, playback: 'screen.mp4' }), CLICK);
    writeFileSync(join(folder, 'screen.mkv'), Buffer.alloc(300_000, id.at(-1)));
    writeFileSync(join(folder, 'screen.mp4'), 'mp4');
    mkdirSync(join(folder, 'derived'));
    writeFileSync(join(folder, 'derived', 'strange.json'), '{}');
  }
  await workspace.syncIndex();
  const [a, b] = ['20260504-102030-aaaa', '20260504-102030-bbbb'];
  const action = `${a}:0`;
  await documents.get(a);
  const label = { ...emptyLabel(action), id: labelId(action), element: 'Crop tool' };
  await documents.apply(a, { id: randomUUID(), label: 'Name', changes: [{ op: 'add', record: label }] }, 'me');
  // Before there was a log of reviews, the state was a word of its own (RV2).
  await setStateForTests(workspace, b, 'approved');
  await tagRecordings(workspace, { recordings: [a], add: ['pilot', 'long'], remove: [] });
  await assignSplits(workspace, [{ task: 'GIMP_1', split: 'test' }], 'hand');
  await sqlOf(workspace.store)
    .updateTable('tasks')
    .set({ notes: 'from the tutorial', source_url: 'https://example.org/v' })
    .where('id', '=', 'GIMP_1')
    .execute();
  await attach(workspace, {
    task: 'GIMP_1',
    role: 'material',
    name: 'notes.txt',
    body: Readable.from([Buffer.from('hello')]),
  });
  return both;
}

const hidden = (workspace: Workspace): string[] =>
  readdirSync(workspace.recordingsDir).filter((name) => name.startsWith('.'));

describe('a workspace as one archive', () => {
  test('comes back elsewhere: recordings, annotation, states, tasks with their words and files', async () => {
    const from = await filled();
    const out = join(elsewhere, 'w.tar');
    const written = await write(from, out);
    expect(written).toMatchObject({
      recordings: ['20260504-102030-aaaa', '20260504-102030-bbbb'],
      leftOut: [],
      resumed: 0,
    });
    expect(await isArchive(out)).toBe(true);
    expect(await checkArchive(out, calm)).toMatchObject({ files: written.files });
    const to = workspaceOf();
    const taken = await take(to, out);
    expect(taken).toMatchObject({ recordings: written.recordings, known: [], warnings: [] });
    const [a, b] = (await to.workspace.listRecordings()).toSorted((x, y) => (x.id < y.id ? -1 : 1));
    expect([a?.state, b?.state]).toEqual(['annotating', 'approved']);
    expect([...(await readTags(to.workspace.store))]).toEqual([[a!.id, ['long', 'pilot']]]);
    expect([...(await readSplits(to.workspace.store))]).toEqual([['GIMP_1', 'test']]);
    const labels = (await to.documents.get(a!.id)).records.flatMap((record) =>
      record.kind === 'label' ? [record.element] : [],
    );
    expect(labels).toEqual(['Crop tool']);
    const task = await sqlOf(to.workspace.store)
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', 'GIMP_1')
      .executeTakeFirstOrThrow();
    expect(task).toMatchObject({ notes: 'from the tutorial', source_url: 'https://example.org/v' });
    expect(await listAttachments(to.workspace.store, 'GIMP_1')).toMatchObject([
      { name: 'notes.txt', mime: 'text/plain', bytes: 5 },
    ]);
    expect(existsSync(join(a!.folder, 'derived', 'strange.json'))).toBe(false);
    expect(hidden(to.workspace)).toEqual([]);
    // Out of the copy again: the same recordings, byte for byte.
    const again = join(elsewhere, 'again.tar');
    await write(to, again);
    expect(createHash('sha256').update(readFileSync(again)).digest('hex')).toBe(
      createHash('sha256').update(readFileSync(out)).digest('hex'),
    );
  });

  test("the system's own tar reads it, and some recordings take only their tasks along", async () => {
    const from = await filled();
    const out = join(elsewhere, 'w.tar');
    await write(from, out, { recordings: ['20260504-102030-bb'] });
    const names = execFileSync('tar', ['-tf', out]).toString().split('\n');
    expect(names.slice(0, 3)).toEqual(['workspace/', 'workspace/archive.json', 'workspace/library.json']);
    expect(names.some((name) => name.includes('aaaa') || name.includes('attachments'))).toBe(false);
    const library = JSON.parse(execFileSync('tar', ['-xOf', out, 'workspace/library.json']).toString());
    expect(library.tasks.map(({ id }: { id: string }) => id)).toEqual(['GIMP_2']);
  });

  test('what is here already stays, and is told; importing twice adds nothing', async () => {
    const from = await filled();
    const out = join(elsewhere, 'w.tar');
    await write(from, out);
    const to = workspaceOf();
    await take(to, out);
    expect(await take(to, out)).toMatchObject({
      recordings: [],
      known: ['20260504-102030-aaaa', '20260504-102030-bbbb'],
    });
    expect(await listAttachments(to.workspace.store, 'GIMP_1')).toHaveLength(1);
  });

  test('an export that was stopped goes on after what is right, and gives the same bytes', async () => {
    const from = await filled();
    const [whole, out] = [join(elsewhere, 'whole.tar'), join(elsewhere, 'w.tar')];
    await write(from, whole);
    const control = new AbortController();
    const report = (share: number, message: string): void =>
      void (message === 'writing' && share > 0.6 && control.abort());
    await expect(write(from, out, { signal: control.signal, report })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(readdirSync(elsewhere).sort()).toEqual(['w.tar.part', 'whole.tar']);
    const { resumed } = await write(from, out);
    expect(resumed).toBeGreaterThan(250_000);
    expect(readFileSync(out).equals(readFileSync(whole))).toBe(true);
  });

  test('a half-written file with other content is not trusted', async () => {
    const from = await filled();
    const [whole, out] = [join(elsewhere, 'whole.tar'), join(elsewhere, 'w.tar')];
    await write(from, whole);
    const spoilt = readFileSync(whole);
    spoilt.fill(1, 20_000, 21_000);
    writeFileSync(`${out}.part`, spoilt);
    await write(from, out);
    expect(readFileSync(out).equals(readFileSync(whole))).toBe(true);
  });

  test('an archive that was not copied whole: what came waits aside, unseen, and the whole one goes on after it', async () => {
    const from = await filled();
    const out = join(elsewhere, 'w.tar');
    const { bytes } = await write(from, out);
    const cut = join(elsewhere, 'cut.tar');
    writeFileSync(cut, readFileSync(out).subarray(0, Math.floor(bytes * 0.7)));
    const to = workspaceOf();
    await expect(take(to, cut)).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining('import it again to go on'),
    });
    expect(await to.workspace.listRecordings()).toEqual([]);
    expect(hidden(to.workspace)).toHaveLength(1);
    const { resumed, recordings } = await take(to, out);
    expect(resumed).toBeGreaterThan(250_000);
    expect(recordings).toHaveLength(2);
    expect(hidden(to.workspace)).toEqual([]);
  });

  test('stopped, it goes on; what lies aside and was spoilt meanwhile is taken anew', async () => {
    const from = await filled();
    const out = join(elsewhere, 'w.tar');
    await write(from, out);
    const to = workspaceOf();
    const control = new AbortController();
    const report = (_share: number, message: string): void => void (message.startsWith('checking') && control.abort());
    await expect(take(to, out, { signal: control.signal, report })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await to.workspace.listRecordings()).toEqual([]);
    const [staging] = hidden(to.workspace);
    writeFileSync(
      join(to.workspace.recordingsDir, staging!, 'recordings', '20260504-102030-aaaa', 'screen.mkv'),
      Buffer.alloc(300_000, 'x'),
    );
    await take(to, out);
    const video = readFileSync(join(to.workspace.recordingsDir, '20260504-102030-aaaa', 'screen.mkv'));
    expect(video.equals(Buffer.alloc(300_000, 'a'))).toBe(true);
  });
});

type Made = { path: string; content?: string | Buffer; type?: string; top?: string; size?: number };

/** A hand-made archive: what `manifest` says (by default the truth), and what really stands in it. */
function made(
  entries: Made[],
  manifest: (files: object[]) => object = (files) => ({ files }),
  recordings = ['r1'],
): string {
  const file = join(elsewhere, `${randomUUID()}.tar`);
  const files = entries.map(({ path, content = '' }) => {
    const bytes = Buffer.from(content);
    return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  const head = {
    schema: 'trajectory-studio/archive',
    version: 1,
    tool: { name: 't', version: '1' },
    recordings,
    ...manifest(files),
  };
  const blocks = [tarHeader({ path: 'workspace/', size: 0, kind: 'folder' })];
  for (const { path, content = '', type, top = 'workspace', size } of [
    { path: 'archive.json', content: JSON.stringify(head) },
    ...entries,
  ] as Made[]) {
    const bytes = Buffer.from(content);
    const header = tarHeader({ path: `${top}/${path}`, size: size ?? bytes.length, kind: 'file' });
    if (type !== undefined) header.write(type, 156, 'latin1');
    const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    blocks.push(header, bytes, Buffer.alloc(padding(bytes.length)));
  }
  writeFileSync(file, Buffer.concat([...blocks, Buffer.alloc(2 * TAR_BLOCK)]));
  return file;
}

const LIBRARY = { path: 'library.json', content: '{"software":[],"tasks":[],"recordings":[],"attachments":[]}' };

describe('what no import would take is not put into an archive', () => {
  test('a recording that was not closed, or whose name is another’s on some systems, is left out with the reason', async () => {
    const { workspace } = workspaceOf();
    for (const id of ['rec-a', 'rec-A']) writeSample(workspace.recordingsDir, sampleRecording({ id }));
    writeSample(
      workspace.recordingsDir,
      sampleRecording({ id: 'open', state: 'recording', verdict: null, span: null }),
    );
    await workspace.syncIndex();
    const out = join(elsewhere, 'w.tar');
    const { recordings, leftOut } = await write({ workspace }, out);
    expect(recordings).toEqual(['rec-A']);
    expect(leftOut).toEqual([
      'open: it was not closed; `recover` closes it',
      'rec-a: on some systems it is the same name as rec-A',
    ]);
    expect((await take(workspaceOf(), out)).recordings).toEqual(['rec-A']);
  });

  test('words and names beyond what is taken are said before anything is written', async () => {
    const { workspace } = workspaceOf();
    const folder = writeSample(workspace.recordingsDir, sampleRecording({ id: 'rec-a' }));
    await workspace.syncIndex();
    await sqlOf(workspace.store)
      .updateTable('tasks')
      .set({ goal: 'x'.repeat(20_001) })
      .execute();
    const out = join(elsewhere, 'w.tar');
    await expect(write({ workspace }, out)).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(
        /^No archive was made, since no import would take it: tasks "\w+", field `goal`: /,
      ),
    });
    await sqlOf(workspace.store).updateTable('tasks').set({ goal: 'x' }).execute();
    mkdirSync(join(folder, 'attachments'));
    for (const name of ['A.png', 'a.png']) writeFileSync(join(folder, 'attachments', name), name);
    await expect(write({ workspace }, out)).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining('stands in it twice'),
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('what a stranger may send as an archive', () => {
  async function refusal(path: string, more: object = {}): Promise<StudioError> {
    const to = workspaceOf();
    const before = readdirSync(elsewhere).sort();
    const error: unknown = await take(to, path, more).catch((thrown: unknown) => thrown);
    expect(readdirSync(to.workspace.recordingsDir)).toEqual([]);
    expect(
      readdirSync(to.workspace.dir)
        .filter((name) => !name.startsWith('studio.sqlite'))
        .sort(),
    ).toEqual(['exports', 'recordings']);
    expect(await to.workspace.listTasks()).toEqual([]);
    expect(readdirSync(elsewhere).sort()).toEqual(before);
    if (error instanceof StudioError) return error;
    throw new Error(`It was not refused, or not by one of ours: ${String(error)}`);
  }
  const x = { path: 'recordings/r1/events.jsonl', content: 'x' };
  const named = (path: string) => (files: object[]) => ({
    files: [...files, { path, bytes: 1, sha256: '0'.repeat(64) }],
  });
  const cases: [what: string, make: () => string, message: string][] = [
    ['a path that climbs', () => made([LIBRARY], named('recordings/r1/../../../evil')), 'leads elsewhere'],
    ['an absolute path', () => made([LIBRARY], named('/etc/evil')), 'absolute'],
    ['a back slash', () => made([LIBRARY], named('recordings/r1/..\\evil')), 'no file name may hold'],
    ['a place of its own', () => made([LIBRARY], named('studio.sqlite')), 'has no place in an archive'],
    ['a hidden file', () => made([LIBRARY], named('recordings/r1/.capture.pid')), 'has no place in an archive'],
    [
      'what is trusted as it stands',
      () => made([LIBRARY], named('recordings/r1/derived/opened.json')),
      'has no place in an archive',
    ],
    [
      'a recording that it does not name',
      () => made([LIBRARY, { path: 'recordings/r2/events.jsonl', content: 'x' }]),
      'has no place in an archive',
    ],
    [
      'two spellings of one name',
      () => made([LIBRARY, x, { ...x, path: 'recordings/r1/Events.jsonl' }]),
      'stands in it twice',
    ],
    [
      'a file that is a folder',
      () => made([LIBRARY, x, { ...x, path: `${x.path}/y` }]),
      'stands in it as a file and as a folder',
    ],
    ['a file twice', () => made([LIBRARY, x, x], (files) => ({ files: files.slice(0, 2) })), 'stands in it twice'],
    [
      'a file that it does not name',
      () => made([LIBRARY, x], (files) => ({ files: files.slice(0, 1) })),
      'not among the files that it names',
    ],
    ['a file that is not there', () => made([LIBRARY], named('recordings/r1/frames.jsonl')), 'is named but not in it'],
    ['a file in another folder', () => made([LIBRARY, { ...x, top: '..' }]), 'not among the files that it names'],
    ['a link', () => made([LIBRARY, { ...x, type: '2' }]), 'is a link'],
    ['a device', () => made([LIBRARY, { ...x, type: '3' }]), 'type "3"'],
    [
      'a wrong hash',
      () => made([LIBRARY, x], (files) => ({ files: files.map((file) => ({ ...file, sha256: '0'.repeat(64) })) })),
      'its hash differs',
    ],
    [
      'a wrong size',
      () =>
        made([LIBRARY, x], (files) => ({ files: files.map((file, at) => (at === 1 ? { ...file, bytes: 7 } : file)) })),
      'not the 7 that it should',
    ],
    ['no library', () => made([x]), 'no library.json'],
    ['a library that is none', () => made([{ path: 'library.json', content: '{}' }]), 'library.json: software'],
    [
      'a library in broken UTF-8',
      () => made([{ path: 'library.json', content: Buffer.from([0x22, 0xff, 0x22]) }]),
      'not UTF-8',
    ],
    ['a recording that is none', () => made([LIBRARY, x]), 'Recording r1 of the archive: It is no recording'],
    [
      'a size beyond all disks',
      () =>
        made([LIBRARY], (files) => ({ files: [...files, { path: x.path, bytes: 2 ** 52, sha256: '0'.repeat(64) }] })),
      'GB large',
    ],
    ['another schema', () => made([LIBRARY], (files) => ({ files, schema: 'other' })), 'archive.json: schema'],
    ['a later version', () => made([LIBRARY], (files) => ({ files, version: 9 })), 'version 9'],
  ];
  test.each(cases)('%s: refused by name, and nothing is kept', async (_what, make, message) => {
    const error = await refusal(make());
    expect(error.message).toContain(message);
    expect(['BAD_FILE', 'FUTURE_VERSION']).toContain(error.code);
  });

  test('a million entries are refused before the first is written', async () => {
    const sha256 = '0'.repeat(64);
    // A true million: their list alone is longer than what is read of archive.json, so nobody even parses it.
    const entry = `{"path":"recordings/r1/0","bytes":0,"sha256":"${sha256}"},`;
    const list = Buffer.from(`{"schema":"trajectory-studio/archive","version":2,"files":[${entry.repeat(1_000_000)}`);
    const file = join(elsewhere, 'million.tar');
    const head = tarHeader({ path: 'workspace/archive.json', size: list.length, kind: 'file' });
    writeFileSync(file, Buffer.concat([tarHeader({ path: 'workspace/', size: 0, kind: 'folder' }), head, list]));
    expect((await refusal(file)).message).toContain('archive.json is larger than');
    // As many as archive.json may be long enough for, with room to spare: counted, and too many.
    const many = Array.from({ length: 300_000 }, (_, at) => ({ path: `recordings/r1/${at}`, bytes: 0, sha256 }));
    expect((await refusal(made([LIBRARY], (files) => ({ files: [...files, ...many] })))).message).toContain(
      'more than 200000 files',
    );
    const entries = Array.from({ length: 40 }, (_, at) => ({ path: `recordings/r1/${at}.txt`, content: 'x' }));
    const limits = { ...LIMITS, entries: 20 };
    expect((await refusal(made([LIBRARY, ...entries]), { limits })).message).toContain('more than 20 files');
  });

  test.each([
    ['archive.json', (lists: object) => made([LIBRARY], (files) => ({ files, lists }))],
    ['library.json', (lists: object) => made([{ path: 'library.json', content: JSON.stringify({ lists }) }])],
  ])('%s of millions of empty lists is refused before it is made objects', async (name, make) => {
    const lists = Array.from({ length: 5_000_001 }, () => 0);
    expect((await refusal(make(lists))).message).toMatch(new RegExp(`${name}: it holds more than [0-9]+ values`));
  });

  test('a manifest of 2 GB is refused unread', async () => {
    const file = join(elsewhere, 'huge.tar');
    const handle = openSync(file, 'w');
    writeSync(handle, tarHeader({ path: 'workspace/', size: 0, kind: 'folder' }));
    writeSync(handle, tarHeader({ path: 'workspace/archive.json', size: 2 ** 31, kind: 'file' }));
    ftruncateSync(handle, 2 ** 31);
    closeSync(handle);
    const before = process.memoryUsage().rss;
    expect((await refusal(file)).message).toContain('archive.json is larger than');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
    rmSync(file);
  });

  test('what is no archive at all', async () => {
    const file = join(elsewhere, 'a.tar');
    writeFileSync(file, Buffer.alloc(4096, 65));
    expect((await refusal(file)).message).toContain('no .tar');
    writeFileSync(file, '');
    expect((await refusal(file)).message).toContain('no workspace archive');
    const cut = made([LIBRARY, x]);
    truncateSync(cut, 1100);
    expect((await refusal(cut)).message).toContain('ends inside archive.json');
  });
});
