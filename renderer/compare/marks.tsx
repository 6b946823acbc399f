import type { ReactNode } from 'react';
import type { Rect } from '../../schemas/events.ts';
import { tr } from '../language/tr.ts';
import { boxToCss, type Viewport } from '../workbench/geometry.ts';
import { useWork } from '../workbench/store.ts';
import classes from './compare.module.css';
import { type ComparedSide, letterOf, lookOf } from './sides.ts';
import { useCompare } from './store.ts';

const TAG_PX = 18;

type Mark = { key: string; box: Rect; place: number; end: boolean };

/** Each side's boxes of the step over its picture: in its colour, with its line, under its letter. */
export function SideMarks({ viewport }: { viewport: Viewport }): ReactNode {
  const sides = useCompare((state) => state.sides);
  const at = useWork((state) => state.at);
  const marks = sides.flatMap((side) => marksOf(side, at));
  // All light edges lie under all lines: boxes that nearly cover each other are both seen.
  return (
    <svg className={classes.marks} aria-hidden="true">
      {marks.map(({ key, box }) => (
        <rect key={key} {...outlineOf(box, viewport)} className={classes.markHalo} />
      ))}
      {marks.map((mark) => (
        <Box key={mark.key} mark={mark} viewport={viewport} />
      ))}
    </svg>
  );
}

function marksOf({ view, document, place }: ComparedSide, at: number): Mark[] {
  const step = view.steps[at];
  return (['target', 'end'] as const).flatMap((role) => {
    const box = step?.[role]?.box;
    return box ? [{ key: `${document} ${role}`, box, place, end: role === 'end' }] : [];
  });
}

function outlineOf(box: Rect, viewport: Viewport) {
  const { x, y, width, height } = boxToCss(box, viewport);
  return { x: x - 1, y: y - 1, width: width + 2, height: height + 2, fill: 'none' };
}

function Box({ mark: { box, place, end }, viewport }: { mark: Mark; viewport: Viewport }): ReactNode {
  const { color, dash } = lookOf(place);
  const outline = outlineOf(box, viewport);
  // Letters of boxes that are on each other stand side by side.
  const left = outline.x + place * (TAG_PX + 6);
  const above = outline.y - TAG_PX - 3;
  const top = above < 0 ? outline.y + outline.height + 3 : above;
  return (
    <g data-side={letterOf(place)}>
      <rect {...outline} stroke={color} strokeWidth={2.5} strokeDasharray={dash} />
      <rect x={left} y={top} width={TAG_PX + 2} height={TAG_PX} rx={3} fill={color} className={classes.tag} />
      <text x={left + TAG_PX / 2 + 1} y={top + TAG_PX - 5} className={classes.tagText}>
        {letterOf(place)}
        {end && '′'}
      </text>
    </g>
  );
}

/** The same in words: the picture itself is not read out. */
export function marksInWords(
  sides: readonly ComparedSide[],
  at: number,
  nameOf: (side: ComparedSide) => string,
): string {
  return sides
    .map((side) => {
      const box = side.view.steps[at]?.target?.box;
      const where = box
        ? tr('box at ({x}, {y}), {width} by {height} pixels', {
            x: box.x,
            y: box.y,
            width: box.width,
            height: box.height,
          })
        : tr('no box');
      return `${letterOf(side.place)}, ${nameOf(side)}: ${where}`;
    })
    .join('; ');
}
