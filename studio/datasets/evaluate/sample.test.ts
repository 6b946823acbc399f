import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../../../core/evaluate/random.ts';
import type { ExportTask } from '../../../core/export/model.ts';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { type ClickTruth, type Question, type QuestionLevel, questionSchema } from '../../../schemas/questions.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { collectedSample } from '../export/export-for-tests.ts';
import { loadPrompts } from './prompt-files.ts';
import { evaluateRun } from './run.ts';
import { writeQuestions } from './write-questions.ts';

/** The recording that comes with the studio: real work in GIMP, asked about and answered. */

const folders = temporaryFolders();
afterAll(folders.clean);
let tasks: ExportTask[] = [];

beforeAll(async () => {
  tasks = await collectedSample(folders.make());
  // Nobody has annotated it yet: names and titles as an annotator would give them.
  for (const { subtasks } of tasks) {
    for (const subtask of subtasks) subtask.query ||= `Do part ${subtask.id}`;
    for (const action of subtasks.flatMap(({ actions }) => actions)) {
      action.element ??= { name: `element ${action.rank}`, box: null };
      if (action.action.kind === 'drag') action.narration = `Drag ${action.element.name} to its place`;
    }
  }
});

function write(level: QuestionLevel, more: { truth?: string; prompts?: string } = {}) {
  const folder = folders.make();
  const truth = more.truth === undefined ? null : join(folder, more.truth);
  const prompts = loadPrompts(more.prompts ?? null);
  const common = {
    out: join(folder, 'Q.jsonl'),
    truth,
    prompts,
    name: 'sample',
    scrollOrder: 'shuffled' as const,
    seed: 1,
  };
  return writeQuestions(tasks, { level, ...common });
}

const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const questionsIn = (file: string): Question[] =>
  linesOf(file)
    .slice(1)
    .map((line) => questionSchema.parse(line));

