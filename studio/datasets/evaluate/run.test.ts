import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { StudioError } from '../../../schemas/errors.ts';
import { DEFAULT_OPTIONS, type Evaluation, evaluationSchema, scoredCaseSchema } from '../../../schemas/evaluate.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { clickAt, HASH, head, plan, predict, predictionsHead, question, writeLines } from './files-for-tests.ts';
import { type EvaluateRequest, evaluateRun } from './run.ts';
import { evaluateTasks } from './run-tasks.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const TRUTH = [
  head(),
  question('GIMP_1/1/1', clickAt(100, 100)),
  question('GIMP_1/1/2', clickAt(500, 500), { software: 'Word' }),
  question('GIMP_1/1/3', { kind: 'keys', keys: ['ctrl', 'f'] }),
  question('GIMP_1/1/4/before', { kind: 'scroll', answer: 'down', order: ['none', 'down', 'up'] }),
];

function files(predictions: readonly unknown[], truth: readonly unknown[] = TRUTH) {
  const folder = folders.make();
  return {
    folder,
    truth: [writeLines(folder, 'Q.jsonl', truth)],
    predictions: [writeLines(folder, 'P.jsonl', predictions)],
  };
}

function run(
  { truth, predictions }: Pick<EvaluateRequest, 'truth' | 'predictions'>,
  more: Partial<EvaluateRequest> = {},
): Promise<Evaluation> {
  return evaluateRun({
    level: 'all',
    truth,
    predictions,
    options: DEFAULT_OPTIONS,
    critic: null,
    cases: null,
    ...more,
  });
}

const overall = ({ rows }: Evaluation, metric: string) => rows[0]!.metrics.find((one) => one.metric === metric)?.value;

async function refused(work: Promise<unknown>): Promise<StudioError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StudioError);
  return error as StudioError; // As the line above says.
}

