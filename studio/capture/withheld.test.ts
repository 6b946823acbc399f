import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdsPoint } from '../../core/rect.ts';
import type { HookKeyEvent } from '../../native/input/hook.ts';
import type { Rect } from '../../schemas/events.ts';
import { MOD_BITS } from '../../schemas/key-bits.ts';
import type { KeyMade } from '../../schemas/key-made.ts';
import type { LineFile } from './append.ts';
import { createGate } from './gate.ts';
import type { Line } from './line.ts';
import { createOutlet } from './outlet.ts';
import { keyStrokeOf, movesFocus } from './withheld.ts';

const MS = 1000;
/** An outlet of a recording in which keys between these times go into a field for passwords. */
function made(from: number, to: number, keyboard: Rect | null = null) {
  const written: Record<string, unknown>[] = [];
  let judged = Number.POSITIVE_INFINITY;
  const add = ((line) => written.push({ ...line }) - 1) as LineFile['add'];
  const events = { add } as LineFile; // nothing else of it is used
  const gate = createGate<Line>({ watching: false, keysTo: () => judged });
  const secretAt = (t: number) => (t >= from * MS && t < to * MS ? ('field' as const) : null);
  const files = { events, windows: events, elements: events };
  const holds = (_: number, x: number, y: number): boolean => keyboard !== null && holdsPoint(keyboard, x, y);
  const outlet = createOutlet(gate, files, async () => null, secretAt, { isShown: () => keyboard !== null, holds });
  return {
    gate,
    outlet,
    judgeTo(t: number) {
      judged = t;
    },
    key(t: number, code: string, down = true, mods = 0): Line {
      const type = down ? 'keydown' : 'keyup';
      const stroke = keyStrokeOf({ type, time: t, mods, code, hookCode: 0 });
      return outlet.key({ t: t * MS, type, code }, stroke);
    },
    pointer: (t: number, type: 'move' | 'down' | 'up' | 'wheel', x: number): Line =>
      outlet.input({ t: t * MS, type, x, y: 5, ...((type === 'down' || type === 'up') && { button: 'left' }) }),
    /** A key with what the system made of it. */
    madeKey(t: number, code: string, made: KeyMade, down = true): void {
      const type = down ? 'keydown' : 'keyup';
      const line = { t: t * MS, type, code, ...(down && { made }) };
      outlet.key(
        line,
        keyStrokeOf({ type, code, hookCode: 0, time: 0, mods: 0, ...(down && { made }) } as HookKeyEvent),
      );
    },
    lines: () => JSON.stringify(written),
    done(): string[] {
      outlet.finish();
      return written.map(({ type, code, from: since, t, keys, why, x }) =>
        type === 'withheld'
          ? `withheld ${keys} ${Number(since) / MS}-${Number(t) / MS}${why === 'field' ? '' : ` ${why}`}`
          : `${type} ${code ?? x ?? ''}`.trim(),
      );
    },
  };
}

