import { type ReactNode, useMemo } from 'react';
import { pixelToCss, type Viewport } from '../workbench/geometry.ts';
import { useWork } from '../workbench/store.ts';
import classes from './comments.module.css';
import { numberedThreads } from './talk.ts';

/** Comments on places of the shown picture, with the numbers that they have in the lists. */
export function Pins({ viewport }: { viewport: Viewport }): ReactNode {
  const review = useWork((state) => state.review);
  const opened = useWork((state) => state.opened);
  const doc = useWork((state) => state.doc);
  const at = useWork((state) => state.at);
  const side = useWork((state) => state.side);
  const looking = useWork((state) =>
    state.looking === null ? null : (state.opened.frames[state.looking]?.[1] ?? null),
  );
  const pins = useMemo(
    () =>
      numberedThreads({ review, opened, doc }).filter(({ thread, at: step }) => {
        const { place, t, role } = thread.pin;
        if (place === null || step !== at) return false;
        return t === null ? looking === null && (role ?? 'before') === side : t === looking;
      }),
    [review, opened, doc, at, side, looking],
  );
  if (pins.length === 0) return null;
  return (
    <svg className={classes.pins} aria-hidden="true">
      {pins.map(({ thread, number }) => {
        const [px, py] = thread.pin.place ?? [0, 0];
        const { x, y } = pixelToCss({ x: px, y: py }, viewport);
        return (
          <g key={thread.id} data-pin={number} data-open={thread.open} transform={`translate(${x} ${y})`}>
            <path d="M0 0 L-9 -15 A11 11 0 1 1 9 -15 Z" className={classes.pin} data-open={thread.open} />
            <text y={-19} textAnchor="middle" dominantBaseline="central" className={classes.pinText}>
              {number}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
