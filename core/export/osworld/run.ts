import type { OsworldRunLine } from '../../../schemas/export-osworld.ts';
import { stepFacts, taskFacts } from '../atif/trajectory.ts';
import type { ExportAction, ExportTask, LeftOut, PictureRef } from '../model.ts';
import type { NamedPicture } from '../pictures.ts';
import { type GuiCall, inUnits } from '../pyautogui/calls.ts';
import { pythonOf } from '../pyautogui/code.ts';
import { thoughtsOf, trajectoryOf } from '../trajectories/steps.ts';
import { extension } from '../videogui/rows.ts';

export const OSWORLD = 'osworld';
/** The screen before the first step, as agents that show it call it. */
export const FIRST_SCREEN = 'step_0';
/** What OSWorld's own drags take, seconds: a program must see the pointer move. */
const DRAG_SECONDS = 1;

export type OsworldOut = {
  /** Null when nothing can stand in it. */
  lines: OsworldRunLine[] | null;
  pictures: NamedPicture[];
  /** The pictures in the order of the recording, one a second. */
  shown: NamedPicture[];
  leftOut: LeftOut[];
};

/** A task as a run of OSWorld: a line a step, with the screen after it, then DONE. */
export function osworldRunOf(task: ExportTask): OsworldOut {
  const { steps, end, pictures: named, leftOut } = trajectoryOf(task, { from: OSWORLD });
  const byName = new Map(named.map(({ name, picture }) => [name, picture]));
  const files = new Map<string, NamedPicture>();
  const shown: NamedPicture[] = [];
  const show = (picture: PictureRef, wish: string): string => {
    const known = files.get(picture.path) ?? { picture, name: `${wish}${extension(picture.path)}` };
    files.set(picture.path, known);
    shown.push(known);
    return known.name;
  };
  const [first] = steps;
  // Without a screen at the end its last step shows nothing, and cannot stand in it.
  const last = end === null ? null : (byName.get(end) ?? null);
  const whole = last === null ? steps.slice(0, -1) : steps;
  if (last === null && first)
    leftOut.push({ item: task.id, from: `${OSWORLD}/last`, reason: 'there is no screen after its last step' });
  if (!first || whole.length === 0) return { lines: null, pictures: [], shown: [], leftOut };
  show(byName.get(first.image)!, FIRST_SCREEN);
  const lines = whole.map(({ exported, calls, subtask }, at): OsworldRunLine => {
    const stamp = stampOf(task, exported);
    const after = steps[at + 1];
    const picture = after ? byName.get(after.image)! : last!; // The last of the whole has the end.
    const own = at === 0 ? { run: { instruction: task.goal, ...taskFacts(task) } } : {};
    return {
      step_num: at + 1,
      action_timestamp: stamp,
      action: programOf(calls, exported),
      response: [thoughtsOf(exported), exported.narration].filter((said) => said?.trim()).join('\n\n'),
      reward: 0,
      done: false,
      info: {},
      screenshot_file: show(picture, `step_${at + 1}_${stamp}`),
      trajectory_studio: { ...stepFacts(subtask, exported), ...own },
    };
  });
  if (last !== null) {
    const { action_timestamp, screenshot_file } = lines.at(-1)!;
    lines.push({
      step_num: lines.length + 1,
      action_timestamp,
      action: 'DONE',
      response: '',
      reward: 0,
      done: true,
      info: { done: true },
      screenshot_file,
      trajectory_studio: {},
    });
  }
  return { lines, pictures: [...files.values()], shown, leftOut };
}

function stampOf({ recordings }: ExportTask, { recording, action }: ExportAction): string {
  const begun = Date.parse(recordings.find(({ id }) => id === recording)?.startedAt ?? '1970-01-01T00:00:00Z');
  const at = new Date(begun + Math.floor(action.start.t / 1000)).toISOString();
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})Z$/.exec(at) ?? [];
  const us = String(Math.floor(action.start.t) % 1000).padStart(3, '0');
  return `${year}${month}${day}@${hour}${minute}${second}${ms}${us}`;
}

/** In px of the picture before; a step that only waits is OSWorld's own word for it. */
function programOf(calls: readonly GuiCall[], { beforeImage }: ExportAction): string {
  const { width, height } = beforeImage!; // A step has one.
  if (calls.every(({ name }) => name === 'wait')) return 'WAIT';
  const lasting = calls.map(({ name, args }): GuiCall => {
    const more = name === 'dragTo' ? { duration: DRAG_SECONDS } : {};
    return { module: 'pyautogui', name, args: { ...args, ...more } };
  });
  return pythonOf(inUnits(lasting, { width, height }), { pixels: true });
}
