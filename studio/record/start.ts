import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import type { Recording } from '../../schemas/recording.ts';
import { RECORDING_FILE, readRecording } from '../store/recording-folder.ts';
import { CAPTURE_LOG } from './close.ts';
import type { CaptureOrder, FromCapture, ToCapture } from './protocol.ts';
import { markLive, recoverRecording, unmarkLive } from './recover.ts';

/** A running recording, seen from the studio process. */
export type RunningRecording = {
  send(command: ToCapture): void;
  /**
   * The closed recording. When the capture process was killed, the folder is recovered and that is what comes.
   * Throws when it could not begin; nothing is left behind then.
   */
  result: Promise<Recording>;
};

/** How long the capture process and its encoder may take to end after they were killed or lost, ms. */
const SETTLE_MS = 4000;

/** A new recording id: sortable by time, unique among those of one second. */
export function newRecordingId(now: Date = new Date(), random: () => number = Math.random): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const tail = Math.floor(random() * 36 ** 4)
    .toString(36)
    .padStart(4, '0');
  return `${stamp}-${tail}`;
}

/** Starts the capture process in a session of its own: neither Ctrl+C nor the death of this process reaches it. */
export function startRecording(order: CaptureOrder, onMessage: (message: FromCapture) => void): RunningRecording {
  mkdirSync(order.folder, { recursive: true });
  const logFile = join(order.folder, CAPTURE_LOG);
  const log = openSync(logFile, 'w');
  const child: ChildProcess = fork(new URL('./capture-main.ts', import.meta.url), [order.id], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    execArgv: [],
  });
  closeSync(log);
  if (child.pid !== undefined) markLive(order.folder, child.pid);
  const result = Promise.withResolvers<Recording>();
  let settled = false;

  child.on('message', (message: FromCapture) => {
    onMessage(message);
    if (message.type === 'closed') {
      settled = true;
      unmarkLive(order.folder);
      result.resolve(message.recording);
    }
    if (message.type === 'refused') {
      settled = true;
      rmSync(order.folder, { recursive: true, force: true });
      result.reject(new StudioError(message.error.code, message.error.message, message.error.details));
    }
  });
  child.once('error', (cause) => {
    settled = true;
    rmSync(order.folder, { recursive: true, force: true });
    result.reject(
      new StudioError('CAPTURE_FAILED', `The capture process could not be started: ${cause.message}`, {}, { cause }),
    );
  });
  child.once('exit', async (status, signal) => {
    // Its last words may still lie in the channel when the process is gone: they are read before it is taken for dead.
    if (child.connected) await Promise.race([once(child, 'disconnect'), sleep(SETTLE_MS)]);
    if (settled) return;
    // The encoder sees the end of its input and finishes the file by itself.
    await sleep(SETTLE_MS / 4);
    const how = signal ? `was ended by ${signal}` : `ended with status ${status}`;
    try {
      await recoverRecording(order.folder, signal ? 'killed' : `capture-exit-${status}`);
      // Also what it had closed itself before it could say so.
      result.resolve(readRecording(order.folder));
    } catch (cause) {
      const said = tail(logFile);
      // Only a folder in which nothing was begun is removed: whatever was recorded is kept.
      const empty = !existsSync(join(order.folder, RECORDING_FILE));
      if (empty) rmSync(order.folder, { recursive: true, force: true });
      const where = empty ? 'before anything was recorded' : `; what there is of the recording is in ${order.folder}`;
      result.reject(new StudioError('CAPTURE_FAILED', `The capture process ${how} ${where}.${said}`, {}, { cause }));
    }
  });
  child.send({ type: 'begin', order } satisfies ToCapture);
  return {
    send: (command) => {
      if (child.connected) child.send(command);
    },
    result: result.promise,
  };
}

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** The last lines that the capture process wrote to its error output. */
function tail(file: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim().split('\n').slice(-9).join('\n');
    return text ? `\n${text}` : '';
  } catch {
    return '';
  }
}
