import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attachmentSchema } from '../../../schemas/api/models.ts';
import type { ArchiveLibrary } from '../../../schemas/archive.ts';
import { tagSchema } from '../../../schemas/dataset.ts';
import { errorBody } from '../../../schemas/errors.ts';
import { takePeople } from '../../annotate/arrival.ts';
import { assignSplits, tagRecordings } from '../../datasets/tags.ts';
import { mimeOf } from '../../library/first-bytes.ts';
import { arriveInState } from '../../review/arrival.ts';
import { RECORDING_STATES, type RecordingState } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';

/**
 * Makes an archive's software, tasks and files this workspace's. What is here already stays as it is; what does not fit it
 * is told. Running it twice is as running it once.
 */
export async function takeLibrary(workspace: Workspace, library: ArchiveLibrary, staging: string): Promise<string[]> {
  const warnings: string[] = [];
  try {
    await workspace.db.transaction().execute((trx) => takePeople(trx, library.people ?? []));
  } catch (error) {
    warnings.push(`the people: ${errorBody(error).message}`);
  }
  const software = new Map((await workspace.listSoftware()).map((one) => [one.id, one]));
  for (const one of library.software) {
    if (software.has(one.id)) continue;
    try {
      software.set(one.id, await workspace.addSoftware(one));
    } catch (error) {
      warnings.push(`the software ${one.name}: ${errorBody(error).message}`);
    }
  }
  for (const task of library.tasks) {
    const here = await workspace.db.selectFrom('tasks').selectAll().where('id', '=', task.id).executeTakeFirst();
    if (here && here.goal !== '' && here.goal !== task.goal) {
      warnings.push(
        `task ${task.id} is another one here ("${here.goal.slice(0, 80)}"): its recordings come to that one`,
      );
    }
    const owner = software.get(task.software);
    if (here || !owner) continue;
    try {
      await workspace.ensureTask({ id: task.id, software: owner, goal: task.goal });
      const { state, platform, sourceUrl: source_url, notes } = task;
      await workspace.db
        .updateTable('tasks')
        .set({ state, platform, source_url, notes })
        .where('id', '=', task.id)
        .execute();
      if (task.split !== undefined) {
        await assignSplits(workspace, [{ task: task.id, split: task.split }], 'hand');
      }
    } catch (error) {
      warnings.push(`task ${task.id}: ${errorBody(error).message}`);
    }
  }
  for (const one of library.attachments) await takeAttachment(workspace, one, staging, warnings);
  return warnings;
}

async function takeAttachment(
  { db, dir }: Workspace,
  { id, task, role, name, file, createdAt }: ArchiveLibrary['attachments'][number],
  staging: string,
  warnings: string[],
): Promise<void> {
  if (await db.selectFrom('attachments').select('id').where('id', '=', id).executeTakeFirst()) return;
  const owner = await db.selectFrom('tasks').select('id').where('id', '=', task).executeTakeFirst();
  const from = join(staging, ...file.split('/'));
  const to = join(dir, ...file.split('/'));
  const fits = attachmentSchema.shape.role.safeParse(role).success;
  if (!owner || !fits || !(existsSync(from) || existsSync(to))) {
    warnings.push(
      `the file "${name}" of task ${task} was left out: ${owner ? 'its role is not known' : 'its task is not here'}`,
    );
    return;
  }
  mkdirSync(dirname(to), { recursive: true });
  if (!existsSync(to)) renameSync(from, to);
  // By its first bytes, whatever the archive says.
  const row = {
    id,
    task_id: task,
    role,
    name,
    file,
    bytes: statSync(to).size,
    mime: mimeOf(to),
    created_at: createdAt,
  };
  await db.insertInto('attachments').values(row).execute();
}

/** How far the work on each new recording is, and its tags. */
export async function takeStates(
  workspace: Workspace,
  library: ArchiveLibrary,
  fresh: ReadonlySet<string>,
): Promise<void> {
  for (const { id, state, tags = [] } of library.recordings) {
    const known = RECORDING_STATES.find((one): one is RecordingState => one === state);
    if (known && fresh.has(id)) await arriveInState(workspace, id, known);
    // Another program may allow other tags; what is none here is left out.
    const add = tags.filter((tag) => tagSchema.safeParse(tag).success);
    if (add.length > 0 && fresh.has(id)) await tagRecordings(workspace, { recordings: [id], add, remove: [] });
  }
}
