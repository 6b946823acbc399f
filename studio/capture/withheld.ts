import type { HookKeyEvent } from '../../native/input/hook.ts';
import type { WithheldWhy } from '../../schemas/events.ts';
import { MOD_BITS } from '../../schemas/key-bits.ts';
import type { KeyStroke, Line } from './line.ts';

/**
 * Written to events.jsonl in place of the keys that went into a field for passwords (I6): one line for those that came one
 * after the other, which says how many there were. A release goes where its press went.
 */
export type Withholding = {
  /** Whether the line is withheld, and counted. */
  takes(line: Line): boolean;
  /** Modifiers that are held for this line, a chord or a key of its own, and were withheld by themselves: they go out with it. */
  owed(line: Line): Line[];
  /** The line for what was withheld until now; null where there is none, or where it goes on: a line of time `t` does not end it. */
  close(t?: number): WithheldLine | null;
  /** A pause begins or ends: releases of keys from before are not seen any more. */
  reset(): void;
};
export type WithheldLine = { t: number; type: 'withheld'; from: number; keys: number; why: WithheldWhy };

/** Keys that leave a field or answer its dialog: they are no letters, and a step of their own. */
const NAMED = /^(?:Enter|NumpadEnter|Tab|Escape|F\d{1,2})$/;
const MODIFIER = /^(?:Shift|Control|Alt|Meta|OS)(?:Left|Right)$|^AltGraph$/;
/** The same by what the system made of it. */
const MODIFIER_KEY = /^(?:Shift|Control|Alt|Meta|Hyper|AltGraph|Level5)$/;
/** Keys that can move the focus, alone; any can with Ctrl, Alt or Meta held. */
const MOVES = /^(?:Enter|NumpadEnter|Tab|Escape|F\d{1,2}|Arrow\w+|Page\w+|Home|End|Space|ContextMenu|Unknown)$/;

export function keyStrokeOf(event: HookKeyEvent): KeyStroke {
  const { code, hookCode } = event;
  const kind = kindOf(event);
  const isChord = kind === 'letter' && writesNothing(event);
  return { id: code ?? `#${hookCode}`, down: event.type === 'keydown', kind: isChord ? 'chord' : kind };
}

/** A key that writes is a letter, whatever its physical code is named: programs map letters onto spare keys. */
function kindOf(event: HookKeyEvent): KeyStroke['kind'] {
  const { code } = event;
  const made = event.type === 'keydown' ? event.made : undefined;
  if (code === null || made?.text !== undefined || made?.sequence !== undefined) return 'letter';
  if (NAMED.test(code)) return 'named';
  return MODIFIER.test(code) || MODIFIER_KEY.test(made?.key ?? '') ? 'modifier' : 'letter';
}

/** Digits and letters that Ctrl+Shift+U makes a character of, in GTK and IBus. */
const HEXADECIMAL = /^(?:Key[A-FU]|Digit\d|Numpad\d)$/;
/**
 * Whether Ctrl or Meta is held so that the key is a command. Ctrl with Alt is AltGr on Windows; Alt alone writes in some terminals,
 * and with digits on Windows. What the system made of it says more: an option may make Ctrl a key that writes.
 */
function writesNothing(event: HookKeyEvent): boolean {
  const { code, mods } = event;
  const has = (bits: number): boolean => (mods & bits) !== 0;
  const made = event.type === 'keydown' ? event.made : undefined;
  if (made && (made.text !== undefined || made.sequence !== undefined || made.dead !== undefined)) return false;
  if (code === null || !has(MOD_BITS.ctrl | MOD_BITS.meta) || has(MOD_BITS.alt)) return false;
  return !has(MOD_BITS.shift) || !HEXADECIMAL.test(code);
}
export const movesFocus = (code: string | null, chord: boolean): boolean => chord || MOVES.test(code ?? 'Unknown');

/** Where the pointer was, and the button of a press or release. */
const pointerOf = ({ line }: Line): { type: unknown; x: number; y: number; button: unknown } | null => {
  const { type, x, y, button } = line;
  return typeof x === 'number' && typeof y === 'number' ? { type, x, y, button } : null;
};

