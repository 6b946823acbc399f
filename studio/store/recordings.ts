import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import type { Recording } from '../../schemas/recording.ts';
import { ensurePerson } from './people.ts';
import { RECORDING_FILE, readRecording } from './recording-folder.ts';
import { addSoftware, listSoftware, nearestSoftware, type Software } from './software.ts';
import type { RecordingState, RecordingsTable, Tables } from './tables.ts';
import { ensureTask, TASK_ID } from './tasks.ts';

/** A line of the index of recordings/. */
export type RecordingEntry = {
  id: string;
  /** Absolute. */
  folder: string;
  task: string;
  app: string;
  goal: string;
  state: RecordingState;
  phase: 'recording' | 'closed';
  verdict: 'complete' | 'recovered' | 'damaged' | null;
  sync: 'ok' | 'warn' | 'failed' | 'skipped' | null;
  startedAt: string;
  /** The demonstration's length, µs; null while recording. */
  durationUs: number | null;
  frames: number;
  dropped: number;
  events: number;
  /** Who demonstrated, by name. */
  person: string | null;
  /** Steps that are kept, and how many of them are confirmed; null until it was opened for annotation. */
  steps: number | null;
  done: number | null;
};

/** A folder in recordings/ that could not be read, and why. */
export type UnreadableFolder = { folder: string; code: string; message: string };

export type SyncResult = { added: string[]; changed: string[]; gone: string[]; unreadable: UnreadableFolder[] };

type Place = { db: Kysely<Tables>; root: string };

/**
 * Makes the index follow the folders, which are the truth: a folder copied in appears, a deleted one vanishes, a changed
 * recording.json is read again. Folders without a recording.json that can be read are reported and left alone.
 */
export async function syncIndex({ db, root }: Place): Promise<SyncResult> {
  const result: SyncResult = { added: [], changed: [], gone: [], unreadable: [] };
  const rows = await db.selectFrom('recordings').select(['id', 'folder', 'stamp', 'present']).execute();
  const byFolder = new Map(rows.map((row) => [row.folder, row]));
  const seen = new Set<string>();
  for (const folder of foldersOf(root)) {
    const known = byFolder.get(folder);
    try {
      if (known?.present === 1 && known.stamp === stampOf(join(root, folder))) {
        seen.add(known.id);
        continue;
      }
      const { id, isNew } = await indexFolder({ db, root }, folder, seen);
      seen.add(id);
      (isNew ? result.added : result.changed).push(id);
    } catch (error) {
      const { code, message } = errorBody(error);
      if (code === 'INTERNAL') throw error;
      result.unreadable.push({ folder: join(root, folder), code, message });
    }
  }
  for (const row of rows) {
    if (row.present !== 1 || seen.has(row.id)) continue;
    await db.updateTable('recordings').set({ present: 0 }).where('id', '=', row.id).execute();
    result.gone.push(row.id);
  }
  return result;
}

/** Reads one folder of recordings/ into the index. Throws BAD_FILE, FUTURE_VERSION. */
export async function indexRecording(place: Place, folder: string): Promise<RecordingEntry> {
  const { id } = await indexFolder(place, folder, new Set());
  const row = await withPerson(place.db).where('recordings.id', '=', id).executeTakeFirstOrThrow();
  return fromRow(place.root, row);
}

/** All recordings that are there, the newest first. Call syncIndex before when folders may have changed. */
export async function listRecordings({ db, root }: Place): Promise<RecordingEntry[]> {
  const rows = await withPerson(db)
    .where('present', '=', 1)
    .orderBy('started_at', 'desc')
    .orderBy('recordings.id')
    .execute();
  return rows.map((row) => fromRow(root, row));
}

const withPerson = (db: Kysely<Tables>) =>
  db
    .selectFrom('recordings')
    .leftJoin('people', 'people.id', 'recordings.person_id')
    .leftJoin('documents', 'documents.id', 'recordings.id')
    .selectAll('recordings')
    .select(['people.name as person', 'documents.steps', 'documents.done']);

/** The recording of exactly this id. Throws UNKNOWN_RECORDING. */
export async function getRecording({ db, root }: Place, id: string): Promise<RecordingEntry> {
  const row = await withPerson(db).where('recordings.id', '=', id).where('present', '=', 1).executeTakeFirst();
  if (row) return fromRow(root, row);
  throw new StudioError('UNKNOWN_RECORDING', `There is no recording "${id}" in ${root}.`, { id, root });
}

/** The one recording whose id starts so. Throws UNKNOWN_RECORDING, AMBIGUOUS_ID with the candidates. */
export async function resolveRecording(place: Place, prefix: string): Promise<RecordingEntry> {
  const all = await listRecordings(place);
  const exact = all.find((entry) => entry.id === prefix);
  if (exact) return exact;
  const found = prefix === '' ? [] : all.filter((entry) => entry.id.startsWith(prefix));
  if (found.length === 1 && found[0]) return found[0];
  if (found.length === 0) {
    refuseUnreadable(place, prefix);
    throw new StudioError(
      'UNKNOWN_RECORDING',
      `No recording's id starts with "${prefix}" in ${place.root}. \`recordings\` lists them.`,
      { id: prefix, root: place.root },
    );
  }
  const ids = found.map((entry) => entry.id);
  throw new StudioError(
    'AMBIGUOUS_ID',
    `"${prefix}" starts the ids of ${ids.length} recordings: ${ids.join(', ')}. Give more letters.`,
    {
      id: prefix,
      candidates: ids,
    },
  );
}

