import type { Pointer } from '../memory/memory.ts';
import { type Arg, readArguments, writeArguments } from './dbus-values.ts';
import { type Address, BusError, type SignalMatch } from './gio.ts';
import type { Variant } from './gvariant.ts';
import { libdbus } from './libdbus.ts';

/**
 * A connection to a bus of which many short questions are asked, by libdbus. GLib's (gio.ts) hands each one to a thread of its
 * own and back, which takes five times the processor time of this; and here many may be asked before the first is answered.
 */
export type QuickBus = {
  /**
   * Asks all of it, then waits until all are answered, no longer than `withinMs`. An answer is an error where there is none in
   * time, or where the other side says so.
   */
  ask(questions: readonly BusQuestion[], withinMs: number): Answer[];
  /** Hears a signal from now on. Heard only within `turn`. Throws BusError. */
  subscribe(match: SignalMatch, heard: (value: Variant[], from: Omit<Address, 'face'>) => void): void;
  /** Hands out the signals that have come. Never waits. */
  turn(): void;
  isOpen(): boolean;
  close(): void;
};
export type BusQuestion = { to: Address; method: string; args?: readonly Arg[] };
export type Answer = readonly Variant[] | BusError;

const BUS: Address = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', face: 'org.freedesktop.DBus' };
const KIND = { answer: 2, error: 3, signal: 4 };
/** How long the bus itself may take to answer, ms. */
const BUS_MS = 20_000;

/** Any program can send an answer to anybody: it counts from whom was asked, or from the bus, which says that nobody is there. */
const mayAnswer = (asked: string, sender: string | null): boolean =>
  !asked.startsWith(':') || sender === asked || sender === BUS.name;
const noAnswer = (): BusError =>
  new BusError('org.freedesktop.DBus.Error.NoReply', 'The program did not answer in time.');

/** An address is a list; libdbus takes the first that answers. */
const isSocket = (one: string): boolean => /^unix:(?:path|abstract)=/.test(one);

/**
 * Throws BusError where there is no bus, NO_LIBRARY. Only sockets are opened: where the accessibility bus is, any program of the
 * session (or stage) may say, and libdbus would start a program that an address names (`unixexec:`).
 */
export function openQuickBus(address: string): QuickBus {
  if (!address.split(';').every(isSocket)) throw new BusError('', `The bus's address is no socket: ${address}.`);
  const d = libdbus();
  const bus = d.open(address, null);
  if (bus === null) throw new BusError('', `No bus answers at ${address}.`);
  let open = true;
  const heard: { match: SignalMatch; hear(value: Variant[], from: Omit<Address, 'face'>): void }[] = [];
  /** Came while an answer was waited for. libdbus reads no more while they are too much together. */
  let signals: Pointer[] = [];
  /** Names that libdbus takes: it ends the process for others. */
  const words = new Set<string>();

  function isName(word: string, check: (word: string, error: null) => number): boolean {
    if (words.has(word)) return true;
    if (word.includes('\0') || check(word, null) === 0) return false;
    words.add(word);
    return true;
  }

  /** The number of the call; null where it cannot be asked. */
  function send({ to, method, args = [] }: BusQuestion): number | null {
    if (!isName(to.face, d.isFace) || !isName(method, d.isMember)) return null;
    if (to.name.includes('\0') || to.path.includes('\0')) return null;
    if (d.isBusName(to.name, null) === 0 || d.isPath(to.path, null) === 0) return null;
    const message = d.newCall(to.name, to.path, to.face, method);
    if (message === null) return null;
    const serial = [0];
    const isSent = writeArguments(message, args) && d.send(bus!, message, serial) !== 0;
    d.unref(message);
    return isSent ? (serial[0] ?? null) : null;
  }

  function answerOf(message: Pointer): Answer {
    const value = readArguments(message);
    if (d.kind(message) === KIND.answer) return value;
    return new BusError(d.errorName(message) ?? '', typeof value[0] === 'string' ? value[0] : '');
  }

  /** Takes what has come: signals are kept for `turn`, answers are handed out, the rest is for nobody. */
  function take(answered: (message: Pointer, to: number) => void): boolean {
    let any = false;
    for (let message = d.pop(bus!); message !== null; message = d.pop(bus!)) {
      any = true;
      const kind = d.kind(message);
      if (kind === KIND.signal) {
        signals.push(message);
        continue;
      }
      if (kind === KIND.answer || kind === KIND.error) answered(message, d.replyTo(message));
      d.unref(message);
    }
    return any;
  }

  function ask(questions: readonly BusQuestion[], withinMs: number): Answer[] {
    const answers: (Answer | null)[] = questions.map(() => null);
    // An error is made only where there is none: each takes as long as a question.
    const whole = (): Answer[] => answers.map((answer) => answer ?? noAnswer());
    if (!open) return whole();
    const waiting = new Map<number, { at: number; from: string }>();
    const until = performance.now() + withinMs;
    for (const [at, question] of questions.entries()) {
      const serial = send(question);
      if (serial === null) answers[at] = new BusError('', 'This cannot be asked.');
      else waiting.set(serial, { at, from: question.to.name });
    }
    const answered = (message: Pointer, serial: number): void => {
      const one = waiting.get(serial);
      if (!one || !mayAnswer(one.from, d.sender(message))) return;
      waiting.delete(serial);
      answers[one.at] = answerOf(message);
    };
    for (;;) {
      take(answered);
      const left = until - performance.now();
      if (waiting.size === 0 || left <= 0) return whole();
      if (d.readWrite(bus!, Math.ceil(left)) !== 0) continue;
      take(answered);
      return whole();
    }
  }

  function call(method: string, args: readonly Arg[] = []): void {
    const [answer] = ask([{ to: BUS, method, args }], BUS_MS);
    if (!Array.isArray(answer)) throw answer;
  }

  function handOut(message: Pointer): void {
    const [face, member] = [d.face(message), d.member(message)];
    const matching = heard.filter(({ match }) => match.face === face && match.member === member);
    if (matching.length === 0) return;
    const from = { name: d.sender(message) ?? '', path: d.path(message) ?? '' };
    const value = readArguments(message);
    for (const { match, hear } of matching) {
      if (match.sender !== null && match.sender !== from.name) continue;
      if (match.path !== null && match.path !== from.path) continue;
      if (match.first === undefined || match.first === value[0]) hear(value, from);
    }
  }

  function close(): void {
    if (!open) return;
    open = false;
    for (const message of signals) d.unref(message);
    signals = [];
    d.close(bus!);
    d.unrefBus(bus!);
  }

  try {
    call('Hello');
  } catch (error) {
    close();
    throw error;
  }
  return {
    ask,
    subscribe(match, hear) {
      const { sender, path, face, member, first } = match;
      const told = { sender, path, interface: face, member, arg0: first ?? null };
      const rules = Object.entries(told).flatMap(([key, value]) => (value === null ? [] : [`${key}='${value}'`]));
      call('AddMatch', [["type='signal'", ...rules].join(',')]);
      heard.push({ match, hear });
    },
    turn() {
      if (!open) return;
      // Until nothing comes any more: what was told so far must have been heard.
      do {
        const now = signals;
        signals = [];
        for (const message of now) {
          handOut(message);
          d.unref(message);
        }
        d.readWrite(bus, 0);
      } while (take(() => undefined) || signals.length > 0);
    },
    isOpen: () => open && d.isConnected(bus) !== 0,
    close,
  };
}
