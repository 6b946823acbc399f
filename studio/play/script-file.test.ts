import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { readScript } from './script-file.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const read = (name: string, text: string) => {
  const file = join(folders.make(), name);
  writeFileSync(file, text);
  return readScript(file, [800, 600]);
};

test('actions, one a line', () => {
  const lines = [
    { kind: 'click', start: { x: 1, y: 2 }, id: 'a' },
    { kind: 'wait', ms: 5 },
  ];
  const { steps } = read('a.jsonl', `${lines.map((one) => JSON.stringify(one)).join('\n')}\n\n`);
  expect(steps.map(({ what }) => what)).toEqual(['click 1, 2', 'wait 5 ms']);
});

test('an answer with a program in it', () => {
  const { steps, ignored } = read(
    'a.md',
    'So:\n```python\nimport pyautogui\npyautogui.press("a")\npyautogui.press("nokey")\n```',
  );
  expect(steps.map(({ what }) => what)).toEqual(['type "a"']);
  expect(ignored).toEqual(['nokey']);
});

test.each([
  ['a line that is no JSON', 'a.jsonl', '{"kind":"wait"}\n{', /line 2 is no JSON/],
  ['a line that is no action', 'a.jsonl', '{"kind":"run"}', /line 1/],
  ['a line without a floor', 'a.jsonl', '['.repeat(10_000), /line 1.*deep/],
  ['a program that runs others', 'a.py', 'import os\nos.system("x")', /imports "os"/],
  ['a program that does nothing', 'a.py', 'import pyautogui', /does nothing/],
  [
    'a program without an end',
    'a.py',
    'import pyautogui\nfor i in range(10000000):\n    pyautogui.click(1, 1)',
    /far too long/,
  ],
  ['a misspelt field', 'a.jsonl', '{"kind":"wait","ms":5,"seconds":1}', /line 1: an action has no “seconds”/],
  [
    'a place that is not on the screen',
    'a.jsonl',
    '{"kind":"wait"}\n{"kind":"drag","start":{"x":1,"y":1},"end":{"x":4000,"y":20}}',
    /line 2: 4000, 20 is not on the screen of 800 x 600 px/,
  ],
  [
    'a program that clicks on a picture',
    'a.py',
    'import pyautogui\npyautogui.click("button.png")',
    /pyautogui\.click looks for a picture on the screen/,
  ],
  ['too much', 'a.jsonl', '{"kind":"press","keys":["a"],"count":1000}\n'.repeat(20), /more than 20000 things/],
])('refuses %s, and says where', (_name, file, text, why) => {
  expect(() => read(file, text)).toThrow(why);
});

test('refuses a file of 1 GB and one that is not there', () => {
  const file = join(folders.make(), 'a.py');
  writeFileSync(file, '');
  truncateSync(file, 1e9);
  expect(() => readScript(file, [1, 1])).toThrow(/larger than 8 MB/);
  expect(() => readScript(join(folders.make(), 'none.py'), [1, 1])).toThrow(
    /There is no file .*none\.py with a script\. Check its name; nothing was done\./,
  );
});

test('calls of tools, in px of the screen (M34, PL15)', () => {
  const script = (answer: string, coordinates: '0-1000' | null = null) => {
    const file = join(folders.make(), 'answer.txt');
    writeFileSync(file, answer);
    return readScript(file, [800, 600], { coordinates });
  };
  const anthropic = { type: 'tool_use', name: 'left_click', input: { coordinate: [79, 115], text: 'ctrl' } };
  const typed = { type: 'tool_use', name: 'key', input: { text: 'ctrl+s' } };
  const { steps } = script(JSON.stringify({ role: 'assistant', content: [anthropic, typed] }));
  expect(steps.map(({ what }) => what)).toEqual(['click 79, 115', 'keys ctrl+s']);
  expect(steps[0]!.acts).toEqual([
    { do: 'key', key: 'ctrl', down: true },
    { do: 'click', at: [79, 115], button: 'left', count: 1 },
    { do: 'key', key: 'ctrl', down: false },
  ]);
  const gemini = '{"functionCall": {"name": "click_at", "args": {"x": 500, "y": 1000}}}';
  expect(script(gemini).steps[0]!.acts).toEqual([{ do: 'click', at: [400, 599], button: 'left', count: 1 }]);
  const qwen =
    '<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 500]}}</tool_call>';
  expect(script(qwen, '0-1000').steps[0]!.acts).toEqual([{ do: 'click', at: [400, 300], button: 'left', count: 1 }]);
  expect(() => script(qwen)).toThrow(/does not say whether places are pixels.*--coordinates/);
  expect(() => script('{"functionCall": {"name": "navigate", "args": {"url": "x"}}}')).toThrow();
  expect(() => script(`[${gemini}, {"functionCall": {"name": "navigate", "args": {"url": "x"}}}]`)).toThrow(
    /“navigate” is nothing that hands do/,
  );
  expect(() => script(JSON.stringify({ ...anthropic, input: { coordinate: [900, 1] } }))).toThrow(
    /900, 1 is not on the screen of 800 x 600/,
  );
  expect(script('xdotool mousemove 5 6 click 1; xdotool type "a b"').steps.map(({ what }) => what)).toEqual([
    'move 5, 6',
    'click where the pointer is',
    'type "a b"',
  ]);
});
