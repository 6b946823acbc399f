import type { ImagefolderLine } from '../../../schemas/export-grounding.ts';
import { benchmarkActionType } from '../../actions/kinds.ts';
import { isUnseen } from '../../actions/unseen.ts';
import { boxFits } from '../../annotate/picture.ts';
import { xywh } from '../coordinates.ts';
import {
  type ExportAction,
  type ExportTask,
  itemName,
  type LeftOut,
  type PicturePoint,
  type PictureRef,
} from '../model.ts';
import { type NamedPicture, stillName } from '../pictures.ts';
import { NO_PICTURE, outsideOf, UNSEEN } from '../pyautogui/calls.ts';
import { orNull } from '../trajectories/steps.ts';
import { extension } from '../videogui/rows.ts';

const IMAGEFOLDER = 'imagefolder';

/**
 * A line a step for `load_dataset("imagefolder")`: the screen before it, and what was done. Every line has the same keys, and
 * a file of its own even where two steps share a still: loaders have kept the lines by file name, one each.
 * `withAfter` adds the screen after as a second image column; steps without one are then left out, since a column of
 * pictures has no gaps.
 */
export function imagefolderLines(
  task: ExportTask,
  withAfter: boolean,
): { lines: ImagefolderLine[]; pictures: NamedPicture[]; leftOut: LeftOut[] } {
  const pictures: NamedPicture[] = [];
  const lines: ImagefolderLine[] = [];
  const leftOut: LeftOut[] = [];
  for (const subtask of task.subtasks.toSorted((a, b) => a.id - b.id)) {
    for (const exported of subtask.actions.toSorted((a, b) => a.rank - b.rank)) {
      const { action, beforeImage, afterImage, element } = exported;
      const reason = reasonAgainst(exported, withAfter);
      if (reason || !beforeImage) {
        leftOut.push({
          item: itemName(task.id, subtask.id, exported.rank),
          from: IMAGEFOLDER,
          reason: reason ?? NO_PICTURE,
        });
        continue;
      }
      const put = (picture: PictureRef, role: 'before' | 'after'): string => {
        const name = stillName(task.id, subtask.id, exported.rank, role) + extension(picture.path);
        pictures.push({ picture, name });
        return `images/${name}`;
      };
      const { start, end } = placesOf(exported);
      const box = element?.box && boxFits(element.box, beforeImage) ? element.box : null;
      lines.push({
        file_name: put(beforeImage, 'before'),
        ...(withAfter && afterImage && { after_file_name: put(afterImage, 'after') }),
        task_id: task.id,
        app: task.app.name,
        goal: task.goal,
        subtask_id: subtask.id,
        subtask: subtask.query,
        action_id: exported.rank,
        action_type: benchmarkActionType(action),
        narration: exported.narration,
        element: orNull(element?.name ?? null),
        start_position: start,
        end_position: end,
        text: action.text,
        keys: action.keys ?? [],
        thought: orNull(exported.thought),
        action_thought: orNull(exported.actionThought),
        observation: orNull(exported.observation),
        objects: { bbox: box ? [xywh(box)] : [], categories: box ? [element?.name ?? ''] : [] },
      });
    }
  }
  return { lines, pictures, leftOut };
}

function reasonAgainst(exported: ExportAction, withAfter: boolean): string | null {
  const { beforeImage, afterImage } = exported;
  if (!beforeImage) return NO_PICTURE;
  if (isUnseen(exported.action)) return UNSEEN;
  if (withAfter && !afterImage) return 'there is no picture of the screen after it';
  const { start, end } = placesOf(exported);
  return (start && outsideOf('start', start, beforeImage)) ?? (end && outsideOf('end', end, beforeImage));
}

/** The pointer's place means something where a button, the wheel or a hover acts, and nothing for keys and waits. */
function placesOf({ action, positions }: ExportAction): { start: PicturePoint | null; end: PicturePoint | null } {
  const placed = action.kind !== 'type' && action.kind !== 'press' && action.kind !== 'wait';
  return {
    start: placed ? (positions?.start ?? null) : null,
    end: action.kind === 'drag' ? (positions?.end ?? null) : null,
  };
}
