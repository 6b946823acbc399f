/**
 * The cost of recording, as ratios in one run: `npm run studio -- record` as a user starts it, plain `ffmpeg x11grab` into x264
 * ultrafast (4:2:0, lossy) and into lossless x264 ultrafast, 1920x1080 at 30 fps, on a still screen and on three that move; then a
 * terminal that prints on 3840x2160. Runs are interleaved (ours, before, plain, lossless, nothing, ours …), so that a change of the
 * machine meets all.
 *
 *     node test/bench/capture.bench.ts [--rounds 3] [--seconds 4] [--scenes still,terminal,page,video,large]
 *                                      [--before TREE] [--only ours,plain] [--json]
 *
 * CPU is that of the contender's process tree (with npm and the command itself) plus what the X server uses more than in the same
 * scene with no recorder. `--before` takes another tree of the project, ready to run, as a contender: an older commit's worktree.
 * Pictures that differ stand beside it: a recorder that drops some would save CPU by it.
 * Targets: at most 0.02 of a core on a still screen, at most 0.8 of plain ffmpeg on those that move; no picture dropped.
 */
import os from 'node:os';
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
import { SCENES, type Scene, startScene } from '../support/moving-scenes.ts';
import { must } from '../support/process.ts';
import { readFrames, readRecording } from '../support/recordings.ts';
import { sleep } from '../support/until.ts';

const FPS = 30;
const rounds = Number(flag('rounds') ?? 3);
const seconds = Number(flag('seconds') ?? 4);
const wanted = flag('scenes')?.split(',') ?? null;
const isWanted = (name: string): boolean => wanted === null || wanted.includes(name);

const CONTENDERS = {
  ours: 'npm run studio -- record (lossless RGB)',
  before: 'the same of the tree before',
  plain: 'ffmpeg x11grab + x264 ultrafast 4:2:0',
  lossless: 'ffmpeg x11grab + x264 ultrafast lossless',
  grab: 'ffmpeg x11grab alone (-f null)',
  nothing: 'nothing',
} as const;
type Contender = keyof typeof CONTENDERS;
const OF_STILL: readonly Contender[] = ['ours', 'before', 'plain', 'grab', 'nothing'];
const OF_MOVING: readonly Contender[] = ['ours', 'before', 'plain', 'lossless', 'nothing'];
const OF_LARGE: readonly Contender[] = ['ours', 'before', 'plain', 'nothing'];
const HERE = path.join(import.meta.dirname, '..', '..');
const before = flag('before');
const only = flag('only')?.split(',') ?? null;
const takesPart = (contender: Contender): boolean =>
  contender === 'nothing' || ((only?.includes(contender) ?? true) && (contender !== 'before' || before !== null));
/** Before the measurement: every contender has started up, and ours has chosen its codec. */
const WARM_MS = 2500;

/** Cores; what the frames say (null where there are none: a still screen, nothing written). */
type Sample = { tree: number; server: number; pace: Pace | null };
/**
 * `unique`: pictures a second that differ from the one before; `onTime`: share of intervals between pictures of at most
 * 1.5 / fps; `dropped`: pictures that were due in the whole recording and not taken; null where nobody counts them.
 */
type Pace = { unique: number; onTime: number; megabytes: number; dropped: number | null };

/** `times`: of the pictures that differ, ms; `span`: how long they were looked at, s. */
function paceOf(times: readonly number[], span: number, bytes: number, dropped: number | null): Pace {
  const intervals = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const onTime = intervals.filter((interval) => interval <= 1500 / FPS).length / intervals.length;
  return { unique: times.length / span, onTime, megabytes: bytes / 1e6 / span, dropped };
}

async function measureOurs(display: VirtualDisplay, scene: Scene, tree: string): Promise<Sample> {
  const workspace = newWorkspace();
  try {
    const recorder = await startRecorder(display, {
      workspace: workspace.path,
      args: ['--fps', String(FPS)],
      syncCheck: true,
      tree,
    });
    await sleep(WARM_MS);
    const from = process.hrtime.bigint();
    const [cores = 0, server = 0] = await coresUsed([recorder.started.pid, display.server.pid], seconds * 1000);
    const to = process.hrtime.bigint();
    const { line } = await recorder.stop();
    if (line.folder === undefined)
      throw new Error(`record printed ${JSON.stringify(line)}: ${recorder.started.stderr()}`);
    const { clock } = readRecording(line.folder);
    const at = (ns: bigint): number => Number(ns - BigInt(clock.startNs)) / 1000;
    const inside = readFrames(line.folder).filter(({ t }) => t >= at(from) && t <= at(to));
    // On a still screen there are no frames to be late: unchanged ones are not recorded.
    if (scene === 'still') return { tree: cores, server, pace: null };
    const span = Number(to - from) / 1e9;
    const times = inside.filter(({ changed }) => changed !== 0).map(({ t }) => t / 1000);
    const packets = await packetsOf(line.folder, readRecording(line.folder).segments);
    const first = inside[0]?.i ?? 0;
    const bytes = packets.slice(first, first + inside.length).reduce((sum, { size }) => sum + size, 0);
    return { tree: cores, server, pace: paceOf(times, span, bytes, readRecording(line.folder).counts.dropped) };
  } finally {
    workspace.remove();
  }
}

