import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toRecords } from '../../core/annotate/document.ts';
import { nameElement, removeSteps } from '../../core/annotate/edit.ts';
import { FORMATS } from '../../core/export/formats.ts';
import type { ExportWishes } from '../../schemas/api/datasets.ts';
import { addClicks } from '../documents/clicks-for-tests.ts';
import type { Documents } from '../documents/documents.ts';
import { freshDocuments } from '../documents/fresh-for-tests.ts';
import { currentKeyframes } from '../recordings/stills.ts';
import { setStateForTests } from '../store/recording-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';
import { dismissGroup, duplicateTasks, findDuplicates, readDuplicates } from './duplicates.ts';
import { checkExport, listExports, previewOf, requestsOf, runExport } from './export/exports.ts';
import { requestOf } from './export/formats.ts';
import { exportFormats } from './export/run.ts';
import { freezeVersion } from './freeze.ts';
import { datasetRows } from './rows.ts';
import { exportSource } from './source.ts';
import { applySplit, leaksOf } from './splits.ts';
import { statisticsOf } from './statistics.ts';
import { assignSplits, tagRecordings } from './tags.ts';
import { compareVersions, listVersions, readVersion } from './versions.ts';
import { addRecording } from './workspace-for-tests.ts';

let workspace: Workspace;
let documents: Documents;
const folders = freshDocuments((...made) => {
  [workspace, documents] = made;
});

const GIMP = { id: 'gimp', name: 'GIMP' };

async function three(): Promise<void> {
  await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop the large picture', screens: [40, 200] });
  await addRecording(workspace, { id: 'bbbb', task: 'GIMP_2', goal: 'Crop the large pictures', screens: [40] });
  await addRecording(workspace, { id: 'cccc', task: 'GIMP_3', goal: 'Mute the sound', app: GIMP, screens: [120, 90] });
}

async function gesture(
  recording: string,
  change: (records: ReturnType<typeof toRecords>, action: string) => ReturnType<typeof nameElement>,
  person = 'Bo',
): Promise<void> {
  const { steps } = await documents.openRecording(recording);
  const records = toRecords((await documents.get(recording)).records);
  const changes = change(records, steps[0]!.id);
  await documents.apply(recording, { id: randomUUID(), label: 'A gesture', changes }, person);
}
const name = (text: string) => (records: ReturnType<typeof toRecords>, action: string) =>
  nameElement(records, action, text, 'hand');
const remove = (records: ReturnType<typeof toRecords>, action: string) => removeSteps(records, [action], 'mistake', '');

const freeze = (called: string, filter = {}, again = false) =>
  freezeVersion(workspace, { name: called, changelog: 'What is new', filter, again }, { toolVersion: '1' });

async function write(version: string, out: string) {
  const source = await exportSource(workspace, { kind: 'version', name: version }, { all: true });
  const requests = [requestOf('videogui', { parts: ['jsonl', 'parquet'] }), requestOf('ms-swift')];
  return exportFormats(source, out, requests, { toolVersion: '1', filters: { all: true } });
}

describe('rows', () => {
  test('say what is counted, and are counted again when the annotation changes', async () => {
    await three();
    const rowOf = async (id: string) => (await datasetRows(workspace)).rows.find(({ recording }) => recording === id);
    expect(await rowOf('aaaa')).toMatchObject({
      task: 'GIMP_1',
      software: 'gimp',
      goal: 'Crop the large picture',
      seconds: 10,
      steps: 2,
      subtasks: 1,
      kinds: { click: 2 },
      resolution: '1280x720',
      names: 0,
      annotators: [],
      agreement: null,
    });
    await gesture('aaaa', name('Crop tool'));
    expect(await rowOf('aaaa')).toMatchObject({ names: 0.5, annotators: ['Bo'] });
    await gesture('aaaa', remove);
    expect(await rowOf('aaaa')).toMatchObject({ steps: 1, kinds: { click: 1 }, names: 0 });
  });

  test('a recording that cannot be read keeps its row, without figures', async () => {
    await three();
    rmSync(join(workspace.recordingsDir, 'bbbb', 'events.jsonl'));
    const { rows, uncounted } = await datasetRows(workspace);
    expect(uncounted).toBe(0);
    expect(rows.find(({ recording }) => recording === 'bbbb')).toMatchObject({ steps: null, task: 'GIMP_2' });
  });

  test('what is not counted in the time given is left for later', async () => {
    await three();
    expect((await datasetRows(workspace, { budgetMs: -1 })).uncounted).toBe(3);
    expect((await datasetRows(workspace)).uncounted).toBe(0);
    expect((await datasetRows(workspace, { budgetMs: -1 })).uncounted).toBe(0);
  });

  test('what holds up everything else is left for a thread: recordings that nothing was derived of yet', async () => {
    await three();
    await documents.openRecording('bbbb');
    const { rows, uncounted } = await datasetRows(workspace, { short: true });
    expect(uncounted).toBe(2);
    expect(rows.filter(({ steps }) => steps !== null).map(({ recording }) => recording)).toEqual(['bbbb']);
    expect(existsSync(join(workspace.recordingsDir, 'aaaa', 'derived'))).toBe(false);
    expect((await datasetRows(workspace)).uncounted).toBe(0);
  });
});

