import type { Recording } from '../../schemas/recording.ts';
import type { Blobs, LocalFile } from '../files/blobs/blobs.ts';
import { PREPARE_LOCK, withFolderLock } from '../files/folder-lock.ts';
import { hasFile } from '../files/inside.ts';
import { keptBlobs } from '../files/kept/bytes.ts';
import { removeLeases } from '../files/kept/lease.ts';
import { filesPlace } from '../files/kept/place.ts';
import { type SentFiles, sendFiles } from '../files/kept/send.ts';
import { readRecording } from '../store/recording-folder.ts';
import { KEYFRAMES_FOLDER } from './folders.ts';
import { VOICE_FILE } from './voice-file.ts';

/**
 * The files of a recording that is no longer being made, by their names in its folder (`keyframes/600000.png`). Videos and sound may
 * be in the place for large files (files/kept).
 */
export const bytesOfRecording = (folder: string): Blobs => keptBlobs(folder);

/** A video of a recording as a file of this machine. Throws BAD_FILE where it is nowhere. */
export const localVideo = (folder: string, name: string, signal?: AbortSignal): Promise<LocalFile> =>
  bytesOfRecording(folder).local(name, signal);

/** What takes nearly all of a recording's room, and is read by pieces. */
const largeFiles = ({ segments, playback }: Recording): string[] => [
  ...segments.map(({ file }) => file),
  ...(playback === null ? [] : [playback]),
  VOICE_FILE,
];

/** Stands in a recording while its playback copy is still to be made (playback.ts). */
export const WANTED_FILE = '.playback-wanted';

/** Whether it is closed, has its pictures and its copy, and holds large files that are to go to the place for them. */
export function isReadyToKeep(folder: string): boolean {
  try {
    const recording = readRecording(folder);
    const { state, segments } = recording;
    if (state !== 'closed' || hasFile(folder, WANTED_FILE)) return false;
    if (segments.length > 0 && !hasFile(folder, `${KEYFRAMES_FOLDER}/index.json`)) return false;
    return largeFiles(recording).some((name) => hasFile(folder, name));
  } catch {
    return false; // It says what is wrong where it is opened.
  }
}

/** Moves its large files to the place of this process. Throws what sendFiles throws; USAGE where there is no place. */
export async function keepRecording(
  folder: string,
  tools: { signal: AbortSignal; report(share: number): void },
): Promise<SentFiles> {
  const place = await filesPlace();
  if (place === null) return { files: 0, bytes: 0 };
  await removeLeases(folder);
  // The keyframes are made from the same files.
  const send = (): Promise<SentFiles> =>
    isReadyToKeep(folder)
      ? sendFiles(folder, largeFiles(readRecording(folder)), place, tools)
      : Promise.resolve({ files: 0, bytes: 0 });
  return withFolderLock(folder, PREPARE_LOCK, send, { signal: tools.signal });
}
