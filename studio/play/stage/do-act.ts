import { setTimeout as sleep } from 'node:timers/promises';
import type { Act } from '../../../core/evaluate/keys/acts.ts';
import { chordKey, type Stroke, strokesOfKey } from '../../../core/play/perform.ts';
import type { Hands } from '../../../native/platform/hands.ts';
import type { StageKeyboard } from '../../../native/platform/stage-display.ts';
import type { Button } from '../../../schemas/events.ts';

/** Does acts with the hands of a stage's display, one after the other. */

/** Between two events of one act, and between two clicks, ms; the most points of a way with a button held, and px between them. */
const PAUSES = { betweenMs: 12, clickMs: 40 };
const POINTS = 20;
const POINT_PX = 6;
/** A person's own times are in what they do. */
export const NO_PAUSES: Pauses = { betweenMs: 0, clickMs: 0 };
type Pauses = typeof PAUSES;
/** After a change of the keyboard until every program, and the recorder, has read it anew, ms. */
const MAPPED_MS = 700;
/** A window manager that is so late with a press is not waited for, ms. */
export const HELD_UP_MS = 5000;

export type Doer = {
  /** Throws where the layout has no key for a name; nothing is done then. Gives the character that a key was changed for. */
  act(act: Act): Promise<string | null>;
  /** Lets go of everything that is held. */
  release(): void;
};

export function doerOf(hands: Hands, keyboard: StageKeyboard, pauses: Pauses = PAUSES): Doer {
  const held = new Set<string>();
  const buttons = new Set<string>();
  const keys = keysOf(keyboard);

  /** A character's own modifiers go down with it; one that is held already is left as it is. A dead key goes before. */
  async function press(act: Act & { do: 'key' }): Promise<string | null> {
    await hands.delivered(HELD_UP_MS);
    const { strokes, made } = await keys.strokes(act);
    const last = strokes.at(-1);
    if (!last) throw new Error(`the layout ${keyboard.layout().id} of the stage has no key for “${act.key}”`);
    if (!act.down) {
      held.delete(last.code);
      hands.key(last.code, false);
      return null;
    }
    for (const dead of strokes.slice(0, -1)) {
      stroke(hands, held, dead);
      hands.key(dead.code, false);
      await pause(pauses.betweenMs);
    }
    stroke(hands, held, last);
    held.add(last.code);
    return made ? act.key : null;
  }

  return {
    async act(act) {
      const made = act.do === 'key' ? await press(act) : await point(hands, act, buttons, pauses);
      await pause(pauses.betweenMs);
      return made;
    },
    release() {
      hands.releaseAll();
      held.clear();
      buttons.clear();
      keys.forget();
    },
  };
}

const pause = async (ms: number): Promise<void> => {
  if (ms > 0) await sleep(ms);
};

/**
 * `buttons`: those that are held. With one held the pointer goes to its next place by places between: a program that draws, selects or
 * crops sees a way, and some take a press and a release without one for a click. A person's own ways are in what they do.
 */
async function point(
  hands: Hands,
  act: Exclude<Act, { do: 'key' }>,
  buttons: Set<string>,
  { betweenMs, clickMs }: Pauses,
): Promise<null> {
  const go = (at: readonly [number, number] | null): void => {
    if (at) hands.move(Math.round(at[0]), Math.round(at[1]));
  };
  /** Where the pointer comes to with nothing held, a program sees it before it is pressed there. */
  const reach = async (at: readonly [number, number] | null): Promise<void> => {
    if (buttons.size > 0 && betweenMs > 0 && at) {
      const { x, y } = hands.pointer();
      const points = Math.min(POINTS, Math.ceil(Math.hypot(at[0] - x, at[1] - y) / POINT_PX));
      for (let n = 1; n < points; n++) {
        go([x + ((at[0] - x) * n) / points, y + ((at[1] - y) * n) / points]);
        await pause(betweenMs);
      }
    }
    go(at);
    if (at) await pause(buttons.size > 0 ? betweenMs : clickMs);
  };
  const press = async (button: string, down: boolean, after = clickMs): Promise<void> => {
    hands.button(button as Button, down); // By the schema, or one of the library's three.
    if (down) buttons.add(button);
    else buttons.delete(button);
    await pause(after);
  };
  switch (act.do) {
    case 'wait':
      await sleep(act.ms);
      break;
    case 'move':
      await reach(act.at);
      break;
    case 'button':
      await reach(act.at);
      await press(act.button, act.down);
      break;
    case 'click':
      await reach(act.at);
      if (!act.at) await pause(clickMs);
      // Clicks that belong together come as near each other as can be: a busy program counts its own time from one to the next, too.
      for (let n = 1; n <= act.count; n++) {
        await press(act.button, true, act.count > 1 ? betweenMs : clickMs);
        await press(act.button, false, n < act.count ? betweenMs : clickMs);
      }
      break;
    case 'scroll':
      await reach(act.at);
      if (!act.at) await pause(clickMs);
      hands.wheel(act.dx, act.dy);
      break;
    case 'drag':
      await reach(act.from);
      await press(act.button, true);
      for (const at of act.path ?? []) await reach(at);
      await reach(act.to);
      await press(act.button, false);
  }
  return null;
}

type Keys = {
  /** `made`: a key was changed for it. Empty: the keyboard has no such key. */
  strokes(act: Act & { do: 'key' }): Promise<{ strokes: Stroke[]; made: boolean }>;
  /** Nothing is held any more. */
  forget(): void;
};

/** The layout's keys, and such that are changed where it lacks a character. */
function keysOf(keyboard: StageKeyboard): Keys {
  const layout = keyboard.layout();
  const spare = keyboard.spare.filter((code) => layout.keys[code] === undefined);
  const places = new Map<string, string>();
  const held = new Set<string>();
  /** What went down, to be let go by the same key whatever is held by then. */
  const down = new Map<string, Stroke[]>();
  let next = 0;

  async function make(char: string): Promise<Stroke[]> {
    const isCharacter = [...char].length === 1 && !/\p{C}/u.test(char);
    const before = [...places].find(([, other]) => other === char)?.[0];
    const code = before ?? spare[next++ % Math.max(1, spare.length)];
    if (code === undefined || !isCharacter) return [];
    if (before === undefined) {
      keyboard.put(code, char);
      places.set(code, char);
      await sleep(MAPPED_MS);
    }
    return [{ code, shift: false, altGr: false }];
  }

  return {
    async strokes(act) {
      const one = chordKey(act, held);
      const pressed = act.down ? undefined : down.get(act.key);
      if (!act.down) down.delete(act.key);
      const known = pressed ?? strokesOfKey(one, layout);
      const strokes = known?.every(({ code }) => keyboard.has(code)) ? known : await make(act.key);
      if (act.down && strokes.length > 0) down.set(act.key, strokes);
      return { strokes, made: strokes !== known };
    },
    forget() {
      held.clear();
      down.clear();
    },
  };
}

function stroke(hands: Hands, held: ReadonlySet<string>, { code, shift, altGr }: Stroke): void {
  const own = [...(shift ? ['ShiftLeft'] : []), ...(altGr ? ['AltRight'] : [])].filter((one) => !held.has(one));
  for (const one of own) hands.key(one, true);
  hands.key(code, true);
  for (const one of own) hands.key(one, false);
}
