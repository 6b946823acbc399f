import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ElementLine } from '../../schemas/elements.ts';
import { calledWords, type ElementTarget, elementTarget, shiftByElement } from './element.ts';

const LINE: ElementLine = {
  t: 1,
  version: 1,
  source: 'atspi',
  when: 'before',
  app: 'zenity',
  role: 'push button',
  name: 'OK',
  states: ['enabled', 'sensitive', 'showing'],
  bounds: { x: 100, y: 50, width: 80, height: 30 },
  path: [
    { role: 'dialog', index: 0 },
    { role: 'filler', index: 1 },
    { role: 'push button', index: 2 },
  ],
};
const AT = { x: 130, y: 60 };
const target = elementTarget(LINE, AT)!;

const boxes = fc.record({ x: fc.nat(3000), y: fc.nat(2000), width: fc.nat(400), height: fc.nat(400) });
const states = fc.subarray(['showing', 'sensitive', 'checked', 'pressed', 'expanded', 'selected', 'focused']);
const answers = fc.record({
  elements: fc.array(fc.record({ bounds: boxes, states }), { maxLength: 3 }),
  whole: fc.boolean(),
});

test('PL22: a target is found only when exactly one element answers, all were looked at, and it is as it was', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      const found = shiftByElement(target, AT, answer);
      const [only] = answer.elements;
      const asItWas =
        only?.states.includes('sensitive') === true &&
        ['checked', 'pressed', 'expanded', 'selected'].every((state) => !only.states.includes(state));
      const may = answer.elements.length === 1 && answer.whole && asItWas && only.bounds.width * only.bounds.height > 0;
      expect('shift' in found).toBe(may);
    }),
  );
});

test('PL22: the place within its box is the same one, however large the box is', () => {
  fc.assert(
    fc.property(boxes, boxes, fc.nat(399), fc.nat(399), (was, is, dx, dy) => {
      fc.pre(was.width * was.height * is.width * is.height > 0);
      const at = { x: was.x + (dx % was.width), y: was.y + (dy % was.height) };
      const aimed: ElementTarget = { ...target, bounds: was };
      const found = shiftByElement(aimed, at, { elements: [{ bounds: is, states: target.states }], whole: true });
      if (!('shift' in found)) throw new Error(found.why);
      const [x, y] = [at.x + found.shift.x - is.x, at.y + found.shift.y - is.y];
      expect(x >= 0 && x < is.width && y >= 0 && y < is.height).toBe(true);
      // To the pixel in a box of the same size, and as near as pixels go in another.
      expect(Math.abs((x + 0.5) / is.width - (at.x - was.x + 0.5) / was.width)).toBeLessThanOrEqual(1 / is.width);
      if (is.width === was.width) expect(x).toBe(at.x - was.x);
      if (is.height === was.height) expect(y).toBe(at.y - was.y);
    }),
  );
});

test('PL22: an item of a menu is the same, selected by the pointer on it or not', () => {
  const item = { ...target, role: 'menu item', states: ['sensitive', 'selected'] };
  const answer = { elements: [{ bounds: target.bounds, states: ['sensitive'] }], whole: true };
  expect(shiftByElement(item, AT, answer)).toEqual({ shift: { x: 0, y: 0 } });
  expect(shiftByElement({ ...item, role: 'list item' }, AT, answer)).toEqual({
    why: 'its list item “OK” is not selected, as it was in the demonstration',
  });
});

test('PL23: an element without a name, one for passwords, and one that is not told well enough are never asked for', () => {
  expect(target).toMatchObject({ app: 'zenity', role: 'push button', name: 'OK' });
  expect(target.way).toEqual(['dialog', 'filler', 'push button']);
  const left: Partial<ElementLine>[] = [
    { name: '' },
    { withheld: true },
    { source: undefined },
    { when: 'press' },
    { when: undefined },
    { app: undefined },
    { path: undefined },
    { path: [{ role: 'dialog', index: 0 }] },
    { bounds: null },
    { bounds: { x: 0, y: 0, width: 20, height: 20 } },
  ];
  for (const other of left) expect(elementTarget({ ...LINE, ...other }, AT), JSON.stringify(other)).toBeNull();
  expect(elementTarget(null, AT)).toBeNull();
  expect(elementTarget(LINE, null)).toBeNull();
});

test('a long name is told in part', () => {
  expect(calledWords({ role: 'link', name: 'x'.repeat(200) })).toBe(`link “${'x'.repeat(60)}…”`);
});
