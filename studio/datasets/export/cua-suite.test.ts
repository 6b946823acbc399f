import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormatName } from '../../../core/export/formats.ts';
import { click, drag, makeTask, of, pressed, scroll, typed } from './example-for-tests.ts';
import { sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { exportFormats } from './run.ts';
import { hashFile, listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

const OPTIONS = { toolVersion: '0.1.0', filters: {} };
const LOG = 'data/App PPT/PPT_1/action_log.json';
const FILM = 'data/App PPT/PPT_1/video/video.mp4';

let root: string;
let dir: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'cua-suite-'));
  dir = path.join(root, 'out');
  const stills = path.join(root, 'stills');
  const tasks = [
    await makeTask(stills, 'PPT_1', [
      {
        query: 'All kinds',
        actions: [
          click(12, 8, { modifiers: ['ctrl'] }),
          click(63, 39, { count: 2 }),
          click(3, 4, { button: 'right' }),
          drag([1, 2], [60, 30]),
          scroll(0, 3),
          scroll(2, 0),
          typed("it's $5 😀"),
          pressed('Tab'),
          pressed('ctrl', 'c'),
          of('wait'),
        ],
      },
    ]),
    await makeTask(stills, 'AE_2', [{ query: 'q', actions: [click(1, 2)] }]),
  ];
  await exportFormats(sourceOf(tasks), dir, [requestOf('videocua'), requestOf('groundcua')], OPTIONS);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const json = async (...names: string[]) => JSON.parse(await readFile(path.join(dir, ...names), 'utf8'));

describe('VideoCUA', () => {
  test('says each step in the words of its converter, at the second of its picture', async () => {
    const { task_id, task_instruction, platform, action_log } = await json('videocua', LOG);
    expect([task_id, task_instruction, platform]).toEqual(['PPT_1', 'Goal of PPT_1', 'App PPT']);
    type Entry = { action_type: string; timestamp: number; action_params: object };
    expect(action_log.map((one: Entry) => [one.timestamp, one.action_type, one.action_params])).toEqual([
      [1, 'KEY_DOWN', { key: 'ctrl' }],
      [1, 'CLICK', { x: 12, y: 8, text: 'Left', numClicks: 1 }],
      [1, 'KEY_UP', { key: 'ctrl' }],
      [2, 'CLICK', { x: 63, y: 39, text: 'Left', numClicks: 2 }],
      [3, 'CLICK', { x: 3, y: 4, text: 'Right', numClicks: 1 }],
      [4, 'MOVE_TO', { x: 1, y: 2 }],
      [4, 'DRAG_TO', { x: 60, y: 30, button: 'left' }],
      [5, 'MOVE_TO', { x: 5, y: 6 }],
      [5, 'SCROLL', { scrollY: -3 }],
      [6, 'TYPING', { text: "it's $5 😀" }],
      [7, 'PRESS', { key: 'tab' }],
      [8, 'HOTKEY', { keys: ['ctrl', 'c'] }],
      [9, 'AFTER_LAST_ACTION', {}],
    ]);
    expect(action_log[1].trajectory_studio).toMatchObject({
      subtask: 'All kinds',
      element: 'Insert tab',
      recorded_at: 1,
    });
    const { leftOut } = await json('videocua', 'manifest.json');
    expect(leftOut).toEqual(
      expect.arrayContaining([
        { item: 'PPT_1/1/6', from: 'videocua', reason: 'the format has no action "hscroll" of 2 clicks' },
        { item: 'PPT_1/1/10', from: 'videocua', reason: 'the format has no action "wait"' },
      ]),
    );
  });
});

describe('GroundCUA', () => {
  /** As CUA-Suite finds an element of an instruction (instruction_tuning/utils.py), in Python. */
  const FIND = `
import json, os, sys
root = sys.argv[1]
found = []
for one in json.load(open(os.path.join(root, 'instructions.json'))):
    elements = json.load(open(os.path.join(root, 'data', one['platform'], one['id'] + '.json')))
    x, y = one['coordinate']
    inside = [e for e in elements if e['bbox'][0] <= x <= e['bbox'][2] and e['bbox'][1] <= y <= e['bbox'][3]]
    assert os.path.isfile(os.path.join(root, 'images', inside[0]['image_path']))
    found.append([one['instruction'], inside[0]['text'], inside[0]['bbox']])
print(json.dumps(found))
`;
  test('each instruction leads to its element and its screen, as CUA-Suite looks for them', () => {
    const found = execFileSync('python3', ['-c', FIND, path.join(dir, 'groundcua')], { encoding: 'utf8' });
    const rows: [string, string, number[]][] = JSON.parse(found);
    expect(rows).toHaveLength(4);
    for (const [instruction, text, bbox] of rows) {
      expect(instruction).toContain('Insert tab');
      expect([text, bbox]).toEqual(['Insert tab', [1, 2, 11, 10]]);
    }
    const screens = readdirSync(path.join(dir, 'groundcua', 'images', 'App PPT'));
    expect(screens.every((name) => /^[0-9a-f]{64}\.png$/.test(name))).toBe(true);
  });
});

