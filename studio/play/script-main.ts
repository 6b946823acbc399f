import { setTimeout as sleep } from 'node:timers/promises';
import { chordKey, lacking, type PerformStep, type Stroke, strokesOfKey } from '../../core/play/perform.ts';
import { isOnKeyboard } from '../../native/input/keys.ts';
import { openSpareKeys, SPARE_CODES } from '../../native/linux/spare-keys.ts';
import { openXkb } from '../../native/linux/xkb.ts';
import type { Hands } from '../../native/platform/hands.ts';
import type { Button } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import { tellParent } from '../files/tell-parent.ts';
import { screenAtRest } from '../stage/at-rest.ts';
import { openOwnHands, serveDisplay } from './display-process.ts';
import type { FromScript, ScriptOrder } from './run-script.ts';

/** The process that performs a script on the display of its environment, and reports each step. */

/** Between two events of one step, and between two clicks, ms; a drag's points. */
const BETWEEN_MS = 12;
const CLICK_MS = 40;
const POINTS = 20;
/** The screen is at rest when nothing changed for this long, looked at so often, ms. */
const STILL_MS = 300;
const LOOK_MS = 60;

const tell = (message: FromScript): Promise<void> => tellParent(message);

type Act = PerformStep['acts'][number];

/** After a change of the keyboard until every program, and the recorder, has read it anew, ms. */
const MAPPED_MS = 700;

/** The layout, and keys that are changed where it lacks a character. */
type Keyboard = {
  strokes(act: Act & { do: 'key' }): Promise<Stroke[]>;
  temporary: ReadonlySet<string>;
  close(): void;
};

function keyboardOf(layout: KeyboardLayout, wanted: readonly string[]): Keyboard {
  const spare = SPARE_CODES.filter((code) => layout.keys[code] === undefined);
  const places = new Map<string, string>();
  const temporary = new Set<string>();
  const held = new Set<string>();
  /** What went down, to be let go by the same key whatever is held by then. */
  const down = new Map<string, Stroke[]>();
  const keys = wanted.length > 0 ? openSpareKeys() : null;
  let next = 0;
  return {
    temporary,
    close: () => keys?.close(),
    async strokes(act) {
      const one = chordKey(act, held);
      const pressed = act.down ? undefined : down.get(act.key);
      if (!act.down) down.delete(act.key);
      const strokes = pressed ?? strokesOfKey(one, layout) ?? (await made(act.key));
      if (act.down) down.set(act.key, strokes);
      return strokes;
    },
  };

  async function made(char: string): Promise<Stroke[]> {
    const before = [...places].find(([, other]) => other === char)?.[0];
    const code = before ?? spare[next++ % Math.max(1, spare.length)];
    if (code === undefined || !keys) return [];
    if (before === undefined) {
      keys.put(code, char);
      places.set(code, char);
      temporary.add(char);
      await sleep(MAPPED_MS);
    }
    return [{ code, shift: false, altGr: false }];
  }
}

async function act(hands: Hands, keyboard: Keyboard, held: Set<string>, one: Act, signal: AbortSignal): Promise<void> {
  const go = (at: readonly [number, number] | null): void => {
    if (at) hands.move(Math.round(at[0]), Math.round(at[1]));
  };
  const press = async (button: string, down: boolean): Promise<void> => {
    hands.button(button as Button, down); // By the schema, or one of the library's three.
    await sleep(CLICK_MS);
  };
  if (one.do === 'wait') await sleep(one.ms, null, { signal }).catch(() => undefined);
  else if (one.do === 'move') go(one.at);
  else if (one.do === 'key') await key(hands, keyboard, held, one);
  else if (one.do === 'button') {
    go(one.at);
    await press(one.button, one.down);
  } else if (one.do === 'click') {
    go(one.at);
    await sleep(CLICK_MS);
    for (let n = 0; n < one.count; n++) {
      await press(one.button, true);
      await press(one.button, false);
    }
  } else if (one.do === 'scroll') {
    go(one.at);
    await sleep(CLICK_MS);
    hands.wheel(one.dx, one.dy);
  } else {
    go(one.from);
    const from = hands.pointer();
    await press(one.button, true);
    const straight = Array.from({ length: POINTS }, (_, n): [number, number] => [
      from.x + ((one.to[0] - from.x) * n) / POINTS,
      from.y + ((one.to[1] - from.y) * n) / POINTS,
    ]);
    for (const at of one.path && one.path.length > 0 ? one.path : straight) {
      go(at);
      await sleep(BETWEEN_MS);
    }
    go(one.to);
    await press(one.button, false);
  }
  await sleep(BETWEEN_MS);
}

/** A character's own modifiers go down with it; one that the script holds already is left as it is. A dead key goes before. */
async function key(hands: Hands, keyboard: Keyboard, held: Set<string>, act: Act & { do: 'key' }): Promise<void> {
  const strokes = await keyboard.strokes(act);
  const last = strokes.at(-1);
  if (!last) return; // All were looked at before anything was done.
  if (act.down) {
    for (const dead of strokes.slice(0, -1)) {
      stroke(hands, held, dead);
      hands.key(dead.code, false);
      await sleep(BETWEEN_MS);
    }
    stroke(hands, held, last);
    held.add(last.code);
  } else {
    held.delete(last.code);
    hands.key(last.code, false);
  }
}

function stroke(hands: Hands, held: ReadonlySet<string>, { code, shift, altGr }: Stroke): void {
  const own = [...(shift ? ['ShiftLeft'] : []), ...(altGr ? ['AltRight'] : [])].filter((one) => !held.has(one));
  for (const one of own) hands.key(one, true);
  hands.key(code, true);
  for (const one of own) hands.key(one, false);
}

async function performAll({ steps, screen, patienceMs }: ScriptOrder, signal: AbortSignal): Promise<void> {
  const { layout } = openXkb().read();
  const missing = lacking(steps, layout, isOnKeyboard);
  if (missing.names.length > 0) {
    const names = missing.names.slice(0, 10).map((one) => `“${one}”`);
    throw new Error(
      `the layout ${layout.id} of the stage has no key for ${names.join(', ')}. Name another layout in the recipe`,
    );
  }
  const hands = await openOwnHands();
  const keyboard = keyboardOf(layout, missing.characters);
  const ended = (stopped: number | null): Promise<void> =>
    tell({ type: 'ended', stopped, temporary: [...keyboard.temporary] });
  const held = new Set<string>();
  try {
    for (const [n, { what, acts }] of steps.entries()) {
      await hands.answered(patienceMs);
      for (const one of acts) {
        if (signal.aborted) return await ended(n + 1);
        await act(hands, keyboard, held, one, signal);
      }
      await tell({
        type: 'performed',
        step: {
          step: n + 1,
          what,
          waited: await screenAtRest(hands, screen, { stillMs: STILL_MS, lookMs: LOOK_MS, atMostMs: patienceMs }),
        },
      });
    }
  } finally {
    hands.releaseAll();
    keyboard.close();
  }
  await ended(null);
}

serveDisplay(performAll);
