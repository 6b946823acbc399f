import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { performReportSchema } from '../../schemas/perform.ts';
import { playReportSchema } from '../../schemas/play.ts';
import { verifyReportSchema } from '../../schemas/verify.ts';
import { processesOf } from '../../studio/stage/processes.ts';
import { newWorkspace, studio, studioMust } from '../support/cli.ts';
import { demonstrateNote, makeNoteTask, NOTE_CHECKS, NOTE_RECIPE, newNoteStage } from '../support/played-note.ts';

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
