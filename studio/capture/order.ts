import { join } from 'node:path';
import { type FfmpegInfo, tellFfmpeg } from '../../native/ffmpeg/find.ts';
import type { ClockTurn } from '../../schemas/recording.ts';
import type { Software } from '../store/software.ts';
import type { Task } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { type CaptureOrder, DEFAULT_PAINTS } from './protocol.ts';
import { newRecordingId } from './start.ts';

type OrderWishes = Pick<
  CaptureOrder,
  'target' | 'fps' | 'countdownSeconds' | 'shortcuts' | 'forgetMs' | 'exclude' | 'only' | 'person'
> & {
  ffmpeg: FfmpegInfo;
  software: Software;
  task: Task;
  /** Its id, when there are notes of it already. */
  id?: string;
  version: string;
  durationMs?: number | null;
  minFreeBytes?: number;
  syncCheck?: boolean;
  outside?: CaptureOrder['outside'];
  elements?: CaptureOrder['elements'];
  elementNames?: boolean | undefined;
  secretPrograms?: string[];
  voice?: CaptureOrder['voice'];
  /** The clock that the programs of the stage see; empty: the machine's. */
  stageClock?: readonly ClockTurn[];
  /** The demonstration that is played; `itself`: a script is performed, which is a play of none other. */
  played?: CaptureOrder['played'] | 'itself';
};

/** The least that must be left on the disk, when nothing else was said, bytes (D2). */
const DEFAULT_MIN_FREE_BYTES = 64 * 2 ** 20;

/** A new recording's order to the capture process, in a new folder of this workspace. */
export function captureOrder(workspace: Workspace, wishes: OrderWishes): CaptureOrder {
  const {
    ffmpeg,
    software,
    task,
    id = newRecordingId(),
    version,
    durationMs = null,
    minFreeBytes = DEFAULT_MIN_FREE_BYTES,
    syncCheck = true,
    outside,
    elements = false,
    elementNames = true,
    secretPrograms = [],
    played,
    voice,
    stageClock = [],
  } = wishes;
  const { target, fps, countdownSeconds, shortcuts, forgetMs, exclude, only, person } = wishes;
  return {
    id,
    folder: join(workspace.recordingsDir, id),
    app: { id: software.id, name: software.name },
    task: { id: task.id, goal: task.goal },
    person,
    tool: { name: 'trajectory-studio', version },
    target,
    fps,
    ffmpeg: tellFfmpeg(ffmpeg),
    durationMs,
    countdownSeconds,
    shortcuts,
    forgetMs,
    exclude,
    only,
    paints: syncCheck ? DEFAULT_PAINTS : { start: 0, end: 0 },
    minFreeBytes,
    elements,
    elementNames,
    ...(secretPrograms.length > 0 && { secretPrograms }),
    ...(outside && { outside }),
    ...(voice && { voice }),
    ...(stageClock.length > 0 && { stageClock: [...stageClock] }),
    ...(played && { played: played === 'itself' ? { recording: id } : played }),
  };
}