describe('tags and splits', () => {
  test('tags are added and removed for many at once, all or none', async () => {
    await three();
    await tagRecordings(workspace, { recordings: ['aaaa', 'bbbb'], add: ['pilot', 'été'], remove: [] });
    await tagRecordings(workspace, { recordings: ['bbbb', 'cccc'], add: ['late'], remove: ['pilot'] });
    const tags = Object.fromEntries(
      (await datasetRows(workspace)).rows.map(({ recording, tags: own }) => [recording, own]),
    );
    expect(tags).toEqual({ aaaa: ['pilot', 'été'], bbbb: ['late', 'été'], cccc: ['late'] });
    const bad = tagRecordings(workspace, { recordings: ['aaaa', 'zzzz'], add: ['x'], remove: [] });
    await expect(bad).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
    const comma = tagRecordings(workspace, { recordings: ['aaaa'], add: ['a,b'], remove: [] });
    await expect(comma).rejects.toMatchObject({ code: 'USAGE' });
    expect((await datasetRows(workspace)).rows.flatMap((row) => row.tags)).not.toContain('x');
  });

  test('near-duplicate tasks share a split, and apart they leak', async () => {
    await three();
    await findDuplicates(workspace, { filter: {}, goals: 0.7, screens: null });
    const shares = [
      { split: 'train', share: 1 },
      { split: 'test', share: 1 },
    ];
    const rule = { shares, seed: '1', keepDuplicatesTogether: true, again: false };
    await applySplit(workspace, rule, {});
    const split = async (id: string) =>
      (await datasetRows(workspace)).rows.find(({ recording }) => recording === id)?.split;
    expect(await split('aaaa')).toBe(await split('bbbb'));
    const limits = { filter: {}, goals: 0.7, screens: 0 };
    expect((await leaksOf(workspace, limits, { look: true })).leaks).toEqual([]);
    await assignSplits(
      workspace,
      [
        { task: 'GIMP_1', split: 'train' },
        { task: 'GIMP_2', split: 'test' },
      ],
      'hand',
    );
    const { leaks } = await leaksOf(workspace, limits, { look: true });
    expect(leaks.map(({ kind }) => kind)).toEqual(['goal', 'screen']);
    expect(leaks).toMatchObject([{ tasks: ['GIMP_1', 'GIMP_2'] }, { distance: 0, splits: ['train', 'test'] }]);
    await expect(assignSplits(workspace, [{ task: 'NO_1', split: 'train' }], 'hand')).rejects.toMatchObject({
      code: 'UNKNOWN_TASK',
    });
  });
});

describe('near duplicates', () => {
  test('are found among goals and screens; a dismissed group stays dismissed', async () => {
    await three();
    const wishes = { filter: {}, goals: 0.7, screens: 6 };
    const { goals, screens, skipped } = await findDuplicates(workspace, wishes);
    expect(goals.map(({ members }) => members.map(({ task }) => task).sort())).toEqual([['GIMP_1', 'GIMP_2']]);
    expect(screens).toMatchObject([{ exact: true, tasks: 2, members: [{ distance: 0 }, { distance: 0 }] }]);
    expect(skipped).toEqual([]);
    expect(await duplicateTasks(workspace)).toHaveLength(1);
    await dismissGroup(workspace, goals[0]!.id, true);
    expect(await duplicateTasks(workspace)).toEqual([]);
    expect((await findDuplicates(workspace, wishes)).goals[0]).toMatchObject({ dismissed: true });
    await addRecording(workspace, { id: 'dddd', task: 'GIMP_4', goal: 'Crop the large picture' });
    expect((await findDuplicates(workspace, wishes)).goals[0]).toMatchObject({ dismissed: false });
    await expect(dismissGroup(workspace, 'none', true)).rejects.toMatchObject({ code: 'UNKNOWN_FILE' });
  });

  test('a stopped search leaves the last result', async () => {
    await three();
    await findDuplicates(workspace, { filter: {}, goals: 0.7, screens: null });
    const signal = AbortSignal.abort();
    const stopped = findDuplicates(workspace, { filter: {}, goals: 1, screens: 6 }, { signal });
    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await readDuplicates(workspace)).goals).toHaveLength(1);
  });
});

