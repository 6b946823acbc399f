import { isDeepStrictEqual } from 'node:util';
import { toRecords } from '../../core/annotate/document.ts';
import { findMissing } from '../../core/annotate/missing.ts';
import { viewDocument } from '../../core/annotate/view.ts';
import type {
  AnnotationDocument,
  MissingItem,
  Proposal,
  StoredTransaction,
  Transaction,
} from '../../schemas/annotation.ts';
import type { CandidateShown } from '../../schemas/api/candidates.ts';
import type { DatasetSource, ExportWishes } from '../../schemas/api/datasets.ts';
import type { DraftShown } from '../../schemas/api/drafts.ts';
import type { OpenedRecording, RecordingNow, RecordingRow, TaskInfo, TaskRow } from '../../schemas/api/models.ts';
import type {
  AssignmentWishes,
  AssignOutcome,
  Comparison,
  Dashboard,
  ReviewState,
  WorkItem,
} from '../../schemas/api/review-models.ts';
import type { SkillPreview, SkillRequest } from '../../schemas/api/skills.ts';
import type { DatasetStatistics } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { ReviewAct, ReviewEvent } from '../../schemas/review.ts';
import type { datasetRows } from '../datasets/rows.ts';
import type { Documents } from '../documents/documents.ts';
import { assignMany, assignmentsNow } from '../documents/review/assigning.ts';
import { beginningOf, firstLines } from '../documents/review/beginning.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { maskedRows } from '../documents/review/mask.ts';
import { workQueue } from '../documents/review/queue.ts';
import type { ReviewParts, Reviews } from '../documents/review/service.ts';
import type { PageFile } from '../recordings/closed.ts';
import type { Hub } from '../store/jobs/hub.ts';
import type { Mask } from '../store/mask.ts';
import { toRecordingRow } from '../store/recordings.ts';
import { getTask, listTaskRows } from '../store/task-rows.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Background } from './background.ts';

/**
 * Everything that can be asked of a workspace's annotation and review, as one person may see it: the only way to it for routes
 * and commands, which check no right by themselves. A recording is named by its id (or its start, in documents); `document`
 * names another than the main one. Every function throws CONFLICT for what is kept from this person, and what the parts
 * below throw (documents/documents.ts, review/service.ts).
 */