type Packet = { ms: number; size: number };

async function packetsIn(file: string): Promise<Packet[]> {
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts_time,size', '-of', 'csv=p=0'];
  const lines = (await must('ffprobe', [...args, file], { timeoutMs: 600_000 })).split('\n');
  return lines.filter(Boolean).map((line) => {
    const [time, size] = line.split(',').map(Number);
    return { ms: (time ?? 0) * 1000, size: size ?? 0 };
  });
}

async function packetsOf(folder: string, segments: readonly { file: string }[]): Promise<Packet[]> {
  const all: Packet[] = [];
  for (const { file } of segments) for (const packet of await packetsIn(path.join(folder, file))) all.push(packet);
  return all;
}

/** Most bytes of an equal picture: x264 then skips every block. */
const SAME_BYTES = 1000;

async function measureFfmpeg(display: VirtualDisplay, contender: Contender, scene: Scene): Promise<Sample> {
  const file = path.join(display.home, 'plain.mkv');
  const size = `${display.width}x${display.height}`;
  const rate = ['-framerate', String(FPS), '-video_size', size];
  const input = ['-f', 'x11grab', '-draw_mouse', '0', ...rate, '-i', display.name];
  // Times in ms as they were taken; by default ffmpeg rounds them to 1/fps, and every frame would seem to be on time.
  const asTaken = ['-fps_mode', 'passthrough', '-enc_time_base', '1:1000'];
  const codec =
    contender === 'lossless'
      ? ['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-qp', '0']
      : ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const output = contender === 'grab' ? ['-f', 'null', '-'] : [...asTaken, ...codec, '-y', file];
  const ffmpeg = await display.launch('ffmpeg', ['-v', 'error', '-nostdin', ...input, ...output]);
  await sleep(WARM_MS);
  const [tree = 0, server = 0] = await coresUsed([ffmpeg.pid, display.server.pid], seconds * 1000);
  await ffmpeg.stop();
  if (contender === 'grab' || scene === 'still') return { tree, server, pace: null };
  const packets = await packetsIn(file);
  // The first second, in which every program starts up, counts for none of them.
  const inside = packets.slice(FPS);
  const span = ((inside.at(-1)?.ms ?? 0) - (inside[0]?.ms ?? 0)) / 1000;
  const times = inside.filter((packet) => packet.size > SAME_BYTES).map(({ ms }) => ms);
  const bytes = inside.reduce((sum, packet) => sum + packet.size, 0);
  return { tree, server, pace: paceOf(times, span, bytes, null) };
}

async function measure(display: VirtualDisplay, scene: Scene, contender: Contender): Promise<Sample> {
  const playing = await startScene(display, scene);
  try {
    if (contender === 'ours') return await measureOurs(display, scene, HERE);
    if (contender === 'before') return await measureOurs(display, scene, path.resolve(before ?? ''));
    if (contender !== 'nothing') return await measureFfmpeg(display, contender, scene);
    await sleep(500);
    const [server = 0] = await coresUsed([display.server.pid], seconds * 1000);
    return { tree: 0, server, pace: null };
  } finally {
    await playing.stop();
  }
}

type Row = { contender: Contender; tree: number; server: number; cores: number; pace: Pace | null };
type Samples = Map<Contender, Sample[]>;

function rowsOf(samples: Samples): Row[] {
  const idle = median((samples.get('nothing') ?? []).map((sample) => sample.server));
  return [...samples]
    .filter(([contender]) => contender !== 'nothing')
    .map(([contender, all]) => {
      const tree = median(all.map((sample) => sample.tree));
      const server = Math.max(0, median(all.map((sample) => sample.server)) - idle);
      const paces = all.map((sample) => sample.pace).filter((pace) => pace !== null);
      const average = (of: (pace: Pace) => number) => mean(paces.map(of));
      const dropped = paces.map((pace) => pace.dropped).filter((count) => count !== null);
      const pace = paces.length > 0 && {
        unique: average(({ unique }) => unique),
        onTime: average(({ onTime }) => onTime),
        megabytes: average(({ megabytes }) => megabytes),
        dropped: dropped.length > 0 ? mean(dropped) : null,
      };
      return { contender, tree, server, cores: tree + server, pace: pace || null };
    });
}

