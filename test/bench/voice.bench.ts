/**
 * The cost of the voice beside a recording, and how well it lies on the clock: `record` with and without `--voice` on a still
 * screen, in turn; then clicks that are played and flashes that are shown while it records.
 *
 *     node test/bench/voice.bench.ts [--rounds 3] [--seconds 10] [--clicks 20] [--json]
 *
 * CPU is that of the recorder's process tree, with the ffmpeg that hears the microphone. The microphone is PulseAudio's null sink,
 * whose server is not counted. "heard after" is from when the click was asked for, some 15 ms before it begins.
 */
import fs from 'node:fs';
import path from 'node:path';
import { coresUsed, flag, machine, machineLine, mean, median, progress, report } from '../support/bench.ts';
import { newWorkspace, startRecorder } from '../support/cli.ts';
import { startDisplay } from '../support/display.ts';
import { onsetsIn, startMicrophone } from '../support/microphone.ts';
import { openPainter } from '../support/paints.ts';
import { must } from '../support/process.ts';
import { readFrames, readRecording, sessionUs } from '../support/recordings.ts';
import { sleep, until } from '../support/until.ts';

const rounds = Number(flag('rounds') ?? 3);
const seconds = Number(flag('seconds') ?? 10);
const clicks = Number(flag('clicks') ?? 20);
const WARM_MS = 2500;
const NEAR_US = 250_000;

const display = await startDisplay({ width: 1920, height: 1080 });
const microphone = await startMicrophone(display);
const { env, device } = microphone;
const voice = ['--voice', device];

type Cost = { cores: number; bytes: number; seconds: number };

/** What it takes, and its bytes on the disk. */
async function cost(args: readonly string[]): Promise<Cost> {
  const workspace = newWorkspace();
  try {
    const recorder = await startRecorder(display, { workspace: workspace.path, env, args });
    await sleep(WARM_MS);
    const [cores = 0] = await coresUsed([recorder.started.pid], seconds * 1000);
    const { line } = await recorder.stop();
    const { span } = readRecording(line.folder);
    const file = path.join(line.folder, 'voice.wav');
    const blocks = fs.existsSync(file) ? fs.statSync(file).blocks : 0;
    return { cores, bytes: blocks * 512, seconds: ((span?.end ?? 0) - (span?.start ?? 0)) / 1e6 };
  } finally {
    workspace.remove();
  }
}

/** ms: from the asking for a click to the sound in the file, and from a flash to the first picture of it. */
async function apart(): Promise<{ heard: number[]; seen: number[]; lost: number }> {
  const workspace = newWorkspace();
  const painter = await openPainter(display, 800, 400, 300, 300);
  try {
    const recorder = await startRecorder(display, { workspace: workspace.path, env, args: voice });
    await until('the voice', () => recorder.started.stderr().includes('your voice is recorded'));
    const asked: number[] = [];
    for (let n = 0; n < clicks; n++) {
      await must('xdotool', ['mousemove', '900', '500', 'click', '1'], { env: display.env });
      asked.push((await microphone.click()).asked);
      await sleep(NEAR_US / 1000);
    }
    await until('every flash', () => painter.paints().length >= clicks);
    const { line } = await recorder.stop();
    const recording = readRecording(line.folder);
    const frames = readFrames(line.folder);
    const onsets = onsetsIn(line.folder);
    const heard = asked.flatMap((us) => {
      const t = sessionUs(recording, us);
      const onset = onsets.find((one) => Math.abs(one - t) < NEAR_US);
      return onset === undefined ? [] : [(onset - t) / 1000];
    });
    const seen = painter.paints().flatMap(({ before }) => {
      const t = sessionUs(recording, before);
      const frame = frames.find((one) => one.t >= t && one.changed !== 0);
      return frame ? [(frame.t - t) / 1000] : [];
    });
    return { heard, seen, lost: asked.length - heard.length };
  } finally {
    await painter.started.stop();
    workspace.remove();
  }
}

const [without, withIt]: [Cost[], Cost[]] = [[], []];
for (let round = 0; round < rounds; round++) {
  without.push(await cost([]));
  withIt.push(await cost(voice));
  progress(`round ${round + 1} of ${rounds} done`);
}
const sync = await apart();
await display.stop();
const about = await machine();
const cores = (all: readonly Cost[]): number => median(all.map((one) => one.cores));
const rate = mean(withIt.map((one) => one.bytes / one.seconds));
const spread = (all: readonly number[]): string =>
  all.length === 0
    ? '-'
    : `median ${median(all).toFixed(1)}, ${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)} ms`;
report(
  { bench: 'voice', machine: about, without, with: withIt, sync },
  [
    'The voice beside a recording, still screen of 1920x1080',
    machineLine(about),
    `  CPU of the recorder: ${cores(without).toFixed(3)} of a core without, ${cores(withIt).toFixed(3)} with (${rounds} rounds of ${seconds} s)`,
    `  voice.wav: ${(rate / 1000).toFixed(1)} kB a second, ${((rate * 60) / 1e6).toFixed(2)} MB a minute`,
    `  a click is heard after ${spread(sync.heard)} (${clicks - sync.lost} of ${clicks} found); a flash is seen after ${spread(sync.seen)}`,
  ].join('\n'),
);
