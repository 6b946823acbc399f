import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, test, vi } from 'vitest';
import { playReport } from '../../core/play/report-for-tests.ts';
import { readRgb } from '../files/picture.ts';
import { openFolder } from '../recordings/closed.ts';
import { differ } from '../session/background-recordings.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import { servedWorkspace, type TestServer } from './server-for-tests.ts';

vi.mock('../files/picture.ts', { spy: true });
vi.mock('../recordings/closed.ts', { spy: true });

let server: TestServer;
let ws: string;
let dir: string;
let open: OpenWorkspace;
servedWorkspace((made) => {
  ({ server, ws, dir, open } = made);
});

const SECOND = 1_000_000;
const [WIDTH, HEIGHT] = [64, 48];
/** Frames at half a second before each step and after it. */
const TIMES = [0.5, 1.5, 2.5].map((second) => second * SECOND);
const DEMONSTRATION = 'shown';
const PLAY = 'shown-play';
let steps: string[];

/** White squares of 8 px at these columns, on black. */
function screen(...columns: number[]): Promise<Buffer> {
  const rgb = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (const column of columns) {
    for (let y = 8; y < 16; y++) rgb.fill(255, (y * WIDTH + column) * 3, (y * WIDTH + column + 8) * 3);
  }
  return sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer();
}

async function record(id: string, pictures: readonly Buffer[], played?: { recording: string }): Promise<string> {
  const rect = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
  const recording = sampleRecording({ id, ...(played && { played }) });
  const folder = writeSample(join(dir, 'recordings'), recording, [
    { type: 'view', t: 0, segment: 0, view: rect },
    ...[1, 2].flatMap((second) => [
      { type: 'down' as const, t: second * SECOND, x: 20, y: 10, button: 'left' as const },
      { type: 'up' as const, t: second * SECOND + 50_000, x: 20, y: 10, button: 'left' as const },
    ]),
  ]);
  const frames = TIMES.map((t, i) => ({ i, t, seg: 0, pts: t / 1000 }));
  writeFileSync(join(folder, 'frames.jsonl'), frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  mkdirSync(join(folder, 'keyframes'));
  for (const [n, picture] of pictures.entries()) writeFileSync(join(folder, 'keyframes', `${TIMES[n]}.png`), picture);
  return folder;
}

beforeAll(async () => {
  await record(DEMONSTRATION, [await screen(), await screen(16), await screen(16, 32)]);
  const folder = await record(PLAY, [await screen(), await screen(48), await screen(16, 32)], {
    recording: DEMONSTRATION,
  });
  await open.refresh({ now: true });
  steps = (await server.client.recordings.open({ ws, recording: DEMONSTRATION })).steps.map(({ id }) => id);
  const report = playReport({
    recording: DEMONSTRATION,
    played: PLAY,
    actionsEqual: true,
    steps: steps.map((step, n) => ({
      step,
      verdict: 'same',
      shift: { x: 0, y: 0 },
      waited: 0,
      why: '',
      seen: { before: TIMES[n]!, after: TIMES[n + 1]! },
    })),
  });
  writeFileSync(join(folder, 'play.json'), JSON.stringify(report));
});

test('differences of each step are told from one opening of each recording', async () => {
  const play = await server.client.play.open({ ws, played: PLAY });
  expect(play.pictures).toEqual([
    { before: 0, after: 1 },
    { before: 1, after: 2 },
  ]);
  vi.mocked(openFolder).mockClear();
  const asked = (step: number, when: 'before' | 'after') =>
    server.client.play.differences({ ws, played: PLAY, step: steps[step] ?? '', when });
  const [y, width, height] = [8, 8, 8];
  expect(await asked(0, 'before')).toEqual([]);
  expect(await asked(0, 'after')).toEqual([
    { x: 16, y, width, height, decisive: true },
    { x: 48, y, width, height, decisive: false },
  ]);
  // The step itself changes the square at 32 px alone.
  expect(await asked(1, 'before')).toEqual([
    { x: 16, y, width, height, decisive: false },
    { x: 48, y, width, height, decisive: false },
  ]);
  expect(await asked(1, 'after')).toEqual([]);
  expect(vi.mocked(openFolder)).not.toHaveBeenCalled();
});

test('a comparison reads each of its three pictures once', async () => {
  const file = (id: string, n: number): string => join(dir, 'recordings', id, 'keyframes', `${TIMES[n]}.png`);
  const pair = { before: file(DEMONSTRATION, 0), after: file(DEMONSTRATION, 1), played: file(PLAY, 1) };
  const tools = { signal: new AbortController().signal, report: () => undefined };
  for (const when of ['before', 'after'] as const) {
    vi.mocked(readRgb).mockClear();
    const found = await differ(open.workspace, { ...pair, when }, tools);
    expect(found?.map(({ x, decisive }) => [x, decisive])).toEqual(
      when === 'before'
        ? [[48, false]]
        : [
            [16, true],
            [48, false],
          ],
    );
    expect(vi.mocked(readRgb)).toHaveBeenCalledTimes(3);
  }
  vi.mocked(readRgb).mockClear();
  expect(await differ(open.workspace, { ...pair, before: null, when: 'after' }, tools)).toHaveLength(2);
  expect(await differ(open.workspace, { ...pair, after: null, when: 'after' }, tools)).toBeNull();
});
