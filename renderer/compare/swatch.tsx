import type { ReactNode } from 'react';
import classes from './compare.module.css';
import { letterOf, lookOf } from './sides.ts';

/** A side's letter on its colour, over its line: the same three wherever the side is spoken of. */
export function Swatch({ place }: { place: number }): ReactNode {
  const { color, dash } = lookOf(place);
  return (
    <span className={classes.swatch} aria-hidden="true">
      <span className={classes.letter} style={{ background: color }}>
        {letterOf(place)}
      </span>
      <svg width="22" height="5" aria-hidden="true" className={classes.line}>
        <line x1="0" y1="2.5" x2="22" y2="2.5" stroke={color} strokeWidth="3" strokeDasharray={dash} />
      </svg>
    </span>
  );
}