describe('a run', () => {
  const GOOD = [
    predictionsHead(),
    predict('GIMP_1/1/1', '[100, 100]'),
    predict('GIMP_1/1/3', "pyautogui.hotkey('ctrl', 'f')"),
    predict('GIMP_1/1/4/before', '[B]'),
  ];

  test('scores each level, counts a missing prediction as 0 and tells it', async () => {
    const evaluation = await run(files(GOOD));
    expect(evaluationSchema.parse(evaluation)).toEqual(evaluation);
    expect(evaluation.model).toBe('m');
    expect(evaluation.options).toEqual(DEFAULT_OPTIONS);
    expect(evaluation.dataset).toEqual({ name: 'test', hash: HASH });
    expect(evaluation.counts).toMatchObject({ cases: 4, answered: 3, missing: 1 });
    expect(overall(evaluation, 'click.recall')).toBe(50);
    expect(overall(evaluation, 'click.dist')).toBe(0);
    expect(overall(evaluation, 'keys.recall')).toBe(100);
    expect(overall(evaluation, 'action.full')).toBe((50 + 100 + 100) / 3);
    expect(evaluation.reports).toEqual([
      { id: 'GIMP_1/1/2', line: null, note: 'missing', message: 'There is no prediction.' },
    ]);
    const word = evaluation.rows.find(({ group, name }) => group === 'software' && name === 'Word')!;
    expect(word.metrics.find(({ metric }) => metric === 'click.recall')?.value).toBe(0);
  });

  test('of one level passes over predictions of the others', async () => {
    const evaluation = await run(files(GOOD), { level: 'click' });
    expect(evaluation.counts).toMatchObject({ cases: 2, missing: 1, otherLevel: 2 });
    expect(evaluation.rows[0]!.metrics.map(({ metric }) => metric)).toEqual(['click.dist', 'click.recall']);
  });

  test('takes numbers as well as text, and a file without a head', async () => {
    const evaluation = await run(
      files([predict('GIMP_1/1/1', [110, 100]), predict('GIMP_1/1/2', [490, 490, 510, 510])]),
    );
    expect(overall(evaluation, 'click.recall')).toBe(100);
    expect(evaluation.model).toBeNull();
  });

  test('odd predictions score 0 each, and the others are scored', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const given = files([
      predict('GIMP_1/1/1', '[100, 100]'),
      `{"id": "GIMP_1/1/2", "prediction": ${deep}}`,
      predict('GIMP_1/1/3', ['constructor', '__proto__']),
      predict('GIMP_1/1/4/before', 7),
    ]);
    const cases = join(given.folder, 'cases.jsonl');
    const evaluation = await run(given, { cases });
    expect(evaluation.counts).toMatchObject({ cases: 4, answered: 4, unreadable: 2 });
    expect(overall(evaluation, 'click.recall')).toBe(50);
    expect(overall(evaluation, 'keys.precision')).toBe(0);
    expect(readFileSync(cases, 'utf8').trimEnd().split('\n')).toHaveLength(4);
  });

  test('positions in thousandths are seen over the whole run, read so, and it is said', async () => {
    const places = Array.from({ length: 20 }, (_, i) => [i * 60 + 20, 700 - i * 34] as const);
    const truth = [
      head(),
      ...places.map(([x, y], i) =>
        question(`GIMP_1/1/${i}`, { kind: 'click', point: [x, y], width: 1280, height: 720 }),
      ),
    ];
    const answers = places.map(([x, y], i) =>
      predict(`GIMP_1/1/${i}`, `<point>${Math.round((x / 1280) * 1000)} ${Math.round((y / 720) * 1000)}</point>`),
    );
    const given = files([predictionsHead(), ...answers], truth);
    const guessed = await run(given);
    expect(guessed.coordinates).toMatchObject({ scale: '0-1000', guessed: true, answers: 20 });
    expect(guessed.rules).toBe(3);
    expect(overall(guessed, 'click.recall')).toBe(100);
    const named = await run(given, { options: { ...DEFAULT_OPTIONS, coordinates: 'pixels' } });
    expect(named.coordinates).toMatchObject({ scale: 'pixels', guessed: false });
    expect(overall(named, 'click.recall')).toBeLessThan(50);
    const strict = await run(given, { options: { ...DEFAULT_OPTIONS, answerForms: 'paper' } });
    expect(strict.counts.unreadable).toBe(20);
  });

  test('a hostile program scores 0 and is told by line, with what it tried', async () => {
    const evil = "import os\nos.system('id')\nimport pyautogui\npyautogui.hotkey('ctrl', 'f')";
    const evaluation = await run(files([predictionsHead(), predict('GIMP_1/1/3', evil)]), { level: 'keys' });
    expect(overall(evaluation, 'keys.precision')).toBe(0);
    expect(evaluation.counts.refused).toBe(1);
    expect(evaluation.reports).toEqual([
      { id: 'GIMP_1/1/3', line: 2, note: 'refused', message: 'It was refused, not run: line 1: it imports "os".' },
    ]);
  });

  test('writes every case, missing ones too, each with its score and why', async () => {
    const given = files(GOOD);
    const cases = join(given.folder, 'cases.jsonl');
    await run(given, { cases });
    const lines = readFileSync(cases, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => scoredCaseSchema.parse(JSON.parse(line)));
    expect(lines.map(({ id }) => id)).toEqual(['GIMP_1/1/1', 'GIMP_1/1/3', 'GIMP_1/1/4/before', 'GIMP_1/1/2']);
    expect(lines[0]).toMatchObject({
      reading: [100, 100],
      scores: { dist: 0, recall: 1 },
      why: '0.0 px off, a hit (<= 100 px).',
    });
    expect(lines[2]!.why).toBe('It chose B (down); B (down) is right.');
  });

  test('the truth may lie in files of its own, of several levels', async () => {
    const folder = folders.make();
    const actions = writeLines(folder, 'A.jsonl', [head({ holds: 'truth' }), question('GIMP_1/1/1', clickAt(5, 5))]);
    const plans = writeLines(folder, 'M.jsonl', [
      head({ level: 'mid' }),
      question('GIMP_1/1/text', plan('Save'), { query: 'text' }),
    ]);
    const predictions = writeLines(folder, 'P.jsonl', [
      predict('GIMP_1/1/1', '[5, 5]'),
      predict('GIMP_1/1/text', '1. Save'),
    ]);
    const evaluation = await run({ truth: [actions, plans], predictions: [predictions] });
    expect(overall(evaluation, 'mid.text.stepF1')).toBe(100);
  });
});

