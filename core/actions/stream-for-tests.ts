import type { ReduceContext, ReduceOptions } from '../../schemas/actions.ts';
import type { Button, Display, InputSettings, PauseReason, RawEvent } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import type { ReduceResult } from './finish.ts';
import { reduce } from './reduce.ts';

/** A 1920 x 1080 display at 100 % scale. */
export const DISPLAY: Display = {
  id: 1,
  name: 'test',
  x: 0,
  y: 0,
  width: 1920,
  height: 1080,
  scale: 1,
  primary: true,
};

export const CONTEXT: ReduceContext = { recording: 'r', displays: [DISPLAY], layout: usLayout() };

/** How long a hand takes, ms: between two inputs, and for a press. */
const STEP_MS = 10;
const HOLD_MS = 40;

export type Stream = ReturnType<typeof stream>;

/**
 * A raw stream told as a person's doings, for tests:
 * `stream().click(10, 20).wait(50).chord('ControlLeft', 'KeyC').reduce()`.
 * Time starts at 1 s; each input comes 10 ms after the one before, a press lasts 40 ms, and `wait` adds ms.
 */
export function stream(start: { atMs?: number; x?: number; y?: number } = {}) {
  const events: RawEvent[] = [];
  let ms = start.atMs ?? 1000;
  let x = start.x ?? 0;
  let y = start.y ?? 0;

  const now = () => Math.round(ms * 1000);
  const step = () => {
    ms += STEP_MS;
  };

  const self = {
    events,
    /** The raw index that the next line gets. */
    next: () => events.length,
    /** Now, µs. */
    now,
    wait(more: number) {
      ms += more;
      return self;
    },
    add(...more: RawEvent[]) {
      events.push(...more);
      return self;
    },
    move(toX: number, toY: number, mods?: number) {
      x = toX;
      y = toY;
      events.push({ type: 'move', t: now(), x, y, ...(mods === undefined ? {} : { mods }) });
      step();
      return self;
    },
    down(button: Button = 'left', mods?: number) {
      events.push({ type: 'down', t: now(), x, y, button, ...(mods === undefined ? {} : { mods }) });
      return self;
    },
    up(button: Button = 'left', at: { x: number; y: number } = { x, y }) {
      x = at.x;
      y = at.y;
      events.push({ type: 'up', t: now(), x, y, button });
      step();
      return self;
    },
    /** Press and release at a place, without the move that leads there. */
    click(atX: number, atY: number, button: Button = 'left', holdMs = HOLD_MS) {
      x = atX;
      y = atY;
      return self.down(button).wait(holdMs).up(button);
    },
    /** Press, a straight way in steps of at most 10 px, release. */
    drag(from: readonly [number, number], to: readonly [number, number], button: Button = 'left') {
      [x, y] = from;
      self.down(button).wait(STEP_MS);
      const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 10));
      for (let i = 1; i <= steps; i++) {
        const share = i / steps;
        self.move(Math.round(from[0] + (to[0] - from[0]) * share), Math.round(from[1] + (to[1] - from[1]) * share));
      }
      return self.up(button);
    },
    wheel(
      dy: number,
      more: { dx?: number; unit?: 'notch' | 'px'; at?: readonly [number, number]; mods?: number } = {},
    ) {
      if (more.at) [x, y] = more.at;
      const { dx = 0, unit = 'notch' } = more;
      events.push({
        type: 'wheel',
        t: now(),
        x,
        y,
        dx,
        dy,
        unit,
        ...(more.mods === undefined ? {} : { mods: more.mods }),
      });
      step();
      return self;
    },
    keyDown(code: string, more: { repeat?: boolean; mods?: number; raw?: number } = {}) {
      events.push({ type: 'keydown', t: now(), code, ...more });
      return self;
    },
    keyUp(code: string, more: { raw?: number } = {}) {
      events.push({ type: 'keyup', t: now(), code, ...more });
      step();
      return self;
    },
    /** Keys pressed and released, one after another. */
    keys(...codes: string[]) {
      for (const code of codes) self.keyDown(code).wait(HOLD_MS).keyUp(code);
      return self;
    },
    /** All but the last held while the last is pressed; released in reverse. */
    chord(...codes: string[]) {
      for (const code of codes) self.keyDown(code).wait(STEP_MS);
      for (const code of codes.toReversed()) self.keyUp(code);
      return self;
    },
    /** Types a text as on a US keyboard, with Shift where it needs it. */
    type(text: string) {
      for (const char of text) {
        const { code, shift } = usKey(char);
        if (shift) self.chord('ShiftLeft', code);
        else self.keys(code);
      }
      return self;
    },
    pause(reason: PauseReason = 'user') {
      return self.add({ type: 'pause', t: now(), reason });
    },
    /** `pointer`: where the recorder says it is; absent as in recordings from before it said so. */
    resume(reason: PauseReason = 'user', pointer?: { x: number; y: number } | null) {
      return self.add({ type: 'resume', t: now(), reason, ...(pointer === undefined ? {} : { pointer }) });
    },
    own(...indices: number[]) {
      return self.add({ type: 'own', t: now(), events: indices, reason: 'shortcut' });
    },
    layout(layout: KeyboardLayout) {
      return self.add({ type: 'layout', t: now(), layout });
    },
    locks(caps: boolean, num: boolean) {
      return self.add({ type: 'locks', t: now(), caps, num });
    },
    settings(settings: InputSettings) {
      return self.add({ type: 'settings', t: now(), settings });
    },
    displays(...displays: Display[]) {
      return self.add({ type: 'displays', t: now(), displays });
    },
    anchor() {
      return self.add({ type: 'anchor', t: now(), wallMs: ms });
    },
    reduce(options?: ReduceOptions, context: ReduceContext = CONTEXT): ReduceResult {
      return reduce(events, context, options);
    },
    actions(options?: ReduceOptions, context: ReduceContext = CONTEXT) {
      return reduce(events, context, options).actions;
    },
  };
  return self;
}

function usKey(char: string): { code: string; shift: boolean } {
  for (const [code, { chars }] of Object.entries(usLayout().keys)) {
    if (code === 'IntlBackslash' || code.startsWith('Numpad')) continue;
    if (chars[0] === char) return { code, shift: false };
    if (chars[1] === char) return { code, shift: true };
  }
  throw new Error(`A US keyboard has no key for '${char}'.`);
}

/** How often each raw input index stands in `conservation`; A1 holds when each input's is 1 and nothing else is there. */
export function places(result: ReduceResult): Map<number, number> {
  const counts = new Map<number, number>();
  for (const runs of Object.values(result.conservation)) {
    for (const [first, last] of runs) {
      for (let index = first; index <= last; index++) counts.set(index, (counts.get(index) ?? 0) + 1);
    }
  }
  return counts;
}
