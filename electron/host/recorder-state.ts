import type { Rect } from './api.ts';

/** The part of the API's recorder state that the host reads (schemas/api/models.ts); checked by hand, field by field. */
export type RecorderNow = {
  recording: string;
  task: string;
  phase: string;
  paused: string | null;
  t: number;
  frames: number;
  events: number;
  marks: number;
  /** How often something was forgotten, and how often that was refused or failed. */
  forgotten: number;
  notForgotten: number;
  /** How much "forget" forgets, minutes. */
  forgetMinutes: number;
  /** Physical px; null before it is known. */
  view: Rect | null;
  /** Wayland: the host is to share the screen. */
  shared: boolean;
};

const field = (value: object, name: string): unknown => Reflect.get(value, name);
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Null when nothing was recorded yet, or when it is none of the shape. */
export function readRecorder(value: unknown): RecorderNow | null {
  if (typeof value !== 'object' || value === null || typeof field(value, 'phase') !== 'string') return null;
  const paused = field(value, 'paused');
  return {
    recording: textOf(field(value, 'recording')),
    task: textOf(field(value, 'task')),
    phase: textOf(field(value, 'phase')),
    paused: typeof paused === 'string' ? paused : null,
    t: numberOf(field(value, 't')),
    frames: numberOf(field(value, 'frames')),
    events: numberOf(field(value, 'events')),
    marks: numberOf(field(value, 'marks')),
    forgotten: timesOf(field(value, 'forgotten')),
    notForgotten: refusalsOf(field(value, 'notices')),
    forgetMinutes: numberOf(field(value, 'forgetMinutes')),
    view: readRect(field(value, 'view')),
    shared: field(value, 'shared') === true,
  };
}

const timesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? numberOf(field(value, 'times')) : 0;
const refusalsOf = (value: unknown): number =>
  Array.isArray(value)
    ? value.filter((one) => typeof one === 'object' && one !== null && field(one, 'code') === 'not-forgotten').length
    : 0;

function readRect(value: unknown): Rect | null {
  if (typeof value !== 'object' || value === null) return null;
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => field(value, name));
  const all = [x, y, width, height].every((one) => typeof one === 'number' && Number.isFinite(one));
  return all ? { x: numberOf(x), y: numberOf(y), width: numberOf(width), height: numberOf(height) } : null;
}

/** Something is being recorded, or a recording is being closed. */
export const isBusy = (now: RecorderNow | null): now is RecorderNow =>
  now !== null && now.phase !== 'done' && now.phase !== 'failed';

/** The person's part is under way or about to be: what can be stopped. */
export const isRunning = (now: RecorderNow | null): now is RecorderNow =>
  now !== null && ['starting', 'countdown', 'recording'].includes(now.phase);

/** Nothing is kept for now. The sync check's own pause is none: the person's part is about to begin, or over. */
export const isPaused = (now: RecorderNow | null): boolean =>
  now?.phase === 'recording' && now.paused !== null && now.paused !== 'sync';

/** In a few words, for the tray. */
export function inWords(now: RecorderNow | null): string {
  if (!isBusy(now)) return 'Not recording';
  if (now.phase === 'starting' || now.phase === 'countdown') return `About to record ${now.task}`;
  if (now.phase !== 'recording') return `Closing the recording of ${now.task}`;
  const seconds = Math.floor(now.t / 1e6);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const pause = now.paused === 'privacy' ? 'Privacy pause' : now.paused === 'forgotten' ? 'Forgetting' : 'Paused';
  return `${now.paused === null || now.paused === 'sync' ? 'Recording' : pause} ${now.task}, ${time}`;
}
