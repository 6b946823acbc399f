import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CUA_VERIFIER_BENCH } from '../../../core/export/cua-verifier/log.ts';
import { FORMATS, type FormatName } from '../../../core/export/formats.ts';
import type { ExportTask } from '../../../core/export/model.ts';
import { EXPORT_FILES, jsonSchemaText } from '../../../schemas/export-files.ts';
import { queryDuckdb } from './duckdb-for-tests.ts';
import { click, drag, makeTask, makeTasks, of, pressed, saidForTests } from './example-for-tests.ts';
import { exportTasks, sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { schemaErrors } from './json-schema-for-tests.ts';
import { parquetRows } from './parquet-for-tests.ts';
import { type ExportOptions, type ExportResult, exportFormats } from './run.ts';
import { jsonInTar } from './tar-for-tests.ts';
import { listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

const OPTIONS: ExportOptions = { toolVersion: '0.1.0', filters: {} };
const NAMES: FormatName[] = FORMATS.map(({ name }) => name);
/** VideoGUI has tests of its own. */
const OTHERS = NAMES.filter((name) => name !== 'videogui');

/** Every part that has rows. */
const wholeOf = (name: FormatName) => requestOf(name, name === 'videogui' ? { parts: ['parquet', 'jsonl'] } : {});

let root: string;
let tasks: ExportTask[];
let results: ExportResult[];
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'formats-'));
  tasks = await makeTasks(path.join(root, 'stills'));
  tasks.push(
    await makeTask(path.join(root, 'stills'), 'DV_8', [
      {
        query: 'q',
        actions: [click(5, 6, { modifiers: ['ctrl'] }), of('hover'), of('wait'), pressed('Tab'), click(5, 6)],
      },
      { query: '<image> "«', actions: [drag([0, 0], [63, 39])] },
    ]),
  );
  const [first] = tasks[0]!.subtasks[0]!.actions;
  Object.assign(first!, { thought: 'Why <image>', actionThought: 'How', observation: '</think> Seen' });
  tasks[0]!.said = saidForTests(tasks[0]!);
  results = await exportFormats(sourceOf(tasks), path.join(root, 'all'), NAMES.map(wholeOf), OPTIONS);
});
afterAll(() => rm(root, { recursive: true, force: true }));

let made = 0;
const freshOut = () => path.join(root, `out-${made++}`);
const resultOf = (name: FormatName) => results.find(({ format }) => format === name)!;

/** What Python prints; the export's folder is its first argument. */
function python(script: string, dir: string): unknown {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script, dir], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe.each(NAMES)('%s', (name) => {
  test('is found sound by its validator, which reads as many rows as the manifest says', async () => {
    const { out, counts } = resultOf(name);
    const validation = await validateExport(name, out);
    expect(validation.problems).toEqual([]);
    const { tasks: _t, subtasks: _s, actions: _a, ...rows } = counts;
    expect(validation.counts).toEqual(rows);
    expect(Object.values(rows).every((count) => count > 0)).toBe(true);
  });

  test('is the same bytes a second time, alone or with the others', async () => {
    const alone = await exportTasks(tasks.toReversed(), freshOut(), wholeOf(name), OPTIONS);
    expect(alone.files).toEqual(resultOf(name).files);
    const manifest = (dir: string) => readFile(path.join(dir, 'manifest.json'), 'utf8');
    expect(await manifest(alone.out)).toBe(await manifest(resultOf(name).out));
  });

  test('has a card with the figures, and a manifest with every file', async () => {
    const { out, files } = resultOf(name);
    expect(await readFile(path.join(out, 'README.md'), 'utf8')).toContain(
      '| App PPT |  | Linux | 1 | 0 | 2 | 7 | 7.0 | 3.5 |',
    );
    expect((await listTargetFiles(out)).filter((file) => file !== 'manifest.json')).toEqual(
      files.map((file) => file.path),
    );
    expect((await listTargetFiles(out)).some((file) => file.endsWith('.partial'))).toBe(false);
  });

  test('leaves nothing behind when a still is missing, and when it is stopped', async () => {
    const stills = path.join(root, `lost-${name}`);
    const task = await makeTask(stills, 'PPT_1', [{ query: 'q', actions: [click(1, 1), click(2, 2)] }]);
    await rm(task.subtasks[0]!.actions[1]!.beforeImage!.path);
    const before = await readdir(root);
    await expect(exportTasks([task], freshOut(), requestOf(name), OPTIONS)).rejects.toMatchObject({ code: 'BAD_FILE' });
    const abort = new AbortController();
    const onProgress = ({ done }: { done: number }) => done >= 1 && abort.abort();
    const stopped = exportTasks(tasks, freshOut(), requestOf(name), { ...OPTIONS, onProgress, signal: abort.signal });
    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await readdir(root)).toEqual(before);
  });
});

