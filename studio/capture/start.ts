import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { log, passedOver } from '../../native/log/log.ts';
import { startProcess } from '../../native/process/start-process.ts';
import { protocol, type Started } from '../../native/process/supervise.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Recording } from '../../schemas/recording.ts';
import { fileMode, recordingMode } from '../files/private.ts';
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

/** So long may a capture process that closes its recording say nothing before it is taken for hung, ms. */
const HUNG_MS = 60_000;
/** How long the capture process and its encoder may take to end after they were killed or lost, ms. */
const SETTLE_MS = 4000;

/**
 * A new recording id: sortable by time, and unlike any other that was made anywhere in the same second, since recordings of
 * many machines come together in one workspace.
 */
export function newRecordingId(now: Date = new Date(), random: () => number = Math.random): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const tail = Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, '0');
  return `${stamp}-${tail}`;
}

/** Throws TARGET_EXISTS when something is there already. */
function makeOwnFolder({ id, folder }: CaptureOrder): void {
  mkdirSync(dirname(folder), { recursive: true });
  try {
    mkdirSync(folder, { mode: recordingMode(dirname(folder)) });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new StudioError('TARGET_EXISTS', `There is a recording ${id} already; it stays as it is. Record again.`, {
      recording: id,
      folder,
    });
  }
}

/**
 * Starts the capture process in a session of its own: neither Ctrl+C nor the death of this process reaches it. `env`: of the
 * display that is recorded, when that is not the present one.
 */
export function startRecording(
  order: CaptureOrder,
  onMessage: (message: FromCapture) => void,
  env: NodeJS.ProcessEnv = process.env,
): RunningRecording {
  // Made here or refused: what is removed after a failure is never somebody else's.
  makeOwnFolder(order);
  const logFile = join(order.folder, CAPTURE_LOG);
  const result = Promise.withResolvers<Recording>();
  let settled = false;
  let isClosing = false;
  let refusal: StudioError | null = null;
  // All is written, or nothing began. A process that cannot end would keep the studio's from ending, and where Windows is,
  // nothing of a folder can be removed while it has files open.
  const endLate = (): void => void setTimeout(() => child.kill(), SETTLE_MS).unref();

  const child = beginCapture(order, logFile, {
    env,
    // What was recorded is recovered then, as after any kill.
    silentMs: () => (isClosing && !settled ? HUNG_MS : null),
    accepts: isFromCapture,
    onMessage(message) {
      if (message.type === 'closing' || message.type === 'alive') isClosing = true;
      if (message.type !== 'alive') onMessage(message);
      if (message.type === 'closed') {
        settled = true;
        unmarkLive(order.folder);
        result.resolve(message.recording);
        endLate();
      }
      if (message.type === 'refused') {
        settled = true;
        refusal = new StudioError(message.error.code, message.error.message, message.error.details);
        endLate();
      }
    },
  });
  void child.ended.then(async ({ why, status, signal, error }) => {
    if (why === 'unstarted') {
      settled = true;
      await removeFolder(order.folder);
      const cause = error instanceof Error ? error.message : String(error);
      result.reject(
        new StudioError('CAPTURE_FAILED', `The capture process could not be started: ${cause}`, {}, { cause: error }),
      );
    }
    if (refusal) {
      await removeFolder(order.folder);
      result.reject(refusal);
    }
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
      if (empty) await removeFolder(order.folder);
      const where = empty ? 'before anything was recorded' : `; what there is of the recording is in ${order.folder}`;
      result.reject(new StudioError('CAPTURE_FAILED', `The capture process ${how} ${where}.${said}`, {}, { cause }));
    }
  });
  child.send({ type: 'begin', order });
  void logOf(order.id, result.promise);
  return { send: (command) => child.send(command), result: result.promise };
}

const isFromCapture = protocol<FromCapture>({
  view: true,
  countdown: true,
  started: true,
  stats: true,
  paused: true,
  mark: true,
  voice: true,
  forgotten: true,
  notice: true,
  closing: true,
  alive: true,
  closed: true,
  refused: true,
});

async function logOf(recording: string, result: Promise<Recording>): Promise<void> {
  const begun = performance.now();
  log.info('recording began', { recording });
  try {
    const { verdict, counts } = await result;
    const why = verdict && `${verdict.kind}.${verdict.endedBy}`;
    log.info('recording closed', {
      recording,
      count: counts?.events,
      ms: performance.now() - begun,
      ...(why && { why }),
    });
  } catch (error) {
    log.warn('recording failed', { recording, ms: performance.now() - begun, error });
  }
}

/** The process waits for its order. Where its folder takes no file (a full disk), it is ended and nothing is left behind. */
function beginCapture(
  { id, folder }: CaptureOrder,
  logFile: string,
  wishes: Pick<
    Parameters<typeof startProcess<ToCapture, FromCapture>>[1],
    'env' | 'silentMs' | 'accepts' | 'onMessage'
  >,
): Started<ToCapture> {
  let child: Started<ToCapture> | null = null;
  try {
    // Until there is a process: a kill in between leaves a folder that is known for what it is.
    markLive(folder, process.pid);
    const log = openSync(logFile, 'w', fileMode(folder));
    try {
      const entry = new URL('./capture-main.ts', import.meta.url);
      // Its encoder finishes the film by itself when it is killed.
      child = startProcess<ToCapture, FromCapture>(entry, { ...wishes, args: [id], output: log, isApart: true });
    } finally {
      closeSync(log);
    }
    if (child.pid !== undefined) markLive(folder, child.pid);
    return child;
  } catch (error) {
    void child?.kill();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Removes a folder into which was recorded. On Windows the process that wrote there, or its encoder, may hold a file for a
 * moment longer; why it did not begin, or what it brought, matters more than a folder that stays.
 */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }).catch(
    passedOver('folder not removed'),
  );
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
