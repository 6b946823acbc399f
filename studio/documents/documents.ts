import type { Transaction as Sql } from 'kysely';
import { difference, type Records } from '../../core/annotate/document.ts';
import { boxId, labelId } from '../../core/annotate/ids.ts';
import { framePlace, isInPicture, type Pixel, pictureRect, stepPlace, toPicture } from '../../core/annotate/picture.ts';
import { elementProposal } from '../../core/annotate/proposals/element.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import type { AnnotationDocument, Proposal, StoredTransaction, Transaction } from '../../schemas/annotation.ts';
import type { OpenedRecording, Step } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { framePictures } from '../recordings/frames.ts';
import { breathe } from '../store/breathe.ts';
import { personOf } from '../store/people.ts';
import { toRecordingRow } from '../store/recordings.ts';
import type { Tables } from '../store/tables.ts';
import type { Workspace } from '../store/workspace.ts';
import { type ArrivingHistory, landHistory } from './arrival.ts';
import { beforePlace } from './check.ts';
import { type Context, recordingContexts } from './contexts.ts';
import { knownCrops, readFollowers, readVocabulary } from './learn.ts';
import { learner } from './learner.ts';
import { type DocumentState, linesSince, readHistory } from './log.ts';
import { mostPixels, pictureReader } from './pictures.ts';
import type { Progress } from './progress.ts';
import { growAt, POINTED, propose } from './propose.ts';
import { type SmallSize, smallPictures } from './small-pictures.ts';
import { nextLabel } from './undo.ts';
import { documentWriter, type WriterGate, type Written } from './writer.ts';

/** A document's records at a version, and the steps of its recording. */
export type Looked = DocumentState & { id: string; steps: Step[] };

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
  beginner(recording: string): Promise<(trx: Sql<Tables>, label: string, records: Records) => Promise<number>>;
  openRecording(recording: string): Promise<OpenedRecording>;
  /** Derives long recordings that nobody has opened yet, aside, so that the first opening need not. Never throws. */
  prepare(recordings: readonly string[]): Promise<void>;
  /**
   * The lossless PNG of the frame `i` of frames.jsonl: its path, cut and cached when needed.
   * Throws UNKNOWN_FILE, RECORDING_DAMAGED, NO_FFMPEG, FFMPEG_UNSUITABLE, DISK_FULL.
   */
  framePicture(recording: string, i: number): Promise<string>;
  /** Its first step's screen as a small JPEG, the first picture where it has no step. Throws as `framePicture` does. */
  smallPicture(recording: string, size: SmallSize): Promise<Buffer>;
  /** Null while nobody has opened it for annotation. */
  progress(recording: string): Promise<Progress | null>;
  /** The progress of every recording whose main document was begun, by id. */
  progressOfAll(): Promise<Map<string, Progress>>;
  /** Ends running work; resolves when nothing of it touches the database any more. */
  close(): Promise<void>;
};

