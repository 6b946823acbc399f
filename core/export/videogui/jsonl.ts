import type { ExportTask } from '../model.ts';
import { dragFields, xywhOrNull } from './drag.ts';
import { judgementFields } from './judgement.ts';
import { cell, endingOf, type PictureCell, type Projection, taskFilePaths } from './rows.ts';

type JsonLine = { task_id: string } & Record<string, unknown>;

/**
 * `videogui-jsonl`: the same three levels, one object a line, images as files. The parquet's columns under the same names,
 * and behind them what parquet has no place for: element and box, text, keys, the screenshot after, times.
 * `nameOf` gives a picture's path in the export. `projection` is made with `everyKind`.
 */
export function videoguiJsonl(
  projection: Projection,
  nameOf: (cell: PictureCell) => string,
  mediaNameOf: (task: ExportTask, name: string) => string,
): { highPlan: JsonLine[]; midPlan: JsonLine[]; action: JsonLine[] } {
  return {
    highPlan: projection.highPlan.map(({ row, task }) => ({
      ...row,
      visual_start: row.visual_start && mediaNameOf(task, row.visual_start),
      visual_end: mediaNameOf(task, row.visual_end),
      files: row.files.map((name) => mediaNameOf(task, name)),
      app_id: task.app.id,
      state: task.state,
      task_split: task.split ?? null,
      resolution: [task.resolution.width, task.resolution.height],
      duration_us: task.durationUs,
      recordings: task.recordings.map(({ id, startedAt }) => ({ id, started_at: startedAt })),
    })),
    midPlan: projection.midPlan.map(({ row, subtask }) => ({
      ...row,
      screenshot_start: nameOf(row.screenshot_start),
      screenshot_end: nameOf(row.screenshot_end),
      action_ids: subtask.actions.map(({ rank, id }) => ({ action_id: rank, id })),
    })),
    action: projection.action.map(({ row, action: exported }) => {
      const { action, beforeImage, afterImage, element } = exported;
      const name = row.screenshot_start.name.replace(/_before(\.[^.]*)?$/, '_after');
      return {
        ...row,
        screenshot_start: nameOf(row.screenshot_start),
        screenshot_end: afterImage && nameOf(cell(afterImage, name)),
        resolution: beforeImage && [beforeImage.width, beforeImage.height],
        origin: beforeImage && [beforeImage.origin.x, beforeImage.origin.y],
        element: element && {
          name: element.name,
          box: xywhOrNull(element.box),
        },
        id: exported.id,
        recording: exported.recording,
        kind: action.kind,
        button: action.button,
        modifiers: action.modifiers,
        count: action.count,
        hold_ms: action.holdMs,
        text: action.text,
        keystrokes: action.keystrokes,
        keys: action.keys,
        scroll: action.scroll,
        start_us: action.start.t,
        end_us: action.end.t,
        incomplete: action.incomplete,
        drag: dragFields(exported),
        thought: exported.thought,
        action_thought: exported.actionThought,
        observation: exported.observation,
        ...judgementFields(exported),
      };
    }),
  };
}

/** A line of `task.jsonl`: what a task holds as a whole, also one that has no high-level plan. */
export function videoguiTaskLine(task: ExportTask, mediaNameOf: (name: string) => string): JsonLine {
  const { start, end } = task.visualQuery;
  return {
    task_id: task.id,
    app: task.app.name,
    category: task.app.category || null,
    kind: task.kind ?? 'full',
    fulltask_query: task.goal,
    platform: task.platformWords || task.platform,
    source: task.source,
    answer: task.answer,
    state: task.state,
    task_split: task.split ?? null,
    proof: task.proof ?? 'untried',
    visual_start: start && mediaNameOf(`start${endingOf(start)}`),
    visual_end: end && mediaNameOf(`end${endingOf(end)}`),
    files: taskFilePaths(task).map(({ file, to }) => ({ role: file.role ?? 'recording', file: mediaNameOf(to) })),
  };
}
