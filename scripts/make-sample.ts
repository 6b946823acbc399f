/**
 * Makes assets/sample anew: a real recording by this tool, of a person (xdotool) at work in GIMP on a virtual display. A
 * dozen steps in three subtasks, told apart by the mark shortcut.
 *
 *     node scripts/make-sample.ts [--out assets/sample]
 *
 * Needs what the end-to-end tests need: Xvfb, openbox, xdotool, gimp.
 */
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { reduceResultSchema } from '../schemas/actions.ts';
import { keyframeIndexSchema } from '../schemas/recording.ts';
import { type App, startApp } from '../test/support/apps.ts';
import { flag } from '../test/support/bench.ts';
import { newWorkspace, startRecorder, studioMust } from '../test/support/cli.ts';
import { startDisplay } from '../test/support/display.ts';
import {
  chord,
  click,
  drag,
  type Hands,
  handsFor,
  perform,
  press,
  type Step,
  scroll,
  type,
} from '../test/support/person.ts';
import { must } from '../test/support/process.ts';
import { frameTimes, problemsOf } from '../test/support/recordings.ts';
import { SHORTCUTS } from '../test/support/shortcuts.ts';

const OUT = path.resolve(flag('out') ?? path.join(import.meta.dirname, '..', 'assets', 'sample'));
const TASK = {
  id: 'GIMP_1',
  goal: 'Crop the picture around the sun, write a title on it and name the layer of the picture',
  software: 'gimp',
  platform: 'Linux',
  sourceUrl: '',
  notes: 'The sample that comes with the studio. Change it as you like: "Open the sample" keeps what you did.',
};
/** The most that the whole sample may weigh: it is shipped. */
const MOST_BYTES = 3_000_000;

/** Positions are pixels from the top left of GIMP's window, maximised on 1280x720. */
function subtasks(at: (x: number, y: number) => [number, number]): Step[][] {
  return [
    [
      click(...at(139, 66)),
      drag([at(450, 185), at(560, 260), at(700, 400), at(870, 525)]),
      drag([at(640, 330), at(650, 337), at(655, 342), at(670, 350)]),
      press('Enter'),
    ],
    [click(...at(45, 122)), click(...at(560, 260)), type('6:45 pm'), press('Escape')],
    [
      click(...at(1232, 533), { count: 2 }),
      type('Evening hills'),
      press('Enter'),
      scroll(...at(630, 400), { dy: -1, modifiers: ['ctrl'] }),
    ],
  ];
}

const workspace = newWorkspace();
const display = await startDisplay({ width: 1280, height: 720 });
try {
  const picture = path.join(display.home, 'landscape.png');
  await drawPicture(picture);
  const app = await startApp(display, 'gimp', { file: picture, x: 0, y: 0, width: 1278, height: 720 });
  const { x: left, y: top } = await app.bounds();
  const hands = await handsFor(display, 'human');
  // The list of fonts in place of the brushes, whose noise is a quarter of every still.
  await work(hands, app, [click(left + 1136, top + 40), click(left + 630, top + 640)]);
  const done = subtasks((x, y) => [left + x, top + y]);
  const args = ['--app', 'gimp', '--goal', TASK.goal, '--task', TASK.id, '--fps', '20'];
  const recorder = await startRecorder(display, { workspace: workspace.path, args });
  for (const [index, steps] of done.entries()) {
    if (index > 0) await work(hands, app, [chord(...SHORTCUTS.mark)]);
    await work(hands, app, steps);
  }
  const { line } = await recorder.stop();
  await ship(line.recording, line.folder, done.flat().length);
} finally {
  await display.stop();
  workspace.remove();
}

async function work(hands: Hands, app: App, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await perform(display, hands, [step]);
    // A person looks at what came of it; the screen settles.
    await app.idle();
  }
}

