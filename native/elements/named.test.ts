import { expect, test } from 'vitest';
import { elementsNamed, MOST_NAMED_CALLS } from './named.ts';
import { inTurn, type OneByOne, program, SHOWING, type Thing } from './program-for-tests.ts';

const MANAGES = 2 ** 31;
const VISIBLE = 2 ** 30;
const ROLE = {
  dialog: 16,
  filler: 20,
  frame: 23,
  menu: 33,
  panel: 39,
  password: 40,
  button: 43,
  table: 55,
  toolBar: 63,
};
type Placed = Thing & { name?: string; box?: number[]; states?: number };

const programOf = (things: Record<string, Placed>, { app = 'mousepad', toolkit = 'gtk' } = {}) =>
  program(
    things,
    ({ name = '', box = [10, 20, 80, 30], states = SHOWING }, method, args) => {
      if (method === 'GetState') return [[states, 0]];
      if (method === 'GetExtents') return [box];
      return args.includes('Name') ? [name] : undefined;
    },
    { app, toolkit },
  );
const WINDOW: Record<string, Placed> = {
  frame: { role: ROLE.frame, in: 'root' },
  bar: { role: ROLE.toolBar, in: 'frame' },
  barSave: { role: ROLE.button, in: 'bar', name: 'Save' },
  dialog: { role: ROLE.dialog, in: 'root' },
  filler: { role: ROLE.filler, in: 'dialog' },
  save: { role: ROLE.button, in: 'filler', name: 'Save', box: [200, 300, 90, 34] },
  cancel: { role: ROLE.button, in: 'filler', name: 'Cancel' },
  secret: { role: ROLE.password, in: 'filler', name: 'hunter2' },
  inside: { role: ROLE.button, in: 'secret', name: 'Save' },
  hidden: { role: ROLE.button, in: 'filler', name: 'Save', states: 1 },
};
const SAVE = { app: 'mousepad', role: 'push button', name: 'Save', way: ['dialog', 'filler', 'push button'] };

test('the one that is shown and lies on the way is found, with its box', () => {
  const { bus, asked } = programOf(WINDOW);
  expect(elementsNamed(bus, SAVE)).toEqual({
    elements: [{ bus: ':1.5', bounds: { x: 200, y: 300, width: 90, height: 34 }, states: ['showing'] }],
    whole: true,
  });
  // Where the way does not lead nobody is asked, and a field for passwords says nothing.
  expect(asked.filter((one) => /\/o\/bar GetChildren|\/o\/barSave/.test(one))).toEqual([]);
  expect(asked.filter((one) => one.startsWith('/o/secret') && !one.includes('GetRole'))).toEqual([]);
  expect(asked.some((one) => one.startsWith('/o/inside'))).toBe(false);
});

test('of a program made with GTK 4, which says of it neither that it is shown nor its name once', () => {
  const four = { ...WINDOW, save: { ...WINDOW.save!, name: 'Save Save', states: VISIBLE } };
  expect(elementsNamed(programOf(four, { toolkit: 'GTK' }).bus, SAVE).elements).toHaveLength(1);
  expect(elementsNamed(programOf(four).bus, SAVE).elements).toEqual([]);
});

test('what only holds others may be put in or left out; a tool bar or a menu may not', () => {
  const deeper = { ...WINDOW, panel: { role: ROLE.panel, in: 'filler' }, save: { ...WINDOW.save!, in: 'panel' } };
  expect(elementsNamed(programOf(deeper).bus, SAVE).elements).toHaveLength(1);
  const flat = { ...WINDOW, save: { ...WINDOW.save!, in: 'dialog' } };
  expect(elementsNamed(programOf(flat).bus, SAVE).elements).toHaveLength(1);
  const menu = { ...WINDOW, menu: { role: ROLE.menu, in: 'filler' }, save: { ...WINDOW.save!, in: 'menu' } };
  expect(elementsNamed(programOf(menu).bus, SAVE)).toEqual({ elements: [], whole: true });
});

test('every one that answers is told, and none of another program, role or name', () => {
  const twice = { ...WINDOW, other: { ...WINDOW.save!, box: [1, 2, 3, 4] } };
  expect(elementsNamed(programOf(twice).bus, SAVE).elements).toHaveLength(2);
  expect(elementsNamed(programOf(WINDOW, { app: 'gedit' }).bus, SAVE)).toEqual({ elements: [], whole: true });
  expect(elementsNamed(programOf(WINDOW).bus, { ...SAVE, name: 'Save as' }).elements).toEqual([]);
});

test('what is too much is left, and it is said: endless tables, circles, too many, a slow program', () => {
  const inTable = { ...SAVE, way: ['dialog', 'table', 'push button'] };
  const table = { ...WINDOW, table: { role: ROLE.table, in: 'filler', states: SHOWING + MANAGES } };
  const { bus, asked } = programOf(table);
  expect(elementsNamed(bus, inTable)).toEqual({ elements: [], whole: false });
  expect(asked.some((one) => one.includes('/o/table GetChildren'))).toBe(false);

  const round: OneByOne = (to, method, args, ms) =>
    method === 'GetChildren' && to.path === '/o/filler'
      ? [[[':1.5', '/o/filler']]]
      : programOf(WINDOW).call(to, method, args, ms);
  expect(elementsNamed(inTurn(round), SAVE)).toEqual({ elements: [], whole: true });

  const many = { ...WINDOW };
  for (let n = 0; n < MOST_NAMED_CALLS; n++)
    many[`p${n}`] = { role: ROLE.panel, in: n < 100 ? 'dialog' : `p${n - 100}` };
  const crowd = programOf(many);
  expect(elementsNamed(crowd.bus, SAVE).whole).toBe(false);
  expect(crowd.asked.length).toBeLessThanOrEqual(MOST_NAMED_CALLS);

  let now = 0;
  expect(elementsNamed(programOf(WINDOW).bus, SAVE, () => (now += 500)).whole).toBe(false);
});
