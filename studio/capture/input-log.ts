import { holdsPoint } from '../../core/rect.ts';
import type { SessionClock } from '../../native/clock/session-clock.ts';
import type { HookEvent, HookKeyEvent, HookLoss } from '../../native/input/hook.ts';
import type { CaptureHost } from '../../native/platform/platform.ts';
import type { ScreenRecorder } from '../../native/screen/contract.ts';
import type { Button, Display, Rect } from '../../schemas/events.ts';
import type { ElementQuestions } from './elements.ts';
import type { Line } from './line.ts';
import type { Outlet } from './outlet.ts';
import { type ShortcutName, type Shortcuts, shortcutWatch } from './shortcuts.ts';
import { keyStrokeOf, movesFocus } from './withheld.ts';

/** Turns hook events into lines of events.jsonl, marks the recorder's own, and asks for stills as things happen. */
export type InputLog = {
  onHook(event: HookEvent | HookLoss): void;
  /**
   * A key that is told of before its turn (Wayland): what ends or pauses the recording is done at once, so that nothing more
   * is seen meanwhile. Its lines are written when `onHook` is told of it.
   */
  onKeyAtOnce(event: HookKeyEvent): void;
  /** A pause began: what was pressed before has no effect that is still to be seen. */
  onPause(): void;
  /** Presses in these rectangles (physical px), with their releases and wheel turns, are the recorder's own from now on (I4). */
  setOwnWindows(rects: readonly Rect[]): void;
  /** events.jsonl was rewritten: the new number of a line, null for one that is gone. */
  renumber(by: (line: number) => number | null): void;
  /** The person's part is over. */
  finish(): void;
};

type Parts = {
  host: CaptureHost;
  clock: SessionClock;
  outlet: Outlet;
  screen: ScreenRecorder;
  elements: Pick<ElementQuestions, 'moved' | 'stirred' | 'pressed' | 'keys'>;
  shortcuts: Shortcuts;
  displays(): Display[];
  /** True for input of this time (µs) that is not to be written (I6). */
  cut(t: number): boolean;
  /** A key or a button of this time (µs) is lost. */
  onLost(t: number): void;
  /** `t`: when its key went down, µs. */
  onShortcut(name: ShortcutName, t: number): void;
  /** One frame's time, µs: how far before a press K1 looks at least. */
  frameUs: number;
  /** A press may have been so much earlier than its event says, µs (K1). */
  pressStepUs: number;
};

/** A pause between two keys that makes the next one an action's start, as in A8. µs. */
const TYPING_GAP = 3_000_000;
/** Wheel turns closer than this are one scroll (A10). µs. */
const SCROLL_GAP = 1_000_000;
/** Keys that are an action of their own: the screen before each is wanted. */
const OWN_ACTION = /^(Enter|NumpadEnter|Tab|Escape|Delete|Home|End|PageUp|PageDown|Arrow|F\d|Meta|ContextMenu)/;
type HookPointerEvent = Extract<HookEvent, { type: 'down' | 'up' | 'wheel' }>;

const HELD_BITS = 0b1110; // Ctrl, Alt, Meta: a chord

