import fs from 'node:fs';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keyframeIndexSchema } from '../../schemas/recording.ts';
import { startApp } from '../support/apps.ts';
import { type NewWorkspace, startRecorder, studioMust } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { click, drag, handsFor, perform, press, scroll, type } from '../support/person.ts';

/** From the screen to a VideoGUI data set that another program reads (formats.md, VideoGUI). */

let display: VirtualDisplay;
let workspace: NewWorkspace;
let duck: DuckDBConnection;
onDisplay({ width: 1280, height: 800 }, (made) => {
  ({ display, workspace } = made);
});
beforeEach(async () => {
  duck = await (await DuckDBInstance.create()).connect();
});
afterEach(() => {
  duck.closeSync();
});

const COLUMNS = {
  split: 'VARCHAR',
  app: 'VARCHAR',
  task_id: 'VARCHAR',
  screenshot_start: 'STRUCT(bytes BLOB, path VARCHAR)',
  action_type: 'VARCHAR',
  action_narration: 'VARCHAR',
  start_position: 'BIGINT[]',
  end_position: 'BIGINT[]',
  scroll_value: 'DOUBLE',
  subtask_id: 'BIGINT',
  action_id: 'BIGINT',
};

it('exports what was done, with pictures equal to the keyframes, as DuckDB reads it', async () => {
  const app = await startApp(display, 'mousepad', { x: 60, y: 40, width: 1000, height: 600 });
  const { x, y } = await app.bounds();
  const steps = [
    click(x + 300, y + 200),
    type('Hello'),
    press('Enter'),
    click(x + 301, y + 300, { count: 2 }),
    click(x + 500, y + 303, { button: 'right' }),
    press('Escape'),
    drag([
      [x + 400, y + 400],
      [x + 450, y + 410],
      [x + 520, y + 420],
    ]),
    scroll(x + 300, y + 200, { dy: 3 }),
  ];
  const recorder = await startRecorder(display, {
    workspace: workspace.path,
    args: ['--app', 'gimp', '--goal', 'Write hello', '--task', 'GP_7'],
    syncCheck: true,
    playback: true,
  });
  await perform(display, await handsFor(display, 'human'), steps);
  const { line } = await recorder.stop();
  // It returns when the stills are there; another process makes the copy for playback, of which nothing below has need.
  expect(line.playback?.pid).toBeGreaterThan(0);
  expect(line.playback?.pid).not.toBe(recorder.started.pid);
  expect(fs.existsSync(path.join(line.folder, 'keyframes', 'index.json'))).toBe(true);

  const out = path.join(display.home, 'export');
  const frames = path.join(display.home, 'keyframes');
  await studioMust(['export', 'videogui', '--workspace', workspace.path, '--out', out, '--all', '--json']);
  await studioMust(['validate', 'videogui', out, '--json']);
  await studioMust(['keyframes', line.recording, '--workspace', workspace.path, '--out', frames]);

  const parquet = path.join(out, 'VideoGUI-Action', 'data', '*.parquet');
  const described = (await duck.runAndReadAll(`describe select * from '${parquet}'`)).getRowObjectsJson();
  expect(Object.fromEntries(described.map((row) => [row.column_name, row.column_type]))).toEqual(COLUMNS);

  const query = `select *, screenshot_start.bytes as picture from '${parquet}' order by subtask_id, action_id`;
  const rows = (await duck.runAndReadAll(query)).getRowObjectsJS();
  expect(rows.map((row) => [row.action_id, row.action_type])).toEqual([
    [1n, 'LeftClick'],
    [2n, 'Type/Press'],
    [3n, 'Type/Press'],
    [4n, 'DoubleClick'],
    [5n, 'RightClick'],
    [6n, 'Type/Press'],
    [7n, 'Drag'],
    [8n, 'Scroll'],
  ]);
  expect(rows.map((row) => row.task_id)).toEqual(rows.map(() => 'GP_7'));
  const places = rows.map((row) => [row.start_position, row.end_position]);
  expect(places[0]?.[0]).toEqual([BigInt(x + 300), BigInt(y + 200)]);
  expect(places[6]).toEqual([
    [BigInt(x + 400), BigInt(y + 400)],
    [BigInt(x + 520), BigInt(y + 420)],
  ]);
  expect(Math.abs(Number(rows[7]?.scroll_value))).toBe(3);
  for (const row of rows) expect(String(row.action_narration).length).toBeGreaterThan(3);

  const index = keyframeIndexSchema.parse(JSON.parse(fs.readFileSync(path.join(frames, 'index.json'), 'utf8')));
  const before = index.keyframes.filter((keyframe) => keyframe.role === 'before');
  expect(before).toHaveLength(rows.length);
  for (const [i, row] of rows.entries()) {
    if (!(row.picture instanceof Uint8Array)) throw new Error(`row ${i + 1} has no picture`);
    const [exported, cut] = await Promise.all([
      pixels(Buffer.from(row.picture)),
      pixels(path.join(frames, before[i]?.file ?? '')),
    ]);
    expect(exported.equals(cut), `picture of action ${i + 1}`).toBe(true);
  }
  await expect.poll(() => fs.existsSync(path.join(line.folder, 'screen.mp4')), { timeout: 60_000 }).toBe(true);
  await expect.poll(() => isRunning(line.playback?.pid), { timeout: 60_000 }).toBe(false);
});

function isRunning(pid = 0): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const pixels = (image: Buffer | string): Promise<Buffer> => sharp(image).removeAlpha().raw().toBuffer();

it('the manifest names every file with its hash, and the card has the statistics', async () => {
  const recorder = await startRecorder(display, { workspace: workspace.path });
  await perform(display, await handsFor(display, 'human'), [click(300, 300)]);
  await recorder.stop();
  const out = path.join(display.home, 'export');
  await studioMust(['export', 'videogui', '--workspace', workspace.path, '--out', out, '--all']);
  const manifest = fs.readFileSync(path.join(out, 'manifest.json'), 'utf8');
  const names = fs.readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = names.map((entry) => path.relative(out, path.join(entry.parentPath, entry.name)));
  for (const file of files.filter((name) => name !== 'manifest.json'))
    expect(manifest).toContain(file.replaceAll('\\', '/'));
  expect(files.some((name) => name.endsWith('README.md'))).toBe(true);
});
