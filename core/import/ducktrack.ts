import type { RawEvent } from '../../schemas/events.ts';
import type { DucktrackEvent } from '../../schemas/import.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { characterKey, keyOfChar, keyOfLetter, namedKey, plainChar } from './pynput-keys.ts';

/** DuckTrack's and AgentNet's events as raw events of ours. */
type DucktrackReader = {
  /** The raw events of one line, in order; state lines (a layout that learnt a key, CapsLock) may come before it. */
  take(event: DucktrackEvent): RawEvent[];
  /** Oddities that were met, for the report. */
  notes(): { unknownKeys: number; characterKeys: number; otherButtons: number; guessedCaps: number };
};

type DucktrackOptions = {
  /** Seconds of their clock -> µs of the session clock. */
  time(seconds: number): number;
  /** Their points -> px of the picture, and so of the virtual desktop that is made of it. */
  scale: { x: number; y: number };
  /** Whether a key called alt_gr occurs: the right Alt key then selects characters. */
  altGr: boolean;
};

/** A layout line is some KB; no keyboard has so many further characters. */
const MOST_CHARACTER_KEYS = 500;

const BUTTONS: Readonly<Record<string, string>> = {
  left: 'left',
  right: 'right',
  middle: 'middle',
  x1: 'back',
  x2: 'forward',
  button8: 'back',
  button9: 'forward',
};

export function createDucktrackReader({ time, scale, altGr }: DucktrackOptions): DucktrackReader {
  const layout: KeyboardLayout = { ...usLayout(), id: 'us(pynput)', name: 'US, by characters', altGr };
  /** Keys that are down: their code, and the name that they were pressed by. */
  const held = new Map<string, string>();
  const counts = { unknownKeys: 0, characterKeys: 0, otherButtons: 0, guessedCaps: 0 };
  let caps = false;
  let told = false;
  let paused = false;

  const isHeld = (...codes: string[]): boolean => codes.some((code) => held.has(code));
  const shiftHeld = (): boolean => isHeld('ShiftLeft', 'ShiftRight');
  const chordHeld = (): boolean =>
    isHeld('ControlLeft', 'ControlRight', 'MetaLeft', 'MetaRight', 'AltLeft') || (!altGr && isHeld('AltRight'));
  const altGrHeld = (): boolean => altGr && isHeld('AltRight');
  const place = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x * scale.x), y: Math.round(y * scale.y) });
  const tellLayout = (t: number): RawEvent => ({ type: 'layout', t, layout: { ...layout, keys: { ...layout.keys } } });

  function press(name: string | null, t: number): RawEvent[] {
    const lines: RawEvent[] = told ? [] : [tellLayout(t)];
    told = true;
    const code = codeOf(name, t, lines);
    // CapsLock toggles with its press; what letters say later corrects it.
    if (code === 'CapsLock' && !held.has(code)) caps = !caps;
    const repeat = held.has(code) && code !== 'Unknown';
    held.set(code, name ?? '');
    lines.push({ type: 'keydown', t, code, ...raw(code, name), ...(repeat && { repeat: true }) });
    return lines;
  }

  function release(name: string | null, t: number): RawEvent[] {
    const code = heldCode(name) ?? codeOf(name, t, []);
    held.delete(code);
    return [{ type: 'keyup', t, code, ...raw(code, name) }];
  }

  /** Shift may be let go before the letter, which is then released by another name than it was pressed by. */
  function heldCode(name: string | null): string | null {
    if (name === null) return held.has('Unknown') ? 'Unknown' : null;
    const named = namedKey(name);
    if (named !== null) return named;
    for (const [code, pressed] of held) if (pressed === name) return code;
    const char = plainChar(name);
    for (const code of [keyOfLetter(char), keyOfChar(char, false), keyOfChar(char, true)]) {
      if (code !== null && held.has(code)) return code;
    }
    for (const [code, pressed] of held) if (pressed.toLowerCase() === name.toLowerCase()) return code;
    return null;
  }

  function codeOf(name: string | null, t: number, lines: RawEvent[]): string {
    const named = name === null ? null : namedKey(name);
    if (named !== null) return named;
    const char = name === null ? '' : plainChar(name);
    // One character, which may be two units long.
    if ([...char].length !== 1) {
      counts.unknownKeys++;
      return 'Unknown';
    }
    const letter = keyOfLetter(char);
    if (letter !== null && (chordHeld() || name !== char)) return letter;
    if (letter !== null && !altGrHeld()) {
      const wantsCaps = (char !== char.toLowerCase()) !== shiftHeld();
      if (wantsCaps !== caps) {
        caps = wantsCaps;
        counts.guessedCaps++;
        lines.push({ type: 'locks', t, caps, num: true });
      }
      return letter;
    }
    const known = altGrHeld() ? null : keyOfChar(char, shiftHeld());
    if (known !== null) return known;
    // With Ctrl held a chord is meant: the character names it, whatever key it was.
    if (chordHeld()) return keyOfChar(char, false) ?? keyOfChar(char, true) ?? learn(char, t, lines);
    return learn(char, t, lines);
  }

  function learn(char: string, t: number, lines: RawEvent[]): string {
    const code = characterKey(char);
    if (Object.hasOwn(layout.keys, code)) return code;
    if (counts.characterKeys >= MOST_CHARACTER_KEYS) {
      counts.unknownKeys++;
      return 'Unknown';
    }
    counts.characterKeys++;
    layout.keys = { ...layout.keys, [code]: { chars: [char, char, char, char, char, char, char, char] } };
    lines.push(tellLayout(t));
    return code;
  }

  return {
    take(event) {
      const t = time(event.time_stamp);
      switch (event.action) {
        case 'move':
          return [{ type: 'move', t, ...place(event) }];
        case 'click': {
          const button = buttonOf(event.button);
          if (button === 'button10') counts.otherButtons++;
          return [{ type: event.pressed ? 'down' : 'up', t, ...place(event), button }];
        }
        case 'scroll':
          // pynput counts up as positive, events.jsonl down (A10). 0 - x: no negative zero.
          return [{ type: 'wheel', t, ...place(event), dx: event.dx, dy: 0 - event.dy, unit: 'notch' }];
        case 'press':
          return press(event.name, t);
        case 'release':
          return release(event.name, t);
        case 'pause':
          // Twice is as once: a pause that never ended would hide everything after it.
          if (paused) return [];
          paused = true;
          held.clear();
          return [{ type: 'pause', t, reason: 'user' }];
        case 'resume':
          if (!paused) return [];
          paused = false;
          return [{ type: 'resume', t, reason: 'user' }];
      }
    },
    notes: () => ({ ...counts }),
  };
}

function buttonOf(name: string): string {
  const known = Object.hasOwn(BUTTONS, name) ? BUTTONS[name] : undefined;
  return known ?? (/^button\d{1,3}$/.test(name) ? name : 'button10');
}

/** AgentNet names a key without a name by its Windows virtual key: `$Unknown (255)$`. */
function raw(code: string, name: string | null): { raw?: number } {
  const found = code === 'Unknown' ? /\((\d{1,6})\)/.exec(name ?? '') : null;
  return found ? { raw: Number(found[1]) } : {};
}
