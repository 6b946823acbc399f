import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { setStage } from '../../studio/play/stage/set-stage.ts';
import { stageWishes } from '../../studio/play/stage/wishes-for-tests.ts';
import { newWorkspace, startRecorder } from './cli.ts';
import type { Paint } from './paints.ts';
import { must, start } from './process.ts';
import { readEvents, readFrames, readRecording, sessionUs } from './recordings.ts';
import { judge, type SyncSummary, summarize } from './sync-truth.ts';
import { seeded, sleep, until } from './until.ts';

/** The sync error of a recording on a stage, whose programs see another time than the recorder, and see it jump. */

const SCREEN = { width: 1920, height: 1080 };
const WINDOW = { x: 800, y: 400, width: 300, height: 300 };
const MIDDLE = { x: WINDOW.x + 150, y: WINDOW.y + 150 };
const DAY_MS = 86_400_000;

const paintSchema = z.strictObject({
  n: z.int(),
  colour: z.int(),
  before: z.int(),
  after: z.int(),
  pressMs: z.int(),
  /** The time of day as the painter saw it, ms since 1970. */
  day: z.int(),
});

type DayPaint = z.infer<typeof paintSchema>;

export type StageSync = SyncSummary & {
  /** How often the stage's clock was set while the paints were made, and from where to where the painter saw it go, ms. */
  jumps: number;
  earliestDay: number;
  latestDay: number;
  /** From the recorded time of each press to the paint that followed it, µs: never below 0 but for the server's whole ms. */
  pressToPaintUs: number[];
  /** The largest error that the recording's own check found, µs; null: it was not made. */
  ownMaxErrorUs: number | null;
};

/** `jumps`: null: its programs see the machine's clock. */
export async function syncOnStage(wishes: {
  fps: number;
  paints: number;
  seed: number;
  jumps: number | null;
}): Promise<StageSync> {
  const { fps, paints, seed, jumps } = wishes;
  const painter = fs.readFileSync(path.join(import.meta.dirname, 'stage-painter.py'), 'utf8');
  const begins = Date.UTC(2031, 2, 2, 8, 50);
  const recipe = {
    ...(jumps !== null && { clock: '2031-03-02T08:50' }),
    screen: SCREEN,
    files: [{ text: painter, to: 'painter.py' }],
    programs: [
      { command: '/usr/bin/python3', args: ['~/painter.py', '~/paints.jsonl', ...Object.values(WINDOW).map(String)] },
    ],
  };
  const workspace = newWorkspace();
  let jumped = 0;
  const stage = await setStage({ ...stageWishes(recipe), ...SCREEN, keep: true });
  try {
    const log = path.join(stage.home, 'paints.jsonl');
    const lines = (): string[] => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\n').slice(0, -1) : []);
    await until('the painter on the stage', () => lines().length > 0);
    // `record` finds the stage's display by itself, as a person's does.
    const display = { launch: (command: string, args: readonly string[]) => start(command, args) };
    const recorder = await startRecorder(display, {
      workspace: workspace.path,
      args: ['--fps', String(fps), '--stage', stage.id],
      syncCheck: true,
    });
    const env = { ...process.env, ...stage.env };
    await must('xdotool', ['mousemove', String(MIDDLE.x), String(MIDDLE.y)], { env });
    const random = seeded(seed);
    const recording = readRecording(recorder.folder);
    const painted = (): DayPaint[] =>
      lines()
        .slice(1)
        .map((text) => paintSchema.parse(JSON.parse(text)));
    for (let n = 0; n < paints; n++) {
      // At moments that have nothing to do with frames.
      await sleep(random() * 70);
      const jump =
        jumps !== null && n % Math.ceil(paints / jumps) === 0
          ? // Somewhere about the paint: ahead and back again, by up to ten days.
            sleep(random() * 70).then(() => {
              stage.clock?.set(begins + Math.round((jumped % 2 === 0 ? -1 : 1) * random() * 10 * DAY_MS));
              jumped++;
            })
          : null;
      await must('xdotool', ['click', '1'], { env });
      await jump;
      const { after } = await until(`paint ${n}`, () => painted()[n]);
      // Each has a frame of its own, however busy the machine is.
      const shown = sessionUs(recording, after);
      await until(`a frame with paint ${n}`, () =>
        readFrames(recorder.folder, 'torn-end-allowed').some(({ t }) => t >= shown),
      );
    }
    const { line } = await recorder.stop();
    const all = painted();
    const days = all.map(({ day }) => day);
    return {
      ...summarize(await judge(line.folder, all, MIDDLE)),
      jumps: jumped,
      earliestDay: days.toSorted((a, b) => a - b)[0] ?? Number.NaN,
      latestDay: days.toSorted((a, b) => b - a)[0] ?? Number.NaN,
      pressToPaintUs: pressesToPaints(line.folder, all),
      ownMaxErrorUs: readRecording(line.folder).sync?.maxErrorUs ?? null,
    };
  } finally {
    await stage.end();
    workspace.remove();
  }
}

function pressesToPaints(folder: string, painted: readonly Paint[]): number[] {
  const recording = readRecording(folder);
  const presses = readEvents(folder).filter((event) => event.type === 'down');
  if (presses.length !== painted.length) throw new Error(`${presses.length} presses for ${painted.length} paints`);
  return painted.map(({ before }, n) => sessionUs(recording, before) - (presses[n]?.t ?? Number.NaN));
}
