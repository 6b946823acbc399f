import type { Action } from '../../schemas/actions.ts';
import type { Rect } from '../../schemas/events.ts';

/**
 * What every export starts from, whatever its format: tasks with their subtasks and actions, as annotated, with their
 * pictures as files. Built once by the studio from the database and the recordings; each format projects it.
 */

/** A still on the disk. `origin` is its top left on the virtual desktop, px: a position minus it is the pixel in it. */
export type PictureRef = { path: string; width: number; height: number; origin: { x: number; y: number } };

/** Any file: a picture or a video of the visual query, a project file. */
type MediaRef = { path: string };

/** States of the annotation work (annotation.md, pattern 18). */
const TASK_STATES = ['recorded', 'annotating', 'annotated', 'in-review', 'rejected', 'approved'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** A pixel in a picture's own frame. */
export type PicturePoint = [x: number, y: number];

/** Software prefix, underscore, number: `PPT_15`, `AE_19`. Also safe as a folder's name. */
export const TASK_ID = /^[A-Za-z][A-Za-z0-9-]*_\d+$/;

export type ExportAction = {
  /** The action's stable id (its recording and first raw event); never renumbered. */
  id: string;
  /** From 1 inside its subtask. A gap stands for an action that was left out, and is reported. */
  rank: number;
  recording: string;
  /** Positions in it are px of the virtual desktop. */
  action: Action;
  narration: string;
  /** `box` in the frame of `beforeImage`. */
  element: { name: string; box: Rect | null } | null;
  /** K1, K2. Null when there is no still; such an action cannot stand in a data set of pictures. */
  beforeImage: PictureRef | null;
  afterImage: PictureRef | null;
  /** Start and end in the frame of `beforeImage`, never clamped: made by `picturePositions`. */
  positions: { start: PicturePoint; end: PicturePoint } | null;
  /**
   * What the person wrote of the step (naturalgaia.txt 4.3), null where nobody did, never made up: the plan behind it, why
   * this element and this kind of action, and what the screen after it shows of its outcome.
   */
  thought: string | null;
  actionThought: string | null;
  observation: string | null;
};

/** The system that was recorded. */
export type Platform = 'linux' | 'windows' | 'macos';

export type ExportSubtask = {
  /** Rank from 1 inside the task. */
  id: number;
  query: string;
  /** K3: the first action's `before`, the last action's `after`. */
  startImage: PictureRef | null;
  endImage: PictureRef | null;
  actions: ExportAction[];
};

export type ExportRecording = {
  id: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** The screen's video, for the raw log; null when it is not kept. */
  video: string | null;
};

export type ExportTask = {
  /** The benchmark's form: software prefix, underscore, number (`PPT_15`). */
  id: string;
  app: { id: string; name: string; prefix: string };
  /** The full task's goal in words. */
  goal: string;
  recordings: ExportRecording[];
  state: TaskState;
  /** K3: without `start` the end alone is the query. */
  visualQuery: { start: MediaRef | null; end: MediaRef | null };
  subtasks: ExportSubtask[];
  /** The task's answer in words, where it asks a question and somebody wrote it down; null otherwise. */
  answer: string | null;
  /** The split of the data set that it stands in (train, …); null or absent: in none. */
  split?: string | null;
  /** Null when the recordings do not say. */
  platform: Platform | null;
  /** The instructional video that was followed (a link or a name); null when there is none. */
  source: string | null;
  /** Of the captured screen, px. */
  resolution: { width: number; height: number };
  /** The demonstration's length, µs. */
  durationUs: number;
  /** Material, project and outcome files. */
  attachments?: MediaRef[];
};

/**
 * What an export does not hold. `item` is `TASK`, `TASK/SUBTASK` or `TASK/SUBTASK/ACTION` by id and ranks; `from` is the
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
  const inside = ({ x, y }: { x: number; y: number }): PicturePoint => [x - origin.x, y - origin.y];
  return { start: inside(action.start), end: inside(action.end) };
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
  const [aPrefix, aNumber] = taskIdParts(a.id);
  const [bPrefix, bNumber] = taskIdParts(b.id);
  if (aPrefix !== bPrefix) return aPrefix < bPrefix ? -1 : 1;
  return aNumber - bNumber || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function taskIdParts(id: string): [string, number] {
  const match = /^(.*)_(\d+)$/.exec(id);
  return match ? [match[1]!, Number(match[2])] : [id, 0];
}
