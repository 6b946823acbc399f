import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportTask } from '../../../core/export/model.ts';
import { padding, readTarHeader, TAR_BLOCK, tarHeader } from '../../files/tar.ts';
import { click, drag, makeTask, makeTasks } from './example-for-tests.ts';
import { exportTasks } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { hashFile, listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

const OPTIONS = { toolVersion: '0.1.0', filters: {} };

let root: string;
let tasks: ExportTask[];
let dir: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'webdataset-'));
  tasks = await makeTasks(path.join(root, 'stills'));
  dir = path.join(root, 'out');
  // Small shards: a sample or two each.
  await exportTasks(tasks, dir, requestOf('webdataset'), { ...OPTIONS, sizes: { shardBytes: 6000 } });
});
afterAll(() => rm(root, { recursive: true, force: true }));

/**
 * WebDataset's own rule of what a sample is (its tariterators.py: files behind one another with the same text before the first dot
 * of their name, the rest is the field), over Python's own reader of archives.
 */
const SCRIPT = `
import json, os, sys, tarfile
samples, current = [], None
for shard in sorted(n for n in os.listdir(sys.argv[1]) if n.endswith('.tar')):
    with tarfile.open(os.path.join(sys.argv[1], shard), 'r|') as stream:
        current = None
        for info in stream:
            assert info.isreg() and info.mtime == 0, info
            key, field = info.name.split('.', 1)
            if current is None or current['__key__'] != key:
                current = {'__key__': key, '__shard__': shard}
                samples.append(current)
            assert field not in current, info.name
            data = stream.extractfile(info).read()
            current[field] = json.loads(data) if field == 'json' else len(data)
print(json.dumps(samples))
`;
type Sample = { __key__: string; __shard__: string; json: Record<string, unknown> } & Record<string, unknown>;
const read = (folder: string): Sample[] =>
  JSON.parse(execFileSync('python3', ['-c', SCRIPT, folder], { encoding: 'utf8' })); // As the script prints them.

test('a reader of the stream gets every step whole, its picture beside it, whatever shard it is in', async () => {
  const samples = read(dir);
  const steps = tasks.flatMap(({ id, subtasks }) =>
    subtasks.flatMap((subtask) => subtask.actions.map((action) => ({ id, subtask: subtask.id, action }))),
  );
  expect(samples.map(({ __key__ }) => __key__).sort()).toEqual(
    steps.map(({ id, subtask, action }) => `${id}_${subtask}_${action.rank}`).sort(),
  );
  for (const { id, subtask, action } of steps) {
    const found = samples.find(({ __key__ }) => __key__ === `${id}_${subtask}_${action.rank}`)!;
    expect(found.json).toMatchObject({ task_id: id, subtask_id: subtask, narration: action.narration });
    expect(found.json).not.toHaveProperty('file_name');
    expect(found.png).toBe((await readFile(action.beforeImage!.path)).length);
  }
  const shards = [...new Set(samples.map(({ __shard__ }) => __shard__))];
  expect(shards.length).toBeGreaterThan(2);
  expect(shards).toEqual(shards.map((_, index) => `shard-${String(index).padStart(6, '0')}.tar`));
  expect((await validateExport('webdataset', dir)).problems).toEqual([]);
});

test('its card names the columns, which a loader would else guess from the first samples', async () => {
  const card = await readFile(path.join(dir, 'README.md'), 'utf8');
  for (const column of [
    '- name: png\n    dtype: image',
    '- name: json\n    struct:\n    - name: task_id',
    '- name: __key__',
  ])
    expect(card).toContain(column);
});

test('the screen after is in every sample that is asked to have it, and a step without one is left out and said', async () => {
  const task = await makeTask(path.join(root, 'stills'), 'AE_9', [
    { query: 'q', actions: [click(1, 1), drag([2, 2], [9, 9])] },
  ]);
  task.subtasks[0]!.actions[1]!.afterImage = null;
  const out = path.join(root, 'after');
  const { leftOut } = await exportTasks([task], out, requestOf('webdataset', { options: { after: 'yes' } }), OPTIONS);
  const samples = read(out);
  expect(samples.map((sample) => Object.keys(sample).sort())).toEqual([
    ['__key__', '__shard__', 'after.png', 'json', 'png'],
  ]);
  expect(leftOut).toContainEqual({
    item: 'AE_9/1/2',
    from: 'webdataset',
    reason: 'there is no picture of the screen after it',
  });
  expect((await validateExport('webdataset', out)).problems).toEqual([]);
});