/** Damages a copy, puts the manifest right again, and gives the codes that are found. */
async function codesAfter(
  format: FormatName,
  name: string,
  damage: (to: string) => Promise<unknown>,
): Promise<string[]> {
  const copy = path.join(root, name);
  await cp(path.join(dir, format), copy, { recursive: true });
  await damage(copy);
  const manifest = JSON.parse(await readFile(path.join(copy, 'manifest.json'), 'utf8'));
  const files = (await listTargetFiles(copy)).filter((file) => file !== 'manifest.json');
  manifest.files = await Promise.all(files.map((file) => hashFile(copy, file)));
  await writeFile(path.join(copy, 'manifest.json'), JSON.stringify(manifest));
  return (await validateExport(format, copy)).problems.map(({ code }) => code);
}

/** Rows are plain JSON here: their shape is what the tests destroy. */
type Row = ReturnType<typeof JSON.parse>;
const change = (name: string, how: (value: Row) => unknown) => async (to: string) => {
  const file = path.join(to, name);
  const value = JSON.parse(await readFile(file, 'utf8'));
  how(value);
  await writeFile(file, JSON.stringify(value));
};
const log = (how: (entries: Row) => unknown) => change(LOG, (value) => how(value.action_log));

test.each<[string, (to: string) => Promise<unknown>, string]>([
  ['a field is missing', change(LOG, (value) => delete value.task_instruction), 'ROW_BAD'],
  ['an unknown action', log((entries) => (entries[0].action_type = 'TAP')), 'ROW_BAD'],
  ['a click without a place', log((entries) => delete entries[1].action_params.x), 'ROW_BAD'],
  ['a field of another action', log((entries) => (entries[1].action_params.keys = ['a'])), 'ROW_BAD'],
  ['a button that there is none of', log((entries) => (entries[1].action_params.text = 'Thumb')), 'ROW_BAD'],
  ['a place outside', log((entries) => (entries[1].action_params.x = 64)), 'POSITION_OUTSIDE'],
  ['a scroll of nothing', log((entries) => (entries[8].action_params.scrollY = 0)), 'SCROLL_VALUE'],
  ['entries that changed places', log((entries) => entries.splice(3, 2, entries[4], entries[3])), 'ORDER_WRONG'],
  ['the end is lost', log((entries) => entries.pop()), 'TERMINATE_WRONG'],
  ['it ends too early', log((entries) => entries.splice(3, 0, { ...entries.at(-1), timestamp: 1 })), 'TERMINATE_WRONG'],
  ['a second behind the video', log((entries) => (entries.at(-1).timestamp = 30)), 'FIGURE_WRONG'],
  ['a task of another folder', change(LOG, (value) => (value.task_id = 'PPT_7')), 'TASK_ID'],
  ['a video is lost', (to) => rm(path.join(to, FILM)), 'MEDIA_MISSING'],
  ['a video is cut off', (to) => truncate(path.join(to, FILM), 300), 'MEDIA_DAMAGED'],
  [
    'another task’s video',
    (to) => cp(path.join(to, 'data/App AE/AE_2/video/video.mp4'), path.join(to, FILM)),
    'FIGURE_WRONG',
  ],
  ['a log is lost', (to) => rm(path.join(to, LOG)), 'IMAGE_UNUSED'],
])('VideoCUA, found: %s', async (name, damage, code) => {
  expect(await codesAfter('videocua', `v ${name}`, damage)).toContain(code);
});

/** Changes the elements of one screen of PPT_1. */
const elements = (how: (list: Row) => unknown) => async (to: string) => {
  const [name] = readdirSync(path.join(to, 'data/App PPT'));
  await change(`data/App PPT/${name}`, how)(to);
};

test.each<[string, (to: string) => Promise<unknown>, string]>([
  ['left, top, width, height', elements((list) => (list[0].bbox = [20, 20, 10, 8])), 'BOX_WRONG'],
  ['a box outside', elements((list) => (list[0].bbox[2] = 65)), 'BOX_OUTSIDE'],
  ['an element twice', elements((list) => list.push(list[0])), 'ID_TWICE'],
  ['another screen’s picture', elements((list) => (list[0].image_path = 'App PPT/x.png')), 'REFERENCE_WRONG'],
  ['a category that is no word', elements((list) => (list[0].category = '')), 'ROW_BAD'],
  ['an id of no task', elements((list) => (list[0].id = 'x')), 'TASK_ID'],
  [
    'an instruction beside its element',
    change('instructions.json', (list) => (list[0].coordinate = [40, 30])),
    'POSITION_OUTSIDE',
  ],
  [
    'an instruction of no screen',
    change('instructions.json', (list) => (list[0].platform = 'GIMP')),
    'REFERENCE_WRONG',
  ],
  ['a screen is lost', (to) => rm(path.join(to, 'data/App AE'), { recursive: true }), 'COUNT_WRONG'],
  ['a picture is lost', (to) => rm(path.join(to, 'images/App AE'), { recursive: true }), 'IMAGE_MISSING'],
])('GroundCUA, found: %s', async (name, damage, code) => {
  expect(await codesAfter('groundcua', `g ${name}`, damage)).toContain(code);
});
