import { type Dirent, readdirSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Insertable } from 'kysely';
import { plural } from '../../core/words.ts';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { errorBody, isPassing, StudioError } from '../../schemas/errors.ts';
import type { Recording } from '../../schemas/recording.ts';
import { type RecordingState, TASK_ID } from '../../schemas/task-terms.ts';
import { findFolder, refuseStrangers } from '../files/inside.ts';
import { isPlainName } from '../files/names.ts';
import { breathe } from './breathe.ts';
import { otherTask, otherTaskWords } from './other-task.ts';
import { ensurePerson } from './people.ts';
import { RECORDING_FILE, readRecording, writeRecording } from './recording-folder.ts';
import { addSoftware, listSoftware, nearestSoftware, type Software } from './software.ts';
import { type Store, sqlOf } from './store.ts';
import type { RecordingTable } from './tables.ts';
import { ensureTask } from './tasks.ts';

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
  /** The name of the person who demonstrated. */
  person: string | null;
  /** The demonstration that it is a play of; null: it is one itself. */
  played: string | null;
  /** Steps that are kept, and how many of them are confirmed; null until it was opened for annotation. */
  steps: number | null;
  done: number | null;
};

/** A line of the index as the API hands it out. */
export function toRecordingRow({ folder: _folder, played: _played, app, ...entry }: RecordingEntry): RecordingRow {
  return { ...entry, software: app };
}

/** A folder in recordings/ that could not be read, and why. */
export type UnreadableFolder = { folder: string; code: string; message: string };

export type SyncResult = {
  added: string[];
  changed: string[];
  gone: string[];
  unreadable: UnreadableFolder[];
  /** Copied in under a task's id that stands for another goal here: what became of it, in words. */
  moved: string[];
};

type Place = { store: Store; root: string };

/**
 * Makes the index follow the folders, which are the truth: a folder copied in appears, a deleted one vanishes, a changed
 * recording.json is read again. Folders without a recording.json that can be read are reported and left alone. A folder that
 * was copied in gets a task of its own when its task's id stands for another goal here, as an import does (other-task.ts).
 * Throws what the database throws: a recording that it could not take is no recording that is gone.
 */
export async function syncIndex({ store, root }: Place): Promise<SyncResult> {
  const result: SyncResult = { added: [], changed: [], gone: [], unreadable: [], moved: [] };
  const rows = await sqlOf(store).selectFrom('recordings').select(['id', 'folder', 'stamp', 'present']).execute();
  const byFolder = new Map(rows.map((row) => [row.folder, row]));
  const here = new Set(rows.map(({ id }) => id));
  const looked: Looked = { software: new Map(), tasks: new Set(), people: new Map(), same: new Set() };
  const waiting: Row[] = [];
  const seen = new Set<string>();
  // Folders that come together, into an empty workspace, mean the same by an id: only tasks from before count.
  let before: ReadonlySet<string> | null = null;
  const wasHere = async (task: string): Promise<boolean> => {
    before ??= new Set((await sqlOf(store).selectFrom('tasks').select('id').execute()).map(({ id }) => id));
    return before.has(task);
  };
  const folders = await foldersOf(root);
  const stamps = await stampsOf(root, folders);
  const changed = folders.filter((folder) => {
    const known = byFolder.get(folder);
    const isSame = known?.present === 1 && known.stamp === stamps.get(folder);
    if (isSame) seen.add(known.id);
    return !isSame;
  });
  for (const folder of changed) {
    await breathe();
    try {
      const { row, moved } = await readFolder({ store, root }, folder, { seen, here, wasHere, looked });
      const { id } = row;
      seen.add(id);
      if (moved !== null) result.moved.push(`${id}: ${moved}`);
      (here.has(id) ? result.changed : result.added).push(id);
      waiting.push(row);
    } catch (error) {
      const { code, message } = errorBody(error);
      if (code === 'INTERNAL' || isOfDatabase(error)) throw error;
      result.unreadable.push({ folder: join(root, folder), code, message });
    }
    if (waiting.length === ROWS_AT_ONCE) await writeRows(store, waiting.splice(0));
  }
  await writeRows(store, waiting);
  for (const row of rows) {
    if (row.present !== 1 || seen.has(row.id)) continue;
    await sqlOf(store).updateTable('recordings').set({ present: 0 }).where('id', '=', row.id).execute();
    result.gone.push(row.id);
  }
  return result;
}

/** Whether the database failed: its errors are StudioErrors by now (errors.ts), those of reading a folder are still Node's. */
const isOfDatabase = (error: unknown): boolean => error instanceof StudioError && isPassing(error.code);

/** Reads one folder of recordings/ into the index. Throws BAD_FILE, FUTURE_VERSION. */
export async function indexRecording(place: Place, folder: string): Promise<RecordingEntry> {
  const found = await readFolder(place, folder, { seen: new Set() });
  await writeRows(place.store, [found.row]);
  const { id } = found.row;
  const row = await withPerson(place.store).where('recordings.id', '=', id).executeTakeFirstOrThrow();
  return fromRow(place.root, row);
}