export type AsPerson = {
  documents: {
    get(recording: string, document?: string): Promise<AnnotationDocument>;
    /** The gaps in it (N11). */
    missing(recording: string, document?: string): Promise<MissingItem[]>;
    /** Who may write is checked with the writing itself, in one SQL transaction. */
    apply(recording: string, transaction: Transaction, document?: string): Promise<StoredTransaction>;
    undo(recording: string, document?: string): Promise<StoredTransaction | null>;
    redo(recording: string, document?: string): Promise<StoredTransaction | null>;
    history(recording: string, options: HistoryOptions): Promise<StoredTransaction[]>;
    /** Every transaction after `since`, in order, each once, then each as it happens. Refused before the stream begins. */
    watch(recording: string, options: WatchOptions): Promise<AsyncGenerator<StoredTransaction>>;
    proposals(recording: string, action: string, document?: string): Promise<Proposal[]>;
    /** x, y: px of the step's `before` picture. */
    grow(
      recording: string,
      action: string,
      point: { x: number; y: number },
      document?: string,
    ): Promise<Proposal | null>;
    vocabulary(software: string): Promise<{ name: string; count: number }[]>;
  };
  reviews: {
    /** `since`: the tag of a state that the asker has; the answer is then relative to it. */
    get(recording: string, since?: string): Promise<ReviewState>;
    send(
      recording: string,
      id: string,
      act: ReviewAct,
      since?: string,
    ): Promise<{ event: ReviewEvent; state: ReviewState }>;
    history(recording: string): Promise<ReviewEvent[]>;
    compare(recording: string, documents?: readonly string[]): Promise<Comparison>;
    /** The state now, then whenever something of it that this person sees has changed. */
    watch(
      recording: string,
      options: { since?: string | undefined; signal?: AbortSignal | undefined },
    ): Promise<AsyncGenerator<ReviewState>>;
    queue(): Promise<WorkItem[]>;
    /** Throws USAGE, UNKNOWN_RECORDING, UNKNOWN_TASK; what one recording refuses is in the answer. */
    assign(wishes: AssignmentWishes): Promise<AssignOutcome>;
    /** `software`: its id or a name of it. */
    dashboard(software?: string): Promise<Dashboard>;
  };
  drafts: {
    /** With what became of each in the document that they may read. */
    of(recording: string, document?: string): Promise<DraftShown[]>;
    /** Who may write there now may; it begins the work as a gesture does. */
    reject(recording: string, draft: string, rejected: boolean, document?: string): Promise<void>;
  };
  candidates: {
    /** None of a recording whose annotation is kept from them: rewards tell what it says. */
    of(recording: string): Promise<CandidateShown[]>;
    /** `right` null takes back what they said. Throws USAGE for a candidate that they are not shown. */
    say(recording: string, candidate: string, right: boolean | null): Promise<void>;
  };
  recordings: {
    list(): Promise<RecordingRow[]>;
    open(recording: string): Promise<OpenedRecording>;
    /** The two parts of the same: as JSON what everybody may see, and what comes and goes. */
    page(recording: string): Promise<PageFile>;
    now(recording: string): Promise<RecordingNow>;
    /** The path of the lossless PNG of the frame `i` of frames.jsonl. */
    framePicture(recording: string, i: number, stop?: Stop): Promise<string>;
    /** A small JPEG of its first step's screen. */
    smallPicture(recording: string, size: 'small' | 'medium', stop?: Stop): Promise<Buffer>;
  };
  dataset: {
    rows(options: Parameters<typeof datasetRows>[1]): ReturnType<typeof datasetRows>;
    statistics(source: DatasetSource, options: Stop): Promise<DatasetStatistics>;
    /** The preview of an export (ExportPreview), as JSON in UTF-8. */
    preview(wishes: ExportWishes, options: Stop): Promise<Uint8Array<ArrayBuffer>>;
  };
  skills: {
    /** Throws USAGE for a recording of another task, FORBIDDEN for one that this person may not read all of. */
    preview(task: string, wishes: SkillRequest, options: Stop): Promise<SkillPreview>;
    write(
      task: string,
      wishes: SkillRequest & { out: string },
      options: Stop,
    ): Promise<{ name: string; problems: SkillPreview['problems'] }>;
  };
  tasks: {
    list(): Promise<TaskRow[]>;
    get(task: string): Promise<TaskInfo>;
  };
};

type Stop = { signal?: AbortSignal | undefined };
type HistoryOptions = { action?: string | undefined; limit: number; document?: string | undefined };
type WatchOptions = { since: number; document?: string | undefined; signal?: AbortSignal | undefined };

export type Unchecked = {
  workspace: Workspace;
  documents: Documents;
  reviews: Reviews & ReviewParts;
  background: Background;
  /** See OpenWorkspace. */
  annotated: Hub<string>;
  /** Every transaction after a version, in order; the same question of many at once is one (shared-look.ts). */
  lines(recording: string, version: number, document: string | undefined): Promise<StoredTransaction[]>;
};

/** Every recording was stirred: a change by another process. */
export const EVERY_RECORDING = '*';

/** For those who watch one recording: what concerns it. */
const concerns = (recording: string) => (touched: string) => touched === recording || touched === EVERY_RECORDING;

