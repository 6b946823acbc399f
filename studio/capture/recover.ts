import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Recording } from '../../schemas/recording.ts';
import { isTemporary, writeFileAtomic } from '../files/atomic.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { entriesBelow, hasFile, readIn } from '../files/inside.ts';
import { describeHolder, livenessOf, parseHolder, runsWith } from '../files/process-id.ts';
import { EVENTS_FILE, RECORDING_FILE, readRecording } from '../store/recording-folder.ts';
import { CAPTURE_LOG, closeRecording } from './close.ts';
import { RESERVE_FILE } from './disk-reserve.ts';

/** Names the process that writes the folder, so that a live recording can be told from a dead one. */
const PID_FILE = '.capture.pid';
/** A capture process writes an anchor a second: a folder that was silent for so long is not written any more, ms. */
const SILENT_MS = 120_000;

export function markLive(folder: string, pid: number): void {
  writeFileAtomic(join(folder, PID_FILE), JSON.stringify(describeHolder(randomUUID(), pid)));
}
export function unmarkLive(folder: string): void {
  rmSync(join(folder, PID_FILE), { force: true });
}

/**
 * True while a capture process still writes this folder, whoever's it is. One in another container, or on another machine
 * that shares the disk, cannot be asked: it lives as long as lines come.
 */
export function isLive(folder: string): boolean {
  let text: string;
  try {
    text = readIn(folder, PID_FILE).toString('utf8');
  } catch (error) {
    // Somebody else's folder that may not be looked into is not ours to close.
    return error instanceof Error && 'code' in error && error.code === 'EACCES';
  }
  // Written by an older version: the pid alone.
  const pid = /^\d{1,10}$/.test(text.trim()) ? Number(text) : null;
  if (pid !== null) return runsWith(pid, ['capture-main', basename(folder)]);
  const holder = parseHolder(text);
  const liveness = holder ? livenessOf(holder) : 'unknown';
  return liveness === 'unknown' ? isFresh(folder) : liveness === 'alive';
}

/** Files beside which a folder says nothing of a recording, unless they are not empty. */
const BESIDE: ReadonlySet<string> = new Set([PID_FILE, CAPTURE_LOG, RESERVE_FILE]);

/**
 * True when a recording was to begin in this folder and whoever was to write it was killed before: it never got its
 * recording.json, and nothing in it says anything. Of a process that nobody can ask about, it is not known. `isOurs`: the
 * process that made the folder is known to be gone, though it came to note none in it; otherwise one that is empty is left for a
 * while, since somebody may be copying into it.
 */
export function isNeverBegun(folder: string, isOurs = false): boolean {
  if (existsSync(join(folder, RECORDING_FILE))) return false;
  const holder = hasFile(folder, PID_FILE) ? parseHolder(readIn(folder, PID_FILE).toString('utf8')) : null;
  if (holder ? livenessOf(holder) !== 'dead' : !(isOurs || isLongEmpty(folder))) return false;
  for (const entry of entriesBelow(folder)) {
    // Also one that was being written.
    if (entry.isDirectory() || BESIDE.has(entry.name) || isTemporary(entry.name)) continue;
    if (!entry.isFile() || statSync(join(entry.parentPath, entry.name)).size > 0) return false;
  }
  return true;
}

const isLongEmpty = (folder: string): boolean =>
  readdirSync(folder).length === 0 && Math.abs(Date.now() - statSync(folder).mtimeMs) > SILENT_MS;

function isFresh(folder: string): boolean {
  try {
    return Math.abs(Date.now() - statSync(join(folder, EVENTS_FILE)).mtimeMs) < SILENT_MS;
  } catch {
    return false;
  }
}

/**
 * Closes a recording whose processes are gone (D2): everything up to the last flush is kept and the verdict says what is
 * missing. Null when there is nothing to do: it is closed already, or still being written. Of several that try at once
 * one does it.
 */
export async function recoverRecording(folder: string, why = 'killed'): Promise<Recording | null> {
  const isOver = (): boolean => readRecording(folder).state === 'closed' || isLive(folder);
  if (isOver()) return null;
  return withFolderLock(folder, 'close', async () => {
    if (isOver()) return null;
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
  });
}
