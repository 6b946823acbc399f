import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Records } from '../../core/annotate/document.ts';
import { append } from '../../core/lists.ts';
import { type ErrorCode, errorBody, StudioError } from '../../schemas/errors.ts';
import type { ArrivalFile } from '../../schemas/history.ts';
import type { Documents } from '../documents/documents.ts';
import { flushFolder } from '../files/atomic.ts';
import { hasFile, removeIn } from '../files/inside.ts';
import { openFolder } from '../recordings/closed.ts';
import { countEventsOf } from '../store/review-events.ts';
import { countLinesOf } from '../store/transactions.ts';
import type { Workspace } from '../store/workspace.ts';
import { ANNOTATION_FILE, annotationFileSchema, takeAnnotation } from './annotation-file.ts';
import { ARRIVAL_FILE, readArrival, takeArrival } from './arrival-file.ts';
import { REFUSED_PREFIX } from './carried.ts';
import { oddHistory } from './check-recording.ts';
import { CURATION_FILE, takeCuration } from './curation-file.ts';
import { HISTORY_FILE, openHistory } from './history-file.ts';
import { LIMITS } from './limits.ts';
import { readBoundedJson } from './lines.ts';

const LATER = 'It stays there and is taken when the workspace is opened, or something is imported, the next time.';

