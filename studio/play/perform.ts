import { gapBefore } from '../../core/play/pieces.ts';
import {
  advance,
  commandOf,
  newPlayer,
  type Player,
  type Shift,
  type SightAfter,
  type SightBefore,
} from '../../core/play/player.ts';
import { afterEffect, beforeEffect, changedBlocks, findMoved, isAt, shiftOf } from '../../core/play/sight.ts';
import { isSameRect } from '../../core/rect.ts';
import { openHands } from '../../native/index.ts';
import type { Hands } from '../../native/platform/hands.ts';
import type { InputEvent } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Pace, PlayedStep } from '../../schemas/play.ts';
import { readRgb } from '../files/picture.ts';
import { screenAtRest } from '../stage/at-rest.ts';
import type { FromPlayer, PlayOrder, PlayPart, PlayPicture, Restless } from './protocol.ts';
import { type ElementSeeker, seekElements } from './seek-element.ts';

/** How long a target stays away before it is looked for elsewhere, and between two searches, ms. */
const SEARCH_AFTER_MS = 900;
/**
 * Programs light up what is under the pointer when they next paint: looked at so often, and each time for twice as long, since a
 * busy one paints late; shorter than until a tooltip comes, ms.
 */
const LIGHT_UP_MS = 60;
const MOST_LIGHT_UP_MS = 400;

/** The screen is at rest when nothing changed for this long, looked at so often, ms. */
const STILL_MS = 300;
const LOOK_MS = 60;

const NOWHERE: Shift = { x: 0, y: 0 };
const isNowhere = ({ x, y }: Shift): boolean => x === 0 && y === 0;
const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** A step while it is in hand: its pictures, and the screen before it was acted. */
type InHand = {
  part: PlayPart;
  before: RgbImage;
  after: RgbImage;
  later: RgbImage | null;
  /** From when on `later` counts, ms on the process's clock. */
  laterFrom: number;
  /** The squares that the step changes; all of them where the screen changed its size. */
  effect: ReadonlySet<number>;
  /** Those that change by themselves. */
  restless: ReadonlySet<number>;
  /** Leading moves: the way to the target. */
  travel: InputEvent[];
  rest: InputEvent[];
  /** The pointer is on the target, with this shift; null: it is where the step before left it. */
  approached: Shift | null;
  /** How long the pointer rests on the target at the next look, ms. */
  lightUpMs: number;
  /** Since when the target is not where it should be, ms; null: it was not looked for yet. */
  awaySince: number | null;
  liveBefore: RgbImage | null;
  /** Its element was there at the last search, with this shift. */
  elementShift: Shift | null;
};

/** Plays the parts with hands and eyes, and reports each step. Throws when the display cannot be used. */
export async function perform(
  order: PlayOrder,
  tell: (message: FromPlayer) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const hands = await openHands();
  const seeker = seekElements();
  const { parts, restless, pace, patienceMs } = order;
  const clock = (): number => Number((process.hrtime.bigint() - BigInt(order.startNs)) / 1000n);
  const seen: Required<PlayedStep>['seen'][] = [];
  const played = (): PlayedStep[] => player.played.map((step, n) => ({ ...step, ...(seen[n] && { seen: seen[n] }) }));
  const steps = parts.map(({ step, at, gapMs, settleMs }) => ({ id: step, aimed: at !== null, gapMs, settleMs }));
  const began = performance.now();
  let took = 0;
  let player = newPlayer(steps, { pace, patienceMs }, began);
  let inHand: InHand | null = null;
  let lastShift = NOWHERE;
  try {
    for (;;) {
      const now = performance.now();
      if (signal.aborted) player = advance(player, { type: 'stop', now, why: 'it was stopped' });
      const command = commandOf(player, now);
      if (command.do === 'end') break;
      const part = parts[command.at];
      if (!part) break;
      if (inHand?.part !== part) {
        inHand = await take(part, restless);
        seen[command.at] = { before: null, after: null };
        await tell({ type: 'began', at: command.at, of: parts.length, step: part.step });
      }
      const count = player.played.length;
      if (command.do === 'act') {
        await act(hands, inHand, command.shift, pace);
        inHand.laterFrom = performance.now() + Math.min(part.laterMs, patienceMs);
        lastShift = command.shift;
        player = advance(player, { type: 'acted', now: performance.now() });
      } else if (command.when === 'before') {
        await sleep(Math.max(0, command.notBefore - performance.now()));
        const sight = await lookBefore({ hands, seeker }, inHand, lastShift, pace);
        seen[command.at] = { before: clock(), after: null };
        player = advance(player, { type: 'before', now: performance.now(), sight });
      } else {
        await sleep(Math.max(0, command.notBefore - performance.now()));
        const sight = lookAfter(hands, inHand, lastShift);
        seen[command.at] = { before: seen[command.at]?.before ?? null, after: clock() };
        player = advance(player, { type: 'after', now: performance.now(), sight });
      }
      const last = played().at(-1);
      if (player.played.length > count && last) await tell({ type: 'played', step: last });
    }
    took = Math.round(performance.now() - began);
    if (inHand && !player.stopped) await settle(hands, inHand, patienceMs);
  } finally {
    hands.releaseAll();
    seeker.close();
  }
  await tell({ type: 'ended', steps: played(), stopped: stoppedOf(player), took });
  hands.close();
}

