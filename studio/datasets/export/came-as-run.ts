import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import type { ExportTask } from '../../../core/export/model.ts';
import { parseShallow } from '../../../core/json-depth.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { refuseStranger } from './target.ts';

type KeptSteps = { pictures: { path: string; file: string }[] };

/** A run as it was imported: its own file, what was kept of its steps, and the full path of a kept picture. */
export type CameRun<Kept> = { text: string; kept: Kept; fileOf(name: string): string };

/** `original`, `steps`: names among the recording's attachments. `picture`: the form of the names that the import gave its pictures. */
type Named<Kept> = { original: string; steps: string; schema: z.ZodType<Kept>; picture: RegExp };

/**
 * The result of `made` for the run that the task's recording came from; null where it did not come as one. Throws BAD_FILE where its
 * files were damaged since.
 */
export async function cameAsRun<Kept extends KeptSteps, Run>(
  task: ExportTask,
  { original: originalName, steps: stepsName, schema, picture }: Named<Kept>,
  made: (run: CameRun<Kept>) => Run,
): Promise<Run | null> {
  if (task.recordings.length !== 1) return null;
  const own = (name: string): string | undefined =>
    task.attachments?.find(({ path: file, role }) => role === undefined && path.basename(file) === name)?.path;
  const [original, steps] = [own(originalName), own(stepsName)];
  if (original === undefined || steps === undefined) return null;
  for (const file of [original, steps]) await refuseStranger(file, task.id);
  try {
    const kept = schema.parse(parseShallow(await readFile(steps, 'utf8')));
    const text = await readFile(original, 'utf8');
    const folder = path.dirname(original);
    const fileOf = (name: string): string => path.join(folder, name);
    // Names of our own making: anything else in the list is somebody's change.
    const pictures = kept.pictures.filter(({ file }) => picture.test(file) && existsSync(fileOf(file)));
    return made({ text, kept: { ...kept, pictures }, fileOf });
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'damaged';
    const message = `The run that ${task.id} was imported from cannot be read (${original}: ${why}). Import it again.`;
    throw new StudioError('BAD_FILE', message, { task: task.id, file: original }, { cause: error });
  }
}