describe('a frozen version', () => {
  test('exports the same bytes twice and after every kind of later edit', async () => {
    await three();
    await gesture('aaaa', name('Crop tool'));
    await freeze('v1');
    const [first, second] = [join(folders.make(), 'out'), join(folders.make(), 'out')];
    await write('v1', first);
    await gesture('aaaa', name('Another name'));
    await gesture('cccc', remove);
    await tagRecordings(workspace, { recordings: ['aaaa'], add: ['x'], remove: [] });
    await assignSplits(workspace, [{ task: 'GIMP_1', split: 'test' }], 'hand');
    await setStateForTests(workspace, 'bbbb', 'approved');
    await sqlOf(workspace.store).updateTable('software').set({ name: 'Other' }).execute();
    await addRecording(workspace, { id: 'eeee', task: 'GIMP_1', goal: 'A newer one' });
    await write('v1', second);
    const files = readdirSync(first, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(10);
    for (const { parentPath, name: file } of files) {
      const path = join(parentPath, file);
      expect(readFileSync(path).equals(readFileSync(path.replace(first, second))), path).toBe(true);
    }
  });

  test('of the same content has the same hash, whatever it is called', async () => {
    await three();
    const one = await freeze('v1');
    await expect(freeze('v2')).rejects.toMatchObject({
      code: 'TARGET_EXISTS',
      message: expect.stringContaining(
        `Nothing changed since version v1: it has the same content (hash ${one.hash.slice(0, 12)})`,
      ),
    });
    expect(listVersions(workspace).versions).toHaveLength(1);
    const two = await freeze('v2', {}, true);
    expect(two.hash).toBe(one.hash);
    expect(one.counts).toEqual({ tasks: 3, recordings: 3, subtasks: 3, actions: 5 });
    expect(await compareVersions(workspace, 'v1', 'v2')).toMatchObject({ equal: true });
    expect(
      listVersions(workspace)
        .versions.map(({ name: called }) => called)
        .sort(),
    ).toEqual(['v1', 'v2']);
  });

  test('is never written over, not even in another case, and has a name that is one', async () => {
    await three();
    await freeze('v1');
    await expect(freeze('V1')).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    for (const wrong of ['../v1', '', '.v', 'a/b', 'x'.repeat(80)]) {
      await expect(freeze(wrong)).rejects.toMatchObject({ code: 'USAGE' });
    }
    await expect(freeze('v3', { state: ['approved'] })).rejects.toMatchObject({ code: 'NOTHING_TO_EXPORT' });
    expect(readdirSync(join(workspace.dir, 'versions'))).toEqual(['v1']);
  });

  test('that was changed by hand is refused by name', async () => {
    await three();
    await freeze('v1');
    const file = join(workspace.dir, 'versions', 'v1', 'snapshot.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Mute the sound', 'Mute the lound'));
    await expect(readVersion(workspace, 'v1')).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining(file),
    });
    writeFileSync(file, '{"schema":\n');
    await expect(readVersion(workspace, 'v1')).rejects.toMatchObject({ message: expect.stringContaining('line 1') });
    await expect(readVersion(workspace, 'v9')).rejects.toMatchObject({
      code: 'UNKNOWN_FILE',
      message: expect.stringContaining('(v1)'),
    });
  });

  test('says so when a still was changed since, or a recording is gone; nothing is left of the export', async () => {
    await three();
    await freeze('v1');
    const out = join(folders.make(), 'out');
    const still = join(workspace.recordingsDir, 'bbbb', 'keyframes', '0.png');
    const content = readFileSync(still);
    writeFileSync(still, Buffer.concat([content, Buffer.from([0])]));
    await expect(write('v1', out)).rejects.toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining(still) });
    writeFileSync(still, content);
    renameSync(join(workspace.recordingsDir, 'bbbb'), join(workspace.dir, 'bbbb'));
    await expect(write('v1', out)).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
    expect(existsSync(out)).toBe(false);
  });

  test('that is stopped leaves nothing', async () => {
    await three();
    const signal = AbortSignal.abort();
    const stopped = freezeVersion(workspace, { name: 'v1', changelog: '', filter: {} }, { toolVersion: '1', signal });
    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' });
    const dir = join(workspace.dir, 'versions');
    expect(existsSync(dir) ? readdirSync(dir) : []).toEqual([]);
  });

  test('is compared with another, down to the fields of a step', async () => {
    await three();
    await gesture('aaaa', name('Crop tool'));
    await freeze('v1');
    await gesture('aaaa', name('Crop'));
    await gesture('cccc', remove);
    await tagRecordings(workspace, { recordings: ['cccc'], add: ['x'], remove: [] });
    await addRecording(workspace, { id: 'dddd', task: 'GIMP_4' });
    rmSync(join(workspace.recordingsDir, 'bbbb'), { recursive: true });
    await workspace.syncIndex();
    await freeze('v2');
    const { tasks, recordings } = await compareVersions(workspace, 'v1', 'v2');
    expect(tasks).toEqual({ added: ['GIMP_4'], removed: ['GIMP_2'], changed: ['GIMP_1', 'GIMP_3'] });
    expect(recordings.added).toEqual([{ recording: 'dddd', task: 'GIMP_4' }]);
    expect(recordings.removed).toEqual([{ recording: 'bbbb', task: 'GIMP_2' }]);
    expect(recordings.changed.map(({ recording, what }) => [recording, what.map(({ field }) => field)])).toEqual([
      ['aaaa', []],
      ['cccc', ['state', 'tags']],
    ]);
    expect(recordings.changed[0]!.steps).toMatchObject([
      { kind: 'changed', what: [{ field: 'label.element', from: 'Crop tool', to: 'Crop' }] },
    ]);
    expect(recordings.changed[1]!.steps[0]!.what.map(({ field }) => field)).toContain('removal');
  });
});

