import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { isByRegions, SAMPLE_SHARE, type SampleRule } from '../../../core/keyframes/sample.ts';
import { plural } from '../../../core/words.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { RawEvent } from '../../../schemas/events.ts';
import type { Frame } from '../../../schemas/frames.ts';
import { EVENTS_FILE, FRAMES_FILE, writeRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Building, Imported, ImportOptions } from '../land.ts';
import { displayOf, type ImportWishes, importedId, isoOf, landForeign, type Placed, recordingOf } from '../wishes.ts';
import type { Analysis } from './analyse.ts';
import { MASTER, type TakenFilm } from './film.ts';
import { type FoundTranscript, namedTranscript, transcriptBeside } from './find-transcript.ts';
import type { TakenVideo } from './master.ts';
import { takeAndAnalyse } from './take-and-analyse.ts';

/** The rule (K6 where it is left out), and its thresholds: d, s and f, which K10 and K11 do not take. */
export type VideoSampling = { rule?: SampleRule | undefined; everyMs: number; share: number; gapMs: number };

/** K6 as it was taken when nothing was chosen. An imported video is still known by it: its id says no rule. */
export const K6_SAMPLING: VideoSampling = { everyMs: 1000, share: SAMPLE_SHARE.text, gapMs: 1000 };
/** Taken where nobody chooses. */
export const DEFAULT_SAMPLING: VideoSampling = { ...K6_SAMPLING, rule: 'K11' };

export type VideoOptions = ImportOptions &
  ImportWishes & {
    ffmpeg: FfmpegInfo;
    sampling?: VideoSampling;
    /** An .srt or .vtt; absent: one of the video's own name beside it. */
    transcript?: string | undefined;
  };

/**
 * Takes a video without events (K6) as a recording: every frame by the video's own time, and a step from each chosen
 * keyframe to the next. Such a step is a `wait` (A16): the picture says what changed, not what was pressed.
 * Throws as landRecording; BAD_FILE for what is no video or no transcript.
 */
export async function importVideo(workspace: Workspace, source: string, options: VideoOptions): Promise<Imported> {
  const beside = options.transcript === undefined ? transcriptBeside(source) : { found: null, said: [] };
  const found = options.transcript === undefined ? beside.found : namedTranscript(options.transcript);
  // Text, never markup. Its task gets it when the recording has landed.
  const transcript = found && { file: placeOfTranscript(found), name: basename(found.path).slice(0, 300) };
  return landForeign(
    workspace,
    source,
    { ...options, ...(transcript && { owed: { transcript } }) },
    async (building, place) => {
      const built = await buildFrames(source, building, options);
      const guessed = [...beside.said];
      const placed = await place({ goal: options.goal ?? titleOf(source) }, guessed);
      if (options.goal === undefined) guessed.push('the goal: the name of the file');
      writeVideoRecording(source, building.folder, built, { ...options, placed, guessed, found });
    },
  );
}

const titleOf = (source: string): string =>
  basename(source, extname(source))
    .replaceAll(/[_\s]+/g, ' ')
    .trim();

/** The master and what is seen in it. */
export async function buildFrames(
  source: string,
  { folder, limits, signal, report }: Building,
  { ffmpeg, sampling = DEFAULT_SAMPLING }: Pick<VideoOptions, 'ffmpeg' | 'sampling'>,
): Promise<TakenFilm> {
  const master = join(folder, MASTER);
  report(0, 'copying the video');
  return takeAndAnalyse(
    {
      ffmpeg,
      source,
      master,
      sample: { rule: sampling.rule, everyMs: sampling.everyMs, share: sampling.share, gap: sampling.gapMs },
      grid: false,
      report: (share) => report(0.2 + 0.8 * share, 'looking at the pictures'),
    },
    { limits, signal },
  );
}

type Writing = VideoOptions & { placed: Placed; guessed: string[]; found: FoundTranscript | null };

