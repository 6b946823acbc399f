/** How far the work on a recording is (annotation.md, pattern 18), in order. */
export const RECORDING_STATES = ['recorded', 'annotating', 'annotated', 'in-review', 'rejected', 'approved'] as const;
export type RecordingState = (typeof RECORDING_STATES)[number];

export const isRecordingState = (text: string | null | undefined): text is RecordingState =>
  RECORDING_STATES.some((state) => state === text);

/** `open`: demonstrations of it are wanted. `closed`: no more are. */
export const TASK_STATES = ['open', 'closed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** `full`: a plan of several subtasks. `simple`: one subtask by itself, without a high-level plan (videogui.txt 3.1). */
export const TASK_KINDS = ['full', 'simple'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** A task's id in a workspace: the software's prefix in capital letters, underscore, number. `PPT_15`, `AE_19`. */
export const TASK_ID = /^([A-Z][A-Z0-9]*)_(\d{1,9})$/;

/**
 * A task's id in an export; also safe as a folder's name. Data sets of others use small letters too. Where every recording of
 * a task goes out, the second is `PPT_15-2`, the third `PPT_15-3`.
 */
export const EXPORTED_TASK_ID = /^[A-Za-z][A-Za-z0-9-]*_\d+(?:-\d+)?$/;

/** The work that a recording is assigned for; `review`: its review, or its adjudication. */
export const ASSIGNED_WORK = ['annotate', 'review'] as const;
export type AssignedWork = (typeof ASSIGNED_WORK)[number];
