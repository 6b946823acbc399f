import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { FORMATS } from '../../core/export/formats.ts';
import { ACTION_RULES_VERSION } from '../../schemas/actions.ts';
import type { ExportWishes } from '../../schemas/api/datasets.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { KEYFRAME_RULES_VERSION, type KeyframeIndex, type Recording } from '../../schemas/recording.ts';
import { reduceRecording } from '../recordings/reduce.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';

/** Recordings with stills, for tests of data sets. */

const SECOND = 1_000_000;
const [WIDTH, HEIGHT] = [64, 40];

/** One that a server has open finds what is new by itself. */
export type WorkspaceForTests = Pick<Workspace, 'recordingsDir'> & Partial<Pick<Workspace, 'syncIndex'>>;
type MadeRecording = {
  id: string;
  task?: string;
  goal?: string;
  app?: Recording['app'];
  /** A step for each: the brightness (0 to 255) of the right half of its screen. */
  screens?: number[];
};

/** Everything that the workspace holds, in every format with all of its parts. */
export const everyFormat = (more: Partial<ExportWishes>): ExportWishes => ({
  formats: FORMATS.map(({ name, parts }) => ({ name, parts: parts.map((part) => part.name) })),
  source: { kind: 'filter', filter: {} },
  all: false,
  ...more,
});

/** A complete recording with a click a screen. Its stills are there, so that nothing has to be cut. */
export async function addRecording(workspace: WorkspaceForTests, made: MadeRecording): Promise<string> {
  const { id, task = `GIMP_${id.length}`, goal = `Goal of ${task}`, screens = [40, 200] } = made;
  const events: RawEvent[] = screens.flatMap((_, at): RawEvent[] => [
    { type: 'down', t: (2 * at + 1) * SECOND, x: 10 + at, y: 20, button: 'left' },
    { type: 'up', t: (2 * at + 1) * SECOND + 50_000, x: 10 + at, y: 20, button: 'left' },
  ]);
  const recording = sampleRecording({ id, task: { id: task, goal }, ...(made.app && { app: made.app }) });
  const folder = writeSample(workspace.recordingsDir, recording, events);
  mkdirSync(join(folder, 'keyframes'));
  const keyframes: KeyframeIndex['keyframes'] = [];
  for (const [at, action] of reduceRecording(folder).result.actions.entries()) {
    const file = `${at}.png`;
    writeFileSync(join(folder, 'keyframes', file), await still(screens[at] ?? 0));
    const about = { action: action.id, frame: at, t: at, file, width: WIDTH, height: HEIGHT, origin: { x: 0, y: 0 } };
    keyframes.push({ ...about, role: 'before' }, { ...about, role: 'after' });
  }
  const index: KeyframeIndex = {
    schema: 'trajectory-studio/keyframes',
    version: 1,
    recording: id,
    actionRulesVersion: ACTION_RULES_VERSION,
    keyframeRulesVersion: KEYFRAME_RULES_VERSION,
    keyframes,
  };
  writeFileSync(join(folder, 'keyframes', 'index.json'), JSON.stringify(index));
  await workspace.syncIndex?.();
  return folder;
}

/** Vertical stripes in the left half whose pattern follows from the brightness, so that other numbers hash otherwise. */
async function still(brightness: number): Promise<Buffer> {
  const rgb = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const stripe = ((Math.floor(x / 4) * (brightness + 3)) ^ (Math.floor(y / 3) * brightness)) % 7;
      rgb.fill(x < WIDTH / 2 ? stripe * 36 : brightness, (y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3);
    }
  }
  return sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer();
}
