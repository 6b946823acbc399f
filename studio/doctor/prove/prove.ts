import { mkdtempSync, statSync } from 'node:fs';
import { arch, homedir, platform as osPlatform, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSessionClock } from '../../../native/clock/session-clock.ts';
import { openPlatform, openStage } from '../../../native/index.ts';
import type { Platform } from '../../../native/platform/platform.ts';
import type { InputStage } from '../../../native/platform/stage.ts';
import { errorBody } from '../../../schemas/errors.ts';
import type { SyncReport } from '../../../schemas/recording.ts';
import type { CaptureOrder, LiveStats } from '../../capture/protocol.ts';
import { newRecordingId, removeFolder, startRecording } from '../../capture/start.ts';
import { openFolder } from '../../recordings/closed.ts';
import type { DoctorCheck } from '../doctor.ts';
import { performInput } from './perform.ts';
import { freePlace } from './place.ts';
import { type Compared, compare, type Expected, foundOf, INPUTS, type ProveStep, proveSteps } from './steps.ts';

/** `doctor --prove`: known inputs into a window of ours, recorded by the recorder itself, and what came back of them. */

export type Proof = {
  schema: 'trajectory-studio/proof';
  version: 1;
  program: string;
  /** UTC. */
  at: string;
  system: { platform: string; release: string; arch: string; node: string; displays: string[] };
  /** The checks of doctor that are not ok, with what to do. */
  complaints: DoctorCheck[];
  /** Null with `failure` saying why nothing could be proved. */
  result: Result | null;
  failure: string | null;
};

type Result = {
  injection: string;
  actions: { exact: number; of: number; wrong: Compared[] };
  /** By layout: how many texts came back as the window was given them, and how many characters these were. */
  texts: { layout: string; exact: number; of: number; characters: number }[];
  sync: Omit<SyncReport, 'detail'> | null;
  frames: { fps: number; taken: number; dropped: number; late: number; looks: number };
  /** Cores in use by the recorder's own process (its encoder is another one), and the video's bytes a second. */
  cost: { cores: number | null; bytesPerSecond: number };
  capture: { grabber: string; mode: string; lossless: boolean; encoder: string };
  seconds: number;
};

type ProveOptions = {
  program: string;
  complaints: DoctorCheck[];
  now?: Date;
  progress(text: string): void;
};

const FPS = 30;
const PAINTS = { start: 20, end: 10 };
/** How long the last input may take to reach the recorder, ms. */
const SETTLE_MS = 600;
const MOST_TOLD = 20;

/** Never throws: what kept it from being proved is in the report. */
export async function prove(options: ProveOptions): Promise<Proof> {
  const { program, now = new Date() } = options;
  // The page is sent to others: a path tells who works here.
  const complaints = options.complaints.map((one) => ({ ...one, what: one.what.replaceAll(homedir(), '~') }));
  const proof: Proof = {
    schema: 'trajectory-studio/proof',
    version: 1,
    program,
    at: now.toISOString(),
    system: { platform: osPlatform(), release: release(), arch: arch(), node: process.version, displays: [] },
    complaints,
    result: null,
    failure: null,
  };
  const failed = complaints.find(({ status }) => status === 'fail');
  if (failed) return { ...proof, failure: `Nothing can be recorded here: ${failed.what.replace(/\.$/, '')}.` };
  try {
    const platform = await openPlatform(startSessionClock());
    try {
      const displays = platform.displays();
      proof.system.displays = displays.map(
        ({ width, height, scale, x, y }) => `${width}x${height}+${x}+${y} at ${scale}`,
      );
      proof.result = await proveOn(platform, options);
    } finally {
      platform.close();
    }
  } catch (error) {
    proof.failure = errorBody(error).message;
  }
  return proof;
}

async function proveOn(platform: Platform, options: ProveOptions): Promise<Result> {
  const place = freePlace(
    platform.displays(),
    platform.windows().map(({ bounds }) => bounds),
  );
  const parent = mkdtempSync(join(tmpdir(), 'trajectory-proof-'));
  let stage: InputStage | null = null;
  try {
    stage = await openStage(platform.name, place);
    return await record(platform, stage, parent, options);
  } finally {
    stage?.close();
    await removeFolder(parent);
  }
}

