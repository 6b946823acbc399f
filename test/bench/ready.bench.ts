/**
 * How soon after the stop the steps are there: a recording with 30 actions a minute (300 in 10 minutes), timed from the
 * stop to the last keyframe on the disk; then all keyframes cut anew against one `ffmpeg -ss` call a frame.
 *
 *     node test/bench/ready.bench.ts [--minutes 10] [--sample 20] [--json]
 *
 * Targets (K8): all there within 2 s of the stop; anew at most half of one `ffmpeg -ss` call a frame.
 */
import fs from 'node:fs';
import path from 'node:path';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { keyframeIndexSchema } from '../../schemas/recording.ts';
import { startApp } from '../support/apps.ts';
import { bytesOf, cutOneFrame, flag, machine, machineLine, mean, progress, report } from '../support/bench.ts';
import { newWorkspace, startRecorder, studioMust } from '../support/cli.ts';
import { startDisplay } from '../support/display.ts';
import { chord, click, drag, handsFor, perform, press, type Step, scroll, type } from '../support/person.ts';
import { readFrames, readRecording } from '../support/recordings.ts';
import { sleep, until } from '../support/until.ts';

const minutes = Number(flag('minutes') ?? 10);
const sample = Number(flag('sample') ?? 20);
const EVERY_MS = 2000;
const READY_WITHIN_MS = 2000;

/** Ten steps of editing a text, one a call, over and over. */
function stepOf(n: number, left: number, top: number): Step {
  const [x, y] = [left + 80 + ((n * 37) % 700), top + 120 + ((n * 53) % 350)];
  const steps: Step[] = [
    click(x, y),
    type(`line ${n} of the text`),
    press('Enter'),
    scroll(x, y, { dy: 3 }),
    click(x, y, { count: 2 }),
    chord('ctrl', 'c'),
    drag([
      [x, y],
      [x + 60, y + 10],
      [x + 150, y + 40],
    ]),
    press('End'),
    scroll(x, y, { dy: -3 }),
    chord('ctrl', 'v'),
  ];
  return steps[n % steps.length] ?? click(x, y);
}

const workspace = newWorkspace();
const display = await startDisplay({ width: 1920, height: 1080 });
try {
  const app = await startApp(display, 'mousepad', { x: 200, y: 100, width: 1200, height: 800 });
  const { x, y } = await app.bounds();
  const hands = await handsFor(display, 'human');
  const recorder = await startRecorder(display, { workspace: workspace.path, playback: true, syncCheck: true });
  const begin = performance.now();
  const count = Math.round(minutes * 30);
  for (let n = 0; n < count; n++) {
    const due = begin + n * EVERY_MS;
    await sleep(Math.max(0, due - performance.now()));
    await perform(display, hands, [stepOf(n, x, y)]);
    if (n % 30 === 29) progress(`${(n + 1) / 30} of ${minutes} minutes, ${n + 1} actions`);
  }
  const stopped = performance.now();
  recorder.started.child.kill('SIGINT');
  const keyframes = path.join(recorder.folder, 'keyframes');
  const index = await until('every keyframe', () => wholeIndex(keyframes), { timeoutMs: 300_000, everyMs: 20 });
  const readyMs = performance.now() - stopped;
  const { line } = await recorder.ended(300_000);
  if (!line) throw new Error(`record printed no line: ${recorder.started.stderr()}`);
  const endedMs = performance.now() - stopped;
  const { json } = await studioMust(['actions', line.recording, '--workspace', workspace.path, '--json']);
  const actions = reduceResultSchema.parse(json).actions.length;
  const listed = new Set(index.keyframes.map((keyframe) => keyframe.action)).size;
  if (listed !== actions) progress(`warning: ${actions} actions, keyframes for ${listed} of them`);

  // Anew: without the stills that were cut while recording.
  fs.renameSync(keyframes, `${keyframes}.aside`);
  const out = path.join(display.home, 'anew');
  const start = performance.now();
  await studioMust(['keyframes', line.recording, '--workspace', workspace.path, '--out', out], { timeoutMs: 600_000 });
  const anewMs = performance.now() - start;
  const pictures = fs.readdirSync(out).filter((name) => name.endsWith('.png')).length;

  const recording = readRecording(line.folder);
  const master = path.join(line.folder, recording.segments[0]?.file ?? 'screen.mkv');
  const frames = readFrames(line.folder);
  const step = Math.max(1, Math.floor(index.keyframes.length / sample));
  const some = index.keyframes.filter((_, i) => i % step === 0).slice(0, sample);
  const singles: number[] = [];
  for (const keyframe of some) {
    const pts = frames[keyframe.frame]?.pts ?? 0;
    singles.push(await cutOneFrame(master, pts / 1000, path.join(display.home, 'one.png')));
  }
  const singleMs = mean(singles);
  const different = new Set(index.keyframes.map((keyframe) => keyframe.frame)).size;
  const ratio = anewMs / (singleMs * pictures);
  const about = await machine();
  const result = {
    minutes,
    actions,
    pictures,
    different,
    masterMb: bytesOf(master) / 1e6,
    readyMs,
    endedMs,
    anewMs,
    singleMs,
    ratio,
  };
  report(
    { bench: 'ready', machine: about, ...result },
    [
      `Ready at once: ${minutes} minutes, ${actions} actions, 1920x1080, master ${result.masterMb.toFixed(1)} MB`,
      machineLine(about),
      `  stop to the last keyframe on the disk  ${(readyMs / 1000).toFixed(2)} s (target: ${READY_WITHIN_MS / 1000} s)`,
      `  stop to the end of \`record\`            ${(endedMs / 1000).toFixed(2)} s`,
      `  all ${pictures} keyframes cut anew         ${(anewMs / 1000).toFixed(2)} s, ${(anewMs / pictures).toFixed(1)} ms a frame (${different} different frames)`,
      `  one \`ffmpeg -ss\` call a frame          ${singleMs.toFixed(0)} ms a frame (mean of ${singles.length})`,
      `  anew / one call a frame: ${ratio.toFixed(3)} (target: at most 0.5)`,
    ].join('\n'),
  );
} finally {
  await display.stop();
  workspace.remove();
}

/** The index once it and every picture it names are on the disk; null before. */
function wholeIndex(folder: string) {
  const file = path.join(folder, 'index.json');
  if (!fs.existsSync(file)) return null;
  const index = keyframeIndexSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  return index.keyframes.every((keyframe) => fs.existsSync(path.join(folder, keyframe.file))) && index;
}
