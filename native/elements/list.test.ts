import { expect, test } from 'vitest';
import type { Variant } from '../bus/gvariant.ts';
import type { AskBus } from './atspi-questions.ts';
import { elementsShownNow, MOST_LOOKED_AT } from './list.ts';

const ROOT = '/org/a11y/atspi/accessible/root';
const SHOWING = 2 ** 25;
const CHECKED = 2 ** 4;
const MANAGES = 2 ** 31;
const ROLE = { checkBox: 7, frame: 23, password: 40, slider: 51, table: 55, text: 61 };
type Thing = { role: number; in: string; name?: string; text?: string; number?: number; states?: number };

/** A program on the bus, and everything that it was asked. */
function program(things: Record<string, Thing>): { call: AskBus; asked: string[] } {
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
    if (!thing) throw new Error('UnknownObject');
    if (method === 'GetRole') return [thing.role];
    if (method === 'GetState') return [[thing.states ?? SHOWING, 0]];
    if (method === 'GetText' && thing.text !== undefined) return [thing.text];
    if (args.includes("'Name'")) return [thing.name ?? ''];
    if (args.includes("'CurrentValue'") && thing.number !== undefined) return [thing.number];
    throw new Error('UnknownInterface');
  };
  return { call, asked };
}

const FORM: Record<string, Thing> = {
  frame: { role: ROLE.frame, in: 'root', name: 'Order' },
  express: { role: ROLE.checkBox, in: 'frame', name: 'Express', states: SHOWING + CHECKED },
  who: { role: ROLE.text, in: 'frame', name: 'Name', text: 'Marie' },
  size: { role: ROLE.slider, in: 'frame', name: 'Size', number: 2.5 },
  secret: { role: ROLE.password, in: 'frame', name: 'Password', text: 'hunter2' },
  inside: { role: ROLE.text, in: 'secret', text: 'hunter2' },
  page: { role: ROLE.frame, in: 'frame', name: 'Other page', states: 1 },
  hidden: { role: ROLE.text, in: 'page', name: 'Hidden', text: 'x' },
  cells: { role: ROLE.table, in: 'frame', name: 'Cells', states: SHOWING + MANAGES },
  cell: { role: ROLE.text, in: 'cells', name: 'A1', text: '7' },
};

test('what is shown is told with its states and values; nothing of a password, of hidden pages, or of endless tables', () => {
  const { call, asked } = program(FORM);
  const { elements, whole } = elementsShownNow(call, ({ role }) => role !== 'frame');
  expect(whole).toBe(true);
  expect(elements).toEqual([
    { role: 'check box', name: 'Express', states: ['checked', 'showing'], value: null },
    { role: 'text', name: 'Name', states: ['showing'], value: 'Marie' },
    { role: 'slider', name: 'Size', states: ['showing'], value: 2.5 },
    { role: 'password text', name: '', states: ['showing'], value: null },
    { role: 'table', name: 'Cells', states: ['showing', 'manages descendants'], value: null },
  ]);
  expect(asked.filter((one) => one.includes('/o/secret') && /Text|Name|Children/.test(one))).toEqual([]);
});

test('values are asked only of those that are wanted', () => {
  const { call, asked } = program(FORM);
  expect(elementsShownNow(call, ({ name }) => name === 'Express').elements).toHaveLength(1);
  expect(asked.some((one) => /GetText|CurrentValue/.test(one))).toBe(false);
});

test('a program whose elements go round in a circle, and one that is slow, are left, and it is said', () => {
  const round: Record<string, Thing> = { a: { role: ROLE.frame, in: 'root' } };
  const { call } = program(round);
  const endless: AskBus = (to, method, args, ms) =>
    method === 'GetChildren' && to.path === '/o/a'
      ? [
          [
            [':1.5', '/o/a'],
            [':1.5', '/o/a'],
          ],
        ]
      : call(to, method, args, ms);
  const circle = elementsShownNow(endless, () => true);
  expect(circle.whole).toBe(false);
  expect(circle.elements.length).toBeLessThanOrEqual(MOST_LOOKED_AT);
  let now = 0;
  const slow = elementsShownNow(
    program(FORM).call,
    () => true,
    () => (now += 6000),
  );
  expect(slow.whole).toBe(false);
});
