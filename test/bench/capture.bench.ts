/**
 * What recording costs, as ratios in one run: our recorder, plain `ffmpeg x11grab + x264 ultrafast`, and grabbing alone,
 * 1920x1080 at 30 fps, on a still screen and while everything scrolls. Runs are interleaved (ours, plain, grab, nothing,
 * ours …), so that a change of the machine meets all of them.
 *
 *     node test/bench/capture.bench.ts [--rounds 3] [--seconds 10] [--json]
 *
 * CPU is that of the contender's process tree plus what the X server uses more than in the same scene with no recorder.
 * Targets (issue): at most 0.4 of plain ffmpeg on a still screen, at most 1.2 while all scrolls, frames on time as often.
 */
import path from 'node:path';
import {
  coresUsed,
  flag,
  type Machine,
  machine,
  machineLine,
  mean,
  median,
  progress,
  report,
} from '../support/bench.ts';
import { newWorkspace, startRecorder } from '../support/cli.ts';
import { startDisplay, type VirtualDisplay } from '../support/display.ts';
import { frameTimes, readFrames, readRecording } from '../support/recordings.ts';
import { sleep, until } from '../support/until.ts';

const FPS = 30;
const rounds = Number(flag('rounds') ?? 3);
const seconds = Number(flag('seconds') ?? 10);
const scroller = path.join(import.meta.dirname, '..', 'support', 'scroller.ts');

const SCENES = ['still', 'scrolling'] as const;
const CONTENDERS = ['ours', 'plain', 'grab', 'nothing'] as const;
type Scene = (typeof SCENES)[number];
type Contender = (typeof CONTENDERS)[number];
/** Cores; what the frames' times say (null where there are none: still screen, nothing written). */
type Sample = { tree: number; server: number; pace: Pace | null };
/** `rate`: frames a second that arrived; `onTime`: share of intervals between them of at most 1.5 / fps. */
type Pace = { rate: number; onTime: number };

/** Times in ms. CPU alone would flatter a recorder that drops frames, so the rate stands beside it. */
function paceOf(times: readonly number[]): Pace {
  const intervals = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const onTime = intervals.filter((interval) => interval <= 1500 / FPS).length / intervals.length;
  return { rate: intervals.length / (spanMs / 1000), onTime };
}

async function measureOurs(display: VirtualDisplay, scene: Scene): Promise<Sample> {
  const workspace = newWorkspace();
  try {
    const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--fps', String(FPS)] });
    await sleep(1000);
    const from = process.hrtime.bigint();
    const [tree = 0, server = 0] = await coresUsed([recorder.started.pid, display.server.pid], seconds * 1000);
    const to = process.hrtime.bigint();
    const { line } = await recorder.stop();
    if (line.folder === undefined)
      throw new Error(`record printed ${JSON.stringify(line)}: ${recorder.started.stderr()}`);
    const zero = BigInt(readRecording(line.folder).clock.startNs);
    const inside = readFrames(line.folder).filter(
      ({ t }) => t >= Number(from - zero) / 1000 && t <= Number(to - zero) / 1000,
    );
    const times = inside.map(({ t }) => t / 1000);
    // On a still screen there are no frames to be late: unchanged ones are not recorded.
    return { tree, server, pace: scene === 'still' ? null : paceOf(times) };
  } finally {
    workspace.remove();
  }
}