/** `gate` decides who may write where. */
export function openDocuments(workspace: Workspace, gate: WriterGate): Documents {
  const { db } = workspace;
  const contexts = recordingContexts(workspace);
  const writer = documentWriter(workspace, gate);
  const ffmpeg = onceAsked(findFfmpeg);
  const frames = framePictures(ffmpeg);
  const readPicture = pictureReader();
  const shrunk = smallPictures();
  const listeners = new Set<TransactionListener>();
  const lessons = learner({ db, picture: beforePicture });

  /** The picture that a step's box is drawn in; null when there is none (no frame, or its video is gone). */
  async function beforePicture(context: Context, state: DocumentState, action: string): Promise<RgbImage | null> {
    const place = beforePlace(context.opened, state.records, action);
    if (place < 0) return null;
    try {
      return await readPicture(
        await frames.get(context.entry.folder, context.opened, place),
        mostPixels(context.opened.meta.segments),
      );
    } catch (error) {
      if (error instanceof StudioError) return null;
      throw error;
    }
  }

  async function documentIn(recording: string, document: string | undefined): Promise<string> {
    const { id } = await contexts.entryOf(recording);
    return (await contexts.documentOf(id, document)).document;
  }

  function tell(context: Context, { stored, isNew, state }: Written): StoredTransaction | null {
    if (!stored || !isNew) return stored;
    lessons.note(context, state, stored.changes);
    for (const listener of listeners) listener(context.id, stored);
    return stored;
  }

  return {
    async get(recording, person = 'me', document) {
      const context = await contexts.open(recording, document);
      const who = (await personOf(db, person)).id;
      const { version, records } = await writer.read(context);
      const [undo, redo] = [
        await nextLabel('undo', db, context.document, who),
        await nextLabel('redo', db, context.document, who),
      ];
      // In one order, whoever reads it.
      const list = [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      return { recording: context.id, version, records: list, undo, redo };
    },

    async arrive(recording, transaction) {
      const context = await contexts.open(recording);
      tell(context, await writer.arrive(context, transaction));
    },
    async arriveWith(recording, history) {
      const context = await contexts.open(recording);
      const main = await landHistory(db, context, history);
      if (main) lessons.note(context, main, difference(new Map(), main.records));
    },
    async apply(recording, transaction, person, document) {
      const context = await contexts.open(recording, document);
      // A gesture on every step of two hours has taken some time to arrive already.
      await breathe();
      const stored = tell(context, await writer.apply(context, transaction, person));
      if (stored) return stored;
      throw new StudioError('INTERNAL', `The transaction ${transaction.id} was not stored.`);
    },
    async undo(recording, person, document) {
      const context = await contexts.open(recording, document);
      return tell(context, await writer.step(context, 'undo', person));
    },
    async redo(recording, person, document) {
      const context = await contexts.open(recording, document);
      return tell(context, await writer.step(context, 'redo', person));
    },

    history: async (recording, options) => readHistory(db, await documentIn(recording, options.document), options),
    since: async (recording, version, document) => linesSince(db, await documentIn(recording, document), version),
    onTransaction(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async proposals(recording, action, document) {
      const context = await contexts.open(recording, document);
      const { owner } = context;
      const step = stepOf(context, action);
      if (!POINTED.has(step.kind)) return [];
      const state = await writer.read(context);
      // A name that was given a moment ago is to be offered now.
      await lessons.settled();
      const software = context.entry.app;
      const image = await beforePicture(context, state, action);
      const rect = pictureRect(context.opened.page, beforePlace(context.opened, state.records, action));
      const place = stepPlace(step.start);
      const point = rect && place && toPicture(place, rect);
      const last = lastName(context, state, action);
      const element = rect && context.opened.elementOf(step);
      return propose({
        picture: image && point && isInPicture(point, image) ? { image, point } : null,
        element: element ? elementProposal(element, rect) : null,
        known: await knownCrops(db, software, { document: context.document, action, owner }),
        vocabulary: await readVocabulary(db, software, owner),
        followers: last === null ? [] : await readFollowers(db, software, last, owner),
        hasBox: state.records.has(boxId(action, 'target')),
      });
    },

    async grow(recording, action, point, named) {
      const context = await contexts.open(recording, named);
      const { document, owner } = context;
      stepOf(context, action);
      const state = await writer.read(context);
      const place = beforePlace(context.opened, state.records, action);
      if (place < 0) return null;
      const image = await readPicture(
        await frames.get(context.entry.folder, context.opened, place),
        mostPixels(context.opened.meta.segments),
      );
      checkInside(point, image);
      await lessons.settled();
      return growAt(image, point, await knownCrops(db, context.entry.app, { document, action, owner }));
    },

    vocabulary: async (software, person) =>
      readVocabulary(db, software, person == null ? null : (await personOf(db, person)).id),

    async look(recording, document) {
      const context = await contexts.open(recording, document);
      return { ...(await writer.read(context)), id: context.document, steps: context.opened.page.steps };
    },
    async beginner(recording) {
      const context = await contexts.open(recording);
      return (trx, label, records) => writer.begin(trx, context, label, records);
    },

    async openRecording(recording) {
      // Looked for while a long recording is derived: its first picture needs it.
      ffmpeg().catch(() => undefined);
      const { entry, opened, id } = await contexts.open(recording);
      // A long one took a while to read, and its answer takes another: requests that came meanwhile go between.
      await breathe();
      const progress = (await progressIn(workspace, id)).get(id);
      // Who opens a recording looks at its first step next: its picture is cut while the answer is on its way.
      const first = opened.page.steps[0]?.before ?? -1;
      if ((progress?.done ?? 0) === 0 && first >= 0) frames.get(entry.folder, opened, first).catch(() => undefined);
      return { ...opened.pageNow(), row: toRecordingRow({ ...entry, ...progress }) };
    },

    prepare: contexts.prepare,

    async framePicture(recording, i) {
      const { entry, opened } = await contexts.open(recording);
      const place = framePlace(opened.page.frames, i);
      if (place >= 0) return frames.get(entry.folder, opened, place);
      throw new StudioError('UNKNOWN_FILE', `Recording ${entry.id} has no frame ${i}.`, {
        recording: entry.id,
        frame: i,
      });
    },

    async smallPicture(recording, size) {
      const { entry, opened } = await contexts.open(recording);
      const { steps, frames: all } = opened.page;
      const place = steps.find(({ before }) => before >= 0)?.before ?? (all.length > 0 ? 0 : -1);
      if (place < 0) {
        throw new StudioError('UNKNOWN_FILE', `Recording ${entry.id} has no picture.`, { recording: entry.id });
      }
      return shrunk(await frames.get(entry.folder, opened, place), size, mostPixels(opened.meta.segments));
    },

    async progress(recording) {
      const { id } = await contexts.entryOf(recording);
      return (await progressIn(workspace, id)).get(id) ?? null;
    },
    progressOfAll: () => progressIn(workspace, null),

    async close() {
      await contexts.close();
      await frames.close();
      await lessons.close();
    },
  };
}

function stepOf({ opened, id }: Context, action: string): Step {
  const step = opened.page.steps[stepIndex(opened.page.steps).get(action) ?? -1];
  if (step) return step;
  throw new StudioError('UNKNOWN_STEP', `Recording ${id} has no step "${action}".`, { recording: id, step: action });
}

/** The name of the nearest earlier step that has one: what comes next often comes after it. */
function lastName({ opened }: Context, { records }: DocumentState, action: string): string | null {
  const { steps } = opened.page;
  const label = records.get(labelId(steps[(stepIndex(steps).get(action) ?? 0) - 1]?.id ?? ''));
  return label?.kind === 'label' ? label.element : null;
}

function checkInside(point: Pixel, image: RgbImage): void {
  if (isInPicture(point, image)) return;
  throw new StudioError(
    'USAGE',
    `(${point.x}, ${point.y}) lies outside of the step's picture of ${image.width} x ${image.height}.`,
    { point, picture: { width: image.width, height: image.height } },
  );
}

async function progressIn({ db }: Workspace, id: string | null): Promise<Map<string, Progress>> {
  let query = db.selectFrom('documents').select(['id', 'steps', 'done']).where('version', '>', 0);
  query = query.where('person', 'is', null);
  if (id !== null) query = query.where('id', '=', id);
  return new Map((await query.execute()).map((row) => [row.id, { steps: row.steps, done: row.done }]));
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
