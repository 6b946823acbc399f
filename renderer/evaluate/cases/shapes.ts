import { largestOf, smallestOf } from '../../../core/lists.ts';
import type { ScoredCase } from '../../../schemas/evaluate.ts';
import { tr } from '../../language/tr.ts';

/** The shapes of a case on its picture, in px of the picture. Read with care: truth and reading come from files. */

type Pixel = { x: number; y: number };
/** A place as it is drawn: a point, or a box. */
export type ShapePlace = { kind: 'point'; at: Pixel } | { kind: 'box'; from: Pixel; to: Pixel };
export type Shapes = {
  /** The size of the picture that the places are in; null: nothing to draw. */
  size: { width: number; height: number } | null;
  /** One for a click, start and end for a drag. */
  truth: ShapePlace[];
  /** The element's box, if the truth has one. */
  box: ShapePlace | null;
  prediction: ShapePlace[];
};

const NOTHING: Shapes = { size: null, truth: [], box: null, prediction: [] };

export function shapesOf({ kind, truth, reading }: Pick<ScoredCase, 'kind' | 'truth' | 'reading'>): Shapes {
  if ((kind !== 'click' && kind !== 'drag') || !isRecord(truth)) return NOTHING;
  const { width, height } = truth;
  if (!isNumber(width) || !isNumber(height)) return NOTHING;
  const size = { width, height };
  if (kind === 'click') {
    const box = numbers(truth.box);
    return {
      size,
      truth: places([truth.point]),
      box: box?.length === 4 ? boxOf(box[0]!, box[1]!, box[0]! + box[2]!, box[1]! + box[3]!) : null,
      prediction: places([reading]),
    };
  }
  return {
    size,
    truth: places([truth.start, truth.end]),
    box: null,
    prediction: Array.isArray(reading) ? places(reading) : [],
  };
}

function places(values: readonly unknown[]): ShapePlace[] {
  return values.flatMap((value): ShapePlace[] => {
    const found = numbers(value);
    if (found?.length === 2) return [{ kind: 'point', at: { x: found[0]!, y: found[1]! } }];
    return found?.length === 4 ? [boxOf(found[0]!, found[1]!, found[2]!, found[3]!)] : [];
  });
}

const boxOf = (x1: number, y1: number, x2: number, y2: number): ShapePlace => ({
  kind: 'box',
  from: { x: Math.min(x1, x2), y: Math.min(y1, y2) },
  to: { x: Math.max(x1, x2), y: Math.max(y1, y2) },
});

export const centreOf = (place: ShapePlace): Pixel =>
  place.kind === 'point' ? place.at : { x: (place.from.x + place.to.x) / 2, y: (place.from.y + place.to.y) / 2 };

/** The part that a zoom must show: the middle of everything, and how far it reaches; null when there is nothing. */
export function reachOf({ truth, box, prediction }: Shapes): { middle: Pixel; width: number; height: number } | null {
  const corners = [...truth, ...(box ? [box] : []), ...prediction].flatMap((place) =>
    place.kind === 'point' ? [place.at] : [place.from, place.to],
  );
  if (corners.length === 0) return null;
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  const [left, right, top, bottom] = [smallestOf(xs), largestOf(xs), smallestOf(ys), largestOf(ys)];
  return { middle: { x: (left + right) / 2, y: (top + bottom) / 2 }, width: right - left, height: bottom - top };
}

/** Truth and prediction in words, for whoever does not see the picture. */
export function shapesText(shapes: Shapes): string {
  const say = (list: readonly ShapePlace[]): string => list.map(placeText).join(' to ');
  const parts = [shapes.truth.length > 0 && tr('Truth at {truth}', { truth: say(shapes.truth) })];
  parts.push(
    shapes.prediction.length > 0
      ? tr('prediction at {prediction}', { prediction: say(shapes.prediction) })
      : tr('no prediction to draw'),
  );
  return shapes.size === null ? '' : `${parts.filter((part) => part !== false).join('; ')}.`;
}

