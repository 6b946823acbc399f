import { median } from '../../core/lists.ts';

/**
 * The cost of annotating, by step: time, keys and pointer actions from coming to a step until it is confirmed. Kept in the
 * browser only. Time away (no key or pointer for `AWAY_MS`) is not work.
 */
type Effort = { ms: number; keys: number; pointer: number };
export type EffortLog = {
  /** By action; a step that is worked on twice counts once, with all its work. */
  done: Readonly<Record<string, Effort>>;
  now: { action: string; at: number; effort: Effort } | null;
};

const AWAY_MS = 60_000;
const NONE: Effort = { ms: 0, keys: 0, pointer: 0 };

export const NO_EFFORT: EffortLog = { done: {}, now: null };

/** A key or a pointer press at `at` (ms, monotonic) while `action` is the step being worked on. */
export function counted(log: EffortLog, action: string, what: 'key' | 'pointer', at: number): EffortLog {
  const now = log.now?.action === action ? log.now : { action, at, effort: NONE };
  return { ...log, now: { action, at, effort: sum(passed(now, at), what === 'key' ? { keys: 1 } : { pointer: 1 }) } };
}

/** Another step is worked on from now. The counts of the one before are kept for when one comes back. */
export function entered(log: EffortLog, action: string, at: number): EffortLog {
  if (log.now?.action === action) return log;
  return { ...log, now: { action, at, effort: NONE } };
}

export function finished(log: EffortLog, action: string, at: number): EffortLog {
  if (log.now?.action !== action) return log;
  const effort = sum(log.done[action] ?? NONE, passed(log.now, at));
  return { done: { ...log.done, [action]: effort }, now: { action, at, effort: NONE } };
}

/** Medians over the steps that were confirmed; null without any. */
export function medians(log: EffortLog): { ms: number; keystrokes: number; steps: number } | null {
  const all = Object.values(log.done);
  if (all.length === 0) return null;
  return {
    ms: median(all.map((effort) => effort.ms)),
    keystrokes: median(all.map((effort) => effort.keys + effort.pointer)),
    steps: all.length,
  };
}

function passed(now: { at: number; effort: Effort }, at: number): Effort {
  const ms = Math.max(at - now.at, 0);
  return ms > AWAY_MS ? now.effort : sum(now.effort, { ms });
}

function sum(a: Effort, b: Partial<Effort>): Effort {
  return { ms: a.ms + (b.ms ?? 0), keys: a.keys + (b.keys ?? 0), pointer: a.pointer + (b.pointer ?? 0) };
}

/** The counts that this browser kept from before. */
export function loadEffort(key: string): EffortLog {
  try {
    const done: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (typeof done !== 'object' || done === null) return NO_EFFORT;
    const entries = Object.entries(done).filter(([, value]) => isEffort(value));
    return { done: Object.fromEntries(entries), now: null };
  } catch {
    return NO_EFFORT;
  }
}

function isEffort(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('ms' in value && 'keys' in value && 'pointer' in value))
    return false;
  return [value.ms, value.keys, value.pointer].every((one) => typeof one === 'number');
}

export function saveEffort(key: string, log: EffortLog): void {
  try {
    localStorage.setItem(key, JSON.stringify(log.done));
  } catch {
    // No room: the medians of this visit are lost with the page, nothing else.
  }
}
