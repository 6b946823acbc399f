import fs from 'node:fs';
import path from 'node:path';
import { randomFrom } from '../../core/evaluate/random.ts';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import type { Job } from '../../schemas/api/models.ts';
import { type Question, questionSchema } from '../../schemas/questions.ts';
import type { StudioServer } from './studio-server.ts';

/** Files of predictions for the questions of a workspace, as models that know everything or nothing would answer. */

export function questionsOf(workspace: string, set: QuestionSet): Question[] {
  const folder = path.join(workspace, 'evaluations', 'questions', set.id);
  return set.files.flatMap(({ file }) =>
    fs
      .readFileSync(path.join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => questionSchema.parse(JSON.parse(line))),
  );
}

/** The truth, said as the questions ask for it. */
export function rightAnswer({ truth }: Question): string {
  if (truth?.kind === 'click') return `[${truth.point.join(', ')}]`;
  if (truth?.kind === 'drag') return `[${truth.start.join(', ')}] -> [${truth.end.join(', ')}]`;
  if (truth?.kind === 'scroll') return `[${'ABC'[truth.order.indexOf(truth.answer)]}]`;
  if (truth?.kind === 'keys') return truth.keys.map((key) => `pyautogui.press(${JSON.stringify(key)})`).join('\n');
  return (truth?.steps ?? []).map((step, i) => `${i + 1}. ${step}`).join('\n');
}

/** Any place, option, key or plan, by the seed. */
export function randomAnswer({ truth }: Question, seed: number): string {
  const random = randomFrom(seed);
  const point = (width: number, height: number): string =>
    `[${Math.floor(random() * width)}, ${Math.floor(random() * height)}]`;
  if (truth?.kind === 'click') return point(truth.width, truth.height);
  if (truth?.kind === 'drag') return `${point(truth.width, truth.height)} -> ${point(truth.width, truth.height)}`;
  if (truth?.kind === 'scroll') return `[${'ABC'[Math.floor(random() * 3)]}]`;
  if (truth?.kind === 'keys') return "pyautogui.press('f13')";
  return '1. Look around\n2. Give up';
}

export function writePredictions(
  file: string,
  model: string,
  { dataset }: QuestionSet,
  answers: readonly { id: string; prediction: string }[],
): string {
  const head = { schema: 'trajectory-studio/predictions', version: 1, model, dataset };
  fs.writeFileSync(file, [head, ...answers].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** Waits for work; throws what it failed with. */
export async function done({ api }: Pick<StudioServer, 'api'>, ws: string, { id }: Job): Promise<void> {
  for (;;) {
    const job = (await api.jobs.list({ ws })).find((one) => one.id === id);
    if (job?.state === 'done') return;
    if (job?.state === 'failed' || job?.state === 'cancelled') {
      const failure = await api.jobs.failure({ ws, job: id });
      throw Object.assign(new Error(failure?.message ?? job.error?.message ?? 'It was stopped.'), { ...failure });
    }
    await new Promise((go) => setTimeout(go, 50));
  }
}

/** Makes questions of every recording, and waits for them. */
async function makeSet(
  server: Pick<StudioServer, 'api'>,
  ws: string,
  wanted: Omit<Parameters<StudioServer['api']['evaluate']['makeQuestions']>[0], 'ws'>,
): Promise<QuestionSet> {
  const { job, set } = await server.api.evaluate.makeQuestions({ ws, ...wanted });
  await done(server, ws, job);
  const sets = await server.api.evaluate.questionSets({ ws });
  return sets.find(({ id }) => id === set)!; // It is there when its job is done.
}

/** Questions of every level and three models' runs on them: one right, one guessing, one near and not whole. */
export async function fillEvaluation(
  server: Pick<StudioServer, 'api'>,
  { id: ws, dir }: { id: string; dir: string },
  folder: string,
): Promise<string> {
  const set = await makeSet(server, ws, { levels: ['action', 'mid', 'high'], everyState: true });
  const questions = questionsOf(dir, set);
  const near = ({ truth, ...rest }: Question, i: number): string | null => {
    if (truth?.kind === 'click') return `The button is at [${truth.point[0] + 60 + i * 9}, ${truth.point[1] + 40}].`;
    return i % 3 === 0 ? null : rightAnswer({ truth, ...rest });
  };
  const models: [name: string, answer: (question: Question, i: number) => string | null][] = [
    ['guesses', randomAnswer],
    ['knows-everything', rightAnswer],
    ['a-model-with-a-very-long-name-2026-11-22-preview-instruct', near],
  ];
  let last = '';
  for (const [name, answer] of models) {
    const answers = questions.flatMap((question, i) => {
      const prediction = answer(question, i);
      return prediction === null ? [] : [{ id: question.id, prediction }];
    });
    const file = writePredictions(path.join(folder, `${name}.jsonl`), name, set, answers);
    const files = set.files.map((one) => one.file);
    const options = { planScore: 'stepF1' as const };
    const predictions = { from: 'path' as const, path: file };
    const { job, run } = await server.api.evaluate.score({ ws, set: set.id, files, predictions, options });
    await done(server, ws, job);
    last = run;
  }
  return last;
}
