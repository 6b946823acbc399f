import { gapsOfStep } from '../../../core/annotate/missing.ts';
import type { StepView } from '../../../core/annotate/view.ts';

/** Which steps the sheet of boxes shows. */
export type SheetOf = 'all' | 'open' | 'no-box';
export const SHEET_OF: readonly SheetOf[] = ['all', 'open', 'no-box'];

/**
 * The sheet of all boxes. `left`: a step was opened from it in the large picture, and Escape goes back. `columns`: as many
 * tiles as there is room for in a row.
 */
export type Sheet = { is: 'off' | 'shown' | 'left'; of: SheetOf; columns: number };

const BELONGS: Readonly<Record<SheetOf, (step: StepView) => boolean>> = {
  all: () => true,
  open: ({ state }) => state === 'open' || state === 'flagged',
  'no-box': (step) => gapsOfStep(step).some((gap) => gap === 'box' || gap === 'end-box'),
};

/** Places of the steps that are shown, ascending. The one in hand stays in sight though it no longer belongs. */
export function shownIn(steps: readonly StepView[], of: SheetOf, at: number): number[] {
  const belongs = BELONGS[of];
  return steps.flatMap((step, place) => (place === at || belongs(step) ? [place] : []));
}

/**
 * The place that is `by` tiles further among those shown. Past an end it is the last tile of that way: a row up from the
 * first row stays, and a row down from the last but one may end before its column.
 */
export function movedBy(shown: readonly number[], at: number, by: number): number {
  const here = shown.indexOf(at);
  if (here === -1) return shown[0] ?? at;
  const to = here + by;
  if (to < 0) return by === -1 ? at : (shown[here % -by] ?? at);
  return shown[Math.min(to, shown.length - 1)] ?? at;
}

/** The step that comes after the one in hand: on the sheet the next that it shows. Past the last one it is none (null). */
export function stepAfter({
  doc,
  at,
  sheet,
}: {
  doc: { steps: readonly StepView[] };
  at: number;
  sheet: Sheet;
}): number | null {
  if (sheet.is !== 'shown' || sheet.of === 'all') return at + 1 < doc.steps.length ? at + 1 : null;
  const shown = shownIn(doc.steps, sheet.of, at);
  return shown[shown.indexOf(at) + 1] ?? null;
}
