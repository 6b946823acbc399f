import { expect, test } from 'vitest';
import { performLineSchema } from '../../schemas/perform.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { traceProgram } from '../evaluate/keys/run.ts';
import { lacking, stepOfLine, stepsOfProgram, strokeOf, strokesFor, strokesOfKey } from './perform.ts';

const line = (fields: object) => stepOfLine(performLineSchema.parse(fields));
const program = (code: string) =>
  stepsOfProgram(traceProgram(code, { mouseCalls: 'ignored', screen: [100, 100] }).acts);
const key = (name: string, down: boolean) => ({ do: 'key', key: name, down });

test('PL15 a line of a script holds its modifiers around what it does', () => {
  expect(
    line({ kind: 'click', start: { x: 3, y: 4 }, button: 'right', modifiers: ['ctrl'], count: 2, window: null }),
  ).toEqual({
    what: 'click 3, 4',
    acts: [key('ctrl', true), { do: 'click', at: [3, 4], button: 'right', count: 2 }, key('ctrl', false)],
  });
  expect(line({ kind: 'press', keys: ['ctrl', 's'] }).acts).toEqual([
    ...[key('ctrl', true), key('s', true), key('s', false), key('ctrl', false)],
  ]);
  expect(line({ kind: 'type', text: 'aB' }).acts).toEqual([
    key('a', true),
    key('a', false),
    key('B', true),
    key('B', false),
  ]);
});

test.each([
  ['a place outside', { kind: 'click', start: { x: -1, y: 0 } }],
  ['an unknown kind', { kind: 'run', command: 'rm' }],
  ['a click without a place', { kind: 'click' }],
  ['a wait without an end', { kind: 'wait', ms: 1e9 }],
])('refuses %s', (_name, fields) => {
  expect(performLineSchema.safeParse(fields).success).toBe(false);
});

test.each([
  ["pyautogui.write('Hi there')", 'type "Hi there"'],
  ["pyautogui.write('a\\nb')", 'type "a\\nb"'],
  ["pyautogui.hotkey('ctrl', 'shift', 't')", 'keys ctrl+shift+t'],
  ["pyautogui.press(['down', 'down', 'x'])", 'keys down, keys down, type "x"'],
  ["pyautogui.keyDown('shift'); pyautogui.press('left'); pyautogui.keyUp('shift')", 'keys shift+left'],
  ["pyautogui.keyDown('alt')", 'keys alt'],
  ["pyautogui.keyUp('alt')", 'keys let go'],
  [`pyautogui.write('${'x'.repeat(200)}')`, `type "${'x'.repeat(80)}…"`],
])('what keys do is said in words: %s', (code, words) => {
  expect(program(`import pyautogui\n${code}`).steps.map(({ what }) => what)).toEqual([words]);
});

test('PL15 a program is done in its order, keys that follow each other in one step', () => {
  const { steps, ignored } = program(
    `import pyautogui, time
pyautogui.moveTo(10, 20)
pyautogui.click(clicks=2)
pyautogui.write('a')
pyautogui.hotkey('ctrl', 's')
pyautogui.press('é')
time.sleep(0.5)
pyautogui.scroll(-3, 5, 6)
pyautogui.dragTo(30, 40, button='right')
pyautogui.mouseDown(1, 2); pyautogui.mouseUp(3, 4)`.replace('import pyautogui, time', 'import pyautogui\nimport time'),
  );
  expect(ignored).toEqual(['é']);
  expect(steps.map(({ acts }) => acts)).toEqual([
    [{ do: 'move', at: [10, 20] }],
    [{ do: 'click', at: [10, 20], button: 'left', count: 2 }],
    [key('a', true), key('a', false), key('ctrl', true), key('s', true), key('s', false), key('ctrl', false)],
    [{ do: 'wait', ms: 500 }],
    [{ do: 'scroll', at: [5, 6], dx: 0, dy: 3 }],
    [{ do: 'drag', from: [5, 6], to: [30, 40], button: 'right' }],
    [{ do: 'button', at: [1, 2], button: 'left', down: true }],
    [{ do: 'button', at: [3, 4], button: 'left', down: false }],
  ]);
});

