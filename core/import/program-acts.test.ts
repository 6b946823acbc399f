import fc from 'fast-check';
import { expect, test } from 'vitest';
import { programActs } from './program-acts.ts';

const actsOf = (code: string) => programActs(code)?.acts;

test('places, buttons and counts of the mouse', () => {
  expect(programActs('import pyautogui\npyautogui.click(79, 115)\npyautogui.doubleClick(x=1, y=2)')).toEqual({
    form: 'PyAutoGUI',
    scale: 'pixels',
    acts: [
      { do: 'click', at: [79, 115], button: 'left', count: 1, held: [] },
      { do: 'click', at: [1, 2], button: 'left', count: 2, held: [] },
    ],
    others: [],
  });
  expect(actsOf('pyautogui.moveTo(1, 2)\npyautogui.dragTo(30, 40)')).toEqual([
    { do: 'move', at: [1, 2] },
    expect.objectContaining({ do: 'drag', held: [] }),
  ]);
  expect(programActs('pyautogui.click(x=0.25, y=0.5)')?.scale).toBe('0-1');
});

test('texts, combinations and keys that are held around a press', () => {
  expect(actsOf("pyautogui.write('Hi there')\npyautogui.press('enter')\npyautogui.hotkey('ctrl', 's')")).toEqual([
    { do: 'type', text: 'Hi there' },
    { do: 'chord', keys: ['enter'], ms: null },
    { do: 'chord', keys: ['ctrl', 's'], ms: null },
  ]);
  expect(actsOf("pyautogui.keyDown('ctrl')\npyautogui.click(1, 2)\npyautogui.keyUp('ctrl')")).toEqual([
    { do: 'click', at: [1, 2], button: 'left', count: 1, held: ['ctrl'] },
  ]);
  expect(
    actsOf("pyautogui.keyDown('ctrl')\npyautogui.press('c')\npyautogui.press('v')\npyautogui.keyUp('ctrl')"),
  ).toEqual([
    { do: 'chord', keys: ['ctrl', 'c'], ms: null },
    { do: 'chord', keys: ['ctrl', 'v'], ms: null },
  ]);
  // What stays down is said by its reader.
  expect(actsOf("pyautogui.keyDown('shift')")).toEqual([{ do: 'key', key: 'shift', down: true }]);
});

test('what is no program of the keyboard and the mouse is said, and never run', () => {
  expect(programActs('ls -l')).toBeNull();
  expect(programActs("import os\nos.system('rm -rf /')\npyautogui.click(1, 2)")).toMatchObject({
    acts: [],
    others: [expect.any(String)],
  });
  expect(programActs("pyautogui.click('button.png')")?.others).toHaveLength(1);
  expect(programActs("pyautogui.moveTo(1, 2)\npyautogui.dragTo(30, 40, button='right')")?.others).toEqual([
    'a drag by another button than the left one',
  ]);
});

test('every text comes back as it was written, whatever stands in it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9 .,;-]{1,40}$/), (text) => {
      expect(actsOf(`pyautogui.write('${text}')`)).toEqual([{ do: 'type', text }]);
    }),
  );
});
