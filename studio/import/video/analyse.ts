import { REGION_SHARE, type RegionSample, regionChooser, STILL_MS } from '../../../core/keyframes/regions.ts';
import {
  isByRegions,
  keepSamples,
  keepSamplesToTheLetter,
  type SampleOptions,
  type SampleRule,
  sampleCount,
} from '../../../core/keyframes/sample.ts';
import { plural } from '../../../core/words.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { greyFrames, greySize } from '../../../native/ffmpeg/video-file.ts';
import { readMkvIndex } from '../../../native/mkv/read.ts';
import { StudioError } from '../../../schemas/errors.ts';

/** A frame of the video: its time in ms, and how many of its pixels differ from the frame before (an estimate). */
type VideoFrame = { pts: number; changed: number };

/**
 * K6, K9: a sample, the share of its pixels that differ from the next, and whether it was kept. K10, K11: a picture that stands
 * still, and the share of the largest region that differs from the last kept one.
 */
type Sample = { frame: number; pts: number; share: number | null; kept: boolean };

export type Analysis = {
  frames: VideoFrame[];
  /** Pictures that the file lists and that no decoder gives: it is damaged. */
  undecodable: number;
  /** Each size that the pictures have from one of them on, px; one entry where it never changes. */
  sizes: { pts: number; width: number; height: number }[];
  /** One frame interval, ms: the median. */
  intervalMs: number;
  samples: Sample[];
  /** How much of each cell changed in the first frames, up to `MOST_GRID_BYTES`. For findVideoStart. */
  grid: { cells: Uint8Array; columns: number; rows: number; frames: number };
};

export type AnalysisOptions = {
  ffmpeg: Pick<FfmpegInfo, 'path' | 'major' | 'minor'>;
  /** The master. */
  file: string;
  width: number;
  height: number;
  /** K6; null: no samples are wanted. */
  sample: ({ everyMs: number; rule?: SampleRule | undefined } & SampleOptions) | null;
  /** The grid is wanted. */
  grid: boolean;
  signal: AbortSignal;
  report(share: number): void;
};

/** A pixel differs when its grey value does by more than this, of 255: compression changes every pixel a little. */
const DIFFERS = 10;
/** Grey pixels a side of a cell. */
const CELL = 16;
const MOST_GRID_BYTES = 64 * 1024 * 1024;
/** Nine hours at 30 a second. */
const MOST_FRAMES = 1_000_000;

/** Looks at every picture of a master once. Throws BAD_FILE when it has none, or more than a million. */
export async function analyseVideo(options: AnalysisOptions): Promise<Analysis> {
  const { ffmpeg, file, width, height, sample, signal, report } = options;
  const listed = (await readMkvIndex(file, { signal })).blocks;
  if (listed.length === 0) throw noPictures();
  if (listed.length > MOST_FRAMES) {
    throw new StudioError(
      'BAD_FILE',
      `The video has ${plural(listed.length, 'picture')}; at most ${MOST_FRAMES} are taken.`,
      {},
    );
  }
  const known = new Set(listed.map(({ pts }) => pts));
  // K9 counts every pixel of the picture, as A.1.2 of the paper does.
  const size = sample?.rule === 'K9' ? { width, height } : greySize({ width, height });
  const scaleUp = (width * height) / (size.width * size.height);
  const frames: VideoFrame[] = [];
  const regions = { ...size, region: REGION_SHARE, stillMs: STILL_MS, marks: sample?.rule === 'K11' };
  const chooser = sample?.rule && isByRegions(sample.rule) ? regionChooser(regions) : null;
  const differs = sample?.rule === 'K9' ? 0 : DIFFERS;
  const sampler = sample && !chooser ? createSampler(sample.everyMs, differs) : null;
  const grid = createGrid(size, options.grid);
  let before: Uint8Array | null = null;
  const sizes: Analysis['sizes'] = [];
  for await (const { pts, grey, size: own } of greyFrames(
    ffmpeg,
    { file, demuxer: 'matroska', track: 0 },
    size,
    signal,
  )) {
    // Only what has a time of its own in the file can be found again in it.
    if (!known.delete(pts)) continue;
    const changed = before === null ? size.width * size.height : grid.add(before, grey);
    if (before === null) grid.add(grey, grey);
    frames.push({ pts, changed: Math.round(changed * scaleUp) });
    noteSize(sizes, pts, own);
    sampler?.add(frames.length - 1, pts, grey);
    chooser?.add(frames.length - 1, pts, grey);
    before = grey;
    if (frames.length % 64 === 0) report(frames.length / listed.length);
  }
  if (frames.length === 0) throw noPictures();
  const samples = chooser
    ? standing(chooser.finish(), frames)
    : sampler
      ? chosen(sampler.finish(), frames, sample!) // The sampler is there when `sample` is.
      : [];
  return {
    frames,
    undecodable: listed.length - frames.length,
    sizes,
    intervalMs: intervalOf(frames),
    samples,
    grid: grid.finish(),
  };
}

