import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { openFolder } from '../../studio/recordings/closed.ts';
import type { NewWorkspace } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { GREEN, MAGENTA, openTerminal, recordOn } from '../support/private.ts';
import { must } from '../support/process.ts';
import { problemsOf, readEvents } from '../support/recordings.ts';

/** A19: the picture after Alt+Tab shows the window that was chosen, not the window manager's list of windows. */

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 720, height: 440 }, (made) => {
  ({ display, workspace } = made);
});

/** Openbox, unless it is told otherwise: the list of windows stays until Alt is let go, then the chosen one comes up. */
const ALT_TAB = `<keyboard><keybind key="A-Tab"><action name="NextWindow"><finalactions><action name="Focus"/><action name="Raise"/>
</finalactions></action></keybind></keyboard>`;

/** The window manager of the tests has no keys of its own otherwise. */
async function giveAltTab(): Promise<void> {
  const file = path.join(display.home, '.config', 'openbox', 'rc.xml');
  const text = fs.readFileSync(file, 'utf8');
  expect(text).toContain('<keyboard/>');
  fs.writeFileSync(file, text.replace('<keyboard/>', ALT_TAB));
  await must('openbox', ['--reconfigure'], { env: display.env });
}

/** The share of a picture's pixels that have this colour. */
async function shareOf(file: string, [r, g, b]: readonly number[]): Promise<number> {
  const rgb = await sharp(file).removeAlpha().raw().toBuffer();
  let found = 0;
  for (let i = 0; i < rgb.length; i += 3) if (rgb[i] === r && rgb[i + 1] === g && rgb[i + 2] === b) found++;
  return (3 * found) / rgb.length;
}

const TIMES = 4;

it('the step ends when Alt is up, and its picture is of the window that was chosen', async () => {
  await giveAltTab();
  await openTerminal(display, 'One', 'One', MAGENTA);
  await openTerminal(display, 'Two', 'Two', GREEN);
  const recording = await recordOn(display, workspace.path, []);
  await recording.has('resume', 'sync');
  // The list of windows is shown for longer than a screen takes to count as at rest (K2).
  const once = ['keydown alt sleep 0.15 key Tab sleep 0.9 keyup alt sleep 1.5 key x sleep 0.7'];
  const words = Array.from({ length: TIMES }, () => once.join(' ')).join(' ');
  await must('xdotool', ['sleep', '0.7', ...words.split(' ')], { env: display.env, timeoutMs: 120_000 });
  await recording.stop();
  const { folder } = recording;
  expect(await problemsOf(folder)).toEqual([]);
  const { actions, keyframes } = openFolder(folder);
  const said = actions.map(({ kind, keys, text }) => keys?.join('+') ?? `${kind} ${text}`);
  expect(said).toEqual(Array.from({ length: TIMES }, () => ['alt+Tab', 'type x']).flat());
  const switches = actions.filter(({ kind }) => kind === 'press');
  const up = readEvents(folder).filter((event) => event.type === 'keyup' && event.code === 'AltLeft');
  expect(switches.map(({ end }) => end.t)).toEqual(up.map(({ t }) => t));
  const stillOf = (wanted: 'before' | 'after', id: string | undefined): string => {
    const still = keyframes.keyframes.find(({ action, role }) => action === id && role === wanted);
    return path.join(folder, 'keyframes', still?.file ?? `no picture ${wanted}`);
  };
  expect(await shareOf(stillOf('before', switches[0]?.id), GREEN)).toBeGreaterThan(0.9);
  // A busy machine may bring a window up later than a screen at rest is waited for, but not each time.
  const shows = await Promise.all(
    switches.map(async ({ id }, n) => {
      const [chosen, other] = n % 2 === 0 ? [MAGENTA, GREEN] : [GREEN, MAGENTA];
      const after = stillOf('after', id);
      return (await shareOf(after, chosen)) > 0.9 && (await shareOf(after, other)) === 0;
    }),
  );
  expect(shows).toContain(true);
});
