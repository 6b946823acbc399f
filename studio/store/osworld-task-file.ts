import { isTooDeep } from '../../core/json-depth.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import { type OsworldTask, osworldTaskSchema } from '../../schemas/osworld.ts';
import { readBounded } from '../files/bounded.ts';
import { attachmentPlace } from './attachments.ts';
import { filesNamed } from './task-files.ts';
import type { Workspace } from './workspace.ts';

/** The file in which a task that came from OSWorld keeps what it was. */
export const OSWORLD_FILE = 'osworld.json';
const MOST_BYTES = 2_000_000;

/** The tasks that came from OSWorld, by their ids there. */
export async function osworldTasks(workspace: Workspace): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { task, file } of await filesNamed(workspace, OSWORLD_FILE)) {
    const original = osworldTaskIn(attachmentPlace(workspace, file));
    if (original) found.set(original.id, task);
  }
  return found;
}

export function osworldTaskIn(file: string): OsworldTask | null {
  try {
    return readOsworldTask(file);
  } catch {
    return null; // A file of that name that somebody attached, which is another.
  }
}

/** Throws BAD_FILE with the file and the field. */
export function readOsworldTask(file: string): OsworldTask {
  const bad = (why: string): StudioError =>
    new StudioError('BAD_FILE', `${file} is no task of OSWorld: ${why}.`, { file });
  let text: string;
  try {
    text = readBounded(file, MOST_BYTES).toString('utf8');
  } catch (error) {
    throw bad(whyNot(error));
  }
  if (isTooDeep(text)) throw bad('its values lie too deep in each other');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad('it is no JSON');
  }
  const read = osworldTaskSchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw bad(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'it does not fit'}`);
}
