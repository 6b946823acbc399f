import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import { writeFileAtomic } from '../files/atomic.ts';

/** The user's own settings, JSON by key, in one file of this machine. */
export type Settings = {
  get(): Record<string, unknown>;
  /** Sets each key; null removes it. Throws USAGE when they would be larger than 1 MB. */
  set(values: Record<string, unknown>): Record<string, unknown> | Promise<Record<string, unknown>>;
};

const MOST_BYTES = 1_000_000;

/** A file that cannot be read counts as empty: settings never keep anybody from working. */
export function openSettings(file: string): Settings {
  const get = (): Record<string, unknown> => {
    try {
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      // An object that is no list is a record of unknown values.
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : {};
    } catch {
      return {};
    }
  };
  return {
    get,
    set(values) {
      const { next, text } = changedSettings(get(), values);
      mkdirSync(dirname(file), { recursive: true });
      writeFileAtomic(file, text);
      return { ...next };
    },
  };
}

/** The settings with these changed, and as they are written down. Throws USAGE when they would be larger than 1 MB. */
export function changedSettings(
  before: Record<string, unknown>,
  values: Record<string, unknown>,
): { next: Record<string, unknown>; text: string } {
  const kept = Object.entries({ ...before, ...values }).filter(([, value]) => value !== null && value !== undefined);
  // Null prototype: `__proto__` is a key like any other.
  const next: Record<string, unknown> = Object.assign(Object.create(null), Object.fromEntries(kept));
  const text = `${JSON.stringify(next, null, 2)}\n`;
  if (Buffer.byteLength(text) > MOST_BYTES) {
    throw new StudioError('USAGE', 'The settings would be larger than 1 MB; nothing was changed.', {
      bytes: text.length,
    });
  }
  return { next, text };
}
