import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORMATS, type FormatName } from '../../../core/export/formats.ts';
import type { ParquetColumn } from '../../../core/export/videogui/columns.ts';
import { click, makeTask, pressed, typed } from './example-for-tests.ts';
import { sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { parquetRows, writeMetadata } from './parquet-for-tests.ts';
import { exportFormats } from './run.ts';
import { hashFile, listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

const OTHERS: FormatName[] = FORMATS.map(({ name }) => name).filter((name) => name !== 'videogui');

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'damage-'));
  const tasks = [
    await makeTask(path.join(root, 'stills'), 'PPT_1', [
      { query: 'q', actions: [click(12, 8), click(3, 4), pressed('Tab')] },
      { query: 'r', actions: [typed('abc'), click(5, 6)] },
    ]),
    await makeTask(path.join(root, 'stills'), 'PPT_2', [{ query: 'q', actions: [click(1, 2)] }]),
  ];
  const requests = OTHERS.map((name) => requestOf(name));
  await exportFormats(sourceOf(tasks), path.join(root, 'sound'), requests, { toolVersion: '0', filters: {} });
});
afterAll(() => rm(root, { recursive: true, force: true }));

let made = 0;
/** Damages a copy of a format's export, puts the manifest right again, and gives back the codes of what is found. */
async function codesAfter(format: FormatName, damage: (dir: string) => Promise<unknown>): Promise<string[]> {
  const dir = path.join(root, `copy-${made++}`);
  await cp(path.join(root, 'sound', format), dir, { recursive: true });
  await damage(dir);
  const file = path.join(dir, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  manifest.files = [];
  for (const name of await listTargetFiles(dir))
    if (name !== 'manifest.json') manifest.files.push(await hashFile(dir, name));
  await writeFile(file, JSON.stringify(manifest));
  const { ok, problems } = await validateExport(format, dir);
  expect(ok).toBe(problems.length === 0);
  expect(problems.every(({ message, file: where }) => message !== '' && where !== '')).toBe(true);
  return [...new Set(problems.map(({ code }) => code))];
}

/** Rows are plain JSON here, without a type: their shape is what the tests destroy. */
type Row = ReturnType<typeof JSON.parse>;

/** Changes a JSON file, or all rows of a JSON Lines file. */
function change(name: string, how: (rows: Row) => unknown): (dir: string) => Promise<void> {
  return async (dir) => {
    const file = path.join(dir, name);
    const text = await readFile(file, 'utf8');
    if (!name.endsWith('.jsonl')) {
      const value = JSON.parse(text);
      how(value);
      await writeFile(file, JSON.stringify(value));
      return;
    }
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    how(rows);
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  };
}

type Damage = [what: string, change: (dir: string) => Promise<void>, code: string];

const agentnet = (how: (rows: Row) => unknown) => change('agentnet.jsonl', how);
const code = (text: string) => agentnet((rows) => (rows[0].traj[0].value.code = text));
const AGENTNET: Damage[] = [
  ['a field is missing', agentnet((rows) => delete rows[0].instruction), 'ROW_BAD'],
  ['an unknown field', agentnet((rows) => (rows[0].more = 1)), 'ROW_BAD'],
  ['a task twice', agentnet((rows) => rows.push(rows[0])), 'ID_TWICE'],
  ['a task is lost', agentnet((rows) => rows.pop()), 'COUNT_WRONG'],
  ['a step is lost', agentnet((rows) => rows[0].traj.splice(1, 1)), 'RANK_GAP'],
  ['the end is lost', agentnet((rows) => rows[0].traj.pop()), 'TERMINATE_WRONG'],
  ['it ends too early', code("computer.terminate(status='success')"), 'TERMINATE_WRONG'],
  ['a task id of another form', agentnet((rows) => (rows[0].task_id = '../x')), 'TASK_ID'],
  ['a picture of another name', agentnet((rows) => (rows[0].traj[0].image = 'other.png')), 'IMAGE_MISSING'],
  ['a path instead of a name', agentnet((rows) => (rows[0].traj[0].image = '../../a.png')), 'ROW_BAD'],
  ['pixels instead of shares', code('pyautogui.click(x=12, y=8)'), 'POSITION_OUTSIDE'],
  ['a pixel that the picture lacks', code('pyautogui.click(x=1.0, y=0.5)'), 'POSITION_OUTSIDE'],
  ['a string that is not closed', code("pyautogui.write(message='a)"), 'CODE_BAD'],
  ['a call of something else', code("os.system('rm')"), 'CODE_BAD'],
  ['code behind the call', code('pyautogui.click(x=0.1, y=0.1); exit()'), 'CODE_BAD'],
  ['a call without its place', code('pyautogui.click()'), 'CODE_BAD'],
  ['a scroll of nothing', code('pyautogui.scroll(0)'), 'CODE_BAD'],
  ['tripleClick of the wrong module', code('pyautogui.tripleClick(x=0.1, y=0.1)'), 'CODE_BAD'],
];

const opencua = (how: (content: Row, rows: Row) => unknown) =>
  change('opencua.jsonl', (rows) => how(rows[0].content, rows));
const OPENCUA: Damage[] = [
  ['two screens in a row', opencua((content) => content.splice(2, 1)), 'ORDER_WRONG'],
  ['the instruction is lost', opencua((content) => content.splice(1, 1)), 'ORDER_WRONG'],
  ['an unknown action', opencua((content) => (content[3].guiactions[0].action_type = 'tap')), 'ROW_BAD'],
  ['no place', opencua((content) => delete content[3].guiactions[0].args.x), 'CODE_BAD'],
  ['a place outside', opencua((content) => (content[3].guiactions[0].args.x = 1)), 'POSITION_OUTSIDE'],
  ['a name that is not the path', opencua((content) => (content[1].content = content[4].content)), 'REFERENCE_WRONG'],
  [
    'a box in the other frame',
    opencua((content) => (content[3].guiactions[0].target.bbox = [0, 0, 0.5, 0.5])),
    'BOX_WRONG',
  ],
  [
    'left, top, width, height',
    opencua((content) => Object.assign(content[3].guiactions[0].target, { pixel_bbox: [12, 8, 10, 8] })),
    'BOX_OUTSIDE',
  ],
  [
    'a size of another picture',
    opencua((content) => (content[3].guiactions[0].target.image_size = [640, 400])),
    'SIZE_WRONG',
  ],
  ['a task twice', opencua((_content, rows) => rows.push(rows[0])), 'ID_TWICE'],
];

const run = (how: (file: Row) => unknown) => change('trajectories/PPT_1.json', how);
const ATIF: Damage[] = [
  ['a gap in step_id', run((file) => file.steps.splice(2, 1)), 'ROW_BAD'],
  ['a field that ATIF has not', run((file) => (file.steps[1].note = 'x')), 'ROW_BAD'],
  ['an unknown version', run((file) => (file.schema_version = 'ATIF-v9.0')), 'ROW_BAD'],
  ['a call that is another step’s', run((file) => (file.steps[2].tool_calls[0].tool_call_id = 'x')), 'ROW_BAD'],
  ['reasoning where no model was asked', run((file) => (file.steps[1].reasoning_content = 'x')), 'ROW_BAD'],
  ['a time that is none', run((file) => (file.steps[1].timestamp = 'yesterday')), 'ROW_BAD'],
  ['calls of the user', run((file) => (file.steps[0].tool_calls = file.steps[1].tool_calls)), 'ROW_BAD'],
  [
    'a picture outside of the folder',
    run((file) => (file.steps[1].observation.results[0].content[0].source.path = '../x.png')),
    'REFERENCE_WRONG',
  ],
  ['a step more than the list says', run((file) => file.steps.pop()), 'FIGURE_WRONG'],
  ['a run that is not listed', change('runs.jsonl', (rows) => rows.pop()), 'TASK_UNKNOWN'],
  ['a run that is listed twice', change('runs.jsonl', (rows) => rows.push(rows[0])), 'ID_TWICE'],
  ['a file is lost', (dir) => rm(`${dir}/trajectories/PPT_2.json`), 'FILE_MISSING'],
  ['half a file', (dir) => writeFile(`${dir}/trajectories/PPT_2.json`, '{"schema_version": '), 'JSON_BAD'],
];

const bench = (how: (file: Row) => unknown) => change('data/PPT_1.json', how);
const truth = (how: (action: Row) => unknown) => bench((file) => how(file.steps[0].ground_truth_actions[0]));
const AGENTNETBENCH: Damage[] = [
  ['a step is lost', bench((file) => file.steps.splice(1, 1)), 'RANK_GAP'],
  ['a truth of another place', truth((action) => (action.params.position.x = 0.9)), 'CODE_DIFFERS'],
  ['a truth of another kind', truth((action) => (action.type = 'moveTo')), 'CODE_DIFFERS'],
  ['other keys', bench((file) => (file.steps[2].ground_truth_actions[0].params.keys = ['a'])), 'CODE_DIFFERS'],
  ['a wrong area', truth((action) => (action.metadata.bboxes[0].area = 1)), 'FIGURE_WRONG'],
  ['boxes that differ', truth((action) => (action.metadata.bboxes[0].rel_bbox[2] = 0.9)), 'BOX_WRONG'],
  ['a box outside', truth((action) => (action.metadata.bboxes[0].abs_bbox[0] = 60)), 'BOX_OUTSIDE'],
  ['a wrong frequency', bench((file) => (file.meta_info.action_frequency.click = 9)), 'FIGURE_WRONG'],
  ['a wrong entropy', bench((file) => (file.meta_info.action_entropy = 9)), 'FIGURE_WRONG'],
  ['a file of another name', (dir) => rename(`${dir}/data/PPT_1.json`, `${dir}/data/PPT_9.json`), 'TASK_ID'],
  ['a file is lost', (dir) => rm(`${dir}/data/PPT_2.json`), 'COUNT_WRONG'],
  ['half a file', (dir) => writeFile(`${dir}/data/PPT_2.json`, '{"task_id": '), 'JSON_BAD'],
];

const chat = (file: string): Damage[] => [
  ['two users in a row', change(file, (rows) => (rows[0].messages[1].role = 'user')), 'TURNS_WRONG'],
  ['an odd number', change(file, (rows) => rows[0].messages.pop()), 'TURNS_WRONG'],
  ['a mark too many', change(file, (rows) => (rows[0].messages[0].content += '<image>')), 'MARKS_WRONG'],
  ['a picture too few', change(file, (rows) => rows[0].images.pop()), 'MARKS_WRONG'],
  ['a mark for a video', change(file, (rows) => (rows[0].messages[0].content += '<video>')), 'MARKS_WRONG'],
  ['an answer without code', change(file, (rows) => (rows[0].messages[1].content = 'Click it')), 'CODE_BAD'],
  [
    'a place outside',
    change(file, (rows) => (rows[0].messages[1].content = 'Code:\npyautogui.moveTo(x=2, y=0)')),
    'POSITION_OUTSIDE',
  ],
  ['a path that climbs', change(file, (rows) => (rows[0].images[0] = 'images/../../x.png')), 'ROW_BAD'],
];
const trace = (how: (message: Row) => unknown) => change('trajectory.jsonl', (rows) => how(rows[0].messages[1]));
const ground = (how: (row: Row) => unknown) => change('grounding.jsonl', (rows) => how(rows[0]));
const MS_SWIFT: Damage[] = [
  ...chat('messages.jsonl'),
  [
    'a file name where a mark should be',
    trace((m) => (m.content = m.content.replace('<image>', '<a.png>'))),
    'MARKS_WRONG',
  ],
  ['a step number is lost', trace((m) => (m.content = m.content.replace('=== Step2 ===', ''))), 'RANK_GAP'],
  ['a block is not closed', trace((m) => (m.content = m.content.replace('</think>', ''))), 'ORDER_WRONG'],
  ['an answer without its tag', change('trajectory.jsonl', (rows) => (rows[0].solution = 'Jay')), 'ROW_BAD'],
  ['left, top, width, height', ground((row) => (row.objects.bbox[0] = [12, 9, 10, 8])), 'BOX_OUTSIDE'],
  ['a box without its mark', ground((row) => (row.messages[1].content = 'there')), 'MARKS_WRONG'],
  ['a box outside', ground((row) => (row.objects.bbox[0][2] = 65)), 'BOX_OUTSIDE'],
];

const info = (how: (entry: Row) => unknown) => change('dataset_info.json', (file) => how(file.trajectory_studio));
const LLAMAFACTORY: Damage[] = [
  ...chat('trajectories.jsonl'),
  ['a file that is not there', info((entry) => (entry.file_name = 'x.jsonl')), 'REFERENCE_WRONG'],
  ['another formatting', info((entry) => (entry.formatting = 'alpaca')), 'ROW_BAD'],
  ['no tags', info((entry) => delete entry.tags), 'ROW_BAD'],
  ['no dataset_info.json', (dir) => rm(`${dir}/dataset_info.json`), 'FILE_MISSING'],
];

const spot = (how: (items: Row) => unknown) => change('screenspot_desktop.json', how);
const SCREENSPOT: Damage[] = [
  ['a box outside', spot((items) => (items[0].bbox[2] = 64)), 'BOX_OUTSIDE'],
  ['an empty box', spot((items) => (items[0].bbox[3] = 0)), 'ROW_BAD'],
  ['shares instead of pixels', spot((items) => (items[0].bbox[0] = 0.5)), 'ROW_BAD'],
  ['an item is lost', spot((items) => items.pop()), 'COUNT_WRONG'],
  ['an unknown picture', spot((items) => (items[0].img_filename = 'a.png')), 'IMAGE_MISSING'],
];

const pro = (how: (items: Row) => unknown) => change('annotations/ppt_linux.json', how);
const SCREENSPOT_PRO: Damage[] = [
  ['left, top, width, height', pro((items) => (items[0].bbox = [12, 2, 10, 8])), 'BOX_WRONG'],
  ['a box outside', pro((items) => (items[0].bbox[2] = 65)), 'BOX_OUTSIDE'],
  ['a wrong size', pro((items) => (items[0].img_size = [1, 1])), 'SIZE_WRONG'],
  ['an id twice', pro((items) => (items[1].id = items[0].id)), 'ID_TWICE'],
  ['an id of another group', pro((items) => (items[0].id = 'x_0')), 'ROW_BAD'],
  ['a file is lost', (dir) => rm(`${dir}/annotations/ppt_linux.json`), 'COUNT_WRONG'],
];

const coco = (how: (file: Row) => unknown) => change('annotations/instances.json', how);
const COCO: Damage[] = [
  ['an image id twice', coco((file) => (file.images[1].id = file.images[0].id)), 'ID_TWICE'],
  ['an annotation id twice', coco((file) => (file.annotations[1].id = file.annotations[0].id)), 'ID_TWICE'],
  ['an image that is not there', coco((file) => (file.annotations[0].image_id = 99)), 'REFERENCE_WRONG'],
  ['a category that is not there', coco((file) => (file.annotations[0].category_id = 99)), 'REFERENCE_WRONG'],
  ['a wrong area', coco((file) => (file.annotations[0].area = 1)), 'FIGURE_WRONG'],
  ['a box outside', coco((file) => (file.annotations[0].bbox[0] = 60)), 'BOX_OUTSIDE'],
  ['another polygon', coco((file) => (file.annotations[0].segmentation[0][0] = 0)), 'BOX_WRONG'],
  ['iscrowd is lost', coco((file) => delete file.annotations[0].iscrowd), 'ROW_BAD'],
  ['a wrong size', coco((file) => (file.images[0].width = 640)), 'SIZE_WRONG'],
  ['an image without a box', coco((file) => file.annotations.pop()), 'IMAGE_UNUSED'],
  ['half a file', (dir) => writeFile(`${dir}/annotations/instances.json`, '{'), 'JSON_BAD'],
];

const METADATA = 'train/metadata.parquet';
const folder = (how: (rows: Row) => unknown) => async (dir: string) => {
  const rows = await parquetRows(`${dir}/${METADATA}`);
  how(rows);
  await writeMetadata(`${dir}/${METADATA}`, rows);
};
const columns = (edit: (all: ParquetColumn[]) => ParquetColumn[]) => async (dir: string) =>
  writeMetadata(`${dir}/${METADATA}`, await parquetRows(`${dir}/${METADATA}`), edit);
const IMAGEFOLDER: Damage[] = [
  ['a column is lost', columns((all) => all.filter(({ name }) => name !== 'thought')), 'COLUMN_MISSING'],
  ['a second picture', columns((all) => [...all, { name: 'after_file_name', type: 'string' }]), 'COLUMN_UNKNOWN'],
  [
    'a column of another type',
    columns((all) => all.map((each) => (each.name === 'action_id' ? { ...each, type: 'float64' as const } : each))),
    'COLUMN_TYPE',
  ],
  ['columns in another order', columns((all) => all.toReversed()), 'COLUMN_ORDER'],
  ['a missing goal', folder((rows) => (rows[1].goal = null)), 'ROW_BAD'],
  ['an invented title', folder((rows) => (rows[1].subtask = `${rows[1].goal} (part 2)`)), 'TITLE_INVENTED'],
  ['a file twice', folder((rows) => (rows[1].file_name = rows[0].file_name)), 'ID_TWICE'],
  ['an absolute path', folder((rows) => (rows[0].file_name = '/etc/a.png')), 'ROW_BAD'],
  ['a place outside', folder((rows) => (rows[0].start_position = [64, 0])), 'POSITION_OUTSIDE'],
  ['a box outside', folder((rows) => (rows[0].objects.bbox[0][3] = 99)), 'BOX_OUTSIDE'],
  ['a box without a category', folder((rows) => rows[0].objects.categories.pop()), 'MARKS_WRONG'],
  ['a box without a role', folder((rows) => rows[0].objects.roles.pop()), 'MARKS_WRONG'],
  [
    'half a file',
    async (dir) => writeFile(`${dir}/${METADATA}`, (await readFile(`${dir}/${METADATA}`)).subarray(0, -9)),
    'PARQUET_UNREADABLE',
  ],
];

describe.each<[FormatName, Damage[]]>([
  ['agentnet', AGENTNET],
  ['opencua', OPENCUA],
  ['agentnetbench', AGENTNETBENCH],
  ['atif', ATIF],
  ['ms-swift', MS_SWIFT],
  ['llamafactory', LLAMAFACTORY],
  ['screenspot', SCREENSPOT],
  ['screenspot-pro', SCREENSPOT_PRO],
  ['coco', COCO],
  ['imagefolder', IMAGEFOLDER],
])('%s', (format, damages) => {
  test('is sound before', async () => {
    expect(await codesAfter(format, async () => undefined)).toEqual([]);
  });

  test.each(damages)('%s', async (_what, damage, expected) => {
    expect(await codesAfter(format, damage)).toContain(expected);
  });

  test('a picture with one flipped byte, one that is gone, one that nothing names', async () => {
    const pictureOf = async (dir: string) =>
      path.join(dir, (await listTargetFiles(dir)).find((name) => name.endsWith('.png'))!);
    const flipped = await codesAfter(format, async (dir) => {
      const file = await pictureOf(dir);
      const bytes = await readFile(file);
      bytes[200]! ^= 1;
      await writeFile(file, bytes);
    });
    expect(flipped).toContain('IMAGE_DAMAGED');
    expect(await codesAfter(format, async (dir) => rm(await pictureOf(dir)))).toContain('IMAGE_MISSING');
    const more = await codesAfter(format, async (dir) => {
      const file = await pictureOf(dir);
      await cp(file, path.join(path.dirname(file), 'more.png'));
    });
    expect(more).toEqual(['IMAGE_UNUSED']);
  });
});

test('an export of another format is told by name', async () => {
  const { problems } = await validateExport('coco', path.join(root, 'sound', 'agentnet'));
  expect(problems.map((problem) => problem.code)).toEqual(['FORMAT_OTHER']);
});

test('a changed file is found by its hash', async () => {
  const dir = path.join(root, 'hash');
  await cp(path.join(root, 'sound', 'agentnet'), dir, { recursive: true });
  await writeFile(path.join(dir, 'README.md'), 'changed');
  const { problems } = await validateExport('agentnet', dir);
  expect(problems.map((problem) => [problem.code, problem.file])).toEqual([['FILE_CHANGED', 'README.md']]);
});
