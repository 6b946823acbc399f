import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ORIGINAL_TRAJ, OSWORLD_STEPS, type OsworldSteps } from '../../../core/export/osworld/original.ts';
import { OSWORLD_APPS } from '../../../core/osworld/apps.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { DEMUXERS } from '../../../native/ffmpeg/input.ts';
import { writePictures } from '../../../native/ffmpeg/video-frames.ts';
import { passedOver } from '../../../native/log/log.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { mimeOf } from '../../files/first-bytes.ts';
import { osworldTasks } from '../../store/osworld-task-file.ts';
import { getTask } from '../../store/task-rows.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Building, Imported } from '../land.ts';
import { type ForeignRun, landRun, type RunOptions } from '../land-run.ts';
import { LIMITS } from '../limits.ts';
import { type FoundOsworldRun, RECORDING, readOsworldRun, TRAJ } from './read.ts';

/**
 * Takes a run of OSWorld as a recording: its folder, or the traj.jsonl in it. Of a task that is in the workspace it gets the goal. Its
 * own lines, result and pictures are kept, so that an export as OSWorld gives them back. Throws as landRecording.
 */
export async function importOsworld(workspace: Workspace, source: string, options: RunOptions): Promise<Imported> {
  const file = statSync(source).isDirectory() ? join(source, TRAJ) : source;
  const folder = dirname(file);
  const found = await readOsworldRun(file, options.limits ?? LIMITS, options.signal);
  const known = await taskOf(workspace, folder, options);
  const app = options.app ?? known?.app ?? found.run.app ?? domainOf(folder);
  const wishes = { ...options, ...(app !== undefined && { app }), ...(known && { task: known.task }) };
  return landRun(workspace, source, wishes, (building) =>
    runOf(found, folder, { goal: known?.goal ?? found.run.instruction ?? '', building, ffmpeg: options.ffmpeg }),
  );
}

type KnownTask = { task: string; app: string; goal: string };

/** The task of the workspace that it is a run of: its folder is called by the task's id. */
async function taskOf(
  workspace: Workspace,
  folder: string,
  { app, task, goal }: RunOptions,
): Promise<KnownTask | null> {
  if (app !== undefined || task !== undefined || goal !== undefined) return null;
  const id = (await osworldTasks(workspace)).get(basename(folder));
  if (id === undefined) return null;
  const { software, goal: own } = await getTask(workspace.store, id);
  return { task: id, app: software, goal: own };
}

/** Its folder lies in one of the software. */
function domainOf(folder: string): string | undefined {
  const name = basename(dirname(folder));
  return Object.hasOwn(OSWORLD_APPS, name) ? OSWORLD_APPS[name] : undefined;
}

/** Hidden, and gone before the recording is read. */
const FIRST_FOLDER = '.first';

type Landing = { goal: string; building: Building; ffmpeg: FfmpegInfo };

async function runOf(found: FoundOsworldRun, folder: string, landing: Landing): Promise<ForeignRun> {
  const { text, run, result, score } = found;
  const files = new Map(found.files);
  const [shown, steps, guessed]: [(string | null)[], ForeignRun['steps'], string[]] = [
    [...run.pictures],
    run.steps,
    [],
  ];
  const first = found.film === null ? null : await firstPicture(found.film, landing);
  if (first !== null) {
    guessed.push(`the screen before the first step: the first picture of ${RECORDING}`);
    files.set(RECORDING, first);
    const before = shown.push(RECORDING) - 1;
    run.steps[0]!.before = before; // It has one.
  }
  const stamp = found.lines.map(({ action_timestamp: at }) => dateOf(at)).find((date) => date !== null);
  const ended = run.ended === null ? '' : `, ${run.ended}`;
  return {
    form: 'osworld',
    // Two runs of a task may do the same.
    text: `${basename(folder)}\n${text}`,
    name: `${basename(folder)} (OSWorld${score === null ? '' : `, result ${score}`}${ended})`,
    goal: landing.goal,
    steps,
    places: run.lines.map(({ from }) => `the step of line ${from}`),
    shown,
    files,
    startedAt: stamp ?? statSync(found.file).mtime,
    isGuess: stamp === undefined,
    lost: found.lost.filter((one) => first === null || !one.endsWith(`: ${RECORDING}`)),
    guessed,
    keep(to, kept, spans) {
      rmSync(join(landing.building.folder, FIRST_FOLDER), { recursive: true, force: true });
      writeFileSync(join(to, ORIGINAL_TRAJ), text);
      const own: OsworldSteps = {
        schema: 'trajectory-studio/osworld-steps',
        version: 1,
        result,
        steps: spans.map((span, at) => ({ lines: run.lines[at]!, ...span })),
        pictures: kept,
      };
      writeFileSync(join(to, OSWORLD_STEPS), `${JSON.stringify(own, null, 1)}\n`);
    },
  };
}

/** The first picture of the recording, in a folder of the import's own; null where it cannot be read. */
async function firstPicture(film: string, { building: { folder, signal }, ffmpeg }: Landing): Promise<string | null> {
  const mime = mimeOf(film);
  const demuxer = Object.hasOwn(DEMUXERS, mime) ? DEMUXERS[mime] : undefined;
  if (demuxer === undefined) return null;
  const to = join(folder, FIRST_FOLDER);
  mkdirSync(to, { recursive: true });
  try {
    await writePictures(ffmpeg, { file: film, demuxer }, [0], to, signal);
    return join(to, '1.png');
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'BAD_FILE') throw error;
    rmSync(to, { recursive: true, force: true });
    passedOver('the recording of a run is not read')(error);
    return null;
  }
}

/** `20250101@120000123456`, as OSWorld writes it, or what JavaScript reads. */
function dateOf(stamp: string | undefined): Date | null {
  if (stamp === undefined) return null;
  const parts = /^(\d{4})(\d\d)(\d\d)@(\d\d)(\d\d)(\d\d)/.exec(stamp);
  const date = new Date(parts ? `${parts.slice(1, 4).join('-')}T${parts.slice(4, 7).join(':')}Z` : stamp);
  return Number.isNaN(date.getTime()) ? null : date;
}
