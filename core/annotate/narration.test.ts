import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import { actionFrom } from '../keyframes/example-for-tests.ts';
import { type NarrationFields, narrate, scrollDirection } from './narration.ts';

const place = (x: number, y: number) => ({ x, y, display: 1, t: 0 });
const click = (more: Partial<Action> = {}) => actionFrom('a', 0, 0, { kind: 'click', start: place(412, 233), ...more });
const drag = (more: Partial<Action> = {}) =>
  actionFrom('a', 0, 0, { kind: 'drag', start: place(10, 20), end: place(300, 40), ...more });
const press = (keys: string[], count = 1) => actionFrom('a', 0, 0, { kind: 'press', keys, count });
const type = (text: string) => actionFrom('a', 0, 0, { kind: 'type', text });
const scroll = (dx: number, dy: number, more: Partial<Action> = {}) =>
  actionFrom('a', 0, 0, {
    kind: 'scroll',
    start: place(5, 6),
    scroll: { dx, dy, unit: 'notch', natural: false },
    ...more,
  });

const insert: NarrationFields = { element: 'Insert tab' };

describe('clicks', () => {
  test.each<[Partial<Action>, string]>([
    [{}, 'Click on the Insert tab'],
    [{ button: 'right' }, 'Right click on the Insert tab'],
    [{ button: 'middle' }, 'Middle click on the Insert tab'],
    [{ button: 'button8' }, 'Button8 click on the Insert tab'],
    [{ count: 2 }, 'Double click on the Insert tab'],
    [{ count: 3 }, 'Triple click on the Insert tab'],
    [{ count: 4 }, '4-fold click on the Insert tab'],
    [{ count: 2, button: 'right' }, 'Double right click on the Insert tab'],
    [{ modifiers: ['ctrl'] }, 'Ctrl+click on the Insert tab'],
    [{ modifiers: ['ctrl', 'shift'], button: 'right' }, 'Ctrl+Shift+right click on the Insert tab'],
    [{ holdMs: 3000 }, 'Click and hold on the Insert tab for 3 s'],
  ])('%j', (more, sentence) => {
    expect(narrate(click(more), insert)).toBe(sentence);
  });

  test('without a name say the position', () => {
    expect(narrate(click())).toBe('Click at (412, 233)');
    expect(narrate(click({ count: 3 }))).toBe('Triple click at (412, 233)');
    expect(narrate(click({ modifiers: ['ctrl'] }))).toBe('Ctrl+click at (412, 233)');
  });

  test('say it in the frame of the picture when that is given', () => {
    expect(narrate(click(), {}, { origin: { x: 400, y: 200 } })).toBe('Click at (12, 33)');
  });

  test('do not double an article, and take an empty name for none', () => {
    expect(narrate(click(), { element: ' the Insert tab ' })).toBe('Click on the Insert tab');
    expect(narrate(click(), { element: 'A button' })).toBe('Click on the A button');
    expect(narrate(click(), { element: '  ' })).toBe('Click at (412, 233)');
  });
});

describe('drags: [element] from [start] to [end] to [purpose]', () => {
  test('a purpose that says "to" itself is not said twice', () => {
    const fields = { element: 'edge', start: 'left', end: 'right' };
    for (const purpose of ['make it wider', 'to make it wider', ' To make it wider '])
      expect(narrate(drag(), { ...fields, purpose })).toBe('Drag the edge from left to right to make it wider');
  });

  test('the whole quadruple', () => {
    const fields = { element: 'clip', start: 'media pool', end: 'timeline', purpose: 'add it to the video' };
    expect(narrate(drag(), fields)).toBe('Drag the clip from media pool to timeline to add it to the video');
  });

  test("a start that is not given is the paper's original position", () => {
    expect(narrate(drag(), { element: 'clip', end: 'timeline' })).toBe(
      'Drag the clip from original position to timeline',
    );
  });

  test('without names, from position to position', () => {
    expect(narrate(drag())).toBe('Drag from (10, 20) to (300, 40)');
    expect(narrate(drag({ button: 'right', modifiers: ['alt'] }))).toBe('Alt+right drag from (10, 20) to (300, 40)');
  });
});

describe('keys and text', () => {
  test('chords', () => {
    expect(narrate(press(['ctrl', 'c']))).toBe('Press Ctrl+C');
    expect(narrate(press(['shift', 'Tab']))).toBe('Press Shift+Tab');
    expect(narrate(press(['Enter']))).toBe('Press Enter');
    expect(narrate(press(['alt', 'ArrowLeft']))).toBe('Press Alt+Left');
    expect(narrate(press(['ctrl', 'é']))).toBe('Press Ctrl+É');
    expect(narrate(press(['ctrl', 'ß']))).toBe('Press Ctrl+ß');
  });

  test('repeats say how often', () => {
    expect(narrate(press(['Backspace'], 5))).toBe('Press Backspace 5 times');
  });

  test('text stands as typed: $ and quotes and braces too', () => {
    expect(narrate(type("cost is $5 and $6, it's {text} $& é"))).toBe("Type 'cost is $5 and $6, it's {text} $& é'");
  });

  test('any text is in its narration (law)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(narrate(type(text))).toBe(`Type '${text}'`);
      }),
    );
  });
});

describe('scrolls', () => {
  test('down is content moving up (A10)', () => {
    expect(narrate(scroll(0, 3), { element: 'Export button' })).toBe('Scroll down to see Export button');
    expect(narrate(scroll(0, -3), { element: 'the title' })).toBe('Scroll up to see the title');
    expect(narrate(scroll(2, 0))).toBe('Scroll right at (5, 6)');
    expect(narrate(scroll(-2, 0, { modifiers: ['shift'] }))).toBe('Shift+scroll left at (5, 6)');
  });

  test('a scroll of nothing has no direction', () => {
    expect(scrollDirection(scroll(0, 0))).toBe('nowhere');
    expect(narrate(scroll(0, 0))).toBe('Scroll at (5, 6)');
  });
});

test('hovers and waits', () => {
  expect(narrate(actionFrom('a', 0, 0, { kind: 'hover' }), { element: 'menu' })).toBe('Hover over the menu');
  expect(narrate(actionFrom('a', 0, 0, { kind: 'hover', end: place(7, 8) }))).toBe('Hover at (7, 8)');
  expect(narrate(actionFrom('a', 1000, 3500, { kind: 'wait' }))).toBe('Wait for 2.5 s');
});
