import { archiveLibrarySchema } from '../../../schemas/archive.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { isCarried } from '../carried.ts';
import { LIMITS } from '../limits.ts';
import { parseLine } from '../lines.ts';
import { openArchive } from './read-archive.ts';

/** Most recordings in one archive; `push` sends one at a time. */
const MOST_RECORDINGS = 100;

/**
 * Throws FORBIDDEN for an archive that holds more than somebody who only records may bring: recordings that nobody worked on,
 * with the words of their tasks. Annotation, its history, tags, splits, states, files and answers of tasks, terms and frozen
 * versions would speak in the name of others, or be run. Throws BAD_FILE for what is no archive.
 */
export async function refuseBeyondRecording(path: string, signal: AbortSignal): Promise<void> {
  const archive = await openArchive(path, LIMITS, signal);
  try {
    if (archive.manifest.dataset) throw beyond('a frozen version');
    for (const { path: file, parts } of archive.files.values()) {
      const isRecorded = parts[0] === 'recordings' && !isCarried(parts.slice(2));
      if (!isRecorded && file !== 'library.json') throw beyond(file);
    }
    let text: Buffer | null = null;
    await archive.each(async (file, read) => {
      if (file.path !== 'library.json') return;
      if (file.bytes > LIMITS.jsonBytes) throw new StudioError('BAD_FILE', 'library.json is too large.', {});
      const pieces: Buffer[] = [];
      for await (const piece of read()) pieces.push(piece);
      text = Buffer.concat(pieces);
    });
    const parsed = parseLine(text ?? Buffer.alloc(0), archiveLibrarySchema);
    if (!('value' in parsed)) throw new StudioError('BAD_FILE', `library.json: ${parsed.why}. Nothing was kept.`, {});
    const { people = [], software, tasks, recordings, attachments, ...more } = parsed.value;
    const { length: most } = archive.manifest.recordings;
    if (most > MOST_RECORDINGS) throw beyond(`more than ${MOST_RECORDINGS} recordings`);
    // Each recording has one task, of one program, and was made by one person.
    for (const [what, list] of Object.entries({ people, software, tasks, recordings }))
      if (list.length > most) throw beyond(`more ${what} than recordings in library.json`);
    const [other] = Object.keys(more);
    if (other !== undefined || attachments.length > 0) throw beyond(`${other ?? 'attachments'} in library.json`);
    const task = tasks.find(({ split, answer, state }) => split !== undefined || answer || state !== 'open');
    if (task) throw beyond(`a split, an answer or the end of task ${task.id}`);
    const worked = recordings.find(({ state, tags }) => state !== 'recorded' || tags !== undefined);
    if (worked) throw beyond(`tags or the state of ${worked.id}`);
  } finally {
    await archive.close();
  }
}

const beyond = (what: string): StudioError =>
  new StudioError(
    'FORBIDDEN',
    `The archive holds ${what.slice(0, 200)}, and you may bring recordings alone. Somebody with the right "manage" sends the rest. Nothing was kept.`,
    { needed: 'manage' },
  );
