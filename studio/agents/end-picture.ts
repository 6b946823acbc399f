import { type FfmpegInfo, findFfmpeg } from '../../native/ffmpeg/find.ts';
import { picturesAt } from '../play/beside-steps.ts';
import { openFolder } from '../recordings/closed.ts';
import { readKeyframeIndex, stillsIn } from '../recordings/stills.ts';

/**
 * The file with the screen at the end of a recording, also of one without steps; null: it has none. Throws what reading the folder
 * and cutting the picture throw.
 */
export async function endPicture(folder: string, ffmpeg?: FfmpegInfo): Promise<string | null> {
  const closed = openFolder(folder);
  const last = closed.frames.length - 1;
  const seen = last < 0 ? undefined : (await picturesAt(closed, [last], ffmpeg ?? (await findFfmpeg()))).get(last);
  if (seen) return seen.file;
  // Where the video is gone the newest still is what is left.
  const stills = (await readKeyframeIndex(folder))?.keyframes ?? [];
  const kept = stills.toSorted((a, b) => b.t - a.t)[0];
  return kept ? stillsIn(folder).pathOf(kept.file) : null;
}
