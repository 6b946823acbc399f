import type { HookKeyEvent } from '../../native/input/hook.ts';
import type { KeyStroke, Line } from './line.ts';

/**
 * Written to events.jsonl in place of the keys that went into a field for passwords (I6): one line for those that came one
 * after the other, which says how many there were. A release goes where its press went.
 */
export type Withholding = {
  /** Whether the line is withheld, and counted. */
  takes(line: Line): boolean;
  /** The line for what was withheld until now; null where there is none, or where it goes on: a line of time `t` does not end it. */
  close(t?: number): WithheldLine | null;
  /** A pause begins or ends: releases of keys from before are not seen any more. */
  reset(): void;
};
export type WithheldLine = { t: number; type: 'withheld'; from: number; keys: number };

/** Keys that leave a field or answer its dialog: they are no letters, and a step of their own. */
const NAMED = /^(?:Enter|NumpadEnter|Tab|Escape|F\d{1,2})$/;
const MODIFIER = /^(?:Shift|Control|Alt|Meta|OS)(?:Left|Right)$|^AltGraph$/;
/** The same by what the system made of it. */
const MODIFIER_KEY = /^(?:Shift|Control|Alt|Meta|Hyper|AltGraph|Level5)$/;
/** Keys that can move the focus, alone; any can with Ctrl, Alt or Meta held. */
const MOVES = /^(?:Enter|NumpadEnter|Tab|Escape|F\d{1,2}|Arrow\w+|Page\w+|Home|End|Space|ContextMenu|Unknown)$/;

export function keyStrokeOf(event: HookKeyEvent): KeyStroke {
  const { code, hookCode } = event;
  return { id: code ?? `#${hookCode}`, down: event.type === 'keydown', kind: kindOf(event) };
}

/** A key that writes is a letter, whatever its physical code is named: programs map letters onto spare keys. */
function kindOf(event: HookKeyEvent): KeyStroke['kind'] {
  const { code } = event;
  const made = event.type === 'keydown' ? event.made : undefined;
  if (code === null || made?.text !== undefined || made?.sequence !== undefined) return 'letter';
  if (NAMED.test(code)) return 'named';
  return MODIFIER.test(code) || MODIFIER_KEY.test(made?.key ?? '') ? 'modifier' : 'letter';
}
export const movesFocus = (code: string | null, chord: boolean): boolean => chord || MOVES.test(code ?? 'Unknown');

/** A longer rest between two keys makes two lines of them, µs: a line may not come much later than those around it. */
const REST = 2_000_000;

export function createWithholding(isSecret: (t: number) => boolean): Withholding {
  const held = new Set<string>();
  const out = new Set<string>();
  let line: WithheldLine | null = null;

  function isWithheld(t: number, { id, down, kind }: KeyStroke): boolean {
    if (!down) {
      const [wasHeld, wasOut] = [held.delete(id), out.delete(id)];
      if (wasHeld || wasOut) return !wasOut;
    }
    if (kind === 'named') return false;
    // One that is held down and repeats goes on where it began, too.
    const secret = isSecret(t) || (down && held.has(id));
    if (down) (secret ? held : out).add(id);
    return secret;
  }

  return {
    takes({ t, stroke, own }) {
      if (!stroke || !isWithheld(t, stroke)) return false;
      if (own) return true;
      const counts = stroke.down && stroke.kind === 'letter' ? 1 : 0;
      line = { t, type: 'withheld', from: line?.from ?? t, keys: (line?.keys ?? 0) + counts };
      return true;
    },
    close(t = Number.POSITIVE_INFINITY) {
      if (!line || t - line.t <= REST) return null;
      const closed = line;
      line = null;
      return closed;
    },
    reset() {
      held.clear();
      out.clear();
    },
  };
}
