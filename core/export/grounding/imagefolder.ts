import type { Rect } from '../../../schemas/events.ts';
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
import type { ParquetColumn } from '../videogui/columns.ts';
import { extension, UNTITLED } from '../videogui/rows.ts';

/** The columns of metadata.parquet, the same in every split whatever stands in them; `withAfter` as below. */
export function imagefolderColumns(withAfter: boolean): ParquetColumn[] {
  const column = (name: keyof ImagefolderLine, type: ParquetColumn['type']): ParquetColumn => ({ name, type });
  return [
    column('file_name', 'string'),
    ...(withAfter ? [column('after_file_name', 'string')] : []),
    column('task_id', 'string'),
    column('app', 'string'),
    column('goal', 'string'),
    column('subtask_id', 'int64'),
    column('subtask', 'string'),
    column('action_id', 'int64'),
    column('action_type', 'string'),
    column('narration', 'string'),
    column('element', 'string'),
    column('start_position', 'int64-list'),
    column('end_position', 'int64-list'),
    column('text', 'string'),
    column('keys', 'string-list'),
    column('thought', 'string'),
    column('action_thought', 'string'),
    column('observation', 'string'),
    column('drag_start', 'string'),
    column('drag_end', 'string'),
    column('drag_purpose', 'string'),
    column('drag_kind', 'string'),
    column('task_kind', 'string'),
    column('category', 'string'),
    column('platform', 'string'),
    column('source', 'string'),
    column('answer', 'string'),
    column('proof', 'string'),
    column('objects', 'boxes'),
  ];
}

/**
 * A row a step for `load_dataset`: the screen before it, and what was done. Every line has the same keys, and
 * a file of its own even where two steps share a still: loaders have kept the lines by file name, one each.
 * `withAfter` adds the screen after as a second image column; steps without one are then left out, since a column of
 * pictures has no gaps.
 */
export function imagefolderLines(
  task: ExportTask,
  withAfter: boolean,
  format = 'imagefolder',
): { lines: ImagefolderLine[]; pictures: NamedPicture[]; leftOut: LeftOut[] } {
  const pictures: NamedPicture[] = [];
  const lines: ImagefolderLine[] = [];
  const leftOut: LeftOut[] = [];
  const ofTask = {
    task_kind: task.kind ?? 'full',
    category: task.app.category || null,
    platform: task.platformWords || task.platform,
    source: task.source,
    answer: task.answer,
    proof: task.proof ?? 'untried',
  };
  for (const subtask of task.subtasks.toSorted((a, b) => a.id - b.id)) {
    if (orNull(subtask.query) === null) {
      leftOut.push({ item: itemName(task.id, subtask.id), from: `${format}/subtask`, reason: UNTITLED });
    }
    for (const exported of subtask.actions.toSorted((a, b) => a.rank - b.rank)) {
      const { action, beforeImage, afterImage, element } = exported;
      const reason = reasonAgainst(exported, withAfter);
      if (reason || !beforeImage) {
        leftOut.push({
          item: itemName(task.id, subtask.id, exported.rank),
          from: format,
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
        subtask: orNull(subtask.query),
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
        drag_start: exported.drag?.startName ?? null,
        drag_end: exported.drag?.endName ?? null,
        drag_purpose: exported.drag?.purpose ?? null,
        drag_kind: exported.drag?.kind ?? null,
        ...ofTask,
        objects: objectsOf(box, element?.name ?? '', exported),
      });
    }
  }
  return { lines, pictures, leftOut };
}

function objectsOf(box: Rect | null, name: string, { drag }: ExportAction): ImagefolderLine['objects'] {
  const boxes = [
    ...(box ? [{ box, name, role: 'target' as const }] : []),
    ...(drag?.endBox ? [{ box: drag.endBox, name: drag.endName ?? '', role: 'end' as const }] : []),
  ];
  return {
    bbox: boxes.map((one) => xywh(one.box)),
    categories: boxes.map((one) => one.name),
    roles: boxes.map(({ role }) => role),
  };
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
