import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { evaluationSchema, scoredCaseSchema } from '../../schemas/evaluate.ts';
import { listStages } from '../../studio/play/stage/home.ts';
import { newWorkspace, studio, studioMust } from '../support/cli.ts';
import { ownTempFolder } from '../support/own-temp.ts';

/** Predicted keys are pressed on a stage, and our own recorder says what they were. */

// Stages of other tests come and go elsewhere.
ownTempFolder();
const workspace = newWorkspace();
afterAll(() => workspace.remove());
const folder = path.dirname(workspace.path);
const evil = path.join(folder, 'evil');

const ANSWERS: [truth: string[], answer: unknown, performed: string[] | null][] = [
  [['ctrl', 'z'], "pyautogui.hotkey('ctrl', 'z')", ['ctrl', 'z']],
  [[...'Hi, 2 eggs!'], "```python\nimport pyautogui\npyautogui.write('Hi, 2 eggs!')\n```", [...'Hi, 2 eggs!']],
  [['tab', 'tab', 'tab'], "pyautogui.press('tab', presses=3)", ['tab', 'tab', 'tab']],
  [
    ['ctrl', 'c', 'ctrl', 'v'],
    ['ctrl', 'c', 'ctrl', 'v'],
    ['ctrl', 'c', 'ctrl', 'v'],
  ],
  [['alt', 'f4'], 'Alt+F4', ['alt', 'f4']],
  // CapsLock is a press of its own (A19), and stays on for this answer alone.
  [['x'], "pyautogui.press('capslock')\npyautogui.press('x')", ['capslock', 'X']],
  [['x'], "pyautogui.keyDown('ctrl')\npyautogui.press('x')", ['ctrl', 'x']],
  [['x'], "pyautogui.press('x')", ['x']],
  // The recorder knows a letter where the program held Shift.
  [['A'], "pyautogui.hotkey('shift', 'a')", ['A']],
  [['x'], `import os\nos.system('touch ${evil}')\npyautogui.press('x')`, null],
  [['x'], "pyautogui.write('x' * 5000)", null],
];

it('reads back what it pressed, shows where that is not what was read, and leaves nothing behind', async () => {
  const id = (n: number): string => `X_1/1/${n + 1}`;
  const lines = (of: (n: number) => object): string =>
    ANSWERS.map((_, n) => JSON.stringify({ id: id(n), ...of(n) })).join('\n');
  const [questions, predictions, cases] = ['Q.jsonl', 'P.jsonl', 'C.jsonl'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  const about = { kind: 'keys', query: null, software: 'X', task: 'X_1', actions: 11, difficulty: null, prompt: '?' };
  fs.writeFileSync(
    questions,
    lines((n) => ({ ...about, images: [], truth: { kind: 'keys', keys: ANSWERS[n]![0] } })),
  );
  fs.writeFileSync(
    predictions,
    lines((n) => ({ prediction: ANSWERS[n]![1] })),
  );
  const args = ['evaluate', 'keys', '--truth', questions, '--predictions', predictions];
  const { json } = await studioMust([...args, '--perform', '--cases', cases, '--json']);
  const result = evaluationSchema.parse(json);
  expect(result.performed).toMatchObject({ same: 7, otherwise: 2, not: 1 });
  const scored = fs
    .readFileSync(cases, 'utf8')
    .trim()
    .split('\n')
    .map((line) => scoredCaseSchema.parse(JSON.parse(line)));
  expect(scored.map(({ performed }) => performed?.keys ?? null)).toEqual(ANSWERS.map(([, , keys]) => keys));
  expect(scored[8]?.why).toContain('Read, it presses shift a; performed on a stage, the recorder saw A.');
  expect(scored[9]).toMatchObject({ notes: ['refused'] });
  expect(fs.existsSync(evil)).toBe(false);
  expect(listStages()).toEqual([]);
  // The table is the parser's either way.
  const read = evaluationSchema.parse((await studioMust([...args, '--json'])).json);
  expect(read.rows).toEqual(result.rows);
  expect(read.performed).toBeUndefined();
  expect(await studio(['evaluate', 'click', ...args.slice(2), '--perform', '--json'])).toMatchObject({
    json: { error: { code: 'USAGE' } },
  });
});
