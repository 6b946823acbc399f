import { createHash } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unseenId } from '../../../core/actions/unseen.ts';
import { boxId, firstSubtaskId, GOAL_ID, labelId, reasoningId } from '../../../core/annotate/ids.ts';
import { emptyLabel } from '../../../core/annotate/label.ts';
import { type ActionPlace, actionPlace } from '../../../core/import/action-places.ts';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { writePictureMaster } from '../../../native/ffmpeg/picture-master.ts';
import { ANNOTATION_VERSION, type AnnotationRecord } from '../../../schemas/annotation.ts';
import { errorBody } from '../../../schemas/errors.ts';
import type { RawEvent } from '../../../schemas/events.ts';
import { TEXT_LIMITS as WORDS } from '../../../schemas/limits.ts';
import type { Workspace } from '../../store/workspace.ts';
import { ANNOTATION_FILE } from '../annotation-file.ts';
import type { Building, Imported, ImportOptions } from '../land.ts';
import { LIMITS } from '../limits.ts';
import { type ImportWishes, isoOf, landForeign, type Placed } from '../wishes.ts';
import { type GaiaPicture, measured, rawPictures, STEP_US, type TimedStep, timeLine } from './pictures.ts';
import { type FoundTrajectory, readTrajectories } from './read.ts';
import { type Stretch, screenEvents, stretchesOf, writeTrajectory } from './stretches.ts';

type NaturalgaiaOptions = ImportOptions & ImportWishes & { ffmpeg: FfmpegInfo };

/**
 * Takes every trajectory of a file as a recording: its screenshots one a second, a step without input (A16) for each of its
 * steps, what it says of them as annotation, its answer as the task's. All are read and checked before the first is taken; one that is in the
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
    const { goal, solution } = found.trajectory;
    const placed = await place({ goal: goal || undefined, answer: solution?.slice(0, WORDS.text) }, guessed);
    write(source, found, building, built, { placed, wishes: options, guessed });
  });
}

/** A step, and where its words say that it was done, in px of its picture. */
type PlacedStep = TimedStep & { place: ActionPlace | null };
type Built = { stretches: Stretch[]; steps: PlacedStep[]; lost: string[] };

async function build(
  { trajectory, pictures }: FoundTrajectory,
  building: Building,
  ffmpeg: FfmpegInfo,
): Promise<Built> {
  const { folder, signal, report } = building;
  const lost: string[] = [];
  const there: (GaiaPicture | null)[] = [];
  for (const [at, path] of pictures.entries()) {
    const name = trajectory.images[at] ?? '';
    if (path === null) lost.push(`the image "${name.slice(0, 200)}": the file is not there`);
    there.push(path === null ? null : await measured(path, name));
    signal.throwIfAborted();
  }
  const { slots, steps: timed } = timeLine(trajectory.steps, there);
  const steps = timed.map((step, at): PlacedStep => {
    const { action, actionThought, before } = trajectory.steps[at]!; // As many as there are.
    // Without a picture of its own nobody can tell what the numbers mean; without one after it there is no time to do it in.
    const picture = before === null ? null : (there[before] ?? null);
    return { ...step, place: step.until > step.t ? actionPlace(action, picture, actionThought) : null };
  });
  const stretches = stretchesOf(slots);
  for (const { segment, slots: own } of stretches) {
    report(segment.firstFrame / slots.length, 'writing pictures');
    await writePictureMaster(ffmpeg, join(folder, segment.file), segment, rawPictures(own), signal);
  }
  return { stretches, steps, lost };
}

type Writing = { placed: Placed; wishes: ImportWishes; guessed: string[] };

