import type { QuickBus } from '../bus/dbus.ts';
import type { Arg } from '../bus/dbus-values.ts';
import { askOne } from '../elements/ask-bus.ts';
import type { AtspiTree } from '../elements/atspi.ts';
import type { ElementAsker, ElementWindow, KeyboardFocus, SecretWhy } from '../elements/contract.ts';
import { type FocusFollower, type FocusKind, followFocus } from '../elements/focus.ts';
import { asksForSecret, isPrompt } from '../elements/secret-programs.ts';
import { heardTexts } from '../elements/texts.ts';
import { quietly, type Speakers } from './accessibility.ts';
import { followTerminals } from './terminals.ts';
import { followYoungPrograms } from './young-programs.ts';

/** What has the keyboard on X11: by the programs' own word, by echo in terminals, by the names of programs that ask for secrets. */

const REGISTRY = {
  name: 'org.a11y.atspi.Registry',
  path: '/org/a11y/atspi/registry',
  face: 'org.a11y.atspi.Registry',
};
const EVENTS = 'org.a11y.atspi.Event.Object';
/** Programs tell only what somebody has asked the registry for. */
const WANTED = [
  ...['object:state-changed:focused', 'object:text-caret-moved', 'object:text-changed'],
  'object:property-change:accessible-role',
];
const START_MS = 20_000;
/** How often it is looked whether a prompt is on the screen, ms. */
const PROMPTS_MS = 40;
/**
 * A terminal at which nobody looked for longer, on a busy machine, may have asked for a secret and got it meanwhile, ms. What was
 * typed into it counts as not known for so long that it is told.
 */
const UNSEEN_MS = 700;
/** One that got the keyboard since the last look, which came so much later than it should: a prompt may have come and gone, ms. */
const UNSEEN_NEW_MS = 200;
const TOLD_MS = 20;

export type Speaking = {
  bus: QuickBus;
  tree: AtspiTree;
  follower: FocusFollower;
  texts: ReturnType<typeof heardTexts>;
};

/** Throws BusError when the registry takes no wishes: then nothing would be told. */
export function hearPrograms(bus: QuickBus, tree: AtspiTree): Speaking {
  const follower = followFocus(bus.ask);
  const any = { sender: null, path: null, face: EVENTS };
  bus.subscribe({ ...any, member: 'StateChanged', first: 'focused' }, ([, on], { name, path }) =>
    follower.heard(name, path, on === 1 ? 'focused' : 'left'),
  );
  bus.subscribe({ ...any, member: 'TextCaretMoved' }, (_, { name, path }) => follower.heard(name, path, 'caret'));
  bus.subscribe({ ...any, member: 'PropertyChange', first: 'accessible-role' }, (_, { name, path }) =>
    follower.roleChanged(name, path),
  );
  const texts = heardTexts();
  bus.subscribe({ ...any, member: 'TextChanged' }, (values, { name, path }) => texts.heard(name, path, values));
  for (const event of WANTED) {
    // Before 2.36 (2021) the registry took the name alone.
    const register = (...more: Arg[]): unknown =>
      askOne(bus.ask, { to: REGISTRY, method: 'RegisterEvent', args: [event, ...more] }, START_MS);
    if (!quietly(() => register([], ''))) register();
  }
  return { bus, tree, follower, texts };
}

type Desktop = {
  /** The X window that the keyboard goes to: most often a part of a program's window. 0: none. */
  focusedId(): number;
  /** The program's window that this X window is, or is a part of. */
  windowOf(id: number): ElementWindow | null;
  windows(): ElementWindow[];
};

