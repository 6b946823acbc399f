import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Point, Size } from '../geometry.ts';
import classes from './stage.module.css';

const SIZE = 184;
/** Shown px a picture px. */
const TIMES = 8;

/** The picture around a pixel, eight times as large, every pixel a square. `css`: where it points, CSS px of the stage. */
export function Loupe(props: { bitmap: ImageBitmap; pixel: Point; css: Point; stage: Size }): ReactNode {
  const { bitmap, pixel, css, stage } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    // A bitmap that left memory in the meantime has no width.
    if (!context || bitmap.width === 0) return;
    const across = SIZE / TIMES;
    context.imageSmoothingEnabled = false;
    context.fillStyle = '#808080';
    context.fillRect(0, 0, SIZE, SIZE);
    context.drawImage(bitmap, pixel.x + 0.5 - across / 2, pixel.y + 0.5 - across / 2, across, across, 0, 0, SIZE, SIZE);
    context.strokeStyle = '#e5262b';
    context.lineWidth = 1;
    const corner = (SIZE - TIMES) / 2;
    context.strokeRect(corner - 0.5, corner - 0.5, TIMES + 1, TIMES + 1);
  }, [bitmap, pixel.x, pixel.y]);
  const left = css.x + 24 + SIZE > stage.width ? css.x - 24 - SIZE : css.x + 24;
  const top = css.y + 24 + SIZE + 22 > stage.height ? css.y - 24 - SIZE - 22 : css.y + 24;
  return (
    <div className={classes.loupe} style={{ transform: `translate(${left}px, ${top}px)` }} aria-hidden="true">
      <canvas ref={canvas} width={SIZE} height={SIZE} />
      <span className={classes.loupeText}>
        {pixel.x}, {pixel.y}
      </span>
    </div>
  );
}
