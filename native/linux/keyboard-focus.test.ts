import { expect, test } from 'vitest';
import type { ElementWindow } from '../elements/contract.ts';
import { x11Keyboard } from './keyboard-focus.ts';

/** An editor whose window hands the keyboard on to a part of it, and a terminal beside it. */
const [EDITOR, PART, TERMINAL] = [10, 11, 20];
const OWNERS = new Map([
  [EDITOR, 'editor'],
  [PART, 'editor'],
  [TERMINAL, 'terminal'],
]);

function desk() {
  const world = { now: 0, focused: PART };
  const windowOf = (id: number): ElementWindow | null => {
    const name = OWNERS.get(id);
    return name === undefined ? null : { id: name, app: name, title: name, pid: 0, popup: false, bounds: null };
  };
  const speakers = { live: () => null, look: () => undefined, missing: () => null, isOpen: () => true, close() {} };
  const { focus } = x11Keyboard(
    { focusedId: () => world.focused, windowOf, windows: () => [] },
    speakers,
    () => world.now,
  );
  const said = () => {
    const { version, moves, window, kindIn } = focus;
    return { version: version(), moves: moves?.(), kind: kindIn(window()) };
  };
  /** A look after `ms`, and what is said then. */
  const after = (ms: number) => {
    world.now += ms;
    focus.turn(true);
    return said();
  };
  after(8);
  after(30);
  return { world, after, said };
}

test.each([8, 600])(
  'a window that passes the keyboard on inside itself stays what is typed into (looked %i ms later)',
  (ms) => {
    const { world, after, said } = desk();
    const before = said();
    expect(before.kind).toBe('open');
    // The window manager gives it to the window that is pressed, and the program to the part that had it.
    for (const id of [EDITOR, PART]) {
      world.focused = id;
      const { version, moves, kind } = after(ms);
      expect({ moves, kind }).toEqual({ moves: before.moves, kind: 'open' });
      // It is asked anew all the same.
      expect(version).toBeGreaterThan(before.version);
    }
  },
);

test('another window that was not looked at in time, or nobody, is another', () => {
  const { world, after, said } = desk();
  for (const id of [TERMINAL, 0, EDITOR]) {
    const before = said();
    world.focused = id;
    const late = after(600);
    expect(late.kind).toBe('unanswered');
    expect(late.moves).toBeGreaterThan(before.moves ?? 0);
    after(30);
    expect(said().kind).toBe('open');
  }
  world.focused = TERMINAL;
  expect(after(8).kind).toBe('open');
});
