import type { Action, ActionPoint } from '../../schemas/actions.ts';
import type { Change, RecordOf } from '../../schemas/annotation.ts';
import type { OpenedRecording, Step } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { plainAction } from '../actions/state.ts';
import { applyChanges, put, type Records } from './document.ts';
import { firstSubtaskId, stepRecordId } from './ids.ts';
import { placeAt } from './picture.ts';
import { stepOfAction } from './step-of.ts';
import { subtaskSpans } from './subtasks.ts';

/**
 * Steps that a person adds at the picture, where no input was recorded: a video (N12). Each is a record of the main document;
 * the studio keeps them beside the raw files too, so that they are actions like all others from then on.
 */
export type StepByHand = RecordOf<'step'>;

/** No id of a recorded action ends so. */
const MARK = /:h[0-9a-f]{8,32}$/;
export const isByHand = (action: string): boolean => MARK.test(action);
/** `random`: hexadecimal digits, 8 to 32 of them. */
export const byHandId = (recording: string, random: string): string => `${recording}:h${random}`;

/** In the order of time; of the same moment, by id. */
export function stepsByHand(records: Records): StepByHand[] {
  const found: StepByHand[] = [];
  for (const record of records.values()) if (record.kind === 'step') found.push(record);
  return found.sort(inTime);
}

const inTime = (a: StepByHand, b: StepByHand): number => a.t - b.t || (a.action < b.action ? -1 : 1);

/** The actions with those by hand among them: of the same moment, what was recorded comes first. */
export function withByHand(actions: readonly Action[], byHand: readonly StepByHand[]): Action[] {
  return merged(actions, byHand.toSorted(inTime), ({ start }) => start.t, actionByHand);
}

/** The steps as they are with these records, whatever steps by hand were among them before. */
export function stepsWith(opened: Pick<OpenedRecording, 'steps' | 'frames'>, records: Records): readonly Step[] {
  const byHand = stepsByHand(records);
  const known = new Map(opened.steps.map((step) => [step.id, step]));
  const isSame =
    byHand.every(({ action }) => known.has(action)) &&
    opened.steps.every(({ id }) => !isByHand(id) || records.has(stepRecordId(id)));
  // The same list where nothing is added, so that what is kept by its identity stays.
  if (isSame) return opened.steps;
  const recorded = opened.steps.filter(({ id }) => !isByHand(id));
  const steps = merged(
    recorded,
    byHand,
    ({ start }) => start[2],
    (record) => known.get(record.action) ?? stepOfAction(actionByHand(record), NO_PICTURES),
  );
  return steps.map((step, at) => (isByHand(step.id) ? withPictures(step, steps[at + 1], opened.frames) : step));
}

const NO_PICTURES = { before: -1, after: -1 };

/** From the picture that it was added at to the last one before the next step, as the studio chooses them too (N12). */
function withPictures(step: Step, next: Step | undefined, frames: OpenedRecording['frames']): Step {
  const t = step.start[2];
  const before = placeAt(frames, t);
  const after = next ? placeAt(frames, Math.max(t, next.start[2] - 1)) : frames.length - 1;
  return step.before === before && step.after === after ? step : { ...step, before, after };
}

function merged<T>(
  recorded: readonly T[],
  byHand: readonly StepByHand[],
  timeOf: (one: T) => number,
  make: (record: StepByHand) => T,
): T[] {
  const all: T[] = [];
  let next = 0;
  for (const one of recorded) {
    while (next < byHand.length && byHand[next]!.t < timeOf(one)) all.push(make(byHand[next++]!));
    all.push(one);
  }
  for (; next < byHand.length; next++) all.push(make(byHand[next]!));
  return all;
}

function actionByHand(record: StepByHand): Action {
  const { action, does, button, count, text, keys, scroll, t } = record;
  const start: ActionPoint = { x: record.x, y: record.y, display: record.x === null ? null : 1, t };
  const end: ActionPoint = record.endX === null ? start : { ...start, x: record.endX, y: record.endY };
  const way = does === 'drag' ? [start, end].map(({ x, y }): [number, number, number] => [x ?? 0, y ?? 0, t]) : null;
  return {
    ...plainAction(),
    id: action,
    kind: does,
    button,
    modifiers: [],
    start,
    end,
    path: way,
    text,
    keystrokes: text === null ? null : [...text],
    keys,
    count,
    scroll: scroll && { ...scroll, unit: 'notch', natural: false },
    window: null,
    incomplete: false,
  };
}

/** Adds a step. One that comes first begins the first subtask (N1). Throws USAGE for one that says too little. */
export function addStep(
  records: Records,
  opened: Pick<OpenedRecording, 'steps' | 'frames'>,
  record: StepByHand,
): Change[] {
  checkStepByHand(record);
  const changes = put(records, record.id, record);
  const steps = stepsWith(opened, records);
  if (stepsWith(opened, applyChanges(records, changes))[0]?.id !== record.action) return changes;
  const first = subtaskSpans(steps, records)[0]?.record;
  const id = first?.id ?? firstSubtaskId(record.action);
  const title = first?.title ?? '';
  return [...changes, ...put(records, id, { kind: 'subtask', id, first: record.action, title })];
}

/** Throws USAGE for what could not be done or shown: a click without a place, a word that is empty. */
export function checkStepByHand(record: StepByHand): void {
  const { does, x, y, endX, endY, text, keys, scroll, button } = record;
  const placed = x !== null && y !== null;
  const lacks =
    (does === 'click' || does === 'drag' || does === 'scroll') && !placed
      ? 'a place in the picture'
      : does === 'drag' && (endX === null || endY === null || (endX === x && endY === y))
        ? 'another place where it ends'
        : (does === 'click' || does === 'drag') && button === null
          ? 'a button'
          : does === 'type' && !text
            ? 'the text that was typed'
            : does === 'press' && (keys === null || keys.length === 0)
              ? 'the keys that were pressed'
              : does === 'scroll' && (scroll === null || (scroll.dx === 0 && scroll.dy === 0))
                ? 'how far it scrolled'
                : null;
  if (lacks !== null) throw new StudioError('USAGE', `The step needs ${lacks}.`, { step: record.action });
}
