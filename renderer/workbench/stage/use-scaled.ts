import { useEffect, useMemo } from 'react';
import { whenIdle } from '../../ui/idle.ts';
import { useTools } from '../context.ts';
import { fitViewport, type Size, type Viewport } from '../geometry.ts';
import { useWorkStore } from '../store.ts';
import { makeScaled, type Scaled } from './scaled.ts';

/** At the latest this long after there was something to make ready. */
const WITHIN_MS = 300;

/** The size of a picture on the canvas, px of the display. */
export function sizeOnCanvas(picture: Size, viewport: Viewport, ratio: number): Size {
  const scale = viewport.scale * ratio;
  return { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) };
}

/** Pictures that are likely next, scaled for the stage as it is now, once this one (`index`) is drawn. */
export function useScaled(index: number, stage: Size, kept: Viewport | null, ratio: number): Scaled {
  const { pictures, frames } = useTools();
  const store = useWorkStore();
  const scaled = useMemo(() => makeScaled(), []);

  useEffect(() => {
    let planned: (() => void) | null = null;
    const next = (): number[] => {
      const { at, doc } = store.getState();
      const step = doc.steps[at];
      const places = [doc.steps[at + 1]?.before, doc.steps[at - 1]?.before, step?.after, step?.before];
      return places.map((place) => frames[place ?? -1]?.[0] ?? -1);
    };
    // One at a time: each takes longer than a frame of the display, and a key may come between.
    const prepare = (): void => {
      planned = null;
      if (stage.width === 0) return;
      for (const i of next()) {
        const bitmap = i >= 0 && i !== index ? pictures.get(i).bitmap : null;
        if (!bitmap) continue;
        const size = sizeOnCanvas(bitmap, kept ?? fitViewport(bitmap, stage), ratio);
        if (!scaled.wants(bitmap, size)) continue;
        void scaled.prepare(bitmap, size);
        plan();
        return;
      }
    };
    const plan = (): void => {
      planned ??= whenIdle(prepare, WITHIN_MS);
    };
    plan();
    const stop = pictures.subscribe((i) => next().includes(i) && plan());
    return () => {
      stop();
      planned?.();
    };
  }, [pictures, frames, store, scaled, index, stage, kept, ratio]);

  useEffect(() => () => scaled.close(), [scaled]);
  return scaled;
}
