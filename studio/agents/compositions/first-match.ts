import { runInNewContext } from 'node:vm';

/** A pattern of a check comes from whoever made the task, and some never end, ms. */
const LIMIT_MS = 2000;

/** What a pattern finds first in a text: its first group where it has one, else all of it. Null: nothing within two seconds. */
export function firstMatch(pattern: string, flags: string, text: string): string | null {
  try {
    const code = 'const found = new RegExp(pattern, flags).exec(text); found && (found[1] ?? found[0])';
    const found: unknown = runInNewContext(code, { pattern, flags, text }, { timeout: LIMIT_MS });
    return typeof found === 'string' ? found : null;
  } catch {
    return null; // It took too long, or is none.
  }
}
