import { setTimeout as sleep } from 'node:timers/promises';
import type { InHand } from '../../core/play/in-hand.ts';
import { gapBefore } from '../../core/play/pieces.ts';
import type { Shift } from '../../core/play/player.ts';
import type { Hands } from '../../native/platform/hands.ts';
import type { InputEvent } from '../../schemas/events.ts';
import type { Pace } from '../../schemas/play.ts';
import { HELD_UP_MS } from './stage/do-act.ts';

/** Sends the recorded events of a step in hand, up to its end or `signal`. */

export type ActOptions = { pace: Pace; signal: AbortSignal };

export async function approach(hands: Hands, inHand: InHand, shift: Shift, options: ActOptions): Promise<void> {
  const { travel, part } = inHand;
  await send(hands, travel, shift, options);
  if (part.at && !options.signal.aborted) hands.move(part.at.x + shift.x, part.at.y + shift.y);
  inHand.approached = shift;
}

export async function act(hands: Hands, inHand: InHand, shift: Shift, options: ActOptions): Promise<void> {
  const { travel, rest, part, approached } = inHand;
  if (part.at === null) return send(hands, [...travel, ...rest], shift, options);
  if (approached?.x !== shift.x || approached.y !== shift.y) await approach(hands, inHand, shift, options);
  await send(hands, rest, shift, options);
}

/** Sends events as they were recorded, moved by `shift`. */
async function send(
  hands: Hands,
  events: readonly InputEvent[],
  shift: Shift,
  { pace, signal }: ActOptions,
): Promise<void> {
  const held = new Set<string>();
  let previous: InputEvent | undefined;
  let due = performance.now();
  for (const event of events) {
    due += gapBefore(previous, event, held.size > 0, pace);
    const left = due - performance.now();
    if (left > 1) await sleep(left, null, { signal }).catch(() => undefined);
    // Whoever stops a play on their own display wants their hands back, also in the middle of a long drag.
    if (signal.aborted) return;
    previous = event;
    if ('x' in event) hands.move(event.x + shift.x, event.y + shift.y);
    if (event.type === 'down') held.add(event.button);
    if (event.type === 'up') held.delete(event.button);
    if (event.type === 'down' || event.type === 'up') hands.button(event.button, event.type === 'down');
    if (event.type === 'wheel') hands.wheel(notches(event.dx, event.unit), notches(event.dy, event.unit));
    const isKey = event.type === 'keydown' || event.type === 'keyup';
    if (isKey) await hands.delivered(HELD_UP_MS);
    if (isKey) hands.key(event.code, event.type === 'keydown');
  }
}

/** Pixels that a touchpad scrolled are turned into the notches of a wheel, at least one. */
const PIXELS_A_NOTCH = 40;
function notches(by: number, unit: 'notch' | 'px'): number {
  if (unit === 'notch' || by === 0) return by;
  return Math.sign(by) * Math.max(1, Math.round(Math.abs(by) / PIXELS_A_NOTCH));
}