function sentence(error: unknown): string {
  const { message } = errorBody(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** A file can never be taken here for these: what it says is at fault, or does not fit what is here. */
const NEVER: ReadonlySet<string> = new Set<ErrorCode>(['BAD_FILE', 'CONFLICT', 'UNKNOWN_STEP', 'USAGE']);

/** `waits`: for a passing error, or a newer version of this program: the file stays for another time. */
type Outcome = 'nothing' | 'taken' | 'refused' | 'waits';

/** `taken`: in words ("annotation", "history", …). */
export type Taken = { taken: string[]; warnings: string[] };

const never = new AbortController().signal;

/**
 * Makes what is in a recording's folder for this workspace its own. With a history, it is as if the work had been done
 * here: undo, review and state go on where they stood. Where the recording has a history of its own here, or none came, the
 * annotation comes as one change; where nobody imported the recording (its folder was copied in), work that was done here
 * stays.
 *
 * A file goes once its content is in the database, the arrival note last; each step done again is as done once. So a kill
 * anywhere loses nothing, and takes nothing twice. A file that can never be taken is kept under another name; one that a
 * passing error (a full disk, another program) held up stays, and is taken at the next opening or import.
 */
export async function takeCarried(
  workspace: Workspace,
  documents: Documents,
  recording: string,
  folder: string,
): Promise<Taken> {
  const taken: string[] = [];
  const warnings: string[] = [];

  /** The consequence of an error for the file that was to be taken. */
  function judge(name: string, what: string, error: unknown): Outcome {
    // Another process took it meanwhile.
    if (!hasFile(folder, name)) return 'nothing';
    const { code } = errorBody(error);
    const why = sentence(error);
    if (NEVER.has(code)) {
      warnings.push(`its ${what} was not taken: ${why} The file stays in its folder as ${putAside(folder, name)}.`);
      return 'refused';
    }
    warnings.push(
      `its ${what} was not taken yet: ${why} ${name} stays in its folder and is taken when the workspace is opened, or something is imported, the next time.`,
    );
    return 'waits';
  }

  async function take(name: string, what: string, work: () => Promise<string[]>): Promise<Outcome> {
    if (!hasFile(folder, name)) return 'nothing';
    try {
      append(warnings, await work());
      removeIn(folder, name);
      taken.push(what);
      return 'taken';
    } catch (error) {
      return judge(name, what, error);
    }
  }

  let note: ArrivalFile | null = null;
  try {
    note = readArrival(folder);
    if (note !== null) append(warnings, await takeArrival(workspace, recording, folder, note));
    if (note?.told === false && (note.state !== null || note.tags.length > 0)) taken.push('state and tags');
    if (note?.told === false && note.transcript) taken.push('transcript');
    if (note?.told === false && note.answer) taken.push('answer');
  } catch (error) {
    // Nothing else is taken before the state: what came later would be told over.
    if (judge(ARRIVAL_FILE, 'arrival note', error) === 'waits') return { taken, warnings };
  }
  const isImport = note !== null;
  const arriving = note !== null && note.state !== null;

  const unreadable = whyUnreadable(folder);
  if (unreadable !== null) {
    warnings.push(`what was said of it was not taken yet: ${unreadable} ${LATER}`);
    return { taken, warnings };
  }
  const history = await take(HISTORY_FILE, 'history', async () => {
    await landHistory(workspace, documents, recording, folder);
    removeIn(folder, ANNOTATION_FILE);
    return [];
  });
  // A history that waits brings the annotation with it, and could no longer come after it.
  const annotation =
    history === 'waits'
      ? history
      : await take(ANNOTATION_FILE, 'annotation', async () => {
          await takeAnnotation(documents, recording, folder, { arriving, keep: !isImport });
          return [];
        });
  const curation = await take(CURATION_FILE, 'tags and split', () => takeCuration(workspace, recording, folder));
  if (annotation !== 'waits' && curation !== 'waits') removeIn(folder, ARRIVAL_FILE);
  return { taken, warnings };
}

/**
 * Why the recording cannot be read that something was said of: half of it is copied, or a file of it is missing. That is no
 * fault of what was said.
 */
function whyUnreadable(folder: string): string | null {
  if (!hasFile(folder, HISTORY_FILE) && !hasFile(folder, ANNOTATION_FILE)) return null;
  try {
    openFolder(folder);
    return null;
  } catch (error) {
    return sentence(error);
  }
}

/** Throws as Documents.arriveWith; BAD_FILE for a history that could not have been written here. */
async function landHistory(
  workspace: Workspace,
  documents: Documents,
  recording: string,
  folder: string,
): Promise<void> {
  const file = join(folder, HISTORY_FILE);
  if (await isTold(workspace, recording, file)) return;
  // An import has looked at it before; a folder that was copied in, nobody has.
  const said = hasFile(folder, ANNOTATION_FILE) ? recordsIn(folder) : null;
  const odd = await oddHistory(folder, recording, said, LIMITS, never);
  if (odd !== null) throw new StudioError('BAD_FILE', odd, { file: HISTORY_FILE });
  try {
    await documents.arriveWith(recording, await openHistory(file, LIMITS, never));
  } catch (error) {
    // Another process takes it at the same time: what is here is this very history.
    if (hasFile(folder, HISTORY_FILE) && !(await isTold(workspace, recording, file))) throw error;
  }
}

function recordsIn(folder: string): Records {
  const { records } = readBoundedJson(join(folder, ANNOTATION_FILE), annotationFileSchema, LIMITS);
  return new Map(records.map((record) => [record.id, record]));
}

/** Lines of one question to the database. */
const BATCH = 500;

/** Whether every line of it is in this recording's log already: a kill came before the file was removed. */
async function isTold({ store }: Workspace, recording: string, file: string): Promise<boolean> {
  let [transactions, events]: [string[], string[]] = [[], []];
  let any = false;
  const areKnown = async (): Promise<boolean> => {
    if (transactions.length > 0) {
      const known = await countLinesOf(store, recording, transactions);
      if (known < new Set(transactions).size) return false;
    }
    if (events.length > 0) {
      const known = await countEventsOf(store, recording, events);
      if (known < new Set(events).size) return false;
    }
    any ||= transactions.length + events.length > 0;
    [transactions, events] = [[], []];
    return true;
  };
  const { items } = await openHistory(file, LIMITS, never);
  for await (const item of items) {
    if ('event' in item) events.push(item.event.id);
    else transactions.push(item.transaction.id);
    if (transactions.length + events.length >= BATCH && !(await areKnown())) return false;
  }
  return (await areKnown()) && any;
}

/** Under another name, so that it is not looked at again; never over one that is there. Gives the name. */
function putAside(folder: string, name: string): string {
  let kept = `${REFUSED_PREFIX}${name}`;
  for (let n = 2; existsSync(join(folder, kept)); n++) kept = `${REFUSED_PREFIX}${n}-${name}`;
  renameSync(join(folder, name), join(folder, kept));
  flushFolder(folder);
  return kept;
}