describe('in a field for passwords', () => {
  test('what the system made of a key goes with it, also on a key that is named: nothing of the text is written', () => {
    const { madeKey, lines, done } = made(100, 200);
    const press = (t: number, code: string, what: KeyMade): void => {
      madeKey(t, code, what);
      madeKey(t + 5, code, what, false);
    };
    press(50, 'KeyA', { key: 'a', text: 'a', sym: 'a' });
    // Programs map letters onto spare keys, and options onto those beside the letters.
    press(110, 'KeyB', { key: 'geheim1', text: 'geheim1', sym: 'geheim1' });
    press(120, 'Unknown', { key: 'geheim2', text: 'geheim2' });
    press(130, 'F9', { key: 'geheim3', text: 'geheim3' });
    press(140, 'Tab', { key: 'geheim4', sequence: 'goes-on' });
    press(150, 'CapsLock', { key: 'Control' });
    press(160, 'Enter', { key: 'Enter' });
    expect(done()).toEqual(['keydown KeyA', 'keyup KeyA', 'withheld 4 110-155', 'keydown Enter', 'keyup Enter']);
    expect(lines()).not.toContain('geheim');
  });

  test('chords that write nothing are keys as ever; those that may write are withheld', () => {
    const { key, done } = made(0, 1000);
    const [ctrl, shift, alt, meta] = [MOD_BITS.ctrl, MOD_BITS.shift, MOD_BITS.alt, MOD_BITS.meta];
    key(10, 'ControlLeft');
    key(20, 'KeyS', true, ctrl);
    key(30, 'KeyS', false, ctrl);
    key(40, 'KeyV', true, ctrl + shift);
    key(50, 'KeyL', true, meta);
    // A character by its number, AltGr on Windows, Alt in some terminals.
    key(60, 'KeyA', true, ctrl + shift);
    key(70, 'KeyQ', true, ctrl + alt);
    key(80, 'KeyQ', true, alt);
    key(90, 'KeyQ', true, shift);
    expect(done()).toEqual([
      ...['withheld 0 10-10', 'keydown ControlLeft', 'keydown KeyS', 'keyup KeyS', 'keydown KeyV', 'keydown KeyL'],
      'withheld 4 60-90',
    ]);
  });

  test('keys are counted, not named; Tab and Enter are keys as ever', () => {
    const { key, done } = made(100, 200);
    for (const [t, code] of [
      [50, 'KeyA'],
      [90, 'Tab'],
      [110, 'KeyB'],
      [120, 'ShiftLeft'],
      [130, 'KeyC'],
    ] as const) {
      key(t, code);
      key(t + 5, code, false);
    }
    key(140, 'Enter');
    key(250, 'KeyD');
    expect(done()).toEqual([
      ...[
        'keydown KeyA',
        'keyup KeyA',
        'keydown Tab',
        'keyup Tab',
        'withheld 2 110-135',
        'keydown Enter',
        'keydown KeyD',
      ],
    ]);
  });

  test('a release goes where its press went, on whichever side of the border it lies', () => {
    const { key, done } = made(100, 200);
    key(90, 'KeyA');
    key(110, 'KeyA', false);
    key(190, 'KeyB');
    key(210, 'KeyB', false);
    key(220, 'KeyB');
    expect(done()).toEqual(['keydown KeyA', 'keyup KeyA', 'withheld 1 190-210', 'keydown KeyB']);
  });

  test('a key that is held down over the border stays withheld', () => {
    const { key, done } = made(100, 200);
    for (const t of [150, 180, 210, 240]) key(t, 'KeyA');
    expect(done()).toEqual(['withheld 4 150-240']);
  });

  test('the recorder’s own shortcut does not count', () => {
    const { key, done } = made(100, 200);
    key(110, 'KeyA');
    for (const [t, code] of [
      [120, 'ControlLeft'],
      [130, 'KeyP'],
    ] as const)
      key(t, code).own = true;
    expect(done()).toEqual(['withheld 1 110-110']);
  });

  test('a press ends the line, and so does a rest; a move does not', () => {
    const { key, outlet, done } = made(0, 60_000);
    key(10, 'KeyA');
    outlet.input({ t: 20 * MS, type: 'move' });
    key(30, 'KeyB');
    outlet.input({ t: 40 * MS, type: 'down' });
    key(50, 'KeyC');
    outlet.anchor({ t: 3000 * MS, type: 'anchor' });
    key(3100, 'KeyD');
    const lines = done();
    expect(lines).toEqual(['move', 'withheld 2 10-30', 'down', 'withheld 1 50-50', 'anchor', 'withheld 1 3100-3100']);
  });

  test('a pause ends it, and what is forgotten leaves no line', () => {
    const paused = made(0, 60_000);
    paused.key(10, 'KeyA');
    paused.gate.pause(20 * MS, 'privacy');
    expect(paused.done()).toEqual(['withheld 1 10-10', 'pause']);
    const forgotten = made(0, 60_000);
    forgotten.key(10, 'KeyA');
    forgotten.outlet.drain();
    forgotten.gate.forget(5 * MS);
    expect(forgotten.done()).toEqual([]);
  });
});

