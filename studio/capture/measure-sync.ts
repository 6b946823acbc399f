import { decodeFrames } from '../../native/ffmpeg/decode.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs } from '../../native/ffmpeg/master.ts';
import type { MkvIndex } from '../../native/mkv/read.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { Segment, SyncPaint, SyncReport } from '../../schemas/recording.ts';
import { fileIn } from '../files/inside.ts';
import type { View } from '../recordings/segments.ts';
import {
  type CheckPictures,
  matchPaints,
  PATCH_SIZE,
  type Paint,
  patchPlace,
  type Sighting,
  syncReport,
} from './sync.ts';

const BEFORE_US = 300_000;
const AFTER_US = 400_000;
/** How far a channel may be off where colours were rounded; the patch's own lie farther apart. */
const ROUNDED = 24;

/**
 * Finds the patch in the recorded pictures around each check, by decoding the master, and compares (C4). `pictures`: what
 * the report says of pictures that are not there; null where nobody counted.
 */
export async function measureSync(
  folder: string,
  segments: readonly Segment[],
  indexes: ReadonlyMap<number, MkvIndex>,
  frames: readonly Frame[],
  views: readonly View[],
  checks: readonly Paint[][],
  ffmpeg: FfmpegInfo,
  lossless: boolean,
  pictures: CheckPictures | null,
): Promise<SyncReport> {
  const sightingsOf = async (paints: readonly Paint[]): Promise<Sighting[]> => {
    const from = (paints[0]?.before ?? 0) - BEFORE_US;
    const to = (paints.at(-1)?.after ?? 0) + AFTER_US;
    const sightings: Sighting[] = [];
    for (const segment of segments) {
      const near = frames.filter((f) => (f.seg ?? 0) === segment.index && f.t >= from && f.t <= to);
      const view = views.findLast((v) => v.segment === segment.index && v.t <= to)?.view;
      const index = indexes.get(segment.index);
      if (near.length === 0 || !view || !index) continue;
      const place = patchPlace(view);
      const middle = PATCH_SIZE / 2;
      const crop = { x: place.x - view.x + middle, y: place.y - view.y + middle, width: 2, height: 2 };
      const source = {
        file: fileIn(folder, segment.file),
        blocks: index.blocks,
        width: segment.width,
        height: segment.height,
        crop,
      };
      const byPts = new Map(near.map((f) => [f.pts, f]));
      await decodeFrames(
        { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) },
        source,
        [...byPts.keys()],
        ({ pts, rgb }) => {
          const frame = byPts.get(pts);
          if (frame) sightings.push({ frame, rgb: ((rgb[0] ?? 0) << 16) | ((rgb[1] ?? 0) << 8) | (rgb[2] ?? 0) });
        },
      );
    }
    return sightings;
  };
  // The checks at start and end lie far apart: each costs a start of ffmpeg, and the person waits.
  const sightings = await Promise.all(checks.map(sightingsOf));
  return syncReport(
    checks.flatMap((paints, i): SyncPaint[] => matchPaints(paints, sightings[i] ?? [], lossless ? 0 : ROUNDED)),
    pictures,
  );
}
