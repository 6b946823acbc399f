import { join } from 'node:path';
import { type Records, toRecords } from '../../../core/annotate/document.ts';
import { canonicalJson } from '../../../core/curate/canonical.ts';
import { renameDocument, renameEvent } from '../../../core/import/history.ts';
import { mergeRecords } from '../../../core/import/merge-records.ts';
import { plural } from '../../../core/words.ts';
import type { ArchiveLibrary } from '../../../schemas/archive.ts';
import { tagSchema } from '../../../schemas/dataset.ts';
import { errorBody, isPassing } from '../../../schemas/errors.ts';
import { tagRecordings } from '../../datasets/tags.ts';
import { renamingOf } from '../../documents/arrival.ts';
import type { Documents } from '../../documents/documents.ts';
import { hasFile } from '../../files/inside.ts';
import { readTags } from '../../store/curation.ts';
import { readReviewEvents } from '../../store/review-events.ts';
import { logsOf } from '../../store/transactions.ts';
import type { Workspace } from '../../store/workspace.ts';
import { applyWanted } from '../annotation-file.ts';
import { oddHistory } from '../check-recording.ts';
import { HISTORY_FILE, openHistory } from '../history-file.ts';
import type { ImportLimits } from '../limits.ts';

/**
 * What an archive knows more of recordings that are here. Work that goes on where the work here ends is taken, as if it had been
 * done here. Where both went on, each another way, nothing is taken unasked: `onFork` says what becomes of it.
 */

/** `ours`: the work here stays; `theirs`: it becomes the archive's; `merge`: record by record, ours where both changed one. */
export const ON_FORK = ['ours', 'theirs', 'merge'] as const;
export type OnFork = (typeof ON_FORK)[number];

export type Newer = {
  /** Recordings whose work goes on here as the archive says. */
  continued: string[];
  /** Recordings whose work went on differently here and there, with the lines that the other lacks. */
  forked: { recording: string; here: number; there: number; did: 'kept' | 'taken' | 'merged' | 'before' }[];
  warnings: string[];
};

type Wishes = {
  staging: string;
  library: ArchiveLibrary;
  known: readonly string[];
  onFork: OnFork;
  limits: ImportLimits;
  signal: AbortSignal;
};

export async function takeNewer(
  workspace: Workspace,
  documents: Documents,
  { staging, library, known, onFork, limits, signal }: Wishes,
): Promise<Newer> {
  const newer: Newer = { continued: [], forked: [], warnings: [] };
  const said = new Map(library.recordings.map(({ id, tags }) => [id, tags]));
  for (const id of known) {
    signal.throwIfAborted();
    const folder = join(staging, 'recordings', id);
    try {
      if (hasFile(staging, `recordings/${id}/${HISTORY_FILE}`)) {
        const odd = await oddHistory(folder, id, undefined, limits, signal);
        if (odd !== null) newer.warnings.push(`${id}: its newer work was not taken: ${odd}`);
        else
          await takeWork({ workspace, documents, id, file: join(folder, HISTORY_FILE), onFork, limits, signal }, newer);
      }
      const odd = await takeTags(workspace, id, said.get(id) ?? []);
      if (odd !== null) newer.warnings.push(`${id}: ${odd}`);
    } catch (error) {
      const { code, message } = errorBody(error);
      if (isPassing(code) || code === 'INTERNAL') throw error;
      newer.warnings.push(`${id}: its newer work was not taken: ${message}`);
    }
  }
  return newer;
}

type One = {
  workspace: Workspace;
  documents: Documents;
  id: string;
  file: string;
  onFork: OnFork;
  limits: ImportLimits;
  signal: AbortSignal;
};

async function takeWork(one: One, newer: Newer): Promise<void> {
  const { workspace, documents, id, file, onFork, limits, signal } = one;
  const there = await readThere(one);
  const here = await readHere(workspace, id);
  const { onlyHere, onlyThere, common } = compare(here, there.lines);
  if (onlyThere === 0) return;
  if (onlyHere === 0) {
    const found = new Map([...here].map(([name, lines]) => [name, lines.length]));
    await documents.continueWith(id, await openHistory(file, limits, signal), found);
    newer.continued.push(id);
    return;
  }
  const fork = { recording: id, here: onlyHere, there: onlyThere };
  const { records } = await documents.get(id);
  const base = toRecords(common.get(id) ? await recordsAt(documents, id, common.get(id)!) : []);
  const wanted = { base, ours: toRecords(records), theirs: there.main };
  const merged = onFork === 'theirs' ? { records: there.main, both: [] } : mergeRecords(wanted);
  const what = `fork ${there.end} ${onFork}`;
  if (onFork === 'ours') {
    newer.forked.push({ ...fork, did: 'kept' });
    newer.warnings.push(
      `${id}: its work went on differently here (${plural(onlyHere, 'line')} that the archive lacks) and there (${plural(onlyThere, 'line')}); the work here stays. Import it again with --on-fork merge or --on-fork theirs to take it, as one change that can be undone`,
    );
    return;
  }
  const did = await applyWanted(documents, id, what, [...merged.records.values()]);
  newer.forked.push({ ...fork, did: did ? (onFork === 'theirs' ? 'taken' : 'merged') : 'before' });
  if (did && merged.both.length > 0) {
    const named = merged.both.slice(0, 5).join(', ');
    newer.warnings.push(
      `${id}: ${plural(merged.both.length, 'record')} that both changed stay as they are here (${named}${merged.both.length > 5 ? ', …' : ''})`,
    );
  }
}