test('a key waits until it is judged, and what comes after it with it', () => {
  const { key, outlet, judgeTo, done } = made(100, 200);
  judgeTo(0);
  key(150, 'KeyA');
  outlet.input({ t: 160 * MS, type: 'down' });
  expect(done()).toEqual([]);
  judgeTo(150 * MS);
  expect(done()).toEqual(['withheld 1 150-150', 'down']);
});

test('whatever is pressed, no letter of that time is written', () => {
  const stroke = fc.record({ code: fc.constantFrom('KeyA', 'KeyB', 'Enter', 'ShiftLeft'), down: fc.boolean() });
  fc.assert(
    fc.property(fc.array(stroke, { maxLength: 60 }), (strokes) => {
      const { key, done } = made(200, 400);
      const lines = strokes.map(({ code, down }, i) => ({ code, down, t: i * 10, line: key(i * 10, code, down) }));
      done();
      for (const { code, down, t, line } of lines) {
        if (down && code !== 'Enter' && t >= 200 && t < 400) expect(line.number).toBeNull();
        if (code === 'Enter') expect(line.number).not.toBeNull();
      }
    }),
  );
});

test('keys that can move the focus', () => {
  const alone = ['Tab', 'Enter', 'Escape', 'F6', 'ArrowDown', 'Space', 'KeyA', 'Digit1', null];
  expect(alone.map((code) => movesFocus(code, false))).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    true,
  ]);
  expect(movesFocus('KeyA', true)).toBe(true);
});

describe('on an on-screen keyboard', () => {
  const KEYBOARD = { x: 100, y: 0, width: 100, height: 10 };

  test('presses of letters are withheld with the keys that they make, and counted once; what lies beside it is written', () => {
    const { key, pointer, done } = made(100, 500, KEYBOARD);
    pointer(90, 'move', 110);
    pointer(105, 'move', 20);
    for (const [t, x, code] of [
      [110, 120, 'KeyA'],
      [150, 130, 'KeyB'],
    ] as const) {
      pointer(t, 'move', x);
      pointer(t + 1, 'down', x);
      key(t + 2, code);
      key(t + 3, code, false);
      pointer(t + 4, 'up', x);
    }
    pointer(300, 'move', 20);
    pointer(310, 'down', 20);
    pointer(320, 'up', 20);
    expect(done()).toEqual(['move 110', 'move 20', 'move 20', 'withheld 2 111-153 on-screen', 'down 20', 'up 20']);
  });

  test('where it writes without keys, presses are counted; its Enter is none, and is a step', () => {
    const { key, pointer, done } = made(100, 500, KEYBOARD);
    for (const t of [110, 150]) {
      pointer(t, 'down', 120);
      pointer(t + 4, 'up', 120);
    }
    pointer(200, 'down', 190);
    key(201, 'Enter');
    key(202, 'Enter', false);
    pointer(203, 'up', 190);
    expect(done()).toEqual(['withheld 2 110-200 on-screen', 'keydown Enter', 'keyup Enter']);
  });

  test('a release goes where its press went', () => {
    const { pointer, done } = made(100, 500, KEYBOARD);
    pointer(110, 'down', 120);
    pointer(120, 'up', 20);
    pointer(210, 'down', 20);
    pointer(220, 'up', 120);
    expect(done()).toEqual(['withheld 1 110-110 on-screen', 'down 20', 'up 120']);
  });

  test('presses wait until it is known what was asked for', () => {
    const { pointer, judgeTo, outlet, done, lines } = made(100, 500, KEYBOARD);
    judgeTo(0);
    pointer(110, 'down', 120);
    outlet.drain();
    expect(lines()).toBe('[]');
    judgeTo(Number.POSITIVE_INFINITY);
    expect(done()).toEqual(['withheld 1 110-110 on-screen']);
  });
});