/**
 * All demonstrations that are there, the newest first. Call syncIndex before when folders may have changed. Plays of them are
 * no demonstrations (nobody annotates, counts or exports them): `listPlays` has those.
 */
export const listRecordings = async (place: Place): Promise<RecordingEntry[]> =>
  (await listAll(place)).filter(({ played }) => played === null);

/** All plays of a demonstration, or of all of them, the newest first. */
export const listPlays = async (place: Place, of?: string): Promise<RecordingEntry[]> =>
  (await listAll(place)).filter(({ played }) => played !== null && (of === undefined || played === of));

/** Demonstrations and plays. */
export async function listAll({ store, root }: Place): Promise<RecordingEntry[]> {
  const rows = await withPerson(store)
    .where('present', '=', 1)
    .orderBy('started_at', 'desc')
    .orderBy('recordings.id')
    .execute();
  return rows.filter((row) => isPlainName(row.folder)).map((row) => fromRow(root, row));
}

const withPerson = (store: Store) =>
  sqlOf(store)
    .selectFrom('recordings')
    .leftJoin('people', 'people.id', 'recordings.person_id')
    .leftJoin('documents', 'documents.id', 'recordings.id')
    .selectAll('recordings')
    .select(['people.name as person', 'documents.steps', 'documents.done']);

/** The recording of exactly this id. Throws UNKNOWN_RECORDING. */
export async function getRecording({ store, root }: Place, id: string): Promise<RecordingEntry> {
  const row = await withPerson(store).where('recordings.id', '=', id).where('present', '=', 1).executeTakeFirst();
  // A database from elsewhere may say anything: a folder is one of recordings/, and itself.
  if (row && isPlainName(row.folder) && findFolder(root, row.folder)) return fromRow(root, row);
  throw new StudioError('UNKNOWN_RECORDING', `There is no recording "${id}" in ${root}.`, { id, root });
}

/** The name of the folder of a recording that was here, also of one that is gone; null when none is known. */
export async function folderOfKnown({ store }: Pick<Place, 'store'>, id: string): Promise<string | null> {
  const row = await sqlOf(store).selectFrom('recordings').select('folder').where('id', '=', id).executeTakeFirst();
  return row && isPlainName(row.folder) ? row.folder : null;
}

/** The one recording whose id starts so. Throws UNKNOWN_RECORDING, AMBIGUOUS_ID with the candidates. */
export async function resolveRecording(place: Place, prefix: string): Promise<RecordingEntry> {
  const everything = await listAll(place);
  const exact = everything.find((entry) => entry.id === prefix);
  if (exact) return exact;
  const starting = prefix === '' ? [] : everything.filter((entry) => entry.id.startsWith(prefix));
  // A demonstration is meant before its plays, which are made after it on the same day.
  const demonstrations = starting.filter(({ played }) => played === null);
  const found = demonstrations.length > 0 ? demonstrations : starting;
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
    `"${prefix}" starts the ids of ${plural(ids.length, 'recording')}: ${ids.join(', ')}. Give more letters.`,
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
  if (folder === undefined || findFolder(root, folder) === null) return;
  refuseStrangers(join(root, folder));
  readRecording(join(root, folder));
}

async function foldersOf(root: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(root, { withFileTypes: true });
  } catch {
    return []; // A workspace whose recordings/ was deleted has none.
  }
  // A name with a dot first is a copy or an import under way.
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
}

async function stampOf(folder: string): Promise<string> {
  const info = await lstat(join(folder, RECORDING_FILE), { bigint: true }).catch(() => null);
  return info ? `${info.mtimeNs}:${info.size}:${info.ino}` : '';
}

/** Looked at together: as many as the system looks at beside each other. */
const TOGETHER = 32;

async function stampsOf(root: string, folders: readonly string[]): Promise<Map<string, string>> {
  const stamps = new Map<string, string>();
  for (let at = 0; at < folders.length; at += TOGETHER) {
    const some = folders.slice(at, at + TOGETHER);
    const found = await Promise.all(some.map((folder) => stampOf(join(root, folder))));
    for (const [place, stamp] of found.entries()) stamps.set(some[place] ?? '', stamp);
  }
  return stamps;
}

/** Rows that one look through the folders has asked for already: ten thousand recordings are of a few tasks, people and programs. */
type Looked = {
  software: Map<string, Software>;
  tasks: Set<string>;
  people: Map<string, string>;
  /** Tasks that mean here what a recording means by them (sameKey). */
  same: Set<string>;
};

const sameKey = ({ app, task }: Recording): string => JSON.stringify([app.id, app.name, task.id, task.goal]);

type Row = Insertable<RecordingTable>;

