import type { Action } from '../../schemas/actions.ts';
import type { JudgementShown } from '../../schemas/api/judges.ts';
import type { ProofState } from '../../schemas/dataset.ts';
import type { Rect } from '../../schemas/events.ts';
import type { RecordingState, TaskKind } from '../../schemas/task-terms.ts';
import type { Origins } from '../annotate/origins.ts';
import type { JudgedStep } from '../review/judged.ts';
import type { PersonSaid } from '../review/outcome.ts';

/**
 * The start of every export, whatever its format: tasks with their subtasks and actions, as annotated, with their
 * pictures as files. Built once by the studio from the database and the recordings; each format projects it.
 */

/** A still on the disk. `origin` is its top left on the virtual desktop, px: a position minus it is the pixel in it. */
export type PictureRef = { path: string; width: number; height: number; origin: { x: number; y: number } };

/**
 * A picture or a video of the visual query. `given`: a file that somebody kept with the task for it, in its own bytes, with
 * its ending (`.mp4`) by what it is; absent: a still of the recording stands in.
 */
export type MediaRef = { path: string; given?: { ending: string } };

/** Purpose of a file that is kept with a task; `recording`: it was kept with the recording. */
const FILE_ROLES = [
  'material',
  'project',
  'result',
  'source-video',
  'transcript',
  'recipe',
  'checks',
  'query-start',
  'query-end',
  'recording',
] as const;
export type FileRole = (typeof FILE_ROLES)[number];

/** `name`: as the person called it, no path. Without a role it was kept with the recording. */
export type TaskFile = { path: string; name?: string; role?: FileRole };

/** A pixel in a picture's own frame. */
export type PicturePoint = [x: number, y: number];

export type ExportAction = {
  /** The action's stable id (its recording and first raw event); never renumbered. */
  id: string;
  /** From 1 inside its subtask. A gap stands for an action that was left out, and is reported. */
  rank: number;
  recording: string;
  /** Positions in it are px of the virtual desktop. */
  action: Action;
  narration: string;
  /** Nobody wrote the narration or named what it speaks of: it says pixels (N11). */
  pixels?: true;
  /** `box` in the frame of `beforeImage`. */
  element: { name: string; box: Rect | null } | null;
  /** K1, K2. Null when there is no still; such an action cannot stand in a data set of pictures. */
  beforeImage: PictureRef | null;
  afterImage: PictureRef | null;
  /** Start and end in the frame of `beforeImage`, never clamped: made by `picturePositions`. */
  positions: { start: PicturePoint; end: PicturePoint } | null;
  /** A person's description of a drag (videogui.txt A.1); absent or null for other actions and where there is none. */
  drag?: DragWords | null;
  /**
   * The person's own words on the step (naturalgaia.txt 4.3), null where nobody did, never made up: the plan behind it, why
   * this element and this kind of action, and what the screen after it shows of its outcome.
   */
  thought: string | null;
  actionThought: string | null;
  observation: string | null;
  /** The judges' answers about it; absent where nobody judged it. */
  judged?: JudgedStep;
  /** Fields whose words come from a model's draft; a narration that is made from such a name is one. Absent: none. */
  drafted?: Origins;
  /** In a model's run: whose it is, since a person may have taken it over. Absent: a person's. */
  by?: 'agent' | 'person';
  /** Models' answers to this step. Absent: none was asked. */
  candidates?: readonly ExportCandidate[];
};

/** An answer to a step, with its rewards. */
export type ExportCandidate = {
  id: string;
  model: string;
  /** The question that it answers; the picture is `beforeImage`. */
  system: string;
  prompt: string;
  text: string;
  /** How far it is what the person did, 0 to 1. */
  reward: number;
  /** A judge's word: 1 right, 0 wrong; of people the share that say it is right. Null: nobody said. */
  judges: 0 | 1 | null;
  people: number | null;
};

/** A drag's names, purpose and kind, null where nobody gave one; `endBox` in the frame of `beforeImage`. */
export type DragWords = {
  startName: string | null;
  endName: string | null;
  purpose: string | null;
  kind: 'movement' | 'resizing' | null;
  endBox: Rect | null;
};

/** The system that was recorded. */
export type PlatformName = 'linux' | 'windows' | 'macos';

export type ExportSubtask = {
  /** Rank from 1 inside the task. */
  id: number;
  /** Its title; empty where nobody gave one. Of a recording that is one subtask, its goal. */
  query: string;
  /** K3: the first action's `before`, the last action's `after`. */
  startImage: PictureRef | null;
  endImage: PictureRef | null;
  actions: ExportAction[];
  /** Its title, where that comes from a model's draft. */
  drafted?: Origins;
};

export type ExportRecording = {
  id: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** The screen's video, for the raw log; null when it is not kept. */
  video: string | null;
};

