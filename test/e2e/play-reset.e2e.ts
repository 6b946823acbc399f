import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newWorkspace, studioMust } from '../support/cli.ts';
import { demonstrateNote, makeNoteTask, newNoteStage } from '../support/played-note.ts';

/** A demonstration that edits a file and saves it is played again and again: each play begins as the first one did. */

const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
let recording = '';

beforeAll(async () => {
  await makeNoteTask(workspace.path, ['recipe', 'checks']);
  const stage = await newNoteStage(workspace.path);
  recording = await demonstrateNote(workspace.path, stage);
  await studioMust(['stage', 'end', stage.stage]);
}, 240_000);
afterAll(() => workspace.remove());

it('ten plays agree step by step and leave ten equal files', async () => {
  const times = 10;
  const { json } = await studioMust(['play', recording, '--pace', 'ready', '--times', `${times}`, '--json', ...where]);
  expect(json).toMatchObject({ agreed: times, of: times });
  const folders = fs
    .readdirSync(path.join(workspace.path, 'recordings'))
    .filter((name) => name !== recording)
    .map((name) => path.join(workspace.path, 'recordings', name));
  const outcomes = folders.map((folder) => fs.readFileSync(path.join(folder, 'outcome/notes/note.txt'), 'utf8'));
  expect(outcomes).toHaveLength(times);
  // Written once, not once for each play before.
  expect(outcomes[0]?.split('2 eggs & bread')).toHaveLength(2);
  expect(new Set(outcomes).size).toBe(1);
}, 400_000);
