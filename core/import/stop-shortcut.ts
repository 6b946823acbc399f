import type { DucktrackEvent } from '../../schemas/import.ts';
import { namedKey, plainChar } from './pynput-keys.ts';

/** The key presses and releases that told AgentNet's tool to stop, by their lines in events.jsonl. */
export type StopShortcut = { lines: ReadonlySet<number>; presses: ReadonlySet<number>; keys: string };

/** With Option held, a Mac names T by the sign that it would type. */
const T_NAMES = new Set(['t', '†']);
const isT = (name: string | null): boolean => name !== null && T_NAMES.has(plainChar(name).toLowerCase());

const MODIFIERS = /^(?:Control|Meta|Alt|Shift)(?:Left|Right)$/;

/**
 * Looks for Ctrl+Alt+T (Cmd+Alt+T on a Mac), which AgentNet's tool registers for "stop" with the system, as the last that a
 * person did. It never reached the application, and is no step of the task. Earlier ones are left alone: after a stop
 * nothing is recorded any more. A modifier that served something else before keeps its press and its release.
 */
export function createStopLook(system: string | undefined) {
  const main = system === 'Darwin' ? 'Meta' : 'Control';
  /** Modifiers that are down, with the lines and times of their presses; `used`: another act came while they were down. */
  const held = new Map<string, { used: boolean; presses: { line: number; t: number }[] }>();
  let found: { codes: Set<string>; lines: Set<number>; presses: Set<number> } | null = null;

  const down = (name: string): boolean => held.has(`${name}Left`) || held.has(`${name}Right`);
  const shortcutHeld = (): boolean => {
    const other = main === 'Meta' ? 'Control' : 'Meta';
    return down(main) && down('Alt') && !down('Shift') && !down(other);
  };
  const act = (): void => {
    found = null;
    for (const one of held.values()) one.used = true;
  };

  function press(name: string | null, line: number, t: number): void {
    const code = isT(name) ? 'KeyT' : name === null ? null : namedKey(name);
    // A key that is held is told again and again, and who is in doubt presses twice.
    const again = code !== null && found?.codes.has(code);
    if (found && again && (code !== 'KeyT' || shortcutHeld())) {
      found.lines.add(line);
      found.presses.add(t);
      if (code !== 'KeyT' && !held.has(code)) held.set(code, { used: false, presses: [] });
      return;
    }
    if (code !== null && MODIFIERS.test(code)) {
      found = null;
      const one = held.get(code) ?? { used: false, presses: [] };
      one.presses.push({ line, t });
      held.set(code, one);
      return;
    }
    if (code !== 'KeyT' || !shortcutHeld()) {
      act();
      return;
    }
    found = { codes: new Set(['KeyT']), lines: new Set([line]), presses: new Set([t]) };
    for (const [modifier, { used, presses }] of held) {
      if (used) continue;
      found.codes.add(modifier);
      for (const one of presses) {
        found.lines.add(one.line);
        found.presses.add(one.t);
      }
    }
  }

  function release(name: string | null, line: number): void {
    const code = isT(name) ? 'KeyT' : name === null ? null : namedKey(name);
    if (code === null) return;
    held.delete(code);
    if (found?.codes.has(code)) found.lines.add(line);
  }

  return {
    /** `t`: µs of their clock, by which the presses are told. */
    take(event: DucktrackEvent, line: number, t: number): void {
      switch (event.action) {
        case 'move':
          return;
        case 'click':
          if (event.pressed) act();
          return;
        case 'press':
          press(event.name, line, t);
          return;
        case 'release':
          release(event.name, line);
          return;
        case 'scroll':
          act();
          return;
        case 'pause':
        case 'resume':
          act();
          held.clear();
      }
    },
    finish: (): StopShortcut | null =>
      found && { lines: found.lines, presses: found.presses, keys: main === 'Meta' ? 'Cmd+Alt+T' : 'Ctrl+Alt+T' },
  };
}
