/** Kinds whose figure is a mean of units (R2). `removedShare` and `dragKindShare` serve the overall figure only (R15). */
export const MEAN_KINDS = [
  'boxIou',
  'clickInBox',
  'subtaskIou',
  'edgeDistance',
  'elementSimilarity',
  'elementF1',
  'narrationSimilarity',
  'narrationF1',
  'titleSimilarity',
  'textSimilarity',
  'removedShare',
  'dragKindShare',
  'thoughtSimilarity',
  'thoughtF1',
] as const;
export type MeanKind = (typeof MEAN_KINDS)[number];
/** A number a unit. */
type Means = Record<MeanKind, number[]>;

export const noMeans = (): Means => ({
  boxIou: [],
  clickInBox: [],
  subtaskIou: [],
  edgeDistance: [],
  elementSimilarity: [],
  elementF1: [],
  narrationSimilarity: [],
  narrationF1: [],
  titleSimilarity: [],
  textSimilarity: [],
  removedShare: [],
  dragKindShare: [],
  thoughtSimilarity: [],
  thoughtF1: [],
});

/** In a row of ratings: this document has no say. */
export const NO_SAY = '-';

/** How often each row of ratings came: one character a document, in the order of `raters`. */
export type RatingCounts = Record<string, number>;

/** The units that one comparison's figures are made of: plain data, small enough to keep for every recording (R14). */
export type AgreementUnits = {
  /** People, or documents where there is no person. */
  raters: string[];
  /** A number a unit: the mean over the pairs of documents. */
  means: Means;
  /** Every step: `r` removed, `k` kept; a step of which nothing was said counts as kept (R9). */
  removed: RatingCounts;
  /** Every step; a step of which nothing was said is a gap. */
  removedOrOpen: RatingCounts;
  /** Drags of which at least one says it: `m` movement, `r` resizing. */
  dragKind: RatingCounts;
};
