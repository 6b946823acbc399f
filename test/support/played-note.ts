import fs from 'node:fs';
import path from 'node:path';
import { startRecorder, studioMust } from './cli.ts';
import type { VirtualDisplay } from './display.ts';
import { chord, click, drag, handsFor, perform, press, type Step, type } from './person.ts';
import { stageDisplay } from './stage-display.ts';

/** A demonstration in mousepad, recorded on a stage of its own: a line is written above a note, and saved. */

export const NOTE_TASK = 'MP_1';
const GOAL = 'Write a line above the note';
export const NOTE = Array.from({ length: 30 }, (_, i) => `Line ${i + 1} of an older note`).join('\n');
export const NOTE_RECIPE = {
  schema: 'trajectory-studio/recipe',
  version: 1,
  screen: { width: 1000, height: 700 },
  files: [{ attachment: 'note.txt', to: 'notes/note.txt' }],
  programs: [
    {
      command: 'mousepad',
      args: ['--disable-server', '~/notes/note.txt'],
      window: 'note.txt',
      place: { x: 10, y: 10, width: 900, height: 600 },
    },
  ],
};
export const NOTE_CHECKS = {
  schema: 'trajectory-studio/checks',
  version: 1,
  checks: [
    { id: 'written', kind: 'text', path: 'notes/note.txt', contains: ['2 eggs & bread'], lacks: ['gone'] },
    { id: 'shown', kind: 'window', title: 'note.txt' },
  ],
};

export type NoteStage = { stage: string; display: string; home: string; authority: string };

/** The workspace with the task, and what belongs to it as far as `given` says. */
export async function makeNoteTask(workspace: string, given: readonly ('recipe' | 'checks')[]): Promise<void> {
  const where = ['--workspace', workspace];
  await studioMust(['init', ...where]);
  await studioMust(['software', 'add', 'mousepad', ...where]).catch(() => undefined);
  await studioMust(['tasks', 'add', '--app', 'mousepad', '--goal', GOAL, '--id', NOTE_TASK, ...where]);
  const folder = path.dirname(workspace);
  const attach = async (name: string, text: string, ...role: string[]): Promise<void> => {
    fs.writeFileSync(path.join(folder, name), text);
    await studioMust(['tasks', 'attach', NOTE_TASK, path.join(folder, name), ...role, ...where]);
  };
  await attach('note.txt', NOTE);
  if (given.includes('recipe')) await attach('recipe.json', JSON.stringify(NOTE_RECIPE), '--role', 'recipe');
  if (given.includes('checks')) await attach('checks.json', JSON.stringify(NOTE_CHECKS), '--role', 'checks');
}

export const newNoteStage = async (workspace: string): Promise<NoteStage> =>
  (await studioMust(['stage', 'new', '--task', NOTE_TASK, '--json', '--workspace', workspace])).json as NoteStage; // As it prints it.

/** Seven steps, the last of which saves. */
const STEPS: Step[] = [
  click(400, 200),
  chord('ctrl', 'Home'),
  type('Shopping: milk, 2 eggs & bread'),
  press('Enter'),
  drag([
    [60, 150],
    [160, 180],
    [260, 240],
  ]),
  press('Delete'),
  chord('ctrl', 's'),
];

/** Records them on the stage, which stays. Gives the recording's id. */
export const demonstrateNote = (workspace: string, stage: NoteStage): Promise<string> =>
  demonstrateNoteOn(onNoteStage(stage), workspace, ['--stage', stage.stage]);

/** Records them on a display where mousepad is open as on a stage. */
export async function demonstrateNoteOn(
  display: VirtualDisplay,
  workspace: string,
  more: readonly string[] = [],
): Promise<string> {
  const hands = await handsFor(display, 'human');
  const recorder = await startRecorder(display, {
    workspace,
    args: ['--app', 'mousepad', '--goal', GOAL, '--task', NOTE_TASK, ...more],
  });
  await perform(display, hands, STEPS);
  const { line } = await recorder.stop();
  return line.recording;
}

/** The stage as the person of the tests wants it. */
export function onNoteStage(stage: NoteStage): VirtualDisplay {
  const env = { ...process.env, DISPLAY: stage.display, XAUTHORITY: stage.authority };
  return stageDisplay(env, { name: stage.display, home: stage.home, width: 1000, height: 700 });
}
