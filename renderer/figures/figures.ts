import { smallestOf } from '../../core/lists.ts';
import type { Agreement, Figure } from '../../schemas/api/review-models.ts';
import { tr } from '../language/tr.ts';

/** How agreement figures are named, written and placed on a scale. Pure; the figures' formulas stand in core/review. */

export type AgreementKind = keyof Agreement;

export type KindWords = {
  kind: AgreementKind;
  /** The thing that is compared. */
  label: string;
  /** By which measure. */
  measure: string;
  /** For a title: what the number says. */
  about: string;
  /** `share`: 0 to 1. `chance`: a coefficient, 0 = as by chance, 1 = always. `actions`: a distance, 0 is best. */
  scale: 'share' | 'chance' | 'actions';
};

/** In the order in which they are read: all together first, then as an annotator works. */
export const AGREEMENT_KINDS: readonly KindWords[] = [
  {
    kind: 'overall',
    label: tr('All together'),
    measure: tr('mean'),
    about: tr('The mean of the kinds that have a figure. To sort by, not to report.'),
    scale: 'share',
  },
  {
    kind: 'elementSimilarity',
    label: tr('Element names'),
    measure: tr('edit similarity'),
    about: tr('1 − normalised edit distance of the names. 1: written the same.'),
    scale: 'share',
  },
  {
    kind: 'elementF1',
    label: tr('Element names'),
    measure: tr('token F1'),
    about: tr('Words that both names have, whatever their order.'),
    scale: 'share',
  },
  {
    kind: 'boxIou',
    label: tr('Boxes'),
    measure: 'IoU',
    about: tr('Intersection over union of boxes matched one to one; a box without a partner counts 0.'),
    scale: 'share',
  },
  {
    kind: 'clickInBox',
    label: tr('Boxes'),
    measure: tr('click inside'),
    about: tr("Share of recorded clicks that lie in the other person's box."),
    scale: 'share',
  },
  {
    kind: 'narrationSimilarity',
    label: tr('Narrations'),
    measure: tr('edit similarity'),
    about: tr('1 − normalised edit distance of the sentences.'),
    scale: 'share',
  },
  {
    kind: 'narrationF1',
    label: tr('Narrations'),
    measure: tr('token F1'),
    about: tr('Words that both sentences have, whatever their order.'),
    scale: 'share',
  },
  {
    kind: 'textSimilarity',
    label: tr('Typed text'),
    measure: tr('edit similarity'),
    about: tr('1 − normalised edit distance of the corrected texts.'),
    scale: 'share',
  },
  {
    kind: 'thoughtSimilarity',
    label: tr('Thoughts'),
    measure: tr('edit similarity'),
    about: tr('1 − normalised edit distance of thoughts, action thoughts and observations.'),
    scale: 'share',
  },
  {
    kind: 'thoughtF1',
    label: tr('Thoughts'),
    measure: tr('token F1'),
    about: tr('Words that both thoughts have, whatever their order.'),
    scale: 'share',
  },
  {
    kind: 'removedKappa',
    label: tr('Removed or kept'),
    measure: 'kappa',
    about: tr("Cohen's kappa for two people, Fleiss' for more: agreement beyond chance. 0: as by chance."),
    scale: 'chance',
  },
  {
    kind: 'removedAlpha',
    label: tr('Removed or kept'),
    measure: 'alpha',
    about: tr("Krippendorff's alpha: agreement beyond chance, also where somebody said nothing."),
    scale: 'chance',
  },
  {
    kind: 'dragKindKappa',
    label: tr('Movement or resizing'),
    measure: 'kappa',
    about: tr('Of drags: agreement beyond chance. 0: as by chance.'),
    scale: 'chance',
  },
  {
    kind: 'subtaskIou',
    label: tr('Subtasks'),
    measure: tr('temporal IoU'),
    about: tr('Overlap of subtasks in steps, matched one to one; one without a partner counts 0.'),
    scale: 'share',
  },
  {
    kind: 'edgeDistance',
    label: tr('Subtask edges'),
    measure: tr('distance in steps'),
    about: tr('How many steps apart matched edges lie. 0: at the same step.'),
    scale: 'actions',
  },
  {
    kind: 'titleSimilarity',
    label: tr('Subtask titles'),
    measure: tr('edit similarity'),
    about: tr('1 − normalised edit distance of the titles of matched subtasks.'),
    scale: 'share',
  },
];

export function valueWords(kind: AgreementKind): KindWords {
  return AGREEMENT_KINDS.find((one) => one.kind === kind)!; // every key of Agreement stands in the list (tested)
}

/** `Boxes, IoU`. */
export function nameOfPerson(kind: AgreementKind): string {
  const { label, measure } = valueWords(kind);
  return `${label}, ${measure}`;
}

/** Two decimals with a real minus sign; `–` when there is nothing to compare. */
export function figureText(value: number | null): string {
  if (value === null) return '–';
  const text = Math.abs(value).toFixed(2);
  return value < 0 && text !== '0.00' ? `−${text}` : text;
}

/** `0.71 to 0.90`: the interval of a figure; empty without one (n < 2). */
export function intervalText({ low, high }: Pick<Figure, 'low' | 'high'>): string {
  return low === null || high === null ? '' : tr('{low} to {high}', { low: figureText(low), high: figureText(high) });
}

/** A figure in full, for titles and for those who hear the page. */
export function figureWords(figure: Figure): string {
  if (figure.value === null) return tr('nothing to compare');
  const interval = intervalText(figure);
  const named = { value: figureText(figure.value), interval, n: figure.n };
  if (!interval) return tr('{value}, n = {n, number}', named);
  return tr('{value}, 95 % interval {interval}, n = {n, number}', named);
}

/** The least value of a scale to 1 on which all these figures lie: 0, or −0.5 or −1 when a coefficient is below chance. */
export function scaleStart(figures: readonly Figure[]): number {
  const least = Math.min(0, smallestOf(figures.flatMap(({ value, low }) => [value ?? 0, low ?? 0])));
  return least >= 0 ? 0 : least >= -0.5 ? -0.5 : -1;
}

/** Where a value lies between `start` and 1, per cent of the width; outside ones at the edge. */
export function placeOf(value: number, start: number): number {
  return Math.min(Math.max(((value - start) / (1 - start)) * 100, 0), 100);
}

/** Marks of such a scale: quarters from 0 on, halves when it begins below. */
export function scaleTicks(start: number): number[] {
  const step = start < 0 ? 0.5 : 0.25;
  return Array.from({ length: Math.round((1 - start) / step) + 1 }, (_, n) => start + n * step);
}

/** Lowest figure of a kind first (for a distance: the farthest); without a figure last; the rest as it was. */
export function byAgreement<T extends { agreement: Agreement }>(rows: readonly T[], kind: AgreementKind): T[] {
  const sign = valueWords(kind).scale === 'actions' ? -1 : 1;
  const worth = ({ agreement }: T): number => {
    const { value } = agreement[kind];
    return value === null ? Number.POSITIVE_INFINITY : value * sign;
  };
  return rows.toSorted((a, b) => {
    const [left, right] = [worth(a), worth(b)];
    return left === right ? 0 : left - right;
  });
}

/** Those that have a figure somewhere in these agreements, and always `overall`. */
export function kindsWithFigures(agreements: readonly Agreement[]): AgreementKind[] {
  return AGREEMENT_KINDS.map(({ kind }) => kind).filter(
    (kind) => kind === 'overall' || agreements.some((one) => one[kind].value !== null),
  );
}
