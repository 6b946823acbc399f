import type { RawEvent } from '../../schemas/events.ts';

/**
 * The warning about keys of which nobody knows what they did: without it, a recording that lacks a part of what was typed would be
 * "complete" in silence.
 */
export function unknownKeys(events: readonly RawEvent[]): { code: string; message: string } | null {
  const unknown = events.filter(isUnknown);
  const first = unknown[0];
  if (!first) return null;
  const count = unknown.length === 1 ? '1 key was pressed' : `${unknown.length} keys were pressed`;
  const at = `${(first.t / 1e6).toFixed(1)} s`;
  const message = `${count} of which the system does not say what it made (the first at ${at}); text may be missing there.`;
  return { code: 'keys-unknown', message };
}

/** Also in older recordings: a key that the hook could not name, of which nothing else is known. */
function isUnknown(event: RawEvent): boolean {
  if (event.type !== 'keydown' || event.repeat === true || event.code !== 'Unknown') return false;
  return event.made === undefined || event.made.key === 'Unidentified';
}
