import { join } from 'node:path';
import { log } from '../../../native/log/log.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { namesInFolder } from '../../files/folder.ts';
import { readIn, statOf } from '../../files/inside.ts';
import { type UploadNote, uploadNoteSchema } from './note.ts';

export const UPLOADS_FOLDER = 'uploads';
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOTE = /^([0-9a-f-]{36})\.json$/;

/** The notes of a workspace's uploads, and where their bytes lie, by the id of each. */
export function notesIn(dir: string) {
  const folder = join(dir, UPLOADS_FOLDER);
  const notePath = (id: string): string => `${UPLOADS_FOLDER}/${id}.json`;
  const dataPath = (id: string): string => `${UPLOADS_FOLDER}/${id}.part`;

  /** Null for one that is not there, or cannot be read. */
  function read(id: string): UploadNote | null {
    if (!ID.test(id) || statOf(dir, notePath(id)) === null) return null;
    try {
      const note = uploadNoteSchema.parse(JSON.parse(readIn(dir, notePath(id)).toString('utf8')));
      return note.id === id ? note : null;
    } catch (error) {
      log.warn('upload not read', { name: id, error });
      return null;
    }
  }

  return {
    folder,
    notePath,
    dataPath,
    read,
    sizeOf: (id: string): number => statOf(dir, dataPath(id))?.size ?? 0,
    save: (note: UploadNote): void => writeFileAtomic(join(folder, `${note.id}.json`), `${JSON.stringify(note)}\n`),
    /** The newest first. */
    all(): UploadNote[] {
      const ids = namesInFolder(folder).flatMap((name) => NOTE.exec(name)?.[1] ?? []);
      return ids.flatMap((id) => read(id) ?? []).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    },
  };
}
