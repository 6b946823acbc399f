import path from 'node:path';
import { z } from 'zod';
import {
  groundcuaElementSchema,
  groundcuaInstructionSchema,
  type VideocuaEntry,
  videocuaLogSchema,
} from '../../../../../schemas/export-cua-suite.ts';
import { TASK_ID_SHAPE } from '../expected.ts';
import { filmFacts } from '../mp4.ts';
import type { PlaceReport } from '../problems.ts';
import { type CheckedFolder, checkUnused, readJson } from '../reading.ts';

/** The fields of each action, written down from its converter (convert_videocua.py). */
const NEEDS: Readonly<Record<VideocuaEntry['action_type'], readonly string[]>> = {
  CLICK: ['numClicks', 'text', 'x', 'y'],
  MOVE_TO: ['x', 'y'],
  DRAG_TO: ['button', 'x', 'y'],
  SCROLL: ['scrollY'],
  TYPING: ['text'],
  PRESS: ['key'],
  HOTKEY: ['keys'],
  KEY_DOWN: ['key'],
  KEY_UP: ['key'],
  AFTER_LAST_ACTION: [],
};

/** Each log by its fields, and against the video beside it. */
export async function checkVideocua(check: CheckedFolder): Promise<Record<string, number>> {
  const { dir, found, has, report, explained, inSplit } = check;
  const files = found.filter((name) => /^data\/[^/]+\/[^/]+\/action_log\.json$/.test(name));
  let entries = 0;
  for (const file of files) {
    const log = await readJson(check, file, videocuaLogSchema);
    if (!log) continue;
    const place: PlaceReport = (code, message) => report(code, file, '', message);
    const task = path.posix.basename(path.posix.dirname(file));
    if (log.task_id !== task || !TASK_ID_SHAPE.test(task))
      place('TASK_ID', `"${log.task_id}" lies in the folder ${task}`);
    inSplit(log.task_id, place);
    entries += log.action_log.length;
    const film = file.replace(/action_log\.json$/, 'video/video.mp4');
    if (!has(film)) {
      place('MEDIA_MISSING', `${film} is not there`);
      continue;
    }
    const facts = filmFacts(path.join(dir, film));
    if ('damage' in facts) place('MEDIA_DAMAGED', `${film}: ${facts.damage}`);
    else checkLog(log.action_log, facts, explained('videocua/terminate', task), place);
  }
  for (const name of found) {
    const log = name.replace(/video\/video\.mp4$/, 'action_log.json');
    if (name.startsWith('data/') && log !== name && !has(log)) report('IMAGE_UNUSED', name, '', 'no log is of it');
  }
  return { 'data/*/*/action_log.json': files.length, entries };
}

type Facts = { width: number; height: number; frames: number };

function checkLog(
  log: readonly VideocuaEntry[],
  { width, height, frames }: Facts,
  cut: boolean,
  place: PlaceReport,
): void {
  let last = 0;
  for (const [at, { action_type, timestamp, action_params }] of log.entries()) {
    const say: PlaceReport = (code, message) => place(code, `entry ${at}: ${message}`);
    const fields = Object.keys(action_params).sort().join();
    if (fields !== NEEDS[action_type].join()) say('ROW_BAD', `${action_type} has ${fields || 'nothing'}`);
    const { x, y, scrollY, text } = action_params;
    if ((x !== undefined && x >= width) || (y !== undefined && y >= height))
      say('POSITION_OUTSIDE', `(${x}, ${y}) lies outside of ${width} x ${height}`);
    if (scrollY === 0) say('SCROLL_VALUE', 'it scrolls nowhere');
    if (action_type === 'CLICK' && !['Left', 'Right', 'Middle'].includes(String(text)))
      say('ROW_BAD', `there is no button "${text}"`);
    if (timestamp < last) say('ORDER_WRONG', `it is before the one before it (${timestamp} s after ${last} s)`);
    // Its converter takes the picture 0.1 s before.
    if (Math.floor(timestamp - 0.1) >= frames)
      say('FIGURE_WRONG', `${timestamp} s lies behind the video of ${frames} s`);
    if ((action_type === 'AFTER_LAST_ACTION') !== (at === log.length - 1) && !(cut && at === log.length - 1))
      say('TERMINATE_WRONG', at === log.length - 1 ? 'nothing ends it' : 'it ends before its last action');
    last = timestamp;
  }
  if (Math.floor(last - 0.1) !== frames - 1)
    place('FIGURE_WRONG', `its video has ${frames} pictures, its last action is at ${last} s`);
}

/** Each screen's elements in its picture, and each instruction on one of them. */
export async function checkGroundcua(check: CheckedFolder): Promise<Record<string, number>> {
  const { found, report, pictures } = check;
  const screens = new Map<string, readonly (readonly number[])[]>();
  const ids = new Set<string>();
  const files = found.filter((name) => /^data\/[^/]+\/[^/]+\.json$/.test(name));
  let elements = 0;
  for (const file of files) {
    const list = (await readJson(check, file, z.array(groundcuaElementSchema).min(1))) ?? [];
    const key = file.slice('data/'.length, -'.json'.length);
    screens.set(
      key,
      list.map(({ bbox }) => bbox),
    );
    for (const [index, { image_path, bbox, id }] of list.entries()) {
      elements++;
      const place: PlaceReport = (code, message) => report(code, file, `element ${index}`, message);
      if (ids.has(id)) place('ID_TWICE', `${id} stands here a second time`);
      ids.add(id);
      const task = id.split('/')[0]!; // There is a first part.
      if (TASK_ID_SHAPE.test(task)) check.inSplit(task, place);
      else place('TASK_ID', `"${id}" does not begin with a task of the form PPT_15`);
      if (image_path.replace(/\.(?:png|jpe?g)$/, '') !== key)
        place('REFERENCE_WRONG', `${image_path} is another screen's`);
      const size = await pictures.look(`images/${image_path}`, place);
      const [left, top, right, bottom] = bbox;
      if (left >= right || top >= bottom) place('BOX_WRONG', `bbox ${bbox.join(', ')} is not left, top, right, bottom`);
      else if (size && (right > size.width || bottom > size.height))
        place('BOX_OUTSIDE', `bbox ${bbox.join(', ')} does not lie in ${size.width} x ${size.height}`);
    }
  }
  const file = 'instructions.json';
  const instructions = (await readJson(check, file, z.array(groundcuaInstructionSchema))) ?? [];
  for (const [index, { id, platform, coordinate, task_id }] of instructions.entries()) {
    const place: PlaceReport = (code, message) => report(code, file, `item ${index}`, message);
    check.inSplit(task_id, place);
    const boxes = screens.get(`${platform}/${id}`);
    const [x, y] = coordinate;
    const holds = ([left, top, right, bottom]: readonly number[]) =>
      x >= left! && y >= top! && x < right! && y < bottom!;
    if (!boxes) place('REFERENCE_WRONG', `there is no screen ${platform}/${id}`);
    else if (!boxes.some(holds)) place('POSITION_OUTSIDE', `(${x}, ${y}) lies on none of its elements`);
  }
  checkUnused(check, 'images');
  return { 'data/*/*.json': files.length, elements, [file]: instructions.length, images: pictures.count() };
}
