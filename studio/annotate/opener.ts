import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StudioError } from '../../schemas/errors.ts';
import { EVENTS_FILE } from '../store/recording-folder.ts';
import type { OpenReport, OpenRequest } from './open-worker.ts';
import { isKept, keptFolder, type Opened, openedKey, openFolder } from './opened.ts';

/** From so many bytes of events on (some thousand steps) deriving takes longer than starting a thread for it. */
const LONG_BYTES = 1_500_000;
/** How long a thread without work is kept, ms: an import of many recordings uses one. */
const IDLE_MS = 10_000;

export type FolderOpener = {
  /** What stands in derived/, else derived now: a long recording in a thread. Throws what openFolder throws. */
  open(folder: string, key: string): Promise<Opened>;
  /**
   * Derives long recordings that were not opened yet, one after another, so that who opens one does not wait for it. Never
   * throws: a recording that cannot be read says so where it is opened.
   */
  prepare(folders: readonly string[]): Promise<void>;
  close(): Promise<void>;
};

export function folderOpener(longBytes = LONG_BYTES): FolderOpener {
  const running = new Map<string, Promise<Opened>>();
  let thread: Thread | null = null;
  let idle: NodeJS.Timeout | undefined;
  let preparing: Promise<void> = Promise.resolve();
  let closed = false;

  const isLong = (folder: string): boolean =>
    (statSync(join(folder, EVENTS_FILE), { throwIfNoEntry: false })?.size ?? 0) >= longBytes;

  async function inThread(folder: string, key: string): Promise<Opened> {
    clearTimeout(idle);
    thread ??= startThread();
    const mine = thread;
    try {
      return await mine.open(folder, key);
    } catch (error) {
      if (closed) throw new StudioError('CANCELLED', 'The workspace was closed.');
      if (error instanceof StudioError) throw error;
      // The thread itself is gone (no memory for it): what it was asked for is done here.
      if (thread === mine) thread = null;
      return openFolder(folder, key);
    } finally {
      clearTimeout(idle);
      idle = setTimeout(stop, IDLE_MS);
      idle.unref();
    }
  }

  function stop(): void {
    if (thread?.isBusy() !== false) return;
    void thread.end();
    thread = null;
  }

  function open(folder: string, key: string): Promise<Opened> {
    const wanted = `${folder} ${key}`;
    // A page asks for a recording, its document and its first picture at once.
    const known = running.get(wanted);
    if (known) return known;
    const opening = derived(folder, key).finally(() => running.delete(wanted));
    running.set(wanted, opening);
    return opening;
  }

  async function derived(folder: string, key: string): Promise<Opened> {
    const kept = keptFolder(folder, key);
    if (kept) return kept;
    return isLong(folder) ? inThread(folder, key) : openFolder(folder, key);
  }

  async function prepareAll(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      if (closed) return;
      try {
        const key = openedKey(folder);
        if (isLong(folder) && !isKept(folder, key)) await open(folder, key);
      } catch {
        // Told where it is opened.
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
      await thread?.end();
      thread = null;
      await preparing;
    },
  };
}

type Thread = { open(folder: string, key: string): Promise<Opened>; isBusy(): boolean; end(): Promise<void> };

function startThread(): Thread {
  const worker = new Worker(new URL('./open-worker.ts', import.meta.url));
  const asked = new Map<number, { done(opened: Opened): void; failed(error: unknown): void }>();
  let n = 0;
  const settled = (id: number) => {
    const one = asked.get(id);
    asked.delete(id);
    // A thread without work keeps no process alive, one with work does.
    if (asked.size === 0) worker.unref();
    return one;
  };
  worker.unref();
  worker.on('message', (report: OpenReport) => {
    const one = settled(report.n);
    if ('error' in report) one?.failed(new StudioError(report.error.code, report.error.message, report.error.details));
    else one?.done(JSON.parse(report.text) as Opened); // Made by openFolder in open-worker.ts.
  });
  const gone = (error: Error): void => {
    for (const id of [...asked.keys()]) settled(id)?.failed(error);
  };
  worker.on('error', gone);
  worker.on('exit', () => gone(new Error('The thread that opens recordings has ended.')));
  return {
    open: (folder, key) =>
      new Promise((done, failed) => {
        const request: OpenRequest = { n: ++n, folder, key };
        asked.set(request.n, { done, failed });
        worker.ref();
        worker.postMessage(request);
      }),
    isBusy: () => asked.size > 0,
    async end() {
      await worker.terminate();
    },
  };
}
