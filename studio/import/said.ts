import { readRecording } from '../store/recording-folder.ts';
import type { Imported } from './land.ts';

/** The result of an import in words: each recording with its task, and everything lost, guessed or met. */
export function saidOfImport(imported: readonly Imported[], known: readonly string[]): string {
  const here = known.length > 0 ? [`${known.length} were here already`] : [];
  if (imported.length === 0) return ['Imported nothing new', ...here].join('; ');
  const all = imported.flatMap(({ entry, warnings }) => {
    const { lost = [], guessed = [] } = readRecording(entry.folder).origin ?? {};
    return [...lost.map((what) => `lost: ${what}`), ...guessed.map((what) => `guessed: ${what}`), ...warnings];
  });
  const ids = imported.map(({ entry }) => `${entry.id} (${entry.task})`).join(', ');
  return [`Imported ${ids}`, ...here, ...new Set(all)].join('; ');
}
