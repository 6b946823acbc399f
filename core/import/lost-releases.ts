import type { DucktrackEvent } from '../../schemas/import.ts';
import { namedKey, plainChar, readKey } from './pynput-keys.ts';

/**
 * Modifiers whose release is not in the file: a lock screen, a dialog that asks for rights or another session takes it, and
 * all that follows would be read as shortcuts.
 */
export type LostReleases = {
  /** By line of events.jsonl: the modifiers that are let go before it. */
  before: ReadonlyMap<number, readonly string[]>;
  /** Modifiers that no release follows and that may have been held to the end. */
  open: readonly string[];
};

const MODIFIERS = /^(?:Control|Meta|Alt|Shift)(?:Left|Right)$/;
/** A hand that goes on with the same modifier held does so within this time, µs. */
const TOGETHER = 1_000_000;
/** So many other acts after the first are no row of shortcuts under a modifier that is never let go. */
const MANY = 3;

type Held = {
  code: string;
  /** The first act under it; null while there was none. */
  first: string | null;
  /** Whether that act locks the screen, which takes the keyboard at once. */
  locks: boolean;
  last: number;
  others: number;
  /** Lines of the first other act, and of the first act after a while. */
  other: number | null;
  late: number | null;
};

/** Looks at every line once; `take` in the order of the file. */
export function createReleaseLook() {
  const held = new Map<string, Held>();
  const before = new Map<number, string[]>();
  const open: string[] = [];

  const letGo = (code: string, line: number): void => void before.set(line, [...(before.get(line) ?? []), code]);

  /** `next`: the line of the same modifier's next press, which shows for certain that it was let go. */
  function missed(one: Held, next: number | null): void {
    if (one.first === null) return;
    const line = (one.locks ? one.other : one.late) ?? (one.others >= MANY ? one.other : null) ?? next;
    if (line !== null) letGo(one.code, line);
    else open.push(one.code);
  }

  function act(what: string, line: number, t: number): void {
    for (const one of held.values()) {
      if (one.first === null) {
        one.first = what;
        one.locks = locksScreen(what, held);
      } else {
        if (t - one.last > TOGETHER) one.late ??= line;
        if (what !== one.first) {
          one.others++;
          one.other ??= line;
        }
      }
      one.last = t;
    }
  }

  function press(what: string, line: number, t: number): void {
    if (!MODIFIERS.test(what)) {
      act(what, line, t);
      return;
    }
    const one = held.get(what);
    // A key that is held is told again and again, but not any more once another one was pressed.
    if (one && one.first === null) return;
    if (one) missed(one, line);
    held.set(what, { code: what, first: null, locks: false, last: t, others: 0, other: null, late: null });
  }

  return {
    /** `t`: µs of their clock. */
    take(event: DucktrackEvent, line: number, t: number): void {
      switch (event.action) {
        case 'move':
          return;
        case 'click':
          if (event.pressed) act('pointer', line, t);
          return;
        case 'scroll':
          act('pointer', line, t);
          return;
        case 'press':
          press(nameOf(event), line, t);
          return;
        case 'release':
          held.delete(nameOf(event));
          return;
        case 'pause':
        case 'resume':
          // Nothing is held across it (A12).
          for (const one of held.values()) missed(one, line);
          held.clear();
      }
    },
    finish(): LostReleases {
      for (const one of held.values()) missed(one, null);
      return { before, open };
    },
  };
}

function nameOf(event: Extract<DucktrackEvent, { action: 'press' | 'release' }>): string {
  const { name, number } = readKey(event);
  if (name === null) return `<${number ?? ''}>`;
  return namedKey(name) ?? plainChar(name).toLowerCase();
}

/** Meta+L, Ctrl+Alt+L, Ctrl+Meta+Q on a Mac, Ctrl+Alt+Delete. */
function locksScreen(what: string, held: ReadonlyMap<string, unknown>): boolean {
  const down = (name: string): boolean => held.has(`${name}Left`) || held.has(`${name}Right`);
  if (what === 'l') return down('Meta') || (down('Control') && down('Alt'));
  if (what === 'q') return down('Control') && down('Meta');
  return what === 'Delete' && down('Control') && down('Alt');
}
