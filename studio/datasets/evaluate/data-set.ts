import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { byTaskId, type ExportTask } from '../../../core/export/model.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { openFound } from '../../files/inside.ts';

/** SHA-256 of a picture's bytes, each file read once. */
export type Hasher = (path: string) => string;

export function pictureHasher(): Hasher {
  const known = new Map<string, string>();
  return (path) => {
    const hash = known.get(path) ?? hashOf(path);
    known.set(path, hash);
    return hash;
  };
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Read in pieces: a visual query may be a long video. */
function hashOf(path: string): string {
  try {
    const hash = createHash('sha256');
    const file = openFound(path);
    try {
      const piece = Buffer.allocUnsafe(1 << 20);
      for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
        hash.update(piece.subarray(0, read));
    } finally {
      closeSync(file);
    }
    return hash.digest('hex');
  } catch (error) {
    const why = whyNot(error);
    throw new StudioError(
      'BAD_FILE',
      `The picture ${path} cannot be read: ${why}. Cut the recording's keyframes again.`,
      { file: path },
      { cause: error },
    );
  }
}

/**
 * The version of a data set: everything that is asked or scored, and every picture. The same annotations of the same
 * recordings have the same hash on every machine; whatever changes an answer changes it.
 */
export function dataSetHash(tasks: readonly ExportTask[], hash: Hasher): string {
  const picture = (file: { path: string } | null) => file && hash(file.path);
  const whole = tasks.toSorted(byTaskId).map((task) => [
    task.id,
    task.app.name,
    task.goal,
    picture(task.visualQuery.start),
    picture(task.visualQuery.end),
    task.subtasks.map((subtask) => [
      subtask.id,
      subtask.query,
      picture(subtask.startImage),
      picture(subtask.endImage),
      subtask.actions.map(({ rank, narration, element, positions, action, beforeImage, afterImage }) => [
        ...[rank, narration, element, positions, picture(beforeImage), picture(afterImage)],
        ...[action.kind, action.button, action.text, action.keys, action.count, action.scroll],
      ]),
    ]),
    // Nothing more for a full task, so that its hash is the one from before there were kinds.
    ...(task.kind === 'simple' ? ['simple'] : []),
  ]);
  return sha256(JSON.stringify(whole));
}
