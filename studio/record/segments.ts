import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type MkvIndex, readMkvIndex } from '../../native/mkv/read.ts';
import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { Segment } from '../../schemas/recording.ts';

/** From `t` on this rectangle of the desktop was captured, into this segment of the master. */
export type View = { t: number; view: Rect; segment: number };

/** The segments as they are on the disk; frames.jsonl may name frames that a killed encoder never wrote. */
export function checkSegments(
  folder: string,
  views: readonly View[],
  frames: readonly Frame[],
): { segments: Segment[]; indexes: Map<number, MkvIndex>; lost: string[] } {
  const segments: Segment[] = [];
  const indexes = new Map<number, MkvIndex>();
  const lost: string[] = [];
  for (const index of new Set(views.map((v) => v.segment))) {
    const view = views.find((v) => v.segment === index)?.view;
    const own = frames.filter((f) => (f.seg ?? 0) === index);
    const first = own[0];
    if (!view || !first) continue;
    const file = index === 0 ? 'screen.mkv' : `screen-${index}.mkv`;
    const path = join(folder, file);
    const found = existsSync(path) ? readMkvIndex(path) : { blocks: [], truncated: true };
    // Frames and pictures are in one order, and a killed encoder loses the last ones.
    let count = 0;
    while (count < own.length && count < found.blocks.length && own[count]?.pts === found.blocks[count]?.pts) count++;
    if (count < own.length) {
      const from = own[count]?.t ?? 0;
      lost.push(
        `${own.length - count} picture(s) from ${seconds(from)} to ${seconds(own.at(-1)?.t ?? from)} (${file})`,
      );
    }
    if (count === 0) continue;
    indexes.set(index, found);
    segments.push({ index, file, width: view.width, height: view.height, firstFrame: first.i, frames: count });
  }
  return { segments, indexes, lost };
}

const seconds = (us: number) => `${(us / 1e6).toFixed(2)} s`;

/** The frames that are in the master. */
export function framesPresent(frames: readonly Frame[], segments: readonly Segment[]): Frame[] {
  const bySegment = new Map(segments.map((s) => [s.index, s]));
  return frames.filter((frame) => {
    const segment = bySegment.get(frame.seg ?? 0);
    return segment !== undefined && frame.i < segment.firstFrame + segment.frames;
  });
}
