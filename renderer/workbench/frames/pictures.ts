import { tr } from '../../language/tr.ts';
import { keptPictures } from './kept.ts';

/** A recorded frame as decoded pixels, or why there is none. */
export type FramePicture = { bitmap: ImageBitmap | null; error: string | null };

/**
 * Recorded frames by their index (frames.jsonl `i`), decoded ahead and kept while there is room, so that the next step's
 * picture is only drawn. Nothing is scaled and no colour is converted: a pixel of the picture is a pixel of the screen.
 */
export type FramePictures = {
  /** The picture or the error as known now; both null while it is on its way. */
  get(i: number): FramePicture;
  /** Wants this one now, and these next, in this order (null: those of before); what else was wanted is given up. */
  want(now: number, next: readonly number[] | null): void;
  /** Forgets a failure and asks again. */
  again(i: number): void;
  /** Told when `i` came or failed. */
  subscribe(listener: (i: number) => void): () => void;
  close(): void;
};

type Load = (i: number, signal: AbortSignal) => Promise<Blob>;

/** About thirty pictures of 1920 × 1080. */
const LIMIT_BYTES = 256 * 1024 * 1024;
/** Besides the one that is waited for. A browser has six connections to a server, and streams hold some. */
const AHEAD_AT_ONCE = 2;

export function makePictures(load: Load): FramePictures {
  const kept = keptPictures(LIMIT_BYTES);
  const failed = new Map<number, string>();
  const running = new Map<number, AbortController>();
  const listeners = new Set<(i: number) => void>();
  let current = -1;
  let wanted: readonly number[] = [];
  let closed = false;

  function start(i: number): void {
    const controller = new AbortController();
    running.set(i, controller);
    void fetchOne(i, controller.signal).finally(() => {
      if (running.get(i) === controller) running.delete(i);
      if (!closed) goOn();
    });
  }

  async function fetchOne(i: number, signal: AbortSignal): Promise<void> {
    try {
      const blob = await load(i, signal);
      const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
      if (closed) return bitmap.close();
      failed.delete(i);
      kept.set(i, bitmap);
      // The picture that is looked at is never the one to leave.
      if (i !== current && current !== -1) kept.get(current);
    } catch (error) {
      if (signal.aborted || closed) return;
      failed.set(i, reason(error));
    }
    for (const listener of listeners) listener(i);
  }

  function goOn(): void {
    const ahead = [...running.keys()].filter((i) => i !== current).length;
    let free = AHEAD_AT_ONCE - ahead;
    for (const i of wanted) {
      if (free <= 0) return;
      if (kept.has(i) || failed.has(i) || running.has(i)) continue;
      start(i);
      free--;
    }
  }

  return {
    get: (i) => ({ bitmap: kept.get(i) ?? null, error: failed.get(i) ?? null }),
    want(now, next) {
      current = now;
      wanted = (next ?? wanted).filter((i) => i >= 0 && i !== now);
      for (const [i, controller] of running) {
        if (i !== now && !wanted.includes(i)) controller.abort();
      }
      if (now >= 0 && !kept.has(now) && !failed.has(now) && !running.has(now)) start(now);
      // The next pictures wait until the one that is looked at is there.
      if (now < 0 || kept.has(now) || failed.has(now)) goOn();
    },
    again(i) {
      failed.delete(i);
      for (const listener of listeners) listener(i);
      if (!running.has(i)) start(i);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      for (const controller of running.values()) controller.abort();
      kept.clear();
    },
  };
}

function reason(error: unknown): string {
  if (error instanceof DOMException && error.name !== 'AbortError') return tr('The picture cannot be decoded.');
  return error instanceof Error ? error.message : String(error);
}