function write(
  source: string,
  { entry, trajectory, where }: FoundTrajectory,
  { folder }: Building,
  { stretches, steps, lost }: Built,
  { placed, wishes, guessed }: Writing,
): void {
  const head = screenEvents(stretches);
  const { events, actions } = eventsOf(steps, head.length);
  // Nothing of what it says is lost, whatever of it this program understands.
  mkdirSync(join(folder, 'attachments'), { recursive: true });
  const text = `${JSON.stringify(entry, null, 1)}\n`;
  writeFileSync(join(folder, 'attachments', 'trajectory.json'), text);
  const startedAt = isoOf(statSync(source).mtime);
  guessed.push('its times: one screenshot a second', "when it was made: the file's date");
  append(guessed, trajectory.problems.slice(0, 20));
  const found = steps.filter(({ place }) => place !== null).length;
  if (found > 0)
    guessed.push(
      `where ${found} of ${plural(steps.length, 'step')} were done: as their words say it, in px of their pictures`,
    );
  lost.push(`${found > 0 ? 'other ' : ''}positions, keys and text of its actions: they are said in words only`);
  const { solution } = trajectory;
  if (solution !== null && placed.answer !== solution) {
    const why =
      solution.length > WORDS.text
        ? `beyond its first ${WORDS.text} characters`
        : `for task ${placed.task.id}, which has another one`;
    lost.push(`the answer "${solution.slice(0, 200)}" ${why}: it stands whole in attachments/trajectory.json`);
  }
  const missing = steps.flatMap((step, at) => step.missing.map((role) => `the picture ${role} step ${at + 1}`));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const id = `${startedAt.slice(0, 10).replaceAll('-', '')}-gaia-${hash}`;
  writeFileSync(join(folder, ANNOTATION_FILE), annotationOf(id, trajectory, steps, actions));
  writeTrajectory(folder, {
    stretches,
    events: [...head, ...events],
    lastUs: STEP_US,
    id,
    origin: { source: 'naturalgaia', name: `${basename(source)} ${where}`.trim().slice(0, 300), lost, guessed },
    placed,
    wishes,
    startedAt,
    missing,
  });
}

/** Times of a click and a drag within the second of a step, µs after its picture. */
const [PRESS, RELEASE, LONG_RELEASE] = [0.4e6, 0.46e6, 0.96e6] as const;
/** From one press of a double click to the next. */
const AGAIN = 0.12e6;

/**
 * The steps as raw events: input where the place is known, else a `step` (A16). `actions` gives for each step, by the
 * recording's id, how its action is called. `offset`: lines before them.
 */
function eventsOf(
  steps: readonly PlacedStep[],
  offset: number,
): { events: RawEvent[]; actions: ((recording: string) => string)[] } {
  const events: RawEvent[] = [];
  const actions = steps.map(({ t, until, place }) => {
    const index = offset + events.length;
    if (place === null) {
      events.push({ type: 'step', t, until });
      return (recording: string) => unseenId(recording, index);
    }
    append(events, inputOf(place, t));
    return (recording: string) => `${recording}:${index}`;
  });
  return { events, actions };
}

function inputOf(place: ActionPlace, t: number): RawEvent[] {
  const button = 'left' as const;
  if (place.kind === 'drag') {
    const { from, to } = place;
    return [
      { type: 'down', t: t + PRESS, ...from, button },
      { type: 'move', t: t + PRESS + 0.2e6, ...to },
      { type: 'up', t: t + PRESS + 0.3e6, ...to, button },
    ];
  }
  const { point, count, isLong } = place;
  return Array.from({ length: count }, (_, at): RawEvent[] => [
    { type: 'down', t: t + PRESS + at * AGAIN, ...point, button },
    { type: 'up', t: t + (isLong ? LONG_RELEASE : RELEASE) + at * AGAIN, ...point, button },
  ]).flat();
}

/** annotation.json: the goal, one subtask, each step's action, box and what was thought of it, in its own words. */
function annotationOf(
  id: string,
  { goal, steps }: FoundTrajectory['trajectory'],
  placed: readonly PlacedStep[],
  actions: readonly ((recording: string) => string)[],
): string {
  const action = (at: number): string => actions[at]!(id); // One for each step.
  const records: AnnotationRecord[] = [
    { kind: 'goal', id: GOAL_ID, text: goal.slice(0, WORDS.text) },
    { kind: 'subtask', id: firstSubtaskId(action(0)), first: action(0), title: '' },
  ];
  const words = (said: string | null): string | null => said?.slice(0, WORDS.text) ?? null;
  for (const [at, step] of steps.entries()) {
    const id = action(at);
    const narration = words(step.action?.replace(/\s+/g, ' ') ?? null);
    if (narration !== null) records.push({ ...emptyLabel(id), id: labelId(id), narration });
    const place = placed[at]?.place;
    if (place?.kind === 'click' && place.box !== null) {
      const box = {
        kind: 'box' as const,
        id: boxId(id, 'target'),
        action: id,
        role: 'target' as const,
        box: place.box,
      };
      records.push({ ...box, source: 'import', confidence: 1 });
    }
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