/** The lines of each document, and of the review under '', as texts: two are the same work when their texts are. */
type Lines = Map<string, string[]>;

/** Adds to the lines of a document in place: a history may have many thousands. */
const adder =
  (lines: Lines) =>
  (name: string, line: string): void => {
    const before = lines.get(name);
    if (before) before.push(line);
    else lines.set(name, [line]);
  };

async function readThere({ workspace, id, file, limits, signal }: One): Promise<{
  lines: Lines;
  main: Records;
  end: string;
}> {
  const { head, items } = await openHistory(file, limits, signal);
  const rename = await renamingOf(workspace.store, head.people);
  const lines: Lines = new Map();
  const main = new Map();
  let end = '';
  const add = adder(lines);
  for await (const item of items) {
    if ('event' in item) {
      const { id: event, n, person, act } = renameEvent(item.event, rename);
      add('', canonicalJson({ id: event, n, person, act }));
      continue;
    }
    const { document, id: line, version, person, label, undoes, redoes, changes } = item.transaction;
    const name = renameDocument(id, document, rename);
    add(name, canonicalJson({ id: line, version, person: rename(person), label, undoes, redoes, changes }));
    if (name !== id) continue;
    end = line;
    for (const change of changes) {
      if (change.op === 'remove') main.delete(change.record.id);
      else if (change.op === 'add') main.set(change.record.id, change.record);
      else main.set(change.after.id, change.after);
    }
  }
  return { lines, main, end };
}

async function readHere({ store }: Workspace, recording: string): Promise<Lines> {
  const lines: Lines = new Map();
  const add = adder(lines);
  for (const { document, stored } of await logsOf(store, recording)) {
    const { id, version, person, label, undoes, redoes, changes } = stored;
    add(document, canonicalJson({ id, version, person, label, undoes, redoes, changes }));
  }
  for (const { id, n, person, act } of await readReviewEvents(store, recording)) {
    add('', canonicalJson({ id, n, person, act }));
  }
  return lines;
}

/** How many lines only one of them has, and how many of each document both have. */
function compare(here: Lines, there: Lines): { onlyHere: number; onlyThere: number; common: Map<string, number> } {
  let [onlyHere, onlyThere] = [0, 0];
  const common = new Map<string, number>();
  for (const name of new Set([...here.keys(), ...there.keys()])) {
    const [ours, theirs] = [here.get(name) ?? [], there.get(name) ?? []];
    const differs = ours.findIndex((line, at) => line !== theirs[at]);
    const same = differs < 0 ? ours.length : differs;
    common.set(name, same);
    // A document that a page only looked at begins with a line of the studio's, in which nobody has done anything.
    onlyHere += name !== '' && same === 0 && ours.length === 1 ? 0 : ours.length - same;
    onlyThere += theirs.length - same;
  }
  return { onlyHere, onlyThere, common };
}

async function recordsAt(documents: Documents, id: string, version: number) {
  const records = new Map();
  for (const { changes } of (await documents.since(id, 0)).filter((line) => line.version <= version)) {
    for (const change of changes) {
      if (change.op === 'remove') records.delete(change.record.id);
      else if (change.op === 'add') records.set(change.record.id, change.record);
      else records.set(change.after.id, change.after);
    }
  }
  return [...records.values()];
}

/** Tags that came in addition are taken; where both have some of their own, those here stay. Gives why not, in words. */
async function takeTags(workspace: Workspace, id: string, there: readonly string[]): Promise<string | null> {
  const here = (await readTags(workspace.store)).get(id) ?? [];
  const add = there.filter((tag) => !here.includes(tag) && tagSchema.safeParse(tag).success);
  if (add.length === 0) return null;
  const own = here.filter((tag) => !there.includes(tag));
  if (own.length > 0) return `its tags stay as they are here (${here.join(', ')}); the archive has ${there.join(', ')}`;
  await tagRecordings(workspace, { recordings: [id], add, remove: [] });
  return null;
}
