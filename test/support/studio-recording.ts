import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { stream } from '../../core/actions/stream-for-tests.ts';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs, MASTER_GOP, masterArgs } from '../../native/ffmpeg/master.ts';
import { rawFrameHead, rawHead } from '../../native/mkv/write.ts';
import { ELEMENTS_VERSION, type ElementLine } from '../../schemas/elements.ts';
import { isInput } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { makePlaybackCopy } from '../../studio/recordings/playback.ts';
import { sampleRecording } from '../../studio/store/recording-for-tests.ts';
import { cellCentre, drawScene, type Scene, type SceneStep, sceneSteps } from './studio-scene.ts';

/**
 * Recordings for tests of the pages: whole and closed, as the recorder leaves them, but made up, so that they can have any
 * length and are the same each time. One frame before the first step and one after each, a second apart.
 */
export type MadeRecording = {
  id: string;
  folder: string;
  steps: SceneStep[];
  width: number;
  height: number;
  frames: number;
};

export type MakeOptions = {
  id: string;
  /** How many steps, or which. */
  steps: number | SceneStep[];
  width?: number;
  height?: number;
  /** `drawn`: a scene with buttons, drawn for each step. `plain`: a moving square, quick to make by the thousand. */
  pictures?: 'drawn' | 'plain';
  /** Subtask marks after these steps (from 1). */
  marks?: readonly number[];
  task?: { id: string; goal: string };
  app?: { id: string; name: string };
  window?: string;
  playback?: boolean;
  /** What a program told of the element at a step's press. */
  elementAt?: (step: SceneStep, n: number) => Pick<ElementLine, 'name' | 'role' | 'bounds'> | null;
};

const STEP_US = 1_000_000;
const FIRST_US = 500_000;

/** Writes the recording's folder into `parent`. */
export async function makeRecording(parent: string, options: MakeOptions): Promise<MadeRecording> {
  const { id, width = 1280, height = 720, marks = [], pictures = 'drawn' } = options;
  const steps = typeof options.steps === 'number' ? sceneSteps(options.steps) : options.steps;
  const scene = { width, height };
  const folder = path.join(parent, id);
  fs.mkdirSync(folder, { recursive: true });
  const { events, span, presses } = eventsOf(scene, steps, marks);
  const frames = framesOf(steps.length, width * height);
  writeLines(path.join(folder, 'events.jsonl'), events);
  writeLines(path.join(folder, 'frames.jsonl'), frames);
  const elements = steps.flatMap((step, n): ElementLine[] => {
    const [t, element] = [presses[n], options.elementAt?.(step, n)];
    return element && t !== undefined ? [{ t, ...element, version: ELEMENTS_VERSION, source: 'atspi' }] : [];
  });
  if (elements.length > 0) writeLines(path.join(folder, 'elements.jsonl'), elements);
  const window = { t: 0, id: '1', title: options.window ?? 'Scene editor', app: 'scene', pid: 1, bounds: null };
  writeLines(path.join(folder, 'windows.jsonl'), [window]);
  const master = path.join(folder, 'screen.mkv');
  if (pictures === 'drawn') await drawnMaster(master, scene, steps, frames);
  else await plainMaster(master, scene, frames.length);
  const { capture } = sampleRecording();
  const recording = sampleRecording({
    id,
    ...(options.app && { app: options.app }),
    task: options.task ?? { id: 'GIMP_1', goal: 'Try every button of the scene' },
    clock: { source: 'CLOCK_MONOTONIC', startNs: '1000000000', startedAt: '2026-05-04T10:20:30.456Z' },
    span,
    displays: [{ t: 0, displays: [displayOf(scene)] }],
    capture: { ...capture, encoder: 'libx264rgb lossless' },
    segments: [{ index: 0, file: 'screen.mkv', width, height, firstFrame: 0, frames: frames.length }],
    counts: {
      frames: frames.length,
      dropped: 0,
      late: 0,
      black: 0,
      ticks: frames.length,
      events: events.filter(isInput).length,
    },
    verdict: { kind: 'complete', missing: [], endedBy: 'signal' },
  });
  fs.writeFileSync(path.join(folder, 'recording.json'), `${JSON.stringify(recording, null, 2)}\n`);
  if (options.playback) await makePlaybackCopy(folder, await findFfmpeg(), () => {});
  return { id, folder, steps, width, height, frames: frames.length };
}

