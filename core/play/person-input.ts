import type { StageAct } from '../../schemas/stage-acts.ts';

/**
 * What a person does over the picture of a stage, as acts on it. A browser says which character a key made by the person's own
 * layout, and the stage has another one: characters go over as they are, and the stage finds keys for them. Modifiers are sent when
 * it is known what follows: Shift and AltGr are in a character already, and a chord that is the page's own never reaches the stage.
 */

/** Of a KeyboardEvent. */
export type KeyInput = {
  /** What it made: a character, or the key's name. */
  key: string;
  /** The physical key. */
  code: string;
  down: boolean;
  /** The browser says it again since it is held. */
  repeat: boolean;
  /** AltGr is held, whatever Ctrl and Alt say. */
  altGr: boolean;
};

export type PersonInput = {
  /** `null`: the key is part of a composition; the text that comes of it is given to `text`. */
  key(input: KeyInput): StageAct[] | null;
  /** A text that was composed (dead keys, an input method). */
  text(text: string): StageAct[];
  button(at: readonly [number, number], button: string, down: boolean): StageAct[];
  move(at: readonly [number, number]): StageAct[];
  wheel(at: readonly [number, number], turn: WheelInput): StageAct[];
  /** A chord that the browser keeps for itself, from a button of the page. */
  chord(keys: readonly string[]): StageAct[];
  /** Lets go of everything: the page lost the keyboard. */
  release(): StageAct[];
};

/** Of a WheelEvent: `mode` 0 px, 1 lines, 2 pages. */
export type WheelInput = { dx: number; dy: number; mode: number };

/** A notch, as browsers say it: px, lines, pages. */
const NOTCH = [100, 3, 1] as const;
/** More than a hand turns between two events. */
const MOST_NOTCHES = 20;

const MODIFIERS: Readonly<Record<string, string>> = {
  Shift: 'shift',
  Control: 'ctrl',
  Alt: 'alt',
  Meta: 'win',
  Super: 'win',
  OS: 'win',
};
/** Held in the characters already. */
const IN_CHARACTERS = new Set(['AltGraph', 'CapsLock', 'NumLock', 'ScrollLock', 'Fn', 'FnLock', 'Hyper']);
/** The browser tells the character later, or not at all. */
const COMPOSES = new Set(['Dead', 'Process', 'Compose', 'Unidentified']);
const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;
type ButtonName = (typeof BUTTONS)[number];

/** The button of a PointerEvent by its number; null: one that no screen knows. */
export const buttonOfPointer = (n: number): string | null => BUTTONS[n] ?? null;

const press = (key: string, down: boolean): StageAct => ({ do: 'key', key, down });