/** `person`: an id or a name. Undefined: somebody who does not say; replicas are kept from them as from anybody. */
export function asPerson(unchecked: Unchecked, person: string | undefined): AsPerson {
  const { workspace, documents, reviews, background } = unchecked;
  const who = person ?? 'me';
  const mask = () => reviews.maskOf(person);
  const mayRead = (recording: string, document: string | undefined) => reviews.mayRead(recording, document, person);
  /** The document in which they work: of a hidden check, their own. */
  async function working(recording: string, document: string | undefined): Promise<string | undefined> {
    const readable = await mayRead(recording, document);
    return readable.what === 'all' ? document : readable.own;
  }
  /** A skill tells all that was said of its recordings. Throws USAGE, FORBIDDEN, UNKNOWN_RECORDING. */
  async function mayTeach(task: string, { recordings }: SkillRequest): Promise<void> {
    for (const recording of recordings) {
      const of = (await workspace.getRecording(recording)).task;
      if (of !== task)
        throw new StudioError('USAGE', `Recording ${recording} is of ${of}, not of ${task}.`, { recording });
      if ((await mayRead(recording, undefined)).what !== 'all')
        throw new StudioError(
          'FORBIDDEN',
          `Recording ${recording} is yours to annotate: its skill would tell what others said of it.`,
          { recording },
        );
    }
  }
  /** A recording whose row is the one that this person is to see. */
  const shown = async <T extends { row: RecordingRow }>(one: T): Promise<T> => {
    const { assigned: _inLists, ...masked } = (await mask()).get(one.row.id) ?? {};
    return { ...one, row: { ...one.row, ...masked } };
  };
  const answer = (state: ReviewState, since: string | undefined): ReviewState =>
    reviews.parts.answer(state, `${state.recording} ${who}`, since);

  return {
    documents: {
      async get(recording, document) {
        const { what } = await mayRead(recording, document);
        return what === 'all' ? documents.get(recording, person, document) : beginningOf(documents, recording);
      },
      async missing(recording, document) {
        const { what } = await mayRead(recording, document);
        const { goal } = await workspace.getRecording(recording);
        const { steps, records } = await documents.look(recording, what === 'all' ? document : undefined);
        const said = what === 'all' ? records : toRecords((await beginningOf(documents, recording)).records);
        return findMissing(viewDocument(steps, said), goal);
      },
      apply: (recording, transaction, document) => documents.apply(recording, transaction, who, document),
      undo: (recording, document) => documents.undo(recording, who, document),
      redo: (recording, document) => documents.redo(recording, who, document),
      async history(recording, options) {
        const { what } = await mayRead(recording, options.document);
        if (what === 'all') return documents.history(recording, options);
        return options.action === undefined ? firstLines(documents, recording, 0) : [];
      },
      async watch(recording, options) {
        const { what } = await mayRead(recording, options.document);
        return followDocument(unchecked, recording, { ...options, whole: what === 'all' });
      },
      // Proposals are learnt from a person's own names, and asking for them begins their document when they have none.
      proposals: async (recording, action, document) =>
        documents.proposals(recording, action, await working(recording, document)),
      grow: async (recording, action, point, document) =>
        documents.grow(recording, action, point, await working(recording, document)),
      vocabulary: (software) => documents.vocabulary(software, person),
    },
    reviews: {
      get: async (recording, since) => answer(await reviews.get(recording, who), since),
      async send(recording, id, act, since) {
        const { event, state } = await reviews.send(recording, who, id, act);
        return { event, state: answer(state, since) };
      },
      history: (recording) => reviews.history(recording, who),
      compare: (recording, named) => reviews.compare(recording, who, named),
      async watch(recording, { since, signal }) {
        // Asked here, so that an unknown recording is an answer and not a stream that breaks.
        await workspace.getRecording(recording);
        return followReview(unchecked, { recording, who, since, signal }, answer);
      },
      assign: (wishes) => assignMany(workspace, reviews, who, wishes),
      queue: () => workQueue(workspace, reviews, who),
      async dashboard(software) {
        const { dashboardOf } = await import('../documents/review/dashboard.ts');
        const id = software === undefined ? undefined : (await workspace.findSoftware(software)).id;
        return dashboardOf(workspace, reviews, { software: id, person });
      },
    },
    drafts: {
      async of(recording, document) {
        const entry = await workspace.getRecording(recording);
        const own = (await working(entry.id, document)) ?? entry.id;
        const { draftsIn } = await import('../documents/drafts.ts');
        return draftsIn(workspace, entry, own);
      },
      async reject(recording, draft, rejected, document) {
        const entry = await workspace.getRecording(recording);
        const place = { recording: entry.id, document: document ?? entry.id, person: who };
        const id = await workspace.store.transaction((trx) => reviewGate().admit(trx, place));
        const { rejectDraft } = await import('../documents/reject-draft.ts');
        await rejectDraft(entry, { person: id, document: place.document, draft, rejected });
      },
    },
    candidates: candidatesFor(workspace, who, mask),
    recordings: {
      async list() {
        const assigned = await assignmentsNow(workspace.store);
        const rows = (await workspace.indexedRecordings()).map((entry) => {
          const found = assigned.get(entry.id);
          const isAssigned = found && (found.annotate || found.review);
          return { ...toRecordingRow(entry), ...(isAssigned && { assigned: found }) };
        });
        return maskedRows(rows, await mask());
      },
      open: async (recording) => shown(await documents.openRecording(recording)),
      page: (recording) => documents.pageFile(recording),
      now: async (recording) => shown(await documents.recordingNow(recording)),
      framePicture: (recording, i, stop) => documents.framePicture(recording, i, { asker: person, ...stop }),
      smallPicture: (recording, size, stop) => documents.smallPicture(recording, size, { asker: person, ...stop }),
    },
    dataset: {
      async rows(options) {
        // Here, as the dashboard above: other questions are answered without it.
        const { datasetRows } = await import('../datasets/rows.ts');
        return datasetRows(workspace, { ...options, mask: await mask() });
      },
      statistics: async (source, stop) => background.run('statistics', { source, mask: await mask() }, stop),
      preview: async (wishes, stop) => background.run('preview', { ...wishes, mask: await mask() }, stop),
    },
    skills: {
      async preview(task, wishes, stop) {
        await mayTeach(task, wishes);
        return background.run('skill', wishes, stop);
      },
      async write(task, wishes, stop) {
        await mayTeach(task, wishes);
        return background.run('writeSkill', wishes, { ...stop, alone: true });
      },
    },
    tasks: {
      list: async () => listTaskRows(workspace.store, await mask()),
      get: async (task) => getTask(workspace.store, task, await mask()),
    },
  };
}

