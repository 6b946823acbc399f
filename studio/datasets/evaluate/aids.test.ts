import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportTask } from '../../../core/export/model.ts';
import { AIDS_SCHEMA } from '../../../schemas/aids.ts';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { type Question, type QuestionsHead, questionSchema, questionsHeadSchema } from '../../../schemas/questions.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { collectedSample } from '../export/export-for-tests.ts';
import type { AidWish } from './aids.ts';
import { writeLines } from './files-for-tests.ts';
import { textFinder, textsOf } from './ocr.ts';
import { loadPrompts } from './prompt-files.ts';
import { evaluateRun } from './run.ts';
import { edgeFinder } from './spread.ts';
import { writeQuestions } from './write-questions.ts';

/** Questions with marks or texts about the sample's real screens. */

const folders = temporaryFolders();
afterAll(folders.clean);
let tasks: ExportTask[] = [];

beforeAll(async () => {
  tasks = await collectedSample(folders.make());
  // Each picture takes a moment to be searched: the first steps are enough.
  for (const subtask of tasks.flatMap(({ subtasks }) => subtasks)) subtask.actions = subtask.actions.slice(0, 5);
  for (const action of tasks.flatMap(({ subtasks }) => subtasks.flatMap(({ actions }) => actions))) {
    action.element ??= { name: `element ${action.rank}`, box: null };
    if (action.action.kind === 'drag') action.narration = `Drag ${action.element.name} to its place`;
  }
});

const write = (aid: AidWish | null, level: 'action' | 'mid' = 'action', folder = folders.make()) =>
  writeQuestions(tasks, {
    level,
    out: join(folder, 'Q.jsonl'),
    truth: null,
    prompts: loadPrompts(null),
    name: 'sample',
    scrollOrder: 'shuffled',
    seed: 1,
    aid,
  });

function read(file: string): { head: QuestionsHead; questions: Question[] } {
  const [head, ...lines] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  return { head: questionsHeadSchema.parse(head), questions: lines.map((line) => questionSchema.parse(line)) };
}

/** A file of elements for every click and drag: the same grid over each picture. */
function gridFile(questions: readonly Question[], more: object[] = []): string {
  const elements = Array.from({ length: 12 }, (_, i) => ({
    box: [(i % 4) * 300, Math.floor(i / 4) * 200, 280, 190],
    text: `cell ${i}`,
  }));
  const lines = questions.filter(({ kind }) => kind === 'click' || kind === 'drag').map(({ id }) => ({ id, elements }));
  return writeLines(folders.make(), 'A.jsonl', [
    { schema: AIDS_SCHEMA, version: 1, source: 'my detector' },
    ...lines,
    ...more,
  ]);
}