function writeVideoRecording(source: string, folder: string, { video, analysis }: TakenFilm, writing: Writing): void {
  const { frames, samples, intervalMs } = analysis;
  const zero = frames[0]!.pts; // analyseVideo gives at least one.
  const end = (frames.at(-1)!.pts - zero + intervalMs) * 1000;
  const kept = samples.filter((sample) => sample.kept);
  const steps = kept.slice(1).map((sample, at): RawEvent => {
    return { type: 'step', t: (kept[at]!.pts - zero) * 1000, until: (sample.pts - zero) * 1000 };
  });
  const display = { width: video.width, height: video.height, scale: 1 };
  const events: RawEvent[] = [
    { type: 'displays', t: 0, displays: [displayOf(display)] },
    { type: 'view', t: 0, view: { x: 0, y: 0, width: video.width, height: video.height }, segment: 0 },
    ...steps,
  ];
  writeLines(join(folder, EVENTS_FILE), events);
  writeLines(
    join(folder, FRAMES_FILE),
    frameLines(frames, (pts) => (pts - zero) * 1000),
  );
  const { found, guessed } = writing;
  if (found) keepTranscript(folder, found, end, guessed);
  const startedAt = video.createdAt ?? isoOf(statSync(source).mtime);
  if (video.createdAt === null) guessed.push("when it was made: the file's date");
  guessed.push(
    `its steps (${steps.length}): from each keyframe to the next (${saidOf(writing.sampling ?? DEFAULT_SAMPLING)})`,
  );
  writeRecording(
    folder,
    recordingOf({
      id: importedId(startedAt, [source], readAs(writing.sampling)),
      origin: { source: 'video', name: basename(source).slice(0, 300), lost: lostOf(video), guessed },
      placed: writing.placed,
      wishes: writing,
      os: { platform: 'unknown', release: '', arch: '', session: 'video' },
      startedAt,
      span: { start: 0, end },
      display,
      fps: 1000 / intervalMs,
      encoder: video.how === 'copy' ? video.codec : 'libx264',
      // Nobody says whether the pointer is seen: taken for the worse.
      cursor: true,
      lossless: video.how === 'copy',
      segments: [
        { index: 0, file: MASTER, width: video.width, height: video.height, firstFrame: 0, frames: frames.length },
      ],
      frames: frames.length,
      events: 0,
      sync: null,
      missing: missingOf(video, analysis),
    }),
  );
}

/** Nothing for K6's usual values; all others cut the same video into other steps, which is another recording. */
const readAs = (sampling: VideoSampling = DEFAULT_SAMPLING): string =>
  saidOf(sampling) === saidOf(K6_SAMPLING) ? '' : saidOf(sampling);

const saidOf = ({ rule = 'K6', everyMs, share, gapMs }: VideoSampling): string =>
  isByRegions(rule) ? rule : `${rule}: every ${everyMs} ms, share ${share}, gap ${gapMs} ms`;

/** frames.jsonl of a video: each frame was last seen not to be there at the frame before. */
export function frameLines(
  frames: readonly { pts: number; changed: number }[],
  time: (pts: number) => number,
): Frame[] {
  return frames.map(({ pts, changed }, i) => {
    const before = frames[i - 1];
    return { i, pts, t: time(pts), ...(before && { seen: time(before.pts) }), changed };
  });
}

/** The parts that a damaged video no longer holds. */
export function missingOf({ complaints }: TakenVideo, { undecodable, frames }: Analysis): string[] {
  const all = frames.length + undecodable;
  return [
    ...(complaints.length > 0 ? [`what is damaged in the video (${complaints.join('; ')})`] : []),
    ...(undecodable > 0 ? [`${undecodable} of ${plural(all, 'picture')}, which cannot be decoded`] : []),
  ];
}

/** The parts that a video loses on its way into a recording. */
export function lostOf(video: TakenVideo): string[] {
  const lost: string[] = [];
  if (video.hasSound) lost.push('the sound: a recording has none');
  if (video.how === 'encode') lost.push('the pictures as they were coded: they were coded again (H.264, CRF 12)');
  for (const { width, height } of video.others)
    lost.push(`another video track of ${width} x ${height}: only the one that players show is taken`);
  const [first, ...later] = video.resized;
  for (const { pts, width, height } of later.slice(0, 3)) {
    const seconds = ((pts - first!.pts) / 1000).toFixed(1); // There is a first where there is a later.
    lost.push(
      `one size of its pictures: from ${seconds} s on they are ${width} x ${height}, after ${first!.width} x ${first!.height} at first; each stands at the top left of ${video.width} x ${video.height}`,
    );
  }
  if (later.length > 3) lost.push(`${plural(later.length - 3, 'further change')} of the size of its pictures`);
  if (!video.squarePixels) lost.push('its pixels are not square: they are shown as if they were');
  return lost;
}

export function writeLines(file: string, lines: readonly unknown[]): void {
  const parts: string[] = [];
  for (const line of lines) parts.push(JSON.stringify(line), '\n');
  writeFileSync(file, parts.join(''));
}

const placeOfTranscript = ({ read }: FoundTranscript): string => `attachments/transcript.${read.format}`;

function keepTranscript(folder: string, found: FoundTranscript, endUs: number, guessed: string[]): void {
  const { path, text, read } = found;
  mkdirSync(join(folder, 'attachments'), { recursive: true });
  writeFileSync(join(folder, placeOfTranscript(found)), text);
  for (const { line, message } of read.problems.slice(0, 5))
    guessed.push(`${basename(path)} line ${line} was passed over: ${message}`);
  const late = read.cues.filter(({ start }) => start > endUs).length;
  if (late > 0)
    guessed.push(
      `${late} of ${plural(read.cues.length, 'line')} of the transcript come after the video's end: it may be another video's`,
    );
}
