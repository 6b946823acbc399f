import type { Act } from './acts.ts';
import { canonicalKey, isLibraryKey } from './names.ts';

/** The keys of an answer as acts, so that they can be performed; nothing stays held (M32). */

const HELD = new Set(['ctrl', 'shift', 'alt', 'altright', 'win', 'option', 'command', 'fn']);

/** Presses and releases for a list of key names. A modifier is held for the keys after it, until the next modifier or the end. */
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

/** A program's presses and releases without the keys that its library ignores. Keys still down at the end are released. */
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
