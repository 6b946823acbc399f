import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FORMATS } from '../../../core/export/formats.ts';
import type { ExportTask } from '../../../core/export/model.ts';
import type { Action } from '../../../schemas/actions.ts';
import { click, drag, makeTask, of, pressed, scroll, typed } from './example-for-tests.ts';
import { sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { exportFormats } from './run.ts';
import { validateExport } from './validate.ts';

/** Tasks as few people make them: every format writes them soundly, or leaves out with the reason what it has no place for. */

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'odd-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** What line ends, marks of loaders, quotes and control characters do to a text. */
const WORDS = `Ünï 😀 "q" 's' | \\ \u2028 \u0085 \u0000\u001b[31m <image> </think> \r\n # --- \t: {x} % $`;
const BOX = { x: 1, y: 1, width: 5, height: 5 };

const task = (query: string, actions: Partial<Action>[], more: Partial<ExportTask> = {}) =>
  makeTask(path.join(root, 'stills'), 'PPT_1', [{ query, actions }], more);

const MADE: Readonly<Record<string, () => Promise<ExportTask>>> = {
  'clicks of every number and button': () =>
    task('q', [
      click(1, 2, { count: 7 }),
      click(1, 2, { count: 2, button: 'right' }),
      click(1, 2, { count: 3, button: 'middle' }),
      click(1, 2, { button: 'back' }),
      click(1, 2, { modifiers: ['ctrl', 'shift'], holdMs: 700 }),
    ]),
  'drags alone': () => task('q', [drag([1, 2], [30, 20])]),
  'scrolls alone': () => task('q', [scroll(0, 2), scroll(1, 0), scroll(0.3, -0.2)]),
  'keys alone': () => task('q', [pressed('ctrl', 'c'), pressed('é'), pressed('ctrl', 'ß'), typed(WORDS)]),
  'rests alone': () => task('q', [of('hover'), of('wait')]),
  'a title of blanks': () => task(' \n ', [click(1, 2)]),
  'neither goal nor visual query': () =>
    task('q', [click(1, 2)], { goal: ' ', visualQuery: { start: null, end: null } }),
  'odd words everywhere': async () => {
    const made = await task(WORDS, [typed(WORDS), click(1, 2), drag([1, 2], [3, 4])], {
      goal: WORDS,
      answer: WORDS,
      source: WORDS,
      platformWords: WORDS,
      app: { id: '剪映', name: '剪映 / CON?', prefix: 'PPT', category: WORDS },
    });
    for (const step of made.subtasks[0]!.actions) {
      Object.assign(step, { thought: WORDS, actionThought: WORDS, observation: WORDS, narration: WORDS });
      if (step.element) step.element.name = WORDS;
      if (step.action.kind === 'drag')
        step.drag = { startName: WORDS, endName: WORDS, purpose: WORDS, kind: 'movement', endBox: BOX };
    }
    return made;
  },
};

test.each(Object.keys(MADE))('%s', async (name) => {
  const made = await MADE[name]!();
  const requests = FORMATS.map((format) => requestOf(format.name, { parts: format.parts.map((part) => part.name) }));
  const options = { toolVersion: '0', filters: { all: true } };
  const results = await exportFormats(sourceOf([made]), path.join(root, name.replaceAll(' ', '-')), requests, options);
  for (const { format, out } of results) {
    expect([format, (await validateExport(format, out)).problems]).toEqual([format, []]);
  }
});