/** A landscape in plain colours, which lossless pictures hold in few bytes. */
async function drawPicture(file: string): Promise<void> {
  const hill = (y: number, colour: string, bend: number) =>
    `<path d="M0 ${y} Q 160 ${y - bend} 320 ${y} T 640 ${y - bend / 3} V 420 H 0 Z" fill="${colour}"/>`;
  const sky = ['#24406e', '#6b5a7d', '#b07a72', '#e8936a', '#f2b585'];
  const bands = sky.map((colour, i) => `<rect y="${i * 64}" width="640" height="${420 - i * 64}" fill="${colour}"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420">${bands.join('')}
    <circle cx="450" cy="190" r="46" fill="#fff1c9"/>
    ${hill(270, '#7b5a78', 70)}${hill(320, '#4d4468', 50)}${hill(370, '#272a4a', 40)}</svg>`;
  await sharp(Buffer.from(svg)).png().toFile(file);
}

/** Checks the recording and puts it into the sample's folder, which it replaces. Throws when it is not what it should be. */
async function ship(id: string, folder: string, steps: number): Promise<void> {
  const problems = await problemsOf(folder);
  if (problems.length > 0) throw new Error(`the recording is not sound: ${problems.join('; ')}`);
  const { json } = await studioMust(['actions', id, '--workspace', workspace.path, '--json']);
  const { actions } = reduceResultSchema.parse(json);
  if (actions.length !== steps) throw new Error(`${steps} steps were done, ${actions.length} actions came back`);
  fs.rmSync(OUT, { recursive: true, force: true });
  const target = path.join(OUT, 'recordings', id);
  fs.cpSync(folder, target, { recursive: true });
  await packTighter(target);
  fs.writeFileSync(path.join(OUT, 'sample.json'), `${JSON.stringify({ task: TASK }, null, 2)}\n`);
  const bytes = weight(OUT);
  if (bytes > MOST_BYTES) throw new Error(`the sample has ${bytes} bytes, more than ${MOST_BYTES}`);
  console.log(
    `${path.relative(process.cwd(), target)}: ${actions.length} actions, ${(bytes / 1e6).toFixed(2)} MB in all`,
  );
}

/**
 * Derived files in fewer bytes: stills with the same pixels, and the playback copy with a key frame every five seconds
 * in place of every second. The raw files stay as they were recorded.
 */
async function packTighter(folder: string): Promise<void> {
  const keyframes = path.join(folder, 'keyframes');
  const index = keyframeIndexSchema.parse(JSON.parse(fs.readFileSync(path.join(keyframes, 'index.json'), 'utf8')));
  const used = new Set(index.keyframes.map((keyframe) => keyframe.file));
  for (const name of fs.readdirSync(keyframes).filter((file) => file.endsWith('.png'))) {
    const file = path.join(keyframes, name);
    // Stills are cut while recording, before it is known which of them are keyframes.
    if (!used.has(name)) {
      fs.rmSync(file);
      continue;
    }
    // Plain surfaces, as of an application, are smaller without a filter.
    const packed = await sharp(file).png({ compressionLevel: 9, adaptiveFiltering: false }).toBuffer();
    if (packed.length < fs.statSync(file).size) fs.writeFileSync(file, packed);
  }
  const playback = path.join(folder, 'screen.mp4');
  const tighter = path.join(display.home, 'screen.mp4');
  const coding = ['-c:v', 'libx264', '-preset', 'slower', '-crf', '22', '-force_key_frames', 'expr:gte(t,n_forced*5)'];
  const times = ['-fps_mode', 'passthrough', '-enc_time_base', '1:1000000', '-video_track_timescale', '90000'];
  await must('ffmpeg', ['-v', 'error', '-y', '-i', playback, ...coding, ...times, '-movflags', '+faststart', tighter]);
  // In the order of showing, which is not the order in the file.
  const [was, is] = [await frameTimes(playback), await frameTimes(tighter)].map((times) => times.sort((a, b) => a - b));
  if (was?.toString() !== is?.toString()) throw new Error('the packed playback copy shows its frames at other times');
  fs.copyFileSync(tighter, playback);
}

function weight(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0);
}
