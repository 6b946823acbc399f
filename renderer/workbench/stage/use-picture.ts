import { useEffect, useLayoutEffect, useReducer } from 'react';
import { useTools } from '../context.ts';
import type { FramePicture } from '../frames/pictures.ts';
import { shownFrame, useWork, useWorkStore } from '../store.ts';

const AHEAD = 3;
/** A picture is drawn within this after a key. */
const AFTER_MS = 40;

/** The picture to show now, with those that are likely next asked for ahead. `place` is into the list of frames. */
export function usePicture(): FramePicture & { place: number; index: number } {
  const { pictures, frames } = useTools();
  const store = useWorkStore();
  const place = useWork(shownFrame);
  const index = frames[place]?.[0] ?? -1;
  const [, draw] = useReducer((n: number) => n + 1, 0);

  useEffect(() => pictures.subscribe((i) => i === index && draw()), [pictures, index]);
  useLayoutEffect(() => {
    // The one that is looked at goes first; what is likely next is asked for once this step is drawn.
    pictures.want(index, null);
    const timer = setTimeout(() => pictures.want(index, ahead()), AFTER_MS);
    return () => clearTimeout(timer);

    function ahead(): number[] {
      const { at, doc } = store.getState();
      const next: number[] = [];
      for (let n = 1; n <= AHEAD; n++) {
        for (const step of n === 1 ? [at + n, at - n] : [at + n]) next.push(doc.steps[step]?.before ?? -1);
        if (n === 1) next.push(doc.steps[at]?.after ?? -1);
      }
      next.push(place + 1, place - 1);
      return next.map((one) => frames[one]?.[0] ?? -1);
    }
  }, [pictures, frames, store, place, index]);

  const picture = index >= 0 ? pictures.get(index) : { bitmap: null, error: null };
  return { ...picture, place, index };
}
