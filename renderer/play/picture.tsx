import { type ReactNode, useState } from 'react';
import { tr } from '../language/tr.ts';
import classes from './page.module.css';

type Box = { x: number; y: number; width: number; height: number; decisive: boolean };

/** A picture of the screen with what differs and the target marked; `src` null: there is none, and why. */
export function PlayedPicture(props: {
  title: string;
  src: string | null;
  /** px of the picture. */
  size: { width: number; height: number };
  boxes: readonly Box[];
  target: { x: number; y: number } | null;
  /** What it shows, for those who do not see it. */
  words: string;
  without: ReactNode;
}): ReactNode {
  const { title, src, size, boxes, target, words, without } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const { width, height } = size;
  return (
    <figure className={classes.figure}>
      <figcaption>{title}</figcaption>
      {src === null || broken === src ? (
        <div className={classes.without}>{src === null ? without : tr('This picture cannot be read.')}</div>
      ) : (
        <svg viewBox={`0 0 ${width} ${height}`} className={classes.screen} role="img" aria-label={words}>
          <image href={src} width={width} height={height} onError={() => setBroken(src)} />
          {boxes.map((box) => (
            <g key={`${box.x} ${box.y} ${box.width}`} className={classes.box} data-decisive={box.decisive}>
              <rect {...outer(box, size)} className={classes.halo} />
              <rect {...outer(box, size)} />
            </g>
          ))}
          {target && (
            <g className={classes.target} transform={`translate(${target.x} ${target.y})`}>
              <circle r={Math.max(10, width / 110)} className={classes.halo} />
              <circle r={Math.max(10, width / 110)} />
            </g>
          )}
        </svg>
      )}
    </figure>
  );
}

/** Around the box, so that what differs is not covered. */
function outer({ x, y, width, height }: Box, size: { width: number; height: number }): Omit<Box, 'decisive'> {
  const [left, top] = [Math.max(1, x - 3), Math.max(1, y - 3)];
  return {
    x: left,
    y: top,
    width: Math.min(size.width - 1, x + width + 3) - left,
    height: Math.min(size.height - 1, y + height + 3) - top,
  };
}
