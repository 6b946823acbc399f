import type { Attachment, TaskInfo, TaskToRecord } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { attachmentOf, listAllAttachments } from './attachments.ts';
import { findPerson } from './people.ts';
import { listRecorders, setRecorders } from './recorders.ts';
import { listSoftware } from './software.ts';
import type { Store } from './store.ts';
import { getTask } from './task-rows.ts';
import { listStoredTasks, listTasks, taskById } from './tasks.ts';

/** Tasks that people are to record. */

/** Names the people who are to record it; none: anybody may. Throws UNKNOWN_TASK, USAGE for somebody who is not here. */
export async function assignTask(store: Store, id: string, people: readonly string[]): Promise<TaskInfo> {
  await taskById(store, id);
  const found: string[] = [];
  for (const one of people) {
    const person = await findPerson(store, one);
    if (!person) {
      throw new StudioError(
        'USAGE',
        `There is nobody called "${one.slice(0, 100)}" here. \`people list\` shows who is.`,
        {
          person: one.slice(0, 100),
        },
      );
    }
    found.push(person.id);
  }
  await setRecorders(store, id, found);
  return getTask(store, id);
}

/**
 * Open tasks that somebody is to record, those that are theirs by name first, then those for anybody, each by their age. `person`
 * null: only those for anybody.
 */
export async function tasksToRecord(store: Store, person: string | null): Promise<TaskToRecord[]> {
  const recorders = await listRecorders(store);
  const software = new Map((await listSoftware(store)).map((one) => [one.id, one]));
  const counts = new Map((await listTasks(store)).map(({ id, recordings }) => [id, recordings]));
  const files = new Map<string, Attachment[]>();
  for (const row of await listAllAttachments(store, 'age')) {
    const of = files.get(row.task_id) ?? [];
    // The newest recipe and the newest checks are those that count.
    const isSetUp = row.role === 'recipe' || row.role === 'checks';
    const kept = isSetUp ? of.filter(({ role }) => role !== row.role) : of;
    kept.push(attachmentOf(row));
    files.set(row.task_id, kept);
  }
  const [mine, free]: [TaskToRecord[], TaskToRecord[]] = [[], []];
  for (const task of await listStoredTasks(store, 'age')) {
    const theirs = recorders.get(task.id) ?? [];
    const isMine = person !== null && theirs.includes(person);
    if (task.state !== 'open' || (theirs.length > 0 && !isMine)) continue;
    const { id, name, prefix, platforms, executables } = software.get(task.software_id)!;
    (isMine ? mine : free).push({
      id: task.id,
      software: { id, name, prefix, platforms, executables },
      goal: task.goal,
      platform: task.platform,
      sourceUrl: task.source_url,
      notes: task.notes,
      kind: task.kind,
      attachments: files.get(task.id) ?? [],
      recordings: counts.get(task.id) ?? 0,
      mine: isMine,
    });
  }
  return [...mine, ...free];
}
