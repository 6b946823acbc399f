import { writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { hasFile, readIn } from '../files/inside.ts';
import type { Software } from './software.ts';
import { type Store, sqlOf } from './store.ts';
import { ensureTask, type Task } from './tasks.ts';

/**
 * Tasks that are made, or get their goal, for a recording that is still to come (an import, a demonstration that begins). What
 * was done stands in a note beside that recording until it is there, so that a failure or a kill leaves no task that nobody
 * asked for, and no goal in one that had none.
 */

/**
 * How a task is known again that was made for something, whatever number it got: by when (empty: none was made), and by what was
 * written into it.
 */
export type MadeTask = {
  createdAt: string;
  goal: string;
  /** Only notes of older versions have one: answers come with the recording now. */
  answer: string;
  /** A task that is there and has no goal: it gets this one. */
  filled?: string | undefined;
};

/** A note holds a goal and an answer, bytes. */
const MOST_NOTE = 16 << 20;

const noteSchema: z.ZodType<MadeTask> = z.object({
  createdAt: z.string(),
  goal: z.string(),
  answer: z.string(),
  filled: z.string().optional(),
});

/**
 * Notes in `file` that a task is about to be made, unless the one that is meant is there already; `id` when it was named. Gives
 * when it is to be made, by which it is known again. Throws what the file system throws.
 */
export async function noteTask(
  store: Store,
  file: string,
  { id, goal }: { id?: string | undefined; goal: string },
): Promise<string> {
  const there = id === undefined ? null : await goalOf(store, id);
  const createdAt = there === null ? await unusedTime(store) : new Date().toISOString();
  // A task that is there is not made: its note names no time, so that nothing is taken back.
  const note: MadeTask = { createdAt: there === null ? createdAt : '', goal, answer: '' };
  if (there === '' && goal !== '') note.filled = id;
  // The database keeps the task through a power cut: so must the note that takes it back.
  writeFileSync(file, JSON.stringify(note), { mode: 0o600, flush: true });
  return createdAt;
}

/** Like ensureTask, noted in `file` before. Throws what it throws, and what the file system throws. */
export async function ensureNotedTask(
  store: Store,
  file: string,
  wanted: { id?: string | undefined; software: Software; goal: string },
): Promise<Task> {
  return ensureTask(store, { ...wanted, createdAt: await noteTask(store, file, wanted) });
}

/** Null: the task is not there. */
async function goalOf(store: Store, id: string): Promise<string | null> {
  const row = await sqlOf(store).selectFrom('tasks').select('goal').where('id', '=', id).executeTakeFirst();
  return row?.goal ?? null;
}

/** A time at which no task was made: a note would take that one back with its own. */
async function unusedTime(store: Store): Promise<string> {
  for (;;) {
    const time = new Date().toISOString();
    const made = await sqlOf(store).selectFrom('tasks').select('id').where('created_at', '=', time).executeTakeFirst();
    if (!made) return time;
    await sleep(1);
  }
}

/** Null for one that is not there, or was not whole yet: then nothing was made. */
export function readTaskNote(file: string): MadeTask | null {
  const [root, name] = [dirname(file), basename(file)];
  if (!hasFile(root, name)) return null;
  const text = readIn(root, name, MOST_NOTE).toString('utf8');
  try {
    return noteSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Undoes what was done for something which did not come: the task goes, unless somebody has done anything with it since, and
 * one that got its goal has none again, unless a recording of it says the same. Call syncIndex before where something may
 * have come of which only the index does not know.
 */
export async function takeTaskBack(store: Store, { createdAt, goal, answer, filled }: MadeTask): Promise<void> {
  if (filled !== undefined) {
    await sqlOf(store)
      .updateTable('tasks')
      .set({ goal: '' })
      .where('id', '=', filled)
      .where('goal', '=', goal)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('recordings')
              .select('recordings.id')
              .whereRef('recordings.task_id', '=', 'tasks.id')
              .where('recordings.goal', '=', goal),
          ),
        ),
      )
      .execute();
  }
  await sqlOf(store)
    .deleteFrom('tasks')
    .where('created_at', '=', createdAt)
    .where('goal', '=', goal)
    .where('answer', 'in', ['', answer])
    .where('state', '=', 'open')
    .where((eb) => eb.and([eb('notes', '=', ''), eb('source_url', '=', ''), eb('platform', '=', '')]))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('recordings').select('recordings.id').whereRef('recordings.task_id', '=', 'tasks.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('attachments').select('attachments.id').whereRef('attachments.task_id', '=', 'tasks.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('task_splits').select('split').whereRef('task_splits.task_id', '=', 'tasks.id'))),
    )
    .execute();
}
