import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recording } from '../../../../schemas/recording.ts';
import type { CaptureOrder, CaptureTarget, LiveStats, ToCapture } from '../../../capture/protocol.ts';
import { newRecordingId, removeFolder, startRecording } from '../../../capture/start.ts';
import type { Proof } from './proof.ts';

/** The recording of `doctor --prove`: in a folder of its own that nothing is left of. */

export const FPS = 30;
/** How long the last input may take to reach the recorder, ms. */
const SETTLE_MS = 600;

type Wanted = { program: string; target: CaptureTarget; paints: CaptureOrder['paints'] };
export type ProofRecording<T> = { done: T; recording: Recording; folder: string; stats: LiveStats[] };
/** The part of the proof that the recorder itself gives; inputs and texts are compared by the code that made them. */
type Measured = Pick<NonNullable<Proof['result']>, 'sync' | 'frames' | 'cost' | 'capture' | 'seconds'>;

/**
 * Records while `work` is done, which can see by `pictured` that another picture was taken, and hands the closed recording to `look`; its folder is removed then. Throws what either
 * throws, and what keeps the recorder from beginning.
 */
export async function recordProof<T, R>(
  { program, target, paints }: Wanted,
  work: (running: { send(command: ToCapture): void; pictured(): number }) => Promise<T>,
  look: (made: ProofRecording<T>) => Promise<R> | R,
): Promise<R> {
  const parent = mkdtempSync(join(tmpdir(), 'trajectory-proof-'));
  try {
    const id = newRecordingId();
    const folder = join(parent, id);
    const order: CaptureOrder = {
      id,
      folder,
      app: { id: 'proof', name: 'proof' },
      task: { id: 'PROOF_1', goal: 'known inputs' },
      person: null,
      tool: { name: 'trajectory-studio', version: program },
      target,
      fps: FPS,
      durationMs: null,
      countdownSeconds: 0,
      shortcuts: {},
      exclude: [],
      only: [],
      paints,
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
    await begun.promise;
    let done: T;
    try {
      done = await work({ send: running.send, pictured: () => bytesOf(join(folder, 'frames.jsonl')) });
      await new Promise((next) => setTimeout(next, SETTLE_MS));
    } finally {
      running.send({ type: 'stop', why: 'signal' });
      await running.result;
    }
    return await look({ done, recording: await running.result, folder, stats });
  } finally {
    await removeFolder(parent);
  }
}

export function factsOf({ recording, folder, stats }: Omit<ProofRecording<unknown>, 'done'>): Measured {
  const { dropped, late, frames, ticks } = recording.counts;
  const { span } = recording;
  const seconds = span ? (span.end - span.start) / 1e6 : 0;
  const { grabber, mode, lossless, encoder } = recording.capture;
  const bytes = recording.segments.reduce((sum, { file }) => sum + statSync(join(folder, file)).size, 0);
  const { detail: _, ...sync } = recording.sync ?? { detail: [] };
  return {
    sync: 'verdict' in sync ? sync : null,
    frames: { fps: FPS, taken: frames, dropped, late, looks: ticks ?? 0 },
    cost: { cores: coresOf(stats), bytesPerSecond: seconds > 0 ? Math.round(bytes / seconds) : 0 },
    capture: { grabber, mode, lossless, encoder },
    seconds,
  };
}

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Between the first and the last second that it told of. */
function coresOf(stats: readonly LiveStats[]): number | null {
  const [first, last] = [stats[0], stats.at(-1)];
  if (!first || !last || last.t <= first.t) return null;
  return (last.cpuUs - first.cpuUs) / (last.t - first.t);
}
