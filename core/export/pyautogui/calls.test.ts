import { describe, expect, test } from 'vitest';
import type { Action } from '../../../schemas/actions.ts';
import { actionFrom } from '../../keyframes/example-for-tests.ts';
import { type PlatformName, picturePositions } from '../model.ts';
import { guiCalls } from './calls.ts';
import { pythonOf, pythonString } from './code.ts';
import { pyautoguiKey } from './keys.ts';

const PICTURE = { path: 'a.png', width: 1000, height: 500, origin: { x: -1000, y: 100 } };
const at = (x: number, y: number, t = 0) => ({ x: x - 1000, y: y + 100, display: 2, t });

function codeOf(more: Partial<Action>, platform: PlatformName = 'linux'): string {
  const action = actionFrom('a', 0, 0, { start: at(250, 125), end: at(250, 125), ...more });
  const exported = {
    id: 'a',
    rank: 1,
    recording: 'r',
    action,
    narration: '',
    element: null,
    beforeImage: PICTURE,
    afterImage: null,
    positions: picturePositions(action, PICTURE),
    thought: null,
    actionThought: null,
    observation: null,
  };
  const made = guiCalls(exported, platform);
  return 'calls' in made ? pythonOf(made.calls) : `none: ${made.reason}`;
}

const scroll = (dx: number, dy: number) => ({ dx, dy, unit: 'notch' as const, natural: false });

describe('an action as PyAutoGUI', () => {
  test.each<[string, Partial<Action>, string]>([
    ['a click', {}, 'pyautogui.click(x=0.25, y=0.25)'],
    ['a click on the first pixel', { start: at(0, 0) }, 'pyautogui.click(x=0.0, y=0.0)'],
    ['a right click', { button: 'right' }, 'pyautogui.rightClick(x=0.25, y=0.25)'],
    ['a middle click', { button: 'middle' }, 'pyautogui.middleClick(x=0.25, y=0.25)'],
    ['a double click', { count: 2 }, 'pyautogui.doubleClick(x=0.25, y=0.25)'],
    ['a triple click', { count: 3 }, 'computer.tripleClick(x=0.25, y=0.25)'],
    ['four clicks', { count: 4 }, 'pyautogui.click(x=0.25, y=0.25, clicks=4)'],
    [
      'a double right click',
      { button: 'right', count: 2 },
      "pyautogui.click(x=0.25, y=0.25, clicks=2, button='right')",
    ],
    ['a button of the side', { button: 'back' }, 'none: PyAutoGUI has no button "back"'],
    [
      'a Ctrl-Shift-click',
      { modifiers: ['ctrl', 'shift'] },
      "pyautogui.keyDown(key='ctrl')\npyautogui.keyDown(key='shift')\npyautogui.click(x=0.25, y=0.25)\n" +
        "pyautogui.keyUp(key='shift')\npyautogui.keyUp(key='ctrl')",
    ],
    [
      'a drag',
      { kind: 'drag', button: 'left', end: at(999, 499) },
      "pyautogui.moveTo(x=0.25, y=0.25)\npyautogui.dragTo(x=0.999, y=0.998, button='left')",
    ],
    // Ours counts down as positive (A10), PyAutoGUI up.
    [
      'a scroll down',
      { kind: 'scroll', scroll: scroll(0, 3) },
      'pyautogui.moveTo(x=0.25, y=0.25)\npyautogui.scroll(-3)',
    ],
    ['a scroll up', { kind: 'scroll', scroll: scroll(0, -2) }, 'pyautogui.moveTo(x=0.25, y=0.25)\npyautogui.scroll(2)'],
    [
      'to the right',
      { kind: 'scroll', scroll: scroll(2, 0) },
      'pyautogui.moveTo(x=0.25, y=0.25)\npyautogui.hscroll(2)',
    ],
    [
      'less than a notch',
      { kind: 'scroll', scroll: scroll(0, 0.2) },
      'pyautogui.moveTo(x=0.25, y=0.25)\npyautogui.scroll(-1)',
    ],
    ['nowhere', { kind: 'scroll', scroll: scroll(0, 0) }, 'none: the scroll goes nowhere'],
    ['text', { kind: 'type', text: "it's $5" }, 'pyautogui.write(message="it\'s $5")'],
    ['no text', { kind: 'type', text: '' }, 'none: no text was typed'],
    ['a key', { kind: 'press', keys: ['Enter'] }, "pyautogui.press(keys=['enter'])"],
    ['a key three times', { kind: 'press', keys: ['Tab'], count: 3 }, "pyautogui.press(keys=['tab'], presses=3)"],
    ['a shortcut', { kind: 'press', keys: ['ctrl', 'c'] }, "pyautogui.hotkey(['ctrl', 'c'])"],
    [
      'twice',
      { kind: 'press', keys: ['ctrl', 'z'], count: 2 },
      "pyautogui.hotkey(['ctrl', 'z'])\npyautogui.hotkey(['ctrl', 'z'])",
    ],
    ['a key that it lacks', { kind: 'press', keys: ['Hyper'] }, 'none: PyAutoGUI has no key "Hyper"'],
    ['a hover', { kind: 'hover' }, 'pyautogui.moveTo(x=0.25, y=0.25)'],
    ['a wait', { kind: 'wait', end: at(0, 0, 2_000_000) }, 'computer.wait(duration=2.0)'],
    [
      'a place outside of the picture, never clamped',
      { start: at(1000, 0) },
      'none: its start (1000, 0) lies outside of the picture of 1000 x 500',
    ],
  ])('%s', (_what, action, code) => {
    expect(codeOf(action)).toBe(code);
  });

  test('Meta and Alt are called by the system that was recorded', () => {
    expect(codeOf({ kind: 'press', keys: ['meta', 'c'] }, 'macos')).toBe("pyautogui.hotkey(['command', 'c'])");
    expect(codeOf({ kind: 'press', keys: ['meta', 'e'] }, 'windows')).toBe("pyautogui.hotkey(['win', 'e'])");
    expect([pyautoguiKey('alt', 'macos'), pyautoguiKey('alt', null)]).toEqual(['option', 'alt']);
    expect([pyautoguiKey('F12', null), pyautoguiKey('F25', null), pyautoguiKey('ß', null)]).toEqual(['f12', null, 'ß']);
    // A key of a broken stream may be called anything.
    expect(pyautoguiKey('constructor', null)).toBeNull();
  });
});

test('a text is quoted as Python would', () => {
  expect(['a', "it's", `'"`, 'a\\n', 'a\n', '\u0007', '😀', '\ud83d'].map(pythonString)).toEqual([
    "'a'",
    `"it's"`,
    `'\\'"'`,
    "'a\\\\n'",
    "'a\\n'",
    "'\\x07'",
    "'😀'",
    "'\\ud83d'",
  ]);
});
