import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlayPart } from '../../core/play/part.ts';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { type Script, scriptOf } from '../../studio/play/script.ts';
import { setStage } from '../../studio/play/stage/set-stage.ts';
import { stageWishes } from '../../studio/play/stage/wishes-for-tests.ts';
import { newWorkspace, startRecorder, studioMust } from '../support/cli.ts';
import { ownTempFolder } from '../support/own-temp.ts';
import { playedOn } from '../support/played-script.ts';
import { must } from '../support/process.ts';
import { stageDisplay } from '../support/stage-display.ts';

/**
 * A program that paints marks which follow the pointer, as GIMP does with the outline of a brush: they are a moment late, and where
 * the pointer was on its way when the demonstration's picture was taken (PL30, PL31). A line of status says another thing in each
 * play (PL32).
 */

ownTempFolder();
const workspace = newWorkspace();
let script: Script;

/**
 * The key N takes the pencil; with it a ring follows the pointer, so many ms late, and a press makes a dot. The key E hides all of
 * it, with a line of status that is out of date.
 */
const pageOf = (late: number): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pencil</title>
<style>html{background:linear-gradient(#258,#fc9);height:100%;overflow:hidden}h1{background:#fff;font-size:40px;margin:0;padding:10px}
i{position:fixed;border:2px solid #000;border-radius:50%;width:28px;height:28px;margin:-16px;pointer-events:none}
b{position:fixed;background:#000;width:24px;height:24px;margin:-12px}
p{position:fixed;bottom:60px;left:20px;font-size:14px}
.end{position:fixed;inset:0;background:#fff;font-size:60px}</style>
<h1>Nothing in hand</h1><p>${late === 0 ? '10' : '26'} ms</p><output style="position:fixed;bottom:10px;font-size:30px"></output><script>
const ring = document.createElement('i'), title = document.querySelector('h1'), place = document.querySelector('output');
let pencil = false;
onkeydown = ({ key }) => { if (key === 'n') { pencil = true; title.textContent = 'The pencil is in your hand'; } };
onkeyup = ({ key }) => { if (key === 'e') { document.body.append(Object.assign(document.createElement('div'), { className: 'end', textContent: 'The end' })); pencil = false; } };
onmousemove = ({ clientX: x, clientY: y }) => { if (pencil) setTimeout(() => {
  document.body.append(ring); ring.style.left = x + 'px'; ring.style.top = y + 'px'; place.textContent = x + ' by ' + y; }, ${late}); };
onmousedown = ({ clientX: x, clientY: y }) => { if (!pencil) return;
  const dot = document.body.appendChild(document.createElement('b')); dot.style.left = x + 'px'; dot.style.top = y + 'px'; };
</script></html>`;

const SCREEN = { width: 1000, height: 700 };
const FLAGS = ['sandbox', 'first-run', 'default-browser-check'].map((flag) => `--no-${flag}`);
const QUIET = ['--test-type', '--password-store=basic', '--disable-gpu', '--disable-dev-shm-usage'];
const newStage = (late: number) =>
  setStage({
    ...stageWishes({
      screen: SCREEN,
      files: [
        { text: pageOf(late), to: 'page.html' },
        { text: '', to: '.config/chromium/First Run' },
      ],
      programs: [
        {
          command: 'chromium',
          args: [...FLAGS, ...QUIET, '--disable-component-update', '~/page.html'],
          window: 'Pencil',
          place: { x: 0, y: 0, width: 900, height: 600 },
        },
      ],
    }),
    ...SCREEN,
  });

/** The key does its work before it is up, so that the next picture after it is one with the ring; that is 3 px behind at the press. */
const WORK = [
  'mousemove 700 450 sleep 1',
  'keydown n sleep 0.4 keyup n sleep 1.2',
  'mousemove 397 348 sleep 0.6 mousemove 400 350 sleep 0.06 mousedown 1 sleep 0.2 mouseup 1 sleep 1.5',
  'keydown e sleep 0.1 keyup e sleep 1',
].join(' ');

beforeAll(async () => {
  await studioMust(['init', '--workspace', workspace.path]);
  await studioMust(['software', 'add', 'chromium', '--workspace', workspace.path]).catch(() => undefined);
  // A machine that was busy.
  const stage = await newStage(120);
  try {
    const env = stage.env;
    const display = stageDisplay(env, { name: stage.display, home: stage.home, ...SCREEN });
    const recorder = await startRecorder(display, {
      workspace: workspace.path,
      args: ['--app', 'chromium', '--goal', 'Make a dot'],
    });
    await must('xdotool', WORK.split(' '), { env });
    const { line } = await recorder.stop();
    script = await scriptOf(line.folder, await findFfmpeg());
  } finally {
    await stage.end();
  }
}, 240_000);
afterAll(workspace.remove);

/** The verdicts of a play of these parts on a stage of its own, up to where it stopped. */
async function played(change: (part: PlayPart, n: number) => PlayPart): Promise<string[]> {
  const steps = await playedOn(await newStage(0), script, script.parts.map(change));
  return steps.map(({ verdict, why }) => (why === '' ? verdict : `${verdict}: ${why}`));
}

it('is the same when it is done, and different where the key is left out', async () => {
  expect(script.parts.map(({ rests, away }) => [rests, away !== null])).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
  expect(await played((part) => part)).toEqual(['same', 'same', 'same']);
  const leftOut = await played((part, n) => (n === 0 ? { ...part, events: [] } : part));
  expect(leftOut).toEqual([expect.stringMatching(/^different: /)]);
}, 300_000);
