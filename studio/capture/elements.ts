import type { SessionClock } from '../../native/clock/session-clock.ts';
import type { CaptureHost } from '../../native/platform/platform.ts';
import { reasonOf } from '../../native/process/ending.ts';
import { startThread } from '../../native/process/start-thread.ts';
import { protocol } from '../../native/process/supervise.ts';
import type { PictureJudgement } from '../../native/screen/contract.ts';
import { ELEMENTS_VERSION, type ElementLine } from '../../schemas/elements.ts';
import type { WithheldWhy } from '../../schemas/events.ts';
import {
  type ElementAnswer,
  type ElementsCommand,
  type ElementsReport,
  type ElementsSetup,
  PLACE,
} from './elements-protocol.ts';
import type { FrontLists } from './front.ts';
import { judgeKeys, type KeyJudge } from './key-judge.ts';
import type { Outlet } from './outlet.ts';
import type { CaptureOrder } from './protocol.ts';
import { saySecrets } from './say-secrets.ts';
import { followScreenKeyboards, type ScreenKeyboards } from './screen-keyboards.ts';

/** The capture process's side of elements-worker.ts. Nothing here waits or fails: without answers there are no lines. */
export type ElementQuestions = {
  moved(x: number, y: number): void;
  /** A key, or a button that was let go: something may have opened. */
  stirred(): void;
  /** A button, or the first turn of the wheel. `t` is the event's own time, µs. */
  pressed(t: number, x: number, y: number): void;
  /** Nothing is asked while it lasts, and what is known is forgotten. */
  pause(paused: boolean): void;
  /** Which keys went into a field for passwords. */
  keys: Pick<KeyJudge, 'key' | 'moves' | 'secretAt'> & {
    /** Keys up to here are judged, µs. */
    judgedTo(): number;
    /** When all keys that came so far are judged; waits no longer than a key may. */
    judged(): Promise<void>;
  };
  /** On-screen keyboards, on which secrets are pressed. */
  keyboards: Pick<ScreenKeyboards, 'isShown' | 'holds' | 'pictures'> & { cutsPictures(): boolean };
  /** When there is somebody to ask, or when it takes too long to wait for. */
  ready(): Promise<void>;
  /** When the last press has its answer, and the other thread is gone; waits no longer than a press may take. */
  close(): Promise<void>;
};

type Parts = {
  clock: SessionClock;
  lists: FrontLists;
  outlet: Pick<Outlet, 'element' | 'text'>;
  notice(code: string, message: string): void;
  /** True for a time (µs) of which nothing is to be written (I6). */
  cut(t: number): boolean;
  /** Other pictures than before may be kept by now. */
  judgePictures(): void;
};

/** The longest that the beginning of a recording waits, ms. */
const READY_MS = 4000;
/** The longest that the end of a recording waits, ms. */
const LAST_MS = 800;
/** While an on-screen keyboard is seen, how often it is asked what has the keyboard, ms. */
const KEYBOARDS_MS = 60;

const isReport = protocol<ElementsReport>({
  press: true,
  ready: true,
  shown: true,
  focus: true,
  keyboards: true,
  text: true,
  lost: true,
  closed: true,
});

/** A Wayland compositor does not tell which window lies where. */
const ASKED: ReadonlySet<CaptureHost['name']> = new Set(['x11', 'windows', 'macos']);

/** Starts asking, where it is wanted and this system can be asked; where a person wants it and it cannot be, a notice says so. */
export function elementsFor(
  order: Pick<CaptureOrder, 'elements' | 'elementNames' | 'outside' | 'secretPrograms'>,
  host: Pick<CaptureHost, 'name'>,
  parts: Parts,
): ElementQuestions {
  const { elements = false, elementNames = true, outside, secretPrograms = [] } = order;
  // Who names programs wants their windows to be known.
  const byDefault = elements === 'by-default' && (secretPrograms.length === 0 || host.name === 'x11');
  if (!elements) return secretPrograms.length === 0 ? NO_ELEMENTS : telling('passwords-not-told', UNNAMED, parts);
  if (byDefault && !outside && host.name !== 'x11' && ASKED.has(host.name))
    return telling('passwords-not-told', NOT_BY_DEFAULT, parts);
  if (!outside && ASKED.has(host.name)) return startElements(parts, { byDefault, elementNames, secretPrograms });
  const where = outside
    ? 'where a browser shares the screen'
    : 'on Wayland, which does not tell which window lies where';
  const message = `Programs cannot be asked for their elements ${where}: steps get none, and what is typed into fields for passwords is recorded. Pause before you type one.`;
  return telling(byDefault ? 'passwords-not-told' : 'elements-not-asked', message, parts);
}

