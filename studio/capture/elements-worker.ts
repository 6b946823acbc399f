import { parentPort, workerData } from 'node:worker_threads';
import { sessionClock } from '../../native/clock/session-clock.ts';
import type { ElementAsker, ElementWindow, FoundElement } from '../../native/elements/contract.ts';
import { openElements } from '../../native/index.ts';
import {
  type ElementAnswer,
  type ElementsCommand,
  type ElementsReport,
  type ElementsSetup,
  PLACE,
} from './elements-protocol.ts';
import { hasLists, judgeFront } from './front.ts';
import { followKeyboard } from './keyboard-follow.ts';

/**
 * Asks for the element under the pointer, in a thread of its own: a program that hangs holds up nothing but this. Whenever
 * the pointer rests the last answer is kept, so that a press has one from before it: menus are gone afterwards.
 */
const POLL_MS = 8;
/** A pointer that stands still for so long rests, ms. */
const REST_MS = 40;
/** What a press or a key opens is there after so long, ms. */
const OPENED_MS = 300;
/** An answer that is older may be of something that is no longer shown, µs. */
const FRESH_US = 1_500_000;
/** Longer after a press nobody is asked about it any more, µs. */
const LATE_US = 400_000;

/** So often one place is asked about, and how long after an answer that did not come, ms. */
const TRIES = 3;
const AGAIN_MS = 120;

const setup = workerData as ElementsSetup; // the capture process hands in exactly this
const clock = sessionClock(setup.startNs, setup.startedAtMs);
const tell = (report: ElementsReport) => parentPort?.postMessage(report);
const read = (what: keyof typeof PLACE): number => Atomics.load(setup.place, PLACE[what]);

/** `window`: the id of the one at that place. `tries`: so often it was asked for, by then in vain. */
type Asked = {
  asked: number;
  done: number;
  x: number;
  y: number;
  window: string | null;
  tries: number;
  found: FoundElement | null;
};

function follow(asker: ElementAsker): void {
  let last: Asked | null = null;
  let [moves, stirs] = [read('moves'), read('stirs')];
  let [movedAt, stirredAt] = [clock.now(), Number.NEGATIVE_INFINITY];
  const watching = hasLists(setup.lists);

  /** Whether a window and its program's others may be recorded; which of them an answer is about is the program's word. */
  const mayBeAsked = (window: ElementWindow): boolean =>
    !watching ||
    [window, ...asker.besides(window)].every(
      (one) => judgeFront({ active: one, focused: null, topmost: null }, setup.lists) === 'allowed',
    );

  function ask(x: number, y: number, tries = 1): Asked {
    const asked = clock.now();
    const window = asker.windowAt(x, y);
    const may = window !== null && mayBeAsked(window);
    const found = may ? asker.ask(x, y, window) : null;
    // Another window may have come in between.
    const still = found && (!watching || asker.windowAt(x, y)?.id === window?.id);
    return { asked, done: clock.now(), x, y, window: window?.id ?? null, tries, found: still ? found : null };
  }

  function notice(): void {
    const now = clock.now();
    if (read('moves') !== moves) [moves, movedAt] = [read('moves'), now];
    if (read('stirs') !== stirs) [stirs, stirredAt] = [read('stirs'), now];
  }

  const keyboard = followKeyboard({
    focus: asker.focus,
    now: () => clock.now(),
    mayBeAsked,
    tell: (look) => tell({ type: 'focus', look }),
  });
  let isLost = false;

  setInterval(() => {
    notice();
    if (!isLost && !asker.isOpen()) {
      isLost = true;
      tell({ type: 'lost' });
    }
    keyboard.turn(read('keys'), read('paused') !== 0);
    const now = clock.now();
    const isPaused = read('paused') !== 0;
    if (isPaused || moves === 0 || now - movedAt < REST_MS * 1000) return;
    const isNew = !last || last.x !== read('x') || last.y !== read('y');
    const isStirred = last !== null && last.asked < stirredAt && now - stirredAt >= OPENED_MS * 1000;
    // On a busy machine an answer may not come in time; the person still looks.
    const isOwed = last !== null && last.found === null && last.tries < TRIES && now - last.done >= AGAIN_MS * 1000;
    if (isNew || isStirred) last = ask(read('x'), read('y'));
    else if (isOwed && last) last = ask(last.x, last.y, last.tries + 1);
  }, POLL_MS);

  function press(t: number, x: number, y: number): void {
    const before = last?.found && last.done <= t && holds(last, x, y) ? last : null;
    // Something was pressed since: it may be of what stood here then.
    const isSure = before !== null && before.done >= t - FRESH_US && stirredAt <= before.asked;
    const answers: ElementAnswer[] = [];
    // What is there so long after a press is what it opened.
    const nobody = { asked: t, done: t, x, y, window: null, tries: TRIES, found: null };
    const now = clock.now() - t <= LATE_US ? ask(x, y) : nobody;
    // A menu that is gone by now: what lies behind it was not pressed.
    const was = last && last.asked <= t && last.x === x && last.y === y ? last.window : null;
    if (was !== null && was !== now.window) now.found = null;
    last = now;
    stirredAt = Math.max(now.done, t);
    if (now.found) answers.push({ asked: now.asked, done: now.done, found: now.found, when: 'press' });
    if (before?.found) {
      const { asked, done, found } = before;
      answers.splice(isSure ? 0 : answers.length, 0, { asked, done, found, when: 'before' });
    }
    tell({ type: 'press', t, answers });
  }

  parentPort?.on('message', (command: ElementsCommand) => {
    if (command.type === 'press') press(command.t, command.x, command.y);
    if (command.type === 'clear') last = null;
    if (command.type !== 'close') return;
    asker.close();
    tell({ type: 'closed' });
    parentPort?.close();
    process.exit(0);
  });
}

function holds({ x, y, found }: Asked, px: number, py: number): boolean {
  if (x === px && y === py) return true;
  const box = found?.bounds;
  // What is large holds others, of which another may lie here.
  if (!box || box.width * box.height > LARGE) return false;
  return px >= box.x && py >= box.y && px < box.x + box.width && py < box.y + box.height;
}
const LARGE = 60_000;

openElements()
  .then((asker) => {
    if (asker) follow(asker);
    tell({ type: 'ready', why: asker ? null : 'not asked for on this system' });
    if (!asker) parentPort?.close();
  })
  .catch((error: unknown) => {
    tell({ type: 'ready', why: error instanceof Error ? error.message : String(error) });
    parentPort?.close();
  });
