import { difference, type Records } from '../../core/annotate/document.ts';
import { joinOpened } from '../../core/annotate/opened.ts';
import { framePlace, type Pixel } from '../../core/annotate/picture.ts';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import type { AnnotationDocument, Proposal, StoredTransaction, Transaction } from '../../schemas/annotation.ts';
import type { OpenedRecording, RecordingNow, Step } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { PageFile } from '../recordings/closed.ts';
import { framePictures, type PictureAsking } from '../recordings/frames.ts';
import { breathe } from '../store/breathe.ts';
import { readVocabulary } from '../store/crops.ts';
import type { DocumentState } from '../store/documents.ts';
import { personOf } from '../store/people.ts';
import { type Progress, progressOfMain } from '../store/progress.ts';
import { toRecordingRow } from '../store/recordings.ts';
import type { StoreTransaction } from '../store/store.ts';
import { linesSince, nextLabel, readHistory } from '../store/transactions.ts';
import type { Workspace } from '../store/workspace.ts';
import { type ArrivingHistory, landHistory } from './arrival.ts';
import { type Context, recordingContexts } from './contexts.ts';
import { mostPixels } from './pictures.ts';
import { POINTED } from './propose.ts';
import { type SmallSize, smallPictures } from './small-pictures.ts';
import { Suggestions, stepIn } from './suggestions.ts';
import { documentWriter, type WriterGate, type Written } from './writer.ts';

/** A document's records at a version, and the steps and folder of its recording. */
export type Looked = DocumentState & { id: string; steps: Step[]; folder: string };

type TransactionListener = (recording: string, transaction: StoredTransaction) => void;

/**
 * The annotation of a workspace's recordings. A recording is named by its id (or the start of one); `document` names
 * another than its main one: `<recording>~<person id>`, of the person who annotates it blind.
 */
export type Documents = {
  /**
   * The document as it is; the first time it is begun with the recording's marks and goal. `undo` and `redo` are what
   * `person` (default `me`) would undo and redo. Throws UNKNOWN_RECORDING, BAD_FILE, FUTURE_VERSION; USAGE while it is recorded.
   */
  get(recording: string, person?: string, document?: string): Promise<AnnotationDocument>;
  /**
   * Applies a transaction, all or nothing; one that came before is answered, not applied twice. Throws CONFLICT when a
   * `before` no longer stands or when the person may not write there now (core/review/RULES.md), UNKNOWN_STEP, USAGE with
   * field and limit.
   */
  apply(recording: string, transaction: Transaction, person: string, document?: string): Promise<StoredTransaction>;
  /**
   * Takes the annotation that an imported recording brought, whatever the state of the work on it. Throws CONFLICT when work
   * went on here.
   */
  arrive(recording: string, transaction: Transaction): Promise<void>;
  /** Its whole history, review and state, as if the work had been done here (arrival.ts). Throws as landHistory. */
  arriveWith(recording: string, history: ArrivingHistory): Promise<void>;
  /**
   * The same where the history here has these lines, by document, and the one that comes goes on after them. Throws CONFLICT when
   * there are others by now.
   */
  continueWith(recording: string, history: ArrivingHistory, found: ReadonlyMap<string, number>): Promise<void>;
  /** Null when there is nothing. Throws CONFLICT when somebody has changed the same since. */
  undo(recording: string, person: string, document?: string): Promise<StoredTransaction | null>;
  redo(recording: string, person: string, document?: string): Promise<StoredTransaction | null>;
  /** The newest first; of one action when named. */
  history(
    recording: string,
    options: { action?: string | undefined; limit: number; document?: string | undefined },
  ): Promise<StoredTransaction[]>;
  /** Every transaction after this version, in order. */
  since(recording: string, version: number, document?: string): Promise<StoredTransaction[]>;
  /** Told of each transaction (not of a document's beginning) after it is stored. Gives the way to stop. */
  onTransaction(listener: TransactionListener): () => void;
  /** Best first, at most 9; empty for keys and waits. Throws UNKNOWN_STEP. */
  proposals(recording: string, action: string, document?: string): Promise<Proposal[]>;
  /** x, y: px of the step's `before` picture. Throws UNKNOWN_STEP, USAGE outside of it, RECORDING_DAMAGED without it. */
  grow(recording: string, action: string, point: Pixel, document?: string): Promise<Proposal | null>;
  /** The most used first, of what this person may learn from; without one, of main documents. `software` is its id. */
  vocabulary(software: string, person?: string | null): Promise<{ name: string; count: number }[]>;
  /** A document with the steps it speaks of, for reviews and comparisons. */
  look(recording: string, document?: string): Promise<Looked>;
  /** A way to make a main document stand so, inside a transaction of the caller's (writer.ts); gives its version. */
  beginner(recording: string): Promise<(trx: StoreTransaction, label: string, records: Records) => Promise<number>>;
  openRecording(recording: string): Promise<OpenedRecording>;
  /** The two parts of the same: what the raw files and the rules say, as JSON, and what comes and goes beside them. */
  pageFile(recording: string): Promise<PageFile>;
  recordingNow(recording: string): Promise<RecordingNow>;
  /** Derives long recordings that nobody has opened yet, aside, so that the first opening need not. Never throws. */
  prepare(recordings: readonly string[]): Promise<void>;
  /**
   * The lossless PNG of the frame `i` of frames.jsonl: its path, cut and cached when needed.
   * Throws UNKNOWN_FILE, RECORDING_DAMAGED, NO_FFMPEG, FFMPEG_UNSUITABLE, DISK_FULL.
   */
  framePicture(recording: string, i: number, asking?: PictureAsking): Promise<string>;
  /** Its first step's screen as a small JPEG, the first picture where it has no step. Throws as `framePicture` does. */
  smallPicture(recording: string, size: SmallSize, asking?: PictureAsking): Promise<Buffer>;
  /** Null while nobody has opened it for annotation. */
  progress(recording: string): Promise<Progress | null>;
  /** The progress of every recording whose main document was begun, by id. */
  progressOfAll(): Promise<Map<string, Progress>>;
  /** Ends running work; resolves when nothing of it touches the database any more. */
  close(): Promise<void>;
};

