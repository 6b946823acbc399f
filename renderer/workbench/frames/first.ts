import type { OpenedRecording } from '../../../schemas/api/models.ts';
import type { FramePictures } from './pictures.ts';

/** Nobody waits longer for the first picture than this: one that must be cut anew may take seconds. */
const LONG_MS = 1000;

/**
 * The frame (frames.jsonl `i`) that a recording most likely opens with, guessed from its steps alone, before its document is
 * there: that of the step which was in hand (`kept`, an action's id), else the first step's while no step is done. -1: it
 * cannot be guessed.
 */
export function likelyFrame({ steps, frames, row }: OpenedRecording, kept: string | null): number {
  const step = kept === null ? (row.done === 0 ? steps[0] : undefined) : steps.find(({ id }) => id === kept);
  return frames[step?.before ?? -1]?.[0] ?? -1;
}

/** Asks for a picture. Resolves when it came or failed, or takes long; never rejects. */
export function firstPicture(pictures: FramePictures, index: number): Promise<void> {
  const isThere = (): boolean => {
    const { bitmap, error } = pictures.get(index);
    return bitmap !== null || error !== null;
  };
  if (index < 0) return Promise.resolve();
  pictures.want(index, null);
  if (isThere()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = pictures.subscribe((i) => i === index && isThere() && done());
    const timer = setTimeout(done, LONG_MS);

    function done(): void {
      stop();
      clearTimeout(timer);
      resolve();
    }
  });
}
