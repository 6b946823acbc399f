import type { RawEvent } from '../../schemas/events.ts';
import type { DucktrackEvent } from '../../schemas/import.ts';
import { readKey } from './pynput-keys.ts';
import { createPynputKeys, type KeyNotes, type KeyOptions } from './pynput-stream.ts';

/** DuckTrack's and AgentNet's events as raw events of ours. */
type DucktrackReader = {
  /** The raw events of one line, in order; state lines (a layout that learnt a key, CapsLock) may come before it. */
  take(event: DucktrackEvent): RawEvent[];
  /** The release of a modifier that the file does not have (lost-releases.ts), at `seconds`; nothing when it is up. */
  letGo(code: string, seconds: number): RawEvent[];
  /** Oddities that were met, for the report. */
  notes(): DucktrackNotes;
};

export type DucktrackNotes = KeyNotes & {
  otherButtons: number;
  /** Positions beside the picture by a point or two, which were put on its edge. */
  atEdge: number;
};

type DucktrackOptions = KeyOptions & {
  /** Seconds of their clock -> µs of the session clock. */
  time(seconds: number): number;
  /** Their points -> px of the picture, and so of the virtual desktop that is made of it. */
  scale: { x: number; y: number };
  /** px. A position that is beside it by a point or two was at its edge. */
  picture: { width: number; height: number };
};

/** Systems tell of a pointer that is pushed against an edge by a point or two beyond it. */
const EDGE = 2;

const BUTTONS: Readonly<Record<string, string>> = {
  left: 'left',
  right: 'right',
  middle: 'middle',
  x1: 'back',
  x2: 'forward',
  button8: 'back',
  button9: 'forward',
};

export function createDucktrackReader({ time, scale, altGr, system, picture }: DucktrackOptions): DucktrackReader {
  const keys = createPynputKeys({ altGr, system });
  const counts = { otherButtons: 0, atEdge: 0 };
  let paused = false;

  const edged = (at: number, scaled: number, size: number): number => {
    const px = Math.round(at * scaled);
    const most = size - 1;
    const slack = Math.ceil(EDGE * scaled);
    const inside = px < 0 && px >= -slack ? 0 : px > most && px <= most + slack ? most : px;
    if (inside !== px) counts.atEdge++;
    return inside;
  };
  const place = ({ x, y }: { x: number; y: number }) => ({
    x: edged(x, scale.x, picture.width),
    y: edged(y, scale.y, picture.height),
  });

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
          return keys.press(readKey(event), t);
        case 'release':
          return keys.release(readKey(event), t);
        case 'pause':
          // Twice is as once: a pause that never ended would hide everything after it.
          if (paused) return [];
          paused = true;
          keys.clear();
          return [{ type: 'pause', t, reason: 'user' }];
        case 'resume':
          if (!paused) return [];
          paused = false;
          return [{ type: 'resume', t, reason: 'user' }];
      }
    },
    letGo: (code, seconds) => keys.letGo(code, time(seconds)),
    notes: () => ({ ...counts, ...keys.notes() }),
  };
}

function buttonOf(name: string): string {
  const known = Object.hasOwn(BUTTONS, name) ? BUTTONS[name] : undefined;
  return known ?? (/^button\d{1,3}$/.test(name) ? name : 'button10');
}
