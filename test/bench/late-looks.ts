/**
 * Whether pictures that a recorder drops become wrong stills: a window takes another colour at each press, and the still before each
 * press must have the colour that stood then.
 *
 *     node test/bench/late-looks.ts [recordings]
 *
 * Prints the looks that came late, and where in the recording they lie.
 */
import { loadavg } from 'node:os';
import sharp from 'sharp';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { openFolder } from '../../studio/recordings/closed.ts';
import { cutKeyframes } from '../../studio/recordings/cut.ts';
import { newWorkspace, startRecorder } from '../support/cli.ts';
import { startDisplay } from '../support/display.ts';
import { colourOf, openPainter } from '../support/paints.ts';
import { must } from '../support/process.ts';
import { readFrames, readRecording, sessionUs } from '../support/recordings.ts';
import { seeded, until } from '../support/until.ts';

const PRESSES = 25;
const [rounds = '3'] = process.argv.slice(2);
const random = seeded(7);
const ffmpeg = await findFfmpeg();

for (let round = 1; round <= Number(rounds); round++) {
  const workspace = newWorkspace();
  const display = await startDisplay({ width: 1920, height: 1080 });
  try {
    const painter = await openPainter(display, 800, 400, 300, 300);
    const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: true });
    // At once, at a person's pace, and up to the stop.
    const lines = Array.from({ length: PRESSES }, () => `click 1\nsleep ${(0.55 + random() * 0.4).toFixed(3)}`);
    await must('xdotool', ['-'], { env: display.env, stdin: `mousemove 900 500\n${lines.join('\n')}\n` });
    await until('every paint', () => painter.paints().length === PRESSES);
    const { line } = await recorder.stop();
    const recording = readRecording(line.folder);
    await cutKeyframes(line.folder, ffmpeg);
    const { actions, keyframes } = openFolder(line.folder);
    const frames = readFrames(line.folder);
    const span = recording.span ?? { start: 0, end: 0 };
    const late = frames.flatMap(({ t, seen = t }) => (t - seen > 100_000 ? [{ from: seen, to: t }] : []));
    const ms = (us: number): string => (us / 1000).toFixed(0);
    const inside = late.filter(({ from, to }) => to > span.start && from < span.end);
    const paints = painter.paints().map(({ n, after }) => ({ colour: colourOf(n), at: sessionUs(recording, after) }));
    let right = 0;
    const wrong: string[] = [];
    for (const action of actions) {
      const still = keyframes.keyframes.find((one) => one.action === action.id && one.role === 'before');
      if (!still) continue;
      const rgb = await sharp(`${line.folder}/keyframes/${still.file}`)
        .removeAlpha()
        .extract({ left: 950, top: 550, width: 1, height: 1 })
        .raw()
        .toBuffer();
      // The first press finds the window as it was opened: no paint is known to compare with.
      const stood = paints.findLast(({ at }) => at < action.start.t - 50_000);
      if (!stood) continue;
      if (rgb.readUIntBE(0, 3) === stood.colour) right++;
      else
        wrong.push(
          `at ${ms(action.start.t)} ms, ${ms(action.start.t - stood.at)} ms after the paint, still of ${ms(still.t)} ms`,
        );
    }
    console.log(
      `round ${round}, load ${loadavg()[0]?.toFixed(0)}: ${recording.counts.dropped} dropped of ${recording.counts.ticks} looks; ` +
        `${late.length} changes after more than 100 ms without a look, ${inside.length} of them in the demonstration ` +
        `(${ms(span.start)} to ${ms(span.end)} ms): ${inside.map(({ from, to }) => `${ms(from)} to ${ms(to)}`).join(', ') || 'none'}`,
    );
    console.log(
      `  stills before a press: ${right} right, ${wrong.length} wrong${wrong.map((one) => `\n    ${one}`).join('')}`,
    );
  } finally {
    await display.stop();
    workspace.remove();
  }
}