describe('published JSON Schemas', () => {
  test.each(EXPORT_FILES)(
    '$name stands in docs/formats as it is made (else: studio formats --schemas docs/formats)',
    (file) => {
      const url = new URL(`../../../docs/formats/${file.name}.schema.json`, import.meta.url);
      expect(readFileSync(url, 'utf8')).toBe(jsonSchemaText(file));
    },
  );

  // Files of runs are in candidates.test.ts: none is made of demonstrations.
  const ofRuns = ['ms-swift-candidates', 'ms-swift-pairs'];
  test.each(EXPORT_FILES.filter(({ format, name }) => format !== '*' && !ofRuns.includes(name)))(
    'every file of $name fits its schema',
    async (file) => {
      const schema = JSON.parse(jsonSchemaText(file));
      const { out } = resultOf(file.format as FormatName);
      const names = (await listTargetFiles(out)).filter((name) => file.file.test(name));
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        if (name.endsWith('.parquet')) {
          for (const row of await parquetRows(path.join(out, name))) expect(schemaErrors(schema, row)).toEqual([]);
          continue;
        }
        const place = path.join(out, name);
        const text = name.endsWith('.tar') ? jsonInTar(place).join('\n') : await readFile(place, 'utf8');
        for (const value of file.lines ? text.trimEnd().split('\n') : [text]) {
          expect(schemaErrors(schema, JSON.parse(value))).toEqual([]);
        }
      }
    },
  );

  test.each(NAMES)('the manifest of %s fits its schema', async (name) => {
    const schema = JSON.parse(jsonSchemaText(EXPORT_FILES.find((file) => file.name === 'manifest')!));
    const manifest = JSON.parse(await readFile(path.join(resultOf(name).out, 'manifest.json'), 'utf8'));
    expect(schemaErrors(schema, manifest)).toEqual([]);
    expect(schemaErrors(schema, { ...manifest, tool: 1 })).not.toEqual([]);
  });
});

describe('read back by others', () => {
  test('AgentNet and imagefolder by DuckDB', async () => {
    const { out } = resultOf('agentnet');
    const rows = await queryDuckdb(
      `SELECT task_id, s.index, s.image, s.value.code FROM
       (SELECT task_id, unnest(traj) AS s FROM read_json('${out}/agentnet.jsonl')) WHERE task_id = 'AE_2' ORDER BY ALL`,
    );
    expect(rows).toEqual([
      [
        'AE_2',
        '0',
        'AE_2_1_1_before.png',
        "pyautogui.moveTo(x=0.0156, y=0.05)\npyautogui.dragTo(x=0.9375, y=0.75, button='left')",
      ],
      ['AE_2', '1', 'AE_2_1_end.png', "computer.terminate(status='success')"],
    ]);
    const metadata = `${resultOf('imagefolder').out}/train/metadata.parquet`;
    expect(await queryDuckdb(`SELECT count(*), count(DISTINCT file_name) FROM '${metadata}'`)).toEqual([['14', '14']]);
    expect(
      await queryDuckdb(
        `SELECT objects.bbox FROM '${metadata}' WHERE action_id = 1 AND task_id = 'PPT_15' AND subtask_id = 1`,
      ),
    ).toEqual([[[['1', '2', '10', '8']]]]);
  });

  // Rows of Parquet DuckDB reads above and in lerobot.test.ts, CUA-Suite's and OSWorld's files their own rules in cua-suite.test.ts and osworld.test.ts, shards Python in webdataset.test.ts, and CUAVerifierBench's tables DuckDB in cua-verifier-tables.test.ts.
  const ELSEWHERE: FormatName[] = [
    'imagefolder',
    'webdataset',
    'lerobot',
    'videocua',
    'groundcua',
    'osworld',
    CUA_VERIFIER_BENCH,
  ];
  test.each(OTHERS.filter((name) => !ELSEWHERE.includes(name)))('the code, marks and paths of %s by Python', (name) => {
    // Python's own parser reads each code, its own json each file; every path that a row names is a file.
    const script = `
import ast, json, os, re, sys
root, found = sys.argv[1], {'codes': 0, 'files': 0, 'marks': 0}
def walk(value, key=None):
    if isinstance(value, dict):
        if isinstance(value.get('messages'), list):
            marks = sum(m['content'].count('<image>') for m in value['messages'])
            assert marks == len(value['images']), value
            found['marks'] += marks
            for m in value['messages']:
                if m['role'] == 'assistant' and 'Code:\\n' in m['content']:
                    ast.parse(m['content'].split('Code:\\n')[-1]); found['codes'] += 1
        for k, v in value.items(): walk(v, k)
    elif isinstance(value, list):
        for v in value: walk(v, key)
    elif isinstance(value, str):
        if key in ('code', 'action') and re.match(r'(pyautogui|computer)[.]', value):
            ast.parse(value); found['codes'] += 1
        if re.fullmatch(r'[\\w/-]+[.]png', value):
            places = ['', 'images', 'data/images', 'screenspot_imgs', 'train', 'trajectories']
            assert any(os.path.isfile(os.path.join(root, p, value)) for p in places), value
            found['files'] += 1
for folder, _, names in os.walk(root):
    for n in names:
        path = os.path.join(folder, n)
        if n.endswith('.jsonl'):
            for line in open(path, encoding='utf8'): walk(json.loads(line))
        elif n.endswith('.json') and n != 'manifest.json': walk(json.load(open(path, encoding='utf8')))
print(json.dumps(found))
`;
    const found = python(script, resultOf(name).out) as { codes: number; files: number; marks: number };
    expect(found.files).toBeGreaterThan(0);
    if (['agentnet', 'agentnetbench', 'ms-swift', 'llamafactory'].includes(name))
      expect(found.codes).toBeGreaterThan(10);
    if (['ms-swift', 'llamafactory'].includes(name)) expect(found.marks).toBeGreaterThan(10);
  });
});

