import type { Rect } from '../../schemas/events.ts';

/**
 * Where an action of another tool's trajectory was done, when its words say so: "Tap the search field at (540, 210)", "Swipe
 * from (500, 1500) to (500, 600)", "Click [520, 190, 560, 230]". Null where they do not, or where the numbers cannot be this
 * picture's: nothing is guessed. The paper's own trajectories say it in the thought instead (naturalgaia.txt, appendix E:
 * "… is listed at coordinates [331, 1508]. I should tap on this."): the only place there is that of a click without one, and of the app
 * that is opened (listing 1, step 1).
 */
export type ActionPlace =
  | { kind: 'click'; point: Point; count: 1 | 2; box: Rect | null; isLong: boolean }
  | { kind: 'drag'; from: Point; to: Point };
type Point = { x: number; y: number };
type Size = { width: number; height: number };

/** Longer words are no action. */
const LONGEST = 2000;
const NUMBER = String.raw`(\d{1,5}(?:\.\d{1,6})?)`;
const COMMA = ' {0,3}[,;] {0,3}';
const pair = `${NUMBER}${COMMA}${NUMBER}`;
/** `[x1, y1, x2, y2]`, and `<box>(x1,y1),(x2,y2)</box>`. */
const BOX = new RegExp(String.raw`[\[(] {0,3}${pair}${COMMA}${pair} {0,3}[\])]`, 'g');
const TAGGED = new RegExp(String.raw`<(?:\|box_start\||box)> {0,3}\(${pair}\)${COMMA}\(${pair}\)`, 'g');
/** `(x, y)`, `[x, y]`, `<point>x y</point>`, `x=1, y=2`. */
const POINT = new RegExp(
  String.raw`[\[(] {0,3}${pair} {0,3}[\])]|<point>${NUMBER}[ ,]{1,3}${NUMBER}</point>|\bx ?[=:] ?${NUMBER}[ ,;]{1,3}y ?[=:] ?${NUMBER}`,
  'g',
);
const CLICKS =
  /\b(?:double|long|left|triple)?[- ]?(?:click|tap|press|touch|select|choose|toggle|hit)(?:s|ed|ing|ped|ping)?\b/i;
const DRAGS = /\b(?:swip(?:e|es|ed|ing)|drag(?:s|ged|ging)?|slid(?:e|es|ing)|scroll(?:s|ed|ing)?|fling)\b/i;
const OPENS = /^\W{0,20}(?:open|launch|start)(?:s|ed|ing)?\b/i;
const DOUBLE = /\bdouble[- ]?(?:click|tap)/i;
const LONG = /\blong[- ]?(?:press|tap|click)|\bhold/i;
/** Typing names its field's place too; a click there would not be what was done. */
const TYPES = /^\W{0,20}(?:type|types|typed|input|inputs|enter|enters|entered|write|fill)\b/i;

export function actionPlace(
  action: string | null,
  size: Size | null,
  thought: string | null = null,
): ActionPlace | null {
  if (action === null || size === null || action.length > LONGEST || TYPES.test(action)) return null;
  const boxes = [...action.matchAll(BOX), ...action.matchAll(TAGGED)].map((match) => numbersOf(match));
  if (DRAGS.test(action)) {
    const [from, to, more] = pointsIn(action, size, boxes.length > 0);
    return from && to && !more ? { kind: 'drag', from, to } : null;
  }
  // Who opens an app whose place the thought names touched it there (listing 1, step 1).
  if (!CLICKS.test(action) && !(OPENS.test(action) && thought !== null)) return null;
  const about = {
    kind: 'click' as const,
    count: DOUBLE.test(action) ? (2 as const) : (1 as const),
    isLong: LONG.test(action),
  };
  const [corners, another] = boxes;
  if (corners) {
    const box = another ? null : boxIn(corners, size);
    return box && { ...about, box, point: { x: box.x + (box.width >> 1), y: box.y + (box.height >> 1) } };
  }
  const [point, second] = pointsIn(action, size, false);
  // Two places of one click: which of them it was cannot be told.
  if (point) return second ? null : { ...about, box: null, point };
  // Numbers that are no place of this picture are not replaced by others.
  const thoughtOf = [...action.matchAll(POINT)].length === 0 ? onlyPointIn(thought, size) : null;
  return thoughtOf && { ...about, box: null, point: thoughtOf };
}

/** However often it is named; null where two are. */
function onlyPointIn(thought: string | null, size: Size): Point | null {
  if (thought === null || thought.length > LONGEST) return null;
  // A line may break inside of a place.
  const text = thought.replace(/\s+/g, ' ');
  const [point, ...others] = pointsIn(text, size, text.search(BOX) >= 0 || text.search(TAGGED) >= 0);
  return point && others.every(({ x, y }) => x === point.x && y === point.y) ? point : null;
}

const numbersOf = (match: RegExpMatchArray): number[] =>
  match.slice(1).flatMap((text) => (text === undefined ? [] : [Number(text)]));

function pointsIn(action: string, size: Size, hasBoxes: boolean): Point[] {
  if (hasBoxes) return [];
  return [...action.matchAll(POINT)].flatMap((match) => {
    const [x, y] = numbersOf(match) as [number, number]; // Each form has two.
    return inPixels([x, y], size) ?? [];
  });
}

/** Shares of the picture when both are at most 1 and one has a fraction; else px, if they are in it. */
function inPixels([x, y]: [number, number], { width, height }: Size): Point | null {
  const isShare = x <= 1 && y <= 1 && !(Number.isInteger(x) && Number.isInteger(y));
  const point = isShare
    ? { x: Math.min(width - 1, Math.round(x * width)), y: Math.min(height - 1, Math.round(y * height)) }
    : { x: Math.round(x), y: Math.round(y) };
  return point.x < width && point.y < height ? point : null;
}

function boxIn([left, top, right, bottom]: readonly number[], size: Size): Rect | null {
  const [from, to] = [inPixels([left!, top!], size), inPixels([right!, bottom!], size)]; // Four, by its form.
  if (!from || !to || to.x <= from.x || to.y <= from.y) return null;
  return { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y };
}
