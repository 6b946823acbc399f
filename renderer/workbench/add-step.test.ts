import { expect, test } from 'vitest';
import { pressedKeys } from './add-step.ts';

test('keys are typed as people write them, and kept as actions have them', () => {
  expect(pressedKeys('Ctrl+S')).toEqual(['ctrl', 's']);
  expect(pressedKeys('ctrl + shift + Tab')).toEqual(['ctrl', 'shift', 'Tab']);
  expect(pressedKeys('enter')).toEqual(['Enter']);
  expect(pressedKeys('Ctrl++')).toEqual(['ctrl', '+']);
});
