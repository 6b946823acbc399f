import { benchmarkActionType } from '../../actions/kinds.ts';
import { fileName, folderName, freeName } from '../file-names.ts';
import type { ExportAction, ExportRecording, ExportSubtask, ExportTask } from '../model.ts';
import { orNull } from '../trajectories/steps.ts';
import { dragFields, xywhOrNull } from './drag.ts';
import { judgementFields } from './judgement.ts';
import { endingOf, extension } from './rows.ts';

/** Facts about the whole task, beside keylog. */
const TASK_FILE = 'task.json';

/** The raw log's names and contents, the way the benchmark's authors keep it (formats.md). */

/** A file of the log: where it comes from and its path inside the export, with `/`. */
type RawFile = { from: string; to: string };
type RawDocument = { to: string; value: object };
type RawLog = {
  files: RawFile[];
  documents: RawDocument[];
  /** For the task as a whole. */
  task: RawDocument;
  missing: { item: string; reason: string }[];
};

/**
 * `<Software>/<TASK>/keylog/<YYYY-MM-DD_HH-MM-SS-ffffff>/` with the video, `<…>_full.json` and `arranged/`, and the task's
 * start, end and project files beside keylog. Times in the document are seconds since the recording's start.
 */
export function rawLogOf(task: ExportTask): RawLog {
  const folder = `${folderName(task.app.name)}/${task.id}`;
  const files: RawFile[] = [];
  const taken = new Set(['keylog', TASK_FILE]);
  /** Its name in the task's folder. */
  const put = (from: string, wish: string): string => {
    const name = freeName(wish, taken);
    files.push({ from, to: `${folder}/${name}` });
    return name;
  };

  const { start, end } = task.visualQuery;
  const query = {
    start: start && put(start.path, `start${endingOf(start)}`),
    end: end && put(end.path, `end${endingOf(end)}`),
  };
  const kept = (task.attachments ?? []).map((file) => ({
    role: file.role ?? 'recording',
    file: put(file.path, fileName(file)),
  }));

  const document: RawDocument = {
    to: `${folder}/${TASK_FILE}`,
    value: {
      task_id: task.id,
      software: task.app.name,
      category: task.app.category || null,
      kind: task.kind ?? 'full',
      task: task.goal,
      platform: task.platformWords || task.platform,
      source: task.source,
      answer: task.answer,
      proof: task.proof ?? 'untried',
      query,
      files: kept,
      subtasks: task.subtasks
        .toSorted((a, b) => a.id - b.id)
        .map((subtask) => ({ subtask_id: subtask.id, title: orNull(subtask.query) })),
    },
  };
  const log: RawLog = { files, documents: [], task: document, missing: [] };
  const stamps = new Set<string>();
  for (const recording of task.recordings) {
    const stamp = stampOf(recording.startedAt, stamps);
    addRecording(log, task, recording, `${folder}/keylog/${stamp}`, stamp);
  }
  return log;
}

function addRecording(log: RawLog, task: ExportTask, recording: ExportRecording, folder: string, stamp: string): void {
  if (recording.video) {
    log.files.push({ from: recording.video, to: `${folder}/${stamp}${extension(recording.video)}` });
  } else {
    log.missing.push({ item: task.id, reason: `the video of recording ${recording.id} is not there` });
  }
  const steps = task.subtasks.flatMap((subtask) =>
    subtask.actions.filter((action) => action.recording === recording.id).map((action) => ({ subtask, action })),
  );
  steps.sort((a, b) => a.action.action.start.t - b.action.action.start.t);
  const actions = steps.map(({ subtask, action }, index) => {
    const { beforeImage } = action;
    const screenshot = beforeImage && `arranged/${String(index + 1).padStart(4, '0')}${extension(beforeImage.path)}`;
    if (beforeImage) log.files.push({ from: beforeImage.path, to: `${folder}/${screenshot}` });
    return entry(subtask, action, screenshot, index + 1);
  });
  log.documents.push({
    to: `${folder}/${stamp}_full.json`,
    value: {
      software: task.app.name,
      task_id: task.id,
      task: task.goal,
      recording: recording.id,
      started_at: recording.startedAt,
      screen: [task.resolution.width, task.resolution.height],
      actions,
    },
  });
}

function entry(subtask: ExportSubtask, exported: ExportAction, screenshot: string | null, index: number): object {
  const { action, positions } = exported;
  return {
    index,
    subtask_id: subtask.id,
    action_id: exported.rank,
    id: exported.id,
    action_type: benchmarkActionType(action),
    narration: exported.narration,
    element: exported.element?.name ?? null,
    start_position: positions?.start ?? null,
    end_position: positions?.end ?? null,
    button: action.button,
    modifiers: action.modifiers,
    count: action.count,
    text: action.text,
    keys: action.keys,
    scroll: action.scroll,
    start_time: action.start.t / 1e6,
    end_time: action.end.t / 1e6,
    screenshot,
    element_box: xywhOrNull(exported.element?.box),
    drag: dragFields(exported),
    thought: exported.thought,
    action_thought: exported.actionThought,
    observation: exported.observation,
    ...judgementFields(exported),
  };
}

/** `2024-05-01_09-30-00-125000` (UTC). Two of one moment: the later one is moved by a microsecond, so that none is lost. */
export function stampOf(startedAt: string, taken: Set<string>): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6})\d*)?Z$/.exec(startedAt);
  if (!match) throw new RangeError(`expected a time like 2024-05-01T09:30:00.125Z, not "${startedAt}"`);
  const [, day, hour, minute, second, fraction = ''] = match;
  let micros = Number(fraction.padEnd(6, '0'));
  const stamp = () => `${day}_${hour}-${minute}-${second}-${String(micros).padStart(6, '0')}`;
  while (taken.has(stamp())) micros++;
  taken.add(stamp());
  return stamp();
}