/**
 * Until what the last step set off is over, as long as the demonstration took for it and until the screen is at rest: a program
 * may still be writing its file, at which the checks look next.
 */
async function settle(hands: Hands, { part, laterFrom }: InHand, patienceMs: number): Promise<void> {
  await sleep(Math.max(0, laterFrom - performance.now()));
  const { file: _, ...rect } = part.after;
  await screenAtRest(hands, rect, { stillMs: STILL_MS, lookMs: LOOK_MS, atMostMs: patienceMs });
}

const stoppedOf = ({ stopped }: Player): { step: string; why: string } | null => stopped;

async function take(part: PlayPart, byItself: Restless | null): Promise<InHand> {
  const before = await readRgb(part.before.file);
  const after = await readRgb(part.after.file);
  const later = part.later && isSameRect(part.later, part.after) ? await readRgb(part.later.file) : null;
  const moved = part.before.x !== part.after.x || part.before.y !== part.after.y;
  const restless = new Set(!moved && byItself && isSameRect(byItself, part.after) ? byItself.blocks : []);
  const changed =
    (moved ? null : changedBlocks(before, after)) ?? changedBlocks(after, blank(after)) ?? new Set<number>();
  const effect = new Set([...changed].filter((block) => !restless.has(block)));
  const first = part.at === null ? 0 : part.events.findIndex(({ type }) => type !== 'move');
  const split = first < 0 ? part.events.length : first;
  return {
    part,
    before,
    after,
    later,
    laterFrom: 0,
    effect,
    restless,
    approached: null,
    lightUpMs: LIGHT_UP_MS,
    awaySince: null,
    liveBefore: null,
    elementShift: null,
    travel: part.events.slice(0, split),
    rest: part.events.slice(split),
  };
}

/** A picture that differs from `other` everywhere: so all of it counts as changed. */
function blank({ width, height, rgb }: RgbImage): RgbImage {
  return { width, height, rgb: rgb.map((value) => (value < 128 ? 255 : 0)) };
}

async function lookBefore(
  { hands, seeker }: { hands: Hands; seeker: ElementSeeker },
  inHand: InHand,
  lastShift: Shift,
  pace: Pace,
): Promise<SightBefore> {
  const { part, before, effect, restless } = inHand;
  const { at } = part;
  if (at === null) {
    const live = see(hands, part.before);
    if (!live) return offScreen(part.before);
    const sight = beforeEffect(before, live, effect, [lastShift, NOWHERE]);
    if (sight.there) inHand.liveBefore = live;
    return sight;
  }
  const target = { x: at.x - part.before.x, y: at.y - part.before.y };
  // With the pointer away, then on it: the picture was taken before the press, when it was lit up or not yet.
  const away = see(hands, part.before);
  if (!away) return offScreen(part.before);
  inHand.liveBefore = away;
  // A window that had moved at the step before has most likely not moved back.
  const likely = isNowhere(lastShift) ? [NOWHERE] : [lastShift, NOWHERE];
  const shift = shiftOf(before, away, target, likely, restless);
  if (shift) return { there: true, shift };
  const from = hands.pointer();
  for (const one of likely) {
    await approach(hands, inHand, one, pace);
    for (let waited = 0; waited < inHand.lightUpMs; waited += LIGHT_UP_MS) {
      await sleep(LIGHT_UP_MS);
      const lit = see(hands, part.before);
      if (lit && isAt(before, lit, target, one, restless)) return { there: true, shift: one };
    }
  }
  inHand.lightUpMs = Math.min(MOST_LIGHT_UP_MS, 2 * inHand.lightUpMs);
  // Back again: a pointer that rests brings tooltips up.
  hands.move(from.x, from.y);
  inHand.approached = null;
  const why = `the target at ${at.x}, ${at.y} does not look as before the step`;
  const now = performance.now();
  inHand.awaySince ??= now;
  // It may only be late: it is looked for at other places when it stays away.
  if (now - inHand.awaySince < SEARCH_AFTER_MS) return { there: false, why };
  inHand.awaySince = now;
  const found = findMoved(before, away, target);
  if ('shift' in found) return { there: true, shift: found.shift };
  const looked = `${why}: ${found.why}`;
  const { element } = part;
  if (!element) return { there: false, why: looked };
  const asked = await seeker.seek(element, at);
  const last = inHand.elementShift;
  inHand.elementShift = 'shift' in asked ? asked.shift : null;
  if ('why' in asked) return { there: false, why: `${looked}, and ${asked.why}` };
  // Twice at the same place: a window may be on its way still.
  if (last?.x !== asked.shift.x || last.y !== asked.shift.y) return { there: false, why: looked };
  return { there: true, shift: asked.shift, element: { role: element.role, name: element.name } };
}

