import type { Pixel } from '../../core/annotate/picture.ts';
import { candidateBoxes } from '../../core/annotate/proposals/grow.ts';
import type { BoxCandidate } from '../../core/annotate/proposals/image.ts';
import { type NameCount, rankNames } from '../../core/annotate/proposals/names.ts';
import { findSeen, type KnownCrop } from '../../core/annotate/proposals/seen.ts';
import { textProposal } from '../../core/annotate/proposals/text.ts';
import { boxIou, isSameRect } from '../../core/rect.ts';
import type { Proposal } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { ReadText } from '../../schemas/texts.ts';

/** Kinds whose place says which element was meant. Keys go where the focus is, which nobody has recorded. */
export const POINTED: ReadonlySet<Step['kind']> = new Set(['click', 'drag', 'scroll', 'hover']);

/** Proposals are taken by the digits 1 to 9. */
const MOST = 9;
const MOST_BOXES = 3;
/** A crop that is equal, pixel by pixel, to one that got this name: only as sure as its namings agree. */
const SEEN_CONFIDENCE = 0.97;
/** A name that is only known to be used in this software is a guess, however often. */
const NAME_CONFIDENCE = 0.35;

type Question = {
  /** The step's `before` picture and the point in it; null when there is no picture. */
  picture: { image: RgbImage; point: Pixel } | null;
  /** The recorded element at the step. */
  element?: Proposal | null;
  /** The text read in the picture at the step, where no program gave a name. */
  text?: ReadText | null;
  known: readonly KnownCrop[];
  vocabulary: readonly NameCount[];
  /** Names that followed the name of the step before. */
  followers: readonly NameCount[];
  /** The step has a box already: names alone are offered beside it. */
  hasBox: boolean;
};

/**
 * Proposals for a step, best first (pattern 2): what the program said of the element, the same element seen before, boxes
 * by edges, then names of the software's vocabulary with the best of these boxes. A program that knows no name comes after
 * a name that people gave to the same pixels, and behind a text that was read there.
 */
export function propose({
  picture,
  element = null,
  text = null,
  known,
  vocabulary,
  followers,
  hasBox,
}: Question): Proposal[] {
  const boxes = picture ? candidateBoxes(picture.image, picture.point) : [];
  const crops = picture ? seenAt(picture, known, boxes) : [];
  const holder = element?.name === null && element.confidence >= LEAST_SURE ? element.box : null;
  const isNamed = element !== null && element.name !== null;
  const read = text && picture && !isNamed ? textProposal(text, picture.point, holder, boxes) : null;
  const seen = withText(element ? withElement(element, crops) : crops, read);
  const edges = boxes
    .slice(0, MOST_BOXES)
    .map(({ box, confidence }): Proposal => ({ name: null, box, source: 'edges', confidence }))
    .filter(({ box }) => !seen.some((other) => sameBox(other.box, box)));
  const best = seen[0]?.box ?? boxes[0]?.box ?? null;
  const taken = new Set(seen.map(({ name }) => name));
  const total = followers.reduce((sum, { count }) => sum + count, 0);
  const names = rankNames(vocabulary, { followers, limit: MOST })
    .filter(({ name }) => !taken.has(name))
    .map(({ name }): Proposal => {
      const follows = followers.find((other) => other.name === name)?.count ?? 0;
      const confidence = NAME_CONFIDENCE * (follows > 0 ? 0.5 + (0.5 * follows) / total : 0.3);
      return { name, box: hasBox ? null : best, source: 'vocabulary', confidence: round(confidence) };
    });
  return [...seen, ...edges, ...names].slice(0, MOST);
}

/** Its name and box beside those of equal crops, each name with a box once. */
function withElement(element: Proposal, crops: readonly Proposal[]): Proposal[] {
  const others = crops.filter((crop) => !(crop.name === element.name && sameBox(crop.box, element.box)));
  if (element.name !== null) return [element, ...others];
  const named = others.map((crop) => (alike(crop.box, element.box) ? { ...crop, box: element.box } : crop));
  if (element.confidence < LEAST_SURE) return named;
  return named.some((crop) => sameBox(crop.box, element.box)) ? named : [...named, element];
}
/** A text that was read: behind what has a name, in front of the same box without one. */
function withText(others: readonly Proposal[], read: Proposal | null): Proposal[] {
  if (!read) return [...others];
  const named = others.filter(({ name }) => name !== null);
  const boxed = others.filter(({ name, box }) => name === null && !sameBox(box, read.box));
  const isKnown = named.some(({ name, box }) => name === read.name && sameBox(box, read.box));
  return [...named, ...(isKnown ? [] : [read]), ...boxed];
}
/** Boxes that share so much of their area mean the same element. */
const ALIKE = 0.7;
const alike = (a: Proposal['box'], b: Proposal['box']): boolean => !!a && !!b && boxIou(a, b) >= ALIKE;
/** A holder of others says less than edges do. */
const LEAST_SURE = 0.5;

function seenAt(
  { image, point }: NonNullable<Question['picture']>,
  known: readonly KnownCrop[],
  boxes: BoxCandidate[],
) {
  return findSeen(
    image,
    point,
    known,
    boxes.map(({ box }) => box),
  ).map(
    ({ box, name, share }): Proposal => ({ name, box, source: 'seen', confidence: round(SEEN_CONFIDENCE * share) }),
  );
}

/** The box that a click at a point grows to, with the name that the crop got before. */
export function growAt(image: RgbImage, point: Pixel, known: readonly KnownCrop[]): Proposal | null {
  const boxes = candidateBoxes(image, point);
  const seen = seenAt({ image, point }, known, boxes)[0];
  if (seen) return seen;
  const best = boxes[0];
  return best ? { name: null, box: best.box, source: 'edges', confidence: best.confidence } : null;
}

function sameBox(a: Proposal['box'], b: Proposal['box']): boolean {
  return !!a && !!b && isSameRect(a, b);
}

const round = (value: number): number => Math.round(value * 100) / 100;