/** Read from the database each time, so that a transaction of another process comes like one of this. */
async function* followDocument(
  { documents, annotated, lines }: Unchecked,
  recording: string,
  { since, document, whole, signal }: WatchOptions & { whole: boolean },
): AsyncGenerator<StoredTransaction> {
  // Before the first look: nothing can come between the look and the listening.
  const stirred = annotated.subscribe(signal, concerns(recording));
  let version = since;
  const newer = (): Promise<StoredTransaction[]> =>
    whole ? lines(recording, version, document) : firstLines(documents, recording, version);
  for (;;) {
    for (const transaction of await newer()) {
      version = transaction.version;
      yield transaction;
    }
    if ((await stirred.next()).done) return;
  }
}

type Asked = { recording: string; who: string; since: string | undefined; signal: AbortSignal | undefined };

async function* followReview(
  { reviews, annotated }: Unchecked,
  { recording, who, since, signal }: Asked,
  answer: (state: ReviewState, since: string | undefined) => ReviewState,
): AsyncGenerator<ReviewState> {
  // Before the first look: nothing can come between the look and the listening.
  const stirred = annotated.subscribe(signal, concerns(recording));
  let last: ReviewState | null = null;
  // The next part is relative to the state that was sent last.
  let sent = since;
  for (;;) {
    const now = await reviews.get(recording, who);
    if (!isDeepStrictEqual(now, last)) {
      const said = answer(now, sent);
      yield said;
      sent = said.tag;
    }
    last = now;
    if ((await stirred.next()).done) return;
  }
}

/** `mask`: recordings whose annotation is kept from this person. */
function candidatesFor(workspace: Workspace, who: string, mask: () => Promise<Mask>): AsPerson['candidates'] {
  return {
    async of(recording) {
      const entry = await workspace.getRecording(recording);
      if ((await mask()).has(entry.id)) return [];
      const { candidateList } = await import('../datasets/candidate-list.ts');
      return candidateList(workspace, entry);
    },
    async say(recording, candidate, right) {
      const entry = await workspace.getRecording(recording);
      if ((await mask()).has(entry.id))
        throw new StudioError('USAGE', `Its candidates are not shown to you while you annotate ${entry.id} blind.`, {
          recording: entry.id,
        });
      const { sayOfCandidate } = await import('../datasets/step-candidates.ts');
      await sayOfCandidate(entry, { person: who, candidate, right });
    },
  };
}
