import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPictureSize } from '../../native/mkv/picture-size.ts';
import { type MkvIndex, readMkvIndex } from '../../native/mkv/read.ts';
import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { Segment } from '../../schemas/recording.ts';
import type { FrameEntry } from '../store/recording-folder.ts';
import { type MasterPicture, matchFrames } from './match-frames.ts';

/** From `t` on this rectangle of the desktop was captured, into this segment of the master. */
export type View = { t: number; view: Rect; segment: number };

type MasterState = {
  segments: Segment[];
  indexes: Map<number, MkvIndex>;
  /** The frames whose pictures are there. */
  present: Frame[];
  /** How many lines name a picture that is not there. */
  absent: number;
  /** Which pictures are missing, and which lines were damaged, in words. */
  missing: string[];
  /** The right lines of frames.jsonl; null when it has them already. */
  rewrite: Frame[] | null;
  /** Views that no line of events.jsonl says any more, or says rightly. */
  views: View[];
};

type MasterOptions = {
  views: readonly View[];
  entries: readonly FrameEntry[];
  /** Where the capture began, when no view says so. */
  fallback: Rect | null;
  privateUntil(t: number): number | null;
  toleranceUs: number | null;
};

const FILE = /^screen(?:-(\d{1,6}))?\.mkv$/;
const fileOf = (segment: number): string => (segment === 0 ? 'screen.mkv' : `screen-${segment}.mkv`);

/**
 * The master as it is on the disk. Its pictures are the truth about what there is: lines of frames.jsonl may name pictures
 * that a killed encoder never wrote, and a line that cannot be read any more takes no picture away (M10).
 */
export async function checkMaster(folder: string, options: MasterOptions): Promise<MasterState> {
  const { views, entries } = options;
  const named = entries.reduce((sum, entry) => sum + ('frame' in entry ? 1 : entry.unread), 0);
  const firstViews = new Map<number, View>();
  for (const view of views) if (!firstViews.has(view.segment)) firstViews.set(view.segment, view);
  const indexes = new Map<number, MkvIndex>();
  for (const name of readdirSync(folder)) {
    const match = FILE.exec(name);
    if (match) indexes.set(Number(match[1] ?? 0), await readMkvIndex(join(folder, name), { named }));
  }
  const order = [...indexes.keys()].sort((a, b) => a - b);
  const pictures = order.flatMap((seg): MasterPicture[] => indexes.get(seg)!.blocks.map(({ pts }) => ({ seg, pts })));
  const { present, lost, rebuilt, corrected, changed } = matchFrames(entries, pictures, {
    zeroOf: (seg) => firstViews.get(seg)?.t,
    privateUntil: options.privateUntil,
    toleranceUs: options.toleranceUs,
  });
  const missing = lostOf(lost);
  if (rebuilt > 0)
    missing.push(`the lines of ${rebuilt} picture(s) in frames.jsonl, made anew from the master's times`);
  if (corrected > 0) missing.push(`${corrected} line(s) of frames.jsonl in part, put right by those around them`);

  const segments: Segment[] = [];
  const found: View[] = [];
  const framesOf = Map.groupBy(present, (f) => f.seg ?? 0);
  for (const index of order) {
    const own = framesOf.get(index) ?? [];
    const first = own[0];
    if (!first) continue;
    const file = fileOf(index);
    const said = firstViews.get(index)?.view ?? null;
    const size = readPictureSize(join(folder, file)) ?? said;
    if (!size) continue;
    const { width, height } = size;
    if (!said || said.width !== width || said.height !== height) {
      const { x, y } = said ?? nearest(views, index)?.view ?? options.fallback ?? { x: 0, y: 0 };
      found.push({ t: first.t, view: { x, y, width, height }, segment: index });
      missing.push(`where ${file} stood on the screen: taken for (${x}, ${y})`);
    }
    segments.push({ index, file, width, height, firstFrame: first.i, frames: own.length });
  }
  return {
    segments,
    indexes,
    present,
    absent: lost.length,
    missing,
    rewrite: changed ? present : null,
    views: found,
  };
}

/** The view that was in force before this segment's own, or the next one. */
const nearest = (views: readonly View[], index: number): View | undefined =>
  views.findLast((v) => v.segment < index) ?? views.find((v) => v.segment > index);

/** Missing pictures by segment, as runs. */
function lostOf(lost: readonly Frame[]): string[] {
  const bySegment = Map.groupBy(lost, (frame) => frame.seg ?? 0);
  return [...bySegment].map(([seg, own]) => {
    const [first, last] = [own[0]!.t, own.at(-1)!.t];
    const [from, to] = first < last ? [first, last] : [last, first];
    return `${own.length} picture(s) from ${seconds(from)} to ${seconds(to)} (${fileOf(seg)})`;
  });
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