/** Cores, ours to another contender's: of all, and for each picture that differs. */
function ratioOf(rows: readonly Row[], contender: Contender): { all: number; perPicture: number } | null {
  const [ours, other] = ['ours', contender].map((name) => rows.find((row) => row.contender === name));
  if (!ours || !other) return null;
  const all = ours.cores / other.cores;
  return { all, perPicture: (all * (other.pace?.unique ?? Number.NaN)) / (ours.pace?.unique ?? Number.NaN) };
}

const RATIO_TO = { before: 'the tree before', plain: 'plain ffmpeg', lossless: 'lossless ffmpeg' } as const;

function tableOf(title: string, rows: readonly Row[], target: string): string[] {
  const head = ['processes', 'X server', 'cores', 'unique/s', 'on time', 'MB/s', 'dropped'].map((name) =>
    name.padStart(10),
  );
  const lines = rows.map(({ contender, tree, server, cores, pace }) => {
    const onTime = pace && `${(pace.onTime * 100).toFixed(1)} %`;
    const seen = [pace?.unique.toFixed(1), onTime, pace?.megabytes.toFixed(1), pace?.dropped?.toFixed(1)];
    const cells = [tree.toFixed(3), server.toFixed(3), cores.toFixed(3), ...seen.map((cell) => cell ?? '-')];
    return `  ${CONTENDERS[contender].padEnd(42)}${cells.map((cell) => cell.padStart(10)).join('')}`;
  });
  const ratios = (['before', 'plain', 'lossless'] as const).flatMap((contender) => {
    const ratio = ratioOf(rows, contender);
    if (!ratio) return [];
    const each = Number.isNaN(ratio.perPicture)
      ? ''
      : `; for each picture that differs: ${ratio.perPicture.toFixed(2)}`;
    return [`  ours / ${RATIO_TO[contender]}: ${ratio.all.toFixed(2)}${each}`];
  });
  return [`\n${title} (target: ${target})`, `  ${'contender'.padEnd(42)}${head.join('')}`, ...lines, ...ratios];
}

type Run = { title: string; target: string; scene: Scene; size: [number, number]; contenders: readonly Contender[] };
const FULL_HD: [number, number] = [1920, 1080];
const RUNS: Record<string, Run> = {
  still: { title: SCENES.still, target: 'at most 0.02 cores', scene: 'still', size: FULL_HD, contenders: OF_STILL },
  ...Object.fromEntries(
    (['terminal', 'page', 'video'] as const).map((scene) => [
      scene,
      { title: SCENES[scene], target: 'at most 0.8, none dropped', scene, size: FULL_HD, contenders: OF_MOVING },
    ]),
  ),
  large: {
    title: `${SCENES.terminal}, on 3840x2160`,
    target: 'none dropped',
    scene: 'terminal',
    size: [3840, 2160],
    contenders: OF_LARGE,
  },
};

function textOf(about: Machine, results: readonly { run: Run; rows: Row[] }[]): string {
  return [
    `Recording cost, 1920x1080 at ${FPS} fps, median of ${rounds} runs of ${seconds} s`,
    `${machineLine(about)}; load ${load.begin} at the beginning, ${load.end} at the end`,
    ...results.flatMap(({ run, rows }) => tableOf(run.title, rows, run.target)),
  ].join('\n');
}

const loadNow = (): string => (os.loadavg()[0] ?? 0).toFixed(2);
const load = { begin: loadNow(), end: '' };
const all = Object.entries(RUNS)
  .filter(([name]) => isWanted(name))
  .map(([name, run]) => ({ name, run, samples: new Map<Contender, Sample[]>() }));
for (let round = 1; round <= rounds; round++) {
  for (const { name, run, samples } of all) {
    const display = await startDisplay({ width: run.size[0], height: run.size[1] });
    try {
      for (const contender of run.contenders.filter(takesPart)) {
        const sample = await measure(display, run.scene, contender);
        const cores = `${sample.tree.toFixed(3)} + server ${sample.server.toFixed(3)} cores`;
        progress(`round ${round}, ${name}, ${contender}: ${cores}, ${sample.pace?.unique.toFixed(1) ?? '-'} unique/s`);
        samples.set(contender, [...(samples.get(contender) ?? []), sample]);
      }
    } finally {
      await display.stop();
    }
  }
}
const results = all.map(({ name, run, samples }) => ({ name, run, rows: rowsOf(samples) }));
const about = await machine();
load.end = loadNow();
const scenes = Object.fromEntries(
  results.map(({ name, rows }) => [
    name,
    {
      rows,
      before: ratioOf(rows, 'before'),
      plain: ratioOf(rows, 'plain'),
      lossless: ratioOf(rows, 'lossless'),
      overFloor: ratioOf(rows, 'grab'),
    },
  ]),
);
report({ bench: 'capture', machine: about, load, fps: FPS, rounds, seconds, scenes }, textOf(about, results));