/** A size that is not told changes nothing. */
export function noteSize(
  sizes: Analysis['sizes'],
  pts: number,
  { width, height }: { width: number; height: number },
): void {
  const last = sizes.at(-1);
  if (width > 0 && (last?.width !== width || last.height !== height)) sizes.push({ pts, width, height });
}

const noPictures = (): StudioError =>
  new StudioError('BAD_FILE', 'The video holds no picture that can be decoded. Nothing was kept.', {});

/** Frames that stand at 0, d, 2d, … of the video (K6), and the last one, which shows the outcome. */
function createSampler(everyMs: number, differs: number) {
  const taken: { frame: number; share: number | null }[] = [];
  let passed = 0;
  let standing: { frame: number; pts: number; grey: Uint8Array } | null = null;
  let last: Uint8Array | null = null;
  let zero = 0;
  const take = (): void => {
    if (standing === null || taken.at(-1)?.frame === standing.frame) return;
    const previous = taken.at(-1);
    if (previous && last) previous.share = differing(last, standing.grey, differs) / last.length;
    taken.push({ frame: standing.frame, share: null });
    last = standing.grey;
  };
  return {
    add(frame: number, pts: number, grey: Uint8Array): void {
      if (standing === null) zero = pts;
      // The sample times before this frame show the one that stood until now.
      const before = sampleCount(pts - zero, everyMs);
      if (before > passed) take();
      passed = Math.max(passed, before);
      standing = { frame, pts, grey };
    },
    finish(): { frame: number; share: number | null }[] {
      take();
      return taken;
    },
  };
}

function chosen(
  taken: readonly { frame: number; share: number | null }[],
  frames: readonly VideoFrame[],
  { share, gap, rule }: SampleOptions & { rule?: SampleRule | undefined },
): Sample[] {
  const times = taken.map(({ frame }) => frames[frame]!.pts);
  const shares = taken.slice(0, -1).map((sample) => sample.share ?? 0);
  const keep = rule === 'K9' ? keepSamplesToTheLetter : keepSamples;
  const kept = new Set(keep(times, shares, { share, gap }));
  return taken.map((sample, at) => ({ ...sample, pts: times[at]!, kept: kept.has(at) }));
}

const standing = (samples: readonly RegionSample[], frames: readonly VideoFrame[]): Sample[] =>
  samples.map((sample) => ({ ...sample, pts: frames[sample.frame]!.pts }));

function differing(a: Uint8Array, b: Uint8Array, by = DIFFERS): number {
  let count = 0;
  for (let at = 0; at < a.length; at++) {
    const difference = a[at]! - b[at]!;
    if (difference > by || difference < -by) count++;
  }
  return count;
}

/** Counts differing pixels, in all and, while there is room, in each cell. */
function createGrid({ width, height }: { width: number; height: number }, wanted: boolean) {
  const columns = Math.ceil(width / CELL);
  const rows = Math.ceil(height / CELL);
  const most = wanted ? Math.floor(MOST_GRID_BYTES / (columns * rows)) : 0;
  let cells = new Uint8Array(Math.min(most, 1024) * columns * rows);
  let frames = 0;
  const count = (before: Uint8Array, now: Uint8Array, into: Uint8Array): number => {
    let sum = 0;
    for (let y = 0, at = 0; y < height; y++) {
      const row = (y >> 4) * columns;
      for (let x = 0; x < width; x++, at++) {
        const by = now[at]! - before[at]!;
        if (by <= DIFFERS && by >= -DIFFERS) continue;
        sum++;
        const cell = row + (x >> 4);
        if (into[cell]! < 255) into[cell]!++;
      }
    }
    return sum;
  };
  return {
    add(before: Uint8Array, now: Uint8Array): number {
      if (frames >= most) return differing(before, now);
      const size = columns * rows;
      if ((frames + 1) * size > cells.length) {
        const larger = new Uint8Array(Math.min(most * size, cells.length * 2));
        larger.set(cells);
        cells = larger;
      }
      return count(before, now, cells.subarray(frames * size, ++frames * size));
    },
    finish: () => ({ cells: cells.subarray(0, frames * columns * rows), columns, rows, frames }),
  };
}

function intervalOf(frames: readonly VideoFrame[]): number {
  const gaps = frames.slice(1).map(({ pts }, at) => pts - frames[at]!.pts);
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 1000;
}