const SHARD = 'shard-000000.tar';
/** The bytes of the first shard, changed. */
const changed =
  (how: (bytes: Buffer) => Buffer) =>
  async (folder: string): Promise<void> =>
    writeFile(path.join(folder, SHARD), how(await readFile(path.join(folder, SHARD))));
const flipped = (at: number) =>
  changed((bytes) => {
    bytes[at]! ^= 1;
    return bytes;
  });
/** Its first sample's JSON, changed: the second file of it. */
const step = (how: (row: Row) => unknown) =>
  changed((bytes) => {
    const after = (at: number, size: number): number => at + TAR_BLOCK + size + padding(size);
    const entryAt = (at: number) => readTarHeader(bytes.subarray(at, at + TAR_BLOCK), at)!;
    const at = after(0, entryAt(0).size);
    const { path: name, size } = entryAt(at);
    const row = JSON.parse(bytes.toString('utf8', at + TAR_BLOCK, at + TAR_BLOCK + size));
    const text = how(row) === REMOVED ? null : Buffer.from(JSON.stringify(row));
    const blocks = text && [
      tarHeader({ path: name, size: text.length, kind: 'file' }),
      text,
      Buffer.alloc(padding(text.length)),
    ];
    return Buffer.concat([bytes.subarray(0, at), ...(blocks ?? []), bytes.subarray(after(at, size))]);
  });
const REMOVED = Symbol();
/** Rows are plain JSON here, without a type: their shape is what the tests destroy. */
type Row = ReturnType<typeof JSON.parse>;

describe('what is wrong with a shard is found', () => {
  test.each<[what: string, damage: (folder: string) => Promise<void>, code: string]>([
    ['a picture with another byte', flipped(600), 'IMAGE_DAMAGED'],
    ['a header with another byte', flipped(3), 'SHARD_DAMAGED'],
    ['half of it', changed((bytes) => bytes.subarray(0, 900)), 'SHARD_DAMAGED'],
    ['no end mark', changed((bytes) => bytes.subarray(0, -1024)), 'SHARD_DAMAGED'],
    ['more behind its end', changed((bytes) => Buffer.concat([bytes, Buffer.alloc(512, 1)])), 'SHARD_DAMAGED'],
    ['a file that is no archive', changed(() => Buffer.from('no archive')), 'SHARD_DAMAGED'],
    ['a sample twice', (folder) => cp(path.join(folder, SHARD), path.join(folder, 'shard-000001.tar')), 'ID_TWICE'],
    ['a shard that is gone', (folder) => rm(path.join(folder, SHARD)), 'SHARD_NAME'],
    ['another step than its key', step((row) => (row.action_id = 9)), 'REFERENCE_WRONG'],
    ['a kind that there is not', step((row) => (row.task_kind = 'half')), 'ROW_BAD'],
    ['a name of its picture', step((row) => (row.file_name = 'a.png')), 'ROW_BAD'],
    ['a place outside', step((row) => (row.start_position = [64, 0])), 'POSITION_OUTSIDE'],
    [
      'a box outside',
      step((row) => (row.objects = { bbox: [[0, 0, 99, 9]], categories: [''], roles: ['target'] })),
      'BOX_OUTSIDE',
    ],
    [
      'a box without a role',
      step((row) => (row.objects = { bbox: [[0, 0, 9, 9]], categories: [''], roles: [] })),
      'MARKS_WRONG',
    ],
    ['a sample without its text', step(() => REMOVED), 'MARKS_WRONG'],
  ])('%s', async (what, damage, code) => {
    const folder = path.join(root, what.replaceAll(' ', '-'));
    await cp(dir, folder, { recursive: true });
    await damage(folder);
    // The manifest is made to fit, so that nothing but the shard itself tells.
    const file = path.join(folder, 'manifest.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    const names = (await listTargetFiles(folder)).filter((name) => name !== 'manifest.json');
    manifest.files = await Promise.all(names.map((name) => hashFile(folder, name)));
    await writeFile(file, JSON.stringify(manifest));
    const { problems } = await validateExport('webdataset', folder);
    expect(problems.map((problem) => problem.code)).toContain(code);
  });

  test('a shard under another number', async () => {
    const folder = path.join(root, 'renamed');
    await cp(dir, folder, { recursive: true });
    await rename(path.join(folder, SHARD), path.join(folder, 'shard-000009.tar'));
    const { problems } = await validateExport('webdataset', folder);
    expect(problems.map((problem) => problem.code)).toEqual(expect.arrayContaining(['SHARD_NAME', 'FILE_MISSING']));
  });
});