const UNNAMED =
  'Elements are not asked for, so it is not known which window has the keyboard: what is typed into the programs that were named (--secret-program) is recorded. Pause before you type a secret.';
const NOT_BY_DEFAULT =
  'Programs are asked for their fields only where elements are asked for (the switch, or --elements): what is typed into fields for passwords is recorded. Pause before you type one.';
const telling = (code: string, message: string, { notice }: Pick<Parts, 'notice'>): ElementQuestions => ({
  ...NO_ELEMENTS,
  ready: async () => notice(code, message),
});

function startElements(
  parts: Parts,
  {
    byDefault,
    elementNames,
    secretPrograms,
  }: Pick<Required<CaptureOrder>, 'elementNames' | 'secretPrograms'> & { byDefault: boolean },
): ElementQuestions {
  const { clock, lists, outlet, cut } = parts;
  const place = new Int32Array(new SharedArrayBuffer(4 * Object.keys(PLACE).length));
  const setup: ElementsSetup = { startNs: clock.startNs, startedAtMs: clock.startedAtMs, place, lists, secretPrograms };
  const judge = judgeKeys();
  let lastKey = Number.NEGATIVE_INFINITY;
  const judgedTo = (): number => judge.judgedTo(clock.now());
  const worker = startThread<ElementsCommand, ElementsReport>(new URL('./elements-worker.ts', import.meta.url), {
    data: setup,
    accepts: isReport,
    onMessage: hear,
  });
  worker.hold(false);
  let alive = true;
  let waiting = 0;
  const gone = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  setTimeout(ready.resolve, READY_MS).unref();
  const send = (command: ElementsCommand): void => worker.send(command);
  let isOver = false;
  const end = (): void => {
    alive = false;
    judge.end(clock.now());
    ready.resolve();
    gone.resolve();
  };
  const says = saySecrets(parts.notice);
  const keyboards = followScreenKeyboards({ secrets: judge.secrets, judgedTo });
  const cutsPictures = (): boolean => keyboards.cutsPictures(clock.now());
  let isPaused = false;
  const follow = whileShown(keyboards, clock, () => {
    if (!isPaused) countKey(clock.now());
    parts.judgePictures();
    for (const one of keyboards.over(clock.now())) says.hidden(one);
    return alive;
  });
  function countKey(t: number): void {
    if (!alive) return;
    lastKey = t;
    judge.key(t);
    Atomics.add(place, PLACE.keys, 1);
  }
  function unasked(why: string): void {
    end();
    parts.notice(
      'passwords-not-told',
      `Programs cannot be asked for their fields (${why}): what is typed into those for passwords is recorded.`,
    );
  }
  function lose(why: string): void {
    if (!alive || isOver) return;
    end();
    parts.notice(
      'elements-lost',
      `${why}: steps get no elements, and what is typed into fields for passwords is recorded.`,
    );
  }
  void worker.ended.then((ending) => {
    if (ending.why === 'threw') lose(`Programs are no longer asked for their elements (${reasonOf(ending)})`);
    end();
  });
  function hear(report: ElementsReport): void {
    if (report.type === 'closed') end();
    if (report.type === 'lost') lose('The accessibility bus is gone');
    if (report.type === 'text' && alive) {
      const { t, field, at, removed, inserted } = report;
      outlet.text(t, () => (judge.secretAt(t) ? null : { t, type: 'text', field, at, removed, inserted }));
    }
    if (report.type === 'focus' && alive) {
      judge.told(report.look);
      says.silent(report.look);
    }
    if (report.type === 'shown') says.shown(report);
    if (report.type === 'keyboards' && alive) {
      keyboards.told(report.look);
      follow();
    }
    if (report.type === 'ready') {
      if (report.why !== null && byDefault) unasked(report.why);
      else if (report.why !== null) lose(`Programs cannot be asked for their elements (${report.why})`);
      if (report.missing !== null) says.missing(report.missing, byDefault ? 'passwords-not-told' : 'elements-lost');
      ready.resolve();
    }
    if (report.type !== 'press') return;
    waiting--;
    const { t, x, y, answers } = report;
    if (answers.length === 0) return;
    // Judged by the time at which the best was known; one that came later would have to wait longer.
    const known = Math.max(t, answers[0]?.done ?? t);
    outlet.element(known, () => {
      const may = ({ asked, done }: ElementAnswer): boolean => done <= known && !cut(asked) && !cut(done);
      const isSecret = keyboards.holds(t, x, y) && judge.secretAt(t) !== null;
      const answer = cut(t) || isSecret ? undefined : answers.find(may);
      if (!answer) return null;
      return elementNames ? lineOf(t, answer) : withoutNames(lineOf(t, answer));
    });
  }

  return {
    moved(x, y) {
      Atomics.store(place, PLACE.x, x);
      Atomics.store(place, PLACE.y, y);
      Atomics.store(place, PLACE.movedMs, Math.floor(clock.now() / 1000));
      Atomics.add(place, PLACE.moves, 1);
    },
    stirred: () => void Atomics.add(place, PLACE.stirs, 1),
    pressed(t, x, y) {
      if (!alive) return;
      waiting++;
      // Only presses before it count, whenever the other thread hears of them.
      send({ type: 'press', t, x, y, stirs: Atomics.add(place, PLACE.stirs, 1) });
    },
    pause(paused) {
      isPaused = paused;
      Atomics.store(place, PLACE.paused, paused ? 1 : 0);
      if (alive) send({ type: 'clear' });
    },
    keys: {
      key: countKey,
      moves: judge.moves,
      secretAt: judge.secretAt,
      judgedTo,
      judged() {
        judge.hasten(clock.now());
        return untilJudged(judgedTo, lastKey);
      },
    },
    keyboards: { ...keyboards, cutsPictures },
    ready: () => ready.promise,
    async close() {
      isOver = true;
      says.over(clock.now());
      const until = performance.now() + LAST_MS;
      while (alive && waiting > 0 && performance.now() < until) await new Promise((done) => setTimeout(done, 10));
      if (alive) send({ type: 'close' });
      const timer = setTimeout(end, LAST_MS);
      await gone.promise;
      clearTimeout(timer);
      for (const one of keyboards.over(Number.POSITIVE_INFINITY)) says.hidden(one);
      parts.judgePictures();
    },
  };
}