export function personInput(): PersonInput {
  /** Modifiers that the person holds, by their physical keys; `used`: something came of them. */
  const mine = new Map<string, { name: string; used: boolean }>();
  /** Modifiers that are down on the stage, in their order. */
  const held = new Set<string>();
  /** Other physical keys that are down, with the name that went down on the stage: they are let go by that name. */
  const down = new Map<string, string>();
  const buttons = new Map<ButtonName, readonly [number, number]>();
  let rest = { x: 0, y: 0 };

  const isMine = (name: string): boolean => [...mine.values()].some((one) => one.name === name);

  /** Something follows that the modifiers belong to: they go down, as far as they are not. */
  function withModifiers(): StageAct[] {
    const acts: StageAct[] = [];
    for (const one of mine.values()) {
      one.used = true;
      if (held.has(one.name)) continue;
      held.add(one.name);
      acts.push(press(one.name, true));
    }
    return acts;
  }
  /** A character follows that holds these modifiers already. */
  function without(...names: string[]): StageAct[] {
    for (const one of mine.values()) if (names.includes(one.name)) one.used = true;
    return names.filter((name) => held.delete(name)).map((name) => press(name, false));
  }

  function modifier(name: string, { code, down: isDown }: KeyInput): StageAct[] {
    if (isDown) {
      if (!mine.has(code)) mine.set(code, { name, used: held.has(name) });
      return [];
    }
    const before = mine.get(code);
    mine.delete(code);
    if (!before || isMine(name)) return [];
    if (held.delete(name)) return [press(name, false)];
    // Pressed alone: a menu that opens by Alt.
    return before.used ? [] : [press(name, true), press(name, false)];
  }

  function letGo(code: string): StageAct[] {
    const name = down.get(code);
    if (name === undefined) return [];
    down.delete(code);
    // Another key of the same name (the keypad's) still holds it.
    return [...down.values()].includes(name) ? [] : [press(name, false)];
  }

  /** The key goes down on the stage; one of its name that is down already (a repeat, the keypad's) is let go before. */
  function goDown(name: string, code: string): StageAct[] {
    const before = letGo(code);
    const others = [...down].filter(([, one]) => one === name);
    for (const [other] of others) down.delete(other);
    down.set(code, name);
    return [...before, ...(others.length > 0 ? [press(name, false)] : []), press(name, true)];
  }

  function character(char: string, { code, altGr }: KeyInput): StageAct[] {
    const chord = !altGr && ['ctrl', 'alt', 'win'].some(isMine);
    if (!chord) return [...without('shift', ...(altGr ? ['ctrl', 'alt'] : [])), ...goDown(char, code)];
    // In a chord a letter beyond ASCII is its key of a US keyboard, as programs read it.
    const name = isAscii(char) ? char.toLowerCase() : (usKey(code) ?? char);
    return [...withModifiers(), ...goDown(name, code)];
  }

  return {
    key(input) {
      const { key, code, down: isDown, repeat } = input;
      if (IN_CHARACTERS.has(key)) return [];
      const name = MODIFIERS[key];
      if (name !== undefined) return repeat ? [] : modifier(name, input);
      // By the physical key: the name may be another by now (Shift was let go in between).
      if (!isDown) return letGo(code);
      if (COMPOSES.has(key)) return null;
      return [...key].length === 1 ? character(key, input) : [...withModifiers(), ...goDown(key, code)];
    },
    text(text) {
      const chars = [...text.replaceAll('\r\n', '\n')].map((char) => (char === '\n' ? 'Enter' : char));
      if (chars.length === 0) return [];
      const freed = without('shift', 'ctrl', 'alt', 'win');
      return [...freed, ...chars.flatMap((char) => [press(char, true), press(char, false)])];
    },
    button([x, y], name, isDown) {
      const button = BUTTONS.find((one) => one === name);
      if (!button || isDown === buttons.has(button)) return [];
      if (isDown) buttons.set(button, [x, y]);
      else buttons.delete(button);
      return [...(isDown ? withModifiers() : []), { do: 'button', at: [x, y], button, down: isDown }];
    },
    move: ([x, y]) => [{ do: 'move', at: [x, y] }],
    wheel([x, y], { dx, dy, mode }) {
      const notch = NOTCH[mode] ?? NOTCH[0];
      // Turned back: what was left of the other way is no part of it.
      const sum = (before: number, turn: number): number => (before * turn < 0 ? 0 : before) + turn / notch;
      rest = { x: sum(rest.x, dx), y: sum(rest.y, dy) };
      const whole = { x: bounded(Math.trunc(rest.x)), y: bounded(Math.trunc(rest.y)) };
      if (whole.x === 0 && whole.y === 0) return [];
      rest = { x: rest.x % 1, y: rest.y % 1 };
      return [...withModifiers(), { do: 'scroll', at: [x, y], dx: whole.x, dy: whole.y }];
    },
    chord(keys) {
      const last = keys.at(-1);
      if (last === undefined) return [];
      const freed = without('shift', 'ctrl', 'alt', 'win');
      const around = keys.slice(0, -1);
      return [
        ...freed,
        ...around.map((key) => press(key, true)),
        press(last, true),
        press(last, false),
        ...around.toReversed().map((key) => press(key, false)),
      ];
    },
    release() {
      const names = [...[...new Set(down.values())].reverse(), ...held];
      const acts: StageAct[] = names.map((name) => press(name, false));
      for (const [button, [x, y]] of buttons) acts.push({ do: 'button', at: [x, y], button, down: false });
      for (const one of [mine, held, down, buttons]) one.clear();
      rest = { x: 0, y: 0 };
      return acts;
    },
  };
}

const bounded = (notches: number): number => Math.max(-MOST_NOTCHES, Math.min(MOST_NOTCHES, notches));
const isAscii = (char: string): boolean => char >= ' ' && char <= '~';
/** The letter or digit of a physical key on a US keyboard; null for others. */
const usKey = (code: string): string | null => {
  const found = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(code);
  return found?.[1]?.toLowerCase() ?? found?.[2] ?? null;
};
