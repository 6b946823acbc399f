import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AnnotationRecord, Change } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { KEYFRAME_RULES_VERSION, type Recording } from '../../schemas/recording.ts';
import { openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { padding, TAR_BLOCK, tarHeader } from '../files/tar.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { sampleRecording, setStateForTests, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { changesBetween, takeAnnotation } from './annotation-file.ts';
import { carriedTexts } from './carried.ts';
import { exportRecording } from './export-recording.ts';
import { importRecording } from './import-recording.ts';
import { LIMITS } from './limits.ts';
import { takeCarried } from './take-carried.ts';

let workspace: Workspace;
let elsewhere: string;
const folders = freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(() => {
  elsewhere = folders.make();
});

const EVENTS: RawEvent[] = [
  { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
  { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
];

/** A whole recording folder somewhere else. */
function strange(changes: Partial<Recording> = {}): string {
  const folder = writeSample(elsewhere, sampleRecording({ playback: 'screen.mp4', ...changes }), EVENTS);
  writeFileSync(join(folder, 'frames.jsonl'), '{"i":0,"pts":0,"t":600000}\n');
  writeFileSync(join(folder, 'windows.jsonl'), '{"t":1,"title":"GIMP","app":"gimp","pid":7,"id":"1","bounds":null}\n');
  writeFileSync(join(folder, 'screen.mkv'), Buffer.alloc(70_000, 7));
  writeFileSync(join(folder, 'screen.mp4'), 'mp4');
  mkdirSync(join(folder, 'keyframes'));
  writeFileSync(join(folder, 'keyframes', '600000.png'), 'png');
  return folder;
}

const options = { signal: new AbortController().signal, report: () => undefined, carried: [] };
const take = (path: string) => importRecording(workspace, path, options);

/** A tar of one folder, or of hand-made entries. */
function tar(entries: { path: string; content?: string; type?: string }[]): string {
  const file = join(elsewhere, `${randomUUID()}.tar`);
  const blocks = entries.flatMap(({ path, content = '', type }) => {
    const header = tarHeader({ path, size: Buffer.byteLength(content), kind: 'file' });
    if (type !== undefined) header.write(type, 156, 'latin1');
    const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return [header, Buffer.from(content), Buffer.alloc(padding(Buffer.byteLength(content)))];
  });
  writeFileSync(file, Buffer.concat([...blocks, Buffer.alloc(2 * TAR_BLOCK)]));
  return file;
}

/** Every file of a folder with the hash of its content. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file): [string, string] => [
        relative(folder, file),
        createHash('sha256').update(readFileSync(file)).digest('hex'),
      ])
      .toSorted(),
  );
}

/** The refusal, after a look that nothing of the import is left. */
async function refusal(path: string): Promise<StudioError> {
  const before = readdirSync(workspace.recordingsDir);
  const error: unknown = await take(path).catch((thrown: unknown) => thrown);
  expect(readdirSync(workspace.recordingsDir)).toEqual(before);
  if (error instanceof StudioError) return error;
  throw new Error(`It was not refused, or not by one of ours: ${String(error)}`);
}

describe('import', () => {
  test('a folder is taken as it is, but for hidden files and what is made again; its task comes along', async () => {
    const folder = strange({ person: 'Ada' });
    const wanted = contents(folder);
    writeFileSync(join(folder, '.capture.pid'), '1');
    mkdirSync(join(folder, 'derived'));
    writeFileSync(join(folder, 'derived', 'opened.json'), '{"trusted":true}');
    const { entry, warnings } = await take(folder);
    expect(entry).toMatchObject({ id: '3f2a9c1e', task: 'GIMP_1', app: 'gimp', state: 'recorded', person: 'Ada' });
    expect(warnings).toEqual([]);
    expect(contents(entry.folder)).toEqual(wanted);
    expect(existsSync(folder)).toBe(true);
  });

  test('of what is still to be forgotten no copy is made, neither in nor out', async () => {
    const folder = strange({ person: 'Ada' });
    const { entry } = await take(folder);
    for (const one of [folder, entry.folder]) writeFileSync(join(one, '.forget.json'), '{"from":1,"to":2}');
    await expect(exportRecording(workspace, entry.id, join(elsewhere, 'out'), options)).rejects.toThrow(
      'still to be forgotten',
    );
    execFileSync('tar', ['-cf', join(elsewhere, 'by-hand.tar'), '-C', dirname(folder), basename(folder)]);
    for (const one of [folder, join(elsewhere, 'by-hand.tar')])
      expect((await refusal(one)).message).toMatch(/is still to be forgotten, so no copy of it is made/);
    expect(existsSync(join(elsewhere, 'out'))).toBe(false);
  });

  test.each(['folder', 'take.tar'])(
    'what is exported as %s and imported elsewhere is the same, byte for byte',
    async (name) => {
      const { entry } = await take(strange());
      const out = join(elsewhere, name);
      await exportRecording(workspace, entry.id, out, options);
      const other = openWorkspace(folders.make(), { create: true });
      try {
        const { entry: back } = await importRecording(other, out, options);
        expect(back.id).toBe(entry.id);
        expect(contents(back.folder)).toEqual(contents(entry.folder));
      } finally {
        other.close();
      }
    },
  );

  test('an archive of the same recording has the same bytes', async () => {
    const { entry } = await take(strange());
    const [a, b] = [join(elsewhere, 'a.tar'), join(elsewhere, 'b.tar')];
    await exportRecording(workspace, entry.id, a, options);
    await exportRecording(workspace, entry.id, b, options);
    expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
  });

  test("an archive by the system's own tar is taken too", async () => {
    const folder = strange();
    const file = join(elsewhere, 'own.tar');
    execFileSync('tar', ['--format=ustar', '-cf', file, '-C', elsewhere, '3f2a9c1e']);
    expect((await take(file)).entry.id).toBe('3f2a9c1e');
    expect(contents(join(workspace.recordingsDir, '3f2a9c1e'))).toEqual(contents(folder));
  });

  test('a recording without its video is taken with a warning', async () => {
    const folder = strange();
    rmSync(join(folder, 'screen.mkv'));
    expect((await take(folder)).warnings).toEqual([expect.stringContaining('screen.mkv is missing')]);
  });

  test('one that a crash left open is closed, its torn last line left out', async () => {
    const folder = strange({ state: 'recording', span: null, verdict: null, segments: [], playback: null });
    appendFileSync(join(folder, 'events.jsonl'), '{"type":"mo');
    const { entry } = await take(folder);
    expect(entry).toMatchObject({ phase: 'closed', verdict: expect.stringMatching(/recovered|damaged/) });
  });

  test('an id that is here already is told, and nothing is written over', async () => {
    const folder = strange();
    await take(folder);
    writeFileSync(join(folder, 'screen.mp4'), 'another');
    expect(await refusal(folder)).toMatchObject({ code: 'TARGET_EXISTS', message: expect.stringContaining('trash') });
    expect(readFileSync(join(workspace.recordingsDir, '3f2a9c1e', 'screen.mp4'), 'utf8')).toBe('mp4');
  });

  test('stopped in the middle, it leaves nothing behind', async () => {
    const control = new AbortController();
    const report = (progress: number): void => {
      if (progress > 0.1) control.abort();
    };
    await expect(importRecording(workspace, strange(), { signal: control.signal, report })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect(readdirSync(workspace.recordingsDir)).toEqual([]);
  });
});

describe('what a stranger may send', () => {
  const cases: [what: string, change: (folder: string) => void, message: string][] = [
    ['a link to a file', (folder) => symlinkSync('/etc/passwd', join(folder, 'screen-1.mkv')), 'is a link'],
    ['a link to a folder', (folder) => symlinkSync('/etc', join(folder, 'attachments')), 'is a link'],
    [
      'a link in place of the video',
      (folder) => {
        rmSync(join(folder, 'screen.mkv'));
        symlinkSync('/etc/passwd', join(folder, 'screen.mkv'));
      },
      'is a link',
    ],
    ['a pipe', (folder) => void execFileSync('mkfifo', [join(folder, 'elements.jsonl')]), 'no plain file'],
    ['no recording.json', (folder) => rmSync(join(folder, 'recording.json')), 'no recording.json'],
    ['no events', (folder) => rmSync(join(folder, 'events.jsonl')), 'events.jsonl: the file is missing'],
    [
      'a wrong event',
      (folder) => appendFileSync(join(folder, 'events.jsonl'), '{"type":"move","t":1,"x":0.5,"y":1}\n'),
      'events.jsonl line 3: ',
    ],
    [
      'a line that is no JSON',
      (folder) => appendFileSync(join(folder, 'frames.jsonl'), 'nonsense\n{"i":1,"pts":1,"t":2}\n'),
      'frames.jsonl line 2: it is not JSON',
    ],
    [
      'a torn line in a closed recording',
      (folder) => appendFileSync(join(folder, 'events.jsonl'), '{"type":"mo'),
      'events.jsonl line 3: it is not JSON',
    ],
    ['a wrong window', (folder) => appendFileSync(join(folder, 'windows.jsonl'), '{}\n'), 'windows.jsonl line 2: '],
    ['a deep folder', (folder) => mkdirSync(join(folder, 'a/b/c/d/e'), { recursive: true }), 'deeper than'],
    ['a device by name', (folder) => writeFileSync(join(folder, 'aux.txt'), ''), 'not every system'],
    [
      'stills elsewhere',
      (folder) => {
        const still = {
          action: 'a',
          role: 'before',
          frame: 0,
          t: 0,
          file: '../../../secret.png',
          width: 1,
          height: 1,
          origin: { x: 0, y: 0 },
        };
        const index = {
          schema: 'trajectory-studio/keyframes',
          version: 1,
          recording: 'x',
          actionRulesVersion: 1,
          keyframeRulesVersion: KEYFRAME_RULES_VERSION,
          keyframes: [still],
        };
        writeFileSync(join(folder, 'keyframes', 'index.json'), JSON.stringify(index));
      },
      'secret.png',
    ],
  ];
  test.skipIf(process.platform === 'win32').each(cases)(
    '%s: refused, and nothing is kept',
    async (_what, change, message) => {
      const folder = strange();
      change(folder);
      const error = await refusal(folder);
      expect(error.code).toBe('BAD_FILE');
      expect(error.message).toContain(message);
      expect(error.message).not.toContain('.import-');
    },
  );

  const edits: [what: string, edit: Record<string, unknown>, code: string, message: string][] = [
    ['an id that climbs', { id: '../../evil' }, 'BAD_FILE', 'field `id`'],
    ['an id that is hidden', { id: '.evil' }, 'BAD_FILE', 'field `id`'],
    [
      'a video elsewhere',
      { segments: [{ index: 0, file: '../../x.mkv', width: 1, height: 1, firstFrame: 0, frames: 1 }] },
      'BAD_FILE',
      '../../x.mkv',
    ],
    ['a playback copy elsewhere', { playback: '/etc/passwd' }, 'BAD_FILE', '/etc/passwd'],
    ['a later version', { version: 9 }, 'FUTURE_VERSION', 'version 9'],
    ['another schema', { schema: 'something/else' }, 'BAD_FILE', 'schema'],
    ['a field of the wrong kind', { counts: 7 }, 'BAD_FILE', 'counts'],
  ];
  test.each(edits)('%s: refused, and nothing is kept', async (_what, edit, code, message) => {
    const folder = strange();
    const file = join(folder, 'recording.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...edit }));
    const error = await refusal(folder);
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  });

  test('every problem is named with file and line, the first twenty in full', async () => {
    const folder = strange();
    appendFileSync(join(folder, 'events.jsonl'), 'x\n'.repeat(30));
    const { message, details } = await refusal(folder);
    expect(message).toContain('events.jsonl line 3: it is not JSON (and 29 more)');
    expect(details).toMatchObject({ count: 30, problems: expect.any(Array) });
    expect(details.problems).toHaveLength(20);
  });

  const archives: [what: string, entries: Parameters<typeof tar>[0], message: string][] = [
    ['an absolute path', [{ path: '/tmp/evil' }], 'absolute'],
    ['a path that climbs', [{ path: 'take/../../evil' }], 'leads elsewhere'],
    ['a path that begins above', [{ path: '../evil' }], 'leads elsewhere'],
    ['a back slash', [{ path: 'take/..\\evil' }], 'no file name may hold'],
    ['a drive', [{ path: 'C:/evil' }], 'no file name may hold'],
    ['a symbolic link', [{ path: 'take/screen.mkv', type: '2' }], 'a link'],
    ['a hard link', [{ path: 'take/screen.mkv', type: '1' }], 'a link'],
    ['a device', [{ path: 'take/screen.mkv', type: '3' }], 'type "3"'],
    ['two folders', [{ path: 'a/x' }, { path: 'b/x' }], 'more than one folder'],
    ['a file on top', [{ path: 'recording.json' }], 'no plain file'],
    ['a name twice', [{ path: 'a/x' }, { path: 'a/x' }], 'twice'],
    ['a file that is a folder', [{ path: 'a/x' }, { path: 'a/x/y' }], 'as a file and a folder'],
    ['a folder that is a file', [{ path: 'a/x/y' }, { path: 'a/x' }], 'as a file and a folder'],
    ['nothing', [], 'no recording.json'],
  ];
  test.each(archives)('an archive with %s: refused, and nothing is kept', async (_what, entries, message) => {
    const error = await refusal(tar(entries));
    expect([error.code, error.message]).toEqual(['BAD_FILE', expect.stringContaining(message)]);
  });

  test('an archive that ends early, or is none, is refused', async () => {
    const { entry } = await take(strange());
    const file = join(elsewhere, 'take.tar');
    await exportRecording(workspace, entry.id, file, options);
    rmSync(entry.folder, { recursive: true });
    truncateSync(file, 5000);
    expect((await refusal(file)).message).toContain('ends early');
    writeFileSync(file, Buffer.alloc(4096, 65));
    expect((await refusal(file)).message).toContain('no .tar');
    expect((await refusal(join(elsewhere, 'nowhere'))).message).toContain('no such file');
  });

  test('too many files, too many bytes and too long lines are refused', async () => {
    const bounded = (limits: Partial<typeof LIMITS>) =>
      importRecording(workspace, strange({ id: randomUUID() }), { ...options, limits: { ...LIMITS, ...limits } });
    await expect(bounded({ entries: 5 })).rejects.toThrow('more than 5 files');
    await expect(bounded({ bytes: 1000 })).rejects.toThrow('at most');
    await expect(bounded({ jsonBytes: 100 })).rejects.toThrow('larger than');
    await expect(bounded({ lineBytes: 10 })).rejects.toThrow(/events\.jsonl line \d+: the line is longer/);
    expect(readdirSync(workspace.recordingsDir)).toEqual([]);
  });
});

describe('export', () => {
  test('never writes over anything, nor among the recordings, and leaves nothing half done', async () => {
    const { entry } = await take(strange());
    const there = join(elsewhere, 'there.tar');
    writeFileSync(there, 'mine');
    const give = (out: string) => exportRecording(workspace, entry.id, out, options);
    await expect(give(there)).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    await expect(give(join(workspace.recordingsDir, 'copy'))).rejects.toMatchObject({ code: 'USAGE' });
    await expect(give(join(elsewhere, 'no', 'such', 'folder'))).rejects.toMatchObject({ code: 'USAGE' });
    expect(readFileSync(there, 'utf8')).toBe('mine');
    const control = new AbortController();
    const stopped = exportRecording(workspace, entry.id, join(elsewhere, 'b.tar'), {
      ...options,
      signal: control.signal,
      report: () => control.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(readdirSync(elsewhere).toSorted()).toEqual(['3f2a9c1e', 'there.tar']);
  });
});

describe('annotation', () => {
  test('goes along: what is exported annotated is imported annotated, as something that can be undone', async () => {
    const here = openDocuments(workspace, reviewGate());
    const { entry } = await take(strange());
    const { records } = await here.get(entry.id);
    const goal = records.find((record) => record.kind === 'goal')!;
    const first = records.find((record) => record.kind === 'subtask')!;
    const changes: Change[] = [
      { op: 'change', before: goal, after: { ...goal, text: 'A better goal' } },
      { op: 'change', before: first, after: { ...first, title: 'Press' } },
    ];
    await here.apply(entry.id, { id: randomUUID(), label: 'Edit', changes }, 'ada');
    const out = join(elsewhere, 'annotated.tar');
    // As programs wrote it that knew no history.
    const carried = (await carriedTexts(workspace, entry.id)).filter(({ name }) => name === 'annotation.json');
    await exportRecording(workspace, entry.id, out, { ...options, carried });
    const other = openWorkspace(folders.make(), { create: true });
    const there = openDocuments(other, reviewGate());
    try {
      const back = (await importRecording(other, out, options)).entry;
      expect(await takeCarried(other, there, back.id, back.folder)).toEqual({ taken: ['annotation'], warnings: [] });
      const byId = (list: AnnotationRecord[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(byId((await there.get(back.id)).records)).toEqual(byId((await here.get(entry.id)).records));
      expect((await there.history(back.id, { limit: 5 }))[0]).toMatchObject({
        label: 'Import annotation',
        person: 'import',
      });
      expect(existsSync(join(back.folder, 'annotation.json'))).toBe(false);
    } finally {
      await here.close();
      await there.close();
      other.close();
    }
  });

  test('of another recording is told and left beside it; one that is none refuses the import', async () => {
    const documents = openDocuments(workspace, reviewGate());
    const folder = strange();
    const head = { schema: 'trajectory-studio/annotation', version: 1, recording: 'x' };
    const label = { kind: 'removal', id: 'removal:nobody', action: 'nobody', reason: 'mistake', comment: '' };
    writeFileSync(join(folder, 'annotation.json'), JSON.stringify({ ...head, records: [label] }));
    const { entry } = await take(folder);
    await expect(takeAnnotation(documents, entry.id, entry.folder)).rejects.toMatchObject({ code: 'USAGE' });
    expect(existsSync(join(entry.folder, 'annotation.json'))).toBe(true);
    await documents.close();
    rmSync(entry.folder, { recursive: true });
    writeFileSync(join(folder, 'annotation.json'), JSON.stringify({ ...head, records: [{ ...label, reason: 'no' }] }));
    expect((await refusal(folder)).message).toContain('annotation.json: field `records.0.reason`');
  });

  test('the changes between two states make the one of the other', () => {
    const goal = (text: string): AnnotationRecord => ({ kind: 'goal', id: 'goal', text });
    const part = (id: string): AnnotationRecord => ({ kind: 'subtask', id, first: 'a', title: id });
    expect(changesBetween([goal('a'), part('x'), part('y')], [goal('b'), part('x'), part('z')])).toEqual([
      { op: 'remove', record: part('y') },
      { op: 'change', before: goal('a'), after: goal('b') },
      { op: 'add', record: part('z') },
    ]);
    expect(changesBetween([goal('a')], [goal('a')])).toEqual([]);
  });
});

describe('another machine', () => {
  test('a workspace that was moved opens with everything that was in it', async () => {
    await take(strange());
    await setStateForTests(workspace, '3f2a9c1e', 'approved');
    workspace.close();
    const moved = join(elsewhere, 'moved here');
    cpSync(workspace.dir, moved, { recursive: true });
    renameSync(workspace.dir, `${workspace.dir}-gone`);
    workspace = openWorkspace(moved, { create: false });
    expect(await workspace.listRecordings()).toMatchObject([
      { id: '3f2a9c1e', state: 'approved', folder: join(moved, 'recordings', '3f2a9c1e') },
    ]);
    rmSync(`${workspace.dir}-gone`, { recursive: true, force: true });
  });
});
