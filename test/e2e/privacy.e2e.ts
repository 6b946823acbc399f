import { expect, it } from 'vitest';
import type { NewWorkspace } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { chord, handsFor, perform, type Step, type } from '../support/person.ts';
import { filesWith, GREEN, keysOf, MAGENTA, openTerminal, picturesWith, recordOn } from '../support/private.ts';
import { must } from '../support/process.ts';
import { problemsOf, readRecording } from '../support/recordings.ts';
import { SHORTCUTS } from '../support/shortcuts.ts';
import { sleep, until } from '../support/until.ts';

/** Nothing that a person left out is in the recording: no key, no picture, no title (I6; docs/recording-folder.md). */

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 800, height: 500 }, (made) => {
  ({ display, workspace } = made);
});

const play = async (...steps: Step[]) => perform(display, await handsFor(display, 'human'), steps);
const xdotool = (...words: string[]) => must('xdotool', words, { env: display.env });
const terminal = (title: string, className: string, rgb: readonly number[]) =>
  openTerminal(display, title, className, rgb);
const record = (args: string[]) => recordOn(display, workspace.path, args);

/** Whether every sign of `part` stands in `whole`, in this order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const sign of whole) if (sign === part[at]) at++;
  return at === part.length;
}

it('an exclude list and pauses leave nothing but their times', async () => {
  const work = await terminal('work', 'Work', [0x10, 0x10, 0x30]);
  const vault = await terminal('KeePass vault', 'Vault', MAGENTA);
  // In front from the start, through the countdown and the check.
  const recording = await record(['--exclude', 'keepass', '--countdown', '1']);
  await recording.has('pause', 'excluded-app');
  await play(type('hunter'));
  await xdotool('windowactivate', work.id);
  await recording.has('resume', 'excluded-app');
  await play(type('abc'));
  // Typed into it in the moment in which it comes to the front, again and again.
  const keys = [...'12345678'].flatMap((key) => ['key', '--delay', '0', key]);
  for (let round = 2; round <= 4; round++) {
    await xdotool('windowactivate', vault.id, 'sleep', '0.02', ...keys);
    await recording.has('pause', 'excluded-app', round);
    await xdotool('windowactivate', work.id);
    await recording.has('resume', 'excluded-app', round);
  }
  await play(type('d'));
  // A private pause, in which a window is opened that no list names.
  await play(chord(...SHORTCUTS.privacy));
  await recording.has('pause', 'privacy');
  const bank = await terminal('Bank account DE4711', 'Bank', GREEN);
  await play(type('secret'));
  await bank.stop();
  await until('the bank to be gone', async () => (await xdotool('getactivewindow').catch(() => '')).trim() !== bank.id);
  await xdotool('windowactivate', '--sync', work.id);
  await play(chord(...SHORTCUTS.privacy));
  await recording.has('resume', 'privacy');
  // Several in a row.
  for (let round = 1; round <= 3; round++) {
    await play(chord(...SHORTCUTS.pause));
    await recording.has('pause', 'user', round);
    await play(type('x'), chord(...SHORTCUTS.pause));
    await recording.has('resume', 'user', round);
    await play(type('e'));
  }
  await recording.stop();

  const { folder } = recording;
  expect(await problemsOf(folder)).toEqual([]);
  const keysWritten = keysOf(folder).join('').toLowerCase();
  expect(keysWritten.replaceAll(/\d/g, '')).toEqual('abcdeee');
  // On a busy machine the window may come to the front after some of the keys: those were typed where they may be seen.
  expect(vault.got()).toMatch(/\d/);
  expect(isWithin(keysWritten, work.got()), `${keysWritten} of ${work.got()}`).toBe(true);
  const { pictures, shown } = await picturesWith(display, folder, [MAGENTA, GREEN]);
  expect(pictures).toBeGreaterThan(5);
  expect(shown).toEqual([0, 0]);
  for (const word of ['KeePass', 'DE4711', 'Vault', 'keepass']) expect(filesWith(folder, word), word).toEqual([]);
  // A title that may be recorded is in the raw file, and in the file derived of it.
  expect(filesWith(folder, '"title":"work"').sort()).toEqual(['derived/recording.jsonl', 'windows.jsonl']);
  const inPauses = recording.events();
  let open = false;
  for (const event of inPauses) {
    if (event.type === 'pause') open = event.reason !== 'sync';
    if (event.type === 'resume') open = false;
    if (open) expect(['pause', 'anchor', 'own', 'view', 'keydown', 'keyup']).toContain(event.type);
  }
  expect(readRecording(folder).sync?.verdict).not.toBe('failed');
});

it('an allow list records nothing but its programs, also what comes to the front during the countdown', async () => {
  const vault = await terminal('diary', 'Diary', MAGENTA);
  const work = await terminal('a page about WorkBench', 'Browser', GREEN);
  const bench = await terminal('bench', 'WorkBench', [0x10, 0x10, 0x30]);
  const recording = await record(['--only', 'workbench', '--countdown', '3']);
  await until('the countdown', () => /\d …/.test(recording.started.stderr()));
  await xdotool('windowactivate', vault.id);
  await recording.has('resume', 'sync');
  await play(type('diary'));
  await xdotool('windowactivate', bench.id);
  await recording.has('resume', 'excluded-app');
  await play(type('abc'));
  await xdotool('windowactivate', work.id, 'sleep', '0.02', 'key', 'x', 'key', 'y');
  await recording.has('pause', 'excluded-app', 2);
  await xdotool('windowactivate', bench.id);
  await recording.has('resume', 'excluded-app', 2);
  await play(type('d'));
  await sleep(100);
  await recording.stop();

  const { folder } = recording;
  const keysWritten = keysOf(folder).join('').toLowerCase();
  expect(keysWritten.replaceAll(/[xy]/g, '')).toEqual('abcd');
  // On a busy machine the other window may come to the front after the first key: that one was typed where it may be seen.
  expect(isWithin(keysWritten, bench.got()), `${keysWritten} of ${bench.got()}`).toBe(true);
  expect(`${bench.got()}${work.got()}`.replaceAll(/[^xy]/g, '')).toEqual('xy');
  expect((await picturesWith(display, folder, [MAGENTA, GREEN])).shown).toEqual([0, 0]);
  for (const word of ['diary', 'Diary', 'Browser', 'a page about']) expect(filesWith(folder, word), word).toEqual([]);
});
