import type { Action, Modifier } from '../../schemas/actions.ts';
import type { VirtualDisplay } from './display.ts';
import { chordKey, KEYCODE, type Keyboard, readKeyboard, strokesFor } from './keyboard.ts';
import { must } from './process.ts';
import { monotonicUs, seeded } from './until.ts';

/**
 * A person at the mouse and keyboard, played by xdotool. A step is plain data that says what is done;
 * `perform` does it and `expected` says which actions a recorder must give back for it.
 */

type MouseButton = 'left' | 'middle' | 'right';
type Held = { modifiers?: Modifier[] };
export type Step =
  | ({ do: 'click'; x: number; y: number; button: MouseButton; count: number; holdMs: number } & Held)
  | ({ do: 'drag'; path: readonly (readonly [number, number])[]; button: MouseButton } & Held)
  | ({ do: 'scroll'; x: number; y: number; dx: number; dy: number } & Held)
  | { do: 'type'; text: string; caps: boolean }
  | { do: 'chord'; keys: string[]; count: number }
  | { do: 'press'; key: string; count: number }
  | { do: 'wait'; ms: number };

export const click = (
  x: number,
  y: number,
  more: { button?: MouseButton; count?: number; holdMs?: number } & Held = {},
): Step => ({ do: 'click', x, y, button: 'left', count: 1, holdMs: 0, ...more });
/** Presses at the path's first point, moves through all, releases at the last. */
export const drag = (path: [number, number][], more: { button?: MouseButton } & Held = {}): Step => ({
  do: 'drag',
  path,
  button: 'left',
  ...more,
});
/** Wheel notches at a place; dy > 0 scrolls down, dx > 0 to the right (A10). One axis a step. */
export const scroll = (x: number, y: number, by: { dx?: number; dy?: number } & Held): Step => ({
  do: 'scroll',
  x,
  y,
  dx: 0,
  dy: 0,
  ...by,
});
/** Types a text by the keys that the display's layout has for it. `caps`: CapsLock is on while it is typed. */
export const type = (text: string, { caps = false } = {}): Step => ({ do: 'type', text, caps });
/** `chord('ctrl', 'c')`; with `count` the last key is pressed that often while the others stay down. */
export const chord = (...keys: string[]): Step => ({ do: 'chord', keys, count: 1 });
export const press = (key: string, count = 1): Step => ({ do: 'press', key, count });
export const capsLock = (): Step => press('CapsLock');
export const wait = (ms: number): Step => ({ do: 'wait', ms });

/** A step that was done, and when: CLOCK_MONOTONIC µs before the first and after the last of its events were sent. */
export type Done = { step: Step; from: number; to: number };

export type Hands = {
  /** `human`: the pointer travels, keys take their time, steps are apart. `fast`: as fast as the server takes them. */
  speed: 'human' | 'fast';
  keyboard: Keyboard;
  random: () => number;
};

/** Hands for a display's present layout. Read them again after the layout changed. */
export async function handsFor(display: VirtualDisplay, speed: 'human' | 'fast', seed = 1): Promise<Hands> {
  return { speed, keyboard: await readKeyboard(display), random: seeded(seed) };
}

/**
 * Performs steps in order. At human speed each step is a process of its own and has its own times; at high speed one
 * xdotool does all of them, so all share the same times.
 */
export async function perform(display: VirtualDisplay, hands: Hands, steps: readonly Step[]): Promise<Done[]> {
  const go = async (some: readonly Step[]): Promise<Done[]> => {
    // The question at the end is answered when the server has taken everything before it. It looks at the root alone: the
    // window under the pointer may have been closed by the last click, and be gone while it is asked about.
    const script = [...some.flatMap((step) => scriptOf(step, hands)), 'getdisplaygeometry'].join('\n');
    const from = monotonicUs();
    await must('xdotool', ['-'], { env: display.env, stdin: `${script}\n` });
    const to = monotonicUs();
    return some.map((step) => ({ step, from, to }));
  };
  if (hands.speed === 'fast') return go(steps);
  const done: Done[] = [];
  for (const step of steps) done.push(...(await go([step])));
  return done;
}

const BUTTON = { left: 1, middle: 2, right: 3 };

