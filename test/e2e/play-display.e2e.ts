import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlayReport, playReportSchema } from '../../schemas/play.ts';
import { startApp } from '../support/apps.ts';
import { newWorkspace, studio } from '../support/cli.ts';
import { startDisplay, type VirtualDisplay } from '../support/display.ts';
import { demonstrateNoteOn, makeNoteTask, NOTE } from '../support/played-note.ts';

/** Plays on the present display: without a recipe, in the program that the person has open, and in the person's own home. */

const PLACE = { x: 10, y: 10, width: 900, height: 600 };
const workspace = newWorkspace();
let display: VirtualDisplay;
let note = '';
let recording = '';

beforeAll(async () => {
  await makeNoteTask(workspace.path, ['checks']);
  display = await startDisplay({ width: 1000, height: 700 });
  note = path.join(display.home, 'notes', 'note.txt');
  fs.mkdirSync(path.dirname(note));
  const app = await open();
  recording = await demonstrateNoteOn(display, workspace.path);
  expect(fs.readFileSync(note, 'utf8')).toContain('2 eggs & bread');
  await app.started.stop();
}, 240_000);
afterAll(async () => {
  await display?.stop();
  workspace.remove();
});

it('performs the demonstration in the open program, which stays, and leaves the rest of the home alone', async () => {
  const own = path.join(display.home, 'letter.txt');
  fs.writeFileSync(own, 'Dear Ada');
  const app = await open();
  const { status, report } = await play();
  expect(report).toMatchObject({ stage: 'display', stopped: null, agreed: report.of, actionsEqual: true });
  expect(report).toMatchObject({ passed: true, checks: [{ id: 'written' }, { id: 'shown' }] });
  expect(status).toBe(0);
  expect(app.started.exit()).toBeNull();
  expect(fs.readFileSync(own, 'utf8')).toBe('Dear Ada');
  // Only files that the checks name are kept of a person's own home.
  const outcome = path.join(workspace.path, 'recordings', report.played ?? '', 'outcome');
  expect(fs.readdirSync(outcome, { recursive: true })).not.toContain('letter.txt');
  await app.started.stop();
});

it('stops where the program is not open as it was, and touches no file', async () => {
  fs.writeFileSync(note, NOTE);
  const { status, report } = await play('--patience', '2');
  expect(report).toMatchObject({ stage: 'display', agreed: 0, passed: false });
  expect(report.steps).toMatchObject([{ verdict: 'missing' }]);
  expect(status).toBe(1);
  expect(fs.readFileSync(note, 'utf8')).toBe(NOTE);
});

/** mousepad with the note as it was at the beginning. */
function open() {
  fs.writeFileSync(note, NOTE);
  return startApp(display, 'mousepad', { file: note, ...PLACE });
}

async function play(...words: string[]): Promise<{ status: number | null; report: PlayReport }> {
  const all = ['play', recording, '--workspace', workspace.path, '--stage', 'display', '--json', ...words];
  // The account that made the checks, whatever home its display has: it is not asked about what is its own.
  const { TRAJECTORY_STUDIO_HOME } = process.env;
  const { status, json } = await studio(all, { env: { ...display.env, TRAJECTORY_STUDIO_HOME } });
  return { status, report: playReportSchema.parse(json) };
}