const whole = (n: number): number => Math.round(n * 10) / 10;
const placeText = (place: ShapePlace): string =>
  place.kind === 'point'
    ? `${whole(place.at.x)}, ${whole(place.at.y)}`
    : tr('box {x}, {y} to {right}, {bottom}', {
        x: whole(place.from.x),
        y: whole(place.from.y),
        right: whole(place.to.x),
        bottom: whole(place.to.y),
      });

/** The truth of any kind as lines of text. */
export function truthLines({ truth }: Pick<ScoredCase, 'truth'>): string[] {
  if (!isRecord(truth)) return [];
  const { kind, point, box, start, end, answer, order, keys, steps, nodes, applications, scenario } = truth;
  if (kind === 'click')
    return [`[${list(point)}]`, ...(box ? [tr('element box: [{box}] (x, y, width, height)', { box: list(box) })] : [])];
  if (kind === 'drag') return [`[${list(start)}] → [${list(end)}]`];
  if (kind === 'scroll' && Array.isArray(order)) {
    return order.map((option, i) => `[${'ABC'[i]}] ${String(option)}${option === answer ? '  ← right' : ''}`);
  }
  if (kind === 'keys' && Array.isArray(keys)) return [keys.map(String).join(' ')];
  if (isNumber(nodes))
    return [
      tr('Atomic tasks: {nodes}', { nodes }),
      tr('Applications: {applications}', { applications: String(applications) }),
    ];
  if (typeof scenario === 'string')
    return [scenario === '' ? tr('A task of a scenario') : tr('A task of scenario {scenario}', { scenario })];
  return Array.isArray(steps) ? steps.map((step, i) => `${i + 1}. ${String(step)}`) : [JSON.stringify(truth)];
}

/** The prediction as the model gave it: text untouched, everything else as JSON; null when there is none. */
export function answerText(prediction: unknown): string | null {
  if (prediction === null || prediction === undefined) return null;
  if (typeof prediction === 'string') return prediction;
  const steps = Array.isArray(prediction) && prediction.every((one) => typeof one === 'string');
  return steps ? prediction.join('\n') : JSON.stringify(prediction);
}

/** The answer as it was understood, in a line or several; null when nothing of it was. */
export function readingText({ kind, reading }: Pick<ScoredCase, 'kind' | 'reading'>): string | null {
  if (reading === null || reading === undefined) return null;
  if (kind === 'click') return `[${list(reading)}]`;
  if (kind === 'drag' && Array.isArray(reading)) return reading.map((place) => `[${list(place)}]`).join(' → ');
  if (!isRecord(reading)) return JSON.stringify(reading);
  if (kind === 'scroll') return `${String(reading.letter)} (${String(reading.answer)})`;
  if (kind === 'keys' && Array.isArray(reading.keys)) return reading.keys.map(String).join(' ') || tr('no keys');
  if (kind === 'trajectory' || kind === 'scenario') return outcomeLines(reading).join('\n');
  if (Array.isArray(reading.steps)) return reading.steps.map((step, i) => `${i + 1}. ${String(step)}`).join('\n');
  return JSON.stringify(reading);
}

/** The outcome of a run of a whole task. */
function outcomeLines({ atomic, score, steps, decisions, clarifications, errors }: Record<string, unknown>): string[] {
  const right = isRecord(decisions)
    ? tr('{correct} of {total} decisions right', { correct: String(decisions.correct), total: String(decisions.total) })
    : '';
  const kinds = Array.isArray(errors)
    ? errors.filter(isRecord).map(({ kind, type }) => [kind, type].filter(Boolean))
    : [];
  return [
    Array.isArray(atomic)
      ? tr('atomic tasks: {results}', { results: atomic.map((one) => (one ? '✓' : '✗')).join(' ') })
      : '',
    isNumber(score) ? tr('score {score}', { score }) : '',
    isNumber(steps) ? tr('{steps} steps', { steps }) : '',
    right,
    isNumber(clarifications) ? tr('{clarifications} questions to the user', { clarifications }) : '',
    kinds.length > 0 ? tr('errors: {kinds}', { kinds: kinds.map((one) => one.join(', ')).join('; ') }) : '',
  ].filter((line) => line !== '');
}

const list = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : String(value));
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numbers = (value: unknown): number[] | null => (Array.isArray(value) && value.every(isNumber) ? value : null);
