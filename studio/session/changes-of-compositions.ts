import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a composition or a run of one was written since it was asked last. */
export function changesOfCompositions(dir: string): () => boolean {
  let known = compositionsIn(dir);
  return () => {
    const now = compositionsIn(dir);
    const isNew = now !== known;
    known = now;
    return isNew;
  };
}

/** Another text when a composition or a run of one was written, by whatever program: they are files that no table names. */
function compositionsIn(dir: string): string {
  try {
    const folders = ['compositions', 'composition-runs'].map((name) => join(dir, name));
    return folders.map((folder) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ');
  } catch {
    return ''; // Whoever asks for one hears why it cannot be read.
  }
}
