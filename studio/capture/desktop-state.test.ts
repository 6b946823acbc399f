import { expect, test } from 'vitest';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { desktopState, LAYOUT_UNKNOWN } from './desktop-state.ts';

const read: KeyboardLayout = { ...usLayout(), source: 'xkb' };
const guessed = usLayout();
const NO_LOCKS = { caps: false, num: false };

function stateOf(layout: KeyboardLayout) {
  const notices: string[] = [];
  const lines: string[] = [];
  const outlet = { always: ({ type }: { type?: unknown }) => void lines.push(String(type)), state: () => undefined };
  const state = desktopState({
    notice: (code: string) => void notices.push(code),
    clock: { now: () => 0 },
    desktop: { ready: { layout, locks: NO_LOCKS, settings: {}, displays: [] }, readAnew: () => undefined },
    outlet,
    gate: { isCut: () => false },
  } as unknown as Parameters<typeof desktopState>[0]); // nothing else of them is used
  return { state, notices };
}

test('a layout that is read says nothing', () => {
  const { state, notices } = stateOf(read);
  state.begin(0);
  state.onLayout({ t: 1, at: 1, layout: read, locks: NO_LOCKS });
  expect(notices).toEqual([]);
});

test('a layout that could not be read is said, at the begin and later, once each time', () => {
  const { state, notices } = stateOf(guessed);
  state.begin(0);
  for (const layout of [guessed, read, guessed, guessed]) state.onLayout({ t: 1, at: 1, layout, locks: NO_LOCKS });
  expect(notices).toEqual([LAYOUT_UNKNOWN, LAYOUT_UNKNOWN]);
});