function offScreen({ x, y, width, height }: PlayPicture): SightBefore & SightAfter & { there: false; same: false } {
  const needed = `${x + width} x ${y + height} px`;
  return {
    there: false,
    same: false,
    why: `the screen is smaller than in the demonstration, which needs ${needed}: set “screen” of the recipe to that, or leave it out`,
  };
}

async function approach(hands: Hands, inHand: InHand, shift: Shift, pace: Pace): Promise<void> {
  const { travel, part } = inHand;
  await send(hands, travel, shift, pace);
  if (part.at) hands.move(part.at.x + shift.x, part.at.y + shift.y);
  inHand.approached = shift;
}

async function act(hands: Hands, inHand: InHand, shift: Shift, pace: Pace): Promise<void> {
  const { travel, rest, part, approached } = inHand;
  if (part.at === null) return send(hands, [...travel, ...rest], shift, pace);
  if (approached?.x !== shift.x || approached.y !== shift.y) await approach(hands, inHand, shift, pace);
  await send(hands, rest, shift, pace);
}

/** The screen after a step, as `core/play/sight.ts` compares it. */
function lookAfter(hands: Hands, inHand: InHand, shift: Shift): SightAfter {
  const { part, effect, restless, after, liveBefore } = inHand;
  const later = performance.now() >= inHand.laterFrom ? inHand.later : null;
  const now = see(hands, part.after);
  if (!now) return offScreen(part.after);
  const before = liveBefore && liveBefore.width === now.width && liveBefore.height === now.height ? liveBefore : now;
  return afterEffect(effect, after, later, { before, now }, shift, { strict: part.at === null, restless });
}

const see = (hands: Hands, { x, y, width, height }: PlayPicture): RgbImage | null =>
  hands.look({ x, y, width, height });

/** Sends events as they were recorded, moved by `shift`. */
async function send(hands: Hands, events: readonly InputEvent[], shift: Shift, pace: Pace): Promise<void> {
  const held = new Set<string>();
  let previous: InputEvent | undefined;
  let due = performance.now();
  for (const event of events) {
    due += gapBefore(previous, event, held.size > 0, pace);
    const left = due - performance.now();
    if (left > 1) await sleep(left);
    previous = event;
    if ('x' in event) hands.move(event.x + shift.x, event.y + shift.y);
    if (event.type === 'down') held.add(event.button);
    if (event.type === 'up') held.delete(event.button);
    if (event.type === 'down' || event.type === 'up') hands.button(event.button, event.type === 'down');
    if (event.type === 'wheel') hands.wheel(notches(event.dx, event.unit), notches(event.dy, event.unit));
    if (event.type === 'keydown' || event.type === 'keyup') hands.key(event.code, event.type === 'keydown');
  }
}

/** Pixels that a touchpad scrolled are turned into the notches of a wheel, at least one. */
const PIXELS_A_NOTCH = 40;
function notches(by: number, unit: 'notch' | 'px'): number {
  if (unit === 'notch' || by === 0) return by;
  return Math.sign(by) * Math.max(1, Math.round(Math.abs(by) / PIXELS_A_NOTCH));
}