describe('statistics', () => {
  test('of a version are those of the filter when it was frozen', async () => {
    await three();
    await gesture('aaaa', remove);
    await freeze('v1', { software: ['gimp'] });
    const now = await statisticsOf(workspace, { kind: 'filter', filter: { software: ['gimp'] } });
    expect(await statisticsOf(workspace, { kind: 'version', name: 'v1' })).toEqual({
      ...now,
      actionsPerTask: now.actionsPerTask,
    });
    expect(now).toMatchObject({
      tasks: 3,
      actions: 4,
      subtasks: 3,
      uncounted: 0,
      kinds: [{ name: 'LeftClick', count: 4, share: 1 }],
      resolutions: [{ name: '1280x720', count: 3, share: 1 }],
      actionsPerTask: { values: [1, 1, 2], spread: { n: 3, min: 1, median: 1, max: 2 } },
      secondsPerTask: { values: [10, 10, 10] },
    });
    expect(now.words.goals.values).toEqual([3, 4, 4]);
    expect(now.frequentWords[0]).toEqual({ word: 'click', count: 4 });
  });
});

describe('exports', () => {
  const wishes: ExportWishes = {
    formats: [{ name: 'coco' }, { name: 'agentnet' }],
    source: { kind: 'filter', filter: {} },
    all: true,
  };

  test('a preview says what the export then writes, and writes nothing', async () => {
    await three();
    await gesture('cccc', remove);
    const formats = FORMATS.map(({ name, parts }) => ({ name, parts: parts.map((part) => part.name) }));
    const given = { ...wishes, formats };
    const preview = await previewOf(workspace, given);
    expect(await listExports(workspace)).toEqual([]);
    const source = await exportSource(workspace, given.source, { all: true, said: true, keyframes: currentKeyframes });
    const requests = requestsOf(given);
    const results = await exportFormats(source, join(folders.make(), 'out'), requests, {
      toolVersion: '1',
      filters: { all: true },
    });
    for (const [at, { format, leftOut, counts }] of results.entries()) {
      const seen = preview.formats[at]!;
      expect(seen.format).toBe(format);
      expect([...preview.leftOut, ...seen.leftOut]).toEqual(leftOut);
      const { tasks, subtasks, actions, images: _images, ...rows } = counts;
      expect(counts).toMatchObject({ tasks: preview.tasks, subtasks: preview.subtasks, actions: preview.actions });
      const { images: _seen, ...seenRows } = seen.counts;
      expect(seenRows).toEqual(rows);
      expect([tasks, subtasks, actions]).toEqual([3, 3, 4]);
    }
  });

  test('of a version hold all that was frozen, whatever its state; what is in work goes out when approved', async () => {
    await three();
    await freeze('v1');
    const given = (source: ExportWishes['source']): ExportWishes => ({
      formats: [{ name: 'agentnetbench' }],
      source,
      all: false,
    });
    const version = { kind: 'version' as const, name: 'v1' };
    expect(await previewOf(workspace, given(version))).toMatchObject({ tasks: 3 });
    const out = join(folders.make(), 'out');
    const [frozen] = await runExport(workspace, given(version), out, { toolVersion: '1' });
    expect(frozen!.counts.tasks).toBe(3);
    const now = given({ kind: 'filter', filter: {} });
    await expect(runExport(workspace, now, join(folders.make(), 'out'), { toolVersion: '1' })).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPORT',
    });
    // The same files to the byte, though a version's own text sorts its keys.
    const whole = join(folders.make(), 'out');
    await runExport(workspace, { ...now, all: true }, whole, { toolVersion: '1' });
    for (const id of ['GIMP_1', 'GIMP_2', 'GIMP_3'])
      expect(readFileSync(join(out, 'data', `${id}.json`), 'utf8')).toBe(
        readFileSync(join(whole, 'data', `${id}.json`), 'utf8'),
      );
  });

  test('are noted, found again, checked, and known to be gone', async () => {
    await three();
    const out = join(folders.make(), 'out');
    await runExport(workspace, wishes, out, { toolVersion: '1' });
    const [first] = await listExports(workspace);
    expect(first).toMatchObject({ exists: true, validation: null, version: null });
    expect((await checkExport(workspace, first!.id)).ok).toBe(true);
    rmSync(join(first!.folder, 'manifest.json'));
    expect((await checkExport(workspace, first!.id)).ok).toBe(false);
    const [noted] = await listExports(workspace);
    expect(noted!.validation).toMatchObject({ ok: false });
    expect(noted!.validation!.count).toBeGreaterThan(0);
    rmSync(out, { recursive: true });
    expect((await listExports(workspace)).map(({ exists }) => exists)).toEqual([false, false]);
  });

  test('a look ahead cuts nothing: a keyframe that was moved counts, and its still stays uncut', async () => {
    const folder = addClicks(workspace, 'moved');
    await workspace.syncIndex();
    const { steps } = await documents.openRecording('moved');
    const action = steps[2]!.id;
    const record = { kind: 'keyframe' as const, id: `keyframe:${action}:before`, action, role: 'before' as const };
    const changes = [{ op: 'add' as const, record: { ...record, frame: 1, t: 2_000_000 } }];
    await documents.apply('moved', { id: randomUUID(), label: 'Move the keyframe', changes }, 'Bo');
    // There is no video: cutting it would fail.
    expect(await previewOf(workspace, wishes)).toMatchObject({ tasks: 1, actions: 4 });
    expect(existsSync(join(folder, 'keyframes'))).toBe(false);
    await expect(runExport(workspace, wishes, join(folders.make(), 'out'), { toolVersion: '1' })).rejects.toThrow();
  });

  test('a filter narrows what goes out; a format that is unknown or twice is refused', async () => {
    await three();
    await tagRecordings(workspace, { recordings: ['cccc'], add: ['pilot'], remove: [] });
    const source = { kind: 'filter' as const, filter: { tags: ['pilot'] } };
    expect(await previewOf(workspace, { ...wishes, source })).toMatchObject({ tasks: 1, actions: 2, leftOut: [] });
    const named = (...names: string[]) =>
      previewOf(workspace, { ...wishes, formats: names.map((one) => ({ name: one })) });
    await expect(named('nothing')).rejects.toMatchObject({ code: 'UNKNOWN_FORMAT' });
    await expect(named('coco', 'coco')).rejects.toMatchObject({ code: 'USAGE' });
  });
});