export function x11Keyboard(
  { focusedId, windowOf, windows }: Desktop,
  speakers: Speakers<Speaking>,
  now: () => number = () => performance.now(),
): Pick<ElementAsker, 'focus' | 'texts'> {
  const terminals = followTerminals(now);
  const young = followYoungPrograms();
  let focused = 0;
  /** The program's window with that in it. */
  let holder: string | null = null;
  let moves = 0;
  /** How often a window has passed the keyboard on inside itself. */
  let passes = 0;
  /** The process of the window that had the keyboard when it was looked last, and what its terminal said. */
  let pid = 0;
  let echo: ReturnType<typeof terminals.of> = null;
  let echoAt = Number.NEGATIVE_INFINITY;
  let unseenUntil: number | null = null;
  let prompts = { at: Number.NEGATIVE_INFINITY, shown: false };
  let last: { why: SecretWhy; silent: string | null; slowest: number } = { why: 'field', silent: null, slowest: 0 };

  function turn(closely: boolean): void {
    const live = speakers.live();
    live?.bus.turn();
    if (closely) followWindow();
    if (!live) speakers.look(false);
    followEcho();
  }
  function followWindow(): void {
    const id = focusedId();
    if (id !== focused) {
      focused = id;
      const window = windowOf(id);
      // GTK hands the keyboard that a window manager gives to its window on to a small one in it, at each click that raises it.
      if (window !== null && window.id === holder) passes++;
      else changeWindow(window);
    }
    if (now() - prompts.at < PROMPTS_MS) return;
    const shown = windows().some(isPrompt);
    if (shown !== prompts.shown) moves++;
    prompts = { at: now(), shown };
  }
  function changeWindow(window: ElementWindow | null): void {
    moves++;
    holder = window?.id ?? null;
    pid = window?.pid ?? 0;
    const at = now();
    echo = terminals.of(pid);
    // A terminal that asked may be gone by now, so it counts whatever has the keyboard.
    const isUnseen = at - echoAt > UNSEEN_NEW_MS;
    [echoAt, unseenUntil] = [at, isUnseen ? at + TOLD_MS : null];
    speakers.look(true);
  }
  function followEcho(): void {
    const before = echo;
    const at = now();
    echo = terminals.of(pid);
    if (echo !== before) moves++;
    if (echo !== null && echo !== 'unknown' && at - echoAt > UNSEEN_MS) {
      unseenUntil = at + TOLD_MS;
      moves++;
    }
    if (unseenUntil !== null && at > unseenUntil) {
      unseenUntil = null;
      moves++;
    }
    echoAt = at;
  }

  /** Whether the program that told last is known by its windows: one that hangs then has the keyboard only where they have it. */
  function tellsByItsWindow({ follower, tree }: Speaking): boolean {
    const teller = follower.last();
    const process = teller && tree.pidOf(teller.bus);
    return process === null || windows().some((window) => window.pid === process);
  }

  function kindIn(window: ElementWindow | null): FocusKind {
    const secret = (why: SecretWhy): FocusKind => {
      last = { ...last, why };
      return 'password';
    };
    last = { why: 'field', silent: null, slowest: 0 };
    if (prompts.shown || (window && asksForSecret(window, true))) return secret('program');
    const terminal = window ? terminals.of(window.pid) : null;
    if (terminal === 'hidden') return secret('echo');
    if (unseenUntil !== null) return 'unanswered';
    const silent = (): FocusKind => {
      if (window && asksForSecret(window, false)) return secret('program');
      // On its way to the bus: what its fields are is not known by now.
      if (window && terminal === null && young.mayYetSpeak(window.pid)) return 'unanswered';
      if (window && terminal !== 'shown') last = { ...last, silent: window.app || window.title };
      return 'open';
    };
    speakers.look(true);
    const live = speakers.live();
    if (!live?.bus.isOpen()) return silent();
    const program = window === null || window.pid <= 0 ? null : live.tree.busOf(window.pid);
    if (program === undefined) return 'unanswered';
    // Its echo was read, so its process is known: what another program told last is not about it.
    if (program === null && terminal === 'shown') return silent();
    const kind = live.follower.kindIn(program);
    last = { ...last, slowest: live.follower.slowest() };
    if (kind === 'password') return secret(live.follower.why());
    if (program !== null) return kind;
    return kind === 'open' || (kind === 'unanswered' && tellsByItsWindow(live)) ? silent() : kind;
  }

  const focus: KeyboardFocus = {
    turn,
    version: () => (speakers.live()?.follower.version() ?? 0) + moves + passes,
    moves: () => (speakers.live()?.follower.moves() ?? 0) + moves,
    window: () => windowOf(focusedId()),
    kindIn,
    slowest: () => last.slowest,
    why: () => last.why,
    silent: () => last.silent,
    isShown: () => speakers.live()?.follower.isShown() ?? null,
  };
  return {
    focus,
    texts: {
      changes: () => speakers.live()?.texts.take() ?? [],
      fieldIn(window) {
        const live = speakers.live();
        const program = live?.bus.isOpen() && window.pid > 0 ? live.tree.busOf(window.pid) : null;
        const path = program ? live?.follower.fieldIn(program) : null;
        return program && path != null ? { bus: program, path } : null;
      },
      lastFocus: () => speakers.live()?.follower.last() ?? null,
      isMenu(place) {
        const live = speakers.live();
        return !live?.bus.isOpen() || live.follower.isMenu(place);
      },
    },
  };
}