/** Rows of one statement: each statement is a way to the server and back, and on SQLite a flush of the disk. */
const ROWS_AT_ONCE = 100;

async function writeRows(store: Store, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const facts = Object.keys(rows[0]!).filter((column) => column !== 'id') as (keyof Row)[]; // Columns, as the rows have them.
  await sqlOf(store)
    .insertInto('recordings')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => Object.fromEntries(facts.map((name) => [name, eb.ref(`excluded.${name}`)]))),
    )
    .execute();
}

type Wishes = {
  /** Recordings whose folders were found before. */
  seen: ReadonlySet<string>;
  /** Recordings that the index has. */
  here?: ReadonlySet<string>;
  wasHere?: (task: string) => Promise<boolean>;
  looked?: Looked;
};

/** Reads one folder; gives its row, and in words to which other task it was given. */
async function readFolder({ store, root }: Place, folder: string, { seen, here, wasHere, looked }: Wishes) {
  const path = join(root, folder);
  // Before the reading: a change in between is then read at the next time.
  let stamp = await stampOf(path);
  refuseStrangers(path);
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
  let moved: string | null = null;
  // A recording that is made here has its task's goal; one that is known stays where it is.
  const isNew = wasHere !== undefined && !here?.has(recording.id) && recording.state === 'closed';
  const key = sameKey(recording);
  if (isNew && !looked?.same.has(key) && (await wasHere(recording.task.id))) {
    moved = await giveOwnTask(store, path, recording);
    if (moved !== null) stamp = await stampOf(path);
    else looked?.same.add(key);
  }
  const facts = await factsOf(store, recording, looked);
  return { row: { id: recording.id, ...facts, folder, stamp, present: 1 }, moved };
}

/** The folder itself says so from then on: it may be indexed anew, or travel further. Gives what was done, in words. */
async function giveOwnTask(store: Store, path: string, recording: Recording): Promise<string | null> {
  const { id, goal } = recording.task;
  const other = await otherTask(store, id, { software: await softwareOf(store, recording.app), goal });
  if (other === null) return null;
  const message = otherTaskWords(id, other);
  recording.task = { ...recording.task, id: other.id };
  recording.warnings = [...recording.warnings, { code: 'other-task', message }];
  writeRecording(path, recording);
  return message;
}

/** The index's row of a recording. Its software and task are made when this workspace does not know them. */
async function factsOf(store: Store, recording: Recording, looked?: Looked) {
  const { app, task, person } = recording;
  const named = JSON.stringify([app.id, app.name]);
  const software = looked?.software.get(named) ?? (await softwareOf(store, app));
  looked?.software.set(named, software);
  const taskId = looked?.tasks.has(task.id) ? task.id : await taskOf(store, recording, software);
  looked?.tasks.add(taskId);
  const personId = looked?.people.get(person ?? '') ?? (await personOf(store, person));
  if (personId !== null) looked?.people.set(person ?? '', personId);
  return {
    task_id: taskId,
    software_id: software.id,
    goal: recording.task.goal,
    person_id: personId,
    phase: recording.state,
    verdict: recording.verdict?.kind ?? null,
    sync: recording.sync?.verdict ?? null,
    started_at: recording.clock.startedAt,
    played: recording.played?.recording ?? null,
    duration_us: recording.span ? recording.span.end - recording.span.start : null,
    frames: recording.counts.frames,
    dropped: recording.counts.dropped,
    events: recording.counts.events,
  } satisfies Partial<RecordingTable>;
}

async function softwareOf(store: Store, app: Recording['app']): Promise<Software> {
  const all = await listSoftware(store);
  const known = all.find((one) => one.id === app.id) ?? all.find((one) => one.name === app.name);
  if (known) return known;
  try {
    return await addSoftware(store, { id: app.id, name: app.name });
  } catch (error) {
    // Its name is another's alias here: then it is that one.
    const nearest = nearestSoftware(all, app.name)[0];
    if (error instanceof StudioError && nearest) return nearest;
    throw error;
  }
}

/** Recordings name their person in words, so that a folder is complete by itself; unknown people are added. */
async function personOf(store: Store, name: string | null): Promise<string | null> {
  return name === null || name.trim() === '' ? null : (await ensurePerson(store, name.trim())).id;
}

async function taskOf(store: Store, { task, clock }: Recording, software: Software): Promise<string> {
  const known = await sqlOf(store).selectFrom('tasks').select('id').where('id', '=', task.id).executeTakeFirst();
  if (known) return known.id;
  if (TASK_ID.test(task.id)) return (await ensureTask(store, { id: task.id, software, goal: task.goal })).id;
  // A recording made elsewhere may name its task otherwise; it keeps that name.
  await sqlOf(store)
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
  row: { [K in keyof RecordingTable]: unknown } & {
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
    played: row.played ?? null,
  }) as RecordingEntry; // The columns hold what factsOf put there, from a value that its schema checked.
