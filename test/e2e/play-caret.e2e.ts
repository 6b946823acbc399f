import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlayPart } from '../../core/play/part.ts';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { type Script, scriptOf } from '../../studio/play/script.ts';
import { setStage } from '../../studio/play/stage/set-stage.ts';
import { stageWishes } from '../../studio/play/stage/wishes-for-tests.ts';
import { openFolder } from '../../studio/recordings/closed.ts';
import { newWorkspace, startRecorder, studioMust } from '../support/cli.ts';
import { ownTempFolder } from '../support/own-temp.ts';
import { chord, click, handsFor, perform, press, type, wait } from '../support/person.ts';
import { makeNoteTask, NOTE, NOTE_RECIPE, NOTE_TASK, newNoteStage, onNoteStage } from '../support/played-note.ts';
import { playedOn } from '../support/played-script.ts';

/** A step that moves the caret alone is seen again by where the caret shows, though the caret blinks (PL28). */

ownTempFolder();
const workspace = newWorkspace();
let script: Script;
let recording: string;

/** The thought before a step: the caret blinks in it. */
const thought = wait(1300);
const CLICK = 0;
const END = 2;

beforeAll(async () => {
  await makeNoteTask(workspace.path, ['recipe']);
  const stage = await newNoteStage(workspace.path);
  const display = onNoteStage(stage);
  const hands = await handsFor(display, 'human');
  const recorder = await startRecorder(display, {
    workspace: workspace.path,
    args: ['--app', 'mousepad', '--goal', 'Write into two lines', '--task', NOTE_TASK, '--stage', stage.stage],
  });
  const steps = [click(120, 200), type('new '), press('End'), type(' here'), chord('ctrl', 's')];
  await perform(display, hands, [thought, ...steps.flatMap((step) => [step, thought])]);
  const { line } = await recorder.stop();
  await studioMust(['stage', 'end', stage.stage]);
  recording = line.folder;
  script = await scriptOf(recording, await findFfmpeg());
}, 240_000);
afterAll(workspace.remove);

it('looks through the video once: where carets are is known afterwards without it', async () => {
  const { folder, meta } = openFolder(recording);
  const videos = meta.segments.map(({ file }) => join(folder, file));
  for (const file of videos) renameSync(file, `${file}.away`);
  try {
    expect(script.parts.filter(({ caret }) => caret !== null).length).toBeGreaterThan(1);
    expect(await scriptOf(recording, await findFfmpeg())).toEqual(script);
  } finally {
    for (const file of videos) renameSync(`${file}.away`, file);
  }
  rmSync(join(folder, 'derived'), { recursive: true });
  expect(await scriptOf(recording, await findFfmpeg())).toEqual(script);
});

/** The verdicts of a play of these parts on a stage of its own, up to where it stopped. */
async function played(change: (part: PlayPart, n: number) => PlayPart): Promise<string[]> {
  const files = [{ text: NOTE, to: 'notes/note.txt' }];
  const { screen, programs } = NOTE_RECIPE;
  const stage = await setStage(stageWishes({ screen, files, programs }));
  return (await playedOn(stage, script, script.parts.map(change))).map(({ verdict }) => verdict);
}

it('is the same when it is done, and different when it is left out or goes elsewhere', async () => {
  const same = Array.from({ length: 5 }, () => 'same');
  expect(script.parts).toHaveLength(same.length);
  expect(await played((part) => part)).toEqual(same);
  const leftOut = (step: number) => (part: PlayPart, n: number) => (n === step ? { ...part, events: [] } : part);
  expect(await played(leftOut(END))).toEqual([...same.slice(0, END), 'different']);
  expect(await played(leftOut(CLICK))).toEqual(['different']);
  const lower = (part: PlayPart, n: number): PlayPart =>
    n === CLICK
      ? { ...part, events: part.events.map((event) => ('y' in event ? { ...event, y: event.y + 60 } : event)) }
      : part;
  expect(await played(lower)).toEqual(['different']);
}, 300_000);
