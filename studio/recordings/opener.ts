import { log } from '../../native/log/log.ts';
import { type Caller, openCaller } from '../../native/process/calls.ts';
import type { RunEnding } from '../../native/process/ending.ts';
import { startThread } from '../../native/process/start-thread.ts';
import { StudioError } from '../../schemas/errors.ts';
import { breathe } from '../store/breathe.ts';
import { readRecording } from '../store/recording-folder.ts';
import { ClosedRecording, openFolder } from './closed.ts';
import { derivedKey, isKept, isLong, LONG_BYTES, parseKept } from './derived.ts';
import type { OpenCalls } from './open-worker.ts';

const ENTRY = new URL('./open-worker.ts', import.meta.url);
/** One that fills the memory of a thread would fill that of the whole program, where everybody else works. */
const lost = ({ error }: RunEnding): Error =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new StudioError('OUT_OF_MEMORY', 'There was not enough memory to open this recording.', {})
    : new Error('The thread that opens recordings has ended.');

/** How long a thread without work is kept, ms: an import of many recordings uses one. */
const IDLE_MS = 10_000;

export type FolderOpener = {
  /** Reads the recording from derived/, or derives it now: a long one in a thread. Throws what openFolder throws. */
  open(folder: string, key: string): Promise<ClosedRecording>;
  /**
   * Derives long recordings that were not opened yet, one after another, so that who opens one does not wait for it. Never
   * throws: a recording that cannot be read says so where it is opened.
   */
  prepare(folders: readonly string[]): Promise<void>;
  close(): Promise<void>;
};

export function folderOpener(longBytes = LONG_BYTES): FolderOpener {
  const running = new Map<string, Promise<ClosedRecording>>();
  let thread: Caller<OpenCalls> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let preparing: Promise<void> = Promise.resolve();
  let closed = false;

  async function inThread(folder: string, key: string): Promise<ClosedRecording> {
    clearTimeout(idle);
    thread ??= openCaller((wishes) => startThread(ENTRY, wishes), lost);
    const mine = thread;
    try {
      const derived = parseKept(await mine.call('open', { folder, key }))!; // Text of JSON.stringify, so it can be parsed.
      // Reading the answer of a long one was a piece of work; reading recording.json is another.
      await breathe();
      return new ClosedRecording(folder, readRecording(folder), derived);
    } catch (error) {
      if (closed) throw new StudioError('CANCELLED', 'The workspace was closed.');
      const isOver = !(error instanceof StudioError) || error.code === 'OUT_OF_MEMORY';
      if (isOver && thread === mine) thread = null;
      if (error instanceof StudioError) throw error;
      // The thread itself could not be: what it was asked for is done here.
      return openFolder(folder, key);
    } finally {
      clearTimeout(idle);
      idle = setTimeout(stop, IDLE_MS);
      idle.unref();
    }
  }

  function stop(): void {
    if (thread?.isBusy() !== false) return;
    void thread.kill();
    thread = null;
  }

  function open(folder: string, key: string): Promise<ClosedRecording> {
    const wanted = `${folder} ${key}`;
    // A page asks for a recording, its document and its first picture at once.
    const known = running.get(wanted);
    if (known) return known;
    const opening = derived(folder, key).finally(() => running.delete(wanted));
    running.set(wanted, opening);
    return opening;
  }

  async function derived(folder: string, key: string): Promise<ClosedRecording> {
    return isLong(folder, longBytes) && !isKept(folder, key) ? inThread(folder, key) : openFolder(folder, key);
  }

  async function prepareAll(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      if (closed) return;
      try {
        const key = derivedKey(folder);
        if (isLong(folder, longBytes) && !isKept(folder, key)) await open(folder, key);
      } catch (error) {
        // Told where it is opened.
        log.info('recording not prepared', { error });
      }
    }
  }

  return {
    open,
    prepare(folders) {
      preparing = preparing.then(() => prepareAll(folders));
      return preparing;
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      await thread?.kill();
      thread = null;
      await preparing;
    },
  };
}
