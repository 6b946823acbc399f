import type { LerobotEvent, LerobotPersistent, LerobotRow } from '../../../schemas/export-lerobot.ts';
import { computerActions } from '../atif/computer.ts';
import { relativePoint } from '../coordinates.ts';
import type { ExportTask, LeftOut, PictureRef } from '../model.ts';
import { TERMINATE } from '../pyautogui/calls.ts';
import { pythonOf } from '../pyautogui/code.ts';
import { type Trajectory, type TrajectoryStep, thoughtsOf, trajectoryOf } from '../trajectories/steps.ts';
import { type FrameSize, inFrames } from './frame.ts';

const LEROBOT = 'lerobot';
/** A frame is a step, and is called a second: LeRobot counts time in frames. */
export const LEROBOT_FPS = 1;
/** A number of `action` that the step has not. */
const NONE = -1;

/** A row without its numbers in the data set. */
type EpisodeRow = Omit<LerobotRow, 'episode_index' | 'index' | 'task_index' | 'task_id'>;

export type Episode = {
  rows: EpisodeRow[];
  /** The screen of each row. */
  pictures: { picture: PictureRef; name: string }[];
  /** The recording's own start, ISO 8601. */
  startedAt: string;
  leftOut: LeftOut[];
};

/** The first picture that a task would show; undefined where it has none. */
export const firstScreenOf = (task: ExportTask): PictureRef | undefined =>
  task.subtasks.flatMap(({ actions }) => actions.flatMap(({ beforeImage }) => beforeImage ?? []))[0];

/**
 * A task as an episode: a frame is the screen before a step and what was done there; the last one is the screen at the end. No
 * rows where no step can stand in it.
 */
export function episodeOf(task: ExportTask, frame: FrameSize): Episode {
  const trajectory = trajectoryOf(inFrames(task, frame), { from: LEROBOT });
  const { steps, leftOut } = trajectory;
  const startedAt = task.recordings[0]?.startedAt ?? '';
  if (steps.length === 0) return { rows: [], pictures: [], startedAt, leftOut };
  const language_persistent = persistentOf(trajectory);
  const files = new Map(trajectory.pictures.map((one) => [one.name, one]));
  const own = new Map(originals(task).map((picture) => [picture.path, picture]));
  const rows = steps.map((step, at) => ({ ...rowOf(step, at), language_persistent }));
  const shown = steps.map(({ image }) => image);
  if (trajectory.end !== null) {
    const last = rows.at(-1)!; // There is a step.
    rows.push({ ...endRow(rows.length, task.durationUs, last.recorded_at), language_persistent });
    shown.push(trajectory.end);
  } else rows.at(-1)!['next.done'] = true;
  const pictures = shown.map((name) => {
    const { picture } = files.get(name)!; // The trajectory names each.
    return { picture: own.get(picture.path) ?? picture, name };
  });
  return { rows, pictures, startedAt, leftOut };
}

/** The pictures in their own sizes: those of a task in frames say the frame's. */
const originals = (task: ExportTask): PictureRef[] =>
  task.subtasks.flatMap(({ actions, endImage }) => [
    ...actions.flatMap(({ beforeImage }) => beforeImage ?? []),
    ...(endImage ? [endImage] : []),
  ]);

const seconds = (us: number): number => Math.round(us / 1000) / 1000;

function rowOf(step: TrajectoryStep, at: number): Omit<EpisodeRow, 'language_persistent'> {
  const { exported, calls } = step;
  const { action, positions, beforeImage } = exported;
  const place = (name: 'start' | 'end'): [number, number] => {
    const isPointed = action.kind === 'drag' || (name === 'start' && POINTER.has(action.kind));
    if (!isPointed || !positions || !beforeImage) return [NONE, NONE];
    const { x, y } = relativePoint(positions[name], beforeImage);
    return [x, y];
  };
  const { dx, dy } = action.scroll ?? { dx: 0, dy: 0 };
  return {
    frame_index: at,
    timestamp: at / LEROBOT_FPS,
    action: [...place('start'), ...place('end'), dx, dy],
    'action.kind': action.kind,
    'action.code': pythonOf(calls),
    thought: thoughtsOf(exported) ?? '',
    element: exported.element?.name.trim() ?? '',
    recorded_at: seconds(action.start.t),
    'next.done': false,
    language_events: eventsOf(step),
  };
}

const POINTER: ReadonlySet<string> = new Set(['click', 'scroll', 'hover']);

const endRow = (at: number, durationUs: number, after: number): Omit<EpisodeRow, 'language_persistent'> => ({
  frame_index: at,
  timestamp: at / LEROBOT_FPS,
  action: [NONE, NONE, NONE, NONE, 0, 0],
  'action.kind': 'terminate',
  'action.code': pythonOf([TERMINATE]),
  thought: '',
  element: '',
  recorded_at: Math.max(after, seconds(durationUs)),
  'next.done': true,
  language_events: [],
});

/** The narration, with the call that does the step; places in it are px of the frame. */
function eventsOf({ exported }: TrajectoryStep): LerobotEvent[] {
  const made = computerActions(exported);
  const calls =
    'reason' in made
      ? null
      : [JSON.stringify({ type: 'function', function: { name: 'computer', arguments: { actions: made.actions } } })];
  const content = exported.narration.trim() || null;
  if (content === null && calls === null) return [];
  return [{ role: 'assistant', content, style: null, camera: null, tool_calls: calls }];
}

/** The plan at the beginning, and each subtask from where it begins. A title that nobody wrote is none. */
function persistentOf({ task, steps }: Trajectory): LerobotPersistent[] {
  const row = (style: 'plan' | 'subtask', content: string, at: number): LerobotPersistent => ({
    role: 'assistant',
    content,
    style,
    timestamp: at / LEROBOT_FPS,
    camera: null,
    tool_calls: null,
  });
  const begun = task.subtasks
    .toSorted((a, b) => a.id - b.id)
    .flatMap((subtask) => {
      const at = steps.findIndex((step) => step.subtask.id === subtask.id);
      return at < 0 || !subtask.query.trim() || subtask.query === task.goal ? [] : [{ title: subtask.query, at }];
    });
  if (begun.length === 0) return [];
  const plan = begun.map(({ title }, index) => `${index + 1}. ${title}`).join('\n');
  return [row('plan', plan, 0), ...begun.map(({ title, at }) => row('subtask', title, at))];
}
