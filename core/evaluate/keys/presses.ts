import type { Act } from './acts.ts';
import { canonicalKey, isLibraryKey } from './names.ts';

/** The keys of an answer as acts, so that they can be performed; nothing stays held (M32). */

const HELD = new Set(['ctrl', 'shift', 'alt', 'altright', 'win', 'option', 'command', 'fn']);

/** Of a list of names: modifiers are held for the keys that follow, up to the next modifier or the end. */
export function actsOfKeys(names: readonly string[]): Act[] {
  const acts: Act[] = [];
  let held: string[] = [];
  let used = false;
  const release = (): void => {
    for (const key of held.toReversed()) acts.push({ do: 'key', key, down: false });
    held = [];
    used = false;
  };
  for (const key of names) {
    if (HELD.has(canonicalKey(key))) {
      if (used || held.includes(key)) release();
      held.push(key);
      acts.push({ do: 'key', key, down: true });
    } else {
      acts.push({ do: 'key', key, down: true }, { do: 'key', key, down: false });
      used = held.length > 0;
    }
  }
  release();
  return acts;
}

/** Of a program's presses and releases: keys that the library ignores are left out, and what stays down is let go at the end. */
export function actsOfEvents(
  events: readonly (readonly ['down' | 'up', string])[],
  otherCharacters: 'ignored' | 'typed',
): Act[] {
  const down = new Set<string>();
  const acts: Act[] = [];
  for (const [what, key] of events) {
    if (!isLibraryKey(key) && !(otherCharacters === 'typed' && [...key].length === 1)) continue;
    const name = canonicalKey(key);
    if (what === 'up') {
      // The library lets go of keys that are up, which does nothing.
      if (!down.delete(name)) continue;
    } else down.add(name);
    acts.push({ do: 'key', key: name, down: what === 'down' });
  }
  for (const key of [...down].reverse()) acts.push({ do: 'key', key, down: false });
  return acts;
}
