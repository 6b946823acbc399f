import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uiohookOf } from '../input/keys.ts';
import { fakeApi } from '../platform/fake-api-for-tests.ts';
import type { WindowsApi } from './api.ts';
import { followWindowsKeys, LOOK_MS } from './made-keys.ts';

/** The text is the one that Windows made, also where keys are heard late, set by a program or let go unseen. */

const HKL = 0x04090409n;
const [SHIFT, LEFT_SHIFT, CAPITAL, KEY_A] = [0x10, 0xa0, 0x14, 0x41];
/** Times wrap in the middle of a run: the counter starts again after 49.7 days. */
const BEGUN = 2 ** 32 - 3000;
const VIRTUAL: Readonly<Record<string, number>> = { KeyA: KEY_A, CapsLock: CAPITAL, ShiftLeft: LEFT_SHIFT };

/** A keyboard as Windows has it: its state is that of now, whichever of its events were heard. */
function keyboard() {
  const down = new Set<string>();
  let [caps, now] = [false, BEGUN];
  const api = fakeApi<WindowsApi>({
    PeekMessageW: () => undefined,
    GetTickCount: () => now >>> 0,
    GetKeyState: (vk) => (vk === CAPITAL && caps ? 1 : 0),
    GetAsyncKeyState: (vk) => ([...down].some((code) => VIRTUAL[code] === vk) ? -0x8000 : 0),
    MapVirtualKeyExW: () => KEY_A,
    ToUnicodeEx: (vk, _scan, state) => {
      if (vk !== KEY_A) return { result: 0, text: '' };
      return { result: 1, text: (state[SHIFT] !== 0) !== (state[CAPITAL] !== 0) ? 'A' : 'a' };
    },
  });
  return {
    api,
    at: (ms: number) => {
      now = BEGUN + ms;
    },
    set: () => {
      caps = !caps;
    },
    release: (code: string) => void down.delete(code),
    /** The letter that the key makes. */
    press(code: string): string | undefined {
      if (code === 'CapsLock' && !down.has(code)) caps = !caps;
      down.add(code);
      return code === 'KeyA' ? (down.has('ShiftLeft') !== caps ? 'A' : 'a') : undefined;
    },
  };
}

type Did = { at: number; late: number; type: 'keydown' | 'keyup'; code: string; text?: string | undefined };

/** Does the steps in order and gives what the follower made of each letter, beside what Windows made of it. */
function play(steps: readonly Step[]): { made: (string | undefined)[]; wanted: (string | undefined)[] } {
  const windows = keyboard();
  const keys = followWindowsKeys(windows.api);
  keys.look();
  const turns: { at: number; run(): void }[] = [];
  const heard: Did[] = [];
  let at = 0;
  const act = (run: (at: number) => void): void => {
    const when = at;
    turns.push({ at: when, run: () => run(when) });
  };
  const event = (type: Did['type'], code: string, late: number): void =>
    act((when) => {
      const text = type === 'keydown' ? windows.press(code) : undefined;
      if (type === 'keyup') windows.release(code);
      heard.push({ at: when, late, type, code, text });
    });
  for (const { kind, gap, late } of steps) {
    at += gap;
    if (kind === 'set') {
      act(() => windows.set());
      // Long enough that it is seen before the next key.
      at += 500 + 2 * LOOK_MS;
    } else if (kind === 'unseen') {
      // The hook sees that it is pressed, and not that it is let go.
      event('keydown', 'ShiftLeft', late);
      at += 50;
      act(() => windows.release('ShiftLeft'));
      at += 500 + 2 * LOOK_MS;
    } else {
      const shift = kind === 'shifted';
      if (shift) event('keydown', 'ShiftLeft', late);
      at += shift ? gap : 0;
      event('keydown', kind === 'lock' ? 'CapsLock' : 'KeyA', late);
      at += 30;
      event('keyup', kind === 'lock' ? 'CapsLock' : 'KeyA', late);
      if (shift) event('keyup', 'ShiftLeft', late);
    }
    at += 10;
  }
  for (let look = LOOK_MS; look < at + 2000; look += LOOK_MS) turns.push({ at: look, run: () => keys.look() });
  const made: (string | undefined)[] = [];
  const wanted: (string | undefined)[] = [];
  const hear = (did: Did): void => {
    // A loop that was held up does its timers first.
    keys.look();
    const said = keys.take(
      { type: did.type, time: (BEGUN + did.at) >>> 0, mods: 0, code: did.code, hookCode: uiohookOf(did.code) ?? 0 },
      HKL,
    );
    if (did.code === 'KeyA' && did.type === 'keydown') {
      made.push(said?.text);
      wanted.push(did.text);
    }
  };
  const due = (until: number): void => {
    while (heard[0] && heard[0].at + heard[0].late <= until) hear(heard.shift()!);
  };
  for (const turn of turns.sort((a, b) => a.at - b.at)) {
    due(turn.at);
    windows.at(turn.at);
    turn.run();
  }
  due(Number.POSITIVE_INFINITY);
  return { made, wanted };
}

type Step = { kind: 'letter' | 'shifted' | 'lock' | 'set' | 'unseen'; gap: number; late: number };
const step = (kind: Step['kind'], gap = 20, late = 0): Step => ({ kind, gap, late });

test('CapsLock that is heard late, after a pause, is not counted twice', () => {
  const { made } = play([step('letter'), step('lock', 900, 300), step('letter'), step('lock'), step('letter')]);
  expect(made).toEqual(['a', 'A', 'a']);
});

test('a lock that a program sets counts from the next key', () => {
  expect(play([step('letter'), step('set', 700), step('letter')]).made).toEqual(['a', 'A']);
});

test('Shift that is let go where no hook sees it is let go', () => {
  expect(play([step('unseen'), step('letter')]).made).toEqual(['a']);
});

test('Shift that is held for long stays held', () => {
  expect(play([step('letter'), step('shifted', 1500)]).made).toEqual(['a', 'A']);
});

test('every letter is the one that Windows made', () => {
  const steps = fc.record({
    kind: fc.constantFrom('letter', 'shifted', 'lock', 'set', 'unseen'),
    gap: fc.integer({ min: 1, max: 1600 }),
    late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 900 })),
  });
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 30 }), (all) => {
      const { made, wanted } = play(all);
      expect(made).toEqual(wanted);
    }),
  );
});