/** `gate` decides who may write where. */
export const openDocuments = (workspace: Workspace, gate: WriterGate): Documents => new OpenDocuments(workspace, gate);

type HistoryOptions = { action?: string | undefined; limit: number; document?: string | undefined };

class OpenDocuments implements Documents {
  readonly #workspace: Workspace;
  readonly #contexts: ReturnType<typeof recordingContexts>;
  readonly #writer: ReturnType<typeof documentWriter>;
  readonly #ffmpeg = onceAsked(findFfmpeg);
  readonly #frames = framePictures(this.#ffmpeg);
  readonly #shrunk = smallPictures();
  readonly #suggestions: Suggestions;
  readonly #listeners = new Set<TransactionListener>();

  constructor(workspace: Workspace, gate: WriterGate) {
    this.#workspace = workspace;
    this.#contexts = recordingContexts(workspace);
    this.#writer = documentWriter(workspace, gate);
    this.#suggestions = new Suggestions(workspace.store, this.#frames);
  }

  async get(recording: string, person = 'me', document?: string): Promise<AnnotationDocument> {
    const { store } = this.#workspace;
    const context = await this.#contexts.open(recording, document);
    const who = (await personOf(store, person)).id;
    const { version, records } = await this.#writer.read(context);
    const [undo, redo] = [
      await nextLabel('undo', store, context.document, who),
      await nextLabel('redo', store, context.document, who),
    ];
    // In one order, whoever reads it.
    const list = [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return { recording: context.id, version, records: list, undo, redo };
  }

  async apply(
    recording: string,
    transaction: Transaction,
    person: string,
    document?: string,
  ): Promise<StoredTransaction> {
    const context = await this.#contexts.open(recording, document);
    // A gesture on every step of two hours has taken some time to arrive already.
    await breathe();
    const stored = this.#tell(context, await this.#writer.apply(context, transaction, person));
    if (stored) return stored;
    throw new StudioError('INTERNAL', `The transaction ${transaction.id} was not stored.`);
  }

  async arrive(recording: string, transaction: Transaction): Promise<void> {
    const context = await this.#contexts.open(recording);
    this.#tell(context, await this.#writer.arrive(context, transaction));
  }

  async arriveWith(recording: string, history: ArrivingHistory): Promise<void> {
    const context = await this.#contexts.open(recording);
    const main = await landHistory(this.#workspace.store, context, history);
    if (main) this.#suggestions.note(context, main, difference(new Map(), main.records));
  }

  async continueWith(recording: string, history: ArrivingHistory, found: ReadonlyMap<string, number>): Promise<void> {
    const context = await this.#contexts.open(recording);
    const main = await landHistory(this.#workspace.store, context, history, found);
    if (!main) return;
    this.#suggestions.note(context, main, difference(new Map(), main.records));
    for (const line of await linesSince(this.#workspace.store, recording, found.get(recording) ?? 0)) {
      for (const listener of this.#listeners) listener(recording, line);
    }
  }

  async undo(recording: string, person: string, document?: string): Promise<StoredTransaction | null> {
    const context = await this.#contexts.open(recording, document);
    return this.#tell(context, await this.#writer.step(context, 'undo', person));
  }

  async redo(recording: string, person: string, document?: string): Promise<StoredTransaction | null> {
    const context = await this.#contexts.open(recording, document);
    return this.#tell(context, await this.#writer.step(context, 'redo', person));
  }

  async history(recording: string, options: HistoryOptions): Promise<StoredTransaction[]> {
    return readHistory(this.#workspace.store, await this.#idIn(recording, options.document), options);
  }

  async since(recording: string, version: number, document?: string): Promise<StoredTransaction[]> {
    return linesSince(this.#workspace.store, await this.#idIn(recording, document), version);
  }

  onTransaction(listener: TransactionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async proposals(recording: string, action: string, document?: string): Promise<Proposal[]> {
    const context = await this.#contexts.open(recording, document);
    // Keys and waits have none, and asking for them begins no document.
    if (!POINTED.has(stepIn(context, action).kind)) return [];
    return this.#suggestions.proposals(context, await this.#writer.read(context), action);
  }

  async grow(recording: string, action: string, point: Pixel, document?: string): Promise<Proposal | null> {
    const context = await this.#contexts.open(recording, document);
    stepIn(context, action);
    return this.#suggestions.grow(context, await this.#writer.read(context), action, point);
  }

  async vocabulary(software: string, person?: string | null): Promise<{ name: string; count: number }[]> {
    const { store } = this.#workspace;
    return readVocabulary(store, software, person == null ? null : (await personOf(store, person)).id);
  }

  async look(recording: string, document?: string): Promise<Looked> {
    const context = await this.#contexts.open(recording, document);
    const { document: id, opened, entry } = context;
    return { ...(await this.#writer.read(context)), id, steps: opened.page.steps, folder: entry.folder };
  }

  async beginner(
    recording: string,
  ): Promise<(trx: StoreTransaction, label: string, records: Records) => Promise<number>> {
    const context = await this.#contexts.open(recording);
    return (trx, label, records) => this.#writer.begin(trx, context, label, records);
  }

  async openRecording(recording: string): Promise<OpenedRecording> {
    const now = await this.recordingNow(recording);
    const { opened } = await this.#contexts.open(now.row.id);
    return joinOpened(opened.page, now);
  }

  async pageFile(recording: string): Promise<PageFile> {
    const { opened } = await this.#contexts.open(recording);
    // Reading a long one is a piece of its own, and so is writing it.
    await breathe();
    return opened.pageFile;
  }

  async recordingNow(recording: string): Promise<RecordingNow> {
    // Looked for while a long recording is derived: its first picture needs it.
    this.#ffmpeg().catch(() => undefined);
    const { entry, opened, id } = await this.#contexts.open(recording);
    // A long one took a while to read, and its answer takes another: requests that came meanwhile go between.
    await breathe();
    const progress = await this.#progressOf(id);
    // The first step is looked at next: its picture is cut while the answer is on its way.
    const first = opened.page.steps[0]?.before ?? -1;
    if ((progress?.done ?? 0) === 0 && first >= 0) this.#frames.get(entry.folder, opened, first).catch(() => undefined);
    return { ...opened.now(), row: toRecordingRow({ ...entry, ...progress }) };
  }

  prepare(recordings: readonly string[]): Promise<void> {
    return this.#contexts.prepare(recordings);
  }

  async framePicture(recording: string, i: number, asking?: PictureAsking): Promise<string> {
    const { entry, opened } = await this.#contexts.open(recording);
    const place = framePlace(opened.page.frames, i);
    if (place >= 0) return this.#frames.get(entry.folder, opened, place, asking);
    throw new StudioError('UNKNOWN_FILE', `Recording ${entry.id} has no frame ${i}.`, {
      recording: entry.id,
      frame: i,
    });
  }

  async smallPicture(recording: string, size: SmallSize, asking?: PictureAsking): Promise<Buffer> {
    const { entry, opened } = await this.#contexts.open(recording);
    const { steps, frames } = opened.page;
    const place = steps.find(({ before }) => before >= 0)?.before ?? (frames.length > 0 ? 0 : -1);
    if (place < 0) {
      throw new StudioError('UNKNOWN_FILE', `Recording ${entry.id} has no picture.`, { recording: entry.id });
    }
    const file = await this.#frames.get(entry.folder, opened, place, asking);
    return this.#shrunk(file, size, mostPixels(opened.meta.segments));
  }

  async progress(recording: string): Promise<Progress | null> {
    const { id } = await this.#contexts.entryOf(recording);
    return (await this.#progressOf(id)) ?? null;
  }

  progressOfAll(): Promise<Map<string, Progress>> {
    return progressOfMain(this.#workspace.store, null);
  }

  async close(): Promise<void> {
    await this.#contexts.close();
    await this.#frames.close();
    await this.#suggestions.close();
  }

  async #progressOf(id: string): Promise<Progress | undefined> {
    return (await progressOfMain(this.#workspace.store, id)).get(id);
  }

  /** The id of a document of a recording. */
  async #idIn(recording: string, document: string | undefined): Promise<string> {
    const { id } = await this.#contexts.entryOf(recording);
    return (await this.#contexts.documentOf(id, document)).document;
  }

  #tell(context: Context, { stored, isNew, state }: Written): StoredTransaction | null {
    if (!stored || !isNew) return stored;
    this.#suggestions.note(context, state, stored.changes);
    for (const listener of this.#listeners) listener(context.id, stored);
    return stored;
  }
}

/** Looking for ffmpeg starts it three times, so it is done once; a failure is asked again. */
function onceAsked<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}
