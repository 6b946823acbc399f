import { describe, expect, test } from 'vitest';
import { taskWith } from '../tasks-for-tests.ts';
import { cocoCategories, cocoOf } from './coco.ts';
import { imagefolderLines } from './imagefolder.ts';
import { screenspotItems, screenspotProItems } from './screenspot.ts';

const BOX = { x: 5, y: 10, width: 20, height: 30 };
const ELEMENT = { name: 'Insert tab', box: BOX };

describe('ScreenSpot', () => {
  test('its boxes are left, top, width, height', () => {
    expect(screenspotItems(taskWith([[{ element: ELEMENT }]]), 'narration').items).toEqual([
      {
        img_filename: 'PPT_1_1_1_before.png',
        bbox: [5, 10, 20, 30],
        instruction: 'Step 1',
        data_type: null,
        data_source: 'linux',
      },
    ]);
  });

  test('the instruction may be the element’s name; what has none is left out', () => {
    const task = taskWith([[{ element: ELEMENT }, { element: { name: ' ', box: BOX } }]]);
    const { items, elements } = screenspotItems(task, 'element');
    expect(items.map(({ instruction }) => instruction)).toEqual(['Insert tab']);
    expect(elements.leftOut).toEqual([{ item: 'PPT_1/1/2', from: 'screenspot', reason: 'its element has no name' }]);
  });

  test('no box, a box outside of the picture, no picture, no pointing, no words: each is left out with its reason', () => {
    const outside = { name: '', box: { x: 90, y: 0, width: 11, height: 5 } };
    const task = taskWith([
      [
        {},
        { element: outside },
        { element: ELEMENT, beforeImage: null },
        { element: ELEMENT, kind: 'scroll' },
        { element: ELEMENT, narration: '' },
      ],
    ]);
    expect(screenspotItems(task, 'narration').elements.leftOut.map(({ reason }) => reason)).toEqual([
      'nobody drew its element’s box',
      'its box (90, 0, 11, 5) does not lie in the picture of 100 x 50',
      'there is no picture of the screen before it',
      'a scroll points at no element',
      'nobody says in words what was done',
    ]);
  });
});

test('ScreenSpot-Pro’s boxes are left, top, right, bottom; ids go on over the tasks of a group', () => {
  const task = taskWith([[{ element: ELEMENT }, { element: ELEMENT }]]);
  const { group, items } = screenspotProItems(task, 'narration', 7);
  expect(group).toBe('powerpoint_linux');
  expect(items.map(({ id }) => id)).toEqual(['powerpoint_linux_7', 'powerpoint_linux_8']);
  expect(items[0]).toMatchObject({
    img_filename: 'powerpoint_linux/PPT_1_1_1_before.png',
    bbox: [5, 10, 25, 40],
    img_size: [100, 50],
    instruction_cn: null,
    group: null,
    ui_type: null,
  });
});

describe('COCO', () => {
  test('one image for two boxes in one still; ids go on from those used', () => {
    const still = { path: 'one.png', width: 100, height: 50, origin: { x: -100, y: 0 } };
    const task = taskWith([[{ element: ELEMENT, beforeImage: still }, { element: ELEMENT, beforeImage: still }, {}]]);
    const { images, annotations, elements } = cocoOf(task, 'one', { images: 3, annotations: 5 });
    expect(images).toEqual([{ id: 4, file_name: 'PPT_1_1_1_before.png', width: 100, height: 50 }]);
    expect(annotations.map(({ id, image_id, category_id }) => [id, image_id, category_id])).toEqual([
      [6, 4, 1],
      [7, 4, 1],
    ]);
    expect(annotations[0]).toMatchObject({
      bbox: [5, 10, 20, 30],
      area: 600,
      iscrowd: 0,
      segmentation: [[5, 10, 25, 10, 25, 40, 5, 40]],
    });
    expect(elements.leftOut).toMatchObject([{ item: 'PPT_1/1/3', from: 'coco' }]);
  });

  test('every action type has a category, whatever there is in the export', () => {
    const names = cocoCategories('action').map(({ name }) => name);
    const specs = [
      { count: 4 },
      { button: 'button9' as const },
      { kind: 'hover' as const },
      { kind: 'press' as const },
    ];
    const task = taskWith([specs.map((spec) => ({ ...spec, element: ELEMENT }))]);
    const { annotations } = cocoOf(task, 'action', { images: 0, annotations: 0 });
    expect(annotations.map(({ category_id }) => names[category_id - 1])).toEqual([
      'TripleClick',
      'Click',
      'Hover',
      'Type/Press',
    ]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('imagefolder', () => {
  test('every line has the same keys', () => {
    const task = taskWith([
      [
        { element: ELEMENT, thought: 'Why' },
        { kind: 'press', keys: ['ctrl', 'c'] },
      ],
    ]);
    const { lines } = imagefolderLines(task, false);
    expect(lines.map((line) => Object.keys(line))).toEqual([Object.keys(lines[0]!), Object.keys(lines[0]!)]);
    expect(lines).toMatchObject([
      { start_position: [10, 20], end_position: null, keys: [], objects: { bbox: [[5, 10, 20, 30]] }, thought: 'Why' },
      { start_position: null, keys: ['ctrl', 'c'], objects: { bbox: [], categories: [] }, thought: null },
    ]);
  });

  test('every line has a file of its own, where two steps share a still too', () => {
    const still = { path: 'one.png', width: 100, height: 50, origin: { x: -100, y: 0 } };
    const { lines, pictures } = imagefolderLines(taskWith([[{ beforeImage: still }, { beforeImage: still }]]), false);
    expect(lines.map(({ file_name }) => file_name)).toEqual([
      'images/PPT_1_1_1_before.png',
      'images/PPT_1_1_2_before.png',
    ]);
    expect(pictures.map(({ picture }) => picture.path)).toEqual(['one.png', 'one.png']);
  });

  test('a subtask without a title has none here either, and that is said (P5)', () => {
    const task = taskWith([[{}]]);
    task.subtasks[0]!.query = ' ';
    const { lines, leftOut } = imagefolderLines(task, false);
    expect(lines.map(({ subtask }) => subtask)).toEqual([null]);
    expect(leftOut).toEqual([
      { item: 'PPT_1/1', from: 'imagefolder/subtask', reason: 'nobody gave the subtask a title' },
    ]);
  });

  test('with the picture after, steps without one are left out: a column of pictures has no gaps', () => {
    const { lines, leftOut } = imagefolderLines(taskWith([[{}, { afterImage: null }]]), true);
    expect(lines.map(({ after_file_name }) => after_file_name)).toEqual(['images/PPT_1_1_1_after.png']);
    expect(leftOut).toMatchObject([{ item: 'PPT_1/1/2', from: 'imagefolder' }]);
  });
});
