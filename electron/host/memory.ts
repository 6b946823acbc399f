import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Rect } from './api.ts';

/** The host's memory from one start to the next: where the window was, and what was recorded last. */
export type Memory = { bounds: Rect | null; maximized: boolean; recordPage: string | null };

const NOTHING: Memory = { bounds: null, maximized: false, recordPage: null };

/** A file that is missing, damaged or of another shape counts as empty. */
export function readMemory(file: string): Memory {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return NOTHING;
    const bounds: unknown = Reflect.get(value, 'bounds');
    const recordPage: unknown = Reflect.get(value, 'recordPage');
    return {
      bounds: isRect(bounds) ? bounds : null,
      maximized: Reflect.get(value, 'maximized') === true,
      recordPage: typeof recordPage === 'string' && RECORD_PAGE.test(recordPage) ? recordPage : null,
    };
  } catch {
    return NOTHING;
  }
}

/** A page where a task is recorded. */
export const RECORD_PAGE = /^\/w\/[^/?#]+\/tasks\/[^/?#]+\/record$/;

/** Whole or not at all; what cannot be written is forgotten. */
export function writeMemory(file: string, memory: Memory): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.part`, `${JSON.stringify(memory)}\n`);
    renameSync(`${file}.part`, file);
  } catch {
    // The window opens where the system puts it, the next time.
  }
}

function isRect(value: unknown): value is Rect {
  if (typeof value !== 'object' || value === null) return false;
  return ['x', 'y', 'width', 'height'].every((name) => Number.isInteger(Reflect.get(value, name)));
}