describe('several formats in one run', () => {
  test('share their pictures: one file on the disk, whole in each folder', async () => {
    const inodes = new Set<number>();
    const paths: string[] = [];
    // A video, a shard or a table of them shares nothing, and GroundCUA and OSWorld have names of their own.
    const without = ['videogui', 'webdataset', 'lerobot', 'videocua', 'groundcua', 'osworld', CUA_VERIFIER_BENCH];
    const withPictures = results.filter(({ format }) => !without.includes(format));
    for (const { out, files } of withPictures) {
      for (const { path: name } of files.filter((file) => file.path.endsWith('PPT_15_1_1_before.png'))) {
        paths.push(path.join(out, name));
        inodes.add((await stat(path.join(out, name))).ino);
      }
    }
    expect(paths).toHaveLength(withPictures.length);
    expect(inodes.size).toBe(1);
    const still = tasks[0]!.subtasks[0]!.actions[0]!.beforeImage!.path;
    expect(await readFile(paths[0]!)).toEqual(await readFile(still));
    // A copy of the recording's own file, never that file itself.
    expect(inodes.has((await stat(still)).ino)).toBe(false);
  });

  test('lie in a folder each, and what is left out is told by each', () => {
    expect(results.map(({ out }) => path.relative(root, out))).toEqual(NAMES.map((name) => `all/${name}`));
    expect(resultOf('opencua').leftOut).toContainEqual({
      item: 'DV_8/1/1',
      from: 'opencua',
      reason: 'the format cannot say that ctrl was held',
    });
    // Nothing but what the format has no place for.
    expect(resultOf('agentnet').leftOut.filter(({ from }) => !from.startsWith('agentnet/'))).toEqual([]);
  });
});

test('a source is passed over once, one task after another', async () => {
  let open = 0;
  let passes = 0;
  const source = sourceOf(tasks);
  const counted = {
    ...source,
    *tasks() {
      passes++;
      for (const task of source.tasks() as Iterable<ExportTask>) {
        open++;
        yield task;
        open--;
        expect(open).toBe(0);
      }
    },
  };
  await exportFormats(counted, freshOut(), NAMES.map(wholeOf), OPTIONS);
  expect(passes).toBe(1);
});

test('formats, parts and options that there are none of are refused with those that there are', () => {
  expect(() => requestOf('videgui')).toThrow('Did you mean "videogui"?');
  expect(() => requestOf('avi')).toThrow(/Known: videogui, agentnet, .*imagefolder/);
  expect(() => requestOf('coco', { parts: ['x'] })).toThrow('written as a whole');
  expect(() => requestOf('ms-swift', { parts: ['x'] })).toThrow('messages, trajectory, grounding');
  expect(() => requestOf('coco', { options: { x: '1' } })).toThrow('It has: categories');
  expect(() => requestOf('coco', { options: { categories: 'x' } })).toThrow('one, action');
  expect(requestOf('coco', { options: { categories: 'action' } }).options).toEqual({ categories: 'action' });
});

test('every option and part can be exported and is sound', async () => {
  for (const { name, parts, options } of FORMATS) {
    const chosen = options.flatMap((option) =>
      option.values.map((value) => ({ options: { [option.name]: value.name } })),
    );
    const alone = parts.map((part) => ({ parts: [part.name] }));
    for (const choice of [...chosen, ...alone]) {
      const { out } = await exportTasks(tasks, freshOut(), requestOf(name, choice), OPTIONS);
      expect((await validateExport(name, out)).problems).toEqual([]);
    }
  }
});
