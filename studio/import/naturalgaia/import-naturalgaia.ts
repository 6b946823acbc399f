import { createHash } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unseenId } from '../../../core/actions/unseen.ts';
import { firstSubtaskId, GOAL_ID, labelId, reasoningId } from '../../../core/annotate/ids.ts';
import { emptyLabel } from '../../../core/annotate/label.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { writePictureMaster } from '../../../native/ffmpeg/picture-master.ts';
import { ANNOTATION_VERSION, type AnnotationRecord } from '../../../schemas/annotation.ts';
import { errorBody } from '../../../schemas/errors.ts';
import type { RawEvent } from '../../../schemas/events.ts';
import type { Frame } from '../../../schemas/frames.ts';
import { LIMITS as WORDS } from '../../../schemas/limits.ts';
import type { Segment } from '../../../schemas/recording.ts';
import { EVENTS_FILE, FRAMES_FILE, writeRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import { ANNOTATION_FILE } from '../annotation-file.ts';
import type { Building, Imported, ImportOptions } from '../land.ts';
import { LIMITS } from '../limits.ts';
import { writeLines } from '../video/import-video.ts';
import { displayOf, type ImportWishes, isoOf, landForeign, type Placed, recordingOf } from '../wishes.ts';
import { measured, type Picture, rawPictures, type Slot, STEP_US, type TimedStep, timeLine } from './pictures.ts';
import { type FoundTrajectory, readTrajectories } from './read.ts';

type NaturalgaiaOptions = ImportOptions & ImportWishes & { ffmpeg: FfmpegInfo };

/**
 * Takes every trajectory of a file as a recording: its screenshots one a second, a step without input (A16) for each of its
 * steps, what it says of them as annotation. All are read and checked before the first is taken; one that is in the
 * workspace already is passed over. Throws as landRecording.
 */
export async function importNaturalgaia(
  workspace: Workspace,
  source: string,
  options: NaturalgaiaOptions,
): Promise<{ imported: Imported[]; known: string[] }> {
  const found = readTrajectories(source, options.limits ?? LIMITS);
  const imported: Imported[] = [];
  const known: string[] = [];
  for (const [at, one] of found.entries()) {
    const report = (share: number, message: string): void =>
      options.report((at + share) / found.length, `${message} (${at + 1} of ${found.length})`);
    try {
      imported.push(await takeOne(workspace, source, one, { ...options, report }));
    } catch (error) {
      const { code, details } = errorBody(error);
      if (code !== 'TARGET_EXISTS' || found.length === 1) throw error;
      known.push(String(details.recording ?? one.where));
    }
  }
  return { imported, known };
}

async function takeOne(
  workspace: Workspace,
  source: string,
  found: FoundTrajectory,
  options: NaturalgaiaOptions,
): Promise<Imported> {
  return landForeign(workspace, source, options, async (building, place) => {
    const built = await build(found, building, options.ffmpeg);
    const guessed: string[] = [];
    const placed = await place({ goal: found.trajectory.goal || undefined }, guessed);
    write(source, found, building, built, { placed, wishes: options, guessed });
  });
}

/** Slots that follow each other in one size: a segment of the master. */
type Stretch = { segment: Segment; slots: Slot[] };
type Built = { stretches: Stretch[]; steps: TimedStep[]; lost: string[] };

async function build(
  { trajectory, pictures }: FoundTrajectory,
  building: Building,
  ffmpeg: FfmpegInfo,
): Promise<Built> {
  const { folder, signal, report } = building;
  const lost: string[] = [];
  const there: (Picture | null)[] = [];
  for (const [at, path] of pictures.entries()) {
    const name = trajectory.images[at] ?? '';
    if (path === null) lost.push(`the image "${name.slice(0, 200)}": the file is not there`);
    there.push(path === null ? null : await measured(path, name));
    signal.throwIfAborted();
  }
  const { slots, steps } = timeLine(trajectory.steps, there);
  const stretches = stretchesOf(slots);
  for (const { segment, slots: own } of stretches) {
    report(segment.firstFrame / slots.length, 'writing pictures');
    await writePictureMaster(ffmpeg, join(folder, segment.file), segment, rawPictures(own), signal);
  }
  return { stretches, steps, lost };
}

function stretchesOf(slots: readonly Slot[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [at, slot] of slots.entries()) {
    const { width, height } = slot.picture;
    const last = stretches.at(-1);
    if (last && last.segment.width === width && last.segment.height === height) {
      last.slots.push(slot);
      last.segment.frames++;
      continue;
    }
    const index = stretches.length;
    const file = index === 0 ? 'screen.mkv' : `screen-${index}.mkv`;
    stretches.push({ segment: { index, file, width, height, firstFrame: at, frames: 1 }, slots: [slot] });
  }
  return stretches;
}

function framesOf(stretches: readonly Stretch[]): Frame[] {
  const frames: Frame[] = [];
  for (const { segment, slots } of stretches) {
    for (const { t } of slots) {
      const before = frames.at(-1);
      const seg = segment.index === 0 ? {} : { seg: segment.index };
      frames.push({ i: frames.length, pts: (t - slots[0]!.t) / 1000, t, ...(before && { seen: before.t }), ...seg });
    }
  }
  return frames;
}

type Writing = { placed: Placed; wishes: ImportWishes; guessed: string[] };

function write(
  source: string,
  { entry, trajectory, where }: FoundTrajectory,
  { folder }: Building,
  { stretches, steps, lost }: Built,
  { placed, wishes, guessed }: Writing,
): void {
  const first = stretches[0]?.segment;
  const display = { width: first?.width ?? 1, height: first?.height ?? 1, scale: 1 };
  const head: RawEvent[] = [
    { type: 'displays', t: 0, displays: [displayOf(display)] },
    ...stretches.map(({ segment: { index, width, height }, slots }): RawEvent => {
      return { type: 'view', t: slots[0]!.t, view: { x: 0, y: 0, width, height }, segment: index };
    }),
  ];
  writeLines(join(folder, EVENTS_FILE), [...head, ...steps.map(({ t, until }) => ({ type: 'step', t, until }))]);
  const frames = framesOf(stretches);
  writeLines(join(folder, FRAMES_FILE), frames);
  // Nothing of what it says is lost, whatever of it this program understands.
  mkdirSync(join(folder, 'attachments'), { recursive: true });
  const text = `${JSON.stringify(entry, null, 1)}\n`;
  writeFileSync(join(folder, 'attachments', 'trajectory.json'), text);
  const startedAt = isoOf(statSync(source).mtime);
  guessed.push('its times: one screenshot a second', "when it was made: the file's date");
  guessed.push(...trajectory.problems.slice(0, 20));
  lost.push('positions, keys and text of its actions: they are said in words only');
  if (trajectory.solution !== null)
    lost.push(
      `the answer "${trajectory.solution.slice(0, 200)}" as a field of its own: it stands in attachments/trajectory.json`,
    );
  const missing = steps.flatMap((step, at) => step.missing.map((role) => `the picture ${role} step ${at + 1}`));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const id = `${startedAt.slice(0, 10).replaceAll('-', '')}-gaia-${hash}`;
  writeFileSync(join(folder, ANNOTATION_FILE), annotationOf(id, head.length, trajectory));
  writeRecording(
    folder,
    recordingOf({
      id,
      origin: { source: 'naturalgaia', name: `${basename(source)} ${where}`.trim().slice(0, 300), lost, guessed },
      placed,
      wishes,
      os: { platform: 'unknown', release: '', arch: '', session: 'trajectory' },
      startedAt,
      span: { start: 0, end: (frames.at(-1)?.t ?? 0) + STEP_US },
      display,
      fps: 5,
      encoder: 'libx264rgb',
      cursor: false,
      lossless: true,
      segments: stretches.map(({ segment }) => segment),
      frames: frames.length,
      events: 0,
      sync: null,
      missing,
    }),
  );
}

/** annotation.json: the goal, one subtask, each step's action and what was thought of it, in its own words. `offset`: lines before the steps. */
function annotationOf(id: string, offset: number, { goal, steps }: FoundTrajectory['trajectory']): string {
  const action = (at: number): string => unseenId(id, offset + at);
  const records: AnnotationRecord[] = [
    { kind: 'goal', id: GOAL_ID, text: goal.slice(0, WORDS.text) },
    { kind: 'subtask', id: firstSubtaskId(action(0)), first: action(0), title: '' },
  ];
  const words = (said: string | null): string | null => said?.slice(0, WORDS.text) ?? null;
  for (const [at, step] of steps.entries()) {
    const id = action(at);
    const narration = words(step.action?.replace(/\s+/g, ' ') ?? null);
    if (narration !== null) records.push({ ...emptyLabel(id), id: labelId(id), narration });
    const reasoning = {
      thought: words(step.thought),
      actionThought: words(step.actionThought),
      observation: words(step.observation),
    };
    if (Object.values(reasoning).some((said) => said !== null)) {
      records.push({ kind: 'reasoning', id: reasoningId(id), action: id, ...reasoning });
    }
  }
  const file = { schema: 'trajectory-studio/annotation', version: ANNOTATION_VERSION, recording: id, records };
  return `${JSON.stringify(file, null, 1)}\n`;
}
