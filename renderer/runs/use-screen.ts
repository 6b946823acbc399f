import { type RefObject, useEffect, useState } from 'react';
import { frameReader, rgbaOf, type StageFrame } from '../../core/play/frame-reader.ts';
import { fileUrl, studioFetch } from '../client/api.ts';

type Shown = {
  /** The screen, px; null: no frame has come yet. */
  size: { width: number; height: number } | null;
  pointer: { x: number; y: number } | null;
};

/** After the body has ended while the run goes on, ms. */
const AGAIN_MS = 700;

/** Draws the stage of a run on the canvas as it changes, while `on`. */
export function useStageScreen(
  canvas: RefObject<HTMLCanvasElement | null>,
  { ws, run, on }: { ws: string; run: string; on: boolean },
): Shown {
  const [shown, setShown] = useState<Shown>({ size: null, pointer: null });
  useEffect(() => {
    if (!on) return;
    const control = new AbortController();
    const { signal } = control;
    const draw = async (frame: StageFrame): Promise<void> => {
      const { rect, width, height, pointer, n } = frame;
      const target = canvas.current;
      if (rect && target) {
        const pixels = frame.plain ? rgbaOf(frame) : null;
        // Named by what it holds: the browser looks.
        const picture = pixels ? null : await createImageBitmap(new Blob([frame.picture]));
        if (target.width !== width || target.height !== height) Object.assign(target, { width, height });
        const context = target.getContext('2d', { alpha: false });
        if (pixels) context?.putImageData(new ImageData(pixels, rect.width, rect.height), rect.x, rect.y);
        else if (picture) context?.drawImage(picture, rect.x, rect.y);
        picture?.close();
        target.dataset.frame = String(n);
      }
      setShown((before) =>
        before.size?.width === width &&
        before.size.height === height &&
        before.pointer?.x === pointer?.x &&
        before.pointer?.y === pointer?.y
          ? before
          : { size: { width, height }, pointer },
      );
    };
    void (async () => {
      while (!signal.aborted) {
        try {
          const { body, ok } = await studioFetch(fileUrl.liveScreen(ws, run), { signal });
          const read = frameReader();
          const reader = ok ? body?.getReader() : undefined;
          for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
            for (const frame of read(piece.value)) await draw(frame);
        } catch {
          // The stage is gone, or the line: it is asked for again while the run goes on.
        }
        if (!signal.aborted) await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    })();
    return () => control.abort();
  }, [canvas, ws, run, on]);
  return shown;
}