/** A model's run that a recording is. `success`, `score`: its checks'. `helped`: how often a person took it over. */
export type ExportRun = {
  agent: string;
  model: string;
  how: string;
  success: boolean;
  score: number;
  helped: number;
  /** Words on its outcome beside the checks': of judges, 1 or 0; of people in the arena, 0 to 1. Null or absent: none. */
  rewards?: { judges: 0 | 1 | null; people: number | null };
  /** The agent's own answer; null or absent: it gave none. */
  answer?: string | null;
};

/** A panel of models' word on a recording. `own`: it was asked in this workspace. */
export type ExportJudging = Omit<JudgementShown, 'recording' | 'task' | 'replays' | 'refused'>;

/** The word of models that were asked as judges, and of people who reviewed, on a recording. */
export type ExportSaid = {
  people: readonly PersonSaid[];
  /** The last verdict of anybody on it rejects it for what was done. */
  rejected: boolean;
  /** The newest of each panel, the newest first. */
  judgings: readonly ExportJudging[];
};

export type ExportTask = {
  /** The benchmark's form: software prefix, underscore, number (`PPT_15`). */
  id: string;
  /** The task's own id, where this is another recording of it (`PPT_15-2`); absent: it is the one that goes out. */
  another?: string;
  app: {
    id: string;
    name: string;
    prefix: string;
    /** Its purpose, in words ("Media editing"); empty or absent: unknown. */
    category?: string;
  };
  /** Absent: full. */
  kind?: TaskKind;
  /** The full task's goal in words. */
  goal: string;
  recordings: ExportRecording[];
  state: RecordingState;
  /** K3: without `start` the end alone is the query. */
  visualQuery: { start: MediaRef | null; end: MediaRef | null };
  subtasks: ExportSubtask[];
  /** The task's answer in words, where it asks a question and somebody wrote it down; null otherwise. */
  answer: string | null;
  /** The split of the data set that it stands in (train, …); null or absent: in none. */
  split?: string | null;
  /** The word of `verify` on its recording; absent: untried. */
  proof?: ProofState;
  /** Absent: a person's demonstration. */
  run?: ExportRun;
  /** Absent: nobody wanted it, or it is of a frozen version, which holds what is settled alone. */
  said?: ExportSaid;
  /** Null when the recordings do not say. */
  platform: PlatformName | null;
  /** Where it is to be done, in the words of who made the task ("Windows 11", "Web"); empty or absent: nobody said. */
  platformWords?: string;
  /** The instructional video that was followed (a link or a name); null when there is none. */
  source: string | null;
  /** Size of the captured screen, px. */
  resolution: { width: number; height: number };
  /** The demonstration's length, µs. */
  durationUs: number;
  /** Files that are kept with it, but for those of its visual query. */
  attachments?: TaskFile[];
  /** Moments that the person marked while recording, and marks that they gave words. Absent: none, or not known. */
  marks?: ExportMark[];
};

/** `t`: µs on its recording's clock. A mark of a `subtask` divides it; a `moment` is one to come back to. */
export type ExportMark = { recording: string; t: number; kind: 'subtask' | 'moment'; words: string };

/**
 * Something that an export leaves out. `item` is `TASK`, `TASK/SUBTASK` or `TASK/SUBTASK/ACTION` by id and ranks; `from` is the
 * part of the export that lacks it (`VideoGUI-Action`), `*` for all of it. A missing item covers everything below it.
 */
export type LeftOut = { item: string; from: string; reason: string };

/** An action's two positions in a picture's own frame (A13): px of the virtual desktop minus the picture's origin. */
export function picturePositions(
  action: Pick<Action, 'start' | 'end'>,
  picture: PictureRef | null,
): ExportAction['positions'] {
  if (!picture) return null;
  const { origin } = picture;
  const inside = ({ x, y }: Action['start']): PicturePoint | null =>
    x === null || y === null ? null : [x - origin.x, y - origin.y];
  const [start, end] = [inside(action.start), inside(action.end)];
  return start && end && { start, end };
}

/** Whether a pixel exists in the picture: 0 to width - 1, 0 to height - 1. */
export function isInside([x, y]: PicturePoint, { width, height }: Pick<PictureRef, 'width' | 'height'>): boolean {
  return x >= 0 && y >= 0 && x < width && y < height;
}

/** `PPT_15/2/5`: the name of a task, subtask or action in reports. */
export function itemName(task: string, ...ranks: number[]): string {
  return [task, ...ranks].join('/');
}

/** Tasks by software prefix, then number (`PPT_2` before `PPT_15`), so that an export does not depend on their order. */
export function byTaskId(a: { id: string }, b: { id: string }): number {
  const [aPrefix, aNumber, aPlace] = taskIdParts(a.id);
  const [bPrefix, bNumber, bPlace] = taskIdParts(b.id);
  if (aPrefix !== bPrefix) return aPrefix < bPrefix ? -1 : 1;
  return aNumber - bNumber || aPlace - bPlace || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function taskIdParts(id: string): [prefix: string, number: number, place: number] {
  const match = /^(.*)_(\d+)(?:-(\d+))?$/.exec(id);
  return match ? [match[1]!, Number(match[2]), Number(match[3] ?? 1)] : [id, 0, 1];
}
