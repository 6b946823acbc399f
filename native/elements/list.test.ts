import { expect, test } from 'vitest';
import { elementsShownNow, MOST_LOOKED_AT } from './list.ts';
import { inTurn, type OneByOne, program, SHOWING, type Thing } from './program-for-tests.ts';

const CHECKED = 2 ** 4;
const MANAGES = 2 ** 31;
const ROLE = { checkBox: 7, frame: 23, password: 40, slider: 51, table: 55, text: 61 };
type Shown = Thing & { name?: string; text?: string; first?: string; number?: number; states?: number };

const programOf = (things: Record<string, Shown>, toolkit = 'gtk') =>
  program(
    things,
    ({ name = '', text, first, number, states = SHOWING }, method, args) => {
      if (method === 'GetState') return [[states, 0]];
      if (method === 'GetText') return text === undefined ? undefined : [text];
      if (method === 'GetStringAtOffset') return [first ?? text?.[0] ?? '', 0, 1];
      if (args.includes('Name')) return [name];
      return args.includes('CurrentValue') && number !== undefined ? [number] : undefined;
    },
    { toolkit },
  );

const FORM: Record<string, Shown> = {
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
  const { bus, asked } = programOf(FORM);
  const { elements, whole } = elementsShownNow(bus, ({ role }) => role !== 'frame');
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

test('a program made with GTK 4 says of a field that hides its letters that it is any field: nothing of it is told either', () => {
  const VISIBLE = 2 ** 30;
  const form: Record<string, Shown> = {
    frame: { role: ROLE.frame, in: 'root', name: 'Login' },
    who: { role: ROLE.text, in: 'frame', name: 'GtkEntry', text: 'Marie', states: VISIBLE },
    secret: { role: ROLE.text, in: 'frame', name: 'GtkEntry', text: 'hunter2', first: '●', states: VISIBLE },
  };
  const { bus, asked } = programOf(form, 'GTK');
  expect(elementsShownNow(bus, ({ role }) => role === 'text').elements).toEqual([
    { role: 'text', name: '', states: ['visible'], value: 'Marie' },
    { role: 'text', name: '', states: ['visible'], value: null },
  ]);
  expect(asked.some((one) => one.startsWith('/o/secret GetText'))).toBe(false);
});

test('values are asked only of those that are wanted', () => {
  const { bus, asked } = programOf(FORM);
  expect(elementsShownNow(bus, ({ name }) => name === 'Express').elements).toHaveLength(1);
  expect(asked.some((one) => /GetText|CurrentValue/.test(one))).toBe(false);
});

test('a program whose elements go round in a circle, and one that is slow, are left, and it is said', () => {
  const round: Record<string, Shown> = { a: { role: ROLE.frame, in: 'root' } };
  const { call } = programOf(round);
  const endless: OneByOne = (to, method, args, ms) =>
    method === 'GetChildren' && to.path === '/o/a'
      ? [
          [
            [':1.5', '/o/a'],
            [':1.5', '/o/a'],
          ],
        ]
      : call(to, method, args, ms);
  const circle = elementsShownNow(inTurn(endless), () => true);
  expect(circle.whole).toBe(false);
  expect(circle.elements.length).toBeLessThanOrEqual(MOST_LOOKED_AT);
  let now = 0;
  const slow = elementsShownNow(
    programOf(FORM).bus,
    () => true,
    () => (now += 6000),
  );
  expect(slow.whole).toBe(false);
});
