import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pythonOf, pythonString } from '../../../../core/export/pyautogui/code.ts';
import { anyText } from '../../../../test/support/any-text.ts';
import { readPython } from './python.ts';

const texts = anyText({ maxLength: 30 });

test('what was written is read back: any text in a call is the same text', () => {
  fc.assert(
    fc.property(texts, (message) => {
      const code = pythonOf([{ module: 'pyautogui', name: 'write', args: { message } }]);
      expect(readPython(code)).toEqual({
        calls: [{ module: 'pyautogui', name: 'write', positional: [], named: { message } }],
      });
    }),
  );
});

test('Python’s own parser reads the same text', () => {
  const samples = fc.sample(texts, { seed: 7, numRuns: 500 }).map((text) => text.toWellFormed());
  const script = 'import ast, json, sys\nprint(json.dumps([ast.literal_eval(line) for line in json.load(sys.stdin)]))';
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script], {
    input: JSON.stringify(samples.map(pythonString)),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual(samples);
});

test.each([
  ['nothing', ''],
  ['no call', 'pyautogui.click'],
  ['an expression', 'pyautogui.click(x=1+1, y=0)'],
  ['a string that is not closed', "pyautogui.write(message='a"],
  ['an unknown escape', "pyautogui.write(message='\\q')"],
  ['half an escape', "pyautogui.write(message='\\x3')"],
  ['a list that is not closed', "pyautogui.hotkey(['a'"],
  ['a number in a list of keys', 'pyautogui.hotkey([1])'],
  ['something behind', 'pyautogui.click(x=0.1, y=0.2) # here'],
  ['two arguments without a comma', 'pyautogui.click(x=0.1 y=0.2)'],
])('%s is refused, never run', (_what, code) => {
  expect(readPython(code)).toEqual({ error: expect.any(String) });
});
