import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { firstSubtaskId, GOAL_ID, labelId, reasoningId } from '../../../core/annotate/ids.ts';
import { emptyLabel } from '../../../core/annotate/label.ts';
import { type AtifSteps, ORIGINAL_FILE, STEPS_FILE } from '../../../core/export/atif/original.ts';
import { plural } from '../../../core/words.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { writePictureMaster } from '../../../native/ffmpeg/picture-master.ts';
import { ANNOTATION_VERSION, type AnnotationRecord } from '../../../schemas/annotation.ts';
import type { RawEvent } from '../../../schemas/events.ts';
import { TEXT_LIMITS as WORDS } from '../../../schemas/limits.ts';
import { ATTACHMENTS_FOLDER } from '../../recordings/folders.ts';
import { EVENTS_FILE, FRAMES_FILE, writeRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import { ANNOTATION_FILE } from '../annotation-file.ts';
import type { Building, Imported, ImportOptions } from '../land.ts';
import { LIMITS } from '../limits.ts';
import { type GaiaPicture, measured, rawPictures } from '../naturalgaia/pictures.ts';
import { type Stretch, slotFrames, stretchesOf } from '../naturalgaia/stretches.ts';
import { writeLines } from '../video/import-video.ts';
import { atifIn } from '../what-is-it.ts';
import { displayOf, type ImportWishes, isoOf, landForeign, type Placed, recordingOf } from '../wishes.ts';
import { type FoundRun, readRun } from './read.ts';
import { LAST_US, type TimedRun, timedRun } from './time-line.ts';

type AtifOptions = ImportOptions & ImportWishes & { ffmpeg: FfmpegInfo };

/**
 * Takes an agent's run as a recording: its screens, its clicks and keys where its calls tell them, else steps without input (A16),
 * what it said as annotation. The run's own text and pictures are kept as they are, so that an export as ATIF gives them back.
 * Throws as landRecording.
 */
export function importAtif(workspace: Workspace, source: string, options: AtifOptions): Promise<Imported> {
  const file = statSync(source).isDirectory() ? (atifIn(source) ?? source) : source;
  const found = readRun(file, options.limits ?? LIMITS);
  return landForeign(workspace, source, options, async (building, place) => {
    const built = await build(found, file, building, options.ffmpeg);
    const guessed: string[] = [];
    const placed = await place({ goal: found.screen.goal.slice(0, WORDS.text) || undefined }, guessed);
    write(file, found, building, built, { placed, wishes: options, guessed });
  });
}

const ENDING = /\.(?:png|jpe?g|gif|webp)$/i;

type Built = { stretches: Stretch[]; timed: TimedRun; kept: AtifSteps['pictures']; id: string; startedAt: string };

async function build(
  { text, run, screen, pictures }: FoundRun,
  file: string,
  building: Building,
  ffmpeg: FfmpegInfo,
): Promise<Built> {
  const { folder, signal, report } = building;
  mkdirSync(join(folder, ATTACHMENTS_FOLDER), { recursive: true });
  writeFileSync(join(folder, ATTACHMENTS_FOLDER, ORIGINAL_FILE), text);
  const kept: Built['kept'] = [];
  const measuredOnes = new Map<string, GaiaPicture>();
  for (const [path, from] of pictures) {
    signal.throwIfAborted();
    if (from === null) continue;
    measuredOnes.set(path, await measured(from, path));
    const ending = ENDING.exec(from)?.[0].toLowerCase() ?? '.png';
    const name = `atif-${kept.length + 1}${ending}`;
    copyFileSync(from, join(folder, ATTACHMENTS_FOLDER, name));
    kept.push({ path, file: name });
  }
  const said = run.steps.find(({ timestamp }) => timestamp != null)?.timestamp;
  const startedAt = isoOf(said == null ? statSync(file).mtime : new Date(said));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const timed = timedRun(
    screen.steps,
    screen.pictures.map((path) => measuredOnes.get(path) ?? null),
  );
  const stretches = stretchesOf(timed.slots);
  for (const { segment, slots } of stretches) {
    report(segment.firstFrame / timed.slots.length, 'writing pictures');
    await writePictureMaster(ffmpeg, join(folder, segment.file), segment, rawPictures(slots), signal);
  }
  return { stretches, timed, kept, startedAt, id: `${startedAt.slice(0, 10).replaceAll('-', '')}-atif-${hash}` };
}

type Writing = { placed: Placed; wishes: ImportWishes; guessed: string[] };

function write(
  file: string,
  { run, screen, pictures }: FoundRun,
  { folder }: Building,
  { stretches, timed, kept, id, startedAt }: Built,
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
  const { events, spans, actions, unread } = timed.eventsAfter(id, head);
  writeLines(join(folder, EVENTS_FILE), [...head, ...events]);
  const frames = slotFrames(stretches);
  writeLines(join(folder, FRAMES_FILE), frames);
  const steps: AtifSteps = {
    schema: 'trajectory-studio/atif-steps',
    version: 1,
    steps: spans.map(({ from, to }, at) => ({ step: screen.steps[at]!.step, from, to })),
    pictures: kept,
  };
  writeFileSync(join(folder, ATTACHMENTS_FOLDER, STEPS_FILE), `${JSON.stringify(steps, null, 1)}\n`);
  writeFileSync(join(folder, ANNOTATION_FILE), annotationOf(id, screen, actions));
  const lost = [...pictures].flatMap(([path, from]) =>
    from === null ? [`the picture "${path.slice(0, 200)}": it is not there, and nothing is fetched`] : [],
  );
  if (screen.unseen > 0)
    lost.push(`${plural(screen.unseen, 'step')} of the agent without a screen: kept in attachments/${ORIGINAL_FILE}`);
  for (const [why, count] of unread) lost.push(`what ${plural(count, 'step')} did, beside words and screens: ${why}`);
  guessed.push('its times: four seconds a step and more where it typed');
  if (!run.steps.some(({ timestamp }) => timestamp != null)) guessed.push("when it was made: the file's date");
  const missing = timed.steps.flatMap((step, at) =>
    step.missing.map((role) => `the picture ${role} step ${screen.steps[at]!.step}`),
  );
  writeRecording(
    folder,
    recordingOf({
      id,
      origin: { source: 'agent', name: `${basename(file)} (${run.agent.name})`.slice(0, 300), lost, guessed },
      placed,
      wishes,
      os: { platform: 'unknown', release: '', arch: '', session: 'trajectory' },
      startedAt,
      span: { start: 0, end: (frames.at(-1)?.t ?? 0) + LAST_US },
      display,
      fps: 5,
      encoder: 'libx264rgb',
      cursor: false,
      lossless: true,
      segments: stretches.map(({ segment }) => segment),
      frames: frames.length,
      events: events.filter(({ type }) => type !== 'step').length,
      sync: null,
      missing,
    }),
  );
}

/** annotation.json: the goal, one subtask, and of each step its own words, at its first action. */
function annotationOf(id: string, { goal, steps }: FoundRun['screen'], actions: readonly (string | null)[]): string {
  const words = (said: string | null): string | null => said?.slice(0, WORDS.text) ?? null;
  const records: AnnotationRecord[] = [{ kind: 'goal', id: GOAL_ID, text: goal.slice(0, WORDS.text) }];
  const first = actions.find((action) => action !== null);
  if (first) records.push({ kind: 'subtask', id: firstSubtaskId(first), first, title: '' });
  for (const [at, { message, thought, observation }] of steps.entries()) {
    const action = actions[at];
    if (!action) continue;
    const narration = words(message?.replace(/\s+/g, ' ') ?? null);
    if (narration !== null) records.push({ ...emptyLabel(action), id: labelId(action), narration });
    const reasoning = { thought: words(thought), actionThought: null, observation: words(observation) };
    if (reasoning.thought !== null || reasoning.observation !== null)
      records.push({ kind: 'reasoning', id: reasoningId(action), action, ...reasoning });
  }
  const file = { schema: 'trajectory-studio/annotation', version: ANNOTATION_VERSION, recording: id, records };
  return `${JSON.stringify(file, null, 1)}\n`;
}
