import { replaced } from '../../replaced.ts';
import { relativePoint } from '../coordinates.ts';
import { type ExportAction, type ExportSubtask, type ExportTask, itemName, type LeftOut } from '../model.ts';
import { type NamedPicture, pictureNames, stillName } from '../pictures.ts';
import { type GuiCall, guiCalls, NO_PICTURE } from '../pyautogui/calls.ts';

/** One step of a trajectory: the screen before it, and the calls that do it. */
export type TrajectoryStep = {
  subtask: ExportSubtask;
  exported: ExportAction;
  /** File name of the screen before. */
  image: string;
  calls: GuiCall[];
  /** It is the last step of its subtask. */
  endsSubtask: boolean;
};

export type Trajectory = {
  task: ExportTask;
  steps: TrajectoryStep[];
  /** File name of the screen at the end, where `terminate` stands; null when there is no picture of it. */
  end: string | null;
  pictures: NamedPicture[];
  leftOut: LeftOut[];
};

type StepRules = {
  /** The format's name in `leftOut`. */
  from: string;
  /** The names of calls that the format's reader knows; absent: any. */
  known?: readonly string[];
  /** Its clicks have no number: only those that have a name of their own (double, triple) are more than one. */
  plainClicks?: boolean;
  /** The format shows no code: a step stands where it has a picture, whatever its calls are. */
  withoutCode?: boolean;
  /** Of a format with words of its own instead of code: why it has none for a step; null where it has. */
  refuses?: (exported: ExportAction) => string | null;
  /** Also name the pictures after each step. */
  withAfter?: boolean;
};

/**
 * A task as the steps of one trajectory, by subtask and rank. A step that cannot stand in it is left out with its reason;
 * a step that loses something (how long a press was held) is in `leftOut` under `<format>/hold`.
 */
export function trajectoryOf(
  task: ExportTask,
  { from, known, plainClicks, withoutCode, refuses, withAfter }: StepRules,
): Trajectory {
  const names = pictureNames();
  const result: Trajectory = { task, steps: [], end: null, pictures: [], leftOut: [] };
  if (!task.goal.trim()) {
    result.leftOut.push({ item: task.id, from, reason: 'it has no goal, so there is no instruction' });
    return result;
  }
  const subtasks = task.subtasks.toSorted((a, b) => a.id - b.id);
  for (const subtask of subtasks) {
    const actions = subtask.actions.toSorted((a, b) => a.rank - b.rank);
    for (const exported of actions) {
      const item = itemName(task.id, subtask.id, exported.rank);
      const leaveOut = (reason: string) => result.leftOut.push({ item, from, reason });
      const { beforeImage, afterImage } = exported;
      if (!beforeImage) {
        leaveOut(NO_PICTURE);
        continue;
      }
      const made = withoutCode ? { calls: [] } : guiCalls(exported, task.platform);
      if ('reason' in made) {
        leaveOut(made.reason);
        continue;
      }
      const refused = refuses?.(exported) ?? null;
      if (refused !== null) {
        leaveOut(refused);
        continue;
      }
      const stranger = made.calls.find(
        ({ name, args }) =>
          (known && !known.includes(name)) || (plainClicks && name === 'click' && args.clicks !== undefined),
      );
      if (stranger) {
        leaveOut(unknownCall(stranger, exported));
        continue;
      }
      const { holdMs } = exported.action;
      if (holdMs !== null && (!withoutCode || refuses)) {
        result.leftOut.push({ item, from: `${from}/hold`, reason: `that it was held for ${holdMs} ms` });
      }
      const image = names.nameOf(beforeImage, stillName(task.id, subtask.id, exported.rank, 'before'));
      if (withAfter && afterImage) names.nameOf(afterImage, stillName(task.id, subtask.id, exported.rank, 'after'));
      result.steps.push({
        subtask,
        exported: withoutCode ? exported : inShares(exported),
        image,
        calls: made.calls,
        endsSubtask: false,
      });
    }
    const last = result.steps.at(-1);
    if (last?.subtask === subtask) last.endsSubtask = true;
  }
  const last = subtasks.at(-1);
  const endImage = last?.endImage ?? null;
  if (endImage && last) {
    result.end = names.nameOf(endImage, [task.id, last.id, 'end'].join('_'));
  } else {
    const reason = 'there is no picture of the end, so no step terminates it';
    result.leftOut.push({ item: task.id, from: `${from}/terminate`, reason });
  }
  result.pictures = names.all();
  return result;
}

/** A made narration says its place in the unit of the code beside it: two units in one answer teach neither. */
function inShares(exported: ExportAction): ExportAction {
  const { pixels, positions, beforeImage, narration } = exported;
  if (!pixels || !positions || !beforeImage) return exported;
  const places = [positions.start, positions.end].map((point) => {
    const { x, y } = relativePoint(point, beforeImage);
    return { value: `(${point.join(', ')})`, by: `(${x}, ${y})` };
  });
  return { ...exported, narration: replaced(narration, places) };
}

function unknownCall({ name, args }: GuiCall, { action }: ExportAction): string {
  if (name === 'keyDown') return `the format cannot say that ${action.modifiers.join(' and ')} was held`;
  return `the format has no action "${name}"${'clicks' in args ? ` of ${args.clicks} clicks` : ''}`;
}

/** Thought and action thought in one text, for formats with one place for both; null when nobody wrote either. */
export function thoughtsOf({ thought, actionThought }: Pick<ExportAction, 'thought' | 'actionThought'>): string | null {
  return [thought, actionThought].filter((text) => text?.trim()).join('\n\n') || null;
}

/** A text as the formats want it: null instead of empty. */
export function orNull(text: string | null): string | null {
  return text?.trim() ? text : null;
}