/** A longer rest between two keys makes two lines of them, µs: a line may not come much later than those around it. */
const REST = 2_000_000;

/** Of one run: how a secret is known says more than that a program did not answer. */
const whyOfRun = (line: WithheldLine | null, why: WithheldWhy): WithheldWhy =>
  line === null || line.why === 'unanswered' ? why : line.why;

/** `onKeyboard`: whether a place lay on an on-screen keyboard, where the pointer presses letters. */
export function createWithholding(
  secretAt: (t: number) => WithheldWhy | null,
  onKeyboard: (t: number, x: number, y: number) => boolean = () => false,
): Withholding {
  const held = new Map<string, WithheldWhy>();
  const out = new Set<string>();
  /** Modifiers that are down, and for which no letter came yet. */
  const modifiers = new Map<string, Line>();
  /** Buttons that are down, and whether their press was withheld. */
  const buttons = new Map<unknown, boolean>();
  let line: WithheldLine | null = null;
  /** On keyboards on the screen, in this run. Some write into the field without a key. */
  let presses = 0;

  function extend(t: number, keys: number, why: WithheldWhy): void {
    line = { t, type: 'withheld', from: line?.from ?? t, keys: (line?.keys ?? 0) + keys, why: whyOfRun(line, why) };
  }
  function takesPointer(entry: Line): boolean {
    const pointer = pointerOf(entry);
    if (!entry.isInput || !pointer) return false;
    const { t, own } = entry;
    const { type, x, y, button } = pointer;
    // A release goes where its press went.
    if (type === 'up' && buttons.has(button)) {
      const isWithheld = buttons.get(button) === true;
      buttons.delete(button);
      return isWithheld;
    }
    const why = onKeyboard(t, x, y) ? secretAt(t) : null;
    if (type === 'down') buttons.set(button, why !== null);
    if (why !== null && type === 'down' && !own) {
      presses++;
      extend(t, 0, why === 'unanswered' ? why : 'on-screen');
    }
    return why !== null;
  }

  function whyOf(t: number, { id, down, kind }: KeyStroke): WithheldWhy | null {
    if (!down) {
      const was = held.get(id);
      const [wasHeld, wasOut] = [held.delete(id), out.delete(id)];
      if (wasHeld || wasOut) return wasOut ? null : (was ?? null);
    }
    if (kind === 'named') return null;
    // One that is held down and repeats goes on where it began, too. A chord that writes nothing is no letter of a secret.
    const why = kind === 'chord' ? null : (secretAt(t) ?? (down ? (held.get(id) ?? null) : null));
    if (down && why) held.set(id, why);
    else if (down) out.add(id);
    return why;
  }

  return {
    takes(entry) {
      const { t, stroke, own } = entry;
      if (!stroke) return takesPointer(entry);
      const why = whyOf(t, stroke);
      // Enter on such a keyboard is a step of its own, and was pressed there, too.
      if (why === null && stroke.down) presses = Math.max(0, presses - 1);
      if (why === null) return false;
      if (!stroke.down) modifiers.delete(stroke.id);
      else if (stroke.kind === 'modifier') modifiers.set(stroke.id, entry);
      else modifiers.clear();
      if (own) return true;
      const counts = stroke.down && stroke.kind === 'letter' ? 1 : 0;
      extend(t, counts, why);
      return true;
    },
    owed({ stroke }) {
      if (!stroke?.down || (stroke.kind !== 'named' && stroke.kind !== 'chord')) return [];
      const lines = [...modifiers.values()];
      for (const id of modifiers.keys()) {
        held.delete(id);
        out.add(id);
      }
      modifiers.clear();
      return lines;
    },
    close(t = Number.POSITIVE_INFINITY) {
      if (!line || t - line.t <= REST) return null;
      const closed = { ...line, keys: line.keys || presses };
      line = null;
      presses = 0;
      return closed;
    },
    reset() {
      held.clear();
      modifiers.clear();
      out.clear();
      buttons.clear();
    },
  };
}
