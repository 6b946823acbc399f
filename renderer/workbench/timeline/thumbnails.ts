import { keptPictures } from '../frames/kept.ts';
import { oneByOne } from '../frames/one-by-one.ts';

/**
 * Small pictures for the filmstrip. They give way to the picture one works with: one at a time, only after a pause, and
 * those that scrolled out of sight before their turn are never asked for.
 */
export type Thumbnails = {
  /** The small picture of frame `i` if it is here; else it is asked for. */
  get(i: number): ImageBitmap | null;
  /** A new drawing begins: what was wanted by the last one and is not wanted now is given up. */
  begin(): void;
  close(): void;
};

const HEIGHT = 108;
const LIMIT_BYTES = 48 * 1024 * 1024;
const PAUSE_MS = 120;
/** A studio that was busy is asked again; one that cannot read a frame is not for ever. */
const TRIES = 3;
const TRY_AGAIN_MS = 600;

export function makeThumbnails(
  load: (i: number, signal: AbortSignal) => Promise<Blob>,
  onCome: () => void,
): Thumbnails {
  const kept = keptPictures(LIMIT_BYTES);
  const tries = new Map<number, number>();
  const failed = (i: number): boolean => (tries.get(i) ?? 0) >= TRIES;
  let wanted = new Set<number>();
  const reading = oneByOne(PAUSE_MS, first, async (i, signal) => {
    try {
      const blob = await load(i, signal);
      kept.set(i, await createImageBitmap(blob, { resizeHeight: HEIGHT, resizeQuality: 'medium' }));
    } catch {
      tries.set(i, (tries.get(i) ?? 0) + 1);
      if (!signal.aborted && !failed(i)) await new Promise((done) => setTimeout(done, TRY_AGAIN_MS));
    }
    if (!signal.aborted) onCome();
  });

  function first(): number | undefined {
    for (const i of wanted) if (!kept.has(i) && !failed(i)) return i;
    return undefined;
  }

  return {
    get(i) {
      const bitmap = kept.get(i);
      if (bitmap) return bitmap;
      if (!failed(i)) {
        wanted.add(i);
        reading.plan();
      }
      return null;
    },
    begin() {
      wanted = new Set();
    },
    close() {
      reading.stop();
      kept.clear();
    },
  };
}
