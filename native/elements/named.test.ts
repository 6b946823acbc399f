import { expect, test } from 'vitest';
import type { Variant } from '../bus/gvariant.ts';
import type { AskBus } from './atspi-questions.ts';
import { elementsNamed, MOST_NAMED_CALLS } from './named.ts';

const ROOT = '/org/a11y/atspi/accessible/root';
const SHOWING = 2 ** 25;
const MANAGES = 2 ** 31;
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
type Thing = { role: number; in: string; name?: string; box?: number[]; states?: number };

/** A program on the bus, and everything that it was asked. */
function program(things: Record<string, Thing>, app = 'mousepad'): { call: AskBus; asked: string[] } {
  const asked: string[] = [];
  const call: AskBus = ({ name, path }, method, args): readonly Variant[] => {
    asked.push(`${path} ${method} ${args}`);
    if (name === 'org.a11y.atspi.Registry') return [[[':1.5', ROOT]]];
    const key = path === ROOT ? 'root' : path.split('/').at(-1)!;
    const thing = things[key];
    if (method === 'GetChildren')
      return [
        Object.keys(things)
          .filter((one) => things[one]!.in === key)
          .map((one): Variant => [':1.5', `/o/${one}`]),
      ];
    if (key === 'root' && args.includes("'Name'")) return [app];
    if (!thing) throw new Error('UnknownObject');
    if (method === 'GetRole') return [thing.role];
    if (method === 'GetState') return [[thing.states ?? SHOWING, 0]];
    if (method === 'GetExtents') return [thing.box ?? [10, 20, 80, 30]];
    if (args.includes("'Name'")) return [thing.name ?? ''];
    throw new Error('UnknownInterface');
  };
  return { call, asked };
}
const WINDOW: Record<string, Thing> = {
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
  const { call, asked } = program(WINDOW);
  expect(elementsNamed(call, SAVE)).toEqual({
    elements: [{ bounds: { x: 200, y: 300, width: 90, height: 34 }, states: ['showing'] }],
    whole: true,
  });
  // Where the way does not lead nobody is asked, and a field for passwords says nothing.
  expect(asked.filter((one) => /\/o\/bar GetChildren|\/o\/barSave/.test(one))).toEqual([]);
  expect(asked.filter((one) => one.startsWith('/o/secret') && !one.includes('GetRole'))).toEqual([]);
  expect(asked.some((one) => one.startsWith('/o/inside'))).toBe(false);
});

test('what only holds others may be put in or left out; a tool bar or a menu may not', () => {
  const deeper = { ...WINDOW, panel: { role: ROLE.panel, in: 'filler' }, save: { ...WINDOW.save!, in: 'panel' } };
  expect(elementsNamed(program(deeper).call, SAVE).elements).toHaveLength(1);
  const flat = { ...WINDOW, save: { ...WINDOW.save!, in: 'dialog' } };
  expect(elementsNamed(program(flat).call, SAVE).elements).toHaveLength(1);
  const menu = { ...WINDOW, menu: { role: ROLE.menu, in: 'filler' }, save: { ...WINDOW.save!, in: 'menu' } };
  expect(elementsNamed(program(menu).call, SAVE)).toEqual({ elements: [], whole: true });
});

test('every one that answers is told, and none of another program, role or name', () => {
  const twice = { ...WINDOW, other: { ...WINDOW.save!, box: [1, 2, 3, 4] } };
  expect(elementsNamed(program(twice).call, SAVE).elements).toHaveLength(2);
  expect(elementsNamed(program(WINDOW, 'gedit').call, SAVE)).toEqual({ elements: [], whole: true });
  expect(elementsNamed(program(WINDOW).call, { ...SAVE, name: 'Save as' }).elements).toEqual([]);
});

test('what is too much is left, and it is said: endless tables, circles, too many, a slow program', () => {
  const inTable = { ...SAVE, way: ['dialog', 'table', 'push button'] };
  const table = { ...WINDOW, table: { role: ROLE.table, in: 'filler', states: SHOWING + MANAGES } };
  const { call, asked } = program(table);
  expect(elementsNamed(call, inTable)).toEqual({ elements: [], whole: false });
  expect(asked.some((one) => one.includes('/o/table GetChildren'))).toBe(false);

  const round: AskBus = (to, method, args, ms) =>
    method === 'GetChildren' && to.path === '/o/filler'
      ? [[[':1.5', '/o/filler']]]
      : program(WINDOW).call(to, method, args, ms);
  expect(elementsNamed(round, SAVE)).toEqual({ elements: [], whole: true });

  const many = { ...WINDOW };
  for (let n = 0; n < MOST_NAMED_CALLS; n++)
    many[`p${n}`] = { role: ROLE.panel, in: n < 100 ? 'dialog' : `p${n - 100}` };
  const crowd = program(many);
  expect(elementsNamed(crowd.call, SAVE).whole).toBe(false);
  expect(crowd.asked.length).toBeLessThanOrEqual(MOST_NAMED_CALLS);

  let now = 0;
  expect(elementsNamed(program(WINDOW).call, SAVE, () => (now += 500)).whole).toBe(false);
});