/** A folder that is there but cannot be read says why itself (FUTURE_VERSION, BAD_FILE): it is not unknown. */
function refuseUnreadable({ root }: Place, prefix: string): void {
  if (prefix === '') return;
  const folder = readdirSync(root).find((name) => name.startsWith(prefix));
  if (folder !== undefined) readRecording(join(root, folder));
}

function foldersOf(root: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(root, { withFileTypes: true });
  } catch {
    return []; // A workspace whose recordings/ was deleted has none.
  }
  // A name with a dot first is a copy or an import under way.
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
}

function stampOf(folder: string): string {
  const info = statSync(join(folder, RECORDING_FILE), { throwIfNoEntry: false, bigint: true });
  return info ? `${info.mtimeNs}:${info.size}:${info.ino}` : '';
}

async function indexFolder({ db, root }: Place, folder: string, seen: ReadonlySet<string>) {
  const path = join(root, folder);
  // Before the reading: a change in between is then read at the next time.
  const stamp = stampOf(path);
  const recording = readRecording(path);
  if (seen.has(recording.id)) {
    throw new StudioError(
      'BAD_FILE',
      `${path} holds the recording ${recording.id} a second time. Remove one of the folders.`,
      {
        file: join(path, RECORDING_FILE),
        field: 'id',
      },
    );
  }
  const facts = { ...(await factsOf(db, recording)), folder, stamp, present: 1 };
  const known = await db.selectFrom('recordings').select('id').where('id', '=', recording.id).executeTakeFirst();
  await db
    .insertInto('recordings')
    .values({ id: recording.id, ...facts })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(facts))
    .execute();
  return { id: recording.id, isNew: known === undefined };
}

/** What the index keeps of a recording. Its software and task are made when this workspace does not know them. */
async function factsOf(db: Kysely<Tables>, recording: Recording) {
  const software = await softwareOf(db, recording.app);
  return {
    task_id: await taskOf(db, recording, software),
    software_id: software.id,
    goal: recording.task.goal,
    person_id: await personOf(db, recording.person),
    phase: recording.state,
    verdict: recording.verdict?.kind ?? null,
    sync: recording.sync?.verdict ?? null,
    started_at: recording.clock.startedAt,
    duration_us: recording.span ? recording.span.end - recording.span.start : null,
    frames: recording.counts.frames,
    dropped: recording.counts.dropped,
    events: recording.counts.events,
  } satisfies Partial<RecordingsTable>;
}

async function softwareOf(db: Kysely<Tables>, app: Recording['app']): Promise<Software> {
  const all = await listSoftware(db);
  const known = all.find((one) => one.id === app.id) ?? all.find((one) => one.name === app.name);
  if (known) return known;
  try {
    return await addSoftware(db, { id: app.id, name: app.name });
  } catch (error) {
    // Its name is another's alias here: then it is that one.
    const nearest = nearestSoftware(all, app.name)[0];
    if (error instanceof StudioError && nearest) return nearest;
    throw error;
  }
}

/** Recordings name their person in words, so that a folder is complete by itself; unknown people are added. */
async function personOf(db: Kysely<Tables>, name: string | null): Promise<string | null> {
  return name === null || name.trim() === '' ? null : (await ensurePerson(db, name.trim())).id;
}

async function taskOf(db: Kysely<Tables>, { task, clock }: Recording, software: Software): Promise<string> {
  const known = await db.selectFrom('tasks').select('id').where('id', '=', task.id).executeTakeFirst();
  if (known) return known.id;
  if (TASK_ID.test(task.id)) return (await ensureTask(db, { id: task.id, software, goal: task.goal })).id;
  // A recording made elsewhere may name its task otherwise; it keeps that name.
  await db
    .insertInto('tasks')
    .values({
      id: task.id,
      prefix: software.prefix,
      number: 0,
      software_id: software.id,
      goal: task.goal,
      state: 'open',
      created_by: null,
      created_at: clock.startedAt,
    })
    .execute();
  return task.id;
}

const fromRow = (
  root: string,
  row: { [K in keyof RecordingsTable]: unknown } & {
    id: string;
    folder: string;
    person: string | null;
    steps: number | null;
    done: number | null;
  },
): RecordingEntry =>
  ({
    id: row.id,
    folder: join(root, row.folder),
    task: row.task_id,
    app: row.software_id,
    goal: row.goal,
    state: row.state,
    phase: row.phase,
    verdict: row.verdict,
    sync: row.sync,
    startedAt: row.started_at,
    durationUs: row.duration_us,
    frames: row.frames,
    dropped: row.dropped,
    events: row.events,
    person: row.person,
    steps: row.steps,
    done: row.done,
  }) as RecordingEntry; // The columns hold what factsOf put there, from a value that its schema checked.
