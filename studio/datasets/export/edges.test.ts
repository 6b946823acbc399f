import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { nameElement, setBox } from '../../../core/annotate/edit.ts';
import { FORMATS, type FormatName } from '../../../core/export/formats.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import type { RawEvent } from '../../../schemas/events.ts';
import { KEYFRAME_RULES_VERSION, type KeyframeIndex } from '../../../schemas/recording.ts';
import { openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { collectExport } from '../collect.ts';
import { requestOf } from './formats.ts';
import { parquetRows } from './parquet-for-tests.ts';
import { exportFormats } from './run.ts';
import { fileInTar, jsonInTar } from './tar-for-tests.ts';
import { validateExport } from './validate.ts';

/**
 * Coordinates from the raw event to the exported number, and from that back to the pixel of the exported picture: each still
 * has a red pixel where was clicked, in a green box that is the element's. Recorded on a second display left of and above the
 * first, at several scales.
 */

const WIDTH = 1280;
const HEIGHT = 719;
const ORIGIN = { x: -WIDTH, y: -200 };
/** Corners, edges, the middle; with the size of the box around each, cut at the picture's edge. */
const MARKS: [number, number][] = [
  [0, 0],
  [WIDTH - 1, 0],
  [0, HEIGHT - 1],
  [WIDTH - 1, HEIGHT - 1],
  [640, 359],
  [1, 717],
  [853, 240],
];
const boxAround = ([x, y]: [number, number]) => {
  const left = Math.max(0, x - 20);
  const top = Math.max(0, y - 10);
  return { x: left, y: top, width: Math.min(WIDTH, x + 31) - left, height: Math.min(HEIGHT, y + 21) - top };
};

const SECOND = 1_000_000;
const folders = temporaryFolders();
afterAll(() => folders.clean());

async function still(file: string, mark: [number, number]): Promise<void> {
  const box = boxAround(mark);
  const flat = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
  await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#888888' } })
    .composite([
      { input: await flat(box.width, box.height, '#00ff00'), left: box.x, top: box.y },
      { input: await flat(1, 1, '#ff0000'), left: mark[0], top: mark[1] },
    ])
    .png()
    .toFile(file);
}

/** Records, annotates and exports in every format; gives back the folder. */
async function exported(scale: number): Promise<string> {
  const dir = folders.make();
  const workspace = openWorkspace(dir, { create: true });
  const documents = openDocuments(workspace, reviewGate());
  const first = { id: 1, name: 'first', x: 0, y: 0, width: 1920, height: 1080, scale, primary: true };
  const second = { id: 2, name: 'second', ...ORIGIN, width: WIDTH, height: HEIGHT, scale, primary: false };
  const displays = [{ t: 0, displays: [first, second] }];
  const clicks = MARKS.flatMap(([x, y], index): RawEvent[] => {
    const [t, at] = [(index + 1) * 2 * SECOND, { x: x + ORIGIN.x, y: y + ORIGIN.y, button: 'left' as const }];
    return [
      { type: 'down', t, ...at },
      { type: 'up', t: t + 50_000, ...at },
    ];
  });
  // The last one is a drag from the first mark to the last.
  const [from, to] = [MARKS[0]!, MARKS.at(-1)!];
  const inDesktop = ([x, y]: [number, number]) => ({ x: x + ORIGIN.x, y: y + ORIGIN.y });
  const t = (MARKS.length + 1) * 2 * SECOND;
  const drag: RawEvent[] = [
    { type: 'down', t, ...inDesktop(from), button: 'left' },
    { type: 'move', t: t + 100_000, ...inDesktop(to) },
    { type: 'up', t: t + 200_000, ...inDesktop(to), button: 'left' },
  ];
  const folder = writeSample(
    workspace.recordingsDir,
    sampleRecording({ displays, span: { start: 0, end: t + SECOND } }),
    [{ type: 'view', t: 0, view: { ...ORIGIN, width: WIDTH, height: HEIGHT }, segment: 0 }, ...clicks, ...drag],
  );
  const frames = Array.from({ length: t / SECOND }, (_, i) => ({ i, pts: i * 1000, t: i * SECOND, changed: 100_000 }));
  writeFileSync(join(folder, 'frames.jsonl'), frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  mkdirSync(join(folder, 'keyframes'));
  const { id } = sampleRecording();
  await workspace.syncIndex();
  const { steps } = await documents.openRecording(id);
  const keyframes: KeyframeIndex['keyframes'] = [];
  for (const [index, step] of steps.entries()) {
    const mark = MARKS[index] ?? from;
    const file = `${index}.png`;
    await still(join(folder, 'keyframes', file), mark);
    const about = { action: step.id, frame: index, t: index, file, width: WIDTH, height: HEIGHT, origin: ORIGIN };
    keyframes.push({ ...about, role: 'before' }, { ...about, role: 'after' });
    for (const gesture of ['box', 'name'] as const) {
      const records = toRecords((await documents.get(id)).records);
      const changes =
        gesture === 'box'
          ? setBox(records, step.id, 'target', boxAround(mark), 'hand', 1)
          : nameElement(records, step.id, `Mark ${index}`, 'hand');
      await documents.apply(id, { id: randomUUID(), label: 'A gesture', changes }, 'me');
    }
  }
  const index: KeyframeIndex = {
    schema: 'trajectory-studio/keyframes',
    version: 1,
    recording: id,
    actionRulesVersion: 1,
    keyframeRulesVersion: KEYFRAME_RULES_VERSION,
    keyframes,
  };
  const source = await collectExport(workspace, { all: true, keyframes: async () => index });
  // A video that every player shows halves the colours: what is measured here is the one that keeps every pixel.
  const requests = FORMATS.map(({ name }) =>
    requestOf(name, name === 'lerobot' || name === 'videocua' ? { options: { video: 'exact' } } : {}),
  );
  const out = join(folders.make(), 'out');
  await exportFormats(source, out, requests, { toolVersion: '0', filters: { all: true } });
  await documents.close();
  workspace.close();
  return out;
}

const RED = [255, 0, 0];
const GREEN = [0, 255, 0];

type Pixels = (x: number, y: number) => number[] | null;

/** The picture's pixels; null outside of it. */
async function pixelsOf(image: string | Buffer): Promise<Pixels> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return (x, y) => {
    if (x < 0 || y < 0 || x >= info.width || y >= info.height) return null;
    const at = (y * info.width + x) * 3;
    return [...data.subarray(at, at + 3)];
  };
}

const isMark = (pixel: number[] | null) => pixel?.join() === RED.join();
const inBox = (pixel: number[] | null) => isMark(pixel) || pixel?.join() === GREEN.join();

/** The box is exactly the coloured one: its corners are in it, the next pixels outside are not. */
function expectBox(pixels: Pixels, [left, top, right, bottom]: [number, number, number, number]): void {
  expect([pixels(left, top), pixels(right - 1, bottom - 1), pixels(left, bottom - 1)].every(inBox)).toBe(true);
  expect([pixels(left - 1, top), pixels(left, top - 1), pixels(right, top), pixels(left, bottom)].some(inBox)).toBe(
    false,
  );
}

const round = ({ x, y }: { x: number; y: number }): [number, number] => [Math.round(x * WIDTH), Math.round(y * HEIGHT)];
const lines = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const json = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

/** Places from Python code, by its own grammar: every `x=…, y=…`. */
const placesIn = (code: string): [number, number][] =>
  [...code.matchAll(/x=([\d.]+), y=([\d.]+)/g)].map(([, x, y]) => round({ x: Number(x), y: Number(y) }));

type Found = { image: string | Buffer; place?: [number, number]; box?: [number, number, number, number] };

/** The pictures of a video of a second each, beside it. */
async function shown(film: string, beside: string): Promise<{ images(at: number): string; height: number }> {
  const { path } = await findFfmpeg();
  execFileSync(path, ['-loglevel', 'error', '-i', film, '-fps_mode', 'passthrough', `${beside}-%d.png`]);
  const { height } = await sharp(`${beside}-1.png`).metadata();
  return { images: (at) => `${beside}-${at + 1}.png`, height };
}

async function rowsOfDuckdb(sql: string) {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS();
  connection.closeSync();
  database.closeSync();
  return rows;
}

/** What each format says of each click and box, as px of its own exported picture. */
const READERS: Record<FormatName, (dir: string) => Promise<Found[]>> = {
  async videogui(dir) {
    const sql = `SELECT screenshot_start.bytes AS image, start_position FROM '${dir}/VideoGUI-Action/data/*.parquet' ORDER BY action_id`;
    return (await rowsOfDuckdb(sql)).map(({ image, start_position }) => {
      // DuckDB's own types of a BLOB and of a list of BIGINT.
      const [x, y] = (start_position as bigint[]).map(Number);
      return { image: Buffer.from(image as Uint8Array), place: [x!, y!] };
    });
  },
  async agentnet(dir) {
    const [{ traj }] = await lines(`${dir}/agentnet.jsonl`);
    return traj.slice(0, -1).map(({ image, value }: { image: string; value: { code: string } }) => ({
      image: `${dir}/images/${image}`,
      place: placesIn(value.code)[0],
    }));
  },
  async opencua(dir) {
    const [{ content }] = await lines(`${dir}/opencua.jsonl`);
    const found: Found[] = [];
    let image = '';
    for (const item of content.slice(0, -1)) {
      if (item.class_ === 'image_observation') image = `${dir}/${item.content}`;
      if (item.class_ !== 'gui_action') continue;
      const [{ args, target }] = item.guiactions;
      const [left, top, right, bottom] = target.bbox;
      const corners = [...round({ x: left, y: top }), ...round({ x: right, y: bottom })];
      expect(target.pixel_bbox).toEqual(corners);
      found.push({ image, place: round(args), box: target.pixel_bbox });
    }
    return found;
  },
  async agentnetbench(dir) {
    const { steps } = await json(`${dir}/data/GIMP_1.json`);
    return steps.slice(0, -1).map((step: { image: string; ground_truth_actions: Row[] }) => {
      const [{ params, metadata }] = step.ground_truth_actions;
      const [x, y, width, height] = metadata.bboxes[0].rel_bbox;
      const box = [...round({ x, y }), ...round({ x: x + width, y: y + height })];
      return { image: `${dir}/data/images/${step.image}`, place: round(params.position), box };
    });
  },
  async atif(dir) {
    const { steps } = await json(`${dir}/trajectories/GIMP_1.json`);
    return steps.slice(1).map(({ tool_calls: [{ arguments: args }], extra: { trajectory_studio: ours } }: Row) => {
      const [{ x, y, path: [first] = [{ x, y }] }] = args.actions;
      const { x: left, y: top, width, height } = ours.element.box;
      const box = cornersOf([left, top, width, height]);
      return { image: `${dir}/trajectories/${ours.screen_before}`, place: [first.x, first.y], box };
    });
  },
  async osworld(dir) {
    const [{ folder }] = await lines(`${dir}/runs.jsonl`);
    let screen = 'step_0.png';
    const steps = (await lines(`${dir}/${folder}/traj.jsonl`)).slice(0, -1);
    return steps.map(({ action, screenshot_file, trajectory_studio: ours }: Row) => {
      const [, x, y] = /x=(\d+), y=(\d+)/.exec(action)!;
      const { x: left, y: top, width, height } = ours.element.box;
      const before = { image: `${dir}/${folder}/${screen}`, place: [Number(x), Number(y)] as [number, number] };
      screen = screenshot_file;
      return { ...before, box: cornersOf([left, top, width, height]) };
    });
  },
  async 'ms-swift'(dir) {
    const [{ messages, images }] = await lines(`${dir}/messages.jsonl`);
    const clicks = images.slice(0, -1).map((image: string, turn: number) => ({
      image: `${dir}/${image}`,
      place: placesIn(messages[turn * 2 + 1].content)[0],
    }));
    const boxes = (await lines(`${dir}/grounding.jsonl`)).map((line) => ({
      image: `${dir}/${line.images[0]}`,
      box: line.objects.bbox[0],
    }));
    return [...clicks, ...boxes];
  },
  async llamafactory(dir) {
    const [{ messages, images }] = await lines(`${dir}/trajectories.jsonl`);
    return images.slice(0, -1).map((image: string, turn: number) => ({
      image: `${dir}/${image}`,
      place: placesIn(messages[turn * 2 + 1].content)[0],
    }));
  },
  async screenspot(dir) {
    return (await json(`${dir}/screenspot_desktop.json`)).map((item: Row) => ({
      image: `${dir}/screenspot_imgs/${item.img_filename}`,
      box: cornersOf(item.bbox),
    }));
  },
  async 'screenspot-pro'(dir) {
    return (await json(`${dir}/annotations/gimp_linux.json`)).map((item: Row) => ({
      image: `${dir}/images/${item.img_filename}`,
      box: item.bbox,
    }));
  },
  async coco(dir) {
    const { images, annotations } = await json(`${dir}/annotations/instances.json`);
    const names = new Map(images.map((image: Row) => [image.id, image.file_name]));
    return annotations.map((each: Row) => ({
      image: `${dir}/images/${names.get(each.image_id)}`,
      box: cornersOf(each.bbox),
    }));
  },
  async lerobot(dir) {
    const rows = await parquetRows(`${dir}/data/chunk-000/file-000.parquet`);
    const { images, height } = await shown(`${dir}/videos/observation.images.screen/chunk-000/file-000.mp4`, dir);
    return rows.slice(0, -1).map(({ action: [x, y], frame_index }) => ({
      image: images(frame_index),
      place: [Math.round(x * WIDTH), Math.round(y * height)],
    }));
  },
  async videocua(dir) {
    const folder = `${dir}/data/GIMP/GIMP_1`;
    const { action_log } = await json(`${folder}/action_log.json`);
    const { images } = await shown(`${folder}/video/video.mp4`, dir);
    return action_log
      .filter(({ action_type }: Row) => action_type === 'CLICK' || action_type === 'MOVE_TO')
      .map(({ timestamp, action_params: { x, y } }: Row) => ({ image: images(timestamp - 1), place: [x, y] }));
  },
  async groundcua(dir) {
    const files = readdirSync(`${dir}/data/GIMP`).map((name) => `${dir}/data/GIMP/${name}`);
    const lists = await Promise.all(files.map(json));
    return lists.flat().map(({ image_path, bbox }) => ({ image: `${dir}/images/${image_path}`, box: bbox }));
  },
  async webdataset(dir) {
    const shard = `${dir}/shard-000000.tar`;
    return jsonInTar(shard).map((text) => {
      const step: Row = JSON.parse(text);
      const image = fileInTar(shard, `${step.task_id}_${step.subtask_id}_${step.action_id}.png`);
      return { image, place: step.start_position, box: cornersOf(step.objects.bbox[0]) };
    });
  },
  async 'cua-verifier-bench'(dir) {
    const rows = `'${dir}/trajectories/train-00000-of-00001.parquet'`;
    const [row] = await rowsOfDuckdb(`SELECT web_surfer_log, trajectory_studio FROM ${rows}`);
    const screens = await rowsOfDuckdb(`SELECT s.bytes AS image FROM (SELECT unnest(screenshots) AS s FROM ${rows})`);
    const { steps } = JSON.parse(String(row!.trajectory_studio));
    const log = String(row!.web_surfer_log).trimEnd().split('\n');
    return log.slice(0, -1).map((line, at) => {
      const { coordinate, start_coordinate = coordinate } = JSON.parse(line).arguments;
      const { x, y, width, height } = steps[at].element.box;
      // DuckDB's own type of a BLOB.
      const image = Buffer.from(screens[at]!.image as Uint8Array);
      return { image, place: start_coordinate, box: cornersOf([x, y, width, height]) };
    });
  },
  async imagefolder(dir) {
    return (await parquetRows(`${dir}/train/metadata.parquet`)).map((line) => ({
      image: `${dir}/train/${line.file_name}`,
      place: line.start_position,
      box: cornersOf(line.objects.bbox[0]),
    }));
  },
};

/** Rows are read as other programs do: as plain JSON. */
type Row = ReturnType<typeof JSON.parse>;

const cornersOf = ([x, y, width, height]: [number, number, number, number]): [number, number, number, number] => [
  x,
  y,
  x + width,
  y + height,
];

describe.each([1, 1.25, 2])('at a scale of %d, on a second display left of and above the first', (scale) => {
  let out: string;
  beforeAll(async () => {
    out = await exported(scale);
  });

  test.each(FORMATS.map(({ name }) => name))(
    '%s: the mark is found at the exported numbers, the box is exact',
    async (name) => {
      const found = await READERS[name](join(out, name));
      // Every click and the drag; ms-swift has boxes in lines of their own.
      expect(found).toHaveLength((MARKS.length + 1) * (name === 'ms-swift' ? 2 : 1));
      for (const { image, place, box } of found) {
        const pixels = await pixelsOf(image);
        if (place) expect(isMark(pixels(...place)), `${name} ${place}`).toBe(true);
        if (box) expectBox(pixels, box);
        expect(place ?? box).toBeDefined();
      }
      expect((await validateExport(name, join(out, name))).problems).toEqual([]);
    },
  );

  test('a drag ends at the mark where it ended', async () => {
    const [{ traj }] = await lines(join(out, 'agentnet', 'agentnet.jsonl'));
    expect(placesIn(traj[MARKS.length].value.code)).toEqual([MARKS[0], MARKS.at(-1)]);
    const rows = await parquetRows(join(out, 'imagefolder', 'train', 'metadata.parquet'));
    expect(rows[MARKS.length].end_position).toEqual(MARKS.at(-1));
  });
});
