import { lstatSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { firstSubtaskId, GOAL_ID, reasoningId } from '../../../core/annotate/ids.ts';
import { emptyLabel } from '../../../core/annotate/label.ts';
import { LEAD_US, type VideocuaInput, videocuaInput } from '../../../core/import/videocua.ts';
import { plural } from '../../../core/words.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { ANNOTATION_VERSION, type AnnotationRecord } from '../../../schemas/annotation.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { RawEvent } from '../../../schemas/events.ts';
import { type VideocuaSource, videocuaSourceSchema } from '../../../schemas/import.ts';
import { TEXT_LIMITS as WORDS } from '../../../schemas/limits.ts';
import { EVENTS_FILE, FRAMES_FILE, writeRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import { ANNOTATION_FILE } from '../annotation-file.ts';
import { firstActionsOf } from '../atif/time-line.ts';
import type { Building, Imported, ImportOptions } from '../land.ts';
import { LIMITS } from '../limits.ts';
import { readBoundedJson } from '../lines.ts';
import { factsOfFilm, filmSync, lookAtFilm, type TakenFilm } from '../video/film.ts';
import { frameLines, lostOf, missingOf, writeLines } from '../video/import-video.ts';
import { displayOf, type ImportWishes, importedId, isoOf, landForeign, type Placed, recordingOf } from '../wishes.ts';

type VideocuaOptions = ImportOptions & ImportWishes & { ffmpeg: FfmpegInfo };

export const ACTION_LOG = 'action_log.json';

/**
 * Takes a task of VideoCUA: its folder, or the action_log.json in it; every action by its time in the video, and the video. Of an
 * export of ours its words come back, too. Throws as landRecording; BAD_FILE where the video is not beside it.
 */
export async function importVideocua(
  workspace: Workspace,
  source: string,
  options: VideocuaOptions,
): Promise<Imported> {
  const file = statSync(source).isDirectory() ? join(source, ACTION_LOG) : source;
  const log = readBoundedJson(file, videocuaSourceSchema, options.limits ?? LIMITS);
  const film = filmBeside(file);
  const wishes = { ...options, app: options.app ?? log.platform };
  return landForeign(workspace, source, wishes, async (building, place) => {
    const seen = await lookAtFilm(film, building, { ffmpeg: options.ffmpeg, grid: false, from: 0.1, share: 0.8 });
    const guessed: string[] = [];
    const placed = await place({ goal: log.task_instruction.slice(0, WORDS.text) }, guessed);
    write({ file, film, log }, building, { seen, placed, wishes, guessed });
  });
}

/** `video/video.mp4`, or the only video there or beside the log. */
function filmBeside(file: string): string {
  const folder = dirname(file);
  for (const place of [join(folder, 'video'), folder]) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    const films = readdirSync(place, { withFileTypes: true }).filter(
      (entry) => entry.isFile() && /\.(?:mp4|mkv|mov|webm|m4v)$/i.test(entry.name),
    );
    const own = films.find(({ name }) => name === 'video.mp4') ?? (films.length === 1 ? films[0] : undefined);
    if (own) return join(place, own.name);
  }
  throw new StudioError(
    'BAD_FILE',
    `${file} is a log of VideoCUA, and its video is not beside it. Put it at video/video.mp4 in the same folder. Nothing was kept.`,
    { file },
  );
}

type Source = { file: string; film: string; log: VideocuaSource };
type Writing = { seen: TakenFilm; placed: Placed; wishes: ImportWishes; guessed: string[] };

function write({ file, film, log }: Source, { folder }: Building, { seen, placed, wishes, guessed }: Writing): void {
  const { video, analysis } = seen;
  const size = { width: video.width, height: video.height };
  const display = { ...size, scale: 1 };
  const head: RawEvent[] = [
    { type: 'displays', t: 0, displays: [displayOf(display)] },
    { type: 'view', t: 0, view: { x: 0, y: 0, ...size }, segment: 0 },
  ];
  const input = videocuaInput(log.action_log, { offset: head.length, size });
  if (input.steps.length === 0)
    throw new StudioError('BAD_FILE', `${file}: none of its actions is known${whyOf(input)}. Nothing was kept.`, {
      file,
    });
  writeLines(join(folder, EVENTS_FILE), [...head, ...input.events]);
  const time = (pts: number): number => input.timeOf(pts / 1000);
  writeLines(join(folder, FRAMES_FILE), frameLines(analysis.frames, time));
  const startedAt = isoOf(statSync(film).mtime);
  const id = importedId(startedAt, [file, film]);
  const events = { events: input.events, spans: input.steps };
  writeFileSync(join(folder, ANNOTATION_FILE), annotationOf(id, log, input, firstActionsOf(id, head, events)));
  const lost = [...lostOf(video), ...[...input.lost].map(([why, count]) => `${plural(count, 'action')}: ${why}`)];
  guessed.push(
    input.recorded
      ? 'its times: those of the recording that it was exported from; the video shows a picture a second'
      : `its times: the video's, ${LEAD_US / 1000} ms before those of the log, so that the screen before each is seen`,
    'how long each press took: the log has one time for it',
    "when it was made: the video's date",
  );
  const last = Math.max(input.events.at(-1)?.t ?? 0, time(analysis.frames.at(-1)?.pts ?? 0));
  writeRecording(
    folder,
    recordingOf({
      id,
      origin: { source: 'videocua', name: `${log.task_id} (VideoCUA)`.slice(0, 300), lost, guessed },
      placed,
      wishes,
      os: { platform: 'unknown', release: '', arch: '', session: 'import' },
      startedAt,
      span: { start: 0, end: Math.max(1, last) },
      display,
      ...factsOfFilm(seen, size),
      events: input.events.length,
      sync: filmSync(LEAD_US, { known: true, message: `the times of its log, ± ${LEAD_US / 1000} ms.` }),
      missing: missingOf(video, analysis),
    }),
  );
}

const whyOf = ({ lost }: VideocuaInput): string =>
  lost.size === 0 ? '' : ` (${[...lost.keys()].slice(0, 3).join('; ')})`;

/** annotation.json: the goal, and of an export of ours the subtasks and words of each step. */
function annotationOf(
  id: string,
  { task_instruction: goal }: VideocuaSource,
  { steps }: VideocuaInput,
  actions: readonly (string | null)[],
): string {
  const records: AnnotationRecord[] = [{ kind: 'goal', id: GOAL_ID, text: goal.slice(0, WORDS.text) }];
  let open: string | null | undefined;
  for (const [at, { words }] of steps.entries()) {
    const action = actions[at];
    if (!action) continue;
    if (open === undefined || words.subtask !== open) {
      const title = (words.subtask ?? '').slice(0, WORDS.text);
      records.push({ kind: 'subtask', id: firstSubtaskId(action), first: action, title });
      open = words.subtask;
    }
    const [narration, element] = [words.narration?.slice(0, WORDS.text), words.element?.slice(0, WORDS.name)];
    if (narration !== undefined || element !== undefined)
      records.push({ ...emptyLabel(action), narration: narration ?? null, element: element ?? null });
    const thought = words.thought?.slice(0, WORDS.text);
    if (thought !== undefined)
      records.push({
        kind: 'reasoning',
        id: reasoningId(action),
        action,
        thought,
        actionThought: null,
        observation: null,
      });
  }
  const file = { schema: 'trajectory-studio/annotation', version: ANNOTATION_VERSION, recording: id, records };
  return `${JSON.stringify(file, null, 1)}\n`;
}
