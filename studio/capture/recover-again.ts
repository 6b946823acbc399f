import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readMkvIndex } from '../../native/mkv/read.ts';
import type { Recording } from '../../schemas/recording.ts';
import { flushTree } from '../files/atomic.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { keptList } from '../files/kept/list.ts';
import { wantPlaybackCopy } from '../recordings/playback.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { WELL_ENDED } from './close.ts';
import { mendFolder } from './mend.ts';

/** A verdict's words about pictures, of every version so far. */
const OF_PICTURES = /^\d+ picture\(s\) from |^every picture\b/;

/**
 * Looks once more at a recording that was closed after a crash: versions before pictures were matched by their times closed
 * it without those that stood behind a damaged line. Gives it as it is now; null where nothing was found. Only what this
 * program recorded itself, and not what ended well. Derived files that lack the pictures are made again.
 */
export async function recoverAgain(folder: string): Promise<Recording | null> {
  // Whose videos went to another place was whole, or looked at, before.
  if (!mayHoldMore(readRecording(folder)) || keptList(folder) !== null) return null;
  return withFolderLock(folder, 'close', async () => {
    const before = readRecording(folder);
    if (!mayHoldMore(before) || (await picturesIn(folder)) <= before.counts.frames) return null;
    const { master, missing } = await mendFolder(folder, before);
    const found = master.present.length - before.counts.frames;
    if (found <= 0) return null;
    const old = before.verdict?.missing.filter((text) => !OF_PICTURES.test(text)) ?? [];
    const lacks = [...new Set([...missing, ...old])];
    const endedBy = before.verdict?.endedBy ?? 'killed';
    const recording: Recording = {
      ...before,
      segments: master.segments,
      counts: {
        ...before.counts,
        frames: master.present.length,
        dropped: Math.max(0, before.counts.dropped - found),
      },
      verdict: {
        // An encoder that was slow at the end may have written all of it in the meantime.
        kind: lacks.length === 0 && WELL_ENDED.has(endedBy) ? 'complete' : 'recovered',
        missing: lacks,
        endedBy,
      },
      playback: null,
    };
    rmSync(join(folder, 'keyframes', 'index.json'), { force: true });
    if (before.playback !== null) {
      rmSync(join(folder, 'screen.mp4'), { force: true });
      wantPlaybackCopy(folder);
    }
    await flushTree(folder);
    writeRecording(folder, recording);
    return recording;
  });
}

const mayHoldMore = ({ state, origin, verdict }: Recording): boolean =>
  state === 'closed' && origin === undefined && verdict !== null && verdict.kind !== 'complete';

async function picturesIn(folder: string): Promise<number> {
  let count = 0;
  for (const name of readdirSync(folder)) {
    if (/^screen(-\d{1,6})?\.mkv$/.test(name)) count += (await readMkvIndex(join(folder, name))).blocks.length;
  }
  return count;
}
