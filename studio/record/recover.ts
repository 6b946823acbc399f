import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from '../../schemas/recording.ts';
import { readRecording } from '../store/recording-folder.ts';
import { closeRecording } from './close.ts';

/** The capture process that writes a folder leaves its pid here; whoever finds it can tell a live recording from a dead. */
const PID_FILE = '.capture.pid';

export function markLive(folder: string, pid: number): void {
  writeFileSync(join(folder, PID_FILE), String(pid));
}
export function unmarkLive(folder: string): void {
  rmSync(join(folder, PID_FILE), { force: true });
}

/** True while a capture process still writes this folder. */
export function isLive(folder: string): boolean {
  const file = join(folder, PID_FILE);
  if (!existsSync(file)) return false;
  const pid = Number(readFileSync(file, 'utf8'));
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  // A pid may have been given to another program since.
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('capture-main');
  } catch {
    return false;
  }
}

/**
 * Closes a recording whose processes are gone (D2): everything up to the last flush is kept and the verdict says what is
 * missing. Null when there is nothing to do: it is closed already, or still being written.
 */
export async function recoverRecording(folder: string, why = 'killed'): Promise<Recording | null> {
  if (readRecording(folder).state === 'closed' || isLive(folder)) return null;
  const recording = await closeRecording(folder, {
    endedBy: why,
    span: null,
    counts: null,
    mode: null,
    paints: null,
    ffmpeg: null,
  });
  unmarkLive(folder);
  return recording;
}
