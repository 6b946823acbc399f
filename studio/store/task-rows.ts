import type { TaskInfo, TaskRow } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RecordingState, TaskKind, TaskState } from '../../schemas/task-terms.ts';
import { listAttachments } from './attachments.ts';
import { type Mask, NOTHING_MASKED } from './mask.ts';
import { forgetTaskNotes, recordersOf } from './recorders.ts';
import { type Store, sqlOf } from './store.ts';
import { ensureTask, taskById as getStoredTask, hasTask, setTask } from './tasks.ts';
import type { Workspace } from './workspace.ts';

/** `rejected` is back with the annotator: behind `in-review`, as far as `annotating`. */
const FURTHER: Readonly<Record<RecordingState, number>> = {
  recorded: 0,
  annotating: 1,
  rejected: 2,
  annotated: 3,
  'in-review': 4,
  approved: 5,
};

const COLUMNS = ['id', 'software_id', 'goal', 'platform', 'state', 'created_at'] as const;

/**
 * Every task with what its recordings come to, by software and number, as somebody is to see it (`mask`). Two plain queries joined here: 5,000 tasks take
 * a few ms, a grouping join in SQL four times as long.
 */
export async function listTaskRows(store: Store, mask: Mask = NOTHING_MASKED): Promise<TaskRow[]> {
  const tasks = await sqlOf(store)
    .selectFrom('tasks')
    .select(COLUMNS)
    .orderBy('prefix')
    .orderBy('number')
    .orderBy('id')
    .execute();
  const work = await workOf(store, mask);
  return tasks.map((task) => toRow(task, work.get(task.id)));
}

type Work = { recordings: number; furthest: RecordingState; picture: string; progress: number };

async function workOf(store: Store, mask: Mask, task?: string): Promise<Map<string, Work>> {
  const query = sqlOf(store)
    .selectFrom('recordings')
    .leftJoin('documents', 'documents.id', 'recordings.id')
    .select(['recordings.id', 'recordings.task_id', 'recordings.state', 'documents.steps', 'documents.done'])
    .where('recordings.present', '=', 1)
    // Plays are no demonstrations.
    .where('recordings.played', 'is', null);
  const rows = await (task === undefined ? query : query.where('task_id', '=', task)).execute();
  const byTask = new Map<string, Work>();
  for (const { task_id, ...row } of rows) {
    const { state, steps, done } = { ...row, ...mask.get(row.id) };
    const progress = steps !== null && steps > 0 ? Math.min(1, (done ?? 0) / steps) : 0;
    const known = byTask.get(task_id);
    const recordings = (known?.recordings ?? 0) + 1;
    const leads =
      known === undefined ||
      FURTHER[state] > FURTHER[known.furthest] ||
      (state === known.furthest && progress > known.progress);
    byTask.set(task_id, leads ? { recordings, furthest: state, picture: row.id, progress } : { ...known, recordings });
  }
  return byTask;
}

type StoredTask = {
  id: string;
  software_id: string;
  goal: string;
  platform: string;
  state: TaskState;
  created_at: string;
};

const toRow = (task: StoredTask, work: Work | undefined): TaskRow => ({
  id: task.id,
  software: task.software_id,
  goal: task.goal,
  platform: task.platform,
  state: task.state,
  recordings: work?.recordings ?? 0,
  furthest: work?.furthest ?? null,
  picture: work?.picture ?? null,
  progress: work?.progress ?? 0,
  createdAt: task.created_at,
});

/** One task with everything. Throws UNKNOWN_TASK. */
export async function getTask(store: Store, id: string, mask: Mask = NOTHING_MASKED): Promise<TaskInfo> {
  const task = await sqlOf(store).selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
  if (!task) {
    await getStoredTask(store, id);
    throw new StudioError('UNKNOWN_TASK', `There is no task "${id}" in this workspace.`, { task: id });
  }
  const work = await workOf(store, mask, id);
  const recorders = await recordersOf(store, id);
  return {
    ...toRow(task, work.get(id)),
    ...(recorders.length > 0 && { recorders }),
    sourceUrl: task.source_url,
    notes: task.notes,
    answer: task.answer,
    kind: task.kind,
    attachments: await listAttachments(store, id),
  };
}

type NewTask = {
  id?: string | undefined;
  software: string;
  goal: string;
  platform: string;
  sourceUrl: string;
  notes: string;
  answer?: string | undefined;
  kind?: TaskKind | undefined;
};

/** Makes a task. Throws UNKNOWN_APP, USAGE for an id of another form or a link that is none, CONFLICT when taken. */
export async function createTask(workspace: Workspace, wanted: NewTask): Promise<TaskInfo> {
  const { store } = workspace;
  const software = await workspace.findSoftware(wanted.software);
  checkLink(wanted.sourceUrl);
  if (wanted.id !== undefined) {
    if (await hasTask(store, wanted.id)) {
      const message = `There is a task ${wanted.id} already. Choose another id, or leave it out to get the next free one.`;
      throw new StudioError('CONFLICT', message, { task: wanted.id });
    }
  }
  const { id } = await ensureTask(store, { id: wanted.id, software, goal: wanted.goal });
  const { platform, sourceUrl, notes, answer = '', kind = 'full' } = wanted;
  await sqlOf(store)
    .updateTable('tasks')
    .set({ platform, source_url: sourceUrl, notes, answer, kind })
    .where('id', '=', id)
    .execute();
  return getTask(store, id);
}

type TaskChanges = {
  goal?: string | undefined;
  platform?: string | undefined;
  sourceUrl?: string | undefined;
  notes?: string | undefined;
  answer?: string | undefined;
  kind?: TaskKind | undefined;
  state?: TaskState | undefined;
};

/** Changes what is given. Throws UNKNOWN_TASK, USAGE for a link that is none. */
export async function updateTask(store: Store, id: string, changes: TaskChanges): Promise<TaskInfo> {
  const { goal, platform, sourceUrl, notes, answer, kind, state } = changes;
  checkLink(sourceUrl ?? '');
  await getStoredTask(store, id);
  const set = {
    ...(goal !== undefined && { goal }),
    ...(platform !== undefined && { platform }),
    ...(sourceUrl !== undefined && { source_url: sourceUrl }),
    ...(notes !== undefined && { notes }),
    ...(answer !== undefined && { answer }),
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
  };
  await setTask(store, id, set);
  return getTask(store, id);
}

/** Throws UNKNOWN_TASK, CONFLICT when it has recordings (also those whose folder is away) or files. */
export async function removeTask(store: Store, id: string): Promise<void> {
  await getStoredTask(store, id);
  const recording = await sqlOf(store)
    .selectFrom('recordings')
    .select('id')
    .where('task_id', '=', id)
    .executeTakeFirst();
  const attachment = await sqlOf(store)
    .selectFrom('attachments')
    .select('id')
    .where('task_id', '=', id)
    .executeTakeFirst();
  if (recording || attachment) {
    const what = recording ? `has recordings (${recording.id})` : 'has files';
    throw new StudioError('CONFLICT', `Task ${id} ${what}, so it stays. Close it to leave it out of the work.`, {
      task: id,
      recording: recording?.id ?? null,
    });
  }
  await sqlOf(store).deleteFrom('tasks').where('id', '=', id).execute();
  await forgetTaskNotes(store, id);
}

/** A link that the page will show as one: http or https, or nothing. */
function checkLink(text: string): void {
  if (text === '') return;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return;
  throw new StudioError('USAGE', `"${text.slice(0, 100)}" is no web address: it must begin with https:// or http://.`, {
    field: 'sourceUrl',
  });
}
