import { parentPort, workerData } from 'node:worker_threads';
import { sessionClock } from '../../native/clock/session-clock.ts';
import type { ElementAsker, ElementWindow } from '../../native/elements/contract.ts';
import { openElements } from '../../native/index.ts';
import { type Asked, type HeardPress, PointerAnswers, REST_US } from './element-timing.ts';
import {
  type ElementAnswer,
  type ElementsCommand,
  type ElementsReport,
  type ElementsSetup,
  PLACE,
} from './elements-protocol.ts';
import { hasLists, judgeFront } from './front.ts';
import { followKeyboard, TYPING } from './keyboard-follow.ts';
import { withNamedSecrets } from './named-secrets.ts';
import { followShown } from './shown-follow.ts';
import { followTexts } from './texts-follow.ts';

/**
 * Asks for the element under the pointer, in a thread of its own: a program that hangs holds up nothing but this. Whenever
 * the pointer rests the last answer is kept, so that a press has one from before it: menus are gone afterwards.
 */
/**
 * How often it is looked for what has moved and what programs have told. Waking costs more than looking: nearly all of what this
 * thread used (2.7 % of a core at 8 ms, on two virtual cores) was that. While keys come, what had the keyboard between two looks
 * must be known.
 */
const LOOK_MS = 40;
const TYPING_LOOK_MS = 8;
/** How often it is looked for on-screen keyboards, µs. */
const KEYBOARDS_US = 100_000;
/** Longer after a press nobody is asked about it any more, µs: what is there then is what it opened. */
const LATE_US = 400_000;

const setup = workerData as ElementsSetup; // the capture process hands in exactly this
const clock = sessionClock(setup.startNs, setup.startedAtMs);
const tell = (report: ElementsReport) => parentPort?.postMessage(report);
const read = (what: keyof typeof PLACE): number => Atomics.load(setup.place, PLACE[what]);

/** `settled`: called once what has the keyboard is known, or was not told in time. */
function follow(asker: ElementAsker, settled: () => void): void {
  const answers = new PointerAnswers();
  let [stirs, keys] = [read('stirs'), read('keys')];
  let [stirredAt, keyAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const watching = hasLists(setup.lists);

  /** Whether a window and its program's others may be recorded; which of them an answer is about is the program's word. */
  const mayBeAsked = (window: ElementWindow): boolean =>
    !watching ||
    [window, ...asker.besides(window)].every(
      (one) => judgeFront({ active: one, focused: null, topmost: null }, setup.lists) === 'allowed',
    );

  function ask(x: number, y: number): Asked {
    const [asked, stirs] = [clock.now(), read('stirs')];
    const window = asker.windowAt(x, y);
    const may = window !== null && mayBeAsked(window);
    const found = may ? asker.ask(x, y, window) : null;
    // Another window may have come in between.
    const still = found && (!watching || asker.windowAt(x, y)?.id === window?.id);
    return { asked, done: clock.now(), x, y, stirs, window: window?.id ?? null, found: still ? found : null };
  }

  function notice(): void {
    const now = clock.now();
    if (read('stirs') !== stirs) [stirs, stirredAt] = [read('stirs'), now];
    if (read('keys') !== keys) [keys, keyAt] = [read('keys'), now];
  }

  const keyboard = followKeyboard({
    focus: withNamedSecrets(asker.focus, setup.secretPrograms),
    now: () => clock.now(),
    mayBeAsked,
    tell: (look) => tell({ type: 'focus', look }),
  });
  const texts = followTexts({
    texts: asker.texts,
    focus: asker.focus,
    now: () => clock.now(),
    mayBeAsked,
    tell: (change) => tell({ type: 'text', ...change }),
  });
  const shown = followShown({
    isShown: () => asker.focus.isShown?.() ?? null,
    now: () => clock.now(),
    tell: (change) => tell({ type: 'shown', ...change }),
  });
  const keyboards = lookForKeyboards(asker);
  let isLost = false;
  let isSettled = false;

  /** Until the next look, ms: not later than the pointer rests. */
  function untilNext(): number {
    const now = clock.now();
    if (now - keyAt < TYPING) return TYPING_LOOK_MS;
    const rests = (read('movedMs') * 1000 + REST_US - now) / 1000;
    return rests > 0 ? Math.min(LOOK_MS, Math.ceil(rests) + 1) : LOOK_MS;
  }

  function look(): void {
    notice();
    if (!isLost && !asker.isOpen()) {
      isLost = true;
      tell({ type: 'lost' });
    }
    keyboard.turn(read('keys'), read('paused') !== 0);
    if (!isSettled && keyboard.isSettled()) {
      isSettled = true;
      settled();
    }
    texts.turn(read('keys'), read('paused') !== 0);
    shown.turn();
    keyboards();
    if (read('paused') !== 0 || read('moves') === 0) return;
    const [x, y, movedAt] = [read('x'), read('y'), read('movedMs') * 1000];
    if (answers.isDue({ now: clock.now(), x, y, movedAt, stirs, stirredAt })) answers.add(ask(x, y));
  }
  const turn = (): void => {
    look();
    setTimeout(turn, untilNext());
  };
  turn();

  function press(heard: HeardPress): void {
    const { t, x, y } = heard;
    const known = answers.before(heard);
    const was = answers.windowBefore(heard);
    const told: ElementAnswer[] = [];
    // Where it is known well what was pressed nobody need be asked.
    if (!known?.isSure && clock.now() - t <= LATE_US) {
      const now = ask(x, y);
      // A menu that is gone by now: what is behind it was not pressed.
      if (was !== null && was !== now.window) now.found = null;
      answers.add(now);
      const { asked, done, found } = now;
      if (found) told.push({ asked, done, found, when: 'press' });
    }
    if (known) {
      const { asked, done, found } = known.answer;
      told.splice(known.isSure ? 0 : told.length, 0, { asked, done, found, when: 'before' });
    }
    tell({ type: 'press', t, x, y, answers: told });
  }

  parentPort?.on('message', (command: ElementsCommand) => {
    if (command.type === 'press') press(command);
    if (command.type === 'clear') answers.clear();
    if (command.type !== 'close') return;
    asker.close();
    tell({ type: 'closed' });
    parentPort?.close();
    process.exit(0);
  });
}

/** Gives what looks for on-screen keyboards, when that is due. */
function lookForKeyboards({ screenKeyboards }: ElementAsker): () => void {
  let looked = clock.now();
  let last = '[]';
  return () => {
    const t = clock.now();
    if (!screenKeyboards || t - looked < KEYBOARDS_US) return;
    const rects = screenKeyboards();
    const since = looked;
    looked = t;
    const now = JSON.stringify(rects);
    if (now === last) return;
    last = now;
    tell({ type: 'keyboards', look: { since, t, rects } });
  };
}

openElements()
  .then((asker) => {
    const ready = (why: string | null): void => tell({ type: 'ready', why, missing: asker?.missing?.() ?? null });
    if (asker) return follow(asker, () => ready(null));
    ready('not asked for on this system');
    parentPort?.close();
  })
  .catch((error: unknown) => {
    tell({ type: 'ready', why: error instanceof Error ? error.message : String(error), missing: null });
    parentPort?.close();
  });
