import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { playReportSchema } from '../../schemas/play.ts';
import { listStages } from '../../studio/play/stage/home.ts';
import { processesOf } from '../../studio/play/stage/processes.ts';
import { newWorkspace, studio, studioMust } from '../support/cli.ts';
import { demonstrateNote, makeNoteTask, NOTE_RECIPE, newNoteStage } from '../support/played-note.ts';
import { until } from '../support/until.ts';

/** A play that cannot go on says what, where and what to do, and leaves nothing of its stage. */

const before = process.env.TMPDIR;
const own = fs.mkdtempSync(path.join(os.tmpdir(), 'broken-'));
process.env.TMPDIR = own;
const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
const recordings = path.join(workspace.path, 'recordings');
let recording = '';

beforeAll(async () => {
  await makeNoteTask(workspace.path, ['recipe']);
  const stage = await newNoteStage(workspace.path);
  recording = await demonstrateNote(workspace.path, stage);
  await studioMust(['stage', 'end', stage.stage]);
}, 240_000);
afterAll(() => {
  workspace.remove();
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  fs.rmSync(own, { recursive: true, force: true });
});

const left = (): string[] => fs.readdirSync(own).filter((name) => name.startsWith('trajectory-studio-stage-'));

it('a display that is killed in the middle of a play ends it with an error, and nothing of the stage is left', async () => {
  const playing = studio(['play', recording, '--json', ...where]);
  let played = false;
  void playing.then(() => {
    played = true;
  });
  const stage = await until('the play records', () => {
    const [one] = listStages();
    const folders = fs.readdirSync(recordings).filter((name) => name !== recording);
    return one && folders.some((name) => fs.existsSync(path.join(recordings, name, 'recording.json'))) ? one : null;
  });
  const { id } = stage;
  const server = processesOf(id).find((pid) => fs.readFileSync(`/proc/${pid}/comm`, 'utf8') === 'Xvfb\n');
  if (server === undefined || played) throw new Error('the play was over before its display could be killed');
  process.kill(server, 'SIGKILL');
  const said = await playing;
  expect(said).toMatchObject({ error: { code: 'CAPTURE_FAILED' } });
  expect(said.error?.message).toMatch(/The play could not go on at step \d of 7: .*display.* Play it again/);
  expect(processesOf(id)).toEqual([]);
  expect(left()).toEqual([]);
});

it('on a screen of another size it stops at the first step that is not as it was, and says why', async () => {
  const file = path.join(own, 'small.json');
  fs.writeFileSync(file, JSON.stringify({ ...NOTE_RECIPE, screen: { width: 640, height: 480 } }));
  const said = await studio(['play', recording, '--recipe', file, '--patience', '2', '--json', ...where]);
  expect(said).toMatchObject({
    status: 1,
    json: {
      agreed: 0,
      why: 'the screen is smaller than in the demonstration, which needs 1000 x 700 px: set “screen” of the recipe to that, or leave it out',
    },
  });
  expect(left()).toEqual([]);
});

it('a program that does not start ends the play with what it printed, long before its window is given up', async () => {
  const file = path.join(own, 'wrong.json');
  const programs = NOTE_RECIPE.programs.map((one) => ({ ...one, args: ['--no-such-option'] }));
  fs.writeFileSync(file, JSON.stringify({ ...NOTE_RECIPE, programs }));
  const said = await studio(['play', recording, '--recipe', file, '--json', ...where]);
  expect(said.error).toMatchObject({
    code: 'CAPTURE_FAILED',
    message: expect.stringMatching(/“mousepad” ended \(status 1\) before its window “note.txt” .*--no-such-option/),
  });
  expect(left()).toEqual([]);
});

it('a recipe that is not there is refused by its path, before a stage is set', async () => {
  const file = path.join(own, 'none.json');
  const said = await studio(['play', recording, '--recipe', file, '--json', ...where]);
  expect(said.error?.message).toBe(`There is no file ${file} with a recipe. Check its name.`);
  expect(left()).toEqual([]);
});

it('stills that are missing are cut again; without the video too, the play is refused by name', async () => {
  const folder = path.join(recordings, recording);
  fs.rmSync(path.join(folder, 'keyframes'), { recursive: true });
  const { json } = await studioMust(['play', recording, '--pace', 'ready', '--json', ...where]);
  const report = playReportSchema.parse(json);
  expect(report.agreed).toBe(report.of);
  fs.rmSync(path.join(folder, 'keyframes'), { recursive: true });
  for (const name of fs.readdirSync(folder).filter((one) => one.endsWith('.mkv'))) fs.rmSync(path.join(folder, name));
  const said = await studio(['play', recording, '--json', ...where]);
  expect(said.error?.message).toContain('.mkv');
  expect(left()).toEqual([]);
});
