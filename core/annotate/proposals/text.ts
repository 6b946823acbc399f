import type { Proposal } from '../../../schemas/annotation.ts';
import type { Rect } from '../../../schemas/events.ts';
import type { ReadText } from '../../../schemas/texts.ts';
import { holdsPoint, sharedArea } from '../../rect.ts';
import { isInPicture, type Pixel } from '../picture.ts';
import type { BoxCandidate } from './image.ts';

/** Texts that were read in a picture (OCR): which of them names what was pressed, and the proposal that it makes. */

/** A word as it was read; `line` is the same for words of one line, which stand in their order. */
export type ReadWord = { line: number; text: string; box: Rect; confidence: number };

/** Less sure words are mostly icons and photos, 0 to 1; letters of a user interface are read with 0.9 and more. */
const LEAST_SURE = 0.8;
/** The same for words of so few letters, which icons are taken for more often. */
const SHORT = { letters: 3, sure: 0.9 };
/** Words of one text are at most this many times their height apart: the next menu or column is another text. */
const WORD_GAP = 0.9;
/** A longer text is a sentence in a document, and no name of an element. */
const MOST_LETTERS = 50;
/** A text that does not hold the point names what was pressed only near by (px). */
const MOST_AWAY = 80;

/** Where texts are looked for: around the point, px. Wide enough for a long button, and read within a tenth of a second. */
const CROP = { width: 300, height: 80 };
/** The line at the point alone: one that is lit up (a menu item below the pointer) is other than what lies around it. */
const LINE_HEIGHT = 28;
/** A smaller picture is no screen, and dark and light cannot be told apart by their surroundings in it. */
const LEAST_SIDE = 50;

/** The part of a picture that is read for a press. Wholly inside; null where the point is not in it, or it is too small. */
export function textCrop(point: Pixel, picture: { width: number; height: number }, size = CROP): Rect | null {
  if (!isInPicture(point, picture) || Math.min(picture.width, picture.height) < LEAST_SIDE) return null;
  const width = Math.min(size.width, picture.width);
  const height = Math.min(size.height, picture.height);
  const within = (from: number, length: number, most: number): number =>
    Math.round(Math.max(0, Math.min(from - length / 2, most - length)));
  return { x: within(point.x, width, picture.width), y: within(point.y, height, picture.height), width, height };
}

/** The same for the line at the press alone. */
export const lineCrop = (point: Pixel, picture: { width: number; height: number }): Rect | null =>
  textCrop(point, picture, { width: CROP.width, height: LINE_HEIGHT });

/** The nearer of two texts to the point; null when both are missing. */
export function nearerText(a: ReadText | null, b: ReadText | null, point: Pixel): ReadText | null {
  if (!a || !b) return a ?? b;
  return awayFrom(b.box, point) < awayFrom(a.box, point) ? b : a;
}

/** Whether the point is in a text, or so near that it is pressed with it. */
export const isAtText = ({ box }: Pick<ReadText, 'box'>, point: Pixel): boolean => awayFrom(box, point) <= PADDING;

/**
 * The text at the point, or the nearest one around it; null when there is none. Words and point in px of the picture; what
 * the edge of the crop cuts off is no whole word, unless the picture itself ends there.
 */
export function textNear(
  words: readonly ReadWord[],
  point: Pixel,
  crop: Rect,
  picture: { width: number; height: number },
): ReadText | null {
  const nearest = textsOfWords(words)
    .filter(({ box, text }) => text.length <= MOST_LETTERS && !isCut(box, crop, picture))
    .map((text) => ({ text, away: awayFrom(text.box, point) }))
    .filter(({ away }) => away <= MOST_AWAY)
    .sort((a, b) => a.away - b.away)[0];
  return nearest?.text ?? null;
}

function textsOfWords(words: readonly ReadWord[]): ReadText[] {
  const texts: (ReadText & { line: number; words: number })[] = [];
  for (const { line, text, box, confidence } of words) {
    if (confidence < (text.length <= SHORT.letters ? SHORT.sure : LEAST_SURE) || !isWord(text)) continue;
    const last = texts.at(-1);
    const gap = last ? box.x - (last.box.x + last.box.width) : 0;
    if (last && last.line === line && gap >= 0 && gap <= WORD_GAP * Math.max(last.box.height, box.height)) {
      const top = Math.min(last.box.y, box.y);
      const bottom = Math.max(last.box.y + last.box.height, box.y + box.height);
      last.box = { x: last.box.x, y: top, width: box.x + box.width - last.box.x, height: bottom - top };
      last.text += WITHOUT_SPACES.test(last.text.at(-1)! + text[0]!) ? text : ` ${text}`;
      last.confidence = (last.confidence * last.words + confidence) / (last.words + 1);
      last.words++;
    } else texts.push({ line, words: 1, text, box, confidence });
  }
  // One sign alone is an icon that looks like a letter; in Chinese and Japanese it may be a word.
  const named = texts.filter(({ text }) => text.length > 1 || IDEOGRAPH.test(text));
  return named.map(({ text, box, confidence }) => ({ text, box, confidence }));
}

const isWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const WITHOUT_SPACES = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{2}$/u;

/** How far a letter may stand from the crop's edge to be whole, px. */
const EDGE = 2;

function isCut(box: Rect, crop: Rect, picture: { width: number; height: number }): boolean {
  const cutLeft = crop.x > 0 && box.x - crop.x < EDGE;
  const cutTop = crop.y > 0 && box.y - crop.y < EDGE;
  const [right, bottom] = [crop.x + crop.width, crop.y + crop.height];
  const cutRight = right < picture.width && right - (box.x + box.width) < EDGE;
  const cutBottom = bottom < picture.height && bottom - (box.y + box.height) < EDGE;
  return cutLeft || cutTop || cutRight || cutBottom;
}

/** How far a point is outside a box, px; up and down count double: the next line is another text. */
function awayFrom({ x, y, width, height }: Rect, point: Pixel): number {
  const beside = Math.max(x - point.x, point.x - (x + width - 1), 0);
  const above = Math.max(y - point.y, point.y - (y + height - 1), 0);
  return Math.hypot(beside, 2 * above);
}

/** A first guess as the others are, below what a program says itself (element.ts); times how sure the reading is. */
const CONFIDENCE = 0.8;
/** Letters do not fill the element: the point may lie this far beside them (px). */
const PADDING = 8;
/** A box more than this many times as high as the text holds other things beside it, so it is not the text's element. */
const MOST_HEIGHTS = 5;

/**
 * A text that was read as a proposal; null where it does not name what is at the point. `holder`: the box of the element
 * itself, where the program told it without a name; `boxes`: what looks like an element there, best first.
 */
export function textProposal(
  { text, box, confidence }: ReadText,
  point: Pixel,
  holder: Rect | null,
  boxes: readonly BoxCandidate[],
): Proposal | null {
  const own = [...(holder ? [holder] : []), ...boxes.map((one) => one.box)].find(
    (one) => holdsPoint(one, point.x, point.y) && holds(one, box) && one.height <= MOST_HEIGHTS * box.height,
  );
  if (!own && !isAtText({ box }, point)) return null;
  const sure = Math.round(100 * CONFIDENCE * confidence) / 100;
  return { name: text, box: own ?? box, source: 'ocr', confidence: sure };
}

/** Nearly all of the letters are in the box: edges of letters are soft. */
function holds(outer: Rect, inner: Rect): boolean {
  return sharedArea(outer, inner) >= 0.8 * inner.width * inner.height;
}
