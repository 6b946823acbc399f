import { type AnnotationRecord, MOST_RECORDS } from '../../schemas/annotation.ts';
import { errorBody } from '../../schemas/errors.ts';
import type { HistoryEvent, HistoryHead, HistoryTransaction } from '../../schemas/history.ts';
import { REPLICA_MARK, type ReviewAct } from '../../schemas/review.ts';
import { applyInPlace, type Records } from '../annotate/document.ts';
import { NOBODY } from '../review/rules.ts';

/**
 * A history from a stranger, told again from its beginning: it must be one that this program could have written, so that
 * what is undone after arrival is what was done. Problems are answers in words, without a place: the reader knows the line.
 */
type HistoryReplay = {
  /** Why the transaction, the next one, cannot be; null when it can. */
  transaction(line: HistoryTransaction): string | null;
  event(line: HistoryEvent): string | null;
  /** The part that is missing at the end; null when it is whole. */
  end(): string | null;
  /** The main document's records; null when the history has none. */
  main(): Records | null;
};

type Playing = { at: number; version: number; records: Map<string, AnnotationRecord> };

/** Why the head cannot be; null when it can. */
export function headProblem({ recording, people, documents }: HistoryHead, expected: string): string | null {
  if (recording !== expected) return `it is the history of ${recording}, not of ${expected}`;
  const ids = new Set<string>();
  const names = new Set<string>();
  for (const { id, name } of people) {
    if (NOBODY.has(id)) return `"${id}" cannot be a person's id`;
    if (ids.has(id) || names.has(name.toLowerCase())) return `the person "${name}" stands in it twice`;
    ids.add(id);
    names.add(name.toLowerCase());
  }
  const seen = new Set<string>();
  for (const { id, person } of documents) {
    const isTheirs = person === null ? id === recording : id === `${recording}${REPLICA_MARK}${person}`;
    if (!isTheirs || (person !== null && !ids.has(person))) return `"${id.slice(0, 100)}" is no document of it`;
    if (seen.has(id)) return `the document "${id}" stands in it twice`;
    seen.add(id);
  }
  return null;
}

export function replayHistory({ recording, documents }: HistoryHead): HistoryReplay {
  const known = new Set<string>();
  let own = new Set<string>();
  let playing: Playing = { at: -1, version: 0, records: new Map() };
  let main: Records | null = null;
  let events = 0;

  const finished = (): string | null => {
    const document = documents[playing.at];
    if (!document) return null;
    if (document.version !== playing.version) {
      return `the document "${document.id}" ends at version ${playing.version}, not at ${document.version}`;
    }
    if (document.person === null) main = playing.records;
    return null;
  };
  const next = (document: string): string | null => {
    const problem = finished();
    if (problem !== null) return problem;
    if (documents[playing.at + 1]?.id !== document)
      return `the document "${document.slice(0, 100)}" is not its next one`;
    playing = { at: playing.at + 1, version: 0, records: new Map() };
    own = new Set();
    return null;
  };
  const once = (id: string): string | null => {
    if (known.has(id)) return `the id ${id} stands in it twice`;
    known.add(id);
    return null;
  };

  return {
    transaction({ document, version, id, undoes, redoes, state, changes }) {
      if (events > 0) return 'a transaction stands behind the log of the review';
      const other = documents[playing.at]?.id !== document;
      const problem = (other ? next(document) : null) ?? once(id);
      if (problem !== null) return problem;
      if (version !== playing.version + 1) return `version ${version} follows version ${playing.version}`;
      const back = undoes ?? redoes;
      if (undoes !== null && redoes !== null) return 'it cannot be an undo and a redo at once';
      if (back !== null && !own.has(back)) return `it takes back ${back}, which is not before it`;
      if ((back !== null || version === 1) && state !== 'fixed') return `its state cannot be "${state}"`;
      try {
        applyInPlace(playing.records, changes);
      } catch (error) {
        return errorBody(error).message;
      }
      if (playing.records.size > MOST_RECORDS) return `it makes more than ${MOST_RECORDS} records`;
      own.add(id);
      playing.version = version;
      return null;
    },
    event({ id, n, recording: of, act, facts }) {
      const problem = once(id);
      if (problem !== null) return problem;
      if (of !== recording) return `it is an event of ${of.slice(0, 100)}`;
      if (n !== ++events) return `event ${n} follows event ${events - 1}`;
      const stray = namedDocuments(act, facts).find((one) => !isDocumentOf(recording, one));
      return stray === undefined ? null : `"${stray.slice(0, 100)}" is no document of it`;
    },
    end() {
      const problem = finished();
      if (problem !== null) return problem;
      const missing = documents[playing.at + 1];
      return missing ? `the document "${missing.id}" has no transactions` : null;
    },
    main: () => main,
  };
}

function namedDocuments(act: ReviewAct, { document }: HistoryEvent['facts']): string[] {
  const said = 'document' in act ? act.document : act.type === 'settle' ? act.side : null;
  return [said, document].filter((one) => one !== null);
}

const isDocumentOf = (recording: string, document: string): boolean =>
  document === recording || document.startsWith(`${recording}${REPLICA_MARK}`);

/** How people are called where a history arrives; who is not in the map keeps the id. */
export type Renaming = (person: string) => string;

/** A document's id with its person as they are called here. */
export function renameDocument(recording: string, document: string, rename: Renaming): string {
  const mark = `${recording}${REPLICA_MARK}`;
  return document.startsWith(mark) ? `${mark}${rename(document.slice(mark.length))}` : document;
}

/** An event with everybody in it as they are called here. */
export function renameEvent(event: HistoryEvent, rename: Renaming): HistoryEvent {
  const { recording, person, facts } = event;
  const document = <T extends string | null>(id: T): T =>
    (id === null ? null : renameDocument(recording, id, rename)) as T; // A name stays a name, and null null.
  let { act } = event;
  if (act.type === 'submit' || act.type === 'withdraw') act = { ...act, document: document(act.document) };
  else if (act.type === 'settle') act = { ...act, side: document(act.side) };
  else if (act.type === 'assign') act = { ...act, to: [...new Set(act.to.map(rename))] };
  return {
    ...event,
    person: rename(person),
    act,
    facts: { ...facts, document: document(facts.document), authors: facts.authors?.map(rename) ?? null },
  };
}
