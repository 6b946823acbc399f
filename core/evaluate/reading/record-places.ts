import { field, isRecord, type JsonRecord, unwrapped } from './records.ts';
import type { CoordinateScale, RawPlace } from './scale.ts';

/** Positions in records: OpenAI's computer_call, Anthropic's and Qwen's computer use, and records of a model's own (M7). */

const POINT_NAMES = [
  ...['coordinate', 'coordinates', 'coords', 'position', 'point', 'point_2d', 'location', 'center', 'click_point'],
  ...['click', 'pos', 'xy', 'target_point', 'start_box', 'box_point'],
];
const BOX_NAMES = ['bbox', 'bbox_2d', 'box', 'bounding_box', 'boundingBox', 'rect'];
const END_NAMES: readonly (readonly [start: string, end: string])[] = [
  ['start_coordinate', 'end_coordinate'],
  ['start_coordinate', 'coordinate'],
  ['startCoordinate', 'coordinate'],
  ['from_coordinate', 'to_coordinate'],
  ['start', 'end'],
  ['from', 'to'],
  ['start_point', 'end_point'],
  ['startPoint', 'endPoint'],
  ['start_position', 'end_position'],
  ['start_box', 'end_box'],
  ['source', 'target'],
  ['source', 'destination'],
  ['coordinate', 'coordinate2'],
  ['coordinate1', 'coordinate2'],
  ['point', 'point2'],
  ['point1', 'point2'],
];
const END_AXES: readonly (readonly [string, string, string, string])[] = [
  ['x1', 'y1', 'x2', 'y2'],
  ['start_x', 'start_y', 'end_x', 'end_y'],
  ['startX', 'startY', 'endX', 'endY'],
  ['from_x', 'from_y', 'to_x', 'to_y'],
  ['fromX', 'fromY', 'toX', 'toY'],
];

const EDGES: readonly (readonly [string, string, string, string])[] = [
  ['left', 'top', 'right', 'bottom'],
  ['xmin', 'ymin', 'xmax', 'ymax'],
  ['x_min', 'y_min', 'x_max', 'y_max'],
];

/** One place, or the two ends of a drag; null when it names none. */
export function placesOfRecord(record: JsonRecord): [RawPlace] | [RawPlace, RawPlace] | null {
  for (const one of unwrapped(record)) {
    const found = dragOf(one) ?? placeOf(one);
    if (found) return found;
  }
  return null;
}

function dragOf(record: JsonRecord): [RawPlace, RawPlace] | null {
  const path = field(record, 'path');
  if (Array.isArray(path) && path.length >= 2) {
    const [start, end] = [placeOfValue(path[0]), placeOfValue(path.at(-1))];
    if (start && end) return [start, end];
  }
  for (const names of END_NAMES) {
    const [start, end] = names.map((name) => placeOfValue(field(record, name)));
    if (start && end) return [start, end];
  }
  for (const names of END_AXES) {
    // x1, y1, x2, y2 are also what a box is called; who asks for a place takes both ends for one.
    const numbers = names.map((name) => numberOf(field(record, name)));
    const [a, b, c, d] = numbers;
    if (a != null && b != null && c != null && d != null) return [raw([a, b]), raw([c, d])];
  }
  return null;
}

/** Gemini's way of pointing: `{"point": [y, x], "label": "File"}`, rows first, in thousandths. */
export const isBarePoint = (record: JsonRecord): boolean =>
  Array.isArray(field(record, 'point')) && Object.keys(record).every((key) => key === 'point');
const isLabelled = (record: JsonRecord): boolean =>
  typeof field(record, 'label') === 'string' && Object.keys(record).every((key) => key === 'point' || key === 'label');

