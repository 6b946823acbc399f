import type { VideocuaEntry, VideocuaLog, VideocuaParams } from '../../../schemas/export-cua-suite.ts';
import { type FrameSize, inFrames } from '../lerobot/frame.ts';
import type { ExportTask, LeftOut, PictureRef } from '../model.ts';
import type { GuiCall } from '../pyautogui/calls.ts';
import { orNull, type TrajectoryStep, thoughtsOf, trajectoryOf } from '../trajectories/steps.ts';

const VIDEOCUA = 'videocua';
/** A step's screen is shown for a second; its action comes a second after it began, as its converter looks 0.1 s before it. */
const SECOND = 1;

/** Calls that its converter turns into code. */
const KNOWN = [
  ...['click', 'doubleClick', 'rightClick', 'middleClick', 'tripleClick', 'moveTo', 'dragTo', 'scroll'],
  ...['write', 'press', 'hotkey', 'keyDown', 'keyUp'],
] as const;

export type VideocuaTask = {
  /** Null when no step can stand in it. */
  log: VideocuaLog | null;
  /** A picture a second. */
  pictures: { picture: PictureRef; name: string }[];
  steps: number;
  leftOut: LeftOut[];
};

/** A task as VideoCUA keeps it: what was done, by seconds of a video that shows the screen before each step, then the end. */
export function videocuaOf(task: ExportTask, frame: FrameSize): VideocuaTask {
  const trajectory = trajectoryOf(inFrames(task, frame), { from: VIDEOCUA, known: KNOWN });
  const { steps, end, leftOut } = trajectory;
  if (steps.length === 0) return { log: null, pictures: [], steps: 0, leftOut };
  const own = new Map(
    task.subtasks.flatMap(({ actions, endImage }) =>
      [...actions.map(({ beforeImage }) => beforeImage), endImage].flatMap((one) =>
        one ? [[one.path, one] as const] : [],
      ),
    ),
  );
  const files = new Map(trajectory.pictures.map(({ name, picture }) => [name, own.get(picture.path) ?? picture]));
  const shown = [...steps.map(({ image }) => image), ...(end === null ? [] : [end])];
  const log: VideocuaLog = {
    task_id: task.id,
    task_instruction: task.goal,
    platform: task.app.name,
    action_log: [
      ...steps.flatMap((step, at) => entriesOf(step, at + SECOND, frame)),
      // Its converter ends a task with the screen before this.
      ...(end === null
        ? []
        : [{ action_type: 'AFTER_LAST_ACTION' as const, timestamp: steps.length + SECOND, action_params: {} }]),
    ],
  };
  return { log, pictures: shown.map((name) => ({ name, picture: files.get(name)! })), steps: steps.length, leftOut };
}

function entriesOf({ exported, calls, subtask }: TrajectoryStep, timestamp: number, frame: FrameSize): VideocuaEntry[] {
  return calls.flatMap((call): VideocuaEntry[] => {
    const { times, ...made } = entryOf(call, frame);
    const trajectory_studio = {
      action_id: exported.id,
      subtask: orNull(subtask.query),
      narration: orNull(exported.narration),
      element: orNull(exported.element?.name ?? null),
      thought: thoughtsOf(exported),
      recorded_at: Math.round(exported.action.start.t / 1000) / 1000,
    };
    return Array.from({ length: times }, () => ({ ...made, timestamp, trajectory_studio }));
  });
}

type Made = { action_type: VideocuaEntry['action_type']; action_params: VideocuaParams; times: number };

const CLICKS: Readonly<Record<string, { text: string; numClicks: number }>> = {
  click: { text: 'Left', numClicks: 1 },
  doubleClick: { text: 'Left', numClicks: 2 },
  tripleClick: { text: 'Left', numClicks: 3 },
  rightClick: { text: 'Right', numClicks: 1 },
  middleClick: { text: 'Middle', numClicks: 1 },
};
const NAMES: Readonly<Record<string, string>> = { left: 'Left', right: 'Right', middle: 'Middle' };

function entryOf({ name, args }: GuiCall, frame: FrameSize): Made {
  const { x, y, button, clicks, message, keys, presses, key } = args;
  const list = Array.isArray(keys) ? keys.map(String) : [];
  const at =
    typeof x === 'number' && typeof y === 'number'
      ? { x: Math.round(x * frame.width), y: Math.round(y * frame.height) }
      : {};
  const one = (action_type: Made['action_type'], action_params: VideocuaParams): Made => {
    return { action_type, action_params, times: 1 };
  };
  const click = CLICKS[name];
  if (click) {
    const pressed = button === undefined ? click.text : (NAMES[String(button)] ?? click.text);
    return one('CLICK', { ...at, text: pressed, numClicks: typeof clicks === 'number' ? clicks : click.numClicks });
  }
  switch (name) {
    case 'moveTo':
      return one('MOVE_TO', at);
    case 'dragTo':
      return one('DRAG_TO', { ...at, button: button === 'right' || button === 'middle' ? button : 'left' });
    case 'scroll':
      return one('SCROLL', { scrollY: Number(clicks) });
    case 'write':
      return one('TYPING', { text: String(message) });
    case 'press':
      return { ...one('PRESS', { key: list[0] ?? '' }), times: typeof presses === 'number' ? presses : 1 };
    case 'hotkey':
      return one('HOTKEY', { keys: list });
    default:
      return one(name === 'keyDown' ? 'KEY_DOWN' : 'KEY_UP', { key: String(key) });
  }
}
