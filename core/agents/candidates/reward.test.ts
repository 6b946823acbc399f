import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../../schemas/actions.ts';
import { stream } from '../../actions/stream-for-tests.ts';
import type { StepToDo } from '../steps-done.ts';
import { stepReward } from './reward.ts';

const screen = { width: 800, height: 600 };
const toDo = (actions: readonly Action[]): StepToDo[] => actions.map((action) => ({ action, box: null }));
/** Click at 100, 50; "hi"; ctrl+s. */
const person = toDo(stream().click(100, 50).type('hi').chord('ControlLeft', 'KeyS').reduce().actions);
const worth = (text: string, next = person, coordinates: '0-1000' | null = null) =>
  stepReward(text, next, { screen, coordinates }).reward;

test('the demonstration has the three steps', () => {
  expect(person.map(({ action }) => action.kind)).toEqual(['click', 'type', 'press']);
});

describe.each<[string, string, number]>([
  ['the step itself', 'pyautogui.click(100, 50)', 1],
  ['the step, near', 'I click it.\n```python\npyautogui.click(110, 60)\n```', 1],
  ['the step and the next ones', 'pyautogui.click(100, 50)\npyautogui.write("hi")\npyautogui.hotkey("ctrl", "s")', 1],
  ['the step, and then another thing', 'pyautogui.click(100, 50)\npyautogui.write("no")', 0.5],
  ['another place', 'pyautogui.click(400, 300)', 0],
  ['another button', 'pyautogui.rightClick(100, 50)', 0],
  ['twice', 'pyautogui.doubleClick(100, 50)', 0],
  ['a later step first', 'pyautogui.write("hi")', 0],
  ['the step after another thing', 'pyautogui.press("tab")\npyautogui.click(100, 50)', 0],
  [
    'a call of a tool',
    '{"type": "computer_call", "actions": [{"type": "click", "button": "left", "x": 100, "y": 50}]}',
    1,
  ],
  ['nothing that can be read', 'I would click somewhere.', 0],
  ['nothing', '', 0],
  ['a look alone', 'pyautogui.sleep(1)', 0],
  ['the end', 'DONE', 0],
  ['a shell', 'import os\nos.system("rm")', 0],
  ['a place outside', 'pyautogui.click(9000, 50)', 0],
])('%s', (_, text, reward) => {
  test(`is worth ${reward}`, () => {
    expect(worth(text)).toBe(reward);
  });
});

test('why is said in words', () => {
  const why = (text: string) => stepReward(text, person, { screen, coordinates: null }).why;
  expect(why('pyautogui.click(400, 300)')).toBe('what it does first is not what the person did');
  expect(why('DONE')).toBe('it says that the task is over');
  expect(why('I would click.')).toContain('no action');
});

test('a box stands for its places, and a unit that the form does not say is the one that was named', () => {
  const boxed = person.map((step, at) =>
    at === 0 ? { ...step, box: { x: 90, y: 40, width: 300, height: 20 } } : step,
  );
  expect(worth('pyautogui.click(380, 55)', boxed)).toBe(1);
  expect(worth('pyautogui.click(380, 55)')).toBe(0);
  // 125 of 1000 of 800 px is 100; 83 of 1000 of 600 px is 50.
  expect(worth('pyautogui.click(125, 83)', person, '0-1000')).toBe(1);
});

test('law: whatever is answered, a reward is from 0 to 1, and more that the person did not do never makes it greater', () => {
  const line = fc.constantFrom(
    'pyautogui.click(100, 50)',
    'pyautogui.write("hi")',
    'pyautogui.hotkey("ctrl", "s")',
    'pyautogui.click(5, 5)',
    'pyautogui.press("f5")',
    'x = 1 +',
    '%% [[',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const reward = worth(lines.join('\n'));
      expect(reward).toBeGreaterThanOrEqual(0);
      expect(reward).toBeLessThanOrEqual(1);
      expect(worth([...lines, 'pyautogui.click(5, 5)', 'pyautogui.click(700, 5)'].join('\n'))).toBeLessThanOrEqual(
        reward,
      );
    }),
  );
});