describe('questions about the sample', () => {
  test('actions: every picture is there, the truth lies in it, and no prompt tells it', async () => {
    const { out, counts } = await write('action');
    expect(counts.click).toBeGreaterThan(3);
    expect(counts.keys).toBeGreaterThan(1);
    for (const { truth, images, prompt } of questionsIn(out)) {
      for (const image of images) expect(existsSync(join(dirname(out), image))).toBe(true);
      if (truth?.kind !== 'click') continue;
      const [x, y] = truth.point;
      expect(x < truth.width && y < truth.height).toBe(true);
      expect(prompt).not.toMatch(new RegExp(`${x}\\s*,\\s*${y}`));
      expect(prompt).not.toMatch(/\{[a-z]+\}/);
    }
  });

  test('the truth in a file of its own leaves none in the questions; both are the same data set', async () => {
    const { out, truth } = await write('action', { truth: 'T.jsonl' });
    expect(readFileSync(out, 'utf8')).not.toContain('"truth":{');
    expect(questionsIn(truth!).every((line) => line.truth !== undefined)).toBe(true);
    expect(questionsIn(truth!).map(({ id }) => id)).toEqual(questionsIn(out).map(({ id }) => id));
    const heads = [out, truth!].map((file) => linesOf(file)[0]);
    expect(heads[0]).toMatchObject({ holds: 'questions', dataset: { name: 'sample' } });
    expect(heads[1]).toEqual({ ...(heads[0] as object), holds: 'truth' });
  });

  test('every level is of one data set; a changed annotation is another version', async () => {
    const heads = await Promise.all((['action', 'mid', 'high'] as const).map((level) => write(level)));
    const hashes = new Set(heads.map(({ head }) => head.dataset.hash));
    expect(hashes.size).toBe(1);
    const { goal } = tasks[0]!;
    tasks[0]!.goal = 'Something else';
    const other = (await write('high')).head.dataset.hash;
    tasks[0]!.goal = goal;
    expect(hashes.has(other)).toBe(false);
  });

  test('a prompt of the user replaces ours and changes the hash; one that lacks its field is refused', async () => {
    const own = folders.make();
    writeFileSync(join(own, 'click.txt'), 'Wo ist {element}?\n');
    const made = await write('action', { prompts: own });
    expect(made.head.prompts).not.toBe((await write('action')).head.prompts);
    expect(questionsIn(made.out).find(({ kind }) => kind === 'click')!.prompt).toMatch(/^Wo ist .+\?$/);
    writeFileSync(join(own, 'click.txt'), 'Where?');
    expect(() => loadPrompts(own)).toThrow(/click\.txt: \{element\} is missing/);
    writeFileSync(join(own, 'clik.txt'), 'Where is {element}?');
    expect(() => loadPrompts(own)).toThrow('clik.txt, which replaces no prompt');
  });

  test('nothing is overwritten, and a picture that is missing leaves nothing behind', async () => {
    const { out } = await write('action');
    const prompts = loadPrompts(null);
    const again = {
      level: 'action' as const,
      out,
      truth: null,
      prompts,
      name: 's',
      scrollOrder: 'shuffled' as const,
      seed: 1,
    };
    await expect(writeQuestions(tasks, again)).rejects.toThrow('exists already');
    const broken = structuredClone(tasks);
    broken[0]!.subtasks[0]!.actions[0]!.beforeImage!.path = '/nowhere.png';
    const folder = folders.make();
    await expect(writeQuestions(broken, { ...again, out: join(folder, 'Q.jsonl') })).rejects.toThrow(
      '/nowhere.png cannot be read',
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('scores on the sample', () => {
  const score = async (level: 'click' | 'keys' | 'mid', truth: string, predictions: object[]) => {
    const file = join(folders.make(), 'P.jsonl');
    writeFileSync(file, predictions.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const request = { level, truth: [truth], predictions: [file], options: DEFAULT_OPTIONS, critic: null, cases: null };
    const { rows } = await evaluateRun(request);
    return Object.fromEntries(rows[0]!.metrics.map(({ metric, value }) => [metric, value]));
  };

  /** Uniform guesses, each click two thousand times, so that the guesses' own chance is small. */
  const guess = async (sizeOf: (truth: ClickTruth) => { width: number; height: number }) => {
    const random = randomFrom(7);
    const folder = folders.make();
    const many: Question[] = [];
    const guesses: object[] = [];
    for (const one of questionsIn((await write('action')).out)) {
      if (one.truth?.kind !== 'click') continue;
      const { width, height } = sizeOf(one.truth);
      const [x, y] = one.truth.point;
      const point: ClickTruth['point'] = [(x * width) / one.truth.width, (y * height) / one.truth.height];
      for (let i = 0; i < 2000; i++) {
        const id = `${one.id}#${i}`;
        many.push({ ...one, id, truth: { kind: 'click', point, width, height } });
        guesses.push({ id, prediction: [Math.floor(random() * width), Math.floor(random() * height)] });
      }
    }
    const truth = join(folder, 'T.jsonl');
    writeFileSync(truth, many.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return score('click', truth, guesses);
  };

  test("guessing on a screen of the paper's size lands where its random row does (49.9 and 0.7)", async () => {
    const values = await guess(() => ({ width: 2560, height: 1440 }));
    expect(values['click.dist']).toBeGreaterThan(48);
    expect(values['click.dist']).toBeLessThan(50);
    expect(values['click.recall']).toBeGreaterThan(0.4);
    expect(values['click.recall']).toBeLessThan(1.4);
  });

  test('on the smaller screen as it was recorded, 100 px are more of it: Dist stays, recall is a disc over the screen', async () => {
    let share = 0;
    const values = await guess(({ width, height }) => {
      share = (100 * Math.PI * 100 ** 2) / (width * height);
      return { width, height };
    });
    expect(values['click.dist']).toBeGreaterThan(48);
    expect(values['click.dist']).toBeLessThan(50);
    // Less than the whole disc, which the edges cut.
    expect(values['click.recall']).toBeLessThan(share);
    expect(values['click.recall']).toBeGreaterThan(share / 2);
  });

  test('the demonstration itself scores 100', async () => {
    const { out } = await write('action');
    const keys = questionsIn(out).flatMap(({ id, truth }) =>
      truth?.kind === 'keys' ? [{ id, prediction: `pyautogui.hotkey(*${JSON.stringify(truth.keys)})` }] : [],
    );
    expect(await score('keys', out, keys)).toMatchObject({ 'keys.recall': 100, 'keys.precision': 100 });
    const mid = (await write('mid')).out;
    const plans = questionsIn(mid).flatMap(({ id, truth }) =>
      truth?.kind === 'mid' ? [{ id, prediction: truth.steps.map((step, i) => `${i + 1}. ${step}`).join('\n') }] : [],
    );
    expect(await score('mid', mid, plans)).toMatchObject({ 'mid.text.stepF1': 100, 'mid.vision+text.order': 1 });
  });
});