/** The xdotool commands of one step, one a line. */
function scriptOf(step: Step, hands: Hands): string[] {
  const human = hands.speed === 'human';
  /** A pause as a person makes it: `ms`, give or take 30 %. At high speed none. */
  const pause = (ms: number) => (human ? [`sleep ${((ms * (0.7 + 0.6 * hands.random())) / 1000).toFixed(3)}`] : []);
  // xdotool itself waits 12 ms after a key, which a fast person does not.
  const quick = human ? '' : '--delay 0 ';
  const stroke = (code: number) => [
    `keydown ${quick}${xdo(code)}`,
    ...pause(45),
    `keyup ${quick}${xdo(code)}`,
    ...pause(70),
  ];
  const held = (keys: readonly string[], inside: string[]) => [
    ...keys.flatMap((key) => [`keydown ${quick}${xdo(codeOf(key))}`, ...pause(60)]),
    ...inside,
    ...keys.toReversed().flatMap((key) => [`keyup ${quick}${xdo(codeOf(key))}`, ...pause(40)]),
  ];
  const think = pause(320);
  switch (step.do) {
    case 'wait':
      return [`sleep ${step.ms / 1000}`];
    case 'click': {
      const button = BUTTON[step.button];
      const hold = step.holdMs > 0 ? [`sleep ${step.holdMs / 1000}`] : pause(70);
      // The gap inside a multi-click stays far below the 500 ms of A4 on a slow machine too.
      const one = [`mousedown ${button}`, ...hold, `mouseup ${button}`];
      const all = Array.from({ length: step.count }, (_, i) => (i === 0 ? one : [...pause(60), ...one])).flat();
      return [...travel(step.x, step.y, human), ...held(step.modifiers ?? [], all), ...think];
    }
    case 'drag': {
      const [first, ...rest] = step.path;
      if (!first || rest.length === 0) throw new Error('a drag needs two points or more');
      const button = BUTTON[step.button];
      const moves = rest.flatMap(([x, y]) => [`mousemove ${x} ${y}`, ...pause(25)]);
      const inside = [`mousedown ${button}`, ...pause(90), ...moves, ...pause(90), `mouseup ${button}`];
      return [...travel(first[0], first[1], human), ...held(step.modifiers ?? [], inside), ...think];
    }
    case 'scroll': {
      const notches = Math.abs(step.dy || step.dx);
      const button = step.dy > 0 ? 5 : step.dy < 0 ? 4 : step.dx > 0 ? 7 : 6;
      const turns = Array.from({ length: notches }, () => [`click ${button}`, ...pause(60)]).flat();
      return [...travel(step.x, step.y, human), ...held(step.modifiers ?? [], turns), ...think];
    }
    case 'type': {
      const strokes = strokesFor(hands.keyboard, step.text, { caps: step.caps });
      const lines = strokes.flatMap(({ code, shift, altGr }) => {
        const keys = [...(shift ? ['shift'] : []), ...(altGr ? ['altGr'] : [])];
        return held(keys, stroke(code));
      });
      return [...lines, ...think];
    }
    case 'chord': {
      const keys = step.keys.slice(0, -1);
      const code = chordKey(hands.keyboard, step.keys.at(-1) ?? '');
      return [...held(keys, Array.from({ length: step.count }, () => stroke(code)).flat()), ...think];
    }
    case 'press':
      return [...Array.from({ length: step.count }, () => stroke(codeOf(step.key))).flat(), ...think];
  }
}

/** At human speed the pointer comes from nearby in a few moves; where it really is, is xdotool's to know. */
function travel(x: number, y: number, human: boolean): string[] {
  if (!human) return [`mousemove ${x} ${y}`];
  const near = [-40, -18, -7, -2].map((d) => `mousemove ${Math.max(0, x + d)} ${Math.max(0, y + d)}\nsleep 0.012`);
  return [...near, `mousemove ${x} ${y}`, 'sleep 0.06'];
}

/** A key code as xdotool takes it; the one-digit code of Escape, 9, it would take for the key that makes a 9. */
const xdo = (code: number): string => (code === KEYCODE.Escape ? 'Escape' : String(code));

function codeOf(key: string): number {
  const code = KEYCODE[key];
  if (code === undefined) throw new Error(`no key code for ${key}`);
  return code;
}

/** The fields of an action that a step fixes. */
export type Expected = Pick<Action, 'kind' | 'count' | 'modifiers'> & {
  button?: string | null;
  start?: { x: number; y: number };
  end?: { x: number; y: number };
  text?: string;
  keys?: string[];
  scroll?: { dx: number; dy: number };
};

/** The actions that a recorder must give back for these steps, in this order. */
export const expected = (steps: readonly Step[]): Expected[] =>
  steps.map(expectedOf).filter((action) => action !== null);

function expectedOf(step: Step): Expected | null {
  const modifiers = 'modifiers' in step ? (step.modifiers ?? []) : [];
  switch (step.do) {
    case 'wait':
      return null;
    case 'click': {
      const at = { x: step.x, y: step.y };
      return { kind: 'click', button: step.button, count: step.count, modifiers, start: at, end: at };
    }
    case 'drag': {
      const [start, end] = [pointOf(step.path[0]), pointOf(step.path.at(-1))];
      return { kind: 'drag', button: step.button, count: 1, modifiers, start, end };
    }
    case 'scroll': {
      const { x, y, dx, dy } = step;
      return { kind: 'scroll', count: 1, modifiers, start: { x, y }, scroll: { dx, dy } };
    }
    case 'type':
      return { kind: 'type', count: 1, modifiers, text: step.text };
    case 'chord':
      return { kind: 'press', count: step.count, modifiers, keys: step.keys };
    case 'press':
      return { kind: 'press', count: step.count, modifiers, keys: [step.key] };
  }
}

function pointOf(point: readonly [number, number] | undefined): { x: number; y: number } {
  if (!point) throw new Error('a drag needs two points or more');
  return { x: point[0], y: point[1] };
}

const spot = (name: 'start' | 'end', { x, y }: Action['start']): Partial<Expected> =>
  x === null || y === null ? {} : { [name]: { x, y } };

/** An action cut down to the fields that `wanted` names, so that a test can compare the two and show the difference. */
export function comparable(action: Action, wanted: Expected | undefined): Expected {
  const { kind, count, modifiers, button, start, end, text, keys, scroll } = action;
  return {
    kind,
    count,
    modifiers: wanted?.kind === 'press' ? [] : modifiers,
    ...(wanted?.button !== undefined ? { button } : {}),
    ...(wanted?.start ? spot('start', start) : {}),
    ...(wanted?.end ? spot('end', end) : {}),
    ...(wanted?.text !== undefined && text !== null ? { text } : {}),
    ...(wanted?.keys && keys ? { keys } : {}),
    ...(wanted?.scroll && scroll ? { scroll: { dx: scroll.dx, dy: scroll.dy } } : {}),
  };
}
