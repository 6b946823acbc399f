import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compositionRunSchema } from '../../schemas/composition-run.ts';
import { performReportSchema } from '../../schemas/perform.ts';
import { playReportSchema } from '../../schemas/play.ts';
import { verifyReportSchema } from '../../schemas/verify.ts';
import { type ModelAsked, startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { processesOf } from '../../studio/play/stage/processes.ts';
import { newWorkspace, startRecorder, studio, studioMust } from '../support/cli.ts';
import { chord, click, handsFor, perform, type } from '../support/person.ts';
import {
  demonstrateNote,
  makeNoteTask,
  NOTE_CHECKS,
  NOTE_RECIPE,
  newNoteStage,
  onNoteStage,
} from '../support/played-note.ts';
import { scriptedActs } from '../support/scripted-acts.ts';

/** A demonstration is recorded on a stage, and performed again on new ones that are set up alike. */

const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
let recording = '';
let stage = { stage: '', display: '', home: '', authority: '' };

beforeAll(async () => {
  await makeNoteTask(workspace.path, ['recipe', 'checks']);
  stage = await newNoteStage(workspace.path);
  const before = await studio(['check', 'MP_1', '--stage', stage.stage, '--json', ...where]);
  expect(before).toMatchObject({ status: 1, json: { passed: false, checks: [{ score: 0.5 }, { score: 1 }] } });
  recording = await demonstrateNote(workspace.path, stage);
  expect(fs.readFileSync(path.join(stage.home, 'notes', 'note.txt'), 'utf8')).toContain('2 eggs & bread');
  const { json } = await studioMust(['check', 'MP_1', '--stage', stage.stage, '--json', ...where]);
  expect(json).toMatchObject({ task: 'MP_1', passed: true, weak: null, checks: [{ id: 'written' }, { id: 'shown' }] });
  await studioMust(['stage', 'end', stage.stage]);
}, 240_000);
afterAll(() => workspace.remove());

it('a stage that was ended leaves no process, no home and no display', () => {
  expect(processesOf(stage.stage)).toEqual([]);
  expect(fs.existsSync(stage.home)).toBe(false);
  expect(fs.existsSync(`/tmp/.X11-unix/X${stage.display.slice(1)}`)).toBe(false);
});

it('a play on a new stage agrees step by step, and its own recording has the same actions', async () => {
  const { json } = await studioMust(['play', recording, '--json', ...where]);
  const report = playReportSchema.parse(json);
  expect(report.steps.map(({ verdict }) => verdict)).toEqual(Array.from({ length: report.of }, () => 'same'));
  expect(report).toMatchObject({ recording, agreed: report.of, stopped: null, actionsEqual: true });
  expect(report.of).toBe(7);
  expect(report).toMatchObject({ passed: true, checks: [{ score: 1 }, { score: 1 }] });
  const kept = await studio(['check', 'MP_1', '--recording', report.played ?? '', '--json', ...where]);
  // The windows of that time are gone.
  expect(kept).toMatchObject({ status: 1, json: { checks: [{ score: 1 }, { score: 0, able: false }] } });
});

it('with pace ready it is faster than the person, twice the same', async () => {
  const { json } = await studioMust(['play', recording, '--pace', 'ready', '--times', '2', '--json', ...where]);
  expect(json).toMatchObject({ agreed: 2, of: 2 });
});

it('stops at the step that cannot be done when the file is another', async () => {
  const other = path.join(path.dirname(workspace.path), 'other.json');
  const files = [{ text: 'Nothing of what the person saw', to: 'notes/note.txt' }];
  fs.writeFileSync(other, JSON.stringify({ ...NOTE_RECIPE, files }));
  const { status, json } = await studio(['play', recording, '--recipe', other, '--patience', '2', '--json', ...where]);
  expect(status).toBe(1);
  const report = playReportSchema.parse(json);
  expect(report.stopped).toBe(report.steps.at(-1)?.step);
  expect(report.agreed).toBeLessThan(report.of);
  expect(report.steps.at(-1)?.verdict).toMatch(/different|missing/);
  expect(report).toMatchObject({ passed: false });
});

it('performs predicted code and actions, and checks what came of it', async () => {
  const folder = path.dirname(workspace.path);
  const code = path.join(folder, 'answer.py');
  fs.writeFileSync(
    code,
    "import pyautogui\npyautogui.click(400, 200)\npyautogui.hotkey('ctrl', 'home')\npyautogui.write('Milk, 2 eggs & bread')\npyautogui.press('enter')\npyautogui.hotkey('ctrl', 's')",
  );
  const done = await studioMust(['perform', code, '--task', 'MP_1', '--json', ...where]);
  const report = performReportSchema.parse(done.json);
  expect(report).toMatchObject({ passed: true, stopped: null, error: null, ignored: [] });
  const { json } = await studioMust(['actions', report.recording, '--json', ...where]);
  expect(JSON.stringify(json)).toContain('Milk, 2 eggs & bread');
  // Code that would run something is refused before a stage is set.
  fs.writeFileSync(code, 'import os\nos.system("touch /tmp/x")');
  const refused = await studio(['perform', code, '--task', 'MP_1', '--json', ...where]);
  expect(refused.json).toMatchObject({ error: { code: 'BAD_FILE' } });
});

it('is proven: its checks fail before anything was done and without the step that saves', async () => {
  const { json } = await studioMust(['verify', recording, '--times', '1', '--json', ...where]);
  const report = verifyReportSchema.parse(json);
  expect(report).toMatchObject({ proven: true, problems: [], without: [{ number: 7, passed: false }] });
  expect(report.weak.map(({ id }) => id)).toEqual(['shown']);
  const proven = async (word: string) => {
    const { json } = await studioMust(['dataset', 'rows', '--proof', word, '--json', ...where]);
    return (json as { rows: { recording: string }[] }).rows.map((row) => row.recording);
  };
  expect(await proven('proven')).toEqual([recording]);
  // Checks that anything passes prove nothing.
  const weak = path.join(path.dirname(workspace.path), 'weak.json');
  fs.writeFileSync(weak, JSON.stringify({ ...NOTE_CHECKS, checks: [NOTE_CHECKS.checks[1]] }));
  await studioMust(['tasks', 'attach', 'MP_1', weak, '--role', 'checks', ...where]);
  expect(await proven('proven')).toEqual([]);
  const again = await studio(['verify', recording, '--times', '1', '--json', ...where]);
  expect(again).toMatchObject({ status: 1, json: { proven: false } });
  expect(verifyReportSchema.parse(again.json).problems.join(' ')).toMatch(/before anything.*screen alone/);
  expect(await proven('failed')).toEqual([recording]);
});

it('plays a pathway of two tasks on one stage, hands the answer on, and goes on from a copy of its home', async () => {
  const folder = path.dirname(workspace.path);
  const attach = async (task: string, role: string, json: object): Promise<void> => {
    const file = path.join(folder, `${task}-${role}.json`);
    fs.writeFileSync(file, JSON.stringify(json));
    await studioMust(['tasks', 'attach', task, file, '--role', role, ...where]);
  };
  await attach('MP_1', 'checks', NOTE_CHECKS);
  await studioMust(['tasks', 'add', '--app', 'mousepad', '--goal', 'Write it on the list', '--id', 'MP_2', ...where]);
  const [program] = NOTE_RECIPE.programs;
  await attach('MP_2', 'recipe', {
    ...NOTE_RECIPE,
    files: [{ text: '', to: 'notes/list.txt' }],
    programs: [{ ...program, args: ['--disable-server', '~/notes/list.txt'], window: 'list.txt' }],
  });
  const listed = { id: 'listed', kind: 'text', path: 'notes/list.txt', equals: '30 lines' };
  // The note of the first task is on the same stage as that task left it.
  const kept = { id: 'kept', kind: 'text', path: 'notes/note.txt', contains: ['2 eggs'] };
  await attach('MP_2', 'checks', { ...NOTE_CHECKS, checks: [listed, kept] });
  const own = (await studioMust(['stage', 'new', '--task', 'MP_2', '--json', ...where])).json as typeof stage;
  const display = onNoteStage(own);
  const recorder = await startRecorder(display, {
    workspace: workspace.path,
    args: ['--app', 'mousepad', '--goal', 'Write it on the list', '--task', 'MP_2', '--stage', own.stage],
  });
  await perform(display, await handsFor(display, 'human'), [click(400, 200), type('30 lines'), chord('ctrl', 's')]);
  const { line } = await recorder.stop();
  await studioMust(['stage', 'end', own.stage]);
  const out = { name: 'count', value: '30 lines' };
  const member = (id: string, task: string, base: string) => ({ id, task, instructions: { base }, outputs: [out] });
  const file = path.join(folder, 'pathway.json');
  const draft = {
    schema: 'trajectory-studio/composition',
    version: 1,
    id: 'note-list',
    kind: 'pathway',
    title: 'A note and a list',
    members: [
      member('note', 'MP_1', 'How many lines has the older note?'),
      { ...member('list', 'MP_2', 'Write {{note.count}} on the list'), outputs: [] },
    ],
    edges: [{ kind: 'data', from: 'note', to: 'list', output: 'count' }],
  };
  fs.writeFileSync(file, JSON.stringify(draft));
  await studioMust(['compositions', 'import', file, ...where]);
  const runs = ['run', '--composition', 'note-list', '--json', ...where];
  await studioMust(['tasks', 'update', 'MP_1', '--answer', '30 lines', ...where]);
  const run = compositionRunSchema.parse((await studioMust(runs)).json);
  expect(run.results).toMatchObject([
    { outcome: 'passed', values: [{ value: '30 lines', right: true }] },
    { outcome: 'passed', instruction: 'Write 30 lines on the list' },
  ]);
  // The second once more, on a stage whose home is as the first task left it.
  const again = compositionRunSchema.parse((await studioMust([...runs, '--from', '2'])).json);
  expect(again).toMatchObject({
    resumes: { run: run.id, from: 'list' },
    results: [run.results[0], { outcome: 'passed' }],
  });
  const scores = await studioMust(['compositions', 'scores', ...where]);
  expect(scores.stdout).toMatch(/player +1 +1 +100\.0 +– +100\.0 +100\.0 +100\.0 +0/);
  // A model that does the first as it was shown and answers it; of the second it does nothing, and says that it is done.
  const first = (await scriptedActs(recording, workspace.path)).flat();
  const second = (await scriptedActs(line.recording, workspace.path)).flat();
  let left = [...first];
  const server = await startModelServer(async ({ texts }: ModelAsked) => {
    const act = left.shift();
    if (act) return { kind: 'answer', text: 'The next step.', acts: [act] };
    if (texts.join('\n').includes('Write 30 lines on the list')) return { kind: 'answer', text: 'DONE' };
    left = wantsSecond ? [...second] : [];
    return { kind: 'answer', text: 'DONE: 30 lines' };
  });
  let wantsSecond = false;
  try {
    const asked = ['--agent', 'direct', '--endpoint', server.url, '--model', 'scripted', '--yes'];
    const halved = await studio([...runs, ...asked]);
    expect([halved.status, halved.stderr]).toEqual([
      1,
      expect.stringContaining("each task's instruction with the values"),
    ]);
    const half = compositionRunSchema.parse(halved.json);
    expect(half.results).toMatchObject([
      { outcome: 'passed', values: [{ value: '30 lines', right: true }] },
      { outcome: 'failed', instruction: 'Write 30 lines on the list' },
    ]);
    [left, wantsSecond] = [[...first], true];
    const whole = compositionRunSchema.parse((await studioMust([...runs, ...asked])).json);
    expect(whole.results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
  } finally {
    await server.close();
  }
  const both = await studioMust(['compositions', 'scores', ...where]);
  expect(both.stdout).toMatch(/direct scripted +1 +2 /);
}, 300_000);
