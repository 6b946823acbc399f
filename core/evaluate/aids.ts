import type { AidElement } from '../../schemas/aids.ts';
import type { EvaluateOptions } from '../../schemas/evaluate.ts';
import type { Aid, Question } from '../../schemas/questions.ts';
import type { PixelPair, PointOrBox } from './position.ts';

/** Questions with marks or texts (M26, M27): videogui.txt tables 21, 22, 24, 25. */

export type Box = NonNullable<Question['marks']>[number];

/** The suffixes of a model's name in the rows of tables 3 and 5. */
export const AID_NAMES: Readonly<Record<Aid, string>> = { som: 'SoM', ocr: 'OCR' };

/** `GPT-4o + SoM`; a name that says so already stays. */
export function aidedName(model: string, aid: Aid | null): string {
  if (aid === null) return model;
  return new RegExp(`\\+\\s*${AID_NAMES[aid]}$`, 'i').test(model) ? model : `${model} + ${AID_NAMES[aid]}`;
}

/** One element alone would be the answer. */
export const LEAST_ELEMENTS = 2;

/**
 * Elements as they are shown: in reading order, so that a number or a place in the list tells nothing; for texts only
 * those that have one.
 */
export function shownElements(aid: Aid, elements: readonly AidElement[]): AidElement[] {
  const shown = aid === 'som' ? [...elements] : elements.filter(({ text }) => textOf(text) !== '');
  return shown.sort(({ box: a }, { box: b }) => a[1] - b[1] || a[0] - b[0] || a[3] - b[3] || a[2] - b[2]);
}

const textOf = (text: string | undefined): string => (text ?? '').replace(/[\s;]+/g, ' ').trim();

/** `name: [[x1, y1], [x2, y2]]; …` (table 22); a semicolon in a name would end it. */
export function textList(elements: readonly AidElement[]): string {
  return elements
    .map(({ text, box: [x, y, width, height] }) => {
      const corners = [x, y, x + width, y + height].map((value) => Math.round(value));
      return `${textOf(text)}: [[${corners[0]}, ${corners[1]}], [${corners[2]}, ${corners[3]}]]`;
    })
    .join('; ');
}

/** The place that a mark stands for; null when the picture has no such mark. */
export function markPlace(
  marks: readonly Box[],
  mark: number,
  { markPlace: way }: Pick<EvaluateOptions, 'markPlace'>,
): PointOrBox | null {
  const box = marks[mark - 1];
  if (!box) return null;
  const [x, y, width, height] = box;
  return way === 'box' ? [x, y, x + width, y + height] : [x + width / 2, y + height / 2];
}

/** Whether a position is in one of the elements: what an answer could reach at all. */
export const isReachable = ([x, y]: PixelPair, boxes: readonly Box[]): boolean =>
  boxes.some(([left, top, width, height]) => x >= left && y >= top && x <= left + width && y <= top + height);
