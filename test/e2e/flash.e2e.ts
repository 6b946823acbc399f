import path from 'node:path';
import { expect, it } from 'vitest';
import type { NewWorkspace } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { handsFor, perform, type } from '../support/person.ts';
import { filesWith, keysOf, MAGENTA, openTerminal, picturesWith, recordOn } from '../support/private.ts';
import { must } from '../support/process.ts';
import { problemsOf } from '../support/recordings.ts';
import { until } from '../support/until.ts';

/**
 * A window that is left out and is there for 2 to 50 ms is in no picture, and no key that went to it is recorded (I6): not of one
 * that the window manager shows, not of one that it does not know, not of one that takes all keys.
 */

const FLASHER = path.join(import.meta.dirname, '../support/flasher.ts');
const TIMES = 60;

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 800, height: 500 }, (made) => {
  ({ display, workspace } = made);
});

async function flashed(kind: string, whileThere: () => Promise<unknown> = async () => undefined) {
  const work = await openTerminal(display, 'work', 'Work', [0x10, 0x10, 0x30]);
  const recording = await recordOn(display, workspace.path, ['--exclude', 'keepass', '--fps', '60']);
  await recording.has('resume', 'sync');
  const flasher = await display.launch(process.execPath, [FLASHER, kind, String(TIMES)]);
  await whileThere();
  expect(await flasher.exited, flasher.stderr()).toMatchObject({ status: 0 });
  const said = JSON.parse(flasher.stdout().trim().split('\n').at(-1) ?? '') as { shown: number; typed: number };
  expect(said.shown).toBe(TIMES);
  await until('the work to be active', async () => {
    await must('xdotool', ['windowactivate', '--sync', work.id], { env: display.env }).catch(() => '');
    return (await must('xdotool', ['getactivewindow'], { env: display.env })).trim() === work.id;
  });
  // Then it goes on as before.
  await until('keys to be recorded', async () => {
    await perform(display, await handsFor(display, 'human'), [type('w')]);
    return keysOf(recording.folder, 'torn-end-allowed').includes('W');
  });
  await recording.stop();
  const { folder } = recording;
  expect(await problemsOf(folder)).toEqual([]);
  for (const word of ['KeePass', 'keepass', 'vault']) expect(filesWith(folder, word), word).toEqual([]);
  return { folder, typed: said.typed, keys: keysOf(folder) };
}

it.each(['managed', 'unmanaged', 'grabbing'])(
  'a %s window that is there for a moment is in no picture',
  async (kind) => {
    const { folder, keys, typed } = await flashed(kind);
    const { pictures, shown } = await picturesWith(display, folder, [MAGENTA]);
    expect(pictures).toBeGreaterThan(0);
    expect(shown).toEqual([0]);
    expect(keys.filter((key) => key === 'V')).toEqual([]);
    if (kind === 'grabbing') expect(typed).toBeGreaterThan(TIMES / 2);
  },
);

it('keys that a window behind the others takes for a moment are not recorded; those in between are', async () => {
  const { typed, keys } = await flashed('behind', async () => {
    const ids = async () =>
      (await must('xdotool', ['search', '--onlyvisible', '--class', 'Work'], { env: display.env })).trim();
    await must('xdotool', ['search', '--sync', '--onlyvisible', '--class', 'KeePass'], { env: display.env });
    await must('xdotool', ['windowactivate', '--sync', (await ids()).split('\n')[0] ?? ''], { env: display.env });
  });
  expect(typed).toBe(TIMES);
  expect(keys.filter((key) => key === 'V')).toEqual([]);
  expect(keys).toContain('A');
});
