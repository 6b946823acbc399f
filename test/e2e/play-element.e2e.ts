import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlayReport, playReportSchema } from '../../schemas/play.ts';
import { newWorkspace, startRecorder, studio, studioMust } from '../support/cli.ts';
import { click, handsFor, perform, type Step, wait } from '../support/person.ts';
import { type NoteStage, onNoteStage } from '../support/played-note.ts';
import { must } from '../support/process.ts';
import { until } from '../support/until.ts';

/**
 * A dialog of a real program (GTK) whose button is pressed, recorded with its elements. On the stages of the plays it lies
 * further away than its look is searched for, or looks other.
 */

const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
const folder = path.dirname(workspace.path);
const TASK = 'ASK_1';
const dialog = (x: number, y: number, env: Record<string, string> = {}, title = 'Ask') => ({
  command: 'zenity',
  args: ['--question', '--title', title, '--text', 'Shall it be done now, or never?', '--ok-label', 'Do it now'],
  window: title,
  place: { x, y, width: 420, height: 160 },
  env,
});
/** One whose window is not known again: neither by its title nor as the demonstration's program. */
const stranger = (x: number, y: number, title = 'Please') => {
  const made = dialog(x, y, {}, title);
  return { ...made, args: [...made.args, '--class=Other'] };
};
const recipe = (...programs: ReturnType<typeof dialog>[]) => ({
  schema: 'trajectory-studio/recipe',
  version: 1,
  screen: { width: 1000, height: 700 },
  programs,
});
let recording = '';
let elements = '';

beforeAll(async () => {
  await studioMust(['init', ...where]);
  await studioMust(['software', 'add', 'zenity', ...where]).catch(() => undefined);
  await studioMust(['tasks', 'add', '--app', 'zenity', '--goal', 'Have it done', '--id', TASK, ...where]);
  const file = path.join(folder, 'recipe.json');
  fs.writeFileSync(file, JSON.stringify(recipe(dialog(60, 60))));
  await studioMust(['tasks', 'attach', TASK, file, '--role', 'recipe', ...where]);
  const { json } = await studioMust(['stage', 'new', '--task', TASK, '--elements', '--json', ...where]);
  const stage = json as NoteStage; // As it prints it.
  const display = onNoteStage(stage);
  const recorder = await startRecorder(display, {
    workspace: workspace.path,
    args: ['--app', 'zenity', '--goal', 'Have it done', '--task', TASK, '--stage', stage.stage, '--elements'],
  });
  const [x, y] = await middleOfButton(display.env);
  // A person looks before pressing: the element is that of the moment before.
  await must('xdotool', ['mousemove', String(x), String(y), 'sleep', '1'], { env: display.env });
  await perform(display, await handsFor(display, 'human'), [click(x, y), wait(800)] satisfies Step[]);
  const { line } = await recorder.stop();
  recording = line.recording;
  elements = path.join(recorder.folder, 'elements.jsonl');
  await studioMust(['stage', 'end', stage.stage]);
}, 240_000);
afterAll(() => workspace.remove());

/** The right half of the dialog's last row. */
async function middleOfButton(env: NodeJS.ProcessEnv): Promise<[number, number]> {
  // A search ends with an error where any window goes away while it looks.
  const id = await until('the dialog', async () => {
    const found = await must('xdotool', ['search', '--name', '^Ask$'], { env }).catch(() => '');
    return found.trim().split('\n')[0] ?? '';
  });
  const text = await must('xwininfo', ['-id', id], { env });
  const value = (key: string) => Number(new RegExp(`${key}:\\s+(-?\\d+)`).exec(text)?.[1]);
  const [left, top] = [value('Absolute upper-left X'), value('Absolute upper-left Y')];
  return [left + Math.round(value('Width') * 0.75), top + value('Height') - 20];
}

async function playOn(name: string, programs: ReturnType<typeof dialog>[]): Promise<PlayReport> {
  const file = path.join(folder, `${name}.json`);
  fs.writeFileSync(file, JSON.stringify(recipe(...programs)));
  const { json } = await studio(['play', recording, '--recipe', file, '--patience', '4', '--json', ...where]);
  return playReportSchema.parse(json);
}

/** The same play of a demonstration that knows nothing of elements. */
async function withoutElements<T>(work: () => Promise<T>): Promise<T> {
  fs.renameSync(elements, `${elements}.away`);
  try {
    return await work();
  } finally {
    fs.renameSync(`${elements}.away`, elements);
  }
}

const BUTTON = { role: 'push button', name: 'Do it now' };

it('a target far from its place is found by its element, and without that the play stops', async () => {
  const far = [stranger(460, 330)];
  const without = await withoutElements(() => playOn('far', far));
  expect(without).toMatchObject({ agreed: 0, of: 1, steps: [{ verdict: 'missing' }] });
  const report = await playOn('far', far);
  expect(report).toMatchObject({ agreed: 1, of: 1, stopped: null, actionsEqual: true });
  expect(report.steps[0]).toMatchObject({ verdict: 'moved', element: BUTTON, shift: { x: 400, y: 270 } });
  expect(report.steps[0]?.why).toContain('by its element (push button “Do it now”)');
  // Where the window is known again it is enough that it moved (PL35).
  const known = await withoutElements(() => playOn('known', [dialog(460, 330)]));
  expect(known).toMatchObject({ agreed: 1, of: 1, steps: [{ verdict: 'moved', shift: { x: 400, y: 270 } }] });
}, 240_000);

it('a target that looks other is found by its element, and without that the play stops', async () => {
  const dark = [dialog(60, 60, { GTK_THEME: 'Adwaita:dark' })];
  const without = await withoutElements(() => playOn('dark', dark));
  expect(without).toMatchObject({ agreed: 0, of: 1, steps: [{ verdict: 'missing' }] });
  const report = await playOn('dark', dark);
  expect(report).toMatchObject({ agreed: 1, of: 1, stopped: null, steps: [{ element: BUTTON }] });
}, 240_000);

it('nothing is pressed when several elements answer, or another one is there', async () => {
  const two = await playOn('two', [stranger(60, 400), stranger(500, 400, 'Please again')]);
  expect(two).toMatchObject({ agreed: 0, steps: [{ verdict: 'missing' }] });
  expect(two.why).toContain('2 elements answer to push button “Do it now”');
  const renamed = dialog(460, 330);
  renamed.args = renamed.args.map((word) => (word === 'Do it now' ? 'Forget it' : word));
  const other = await playOn('other', [renamed]);
  expect(other).toMatchObject({ agreed: 0, steps: [{ verdict: 'missing' }] });
  expect(other.why).toContain('shows no push button “Do it now”');
}, 240_000);
