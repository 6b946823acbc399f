import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { freshWorkspaces } from './fresh-for-tests.ts';
import { readRecording, writeRecording } from './recording-folder.ts';
import { sampleRecording, setStateForTests, writeSample } from './recording-for-tests.ts';
import { sqlOf } from './store.ts';
import type { Workspace } from './workspace.ts';

/** Told of each statement. */
const counting = vi.hoisted(() => ({ said: (_sql: string): unknown => undefined }));
vi.mock('./statements.ts', async (original) => {
  const real = await original<typeof import('./statements.ts')>();
  const { watchedStatements } = await import('./statements-for-tests.ts');
  return { ...real, ...watchedStatements(real, (sql) => counting.said(sql)) };
});

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});

const ids = async (): Promise<string[]> => (await workspace.listRecordings()).map((entry) => entry.id);

describe('the index of recordings', () => {
  test('a folder that was copied in appears, with its task', async () => {
    writeSample(workspace.recordingsDir, sampleRecording());
    expect(await workspace.listRecordings()).toEqual([
      {
        id: '3f2a9c1e',
        folder: join(workspace.recordingsDir, '3f2a9c1e'),
        task: 'GIMP_1',
        app: 'gimp',
        goal: 'Crop the picture',
        state: 'recorded',
        phase: 'closed',
        verdict: 'complete',
        sync: null,
        startedAt: '2026-05-04T10:20:30.456Z',
        durationUs: 10_000_000,
        frames: 42,
        dropped: 1,
        events: 7,
        person: null,
        played: null,
        steps: null,
        done: null,
      },
    ]);
    expect(await workspace.getTask('GIMP_1')).toMatchObject({ software: 'gimp', goal: 'Crop the picture' });
  });

  test('one that comes under a task’s id which stands for another goal here gets a task of its own, and says so', async () => {
    writeSample(workspace.recordingsDir, sampleRecording());
    await workspace.syncIndex();
    const other = (id: string, goal = 'Write a title') => sampleRecording({ id, task: { id: 'GIMP_1', goal } });
    const folder = writeSample(workspace.recordingsDir, other('copied-1'));
    writeSample(workspace.recordingsDir, other('copied-2'));
    writeSample(workspace.recordingsDir, other('copied-3', 'Crop the picture'));
    const { added, moved } = await workspace.syncIndex();
    expect([added, moved.length]).toEqual([['copied-1', 'copied-2', 'copied-3'], 2]);
    expect(moved[0]).toMatch(
      /copied-1: GIMP_1 stands for another task here \("Crop the picture"\).*GIMP_2, which is new/,
    );
    const tasks = async () =>
      (await workspace.listRecordings()).map(({ id, task, goal }) => `${id} ${task} ${goal}`).sort();
    const settled = [
      '3f2a9c1e GIMP_1 Crop the picture',
      'copied-1 GIMP_2 Write a title',
      'copied-2 GIMP_2 Write a title',
      'copied-3 GIMP_1 Crop the picture',
    ];
    expect(await tasks()).toEqual(settled);
    expect(await workspace.getTask('GIMP_1')).toMatchObject({ goal: 'Crop the picture' });
    // The folder says it itself, and is not moved again.
    expect(readRecording(folder)).toMatchObject({ task: { id: 'GIMP_2' }, warnings: [{ code: 'other-task' }] });
    expect(await workspace.syncIndex()).toMatchObject({ added: [], changed: [], moved: [] });
    // A goal that is worded anew moves nobody.
    await sqlOf(workspace.store).updateTable('tasks').set({ goal: 'Crop it' }).where('id', '=', 'GIMP_1').execute();
    writeSample(workspace.recordingsDir, other('copied-4', 'Crop the picture'));
    expect(await workspace.syncIndex()).toMatchObject({ added: ['copied-4'], moved: [] });
  });

  test('folders that come into an empty workspace together mean the same by a task’s id', async () => {
    writeSample(workspace.recordingsDir, sampleRecording());
    writeSample(workspace.recordingsDir, sampleRecording({ id: 'b', task: { id: 'GIMP_1', goal: 'Crop it' } }));
    expect(await workspace.syncIndex()).toMatchObject({ moved: [] });
    expect((await workspace.listRecordings()).map(({ task }) => task)).toEqual(['GIMP_1', 'GIMP_1']);
  });

  test('what a first look through the folders asks of the database does not grow with the recordings of the same tasks', async () => {
    const asked = async (count: number): Promise<number> => {
      for (let n = 0; n < count; n++) writeSample(workspace.recordingsDir, sampleRecording({ id: `${count}-${n}` }));
      const statements: string[] = [];
      // Where a change begins and ends is part of it.
      counting.said = (sql) => /^(?:begin|commit)/.test(sql) || statements.push(sql);
      const { added } = await workspace.syncIndex();
      counting.said = () => undefined;
      expect(added).toHaveLength(count);
      return statements.length;
    };
    await asked(2);
    const few = await asked(5);
    // Rows are written a hundred at once.
    expect(await asked(250)).toBeLessThanOrEqual(few + 2);
    expect(await ids()).toHaveLength(257);
  });

  test('a folder that was deleted vanishes; when it comes back, its state is still known', async () => {
    const folder = writeSample(workspace.recordingsDir, sampleRecording());
    await workspace.syncIndex();
    await setStateForTests(workspace, '3f2a9c1e', 'approved');
    const away = join(folders.make(), 'away');
    cpSync(folder, away, { recursive: true });
    rmSync(folder, { recursive: true });
    expect(await workspace.syncIndex()).toMatchObject({ gone: ['3f2a9c1e'] });
    expect(await ids()).toEqual([]);
    cpSync(away, folder, { recursive: true });
    expect(await workspace.listRecordings()).toMatchObject([{ id: '3f2a9c1e', state: 'approved' }]);
  });

  test('a folder that was renamed is the same recording', async () => {
    const folder = writeSample(workspace.recordingsDir, sampleRecording());
    await workspace.syncIndex();
    renameSync(folder, join(workspace.recordingsDir, 'best-take'));
    expect(await workspace.listRecordings()).toMatchObject([
      { id: '3f2a9c1e', folder: join(workspace.recordingsDir, 'best-take') },
    ]);
  });

  test('a recording.json that changed is read again, one that did not is not', async () => {
    const open = sampleRecording({ state: 'recording', span: null, verdict: null });
    const folder = writeSample(workspace.recordingsDir, open);
    expect(await workspace.listRecordings()).toMatchObject([{ phase: 'recording', verdict: null, durationUs: null }]);
    writeRecording(folder, sampleRecording());
    expect(await workspace.syncIndex()).toMatchObject({ changed: ['3f2a9c1e'] });
    expect(await workspace.syncIndex()).toEqual({ added: [], changed: [], gone: [], unreadable: [], moved: [] });
    expect(await workspace.listRecordings()).toMatchObject([{ phase: 'closed', verdict: 'complete' }]);
  });

  test('folders that cannot be read are reported, and hide no others', async () => {
    writeSample(workspace.recordingsDir, sampleRecording());
    mkdirSync(join(workspace.recordingsDir, 'empty'));
    const future = writeSample(workspace.recordingsDir, sampleRecording({ id: 'ffff' }));
    writeFileSync(join(future, 'recording.json'), JSON.stringify({ ...sampleRecording(), version: 9 }));
    const { unreadable } = await workspace.syncIndex();
    expect(unreadable.map(({ code }) => code)).toEqual(['BAD_FILE', 'FUTURE_VERSION']);
    expect(await ids()).toEqual(['3f2a9c1e']);
  });

  test('a second copy of a recording is reported, not listed twice', async () => {
    const folder = writeSample(workspace.recordingsDir, sampleRecording());
    cpSync(folder, join(workspace.recordingsDir, 'copy'), { recursive: true });
    const { unreadable } = await workspace.syncIndex();
    expect(unreadable).toMatchObject([{ folder: join(workspace.recordingsDir, 'copy'), code: 'BAD_FILE' }]);
    expect(await ids()).toEqual(['3f2a9c1e']);
  });

  test('software and task that this workspace does not know come with the recording', async () => {
    const krita = { app: { id: 'krita', name: 'Krita' }, task: { id: 'my task', goal: 'Paint' } };
    writeSample(workspace.recordingsDir, sampleRecording(krita));
    expect(await workspace.listRecordings()).toMatchObject([{ app: 'krita', task: 'my task' }]);
    expect(await workspace.findSoftware('krita')).toMatchObject({ name: 'Krita', prefix: 'KRIT' });
  });

  test('the newest comes first', async () => {
    const at = (id: string, startedAt: string) =>
      writeSample(workspace.recordingsDir, sampleRecording({ id, clock: { ...sampleRecording().clock, startedAt } }));
    at('a', '2026-05-04T10:00:00.000Z');
    at('b', '2026-05-05T10:00:00.000Z');
    at('c', '2026-05-03T10:00:00.000Z');
    expect(await ids()).toEqual(['b', 'a', 'c']);
  });

  test('one folder is indexed by its path or name; one outside is refused', async () => {
    const folder = writeSample(workspace.recordingsDir, sampleRecording());
    expect((await workspace.indexRecording(folder)).id).toBe('3f2a9c1e');
    expect((await workspace.indexRecording('3f2a9c1e')).id).toBe('3f2a9c1e');
    const outside = writeSample(folders.make(), sampleRecording());
    await expect(async () => workspace.indexRecording(outside)).rejects.toMatchObject({ code: 'BAD_FILE' });
  });
});

describe('an id that is shortened', () => {
  beforeEach(() => {
    for (const id of ['3f2a9c1e', '3f2b0000', '3f2b', 'aa'])
      writeSample(workspace.recordingsDir, sampleRecording({ id }));
  });

  test('names the one recording that starts so', async () => {
    expect((await workspace.resolveRecording('3f2a')).id).toBe('3f2a9c1e');
    expect((await workspace.resolveRecording('a')).id).toBe('aa');
  });

  test('that starts several is refused with all of them', async () => {
    await expect(workspace.resolveRecording('3f2')).rejects.toMatchObject({
      code: 'AMBIGUOUS_ID',
      details: { candidates: expect.arrayContaining(['3f2a9c1e', '3f2b0000', '3f2b']) },
    });
  });

  test('that is a whole id names that one, though another starts so too', async () => {
    expect((await workspace.resolveRecording('3f2b')).id).toBe('3f2b');
  });

  test.each(['zz', '', '%'])('"%s" names none', async (prefix) => {
    await expect(workspace.resolveRecording(prefix)).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
  });
});
