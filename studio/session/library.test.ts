import { existsSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { servedType, sniffMime } from '../files/mime.ts';
import { attach, detach, safeName } from '../store/attachments.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { createHub } from '../store/jobs/hub.ts';
import { addPerson, ensurePerson, listPeople } from '../store/people.ts';
import { sampleRecording, setStateForTests, writeSample } from '../store/recording-for-tests.ts';
import { toRecordingRow } from '../store/recordings.ts';
import { createTask, getTask, listTaskRows, removeTask, updateTask } from '../store/task-rows.ts';
import type { Workspace } from '../store/workspace.ts';
import { cacheFolder, userHome } from './home.ts';
import { openRecent, realDir, typedPath, workspaceId } from './recent.ts';
import { restoreRecording, trashRecording } from './recordings.ts';
import { openSettings } from './settings.ts';
import { createWorkspaces } from './workspaces.ts';

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});

const newTask = (changes: object = {}) =>
  createTask(workspace, {
    software: 'PowerPoint',
    goal: 'Insert a picture',
    platform: '',
    sourceUrl: '',
    notes: '',
    ...changes,
  });
async function* bytes(...parts: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

describe('tasks', () => {
  test('a new one has the next free number of its software, and everything that was said of it', async () => {
    await newTask({ id: 'PPT_15' });
    const made = await newTask({ platform: 'Windows 11', sourceUrl: 'https://example.com/v', notes: 'long' });
    expect(made).toMatchObject({
      id: 'PPT_16',
      software: 'powerpoint',
      platform: 'Windows 11',
      recordings: 0,
      furthest: null,
    });
    expect(await getTask(workspace.store, 'PPT_16')).toEqual(made);
  });

  test('an id that is taken is a conflict; a link that is no web address is refused', async () => {
    await newTask({ id: 'PPT_1' });
    await expect(newTask({ id: 'PPT_1' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(newTask({ sourceUrl: 'javascript:alert(1)' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(updateTask(workspace.store, 'PPT_1', { sourceUrl: 'file:///etc/passwd' })).rejects.toMatchObject({
      code: 'USAGE',
    });
    expect(await listTaskRows(workspace.store)).toHaveLength(1);
  });

  test('only what is given is changed', async () => {
    const made = await newTask({ notes: 'keep' });
    const changed = await updateTask(workspace.store, made.id, { goal: 'Another', state: 'closed' });
    expect(changed).toEqual({ ...made, goal: 'Another', state: 'closed' });
    await expect(updateTask(workspace.store, 'PPT_99', {})).rejects.toMatchObject({ code: 'UNKNOWN_TASK' });
  });

  test('a row shows the furthest of its recordings; a rejected one is behind an annotated one', async () => {
    for (const id of ['a', 'b', 'c']) writeSample(workspace.recordingsDir, sampleRecording({ id }));
    await workspace.syncIndex();
    await setStateForTests(workspace, 'a', 'rejected');
    await setStateForTests(workspace, 'b', 'annotated');
    expect(await listTaskRows(workspace.store)).toMatchObject([{ id: 'GIMP_1', recordings: 3, furthest: 'annotated' }]);
  });

  test('one with recordings or files stays; one without is removed', async () => {
    writeSample(workspace.recordingsDir, sampleRecording());
    await workspace.syncIndex();
    const { id } = await newTask();
    const { id: file } = await attach(workspace, { task: id, role: 'material', name: 'a.txt', body: bytes('x') });
    for (const task of ['GIMP_1', id])
      await expect(removeTask(workspace.store, task)).rejects.toMatchObject({ code: 'CONFLICT' });
    await detach(workspace, file);
    await removeTask(workspace.store, id);
    await expect(getTask(workspace.store, id)).rejects.toMatchObject({ code: 'UNKNOWN_TASK' });
  });
});

describe('attachments', () => {
  test('a file lies in its task with a safe name, whatever it was called', async () => {
    const { id } = await newTask();
    const kept = await attach(workspace, {
      task: id,
      role: 'project',
      name: '../..\\Präsentation: 1?.pptx',
      body: bytes('PK\x03\x04', 'more'),
    });
    expect(kept).toMatchObject({ name: 'Präsentation: 1?.pptx', bytes: 8, mime: 'application/zip' });
    expect(readdirSync(join(workspace.dir, 'attachments', id))).toEqual([`${kept.id}-Präsentation_1_.pptx`]);
  });

  test('one that is too large, or breaks off, leaves nothing', async () => {
    const { id } = await newTask();
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('The network is gone.');
    }
    const large = attach(workspace, {
      task: id,
      role: 'material',
      name: 'a',
      body: bytes('x'.repeat(10)),
      mostBytes: 9,
    });
    await expect(large).rejects.toMatchObject({ code: 'BAD_FILE' });
    await expect(attach(workspace, { task: id, role: 'material', name: 'a', body: broken() })).rejects.toThrow(
      'network',
    );
    expect(readdirSync(join(workspace.dir, 'attachments', id))).toEqual([]);
    expect((await getTask(workspace.store, id)).attachments).toEqual([]);
  });

  test.each([
    ['', 'file'],
    ['...', 'file'],
    ['.htaccess', 'htaccess'],
    ['a b/c.TXT', 'a_b_c.TXT'],
    [`${'ü'.repeat(300)}.png`, `${'ü'.repeat(40)}.png`],
  ])('the name %j is kept as %j', (name, safe) => {
    expect(safeName(name)).toBe(safe);
    expect(Buffer.byteLength(`${'x'.repeat(37)}${safe}`)).toBeLessThan(255);
  });

  test.each([
    ['89504e470d0a1a0a', 'image/png'],
    ['ffd8ffe0', 'image/jpeg'],
    ['474946383961', 'image/gif'],
    ['524946460000000057454250', 'image/webp'],
    ['0000001c6674797069736f6d', 'video/mp4'],
    ['00000014667479707174202000', 'video/quicktime'],
    ['1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'video/webm'],
    ['1a45dfa3a342868101', 'video/x-matroska'],
    ['255044462d312e37', 'application/pdf'],
    ['', 'application/octet-stream'],
    ['6800690000', 'application/octet-stream'],
    ['ff00', 'application/octet-stream'],
  ])('bytes %s are %s', (hex, mime) => {
    expect(sniffMime(Buffer.from(hex, 'hex'))).toBe(mime);
  });

  test('texts are told apart by what is in them; nothing that a browser could run is shown', () => {
    const of = (text: string): string => sniffMime(Buffer.from(text));
    expect(of('WEBVTT\n\n00:01.000 --> 00:02.000\nHi')).toBe('text/vtt');
    expect(of('1\r\n00:00:01,000 --> 00:00:02,000\r\nHi')).toBe('application/x-subrip');
    expect(of('<html>')).toBe('text/plain');
    expect(of(`${'ä'.repeat(3000)}`)).toBe('text/plain');
    for (const mime of ['text/html', 'text/plain', 'image/svg+xml', 'application/pdf', 'application/octet-stream']) {
      expect(servedType(mime)).toMatchObject({
        disposition: 'attachment',
        type: expect.not.stringMatching(/html|svg|pdf/),
      });
    }
  });
});

describe('people', () => {
  test('a name stands for one person, in any case; a recording brings its own along', async () => {
    const ada = await addPerson(workspace.store, { name: ' Ada ', email: '' });
    expect(ada).toMatchObject({ name: 'Ada', email: null });
    expect(await ensurePerson(workspace.store, 'ADA')).toEqual(ada);
    await expect(addPerson(workspace.store, { name: 'ada', email: null })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(addPerson(workspace.store, { name: ' ', email: null })).rejects.toMatchObject({ code: 'USAGE' });
    writeSample(workspace.recordingsDir, sampleRecording({ person: 'Grace' }));
    expect((await workspace.listRecordings()).map(toRecordingRow)).toMatchObject([
      { person: 'Grace', software: 'gimp' },
    ]);
    expect((await listPeople(workspace.store)).map(({ name }) => name)).toEqual(['Ada', 'Grace']);
  });
});

describe('the trash', () => {
  test('keeps every recording that was moved there, also of one name', async () => {
    for (let i = 0; i < 2; i++) {
      writeSample(workspace.recordingsDir, sampleRecording());
      await workspace.syncIndex();
      await trashRecording(workspace, '3f2a9c1e');
      expect(await workspace.listRecordings()).toEqual([]);
    }
    expect(readdirSync(join(workspace.dir, 'trash'))).toEqual(['3f2a9c1e', '3f2a9c1e-2']);
    await expect(trashRecording(workspace, '3f2a9c1e')).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
  });

  test('gives a recording back, the last one of its name, unless its place is taken', async () => {
    writeSample(workspace.recordingsDir, sampleRecording());
    await workspace.syncIndex();
    const before = await workspace.listRecordings();
    await trashRecording(workspace, '3f2a9c1e');
    await restoreRecording(workspace, '3f2a9c1e');
    expect(await workspace.listRecordings()).toEqual(before);
    expect(readdirSync(join(workspace.dir, 'trash'))).toEqual([]);
    await expect(restoreRecording(workspace, '3f2a9c1e')).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
    await expect(restoreRecording(workspace, '../recordings')).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
    await trashRecording(workspace, '3f2a9c1e');
    writeSample(workspace.recordingsDir, sampleRecording());
    await workspace.syncIndex();
    await expect(restoreRecording(workspace, '3f2a9c1e')).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    await trashRecording(workspace, '3f2a9c1e');
    await restoreRecording(workspace, '3f2a9c1e');
    expect(readdirSync(join(workspace.dir, 'trash'))).toEqual(['3f2a9c1e']);
  });
});

describe('the list of workspaces', () => {
  test('has the latest first, says which are gone, and forgets without touching the folder', () => {
    const home = folders.make();
    const recent = openRecent(join(home, 'deep', 'workspaces.json'));
    const gone = join(home, 'gone');
    recent.add(gone);
    recent.add(workspace.dir);
    recent.add(gone);
    recent.add(workspace.dir);
    expect(recent.list().map(({ dir, exists }) => [dir, exists])).toEqual([
      [workspace.dir, true],
      [gone, false],
    ]);
    expect(recent.dirOf(workspaceId(gone))).toBe(gone);
    recent.forget(workspaceId(workspace.dir));
    expect(recent.list()).toHaveLength(1);
    expect(existsSync(workspace.dir)).toBe(true);
  });

  test('a file that is damaged counts as empty', () => {
    const file = join(folders.make(), 'workspaces.json');
    writeFileSync(file, '[{"dir":');
    expect(openRecent(file).list()).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('a workspace is the same one through every way to it', () => {
    const link = join(folders.make(), 'link');
    symlinkSync(workspace.dir, link);
    expect(realDir(link)).toBe(workspace.dir);
    expect(realDir(join(link, 'not', 'yet'))).toBe(join(workspace.dir, 'not', 'yet'));
    expect(workspaceId(workspace.dir)).toMatch(/^[0-9a-f]{12}$/);
  });

  test('a typed path is taken from the root or from home', () => {
    expect(typedPath(' ~/studio ', 'dir')).toMatch(/^[/A-Z].*studio$/);
    expect(typedPath('/a/../b', 'dir')).toBe('/b');
    for (const bad of ['studio', './studio', '', '/a\0b']) expect(() => typedPath(bad, 'dir')).toThrow('whole path');
  });

  test('two that ask at once get the one that is open; the sample is copied once and keeps what was done in it', async () => {
    const folder = folders.make();
    const sample = join(folder, 'shipped');
    mkdirSync(join(sample, 'recordings'), { recursive: true });
    writeSample(join(sample, 'recordings'), sampleRecording());
    const task = { id: 'GIMP_1', platform: 'Linux', sourceUrl: '', notes: 'The sample' };
    writeFileSync(join(sample, 'sample.json'), JSON.stringify({ task }));
    const home = { config: join(folder, 'home'), data: join(folder, 'home') };
    const workspaces = createWorkspaces({ home, sample });
    const { id, dir } = await workspaces.openSample();
    const [one, two] = await Promise.all([workspaces.get(id), workspaces.get(id)]);
    expect(one).toBe(two);
    expect(await getTask(one.workspace.store, 'GIMP_1')).toMatchObject({
      notes: 'The sample',
      platform: 'Linux',
      recordings: 1,
    });
    await updateTask(one.workspace.store, 'GIMP_1', { notes: 'mine' });
    expect((await workspaces.openSample()).dir).toBe(dir);
    expect((await getTask(one.workspace.store, 'GIMP_1')).notes).toBe('mine');
    expect(readdirSync(sample).toSorted()).toEqual(['recordings', 'sample.json']);
    await workspaces.forget(id);
    await expect(workspaces.get(id)).rejects.toMatchObject({ code: 'UNKNOWN_WORKSPACE' });
    await workspaces.close();
  });

  test('one whose folder is gone says so, and is found again when it is back', async () => {
    const folder = folders.make();
    const home = { config: join(folder, 'home'), data: join(folder, 'home') };
    const workspaces = createWorkspaces({ home, sample: folder });
    const dir = join(folder, 'w');
    const { id } = await workspaces.open(dir, { create: true });
    await workspaces.drop(id);
    renameSync(dir, `${dir}-away`);
    await expect(workspaces.get(id)).rejects.toMatchObject({ code: 'NOT_A_WORKSPACE' });
    renameSync(`${dir}-away`, dir);
    expect((await workspaces.get(id)).id).toBe(id);
    await workspaces.close();
  });
});

describe('settings', () => {
  test('are kept over a restart; null removes one; a damaged file counts as empty', () => {
    const file = join(folders.make(), 'deep', 'settings.json');
    const settings = openSettings(file);
    settings.set({ theme: 'dark', keys: { next: ['j'] }, __proto__x: 1 });
    expect(openSettings(file).set({ theme: null })).toEqual({ keys: { next: ['j'] }, __proto__x: 1 });
    expect(() => settings.set({ huge: 'x'.repeat(2_000_000) })).toThrow('1 MB');
    expect(statSync(file).size).toBeLessThan(200);
    writeFileSync(file, '{');
    expect(openSettings(file).get()).toEqual({});
  });

  test('lie where the operating system keeps such things, or where one wants them', () => {
    // Tests have one of their own: what they agree to and choose is not left with whoever runs them.
    expect(relative(homedir(), userHome().config)).toMatch(/^\.\.|^\//);
    expect(userHome({ TRAJECTORY_STUDIO_HOME: '/t' }, 'linux')).toEqual({ config: '/t', data: '/t' });
    expect(userHome({ XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, 'linux')).toEqual({
      config: '/c/trajectory-studio',
      data: '/d/trajectory-studio',
    });
    expect(userHome({}, 'darwin').config).toContain(join('Library', 'Application Support'));
    expect(userHome({ APPDATA: '/r', LOCALAPPDATA: '/l' }, 'win32')).toEqual({
      config: join('/r', 'trajectory-studio'),
      data: join('/l', 'trajectory-studio'),
    });
    expect(cacheFolder({ XDG_CACHE_HOME: '/c' }, 'linux')).toBe('/c/trajectory-studio');
    expect(cacheFolder({}, 'darwin')).toContain(join('Library', 'Caches'));
    expect(cacheFolder({ LOCALAPPDATA: '/l' }, 'win32')).toBe(join('/l', 'trajectory-studio', 'cache'));
    expect(cacheFolder({ TRAJECTORY_STUDIO_HOME: '/t' }, 'linux')).toBe(join('/t', 'cache'));
  });
});

describe('a hub', () => {
  test('gives every reader every value from the moment it subscribed, and ends with its signal', async () => {
    const hub = createHub<number>();
    const control = new AbortController();
    hub.publish(0);
    const [first, second] = [hub.subscribe(), hub.subscribe(control.signal)];
    hub.publish(1);
    hub.publish(2);
    expect([await first.next(), await first.next(), await second.next()].map(({ value }) => value)).toEqual([1, 2, 1]);
    const waiting = first.next();
    control.abort();
    expect(await second.next()).toMatchObject({ done: true });
    hub.close();
    expect([await waiting, await hub.subscribe().next(), hub.readers()]).toMatchObject([
      { done: true },
      { done: true },
      0,
    ]);
  });

  test('cuts off a reader that fell far behind, and no other', async () => {
    const hub = createHub<number>(3);
    const [slow, quick] = [hub.subscribe(), hub.subscribe()];
    for (let i = 0; i < 5; i++) {
      hub.publish(i);
      expect((await quick.next()).value).toBe(i);
    }
    expect((await slow.next()).done).toBe(true);
    expect(hub.readers()).toBe(1);
  });
});
