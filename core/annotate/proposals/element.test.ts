import { expect, test } from 'vitest';
import { elementFinder } from '../elements.ts';
import { elementProposal, spokenName } from './element.ts';

test.each([
  ['Save', 'push button', 'Save button'],
  ['Save As...', 'menu item', 'Save As menu item'],
  ['Layers', 'page tab', 'Layers tab'],
  ['File menu', 'menu', 'File menu'],
  ['OK', 'ButtonControl', 'OK button'],
  ['Something', 'drawing area', 'Something'],
  ['  ', 'push button', null],
  ['x'.repeat(600), 'push button', null],
])('%j of the role %s is called %j', (name, role, spoken) => {
  expect(spokenName({ name, role })).toBe(spoken);
});

test('a menu of a menu bar is a menu, whatever its program calls it, and a password field needs no name', () => {
  const path = ['frame', 'menu bar', 'menu item'].map((role) => ({ role, index: 0 }));
  expect(spokenName({ name: 'File', role: 'menu item', path })).toBe('File menu');
  expect(spokenName({ name: 'File', role: 'menu item', path: path.toSpliced(1, 1) })).toBe('File menu');
  expect(spokenName({ name: 'Open...', role: 'menu item', path: path.slice(2) })).toBe('Open menu item');
  expect(spokenName({ name: '', role: 'password text' })).toBe('password field');
});

test('a box is the part that the picture shows, in its own px', () => {
  const element = { t: 1, name: 'Save', role: 'push button', bounds: { x: 90, y: 40, width: 40, height: 30 } };
  const shown = { x: 100, y: 50, width: 200, height: 100 };
  const expected = { name: 'Save button', source: 'accessibility', box: { x: 0, y: 0, width: 30, height: 20 } };
  expect(elementProposal(element, shown)).toMatchObject(expected);
  expect(elementProposal({ ...element, name: '' }, { ...shown, x: 500 })).toBeNull();
  // A frame only holds the element that was pressed: its name is not proposed.
  expect(elementProposal({ ...element, role: 'frame' }, shown)?.name).toBeNull();
});

test('a tab of GTK 3 has a name and no box, since its own is that of its label; a status bar only holds others', () => {
  const bounds = { x: 20, y: 10, width: 44, height: 30 };
  const shown = { x: 0, y: 0, width: 200, height: 100 };
  const tab = { t: 1, name: 'main.c', role: 'page tab', bounds };
  const ofGtk = elementProposal({ ...tab, toolkit: 'gtk' }, shown);
  expect(ofGtk).toMatchObject({ name: 'main.c tab', box: null });
  expect(elementProposal({ ...tab, toolkit: 'Qt' }, shown)).toMatchObject({ name: 'main.c tab', box: bounds });
  const bar = elementProposal({ t: 1, name: 'Ready', role: 'status bar', bounds }, shown);
  expect(bar?.name).toBeNull();
  expect(bar?.confidence).toBeLessThan(0.5);
});

test('what Qt lays inside a text, or a program that says next to nothing tells, only holds what was pressed', () => {
  const shown = { x: 0, y: 0, width: 800, height: 600 };
  const bounds = { x: 20, y: 160, width: 600, height: 300 };
  for (const role of ['filler', 'panel', 'unknown', 'drawing area'] as const) {
    const proposal = elementProposal({ t: 1, name: 'Edit', role, bounds }, shown);
    expect(proposal, role).toMatchObject({ name: null, box: bounds });
    expect(proposal?.confidence, role).toBeLessThan(0.5);
  }
});

test('a high cell without a name holds what was pressed; one as high as a line is it, and one with a name', () => {
  const shown = { x: 0, y: 0, width: 800, height: 600 };
  const cell = (name: string, height: number) =>
    elementProposal({ t: 1, name, role: 'table cell', bounds: { x: 1, y: 143, width: 240, height } }, shown);
  expect(cell('', 96)?.confidence).toBeLessThan(0.5);
  expect(cell('', 18)?.confidence).toBeGreaterThan(0.5);
  expect(cell('Vertical Layout', 96)).toMatchObject({ name: 'Vertical Layout cell', confidence: 0.9 });
});

test('a press has the element of its own time; imports are near it', () => {
  const line = { name: '', role: 'a', bounds: null };
  const own = elementFinder([{ ...line, t: 5, version: 1 }]);
  expect([own(5)?.t, own(6)]).toEqual([5, null]);
  const imported = elementFinder([100_000, 900_000, 500_000].map((t) => ({ ...line, t })));
  expect([0, 290_000, 310_000, 1_100_000, 1_200_000].map((t) => imported(t)?.t ?? null)).toEqual([
    ...[100_000, 100_000, 500_000, 900_000, null],
  ]);
});

test('without a name its description or its tooltip names it, without the keys and what it explains', () => {
  const described = (description: string) => spokenName({ name: '', role: 'radio button', description });
  expect(described('Move Tool: Move layers, selections, and other objects')).toBe('Move Tool');
  expect(described('Create rectangles and squares (R)')).toBe('Create rectangles and squares');
  expect(described('Save document (Ctrl+Shift+S)')).toBe('Save document');
  expect(described('Horizontal coordinate of selection')).toBe('Horizontal coordinate of selection');
  expect(described('Opens. And more of it.')).toBe('Opens');
  expect(described(`It is ${'very '.repeat(20)}long`)).toBeNull();
  expect(described('')).toBeNull();
  expect(spokenName({ name: 'Cut', role: 'push button', description: 'Cut selection (Ctrl+X)' })).toBe('Cut button');
});
