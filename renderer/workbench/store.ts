import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { Records } from '../../core/annotate/document.ts';
import { type DocumentView, viewDocument } from '../../core/annotate/view.ts';
import type { Proposal, RecordOf } from '../../schemas/annotation.ts';
import type { DraftShown } from '../../schemas/api/drafts.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { Rect } from '../../schemas/events.ts';
import type { RecordingMark } from '../../schemas/marks.ts';
import type { Pin } from '../../schemas/review.ts';
import type { SyncState } from './document/sync.ts';
import { type EffortLog, NO_EFFORT } from './effort.ts';
import type { Span } from './frames/gaps.ts';
import type { Point, Size, Viewport } from './geometry.ts';
import { readOnlyReason } from './log/rights.ts';
import type { ReviewSyncState } from './log/sync.ts';
import type { Sheet } from './sheet/shown.ts';

export type Role = RecordOf<'box'>['role'];
export type KeyframeSide = RecordOf<'keyframe'>['role'];

/**
 * How a box is made by keys: `cross` moves a cross and sets two corners with it, `adjust` moves and resizes what is there.
 * With the pointer a box is made in any mode.
 */
export type Mode =
  | { kind: 'idle' }
  | { kind: 'cross'; role: Role; at: Point; first: Point | null }
  | { kind: 'adjust'; role: Role }
  /** A place in the shown picture is being chosen; `hint` says what for and how, `choose` gets the pixel. */
  | { kind: 'pin'; at: Point; hint: string; choose: (at: Point) => void };

/** Beside steps, what a reviewer goes through: the goal, where a subtask begins, its title. `subtask`: its place. */
export type Stop = { kind: 'goal' } | { kind: 'edge' | 'title'; subtask: number };
/** The parts of a step that are looked at by themselves. */
export type Aspect = 'element' | 'box' | 'narration' | 'text' | 'removal';

/** A box while it is being moved: not stored until the gesture ends. */
export type Draft = { action: string; role: Role; box: Rect };

/** The stretch that is playing: it loops between the two times (µs). */
export type Playing = { what: 'step' | 'subtask' | 'recording'; span: Span };

/** `step`: what it says is true of this step alone, so it goes when another is in hand. */
export type Notice = { id: number; tone: 'bad' | 'info'; text: string; step?: string | undefined };
export type Open =
  | 'remove'
  | 'history'
  | 'source'
  | 'marks'
  | 'threads'
  | 'reject'
  | 'verdict'
  | 'missing'
  | 'add-step'
  | null;

export type WorkState = {
  ws: string;
  /** Which page this is: the same recording is annotated on one and reviewed on the other. */
  page: Page;
  /** The document that is open: the recording's own id, or a blind replica's. */
  document: string;
  /** Who works here; null: nobody was chosen. */
  person: string | null;
  /** Decisions, comments and rights; null while nobody was chosen. */
  review: ReviewSyncState | null;
  /** The document as it was submitted, to tell what the reviewer fixed; null while it is not reviewed. */
  handedIn: Records | null;
  opened: OpenedRecording;
  sync: SyncState;
  doc: DocumentView;
  vocabulary: readonly { name: string; count: number }[];
  proposals: ReadonlyMap<string, readonly Proposal[]>;
  /** Drafts by models for the open document; empty until they are known. */
  drafts: readonly DraftShown[];
  /** Those of them that were refused on this page just now: they can be put back. */
  refused: ReadonlySet<string>;

  /** The step in hand, and the other end of a stretch of chosen steps. */
  at: number;
  anchor: number | null;
  /** The step whose form is shown: the one in hand, at most one painted frame later (form/follow.ts). -1: none yet. */
  formAt: number;
  side: KeyframeSide;
  /** Before and after in turn. */
  flipping: boolean;
  /** A place in `frames` that is looked at instead of the step's own picture. */
  looking: number | null;
  mode: Mode;
  draft: Draft | null;
  /** On the review page: what is looked at instead of the step in hand, and what of the step. */
  stop: Stop | null;
  aspect: Aspect | null;
  judging: boolean;
  /** The comment that was gone to, while its step is in hand. */
  thread: string | null;
  /** The gap (N11) that was gone to last, by `gapKey`: the next one comes after it. */
  gap: string | null;
  /** A comment is being written for this. */
  commenting: Pin | null;
  loupe: boolean;
  sheet: Sheet;
  /** Null: the picture fits the stage. */
  viewport: Viewport | null;
  stage: Size;

  playing: Playing | null;
  rate: number;
  skipIdle: boolean;
  /** The video's time while it plays (µs); null when the picture of a step or a frame is shown. */
  playhead: number | null;

  /** What was marked while recording; empty until it is known. */
  marks: readonly RecordingMark[];

  folded: ReadonlySet<string>;
  /** The fields of thoughts are shown also where nothing was written. */
  thoughts: boolean;
  open: Open;
  notices: readonly Notice[];
  effort: EffortLog;
};

