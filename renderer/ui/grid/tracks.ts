type Wide = { width: number; narrow?: number; grow?: number };

/** The column of check boxes before the others. */
const FIRST: Wide = { width: 18 };
/** Between two, as in grid.module.css. */
const GAP_PX = 14;

/**
 * The columns of a grid, and the width below which it scrolls inside of itself, for both kinds of windows: the properties
 * that grid.module.css takes. `first`: check boxes stand before the columns.
 */
export function tracksOf(columns: readonly Wide[], first: boolean): Record<string, string> {
  const all = first ? [FIRST, ...columns] : columns;
  const narrow = all.map((column) => ({ ...column, width: column.narrow ?? column.width }));
  return {
    '--wide': all.map(trackOf).join(' '),
    '--wide-least': leastOf(all),
    '--narrow': narrow.map(trackOf).join(' '),
    '--narrow-least': leastOf(narrow),
  };
}

const trackOf = ({ width, grow }: Wide): string =>
  grow === undefined ? `${width}px` : `minmax(${width}px, ${grow}fr)`;

const leastOf = (all: readonly Wide[]): string =>
  `${all.reduce((sum, { width }) => sum + width, GAP_PX * (all.length - 1))}px`;