export function createInputLog(parts: Parts): InputLog {
  const { host, clock, outlet, screen, elements } = parts;
  const watch = shortcutWatch<Line>(parts.shortcuts);
  const watchAtOnce = shortcutWatch<Line>(parts.shortcuts);
  /** When the keys of shortcuts went down that were obeyed before their turn. */
  const obeyed = new Set<number>();
  let ownWindows: readonly Rect[] = [];
  /** Buttons that went down in an own window: their releases are own too, wherever they happen. */
  const ownButtons = new Set<Button>();
  let lastKey = Number.NEGATIVE_INFINITY;
  let lastKeyOwn = true;
  let lastWheel = Number.NEGATIVE_INFINITY;

  /** K1, as it happens: the screen before an action's press is kept while it is still in memory (K8). */
  function wantBefore(t: number): void {
    screen.wantStill(t - parts.frameUs, t - parts.pressStepUs);
    screen.wantStillAfter(t);
  }

  function onKey(event: HookKeyEvent, t: number): void {
    const paused = parts.cut(t);
    elements.stirred();
    const line: Record<string, unknown> & { t: number } = { t, type: event.type, code: event.code ?? 'Unknown' };
    if (event.mods !== 0) line.mods = event.mods;
    if (event.code === null) line.raw = event.hookCode;
    if (event.type === 'keydown' && event.made) line.made = event.made;
    const isDown = event.type === 'keydown';
    if (isDown && movesFocus(event.code, (event.mods & HELD_BITS) !== 0)) elements.keys.moves(t);
    if (!paused) elements.keys.key(t);
    const entry = paused ? null : outlet.key(line, keyStrokeOf(event));
    const code = event.code ?? 'Unknown';
    if (event.type === 'keyup') {
      const isOwn = watch.up(code);
      if (isOwn && entry) own([entry]);
      // An action of keys ends with the release: what comes after it is looked for from here (K2).
      if (!isOwn && entry) screen.wantStillAfter(t);
      return;
    }
    const { name, own: lines } = watch.down(code, entry, event.made);
    if (name) for (const one of lines) one.own = true;
    if (lines.length > 0) own(lines);
    if (name) {
      if (!obeyed.delete(t)) parts.onShortcut(name, t);
      return;
    }
    if (!entry) return;
    const ownAction = OWN_ACTION.test(code) || (event.mods & HELD_BITS) !== 0;
    if (ownAction || lastKeyOwn || t - lastKey > TYPING_GAP) wantBefore(t);
    else screen.wantStillAfter(t);
    lastKey = t;
    lastKeyOwn = ownAction;
  }

  function own(lines: readonly Line[], reason: 'shortcut' | 'window' = 'shortcut'): void {
    outlet.own(clock.now(), lines, reason);
  }

  /** Whether a press, release or wheel turn is at one of our own windows. Follows the buttons, so it is asked of each. */
  function isOwnPointer(event: HookPointerEvent, x: number, y: number): boolean {
    if (event.type === 'up') return ownButtons.delete(event.button);
    const inside = ownWindows.some((window) => holdsPoint(window, x, y));
    if (inside && event.type === 'down') ownButtons.add(event.button);
    return inside;
  }

  return {
    onHook(event) {
      const t = host.eventTime(event.time);
      if (event.type === 'keydown' || event.type === 'keyup') return onKey(event, t);
      if (event.type === 'lost') return parts.cut(t) ? undefined : parts.onLost(t);
      if (event.type !== 'move') watch.used();
      const { x, y } = host.toPhysical(event.x, event.y, parts.displays());
      const isOwn = event.type !== 'move' && isOwnPointer(event, x, y);
      if (parts.cut(t)) return;
      const line: Record<string, unknown> & { t: number } = { t, type: event.type, x, y };
      if (event.mods !== 0) line.mods = event.mods;
      if (event.type === 'wheel') Object.assign(line, { dx: event.dx, dy: event.dy, unit: 'notch' });
      else if (event.type !== 'move') line.button = event.button;
      const entry = outlet.input(line);
      if (event.type === 'move') return elements.moved(x, y);
      if (event.type !== 'wheel') elements.keys.moves(t);
      if (isOwn) return own([entry], 'window');
      lastKeyOwn = true;
      if (event.type === 'up') {
        elements.stirred();
        return screen.wantStillAfter(t);
      }
      if (event.type === 'wheel') {
        if (t - lastWheel > SCROLL_GAP) {
          elements.pressed(t, x, y);
          screen.wantStill(t - parts.frameUs, t - parts.pressStepUs);
        }
        lastWheel = t;
        return screen.wantStillAfter(t);
      }
      elements.pressed(t, x, y);
      wantBefore(t);
    },
    onKeyAtOnce(event) {
      const { time, code } = event;
      if (code === null) return;
      if (event.type === 'keyup') return void watchAtOnce.up(code);
      const { name } = watchAtOnce.down(code, null, event.made);
      // A mark stands between actions: it is made in its turn.
      if (!name || name === 'mark' || name === 'moment') return;
      const t = host.eventTime(time);
      obeyed.add(t);
      parts.onShortcut(name, t);
    },
    onPause() {
      lastKeyOwn = true;
      lastWheel = Number.NEGATIVE_INFINITY;
    },
    setOwnWindows(rects) {
      ownWindows = rects;
    },
    renumber(by) {
      watch.rename((line) => {
        line.number = line.number === null ? null : by(line.number);
        return line.number === null ? null : line;
      });
    },
    finish() {
      // K2 for the last action: nothing that comes later is the demonstration's.
      screen.wantStill(clock.now());
    },
  };
}
