import { createHash } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstSubtaskId, GOAL_ID, labelId, reasoningId } from '../../core/annotate/ids.ts';
import { emptyLabel } from '../../core/annotate/label.ts';
import type { RunStep } from '../../core/import/atif.ts';
import { append } from '../../core/lists.ts';
import { plural } from '../../core/words.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { writePictureMaster } from '../../native/ffmpeg/picture-master.ts';
import { ANNOTATION_VERSION, type AnnotationRecord } from '../../schemas/annotation.ts';
import { TEXT_LIMITS as WORDS } from '../../schemas/limits.ts';
import { ATTACHMENTS_FOLDER } from '../recordings/folders.ts';
import type { Workspace } from '../store/workspace.ts';
import { ANNOTATION_FILE } from './annotation-file.ts';
import { LAST_US, type TimedRun, timedRun } from './atif/time-line.ts';
import type { Building, Imported, ImportOptions } from './land.ts';
import { type GaiaPicture, measured, rawPictures } from './naturalgaia/pictures.ts';
import { type Stretch, screenEvents, stretchesOf, writeTrajectory } from './naturalgaia/stretches.ts';
import { type ImportWishes, isoOf, landForeign, type Placed } from './wishes.ts';

export type RunOptions = ImportOptions & ImportWishes & { ffmpeg: FfmpegInfo };

/** An agent's run that another program kept: steps with the screens before and after them. */
export type ForeignRun = {
  /** Of which form; its files in attachments/ and its id begin so. */
  form: 'atif' | 'osworld';
  /** Its own text, which makes its id. */
  text: string;
  /** `origin.name`. */
  name: string;
  goal: string;
  steps: readonly RunStep[];
  /** How messages name each step: "step 3". */
  places: readonly string[];
  /** The pictures that the steps show, by their order, each by its name in `files`; null: there is none. */
  shown: readonly (string | null)[];
  /** Every picture by the name that it has there; null: it did not come. */
  files: ReadonlyMap<string, string | null>;
  /** When it was made; `isGuess`: the file's date. */
  startedAt: Date;
  isGuess: boolean;
  lost: readonly string[];
  guessed: readonly string[];
  /** Writes what is kept of it into attachments/. */
  keep(folder: string, kept: RunPictures, spans: readonly { from: number; to: number }[]): void;
};
/** Its pictures as they are kept: the name there, and the file in attachments/. */
export type RunPictures = { path: string; file: string }[];

/**
 * Takes an agent's run as a recording of origin `agent`: its screens, its clicks and keys where they can be read, else steps without
 * input (A16), what it said as annotation. Its own text and pictures are kept. `found`: reads it, perhaps with files of its own in
 * the folder that is built. Throws as landRecording.
 */
export function landRun(
  workspace: Workspace,
  source: string,
  options: RunOptions,
  found: (building: Building) => Promise<ForeignRun>,
): Promise<Imported> {
  return landForeign(workspace, source, options, async (building, place) => {
    const run = await found(building);
    const built = await build(run, building, options.ffmpeg);
    const guessed: string[] = [...run.guessed];
    const placed = await place({ goal: run.goal.slice(0, WORDS.text) || undefined }, guessed);
    await write(run, building, built, { placed, wishes: options, guessed });
  });
}

const ENDING = /\.(?:png|jpe?g|gif|webp)$/i;

type Built = { stretches: Stretch[]; timed: TimedRun; kept: RunPictures; id: string; startedAt: string };

async function build(run: ForeignRun, building: Building, ffmpeg: FfmpegInfo): Promise<Built> {
  const { folder, signal, report } = building;
  await mkdir(join(folder, ATTACHMENTS_FOLDER), { recursive: true });
  const kept: RunPictures = [];
  const measuredOnes = new Map<string, GaiaPicture>();
  for (const [path, from] of run.files) {
    signal.throwIfAborted();
    if (from === null) continue;
    measuredOnes.set(path, await measured(from, path));
    const ending = ENDING.exec(from)?.[0].toLowerCase() ?? '.png';
    const name = `${run.form}-${kept.length + 1}${ending}`;
    await copyFile(from, join(folder, ATTACHMENTS_FOLDER, name));
    kept.push({ path, file: name });
  }
  const startedAt = isoOf(run.startedAt);
  const hash = createHash('sha256').update(run.text).digest('hex').slice(0, 8);
  const timed = timedRun(
    run.steps,
    run.shown.map((path) => (path === null ? null : (measuredOnes.get(path) ?? null))),
  );
  const stretches = stretchesOf(timed.slots);
  for (const { segment, slots } of stretches) {
    report(segment.firstFrame / timed.slots.length, 'writing pictures');
    await writePictureMaster(ffmpeg, join(folder, segment.file), segment, rawPictures(slots), signal);
  }
  return { stretches, timed, kept, startedAt, id: `${startedAt.slice(0, 10).replaceAll('-', '')}-${run.form}-${hash}` };
}

type Writing = { placed: Placed; wishes: ImportWishes; guessed: string[] };

async function write(
  run: ForeignRun,
  { folder }: Building,
  { stretches, timed, kept, id, startedAt }: Built,
  { placed, wishes, guessed }: Writing,
): Promise<void> {
  const head = screenEvents(stretches);
  const { events, spans, actions, unread } = timed.eventsAfter(id, head);
  run.keep(join(folder, ATTACHMENTS_FOLDER), kept, spans);
  await writeFile(join(folder, ANNOTATION_FILE), annotationOf(id, run, actions));
  const lost = [...run.files].flatMap(([path, from]) =>
    from === null ? [`the picture "${path.slice(0, 200)}": it is not there, and nothing is fetched`] : [],
  );
  append(lost, run.lost);
  for (const [why, count] of unread) lost.push(`what ${plural(count, 'step')} did, beside words and screens: ${why}`);
  guessed.push('its times: four seconds a step and more where it typed');
  if (run.isGuess) guessed.push("when it was made: the file's date");
  const missing = timed.steps.flatMap((step, at) =>
    step.missing.map((role) => `the picture ${role} ${run.places[at]}`),
  );
  writeTrajectory(folder, {
    stretches,
    events: [...head, ...events],
    lastUs: LAST_US,
    id,
    origin: { source: 'agent', name: run.name.slice(0, 300), lost, guessed },
    placed,
    wishes,
    startedAt,
    missing,
  });
}

/** annotation.json: the goal, one subtask, and of each step its own words, at its first action. */
function annotationOf(id: string, { goal, steps }: ForeignRun, actions: readonly (string | null)[]): string {
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