test('PL15 a program that does anything else is refused, and none of it is done', () => {
  expect(() => program('import os\nos.system("x")')).toThrow(/imports "os"/);
  expect(() => program('pyautogui.press("a")\nopen("/etc/passwd")')).toThrow(/open/);
});

test('PL16 keys are found by the layout, and what it lacks is named', () => {
  const layout = usLayout();
  expect(strokeOf('A', layout)).toEqual({ code: 'KeyA', shift: true, altGr: false });
  expect(strokeOf('!', layout)).toMatchObject({ code: 'Digit1', shift: true });
  expect(strokeOf('Enter', layout)).toMatchObject({ code: 'Enter' });
  expect(strokeOf('ArrowLeft', layout)).toMatchObject({ code: 'ArrowLeft' });
  expect(strokeOf('\n', layout)).toMatchObject({ code: 'Enter' });
  const missing = lacking([line({ kind: 'type', text: 'aéßé' }), line({ kind: 'press', keys: ['nokey'] })], layout);
  expect(missing).toEqual({ characters: ['é', 'ß'], names: ['nokey'] });
});

test('PL16 in a chord a Latin letter that the layout lacks is that key of a US keyboard, as actions name it', () => {
  const us = usLayout();
  const none = [null, null, null, null, null, null];
  const layout = { ...us, keys: { ...us.keys, KeyC: { chars: ['с', 'С', ...none] } } };
  const chord = { key: 'c', chord: true };
  expect(strokesOfKey(chord, layout)).toEqual([{ code: 'KeyC', shift: false, altGr: false }]);
  expect(strokesOfKey({ ...chord, chord: false }, layout)).toBeNull();
  const press = (...keys: string[]) => line({ kind: 'press', keys });
  expect(lacking([press('ctrl', 'c')], layout).characters).toEqual([]);
  // Shift alone makes no chord, and one that was let go makes none any more.
  expect(lacking([press('shift', 'c')], layout).characters).toEqual(['c']);
  expect(lacking([press('ctrl', 'c'), press('c')], layout).characters).toEqual(['c']);
});

test('PL16 a key without a character goes by its W3C name, and one that the hands lack is named', () => {
  const us = usLayout();
  expect(strokeOf('AudioVolumeUp', us)).toMatchObject({ code: 'AudioVolumeUp' });
  const steps = [line({ kind: 'press', keys: ['Fn'] }), line({ kind: 'press', keys: ['F5'] })];
  expect(lacking(steps, us, (code) => code !== 'Fn')).toEqual({ characters: [], names: ['Fn'] });
});

test('PL16 what a layout makes of two keys has its dead key before the letter', () => {
  const acute = { dead: '\u0301', alone: '´', space: "'" };
  const circumflex = { dead: '\u0302', alone: '^' };
  const none = [null, null, null, null, null, null];
  const us = usLayout();
  const { Digit6: _, Quote: __, ...others } = us.keys;
  const dead = { Equal: { chars: [acute, '`', ...none] }, Backquote: { chars: [circumflex, '°', ...none] } };
  const layout = { ...us, keys: { ...others, ...dead } };
  const plain = (code: string) => ({ code, shift: false, altGr: false });
  expect(strokesFor('é', layout)).toEqual([plain('Equal'), plain('KeyE')]);
  expect(strokesFor('É', layout)).toEqual([plain('Equal'), { code: 'KeyE', shift: true, altGr: false }]);
  expect(strokesFor('ô', layout)).toEqual([plain('Backquote'), plain('KeyO')]);
  expect(strokesFor("'", layout)).toEqual([plain('Equal'), plain('Space')]);
  expect(strokesFor('´', layout)).toEqual([plain('Equal'), plain('Equal')]);
  expect(strokesFor('^', layout)).toEqual([plain('Backquote'), plain('Space')]);
  // A key of its own comes first, two marks are too many, and so is a mark that the layout lacks.
  expect(strokesFor('e', layout)).toEqual([plain('KeyE')]);
  expect([strokesFor('ǘ', layout), strokesFor('ä', layout)]).toEqual([null, null]);
});