function placeOf(record: JsonRecord): [RawPlace] | null {
  // Without a label nothing says whether rows or columns come first.
  if (isBarePoint(record)) return null;
  if (isLabelled(record)) {
    const [row, column, more] = numbersOf(field(record, 'point')) ?? [];
    return row !== undefined && column !== undefined && more === undefined ? [raw([column, row], '0-1000')] : null;
  }
  const shares = [field(record, 'x'), field(record, 'y')].map(percentOf);
  if (shares[0] != null && shares[1] != null) return [raw([shares[0], shares[1]], '0-100')];
  const [x, y] = [numberOf(field(record, 'x')), numberOf(field(record, 'y'))];
  if (x !== null && y !== null) return [raw([x, y])];
  for (const name of [...POINT_NAMES, ...BOX_NAMES]) {
    const value = field(record, name);
    const place = (isRecord(value) ? boxOf(value) : null) ?? placeOfValue(value);
    if (place) return [place];
  }
  const box = edgesOf(record);
  if (box) return [box];
  // Gemini's, whose rows come first, in thousandths.
  const [top, left, bottom, right] = numbersOf(field(record, 'box_2d')) ?? [];
  if (top !== undefined && left !== undefined && bottom !== undefined && right !== undefined) {
    return [raw([left, top, right, bottom], '0-1000')];
  }
  return null;
}

/** A box by its corner and size, which stand in a record of their own: beside x and y they may be the picture's. */
function boxOf(record: JsonRecord): RawPlace | null {
  const size = [field(record, 'width') ?? field(record, 'w'), field(record, 'height') ?? field(record, 'h')];
  const [x, y, width, height] = [field(record, 'x'), field(record, 'y'), ...size].map(numberOf);
  return x != null && y != null && width != null && height != null ? raw([x, y, x + width, y + height]) : null;
}

function edgesOf(record: JsonRecord): RawPlace | null {
  for (const names of EDGES) {
    const [a, b, c, d] = names.map((name) => numberOf(field(record, name)));
    if (a != null && b != null && c != null && d != null) return raw([a, b, c, d]);
  }
  return null;
}

/** `[x, y]`, `[x1, y1, x2, y2]`, `[[x1, y1], [x2, y2]]`, `{"x", "y"}`, or one of them as a text. */
export function placeOfValue(value: unknown): RawPlace | null {
  if (isRecord(value)) {
    const box = edgesOf(value);
    if (box) return box;
    const [x, y] = [numberOf(field(value, 'x')), numberOf(field(value, 'y'))];
    return x !== null && y !== null ? raw([x, y]) : null;
  }
  const numbers = numbersOf(value);
  return numbers && (numbers.length === 2 || numbers.length === 4) ? raw(numbers) : null;
}

const raw = (numbers: readonly number[], scale: CoordinateScale | null = null): RawPlace => ({ numbers, scale });

const LONGEST_VALUE = 200;

function numbersOf(value: unknown): number[] | null {
  if (typeof value === 'string') return value.length <= LONGEST_VALUE ? numbersInText(value) : null;
  if (!Array.isArray(value) || value.length > 4) return null;
  const numbers = value.flat().map(numberOf);
  return numbers.length > 0 && numbers.length <= 4 && numbers.every((one) => one !== null) ? numbers : null;
}

/** Two numbers of a place or four of a box, in whatever way one value holds them. */
export function numbersOfPlace(value: unknown): readonly number[] | null {
  const numbers = numbersOf(value);
  return numbers && (numbers.length === 2 || numbers.length === 4) ? numbers : null;
}

const percentOf = (value: unknown): number | null => {
  const [, number] =
    typeof value === 'string' ? (/^\s{0,9}(-?\d{1,9}(?:\.\d{1,20})?)\s{0,3}%\s{0,9}$/.exec(value) ?? []) : [];
  return number === undefined ? null : Number(number);
};

/** The numbers of a text that holds nothing but them and what may stand around; null for any other. */
export function numbersInText(text: string): number[] | null {
  if (/[A-Za-z]/.test(text.replace(/<\|?\/?\w{1,20}\|?>/g, ' ').replace(/\b[xy]\d?\b|px/gi, ' '))) return null;
  const numbers = [
    ...text
      .replace(/<[^<>]{0,40}>/g, ' ')
      .replace(/\b[xy]\d?\b/gi, ' ')
      .matchAll(NUMBER),
  ];
  return numbers.map(([number]) => Number(number));
}
const NUMBER = /-?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})/g;

function numberOf(value: unknown): number | null {
  const number =
    typeof value === 'string' && /^\s{0,9}-?\d{1,9}(?:\.\d{1,20})?\s{0,3}(?:px)?\s{0,9}$/.test(value)
      ? Number.parseFloat(value)
      : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