export type WorkStore = StoreApi<WorkState>;

export type Page = 'annotate' | 'review' | 'compare';

export function createWorkStore(
  ws: string,
  opened: OpenedRecording,
  sync: SyncState,
  effort: EffortLog = NO_EFFORT,
  more: Partial<Pick<WorkState, 'page' | 'document' | 'person' | 'review' | 'handedIn'>> = {},
): WorkStore {
  return createStore<WorkState>(() => ({
    ws,
    page: 'annotate',
    document: opened.row.id,
    person: null,
    review: null,
    handedIn: null,
    opened,
    sync,
    doc: documentOf(opened, sync),
    vocabulary: [],
    proposals: new Map(),
    drafts: [],
    refused: new Set<string>(),
    at: 0,
    anchor: null,
    formAt: -1,
    side: 'before',
    flipping: false,
    looking: null,
    mode: { kind: 'idle' },
    draft: null,
    stop: null,
    aspect: null,
    judging: false,
    thread: null,
    gap: null,
    commenting: null,
    loupe: false,
    sheet: { is: 'off', of: 'all', columns: 1 },
    viewport: null,
    stage: { width: 0, height: 0 },
    playing: null,
    rate: 1,
    skipIdle: false,
    playhead: null,
    marks: [],
    folded: new Set<string>(),
    thoughts: false,
    open: null,
    notices: [],
    effort,
    ...more,
  }));
}

/** The recording as its records describe it; unchanged steps are the same objects as before. */
export function documentOf(opened: OpenedRecording, sync: SyncState): DocumentView {
  return viewDocument(opened.steps, sync.pending.view, { frames: opened.frames, views: opened.views });
}

/** Why nothing may be written now, in words; null when it may. */
export function readOnlyNow(state: Pick<WorkState, 'review' | 'person' | 'document' | 'opened'>): string | null {
  const { review, person, document, opened } = state;
  const { id, state: work } = opened.row;
  return readOnlyReason({ review: review?.view ?? null, person, document, recording: id, state: work });
}

/** The frame that is shown, as a place in `frames`; -1 when the step has none. */
export function shownFrame(state: Pick<WorkState, 'looking' | 'doc' | 'at' | 'side'>): number {
  if (state.looking !== null) return state.looking;
  const step = state.doc.steps[state.at];
  return step ? step[state.side] : -1;
}

/** Whether what is shown is the picture that boxes belong to. */
export function showsBefore(state: Pick<WorkState, 'looking' | 'doc' | 'at' | 'side'>): boolean {
  const step = state.doc.steps[state.at];
  return step !== undefined && step.before >= 0 && shownFrame(state) === step.before;
}

/** Places of the chosen steps, ascending: the one in hand, or the stretch up to the anchor. */
export function chosenSteps(state: Pick<WorkState, 'at' | 'anchor'>): number[] {
  const from = Math.min(state.at, state.anchor ?? state.at);
  const to = Math.max(state.at, state.anchor ?? state.at);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

export const StoreContext = createContext<WorkStore | null>(null);

export function useWorkStore(): WorkStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error('The annotation workspace is not open here.');
  return store;
}

export function useWork<T>(select: (state: WorkState) => T): T {
  return useStore(useWorkStore(), select);
}