describe('marks that were found here', () => {
  test('are drawn on the pictures; what cannot be seen in them is not in the questions', {
    timeout: 240_000,
  }, async () => {
    const made = await write({ kind: 'som', file: null });
    const { head, questions } = read(made.out);
    expect(head).toMatchObject({ version: 2, aid: { kind: 'som', source: 'edges' } });
    const plain = read((await write(null)).out);
    expect(plain.head).toMatchObject({ version: 1, aid: null, dataset: head.dataset });
    expect(plain.head.prompts).not.toBe(head.prompts);
    const clicks = questions.filter(({ kind }) => kind === 'click');
    expect(clicks.length).toBeGreaterThan(0);
    for (const { id, images, marks, prompt } of clicks) {
      const before = plain.questions.find((one) => one.id === id)!;
      expect(marks!.length).toBeGreaterThan(20);
      expect(prompt).toContain(`from 1 to ${marks!.length}`);
      const [marked, bare] = [join(dirname(made.out), images[0]!), before.images[0]!];
      expect(images[0]).not.toBe(bare);
      const { width, height } = await sharp(marked).metadata();
      expect(before.truth).toMatchObject({ width, height });
    }
    // The other kinds are asked as ever.
    const others = (list: readonly Question[]) => list.filter(({ kind }) => kind === 'scroll' || kind === 'keys');
    expect(others(questions)).toEqual(others(plain.questions));
    // Most of what people clicked is something that looks like an element.
    expect(made.reach!.reachable / made.reach!.of).toBeGreaterThan(0.6);
  });

  test('the truth has no part in them: elsewhere clicked, the marks are the same', { timeout: 60_000 }, async () => {
    const finder = edgeFinder(undefined);
    const path = tasks[0]!.subtasks[0]!.actions[0]!.beforeImage!.path;
    try {
      expect(await finder.find(path)).toEqual(await finder.find(path));
      await expect(finder.find('/nowhere.png')).rejects.toThrow('/nowhere.png cannot be read');
    } finally {
      await finder.close();
    }
  });

  test('a stop ends the search at once and leaves nothing', async () => {
    const control = new AbortController();
    const folder = folders.make();
    const work = writeQuestions(tasks, {
      level: 'action',
      out: join(folder, 'Q.jsonl'),
      truth: null,
      prompts: loadPrompts(null),
      name: 's',
      scrollOrder: 'shuffled',
      seed: 1,
      aid: { kind: 'som', file: null },
      signal: control.signal,
      onProgress: () => control.abort(new Error('stopped here')),
    });
    await expect(work).rejects.toThrow('stopped here');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('elements from a file', () => {
  test('by question, or by the name of the picture beside unaided questions', async () => {
    const plain = read((await write(null)).out);
    const made = await write({ kind: 'som', file: gridFile(plain.questions) });
    expect(made.head.aid).toMatchObject({ kind: 'som', source: 'my detector' });
    const [click] = read(made.out).questions.filter(({ kind }) => kind === 'click');
    expect(click!.marks).toHaveLength(12);

    const picture = plain.questions.find(({ id }) => id === click!.id)!.images[0]!.split('/')[1]!;
    const boxes = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ].map((box) => ({ box }));
    for (const name of [picture, picture.replace('.png', '')]) {
      const file = writeLines(folders.make(), 'A.jsonl', [{ id: name, elements: boxes }]);
      const own = read((await write({ kind: 'som', file })).out).questions;
      expect(own.find(({ id }) => id === click!.id)!.marks).toEqual([
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ]);
    }
  });

  test('a result names the aid; answers to other questions than these are refused', async () => {
    const plain = await write(null);
    const made = await write({ kind: 'som', file: gridFile(read(plain.out).questions) });
    const { head, questions } = read(made.out);
    const [click] = questions.filter(({ kind }) => kind === 'click');
    const predictions = (aid: QuestionsHead['aid']) =>
      writeLines(folders.make(), 'P.jsonl', [
        { schema: 'trajectory-studio/predictions', version: 2, model: 'm', dataset: head.dataset, aid },
        { id: click!.id, prediction: '[1]' },
      ]);
    const score = (truth: string, file: string) =>
      evaluateRun({
        level: 'click',
        truth: [truth],
        predictions: [file],
        options: DEFAULT_OPTIONS,
        critic: null,
        cases: null,
      });
    expect((await score(made.out, predictions(head.aid))).aid).toEqual(head.aid);
    expect((await score(plain.out, predictions(null))).aid).toBeNull();
    await expect(score(plain.out, predictions(head.aid))).rejects.toThrow(
      /P\.jsonl:1: the predictions are for questions with som by my detector; the truth is of those without one/,
    );
    await expect(score(made.out, predictions(null))).rejects.toThrow(
      /P\.jsonl:2: it answers the question without an aid; the truth is of those with som/,
    );
    await expect(score(made.out, predictions({ kind: 'som', source: 'other', hash: 'f'.repeat(64) }))).rejects.toThrow(
      /P\.jsonl:1: .*som by other; the truth is of those with som by my detector/,
    );
  });

  test('every wrong line is told, and nothing is written', async () => {
    const plain = read((await write(null)).out);
    const [click] = plain.questions.filter(({ kind }) => kind === 'click');
    const drag = plain.questions.find(({ kind }) => kind === 'drag');
    const folder = folders.make();
    const good = { id: click!.id, elements: [{ box: [1, 2, 3, 4] }, { box: [5, 6, 7, 8] }] };
    const file = join(folder, 'A.jsonl');
    writeFileSync(
      file,
      [
        { schema: AIDS_SCHEMA, version: 1 },
        good,
        good,
        { id: 'nobody', elements: [] },
        { id: `${plain.questions.find(({ kind }) => kind === 'keys')!.id}`, elements: [] },
        { id: drag!.id, elements: [{ box: [0, 0, 5000, 10] }] },
        { ...good, elements: [{ box: [0, 0, 0, 10] }] },
        { id: click!.id },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n')
        .concat('\n{"id": "GI'),
    );
    const out = folders.make();
    const error = await write({ kind: 'som', file }, 'action', out).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const text = error instanceof Error ? error.message : '';
    expect(text).toMatch(/^7 lines cannot be taken, so no questions were written/);
    expect(text).toMatch(/A\.jsonl:3: the id ".*" stands there twice/);
    expect(text).toMatch(/A\.jsonl:4: the id "nobody" is no click, no drag and no picture/);
    expect(text).toMatch(/A\.jsonl:5: the id/);
    expect(text).toMatch(/A\.jsonl:6: elements\.0\.box lies outside of its picture, which is 1280 x 720/);
    expect(text).toMatch(/A\.jsonl:7: it is no \{"id", "elements"\}: elements\.0\.box: must be/);
    expect(text).toMatch(/A\.jsonl:8: it is no \{"id", "elements"\}: elements/);
    expect(text).toMatch(/A\.jsonl:9: the file ends in the middle of a line/);
    expect(readdirSync(out)).toEqual([]);
    const later = writeLines(folder, 'later.jsonl', [{ schema: AIDS_SCHEMA, version: 9 }]);
    await expect(write({ kind: 'som', file: later })).rejects.toThrow(
      'has version 9; this program knows versions up to 1',
    );
  });

  test('an aid goes with actions alone', async () => {
    await expect(write({ kind: 'ocr', file: null }, 'mid')).rejects.toThrow('--aid helps with clicks and drags');
  });
});

describe('texts', () => {
  const word = (line: number, x: number, text: string, confidence = 90) =>
    ['5', '1', '1', '1', line, 1, x, 40, 60, 20, confidence, text].join('\t');

  test('words that stand together are one text; unsure ones and signs alone are none', () => {
    const table = [
      'level\tpage_num\t…',
      '4\t1\t1\t1\t1\t0\t0\t0\t0\t0\t-1\t',
      word(1, 100, 'Save'),
      word(1, 170, 'as'),
      word(1, 400, 'Edit'),
      word(2, 470, 'View'),
      word(3, 10, 'maybe', 30),
      word(3, 90, '|'),
    ].join('\n');
    expect(textsOf(table, 2)).toEqual([
      { box: [50, 20, 65, 10], text: 'Save as' },
      { box: [200, 20, 30, 10], text: 'Edit' },
      { box: [235, 20, 30, 10], text: 'View' },
    ]);
  });

  test('without the program it is said what to install', async () => {
    const path = process.env.PATH;
    process.env.PATH = folders.make();
    try {
      const picture = tasks[0]!.subtasks[0]!.actions[0]!.beforeImage!.path;
      await expect(textFinder(undefined).find(picture)).rejects.toMatchObject({
        code: 'NO_LIBRARY',
        message: expect.stringMatching(/tesseract, which is not installed.*apt-get install tesseract-ocr.*--aids/),
      });
    } finally {
      process.env.PATH = path;
    }
  });

  const hasTesseract = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'tesseract')));
  test.runIf(hasTesseract)('of a real screen, by tesseract', { timeout: 120_000 }, async () => {
    const picture = tasks[0]!.subtasks[0]!.actions[0]!.beforeImage!.path;
    const texts = await textFinder(undefined).find(picture);
    const filters = texts.find(({ text }) => text?.includes('Filters'));
    // GIMP's menu, at the top.
    expect(filters?.box[1]).toBeLessThan(12);
    expect(texts.length).toBeGreaterThan(20);
  });
});
