import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlayReport, playReportSchema } from '../../schemas/play.ts';
import { newWorkspace, startRecorder, studio, studioMust } from '../support/cli.ts';
import { chord, click, handsFor, perform, press, type Step, type, wait } from '../support/person.ts';
import { type NoteStage, onNoteStage } from '../support/played-note.ts';
import { until } from '../support/until.ts';

/** Screens that do not look the same twice: something changes all the time, or passes after the last step. */

const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
const folder = path.dirname(workspace.path);

const write = (name: string, content: object): string => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, JSON.stringify(content));
  return file;
};
const recipe = (more: object) => ({
  schema: 'trajectory-studio/recipe',
  version: 1,
  screen: { width: 1000, height: 700 },
  ...more,
});
const terminal = (title: string, script: string, x: number) => ({
  command: 'xterm',
  args: ['-title', title, '-e', 'sh', '-c', script],
  window: title,
  place: { x, y: 0, width: 300, height: 200 },
});
/** Letters as programs have them: those of the terminal's own font are 6 px wide. */
const READABLE = ['-fa', 'DejaVu Sans Mono', '-fs', '11'];
/** Nine lines that are never the same again. */
const NEVER_AGAIN = 'for n in 1 2 3 4 5 6 7 8 9; do date +%N%N%N%N; done';

beforeAll(async () => {
  await studioMust(['init', ...where]);
  await studioMust(['software', 'add', 'notes', ...where]);
}, 240_000);
afterAll(() => workspace.remove());

/**
 * Records the steps on a stage of the task, and gives the recording's id. `made`: a file of the home that comes of them, however
 * late: the recording goes on for a while after it.
 */
async function demonstrate(
  task: string,
  files: { recipe: object; checks?: object },
  steps: Step[],
  made?: string,
): Promise<string> {
  await studioMust(['tasks', 'add', '--app', 'notes', '--goal', task, '--id', task, ...where]);
  for (const [role, content] of Object.entries(files))
    await studioMust(['tasks', 'attach', task, write(`${task}-${role}.json`, content), '--role', role, ...where]);
  const stage = (await studioMust(['stage', 'new', '--task', task, '--json', ...where])).json as NoteStage; // As it prints it.
  const display = onNoteStage(stage);
  const args = ['--app', 'notes', '--goal', task, '--task', task, '--stage', stage.stage];
  const recorder = await startRecorder(display, { workspace: workspace.path, args });
  const hands = await handsFor(display, 'human');
  await perform(display, hands, steps);
  if (made !== undefined) {
    await until(`${made} on the stage`, () => fs.existsSync(path.join(stage.home, made)));
    await perform(display, hands, [wait(1500)]);
  }
  const { line } = await recorder.stop();
  await studioMust(['stage', 'end', stage.stage]);
  return line.recording;
}

const play = async (recording: string, ...more: string[]): Promise<PlayReport> =>
  playReportSchema.parse((await studio(['play', recording, '--pace', 'ready', ...more, '--json', ...where])).json);

it('what changes by itself stops no play, and lets nothing else pass', async () => {
  const clock = `while :; do clear; ${NEVER_AGAIN}; sleep 0.3; done`;
  const beside = (text: string) => {
    const note = { command: 'mousepad', args: ['--disable-server', '~/note.txt'], window: 'note.txt' };
    const programs = [{ ...note, place: { x: 0, y: 0, width: 640, height: 600 } }, terminal('Clock', clock, 670)];
    return recipe({ files: [{ text: text.repeat(20), to: 'note.txt' }], programs });
  };
  const thought = wait(4000);
  const written = [chord('ctrl', 'Home'), type('Milk and eggs. '), thought, chord('ctrl', 's'), thought];
  const recording = await demonstrate('CLOCK_1', { recipe: beside('An older note\n') }, [
    click(300, 200),
    thought,
    ...written,
  ]);
  const good = await play(recording);
  expect({ why: good.why, agreed: good.agreed, of: good.of }).toEqual({ why: null, agreed: 4, of: 4 });
  const other = write('other.json', beside('An other note\n'));
  const bad = await play(recording, '--recipe', other, '--patience', '2');
  expect(bad.agreed).toBeLessThan(bad.of);
  expect(bad.why).toMatch(/differ/);
}, 480_000);

it('what passes after the last step is not waited for, and the checks look when that is over', async () => {
  const save = `read line; ${NEVER_AGAIN}; sleep 1.5; clear; echo done > ~/saved; echo Saved; sleep 600`;
  const checks = {
    schema: 'trajectory-studio/checks',
    version: 1,
    checks: [{ id: 'saved', kind: 'text', path: 'saved', equals: 'done' }],
  };
  const files = { recipe: recipe({ programs: [terminal('Save', save, 20)] }), checks };
  const recording = await demonstrate('SAVE_1', files, [click(100, 100), press('Enter')], 'saved');
  const report = await play(recording);
  expect(report).toMatchObject({ why: null, agreed: 2, of: 2, passed: true });
}, 480_000);

it('the time of day in a text that a step writes is no difference, and a time of another moment is', async () => {
  const saving = (time: string) => {
    const script = `read line; echo "$(date ${time} +%H:%M:%S): the file was saved."; echo "$line" > ~/saved; sleep 600`;
    const { args, ...program } = terminal('Save', script, 20);
    return recipe({
      programs: [{ ...program, args: [...READABLE, ...args], place: { x: 0, y: 0, width: 600, height: 300 } }],
    });
  };
  const checks = {
    schema: 'trajectory-studio/checks',
    version: 1,
    checks: [{ id: 'saved', kind: 'text', path: 'saved', equals: 'done' }],
  };
  const files = { recipe: saving(''), checks };
  const recording = await demonstrate('TIME_1', files, [click(200, 200), type('done'), press('Enter')], 'saved');
  const good = await play(recording);
  expect(good).toMatchObject({ why: null, agreed: 3, of: 3, passed: true });
  expect(good.steps.at(-1)?.why).toMatch(
    /^but for the time: “\d\d:\d\d:\d\d:”, “\d\d:\d\d:\d\d:” in the demonstration$/,
  );
  // The checks pass, and yet what it shows is not what it should.
  const bad = await play(recording, '--recipe', write('late.json', saving("-d '3 hours ago'")), '--patience', '2');
  expect(bad).toMatchObject({ agreed: 2, of: 3, passed: true, why: expect.stringMatching(/look different/) });
}, 480_000);
