import type { RawEvent } from '../../schemas/events.ts';

/**
 * A quick look at whether a parsed line has the fields of its kind: what later code reads as a number is one.
 * The whole check is rawEventSchema's, a hundred times slower; a recording of a busy hour has a million lines.
 */
export function hasEventShape(value: unknown): value is RawEvent {
  if (typeof value !== 'object' || value === null) return false;
  const event = value as Record<string, unknown>; // An object; each field is looked at before use.
  if (!Number.isInteger(event.t)) return false;
  const { mods } = event;
  if (mods !== undefined && !isInteger(mods, 0, 15)) return false;
  switch (event.type) {
    case 'move':
      return hasPlace(event);
    case 'down':
    case 'up':
      return hasPlace(event) && typeof event.button === 'string';
    case 'wheel':
      return (
        hasPlace(event) && Number.isFinite(event.dx) && Number.isFinite(event.dy) && typeof event.unit === 'string'
      );
    case 'keydown':
    case 'keyup':
      return typeof event.code === 'string';
    case 'layout':
      return isLayout(event.layout);
    case 'locks':
      return typeof event.caps === 'boolean' && typeof event.num === 'boolean';
    case 'settings':
      return isObject(event.settings) && Object.values(event.settings).every((one) => typeof one !== 'object');
    case 'displays':
      return Array.isArray(event.displays) && event.displays.every(isRect);
    case 'view':
      return isRect(event.view) && Number.isInteger(event.segment);
    case 'pause':
      return typeof event.reason === 'string';
    case 'resume':
      return (
        typeof event.reason === 'string' &&
        (event.pointer == null || (isObject(event.pointer) && hasPlace(event.pointer)))
      );
    case 'own':
      return Array.isArray(event.events) && event.events.every(Number.isInteger) && typeof event.reason === 'string';
    case 'step':
      return Number.isInteger(event.until);
    case 'withheld':
      return Number.isInteger(event.from) && Number.isInteger(event.keys) && Number(event.keys) >= 0;
    case 'text':
      return (
        isInteger(event.field, 0, Number.MAX_SAFE_INTEGER) &&
        isInteger(event.at, 0, Number.MAX_SAFE_INTEGER) &&
        isInteger(event.removed, 0, Number.MAX_SAFE_INTEGER) &&
        typeof event.inserted === 'string'
      );
    case 'mark':
      return event.kind === 'subtask' || event.kind === 'moment';
    case 'anchor':
      return Number.isFinite(event.wallMs);
    case 'notice':
      return typeof event.code === 'string' && typeof event.message === 'string';
    default:
      return false;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isLayout = (value: unknown): boolean =>
  isObject(value) && typeof value.altGr === 'boolean' && isObject(value.keys) && Object.values(value.keys).every(isKey);

const isKey = (value: unknown): boolean =>
  isObject(value) &&
  Array.isArray(value.chars) &&
  value.chars.every(isKeyChar) &&
  (value.num === undefined || typeof value.num === 'string');

const isKeyChar = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  (isObject(value) &&
    typeof value.dead === 'string' &&
    typeof value.alone === 'string' &&
    (value.space === undefined || typeof value.space === 'string'));

const isInteger = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

const hasPlace = (event: Record<string, unknown>): boolean => Number.isInteger(event.x) && Number.isInteger(event.y);

const isRect = (value: unknown): boolean =>
  isObject(value) && hasPlace(value) && Number.isInteger(value.width) && Number.isInteger(value.height);