const displayOf = ({ width, height }: Scene) => ({
  id: 1,
  name: 'display 1',
  x: 0,
  y: 0,
  width,
  height,
  scale: 1,
  primary: true,
});

/** Step n (from 0) begins about 0.4 s after frame n and ends before frame n + 1 shows what came of it. */
const timeOfStep = (n: number): number => (FIRST_US + n * STEP_US) / 1000 + 400;

function eventsOf(scene: Scene, steps: readonly SceneStep[], marks: readonly number[]) {
  const hand = stream({ atMs: 100 });
  const until = (ms: number) => hand.wait(Math.max(0, ms - hand.now() / 1000));
  hand.layout(usLayout()).locks(false, false).settings({}).displays(displayOf(scene)).anchor();
  hand.add({ type: 'view', t: hand.now(), view: { x: 0, y: 0, ...scene }, segment: 0 });
  const start = hand.now();
  const presses: (number | undefined)[] = [];
  for (const [n, step] of steps.entries()) {
    const before = hand.events.length;
    const [x, y] = cellCentre(scene, step.cell);
    until(timeOfStep(n) - 40);
    hand.move(Math.max(0, x - 30), Math.max(0, y - 9)).move(x, y);
    until(timeOfStep(n));
    if (step.kind === 'drag') hand.drag([x, y], cellCentre(scene, step.to));
    else if (step.kind === 'type') hand.type(step.text);
    else if (step.kind === 'press') hand.keys('Enter');
    else if (step.kind === 'scroll') hand.wheel(1).wheel(1).wheel(1);
    else if (step.kind === 'double') hand.click(x, y).wait(30).click(x, y);
    else hand.click(x, y, step.kind === 'right' ? 'right' : 'left');
    presses.push(hand.events.slice(before).find(({ type }) => type === 'down' || type === 'wheel')?.t);
    if (marks.includes(n + 1)) hand.add({ type: 'mark', t: hand.now(), kind: 'subtask' });
  }
  until(timeOfStep(steps.length) + 600);
  return { events: hand.events, span: { start, end: hand.now() }, presses };
}

function framesOf(steps: number, pixels: number): Frame[] {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const t = FIRST_US + i * STEP_US;
    const changed = Math.round(pixels / 40);
    return i === 0 ? { i, pts: 0, t } : { i, pts: i * (STEP_US / 1000), t, seen: t - 33_000, changed };
  });
}

/** The same way as the recorder: raw pictures with their own times through a pipe into the same encoder. */
async function drawnMaster(file: string, scene: Scene, steps: readonly SceneStep[], frames: readonly Frame[]) {
  const ffmpeg = await findFfmpeg();
  const child = spawn(ffmpeg.path, masterArgs(file, fpsModeArgs(ffmpeg), scene), { stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = endOf(child);
  child.stdin.write(rawHead(scene.width, scene.height));
  for (const { i, pts } of frames) {
    const picture = await drawScene(scene, steps.slice(0, i));
    child.stdin.write(rawFrameHead(pts, picture.length));
    if (!child.stdin.write(picture)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  await ended;
}

async function plainMaster(file: string, { width, height }: Scene, frames: number): Promise<void> {
  const ffmpeg = await findFfmpeg();
  const square = `drawbox=x='mod(t*37,${width - 40})':y='mod(t*17,${height - 40})':w=40:h=40:color=0xf2c14e:t=fill`;
  const source = `color=c=0x24406e:size=${width}x${height}:rate=1,format=gbrp,${square}`;
  const coding = ['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-tune', 'zerolatency', '-qp', '0'];
  const args = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', source, '-frames:v', String(frames)];
  await endOf(
    spawn(ffmpeg.path, [...args, ...coding, '-g', String(MASTER_GOP), '-f', 'matroska', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
}

/** Resolves when it ended well. Throws with ffmpeg's own words otherwise. */
async function endOf(child: ReturnType<typeof spawn>): Promise<void> {
  let words = '';
  child.stderr?.on('data', (data: Buffer) => {
    words += data.toString();
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${words.trim()}`);
}

function writeLines(file: string, lines: readonly unknown[]): void {
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
