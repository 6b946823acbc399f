import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { click, drag, makeTask, of, pressed, scroll, typed } from './example-for-tests.ts';
import { sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { exportFormats } from './run.ts';
import { hashFile, listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

const RUN = 'pyautogui/screenshot/human/App PPT/PPT_1';

let root: string;
let dir: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'osworld-'));
  dir = path.join(root, 'out');
  const actions = [
    click(12, 8, { modifiers: ['ctrl'] }),
    click(63, 39, { count: 3 }),
    drag([1, 2], [60, 30]),
    scroll(2, 3),
    typed("it's $5\n"),
    pressed('ctrl', 'c'),
    of('wait'),
  ];
  const tasks = [
    await makeTask(path.join(root, 'stills'), 'PPT_1', [{ query: 'All kinds', actions }], { proof: 'proven' }),
    await makeTask(path.join(root, 'stills'), 'AE_2', [{ query: 'q', actions: [click(1, 2)] }], { proof: 'failed' }),
    await makeTask(path.join(root, 'stills'), 'AE_3', [{ query: 'q', actions: [click(1, 2)] }]),
  ];
  await exportFormats(sourceOf(tasks), dir, [requestOf('osworld')], { toolVersion: '0.1.0', filters: {} });
});
afterAll(() => rm(root, { recursive: true, force: true }));

type Row = ReturnType<typeof JSON.parse>;
const rowsOf = async (file: string): Promise<Row[]> =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a step is a program in px with the screen after it, and DONE ends the run', async () => {
  expect((await validateExport('osworld', dir)).problems).toEqual([]);
  const lines = await rowsOf(path.join(dir, RUN, 'traj.jsonl'));
  expect(lines.map(({ step_num, action }) => [step_num, action])).toEqual([
    [1, "pyautogui.keyDown(key='ctrl')\npyautogui.click(x=12, y=8)\npyautogui.keyUp(key='ctrl')"],
    [2, 'pyautogui.tripleClick(x=63, y=39)'],
    [3, "pyautogui.moveTo(x=1, y=2)\npyautogui.dragTo(x=60, y=30, button='left', duration=1)"],
    [4, 'pyautogui.moveTo(x=5, y=6)\npyautogui.scroll(-3)\npyautogui.hscroll(2)'],
    [5, 'pyautogui.write(message="it\'s $5\\n")'],
    [6, "pyautogui.hotkey('ctrl', 'c')"],
    [7, 'WAIT'],
    [8, 'DONE'],
  ]);
  expect(lines[0]).toMatchObject({
    action_timestamp: '20240501@093001125000',
    response: expect.stringContaining('Insert tab'),
    screenshot_file: 'step_1_20240501@093001125000.png',
    trajectory_studio: { subtask: { title: 'All kinds' }, run: { instruction: 'Goal of PPT_1', app: 'App PPT' } },
  });
  expect(lines[7].screenshot_file).toBe(lines[6].screenshot_file);
});

/** As OSWorld adds up results (show_result.py), in Python: by action space, observation, model, domain and example. */
const SHOW = `
import json, os, sys
target = os.path.join(sys.argv[1], 'pyautogui', 'screenshot', 'human')
scores = {}
for domain in sorted(os.listdir(target)):
    for example in sorted(os.listdir(os.path.join(target, domain))):
        folder = os.path.join(target, domain, example)
        if 'result.txt' in os.listdir(folder):
            scores[example] = float(open(os.path.join(folder, 'result.txt')).read())
        for line in open(os.path.join(folder, 'traj.jsonl')):
            step = json.loads(line)
            assert os.path.isfile(os.path.join(folder, step['screenshot_file']))
            if step['action'] not in ('DONE', 'WAIT', 'FAIL'): compile(step['action'], example, 'exec')
print(json.dumps(scores))
`;
test('OSWorld’s own count of results finds them, and its programs are Python', () => {
  const found = execFileSync('python3', ['-c', SHOW, dir], { encoding: 'utf8' });
  expect(JSON.parse(found)).toEqual({ PPT_1: 1, AE_2: 0 });
});

const change = (how: (rows: Row[]) => unknown) => async (to: string) => {
  const file = path.join(to, RUN, 'traj.jsonl');
  const rows = await rowsOf(file);
  how(rows);
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
};

test.each<[string, (to: string) => Promise<unknown>, string]>([
  ['a field is missing', change((rows) => delete rows[0].response), 'ROW_BAD'],
  ['a gap in step_num', change((rows) => (rows[2].step_num = 9)), 'ORDER_WRONG'],
  ['a place outside', change((rows) => (rows[1].action = 'pyautogui.click(x=64, y=1)')), 'POSITION_OUTSIDE'],
  ['a program that does more', change((rows) => (rows[1].action = 'import os\nos.remove("x")')), 'CODE_BAD'],
  ['the end is lost', change((rows) => rows.pop()), 'TERMINATE_WRONG'],
  ['a step behind the end', change((rows) => rows.splice(1, 0, { ...rows.at(-1), step_num: 2 })), 'TERMINATE_WRONG'],
  ['a picture elsewhere', change((rows) => (rows[1].screenshot_file = '../x.png')), 'REFERENCE_WRONG'],
  ['a picture that is gone', change((rows) => (rows[1].screenshot_file = 'x.png')), 'IMAGE_MISSING'],
  ['the first screen is lost', (to) => rm(path.join(to, RUN, 'step_0.png')), 'IMAGE_MISSING'],
  ['a recording is lost', (to) => rm(path.join(to, RUN, 'recording.mp4')), 'MEDIA_MISSING'],
  ['a recording is cut off', (to) => truncate(path.join(to, RUN, 'recording.mp4'), 300), 'MEDIA_DAMAGED'],
  ['another result', (to) => writeFile(path.join(to, RUN, 'result.txt'), '0.5\n'), 'FIGURE_WRONG'],
  ['a run is lost', (to) => rm(path.join(to, RUN, 'traj.jsonl')), 'FILE_MISSING'],
])('found: %s', async (name, damage, code) => {
  const copy = path.join(root, name);
  await cp(dir, copy, { recursive: true });
  await damage(copy);
  const manifest = JSON.parse(await readFile(path.join(copy, 'manifest.json'), 'utf8'));
  const files = (await listTargetFiles(copy)).filter((file) => file !== 'manifest.json');
  manifest.files = await Promise.all(files.map((file) => hashFile(copy, file)));
  await writeFile(path.join(copy, 'manifest.json'), JSON.stringify(manifest));
  expect((await validateExport('osworld', copy)).problems.map((problem) => problem.code)).toContain(code);
});
