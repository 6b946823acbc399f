import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { type DocumentView, viewDocument } from '../../core/annotate/view.ts';
import type { Proposal, RecordOf } from '../../schemas/annotation.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { Rect } from '../../schemas/events.ts';
import type { SyncState } from './document/sync.ts';
import { type EffortLog, NO_EFFORT } from './effort.ts';
import type { Point, Size, Viewport } from './geometry.ts';
import type { Span } from './timeline/scale.ts';

export type Role = RecordOf<'box'>['role'];
export type Side = RecordOf<'keyframe'>['role'];

/**
 * How a box is made by keys: `cross` moves a cross and sets two corners with it, `adjust` moves and resizes what is there.
 * With the pointer a box is made in any mode.
 */
export type Mode =
  | { kind: 'idle' }
  | { kind: 'cross'; role: Role; at: Point; first: Point | null }
  | { kind: 'adjust'; role: Role };

/** A box while it is being moved: not stored until the gesture ends. */
export type Draft = { action: string; role: Role; box: Rect };

/** What is playing: it loops between the two times (µs). */
export type Playing = { what: 'step' | 'subtask' | 'recording'; span: Span };

export type Notice = { id: number; tone: 'bad' | 'info'; text: string };
export type Open = 'remove' | 'history' | 'source' | null;

export type WorkState = {
  ws: string;
  opened: OpenedRecording;
  sync: SyncState;
  doc: DocumentView;
  vocabulary: readonly { name: string; count: number }[];
  proposals: ReadonlyMap<string, readonly Proposal[]>;

  /** The step in hand, and the other end of a stretch of chosen steps. */
  at: number;
  anchor: number | null;
  side: Side;
  /** Before and after in turn. */
  flipping: boolean;
  /** A place in `frames` that is looked at instead of the step's own picture. */
  looking: number | null;
  mode: Mode;
  draft: Draft | null;
  loupe: boolean;
  /** Null: the picture fits the stage. */
  viewport: Viewport | null;
  stage: Size;

  playing: Playing | null;
  rate: number;
  skipIdle: boolean;
  /** Of the video while it plays (µs); null when the picture of a step or a frame is shown. */
  playhead: number | null;

  folded: ReadonlySet<string>;
  open: Open;
  notices: readonly Notice[];
  effort: EffortLog;
};

export type WorkStore = StoreApi<WorkState>;

export function createWorkStore(
  ws: string,
  opened: OpenedRecording,
  sync: SyncState,
  effort: EffortLog = NO_EFFORT,
): WorkStore {
  return createStore<WorkState>(() => ({
    ws,
    opened,
    sync,
    doc: documentOf(opened, sync),
    vocabulary: [],
    proposals: new Map(),
    at: 0,
    anchor: null,
    side: 'before',
    flipping: false,
    looking: null,
    mode: { kind: 'idle' },
    draft: null,
    loupe: false,
    viewport: null,
    stage: { width: 0, height: 0 },
    playing: null,
    rate: 1,
    skipIdle: false,
    playhead: null,
    folded: new Set<string>(),
    open: null,
    notices: [],
    effort,
  }));
}

/** What the records say of the recording; unchanged steps are the same objects as before. */
export function documentOf(opened: OpenedRecording, sync: SyncState): DocumentView {
  return viewDocument(opened.steps, sync.pending.view, { frames: opened.frames, views: opened.views });
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
