import { lacking, type PerformStep, strokeOf } from '../../core/play/perform.ts';
import { openHands } from '../../native/index.ts';
import { openXkb } from '../../native/linux/xkb.ts';
import type { Hands } from '../../native/platform/hands.ts';
import type { Button } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import { tellParent } from '../files/tell-parent.ts';
import { screenAtRest } from '../stage/at-rest.ts';
import { serveDisplay } from './display-process.ts';
import type { FromScript, ScriptOrder } from './run-script.ts';

/** The process that performs a script on the display of its environment, and tells of each step. */

/** Between two events of one step, and between two clicks, ms; a drag's points. */
const BETWEEN_MS = 12;
const CLICK_MS = 40;
const POINTS = 20;
/** The screen is at rest when nothing changed for this long, looked at so often, ms. */
const STILL_MS = 300;
const LOOK_MS = 60;

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const tell = (message: FromScript): Promise<void> => tellParent(message);

type Act = PerformStep['acts'][number];

async function act(hands: Hands, layout: KeyboardLayout, held: Set<string>, one: Act): Promise<void> {
  const go = (at: readonly [number, number] | null): void => {
    if (at) hands.move(Math.round(at[0]), Math.round(at[1]));
  };
  const press = async (button: string, down: boolean): Promise<void> => {
    hands.button(button as Button, down); // By the schema, or one of the library's three.
    await sleep(CLICK_MS);
  };
  if (one.do === 'wait') await sleep(one.ms);
  else if (one.do === 'move') go(one.at);
  else if (one.do === 'key') key(hands, layout, held, one.key, one.down);
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

/** A character's own modifiers go down with it; one that the script holds already is left as it is. */
function key(hands: Hands, layout: KeyboardLayout, held: Set<string>, name: string, down: boolean): void {
  const stroke = strokeOf(name, layout);
  if (!stroke) return; // All were looked at before anything was done.
  const own = [...(stroke.shift ? ['ShiftLeft'] : []), ...(stroke.altGr ? ['AltRight'] : [])].filter(
    (code) => !held.has(code),
  );
  if (down) {
    for (const code of own) hands.key(code, true);
    held.add(stroke.code);
    hands.key(stroke.code, true);
    for (const code of own) hands.key(code, false);
  } else {
    held.delete(stroke.code);
    hands.key(stroke.code, false);
  }
}

async function performAll({ steps, screen, patienceMs }: ScriptOrder, signal: AbortSignal): Promise<void> {
  const { layout } = openXkb().read();
  const missing = lacking(steps, layout);
  if (missing.length > 0) {
    const names = missing.slice(0, 10).map((one) => `“${one}”`);
    throw new Error(
      `the layout ${layout.id} of the stage has no key for ${names.join(', ')}. Name another layout in the recipe`,
    );
  }
  const hands = await openHands();
  const held = new Set<string>();
  try {
    for (const [n, { what, acts }] of steps.entries()) {
      for (const one of acts) {
        if (signal.aborted) return await tell({ type: 'ended', stopped: n + 1 });
        await act(hands, layout, held, one);
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
  }
  await tell({ type: 'ended', stopped: null });
}

serveDisplay(performAll);