describe('bad files are told by line, and nothing is scored', () => {
  test('torn, unknown, twice, no prediction: all of them at once', async () => {
    const given = files([
      predictionsHead(),
      predict('GIMP_1/1/1', '[1, 1]'),
      predict('GIMP_1/1/1', '[2, 2]'),
      predict('GIMP_9/1/1', '[2, 2]'),
      { id: 'GIMP_1/1/2', answer: 'x' },
      'what?',
    ]);
    appendFileSync(given.predictions[0]!, '{"id": "GIMP_1/1/2", "predi');
    const cases = join(given.folder, 'cases.jsonl');
    const error = await refused(run(given, { cases }));
    expect(error.code).toBe('BAD_FILE');
    const lines = error.message
      .split('\n')
      .slice(1)
      .map((line) => line.slice(given.folder.length + 1));
    expect(lines).toEqual([
      'P.jsonl:3: the id "GIMP_1/1/1" has a prediction already',
      'P.jsonl:4: the id "GIMP_9/1/1" is not in the truth',
      expect.stringMatching(/^P\.jsonl:5: it is no \{"id", "prediction"\}/),
      'P.jsonl:6: it is no JSON',
      'P.jsonl:7: the file ends in the middle of a line',
    ]);
    expect(readdirSync(given.folder).sort()).toEqual(['P.jsonl', 'Q.jsonl']);
  });

  test('another version of the data set', async () => {
    const other = predictionsHead({ dataset: { name: 'test', hash: 'c'.repeat(64) } });
    const error = await refused(run(files([other, predict('GIMP_1/1/1', '[1, 1]')])));
    expect(error.message).toContain(
      'P.jsonl:1: the predictions are for another version of the data set (test cccccccccccc)',
    );
  });

  test('questions without their truth, a truth of another kind, an id twice', async () => {
    const { truth: _, ...blind } = question('GIMP_1/1/1', clickAt(1, 1));
    const error = await refused(
      run(
        files(
          [],
          [
            head(),
            blind,
            { ...question('b', clickAt(1, 1)), kind: 'keys' },
            question('c', clickAt(1, 1)),
            question('c', clickAt(1, 1)),
          ],
        ),
      ),
    );
    expect(error.message).toContain('Q.jsonl:2: it holds no truth');
    expect(error.message).toContain('Q.jsonl:3: its truth is of a click, the question of a keys');
    expect(error.message).toContain('Q.jsonl:5: the id "c" stands there twice');
  });

  test('a file from a newer program, a missing file, a level that is not there, a case file over an input', async () => {
    expect((await refused(run(files([], [{ ...head(), version: 9 }])))).code).toBe('FUTURE_VERSION');
    expect((await refused(run({ ...files([]), predictions: ['/nowhere/P.jsonl'] }))).code).toBe('BAD_FILE');
    expect((await refused(run(files([]), { level: 'high' }))).message).toContain('no question of "high"');
    const given = files([]);
    expect((await refused(run(given, { cases: given.truth[0]! }))).code).toBe('USAGE');
    expect(existsSync(given.truth[0]!)).toBe(true);
  });
});

describe('whole tasks', () => {
  const tasks = [
    { id: 'a', nodes: 2, applications: 1, difficulty: '1' },
    { id: 'b', nodes: 4, applications: 3, difficulty: '2' },
    { id: 'c', nodes: 3, applications: 2, difficulty: '2' },
  ];

  test('trajectories: every score, groups of difficulty, errors by kind, runs beyond their limit', async () => {
    const given = files(
      [
        { id: 'a', prediction: { atomic: [1, 1], steps: 11, decisions: { correct: 8, total: 10 } } },
        {
          id: 'b',
          prediction: {
            atomic: [true, false, true, true],
            steps: 9,
            errors: [{ kind: 'execution', type: 'perceptual' }],
          },
        },
      ],
      tasks,
    );
    const mobile = { ...DEFAULT_OPTIONS, benchmark: 'mobile-agent-v' as const };
    const evaluation = await evaluateTasks({ level: 'trajectories', ...given, options: mobile, cases: null });
    expect(evaluationSchema.parse(evaluation)).toEqual(evaluation);
    expect(overall(evaluation, 'sr')).toBe(0);
    expect(overall(evaluation, 'cr')).toBeCloseTo((100 * (1 + 0.75 + 0)) / 3, 9);
    expect(overall(evaluation, 'matcr')).toBeCloseTo((100 * (1 + 0.25 + 0)) / 3, 9);
    expect(overall(evaluation, 'decisionAccuracy')).toBe(80);
    expect(overall(evaluation, 'steps')).toBe(10);
    expect(overall(evaluation, 'error.execution.perceptual')).toBe(1);
    expect(evaluation.reports.map(({ id, note }) => [id, note])).toEqual([
      ['a', 'over-limit'],
      ['c', 'missing'],
    ]);
    const wider = { ...mobile, stepLimits: [20, 20, 20] as [number, number, number] };
    const again = await evaluateTasks({ level: 'trajectories', ...given, options: wider, cases: null });
    expect(overall(again, 'wpsr')).toBeCloseTo((100 * 2) / (2 + 12 + 6), 9);
    expect(again.rows.map(({ group, name }) => `${group} ${name}`)).toEqual([
      'overall ',
      'difficulty 1',
      'difficulty 2',
    ]);
  });

  test('a scenario, and an outcome that is none, by line', async () => {
    const truth = [
      { id: 'a', scenario: 'A' },
      { id: 'b', scenario: 'A' },
    ];
    const given = files([{ id: 'a', prediction: { score: 1, steps: 5, clarifications: 2 } }], truth);
    const evaluation = await evaluateTasks({ level: 'scenario', ...given, options: DEFAULT_OPTIONS, cases: null });
    expect([overall(evaluation, 'sr'), overall(evaluation, 'cas'), overall(evaluation, 'steps')]).toEqual([50, 25, 5]);
    const bad = files([{ id: 'a', prediction: { score: 7 } }], truth);
    const work = evaluateTasks({ level: 'scenario', ...bad, options: DEFAULT_OPTIONS, cases: null });
    await expect(work).rejects.toThrow(/P\.jsonl:1: no outcome of scenario: score/);
  });
});