/** `t`: of a key; more may be counted meanwhile. */
async function untilJudged(judgedTo: () => number, t: number): Promise<void> {
  while (judgedTo() < t) await new Promise((done) => setTimeout(done, 10));
}

/**
 * Keys and presses of an on-screen keyboard, and the pictures of it, are judged by what has the keyboard at any time: `look` is called
 * again and again from the first call on while such a keyboard is shown, or pictures of it wait; until it gives false.
 */
function whileShown(keyboards: ScreenKeyboards, clock: Pick<SessionClock, 'now'>, look: () => boolean): () => void {
  let next: NodeJS.Timeout | null = null;
  function again(): void {
    const isAlive = look();
    const isDone =
      !keyboards.isShown() &&
      keyboards.pictures().to === Number.POSITIVE_INFINITY &&
      !keyboards.cutsPictures(clock.now());
    next = isDone || !isAlive ? null : setTimeout(again, KEYBOARDS_MS);
  }
  return () => {
    if (!next) again();
  };
}

function lineOf(t: number, { asked, done, found, when }: ElementAnswer): ElementLine {
  const { name, role, bounds, ...rest } = found;
  return { t, name, role, bounds, version: ELEMENTS_VERSION, ...rest, asked, took: done - asked, when };
}

/** The line without the words that a program gives its element. */
export function withoutNames(line: ElementLine): ElementLine {
  const { description: _, automationId: __, ...rest } = line;
  return { ...rest, name: '' };
}

/** Where elements are not asked for. */
const NO_ELEMENTS: ElementQuestions = {
  moved: () => undefined,
  stirred: () => undefined,
  pressed: () => undefined,
  pause: () => undefined,
  keys: {
    key: () => undefined,
    moves: () => undefined,
    secretAt: () => null,
    judgedTo: () => Number.POSITIVE_INFINITY,
    judged: async () => undefined,
  },
  keyboards: {
    isShown: () => false,
    holds: () => false,
    pictures: () => ({ to: Number.POSITIVE_INFINITY, cuts: [] }),
    cutsPictures: () => false,
  },
  ready: async () => undefined,
  close: async () => undefined,
};

/** What the gate asks of questions that are opened after it. */
export function askLater(elements: () => ElementQuestions) {
  return {
    keys: {
      judgedTo: (): number => elements().keys.judgedTo(),
      secretAt: (t: number): WithheldWhy | null => elements().keys.secretAt(t),
    },
    keyboards: {
      isShown: (): boolean => elements().keyboards.isShown(),
      holds: (t: number, x: number, y: number): boolean => elements().keyboards.holds(t, x, y),
      pictures: (): PictureJudgement => elements().keyboards.pictures(),
      cutsPictures: (): boolean => elements().keyboards.cutsPictures(),
    },
  };
}