async function record(
  platform: Platform,
  stage: InputStage,
  parent: string,
  { program, progress }: ProveOptions,
): Promise<Result> {
  const id = newRecordingId();
  const folder = join(parent, id);
  const order: CaptureOrder = {
    id,
    folder,
    app: { id: 'proof', name: 'proof' },
    task: { id: 'PROOF_1', goal: 'known inputs' },
    person: null,
    tool: { name: 'trajectory-studio', version: program },
    target: { kind: 'region', region: stage.rect },
    fps: FPS,
    durationMs: null,
    countdownSeconds: 0,
    shortcuts: {},
    exclude: [],
    only: [],
    paints: PAINTS,
    minFreeBytes: 0,
    forgetMs: 0,
  };
  const stats: LiveStats[] = [];
  const begun = Promise.withResolvers<void>();
  const running = startRecording(order, (message) => {
    if (message.type === 'started') begun.resolve();
    if (message.type === 'stats') stats.push(message.stats);
  });
  running.result.catch(begun.reject);
  progress('starting the recorder; a small square flickers in a corner of the window …');
  await begun.promise;
  const layouts = stage.layouts();
  const steps = proveSteps(stage.rect, layouts.length);
  progress(`performing ${INPUTS} known inputs; please touch nothing …`);
  let wanted: Expected[];
  try {
    wanted = await performInput(
      stage,
      steps,
      () => platform.keyboard.read().layout,
      (done) => {
        if (done % 20 === 0) progress(`${done} of ${INPUTS}`);
      },
    );
    await new Promise((done) => setTimeout(done, SETTLE_MS));
  } finally {
    running.send({ type: 'stop', why: 'signal' });
    await running.result;
  }
  const recording = await running.result;
  progress('comparing what came back …');
  const found = openFolder(folder).actions.map(foundOf);
  const { exact, wrong } = compare(wanted, found);
  const { dropped, late, frames, ticks } = recording.counts;
  const span = recording.span;
  const seconds = span ? (span.end - span.start) / 1e6 : 0;
  const { grabber, mode, lossless, encoder } = recording.capture;
  const bytes = recording.segments.reduce((sum, { file }) => sum + statSync(join(folder, file)).size, 0);
  const { detail: _, ...sync } = recording.sync ?? { detail: [] };
  return {
    injection: stage.injection,
    actions: { exact, of: wanted.length, wrong: wrong.slice(0, MOST_TOLD) },
    texts: textsByLayout(layouts, steps, wanted, new Set(wrong.map(({ wanted: one }) => one))),
    sync: 'verdict' in sync ? sync : null,
    frames: { fps: FPS, taken: frames, dropped, late, looks: ticks ?? 0 },
    cost: { cores: coresOf(stats), bytesPerSecond: seconds > 0 ? Math.round(bytes / seconds) : 0 },
    capture: { grabber, mode, lossless, encoder },
    seconds,
  };
}

function textsByLayout(
  layouts: readonly string[],
  steps: readonly ProveStep[],
  wanted: readonly Expected[],
  wrong: ReadonlySet<Expected | null>,
): Result['texts'] {
  return layouts.flatMap((layout, index) => {
    const own = wanted.filter((_, i) => {
      const step = steps[i];
      return step?.do === 'type' && step.layout === index;
    });
    if (own.length === 0) return [];
    const right = own.filter((one) => !wrong.has(one) && one.text !== '');
    const characters = own.reduce((sum, { text }) => sum + [...(text ?? '')].length, 0);
    return { layout, exact: right.length, of: own.length, characters };
  });
}

/** Between the first and the last second that it told of. */
function coresOf(stats: readonly LiveStats[]): number | null {
  const [first, last] = [stats[0], stats.at(-1)];
  if (!first || !last || last.t <= first.t) return null;
  return (last.cpuUs - first.cpuUs) / (last.t - first.t);
}
