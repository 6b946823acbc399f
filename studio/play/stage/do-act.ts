import { setTimeout as sleep } from 'node:timers/promises';
import type { Act } from '../../../core/evaluate/keys/acts.ts';
import { chordKey, type Stroke, strokesOfKey } from '../../../core/play/perform.ts';
import type { Hands } from '../../../native/platform/hands.ts';
import type { StageKeyboard } from '../../../native/platform/stage-display.ts';
import type { Button } from '../../../schemas/events.ts';

/** Does acts with the hands of a stage's display, one after the other. */

/** Between two events of one act, and between two clicks, ms; a drag's points. */
const PAUSES = { betweenMs: 12, clickMs: 40 };
const POINTS = 20;
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
      const made = act.do === 'key' ? await press(act) : await point(hands, act, pauses);
      await pause(pauses.betweenMs);
      return made;
    },
    release() {
      hands.releaseAll();
      held.clear();
      keys.forget();
    },
  };
}

const pause = async (ms: number): Promise<void> => {
  if (ms > 0) await sleep(ms);
};

async function point(hands: Hands, act: Exclude<Act, { do: 'key' }>, { betweenMs, clickMs }: Pauses): Promise<null> {
  const go = (at: readonly [number, number] | null): void => {
    if (at) hands.move(Math.round(at[0]), Math.round(at[1]));
  };
  const press = async (button: string, down: boolean): Promise<void> => {
    hands.button(button as Button, down); // By the schema, or one of the library's three.
    await pause(clickMs);
  };
  switch (act.do) {
    case 'wait':
      await sleep(act.ms);
      break;
    case 'move':
      go(act.at);
      break;
    case 'button':
      go(act.at);
      await press(act.button, act.down);
      break;
    case 'click':
      go(act.at);
      await pause(clickMs);
      for (let n = 0; n < act.count; n++) {
        await press(act.button, true);
        await press(act.button, false);
      }
      break;
    case 'scroll':
      go(act.at);
      await pause(clickMs);
      hands.wheel(act.dx, act.dy);
      break;
    case 'drag': {
      go(act.from);
      const from = hands.pointer();
      await press(act.button, true);
      const straight = Array.from({ length: POINTS }, (_, n): [number, number] => [
        from.x + ((act.to[0] - from.x) * n) / POINTS,
        from.y + ((act.to[1] - from.y) * n) / POINTS,
      ]);
      for (const at of act.path && act.path.length > 0 ? act.path : straight) {
        go(at);
        await pause(betweenMs);
      }
      go(act.to);
      await press(act.button, false);
    }
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
