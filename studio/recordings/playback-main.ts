import { setPriority } from 'node:os';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { makePlaybackCopy } from './playback.ts';

/**
 * Makes one recording's playback copy, behind the command that recorded it: `node playback-main.ts FOLDER`. What it could
 * not make, the next opening of the workspace makes.
 */
const [, , folder] = process.argv;
if (folder === undefined) process.exit(64);
try {
  setPriority(10);
} catch {
  // It is only a courtesy to what the person does next.
}
await makePlaybackCopy(folder, await findFfmpeg(), () => undefined);