async function measureFfmpeg(display: VirtualDisplay, contender: 'plain' | 'grab'): Promise<Sample> {
  const file = path.join(display.home, 'plain.mkv');
  const size = `${display.width}x${display.height}`;
  const input = [
    '-f',
    'x11grab',
    '-draw_mouse',
    '0',
    '-framerate',
    String(FPS),
    '-video_size',
    size,
    '-i',
    display.name,
  ];
  // Times in ms as they were taken; by default ffmpeg rounds them to 1/fps, and every frame would seem to be on time.
  const asTaken = ['-fps_mode', 'passthrough', '-enc_time_base', '1:1000'];
  const x264 = [...asTaken, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-y', file];
  const output = contender === 'plain' ? x264 : ['-f', 'null', '-'];
  const ffmpeg = await display.launch('ffmpeg', ['-v', 'error', '-nostdin', ...input, ...output]);
  await sleep(2000);
  const [tree = 0, server = 0] = await coresUsed([ffmpeg.pid, display.server.pid], seconds * 1000);
  await ffmpeg.stop();
  // The first second, in which every program starts up, counts for none of them.
  const times = contender === 'plain' ? (await frameTimes(file)).slice(FPS) : null;
  return { tree, server, pace: times && paceOf(times) };
}

async function measure(display: VirtualDisplay, scene: Scene, contender: Contender): Promise<Sample> {
  const playing = scene === 'scrolling' ? await display.launch(process.execPath, [scroller, '600']) : null;
  try {
    if (playing) await until('the scroller', () => playing.stdout().includes('ready'), { seen: playing.stderr });
    if (contender === 'ours') return await measureOurs(display, scene);
    if (contender !== 'nothing') return await measureFfmpeg(display, contender);
    await sleep(500);
    const [server = 0] = await coresUsed([display.server.pid], seconds * 1000);
    return { tree: 0, server, pace: null };
  } finally {
    await playing?.stop();
  }
}

type Row = { contender: Contender; tree: number; server: number; cores: number; pace: Pace | null };

function rowsOf(samples: Map<Contender, Sample[]>): Row[] {
  const idle = median((samples.get('nothing') ?? []).map((sample) => sample.server));
  return CONTENDERS.filter((contender) => contender !== 'nothing').map((contender) => {
    const all = samples.get(contender) ?? [];
    const tree = median(all.map((sample) => sample.tree));
    const server = Math.max(0, median(all.map((sample) => sample.server)) - idle);
    const paces = all.map((sample) => sample.pace).filter((pace) => pace !== null);
    const average = (of: (pace: Pace) => number) => mean(paces.map(of));
    const pace = paces.length ? { rate: average(({ rate }) => rate), onTime: average(({ onTime }) => onTime) } : null;
    return { contender, tree, server, cores: tree + server, pace };
  });
}

const NAMES = {
  ours: 'ours (lossless RGB)',
  plain: 'ffmpeg x11grab + x264 ultrafast 4:2:0',
  grab: 'ffmpeg x11grab alone (-f null)',
  nothing: 'nothing',
};

/** `ratio`: cores, ours to plain. `perFrame`: the same for each frame that arrived. `overFloor`: ours to grabbing alone. */
type Result = { rows: Row[]; ratio: number; perFrame: number | null; overFloor: number };

function textOf(about: Machine, result: Record<Scene, Result>): string {
  const percent = (share: number | null) => (share === null ? '-' : `${(share * 100).toFixed(1)} %`);
  const table = SCENES.flatMap((scene) => [
    `\n${scene === 'still' ? 'Still screen' : 'Everything scrolls, 60 times a second'}`,
    `  ${'contender'.padEnd(40)}${'processes'.padStart(10)}${'X server'.padStart(10)}${'cores'.padStart(8)}${'frames/s'.padStart(10)}${'on time'.padStart(10)}`,
    ...result[scene].rows.map(({ contender, tree, server, cores, pace }) => {
      const cells = [tree.toFixed(3).padStart(10), server.toFixed(3).padStart(10), cores.toFixed(3).padStart(8)];
      return `  ${NAMES[contender].padEnd(40)}${cells.join('')}${(pace?.rate.toFixed(1) ?? '-').padStart(10)}${percent(pace?.onTime ?? null).padStart(10)}`;
    }),
    `  ours / plain ffmpeg: ${result[scene].ratio.toFixed(2)} (target: at most ${scene === 'still' ? '0.4' : '1.2'})${perFrameText(result[scene])}`,
  ]);
  return [
    `Recording cost, 1920x1080 at ${FPS} fps, median of ${rounds} runs of ${seconds} s`,
    machineLine(about),
    ...table,
  ].join('\n');
}

/** A recorder that drops frames saves CPU by it, so the ratio is given for each frame as well. */
const perFrameText = ({ perFrame }: Result): string =>
  perFrame === null ? '' : `; for each frame that arrived: ${perFrame.toFixed(2)}`;

const display = await startDisplay({ width: 1920, height: 1080 });
try {
  const samples = { still: new Map<Contender, Sample[]>(), scrolling: new Map<Contender, Sample[]>() };
  for (let round = 1; round <= rounds; round++) {
    for (const scene of SCENES) {
      for (const contender of CONTENDERS) {
        const sample = await measure(display, scene, contender);
        progress(
          `round ${round}, ${scene}, ${contender}: ${sample.tree.toFixed(3)} + server ${sample.server.toFixed(3)} cores`,
        );
        samples[scene].set(contender, [...(samples[scene].get(contender) ?? []), sample]);
      }
    }
  }
  const resultOf = (scene: Scene): Result => {
    const rows = rowsOf(samples[scene]);
    const cores = (wanted: Contender) => rows.find((row) => row.contender === wanted)?.cores ?? Number.NaN;
    const rate = (wanted: Contender) => rows.find((row) => row.contender === wanted)?.pace?.rate ?? null;
    const [ours, plain] = [rate('ours'), rate('plain')];
    const ratio = cores('ours') / cores('plain');
    const perFrame = ours !== null && plain !== null ? (ratio * plain) / ours : null;
    return { rows, ratio, perFrame, overFloor: cores('ours') / cores('grab') };
  };
  const result = { still: resultOf('still'), scrolling: resultOf('scrolling') };
  const about = await machine();
  report({ bench: 'capture', machine: about, fps: FPS, rounds, seconds, ...result }, textOf(about, result));
} finally {
  await display.stop();
}
